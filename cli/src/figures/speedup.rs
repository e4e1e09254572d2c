//! Speedup by number of devices: a panel per workload, a bar per set of devices; the first set is 1.

use super::canvas::{ALARM, Anchor, Area, Canvas, INK, SOFT_INK};
use super::sheet::{LegendItem, Plan, RIGHT, Sign, VALUE, axes, base_line, draw, height_of, no_remark, slot};
use super::{FigureError, Width};
use crate::grouping::{Group, three_digits};
use plotters::style::RGBColor;

const BAR: RGBColor = RGBColor(0x56, 0xb4, 0xe9);

pub(super) fn sheet(groups: &[Group<'_>], width: Width) -> Result<String, FigureError> {
    let legend = vec![
        LegendItem::new(Sign::Filled(BAR), "measured"),
        LegendItem::new(Sign::Diamond(ALARM), "expected by the model"),
        LegendItem::new(Sign::Dashes, "ideal: the number of devices"),
    ];
    let plan = Plan {
        title: "Speedup by number of devices",
        legend,
        width,
        columns: 3,
        plot_height: 96.0,
        right: RIGHT,
        below: None,
        remark: &no_remark,
        panel: &panel,
    };
    draw(groups, &plan)
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area) -> Result<(), FigureError> {
    let measured: Vec<Option<f64>> = group.rows.iter().map(|row| row.summary.map(|summary| summary.median)).collect();
    let expected: Vec<Option<f64>> = group.rows.iter().map(|row| row.run.predicted_ms).collect();
    let by_first = |times: &[Option<f64>]| -> Vec<Option<f64>> {
        let first = times.first().copied().flatten();
        times.iter().map(|time| Some(first? / (*time)?)).collect()
    };
    let (bars, diamonds) = (by_first(&measured), by_first(&expected));
    let devices = |index: usize| group.rows[index].run.devices.len() as f64;
    let all = bars.iter().chain(&diamonds).flatten().copied();
    let most = 1.15 * (0..group.rows.len()).map(devices).chain(all).fold(1.0, f64::max);
    axes(canvas, &plot, "speedup", most)?;
    for (index, (bar, diamond)) in bars.iter().zip(&diamonds).enumerate() {
        let (left, right) = slot(&plot, group.rows.len(), index);
        let (middle, half) = ((left + right) / 2.0, (0.36 * (right - left)).min(16.0));
        if let Some(speedup) = bar {
            let top = height_of(&plot, *speedup, most);
            canvas.rectangle(Area { left: middle - half, right: middle + half, top, bottom: plot.bottom }, BAR)?;
            let text = three_digits(*speedup);
            canvas.text((middle, plot.bottom - 5.0), Anchor::Middle, VALUE, INK, &text)?;
        }
        canvas.dashes(middle - half, middle + half, height_of(&plot, devices(index), most), 0.7, SOFT_INK)?;
        if let Some(speedup) = diamond {
            canvas.diamond((middle, height_of(&plot, *speedup, most)), 2.0, ALARM)?;
        }
    }
    base_line(canvas, &plot)
}
