//! Time by policy: a panel per workload, a bar per policy, from 0.

use super::FigureError;
use super::canvas::{ALARM, Anchor, Area, Canvas, INK, SOFT_INK, text_width};
use super::sheet::{LABEL, LegendItem, Plan, Sign, axes, base_line, draw, height_of, slot, whisker};
use crate::grouping::{Group, Row, Standing, three_digits, time_unit};
use crate::record::PolicyUsed;
use crate::statistics::SAMPLES_FOR_INTERVAL;
use plotters::style::{RGBColor, WHITE};

const VALUE: f64 = 5.4;
const STAR: RGBColor = RGBColor(0x11, 0x11, 0x11);

/// Bars of a panel beyond which it needs half the width of the sheet.
const MANY_BARS: usize = 14;

/// How a policy decides, and so its colour: blues hand out, oranges expect, greens measure.
/// The families are told apart with any colour vision, and the bars carry their names besides.
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

pub(super) fn sheet(groups: &[Group<'_>]) -> Result<String, FigureError> {
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
        legend.push(LegendItem::new(Sign::Diamond(ALARM), "expected by the model"));
    }
    if groups.iter().any(|group| group.perfect_ms().is_some()) {
        legend.push(LegendItem::new(Sign::Dashes, "perfect sharing of the work"));
    }
    if rows().any(|row| row.run.verified == Some(false)) {
        legend.push(LegendItem::new(Sign::Hatching(ALARM), "wrong result"));
    }
    draw(
        groups,
        &Plan {
            title: "Time by policy",
            legend,
            wide: groups.iter().any(|group| group.rows.len() > MANY_BARS),
            plot_height: 92.0,
            above_labels: 4.0,
            second_axis: false,
            panel: &panel,
        },
    )
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area) -> Result<(), FigureError> {
    let tops = group.rows.iter().filter_map(|row| row.summary.map(|summary| summary.interval.high));
    let slowest = tops.fold(0.0, f64::max);
    // One wild expectation shall not press all bars to the ground: it is shown at the edge.
    let expected = group.rows.iter().filter_map(|row| row.run.predicted_ms).fold(0.0, f64::max);
    let most = if slowest > 0.0 { slowest.max(expected.min(1.25 * slowest)) } else { expected };
    let (unit, per_ms) = time_unit(most);
    // Room above for a number and the star.
    let most = if most > 0.0 { 1.2 * most * per_ms } else { 1.0 };
    let unit = unit.replace("us", "µs");
    axes(canvas, &plot, &format!("time ({unit})"), most)?;
    let places: Vec<Place> = (0..group.rows.len()).map(|index| Place::new(&plot, group.rows.len(), index)).collect();
    let height = |ms: f64| height_of(&plot, ms * per_ms, most);
    // What stands on the bars is drawn after all of them, and after the line that crosses them.
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
            // Shorter than its own lines, it would be a blot.
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
            // The number goes above the diamond rather than through it.
            if y < top && top - y < 12.0 {
                top = y - 1.5;
            }
        }
        let Some(summary) = row.summary else { continue };
        let text = three_digits(summary.median * per_ms);
        let wide = text_width(canvas.face(), &text, VALUE);
        let color = if row.run.verified == Some(false) { ALARM } else { SOFT_INK };
        if wide <= place.width - 0.6 {
            // Lines of the grid would cross the digits out.
            let (left, right) = (middle - wide / 2.0, middle + wide / 2.0);
            canvas.rectangle(Area { left, right, top: top - 6.6, bottom: top - 1.8 }, WHITE)?;
            canvas.text((middle, top - 4.2), Anchor::Middle, VALUE, color, &text)?;
            top -= 7.0;
        } else {
            canvas.upward((middle, top - 1.8), Anchor::Start, VALUE, color, &text)?;
            top -= 2.5 + wide;
        }
        if group.standing(index) == Standing::Fastest {
            canvas.star((middle, top - 4.0), 3.4, STAR)?;
        }
    }
    Ok(())
}

/// Where a bar stands.
struct Place {
    middle: f64,
    /// Half the width of the bar.
    half: f64,
    /// Width of its place, with the gaps.
    width: f64,
}

impl Place {
    fn new(plot: &Area, count: usize, index: usize) -> Self {
        let (left, right) = slot(plot, count, index);
        let width = right - left;
        Self { middle: (left + right) / 2.0, half: (0.36 * width).min(16.0), width }
    }
}

/// An expectation beyond the upper edge: a tip that points at it, and its number.
fn beyond(canvas: &Canvas<'_>, x: f64, edge: f64, text: &str) -> Result<(), FigureError> {
    canvas.polygon(&[(x, edge - 2.0), (x + 2.4, edge + 2.4), (x - 2.4, edge + 2.4)], ALARM)?;
    canvas.upward((x, edge + 4.2), Anchor::End, VALUE, ALARM, text)
}
