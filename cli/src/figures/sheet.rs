//! A sheet of panels: where each stands, its title and axes, and one legend above all.

use super::canvas::{Anchor, Area, Canvas, GRID, INK, SOFT_INK, Texture, face, fitted, svg, text_width, wrapped};
use super::{FigureError, Width};
use crate::grouping::Group;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::style::RGBColor;
use ttf_parser::Face;

/// Width of one column of a journal, 3.35 inches, in points.
pub(super) const COLUMN: f64 = 241.2;

/// Width of a page's text, over both columns, in points.
pub(super) const PAGE: f64 = 516.0;

/// Panels on a sheet, so that it fits on a page of paper; further panels go to another sheet.
pub(super) fn panels(width: Width) -> usize {
    match width {
        Width::Column => 3,
        Width::Page => 12,
    }
}

/// Sizes of type, as printed: a journal's captions have 8 points.
const TITLE: f64 = 9.0;
pub(super) const LABEL: f64 = 8.0;
const SUBTITLE: f64 = 8.0;
const TICK: f64 = 8.0;
const AXIS: f64 = 8.0;
const LEGEND: f64 = 8.0;
/// Numbers on bars.
pub(super) const VALUE: f64 = 7.0;

/// Longest name of a policy below a bar, in points; a longer one is cut.
const LONGEST_LABEL: f64 = 190.0;

/// The sign before a line of the legend.
pub(super) enum Sign {
    Filled(RGBColor),
    Textured(RGBColor, Texture),
    Star(RGBColor),
    Diamond(RGBColor),
    Whisker,
    Dashes,
    Hatching(RGBColor),
    /// A line with a mark, of the series of this number.
    Series(usize),
    /// A short text, such as the number of a device.
    Mark(String),
    /// No sign: text that explains the whole.
    None,
}

pub(super) struct LegendItem {
    pub(super) sign: Sign,
    pub(super) text: String,
}

impl LegendItem {
    pub(super) fn new(sign: Sign, text: impl Into<String>) -> Self {
        Self { sign, text: text.into() }
    }
}

/// The differences between the figures.
pub(super) struct Plan<'a> {
    pub(super) title: &'static str,
    pub(super) legend: Vec<LegendItem>,
    pub(super) width: Width,
    /// Most panels side by side on a page.
    pub(super) columns: usize,
    /// Height of the plot itself.
    pub(super) plot_height: f64,
    /// Room beside the plot on the right.
    pub(super) right: f64,
    /// Height of what is below the bars, if that is not the policies' names.
    pub(super) below: Option<f64>,
    /// A remark below the conditions of a panel.
    pub(super) remark: &'a dyn Fn(&Group<'_>) -> Option<String>,
    pub(super) panel: &'a dyn Fn(&Canvas<'_>, &Group<'_>, Area) -> Result<(), FigureError>,
}

const LEFT: f64 = 40.0;
pub(super) const RIGHT: f64 = 4.0;
const GAP: f64 = 10.0;
const MARGIN: f64 = 3.0;
const LEGEND_LINE: f64 = 11.0;
const HEAD_LINE: f64 = 10.0;
/// Between the head of a panel and its plot.
const BELOW_HEAD: f64 = 5.0;
/// Between bars and names of policies.
const ABOVE_LABELS: f64 = 4.0;

/// Columns for this many panels, and the width of the sheet.
fn layout(panels: usize, columns: usize, width: Width) -> (usize, f64) {
    match (width, panels, columns) {
        (Width::Column, ..) => (1, COLUMN),
        (Width::Page, 1, 3..) => (1, 270.0),
        (Width::Page, 1, _) => (1, 420.0),
        (Width::Page, 2 | 4, 2..) => (2, PAGE),
        (Width::Page, _, columns) => (columns, PAGE),
    }
}

/// Lines of a panel's head below its title.
fn head_lines(face: &Face<'_>, group: &Group<'_>, plan: &Plan<'_>, room: f64) -> Vec<String> {
    let mut lines = wrapped(face, &group.conditions(" · "), SUBTITLE, room);
    if let Some(remark) = (plan.remark)(group) {
        lines.extend(wrapped(face, &remark, SUBTITLE, room));
    }
    lines
}

/// No remark besides the conditions.
pub(super) fn no_remark(_: &Group<'_>) -> Option<String> {
    None
}

fn names<'g>(group: &'g Group<'_>) -> impl Iterator<Item = &'g str> {
    group.rows.iter().map(|row| row.name.as_str())
}

pub(super) fn draw<'g>(
    groups: impl IntoIterator<Item = &'g Group<'g>>,
    plan: &Plan<'_>,
) -> Result<String, FigureError> {
    let groups: Vec<&Group<'_>> = groups.into_iter().collect();
    let face = face()?;
    let (columns, width) = layout(groups.len(), plan.columns, plan.width);
    let rows = groups.len().div_ceil(columns);
    let column_width = (width - 2.0 * MARGIN + GAP) / columns as f64;
    let heads: Vec<_> = groups.iter().map(|group| head_lines(&face, group, plan, column_width - GAP)).collect();
    // Panels below one another with the same bars have the names once, below the last.
    let shared = plan.below.is_none() && groups.iter().all(|group| names(group).eq(names(groups[0])));
    let labels = groups.iter().flat_map(|group| names(group)).map(|name| text_width(&face, name, LABEL));
    let label_height = plan.below.unwrap_or_else(|| labels.fold(0.0, f64::max).min(LONGEST_LABEL) + ABOVE_LABELS + 3.0);
    let between = if shared { 3.0 } else { label_height };
    let lines = legend_lines(&face, &plan.legend, width - 2.0 * MARGIN);
    let legend_height = LEGEND_LINE * lines.len() as f64 + 5.0;
    let head = |row: usize| {
        let most = heads[row * columns..].iter().take(columns).map(Vec::len).max().unwrap_or(0);
        HEAD_LINE * (1 + most) as f64 + BELOW_HEAD
    };
    let tops: Vec<f64> = (0..=rows)
        .scan(MARGIN + legend_height, |next, row| {
            let top = *next;
            if row < rows {
                *next += head(row) + plan.plot_height + between + GAP;
            }
            Some(top)
        })
        .collect();
    let height = tops[rows] - GAP - between + label_height + MARGIN;
    svg(width, height.ceil(), plan.title, |canvas| {
        for (index, line) in lines.iter().enumerate() {
            legend_line(canvas, line, width / 2.0, MARGIN + LEGEND_LINE * (index as f64 + 0.5))?;
        }
        for (index, group) in groups.iter().enumerate() {
            let left = MARGIN + column_width * (index % columns) as f64;
            let right = left + column_width - GAP;
            let top = tops[index / columns] + head(index / columns);
            let plot = Area { left: left + LEFT, right: right - plan.right, top, bottom: top + plan.plot_height };
            titles(canvas, &group.common.workload, &heads[index], tops[index / columns], left, right)?;
            (plan.panel)(canvas, group, plot)?;
            if plan.below.is_none() && (!shared || index + columns >= groups.len()) {
                policies(canvas, group, &plot)?;
            }
        }
        Ok(())
    })
}

/// Draws the inside of a plot.
type Draw<'a> = dyn Fn(&Canvas<'_>, Area) -> Result<(), FigureError> + 'a;

/// A panel with numbers on both axes.
pub(super) struct Chart<'a> {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// The label of the axis below.
    pub(super) below: &'static str,
    pub(super) draw: Box<Draw<'a>>,
}

const CHART_HEIGHT: f64 = 100.0;
const BELOW: f64 = 22.0;

/// Charts below one legend, up to three side by side.
pub(super) fn charts(
    title: &str,
    legend: &[LegendItem],
    charts: &[Chart<'_>],
    width: Width,
) -> Result<String, FigureError> {
    let face = face()?;
    let (columns, width) = layout(charts.len(), 3, width);
    let rows = charts.len().div_ceil(columns);
    let column_width = (width - 2.0 * MARGIN + GAP) / columns as f64;
    let heads: Vec<_> =
        charts.iter().map(|chart| wrapped(&face, &chart.subtitle, SUBTITLE, column_width - GAP)).collect();
    let head = HEAD_LINE * (1 + heads.iter().map(Vec::len).max().unwrap_or(0)) as f64 + BELOW_HEAD;
    let lines = legend_lines(&face, legend, width - 2.0 * MARGIN);
    let legend_height = LEGEND_LINE * lines.len() as f64 + 5.0;
    let row_height = head + CHART_HEIGHT + BELOW + GAP;
    let height = legend_height + row_height * rows as f64 - GAP + 2.0 * MARGIN;
    svg(width, height.ceil(), title, |canvas| {
        for (index, line) in lines.iter().enumerate() {
            legend_line(canvas, line, width / 2.0, MARGIN + LEGEND_LINE * (index as f64 + 0.5))?;
        }
        for (index, chart) in charts.iter().enumerate() {
            let left = MARGIN + column_width * (index % columns) as f64;
            let right = left + column_width - GAP;
            let top = MARGIN + legend_height + row_height * (index / columns) as f64 + head;
            let plot = Area { left: left + LEFT, right: right - RIGHT, top, bottom: top + CHART_HEIGHT };
            titles(canvas, &chart.title, &heads[index], top - head, left, right)?;
            (chart.draw)(canvas, plot)?;
            let middle = (plot.left + plot.right) / 2.0;
            canvas.text((middle, plot.bottom + 18.0), Anchor::Middle, AXIS, INK, chart.below)?;
        }
        Ok(())
    })
}

/// A number on the axis below.
pub(super) fn number_below(canvas: &Canvas<'_>, plot: &Area, x: f64, text: &str) -> Result<(), FigureError> {
    canvas.line((x, plot.bottom), (x, plot.bottom + 2.0), 0.4, SOFT_INK)?;
    canvas.text((x, plot.bottom + 7.5), Anchor::Middle, TICK, SOFT_INK, text)
}

/// Colours that are distinct for any colour vision, from the darkest; marks distinguish the series too.
pub(super) fn series_color(number: usize) -> RGBColor {
    const COLORS: [RGBColor; 5] = [
        RGBColor(0x00, 0x72, 0xb2),
        RGBColor(0xd5, 0x5e, 0x00),
        RGBColor(0x00, 0x9e, 0x73),
        RGBColor(0xcc, 0x79, 0xa7),
        RGBColor(0x55, 0x55, 0x55),
    ];
    COLORS[number % COLORS.len()]
}

/// The mark of a series on its line.
pub(super) fn series_mark(canvas: &Canvas<'_>, (x, y): (f64, f64), number: usize) -> Result<(), FigureError> {
    let (r, color) = (2.0, series_color(number));
    let points: &[(f64, f64)] = match number % 4 {
        0 => &[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
        1 => &[(0.0, -1.15), (1.15, 0.0), (0.0, 1.15), (-1.15, 0.0)],
        2 => &[(0.0, -1.1), (1.1, 0.85), (-1.1, 0.85)],
        _ => &[(0.0, 1.1), (1.1, -0.85), (-1.1, -0.85)],
    };
    let points: Vec<_> = points.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
    canvas.polygon(&points, color)
}

/// A panel's title and the lines below it, from `top` on.
fn titles(
    canvas: &Canvas<'_>,
    name: &str,
    lines: &[String],
    top: f64,
    left: f64,
    right: f64,
) -> Result<(), FigureError> {
    let middle = (left + right) / 2.0;
    let name = fitted(canvas.face(), name, TITLE, right - left);
    let y = |line: usize| top + HEAD_LINE * (line as f64 + 0.5);
    canvas.text((middle, y(0)), Anchor::Middle, TITLE, INK, &name)?;
    for (line, text) in lines.iter().enumerate() {
        canvas.text((middle, y(line + 1)), Anchor::Middle, SUBTITLE, SOFT_INK, text)?;
    }
    Ok(())
}

fn policies(canvas: &Canvas<'_>, group: &Group<'_>, plot: &Area) -> Result<(), FigureError> {
    for (index, row) in group.rows.iter().enumerate() {
        let (start, end) = slot(plot, group.rows.len(), index);
        // With very many bars, smaller names are better than overlapping ones.
        let size = LABEL.min(0.95 * (end - start));
        let label = fitted(canvas.face(), &row.name, size, LONGEST_LABEL);
        canvas.upward(((start + end) / 2.0, plot.bottom + ABOVE_LABELS), Anchor::End, size, INK, &label)?;
    }
    Ok(())
}

/// Left and right end of the place of bar `index` of `count`.
pub(super) fn slot(plot: &Area, count: usize, index: usize) -> (f64, f64) {
    let width = plot.width() / count.max(1) as f64;
    (plot.left + width * index as f64, plot.left + width * (index + 1) as f64)
}

/// Height of `value` on an axis from 0 to `most`.
pub(super) fn height_of(plot: &Area, value: f64, most: f64) -> f64 {
    plot.bottom - plot.height() * (value / most).clamp(0.0, 1.0)
}

/// The grid, the axis on the left with its numbers, and the line below the bars.
pub(super) fn axes(canvas: &Canvas<'_>, plot: &Area, title: &str, most: f64) -> Result<(), FigureError> {
    let (ticks, texts) = ticks(most);
    for (tick, text) in ticks.iter().zip(&texts) {
        let y = height_of(plot, *tick, most);
        canvas.line((plot.left, y), (plot.right, y), 0.4, GRID)?;
        canvas.text((plot.left - 3.0, y), Anchor::End, TICK, SOFT_INK, text)?;
    }
    canvas.upward((plot.left - 35.0, (plot.top + plot.bottom) / 2.0), Anchor::Middle, AXIS, INK, title)
}

/// The largest value of an axis that leaves `free` points above `highest`.
pub(super) fn most_below(plot: &Area, highest: f64, free: f64) -> f64 {
    if highest > 0.0 { highest * plot.height() / (plot.height() - free) } else { 1.0 }
}

/// The line on which the bars stand, drawn over them.
pub(super) fn base_line(canvas: &Canvas<'_>, plot: &Area) -> Result<(), FigureError> {
    canvas.line((plot.left, plot.bottom), (plot.right, plot.bottom), 0.6, INK)
}

/// Round numbers from 0 to `most`, and their texts, all with the same number of decimals; powers of ten where that would be too
/// many digits for the place beside the axis.
pub(super) fn ticks(most: f64) -> (Vec<f64>, Vec<String>) {
    /// Larger numbers have no steps between them that can be told apart.
    const MOST: f64 = 1e300;
    let points: Vec<f64> = if most <= MOST { RangedCoordf64::from(0.0..most).key_points(7) } else { vec![0.0] };
    let exact = |decimals: usize| {
        points.iter().all(|tick| {
            let scaled = tick * 10f64.powi(decimals as i32);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
        })
    };
    if !(1e-3..1e6).contains(&most) {
        return (points.clone(), points.into_iter().map(power_of_ten).collect());
    }
    let decimals = (0..6).find(|&decimals| exact(decimals)).unwrap_or(6);
    let texts = points.iter().map(|tick| format!("{tick:.decimals$}")).collect();
    (points, texts)
}

/// A round number such as `2.5e10`, without zeros at the end of its first part.
fn power_of_ten(tick: f64) -> String {
    if tick == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{tick:.3e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
}

const SIGN: f64 = 9.0;
const BETWEEN: f64 = 11.0;

/// A line of the legend: its width, and its items with the width of each. A continued item has no sign.
type Line<'a> = (f64, Vec<(Option<&'a Sign>, String, f64)>);

fn legend_lines<'a>(face: &Face<'_>, items: &'a [LegendItem], width: f64) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        // Numbers of devices start a new line, as they read as a list of their own; so does explaining text.
        let mark = |item: &LegendItem| matches!(item.sign, Sign::Mark(_));
        let apart = index > 0 && (mark(item) && !mark(&items[index - 1]) || matches!(item.sign, Sign::None));
        let sign = if matches!(item.sign, Sign::None) { 0.0 } else { SIGN + 2.5 };
        let texts = wrapped(face, &item.text, LEGEND, width - sign);
        let one = texts.len() == 1;
        for (number, text) in texts.into_iter().enumerate() {
            let own = sign + text_width(face, &text, LEGEND);
            let entry = ((number == 0).then_some(&item.sign), text, own);
            match lines.last_mut() {
                Some((used, line)) if one && !apart && *used + BETWEEN + own <= width => {
                    *used += BETWEEN + own;
                    line.push(entry);
                }
                _ => lines.push((own, vec![entry])),
            }
        }
    }
    lines
}

fn legend_line(canvas: &Canvas<'_>, (width, items): &Line<'_>, middle: f64, y: f64) -> Result<(), FigureError> {
    let mut x = middle - width / 2.0;
    for (sign, text, own) in items {
        let area = Area { left: x + 0.5, right: x + SIGN - 0.5, top: y - 3.5, bottom: y + 3.5 };
        let centre = (x + SIGN / 2.0, y);
        match sign {
            Some(Sign::Filled(color)) => {
                canvas.rectangle(area, *color)?;
                canvas.outline(area, 0.3, SOFT_INK)?;
            }
            Some(Sign::Textured(color, texture)) => {
                canvas.textured(area, *color, *texture)?;
                canvas.outline(area, 0.3, SOFT_INK)?;
            }
            Some(Sign::Star(color)) => canvas.star(centre, 3.6, *color)?,
            Some(Sign::Diamond(color)) => canvas.diamond(centre, 2.6, *color)?,
            Some(Sign::Whisker) => whisker(canvas, centre.0, y - 3.6, y + 3.6, 2.0)?,
            Some(Sign::Dashes) => canvas.dashes(x, x + SIGN, y, 0.8, INK)?,
            Some(Sign::Hatching(color)) => canvas.hatching(area, *color)?,
            Some(Sign::Series(number)) => {
                canvas.line((x, y), (x + SIGN, y), 0.9, series_color(*number))?;
                series_mark(canvas, centre, *number)?;
            }
            Some(Sign::Mark(text)) => canvas.text((x + SIGN, y), Anchor::End, LEGEND, SOFT_INK, text)?,
            Some(Sign::None) | None => {}
        }
        let indent = if matches!(sign, Some(Sign::None)) { 0.0 } else { SIGN + 2.5 };
        // Lines of text without a sign are centred.
        let indent = indent.min(own - text_width(canvas.face(), text, LEGEND));
        canvas.text((x + indent, y), Anchor::Start, LEGEND, INK, text)?;
        x += own + BETWEEN;
    }
    Ok(())
}

/// A vertical line with a bar at each end.
pub(super) fn whisker(canvas: &Canvas<'_>, x: f64, top: f64, bottom: f64, half: f64) -> Result<(), FigureError> {
    canvas.line((x, top), (x, bottom), 0.6, INK)?;
    canvas.line((x - half, top), (x + half, top), 0.6, INK)?;
    canvas.line((x - half, bottom), (x + half, bottom), 0.6, INK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_end_for_any_number() {
        assert_eq!(ticks(1.0).1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(ticks(1.2e11).1, ["0", "2e10", "4e10", "6e10", "8e10", "1e11", "1.2e11"]);
        assert_eq!(ticks(5e-6).1, ["0", "1e-6", "2e-6", "3e-6", "4e-6", "5e-6"]);
        assert_eq!(ticks(999_000.0).1.last().unwrap(), "800000");
        for most in [f64::INFINITY, f64::NAN, f64::MAX] {
            assert_eq!(ticks(most).1, ["0"]);
        }
    }
}
