//! Imbalance of applications over time: a panel per application and number of devices, a line per split; marks where rows moved.

use super::canvas::{Area, Canvas};
use super::series::{short, short_conditions};
use super::sheet::{
    Chart, LegendItem, Sign, axes, base_line, charts, height_of, number_below, panels, series_color, series_mark, ticks,
};
use super::{FigureError, Width};
use crate::grouping::{Group, policy_label};
use crate::record::{Run, TimeLine, TimeWindow};

/// The sheets; none if no run on several devices has a time line.
pub(super) fn imbalance(groups: &[Group<'_>], width: Width) -> Result<Vec<String>, FigureError> {
    let has = |run: &Run| run.timeline.as_ref().is_some_and(|line| line.devices.len() > 1 && !line.windows.is_empty());
    let found: Vec<&Group<'_>> = groups.iter().filter(|group| group.rows.iter().any(|row| has(row.run))).collect();
    let mut policies: Vec<String> = Vec::new();
    for row in found.iter().flat_map(|group| &group.rows).filter(|row| has(row.run)) {
        let label = policy_label(&row.run.policy);
        if !policies.contains(&label) {
            policies.push(label);
        }
    }
    let mut legend: Vec<LegendItem> =
        policies.iter().enumerate().map(|(number, name)| LegendItem::new(Sign::Series(number), short(name))).collect();
    let moved = found.iter().flat_map(|group| &group.rows).any(|row| row.run.timeline.as_ref().is_some_and(moves));
    if moved {
        legend.push(LegendItem::new(Sign::Mark("▲".into()), "rows moved"));
    }
    let page = |page: &[&Group<'_>]| {
        let charts_of: Vec<Chart<'_>> = page.iter().map(|group| chart(group, &policies)).collect();
        charts("Imbalance over time", &legend, &charts_of, width)
    };
    found.chunks(panels(width)).map(page).collect()
}

fn chart<'c>(group: &'c Group<'c>, policies: &'c [String]) -> Chart<'c> {
    Chart {
        title: group.common.workload.clone(),
        subtitle: short_conditions(&group.conditions(" · ")),
        below: "loop",
        draw: Box::new(move |canvas: &Canvas<'_>, plot| panel(canvas, &plot, group, policies)),
    }
}

fn moves(line: &TimeLine) -> bool {
    line.windows.windows(2).any(|pair| pair[0].rows != pair[1].rows)
}

fn panel(canvas: &Canvas<'_>, plot: &Area, group: &Group<'_>, policies: &[String]) -> Result<(), FigureError> {
    let lines = || group.rows.iter().filter_map(|row| Some((row, row.run.timeline.as_ref()?)));
    let windows = || lines().flat_map(|(_, line)| &line.windows);
    let highest = windows().filter_map(|window| window.imbalance()).fold(0.0f64, f64::max);
    let most = (115.0 * highest).max(5.0);
    // As numbers without a limit: a record may say anything.
    let end = |window: &TimeWindow| window.first as f64 + window.loops as f64;
    let last = windows().map(end).fold(1.0, f64::max);
    axes(canvas, plot, "imbalance (%)", most)?;
    let at = |number: f64| plot.left + plot.width() * number / last;
    let (steps, texts) = ticks(last);
    for (step, text) in steps.iter().zip(&texts) {
        number_below(canvas, plot, at(*step), text)?;
    }
    base_line(canvas, plot)?;
    for (row, line) in lines() {
        let label = policy_label(&row.run.policy);
        let number = policies.iter().position(|known| *known == label).unwrap_or(0);
        let mut path: Vec<(f64, f64)> = Vec::new();
        for window in &line.windows {
            let Some(imbalance) = window.imbalance() else { continue };
            let y = height_of(plot, 100.0 * imbalance, most);
            path.extend([(at(window.first as f64), y), (at(end(window)), y)]);
        }
        if path.len() > 1 {
            canvas.path(&path, 0.8, series_color(number))?;
        }
        // A few marks distinguish the lines without their colours.
        // Each line has them at other places: lines may coincide.
        let every = (path.len() / 5).max(1);
        for place in path.iter().skip(every * (number + 1) / (policies.len() + 1)).step_by(every) {
            series_mark(canvas, *place, number)?;
        }
        for pair in line.windows.windows(2).filter(|pair| pair[0].rows != pair[1].rows) {
            let x = at(pair[1].first as f64);
            let tip = plot.bottom + 0.4;
            canvas.polygon(&[(x, tip - 4.0), (x + 1.8, tip), (x - 1.8, tip)], series_color(number))?;
        }
    }
    Ok(())
}
