//! Time by policy: a panel per workload, a bar per policy, from 0.

use super::canvas::{ALARM, Anchor, Area, Canvas, INK, SOFT_INK, text_width};
use super::sheet::{
    LABEL, LegendItem, Plan, RIGHT, Sign, VALUE, axes, base_line, draw, height_of, most_below, no_remark, slot, whisker,
};
use super::{FigureError, Width, device_mark, short_of};
use crate::grouping::{Group, Row, Standing, three_digits, time_unit};
use crate::record::PolicyUsed;
use crate::statistics::SAMPLES_FOR_INTERVAL;
use plotters::style::{RGBColor, WHITE};

const STAR: RGBColor = RGBColor(0x11, 0x11, 0x11);

/// With more bars than this a panel needs half the width of the sheet.
const MANY_BARS: usize = 11;

/// Room on the right for marks of devices alone.
const ALONE: f64 = 24.0;

/// Room above the tallest bar for a vertical number and the star.
const ABOVE: f64 = 34.0;

/// Devices alone slower than this many times the tallest bar are shown at the edge.
const BEYOND: f64 = 1.3;

/// Colour by how a policy decides: blues hand out chunks, oranges predict, greens measure. The families are distinct for any
/// colour vision, and the bars carry their names besides.
fn color(policy: &PolicyUsed) -> RGBColor {
    match policy.name.as_str() {
        "BLOCK" => RGBColor(0x99, 0x99, 0x99),
        "SCHED_DYNAMIC" => RGBColor(0x56, 0xb4, 0xe9),
        "SCHED_GUIDED" => RGBColor(0x00, 0x72, 0xb2),
        "MODEL_1_AUTO" => RGBColor(0xf5, 0xbe, 0x5a),
        "MODEL_2_AUTO" => RGBColor(0xe6, 0x9f, 0x00),
        "SCHED_PROFILE_AUTO" => RGBColor(0x5c, 0xc4, 0xa0),
        "MODEL_PROFILE_AUTO" => RGBColor(0x00, 0x9e, 0x73),
        "HGUIDED" => RGBColor(0x1b, 0x4f, 0x8a),
        "ADAPTIVE" => RGBColor(0x00, 0x6b, 0x4e),
        "AUTO" => RGBColor(0xcc, 0x79, 0xa7),
        _ => RGBColor(0x7a, 0x6a, 0x8a),
    }
}

/// The time of each device of `devices` alone, by its place there.
fn alone(group: &Group<'_>, devices: &[&str]) -> Vec<(usize, f64)> {
    let time = |(place, device): (usize, &&str)| Some((place, group.alone_ms(device)?));
    devices.iter().enumerate().filter_map(time).collect()
}

pub(super) fn sheet(groups: &[Group<'_>], devices: &[&str], width: Width) -> Result<String, FigureError> {
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let mut legend = vec![LegendItem::new(Sign::Star(STAR), "fastest")];
    let enough = |row: &Row<'_>| row.run.times_ms.len() >= SAMPLES_FOR_INTERVAL;
    let repeated = || rows().filter(|row| row.run.times_ms.len() > 1);
    if repeated().any(enough) && repeated().any(|row| !enough(row)) {
        legend
            .push(LegendItem::new(Sign::Whisker, "95 % interval of the median; all times where they are fewer than 6"));
    } else if repeated().any(enough) {
        legend.push(LegendItem::new(Sign::Whisker, "95 % interval of the median"));
    } else if repeated().next().is_some() {
        legend.push(LegendItem::new(Sign::Whisker, "smallest to largest time"));
    }
    if rows().any(|row| row.run.predicted_ms.is_some()) {
        legend.push(LegendItem::new(Sign::Diamond(ALARM), "predicted"));
    }
    if groups.iter().any(|group| group.perfect_ms().is_some()) {
        let text = "all together, each as fast as alone: 1/\u{03a3}(1/T)";
        legend.push(LegendItem::new(Sign::Dashes, text));
    }
    let with_alone = groups.iter().any(|group| !alone(group, devices).is_empty());
    if with_alone {
        for (place, device) in devices.iter().enumerate() {
            if groups.iter().any(|group| group.alone_ms(device).is_some()) {
                let mark = format!("\u{25c2}{}", device_mark(place));
                legend.push(LegendItem::new(Sign::Mark(mark), format!("{} alone", short_of(device))));
            }
        }
    }
    if rows().any(|row| row.run.verified == Some(false)) {
        legend.push(LegendItem::new(Sign::Hatching(ALARM), "wrong result"));
    }
    draw(
        groups,
        &Plan {
            title: "Time by policy",
            legend,
            width,
            columns: if groups.iter().any(|group| group.rows.len() > MANY_BARS) { 2 } else { 3 },
            plot_height: 108.0,
            right: if with_alone { ALONE } else { RIGHT },
            below: None,
            remark: &no_remark,
            panel: &|canvas, group, plot| panel(canvas, group, plot, devices),
        },
    )
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area, devices: &[&str]) -> Result<(), FigureError> {
    let tops = group.rows.iter().filter_map(|row| row.summary.map(|summary| summary.interval.high));
    let slowest = tops.fold(0.0, f64::max);
    // One far-off prediction must not flatten all bars: it is shown at the edge.
    let expected = group.rows.iter().filter_map(|row| row.run.predicted_ms).fold(0.0, f64::max);
    let most = if slowest > 0.0 { slowest.max(expected.min(1.25 * slowest)) } else { expected };
    let alone = alone(group, devices);
    let far = alone.iter().map(|(_, ms)| *ms).filter(|ms| *ms <= BEYOND * most).fold(0.0, f64::max);
    let (unit, per_ms) = time_unit(most);
    let most = most_below(&plot, most * per_ms, ABOVE).max(far * per_ms * 1.05);
    let unit = unit.replace("us", "µs");
    axes(canvas, &plot, &format!("time ({unit})"), most)?;
    let places: Vec<Place> = (0..group.rows.len()).map(|index| Place::new(&plot, group.rows.len(), index)).collect();
    let height = |ms: f64| height_of(&plot, ms * per_ms, most);
    // Texts and marks are drawn after all bars, and after the line that crosses them.
    for (row, place) in group.rows.iter().zip(&places) {
        let Some(summary) = row.summary else { continue };
        let (left, right) = (place.middle - place.half, place.middle + place.half);
        let bar = Area { left, right, top: height(summary.median), bottom: plot.bottom };
        if row.run.verified == Some(false) {
            canvas.hatching(bar, ALARM)?;
        } else {
            canvas.rectangle(bar, color(&row.run.policy))?;
        }
    }
    if let Some(perfect) = group.perfect_ms().filter(|perfect| perfect * per_ms < most) {
        canvas.dashes(plot.left, plot.right, height(perfect), 0.7, INK)?;
    }
    base_line(canvas, &plot)?;
    for (index, (row, place)) in group.rows.iter().zip(&places).enumerate() {
        let middle = place.middle;
        let mut top = plot.bottom;
        if let Some(summary) = row.summary {
            let (low, high) = (height(summary.interval.low), height(summary.interval.high));
            // A shorter whisker would be a blot.
            if summary.count > 1 && low - high > 0.8 {
                whisker(canvas, middle, high, low, place.half * 0.45)?;
            }
            top = high;
        } else {
            canvas.upward((middle, plot.bottom - 3.0), Anchor::Start, LABEL, ALARM, "failed")?;
        }
        if let Some(expected) = row.run.predicted_ms {
            let y = height(expected);
            if expected * per_ms > most {
                beyond(canvas, middle, plot.top, &three_digits(expected * per_ms))?;
            } else {
                canvas.diamond((middle, y), 2.0, ALARM)?;
            }
            // The number goes above the diamond, not through it.
            if y < top + 3.0 && top - y < ABOVE {
                top = top.min(y - 3.0);
            }
        }
        let Some(summary) = row.summary else { continue };
        let text = three_digits(summary.median * per_ms);
        let wide = text_width(canvas.face(), &text, VALUE);
        let color = if row.run.verified == Some(false) { ALARM } else { SOFT_INK };
        if wide <= place.width - 0.6 {
            // Grid lines would cross the digits.
            let (left, right) = (middle - wide / 2.0, middle + wide / 2.0);
            canvas.rectangle(Area { left, right, top: top - 8.4, bottom: top - 1.8 }, WHITE)?;
            canvas.text((middle, top - 5.0), Anchor::Middle, VALUE, color, &text)?;
            top -= 8.5;
        } else {
            let (left, right) = (middle - 3.2, middle + 3.2);
            canvas.rectangle(Area { left, right, top: top - 2.5 - wide, bottom: top - 1.5 }, WHITE)?;
            canvas.upward((middle, top - 2.2), Anchor::Start, VALUE, color, &text)?;
            top -= 2.8 + wide;
        }
        if group.standing(index) == Standing::Fastest {
            canvas.star((middle, top - 4.0), 3.4, STAR)?;
        }
    }
    let mut marks: Vec<(f64, usize, bool)> =
        alone.iter().map(|&(place, ms)| (height(ms), place, ms * per_ms > most)).collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    marks_of_alone(canvas, &plot, &marks)
}

/// Marks beside the plot: the time of each device alone. Marks that would overlap share one text.
fn marks_of_alone(canvas: &Canvas<'_>, plot: &Area, marks: &[(f64, usize, bool)]) -> Result<(), FigureError> {
    let mut rest = marks;
    while let Some(&(first, _, beyond)) = rest.first() {
        let mut last = first;
        let near = |&&(y, ..): &&(f64, usize, bool)| {
            let near = y - last < VALUE + 0.5;
            last = if near { y } else { last };
            near
        };
        let (cluster, later) = rest.split_at(rest.iter().take_while(near).count());
        rest = later;
        let mut places: Vec<usize> = cluster.iter().map(|(_, place, _)| *place).collect();
        places.sort_unstable();
        let x = plot.right;
        for &(y, ..) in cluster {
            if beyond {
                canvas.polygon(&[(x + 4.0, y - 2.0), (x + 6.2, y + 2.4), (x + 1.8, y + 2.4)], INK)?;
            } else {
                canvas.polygon(&[(x + 1.0, y), (x + 5.5, y - 2.4), (x + 5.5, y + 2.4)], INK)?;
            }
        }
        let middle = cluster.iter().map(|(y, ..)| y).sum::<f64>() / cluster.len() as f64;
        canvas.text((x + 7.0, middle), Anchor::Start, VALUE, INK, &listed(&places))?;
    }
    Ok(())
}

/// Marks of devices in order: `1,3` and `2-5`.
fn listed(places: &[usize]) -> String {
    let one_after_another = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match places {
        [first, .., last] if places.len() > 2 && one_after_another => {
            format!("{}\u{2013}{}", device_mark(*first), device_mark(*last))
        }
        _ => places.iter().map(|&place| device_mark(place)).collect::<Vec<_>>().join(","),
    }
}

/// The place of a bar.
struct Place {
    middle: f64,
    /// Half the width of the bar.
    half: f64,
    /// Width of the place, with the gaps.
    width: f64,
}

impl Place {
    fn new(plot: &Area, count: usize, index: usize) -> Self {
        let (left, right) = slot(plot, count, index);
        let width = right - left;
        Self { middle: (left + right) / 2.0, half: (0.36 * width).min(16.0), width }
    }
}

/// A prediction beyond the upper edge: a tip that points at it, and its number.
fn beyond(canvas: &Canvas<'_>, x: f64, edge: f64, text: &str) -> Result<(), FigureError> {
    canvas.polygon(&[(x, edge - 2.0), (x + 2.4, edge + 2.4), (x - 2.4, edge + 2.4)], ALARM)?;
    canvas.upward((x, edge + 4.6), Anchor::End, VALUE, ALARM, text)
}
