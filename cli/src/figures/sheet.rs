//! A sheet of panels: where each stands, its title and axes, and one legend above all.

use super::FigureError;
use super::canvas::{Anchor, Area, Canvas, GRID, INK, SOFT_INK, face, fitted, svg, text_width};
use crate::grouping::{Group, Standing};
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::style::RGBColor;

/// Width of a figure over two columns of a paper, in points.
const FULL_WIDTH: f64 = 516.0;

/// Panels on a sheet; more go to a further sheet.
pub(super) const PANELS: usize = 12;

const TITLE: f64 = 7.8;
const SUBTITLE: f64 = 6.3;
const TICK: f64 = 6.0;
const AXIS: f64 = 6.5;
pub(super) const LABEL: f64 = 6.3;
const LEGEND: f64 = 6.6;

/// Longest name of a policy below a bar; a longer one is cut.
const LONGEST_LABEL: f64 = 78.0;

/// What stands before a line of the legend.
pub(super) enum Sign {
    Filled(RGBColor),
    Star(RGBColor),
    Diamond(RGBColor),
    Whisker,
    Dashes,
    Hatching(RGBColor),
    /// A line with a mark, of the series of this number.
    Series(usize),
    /// A short text, such as the number of a device.
    Mark(String),
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

/// What differs between the figures.
pub(super) struct Plan<'a> {
    pub(super) title: &'static str,
    pub(super) legend: Vec<LegendItem>,
    /// Bars of a panel are too many for three panels side by side.
    pub(super) wide: bool,
    /// Height of the plot itself.
    pub(super) plot_height: f64,
    /// Room between a bar and its policy's name.
    pub(super) above_labels: f64,
    /// Room for a second axis on the right.
    pub(super) second_axis: bool,
    pub(super) panel: &'a dyn Fn(&Canvas<'_>, &Group<'_>, Area) -> Result<(), FigureError>,
}

const LEFT: f64 = 31.0;
const RIGHT: f64 = 4.0;
const RIGHT_AXIS: f64 = 27.0;
const HEAD: f64 = 25.0;
const GAP: f64 = 9.0;
const MARGIN: f64 = 3.0;
const LEGEND_LINE: f64 = 10.5;

pub(super) fn draw(groups: &[Group<'_>], plan: &Plan<'_>) -> Result<String, FigureError> {
    let face = face()?;
    let (columns, width) = match (groups.len(), plan.wide) {
        (1, false) => (1, 252.0),
        (1, true) => (1, 420.0),
        (2 | 4, false) => (2, 400.0),
        (_, false) => (3, FULL_WIDTH),
        (_, true) => (2, FULL_WIDTH),
    };
    let rows = groups.len().div_ceil(columns);
    let labels = groups.iter().flat_map(|group| &group.rows).map(|row| text_width(&face, &row.label, LABEL));
    let label_height = labels.fold(0.0, f64::max).min(LONGEST_LABEL) + plan.above_labels + 3.0;
    let lines = legend_lines(&plan.legend, width - 2.0 * MARGIN, |text| text_width(&face, text, LEGEND));
    let legend_height = LEGEND_LINE * lines.len() as f64 + 4.0;
    let row_height = HEAD + plan.plot_height + label_height + GAP;
    let height = legend_height + row_height * rows as f64 - GAP + 2.0 * MARGIN;
    svg(width, height.ceil(), plan.title, |canvas| {
        for (index, line) in lines.iter().enumerate() {
            legend_line(canvas, line, width / 2.0, MARGIN + LEGEND_LINE * (index as f64 + 0.5))?;
        }
        let column_width = (width - 2.0 * MARGIN + GAP) / columns as f64;
        for (index, group) in groups.iter().enumerate() {
            let left = MARGIN + column_width * (index % columns) as f64;
            let top = MARGIN + legend_height + row_height * (index / columns) as f64;
            let plot = Area {
                left: left + LEFT,
                right: left + column_width - GAP - if plan.second_axis { RIGHT_AXIS } else { RIGHT },
                top: top + HEAD,
                bottom: top + HEAD + plan.plot_height,
            };
            titles(canvas, group, &plot, left, left + column_width - GAP)?;
            (plan.panel)(canvas, group, plot)?;
            policies(canvas, group, &plot, plan.above_labels)?;
        }
        Ok(())
    })
}

/// Draws what is inside of a plot.
type Draw<'a> = dyn Fn(&Canvas<'_>, Area) -> Result<(), FigureError> + 'a;

/// A panel with numbers on both axes.
pub(super) struct Chart<'a> {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// What is on the axis below.
    pub(super) below: &'static str,
    pub(super) draw: Box<Draw<'a>>,
}

const CHART_HEIGHT: f64 = 92.0;
const BELOW: f64 = 20.0;

/// Charts below one legend, up to three side by side.
pub(super) fn charts(title: &str, legend: &[LegendItem], charts: &[Chart<'_>]) -> Result<String, FigureError> {
    let face = face()?;
    let (columns, width) = match charts.len() {
        1 => (1, 252.0),
        2 | 4 => (2, 400.0),
        _ => (3, FULL_WIDTH),
    };
    let rows = charts.len().div_ceil(columns);
    let lines = legend_lines(legend, width - 2.0 * MARGIN, |text| text_width(&face, text, LEGEND));
    let legend_height = LEGEND_LINE * lines.len() as f64 + 4.0;
    let row_height = HEAD + CHART_HEIGHT + BELOW + GAP;
    let height = legend_height + row_height * rows as f64 - GAP + 2.0 * MARGIN;
    svg(width, height.ceil(), title, |canvas| {
        for (index, line) in lines.iter().enumerate() {
            legend_line(canvas, line, width / 2.0, MARGIN + LEGEND_LINE * (index as f64 + 0.5))?;
        }
        let column_width = (width - 2.0 * MARGIN + GAP) / columns as f64;
        for (index, chart) in charts.iter().enumerate() {
            let left = MARGIN + column_width * (index % columns) as f64;
            let right = left + column_width - GAP;
            let top = MARGIN + legend_height + row_height * (index / columns) as f64 + HEAD;
            let plot = Area { left: left + LEFT, right: right - RIGHT, top, bottom: top + CHART_HEIGHT };
            two_titles(canvas, (&chart.title, &chart.subtitle), &plot, left, right)?;
            (chart.draw)(canvas, plot)?;
            let middle = (plot.left + plot.right) / 2.0;
            canvas.text((middle, plot.bottom + 16.0), Anchor::Middle, AXIS, INK, chart.below)?;
        }
        Ok(())
    })
}

/// A number on the axis below.
pub(super) fn number_below(canvas: &Canvas<'_>, plot: &Area, x: f64, text: &str) -> Result<(), FigureError> {
    canvas.line((x, plot.bottom), (x, plot.bottom + 2.0), 0.4, SOFT_INK)?;
    canvas.text((x, plot.bottom + 6.5), Anchor::Middle, TICK, SOFT_INK, text)
}

/// Colours that any colour vision tells apart, from the darkest; marks tell the series apart besides.
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

fn titles(canvas: &Canvas<'_>, group: &Group<'_>, plot: &Area, left: f64, right: f64) -> Result<(), FigureError> {
    two_titles(canvas, (&group.common.workload, &group.conditions(" · ")), plot, left, right)
}

fn two_titles(
    canvas: &Canvas<'_>,
    (name, conditions): (&str, &str),
    plot: &Area,
    left: f64,
    right: f64,
) -> Result<(), FigureError> {
    let middle = (plot.left + plot.right) / 2.0;
    let room = 2.0 * (middle - left).min(right - middle);
    let name = fitted(canvas.face(), name, TITLE, room);
    canvas.text((middle, plot.top - 18.5), Anchor::Middle, TITLE, INK, &name)?;
    let conditions = fitted(canvas.face(), conditions, SUBTITLE, room);
    canvas.text((middle, plot.top - 9.5), Anchor::Middle, SUBTITLE, SOFT_INK, &conditions)
}

fn policies(canvas: &Canvas<'_>, group: &Group<'_>, plot: &Area, above: f64) -> Result<(), FigureError> {
    for (index, row) in group.rows.iter().enumerate() {
        let (start, end) = slot(plot, group.rows.len(), index);
        let label = fitted(canvas.face(), &row.label, LABEL, LONGEST_LABEL);
        let color = if group.standing(index) == Standing::Fastest { INK } else { SOFT_INK };
        canvas.upward(((start + end) / 2.0, plot.bottom + above), Anchor::End, LABEL, color, &label)?;
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
    canvas.upward((plot.left - 27.0, (plot.top + plot.bottom) / 2.0), Anchor::Middle, AXIS, INK, title)
}

/// The axis on the right, without a grid.
pub(super) fn second_axis(canvas: &Canvas<'_>, plot: &Area, title: &str, most: f64) -> Result<(), FigureError> {
    let (ticks, texts) = ticks(most);
    for (tick, text) in ticks.iter().zip(&texts) {
        let y = height_of(plot, *tick, most);
        canvas.line((plot.right, y), (plot.right + 2.0, y), 0.4, SOFT_INK)?;
        canvas.text((plot.right + 3.5, y), Anchor::Start, TICK, SOFT_INK, text)?;
    }
    canvas.line((plot.right, plot.top), (plot.right, plot.bottom), 0.4, SOFT_INK)?;
    canvas.upward((plot.right + 22.5, (plot.top + plot.bottom) / 2.0), Anchor::Middle, AXIS, INK, title)
}

/// The line on which the bars stand, drawn over them.
pub(super) fn base_line(canvas: &Canvas<'_>, plot: &Area) -> Result<(), FigureError> {
    canvas.line((plot.left, plot.bottom), (plot.right, plot.bottom), 0.6, INK)
}

/// Round numbers from 0 to `most`, and their texts, all with the same number of decimals.
pub(super) fn ticks(most: f64) -> (Vec<f64>, Vec<String>) {
    let points: Vec<f64> = RangedCoordf64::from(0.0..most).key_points(7);
    let exact = |decimals: usize| {
        points.iter().all(|tick| {
            let scaled = tick * 10f64.powi(decimals as i32);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
        })
    };
    let decimals = (0..6).find(|&decimals| exact(decimals)).unwrap_or(6);
    let texts = points.iter().map(|tick| format!("{tick:.decimals$}")).collect();
    (points, texts)
}

const SIGN: f64 = 9.0;
const BETWEEN: f64 = 11.0;

/// Items of the legend, broken into lines; with the width of each line and of each item.
type Line<'a> = (f64, Vec<(&'a LegendItem, f64)>);

fn legend_lines<'a>(items: &'a [LegendItem], width: f64, measure: impl Fn(&str) -> f64) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let own = SIGN + 2.5 + measure(&item.text);
        // Numbers of devices start a line: they read as a list of their own.
        let mark = |item: &LegendItem| matches!(item.sign, Sign::Mark(_));
        let apart = index > 0 && mark(item) && !mark(&items[index - 1]);
        match lines.last_mut() {
            Some((used, line)) if !apart && *used + BETWEEN + own <= width => {
                *used += BETWEEN + own;
                line.push((item, own));
            }
            _ => lines.push((own, vec![(item, own)])),
        }
    }
    lines
}

fn legend_line(canvas: &Canvas<'_>, (width, items): &Line<'_>, middle: f64, y: f64) -> Result<(), FigureError> {
    let mut x = middle - width / 2.0;
    for (item, own) in items {
        let area = Area { left: x + 1.0, right: x + SIGN - 1.0, top: y - 3.0, bottom: y + 3.0 };
        let centre = (x + SIGN / 2.0, y);
        match &item.sign {
            Sign::Filled(color) => {
                canvas.rectangle(area, *color)?;
                canvas.outline(area, 0.3, SOFT_INK)?;
            }
            Sign::Star(color) => canvas.star(centre, 3.6, *color)?,
            Sign::Diamond(color) => canvas.diamond(centre, 2.6, *color)?,
            Sign::Whisker => whisker(canvas, centre.0, y - 3.6, y + 3.6, 2.0)?,
            Sign::Dashes => canvas.dashes(x, x + SIGN, y, 0.8, INK)?,
            Sign::Hatching(color) => canvas.hatching(area, *color)?,
            Sign::Series(number) => {
                canvas.line((x, y), (x + SIGN, y), 0.9, series_color(*number))?;
                series_mark(canvas, centre, *number)?;
            }
            Sign::Mark(text) => canvas.text((x + SIGN - 1.0, y), Anchor::End, LEGEND, SOFT_INK, text)?,
        }
        canvas.text((x + SIGN + 2.5, y), Anchor::Start, LEGEND, INK, &item.text)?;
        x += own + BETWEEN;
    }
    Ok(())
}

/// An upright line with a bar at each end.
pub(super) fn whisker(canvas: &Canvas<'_>, x: f64, top: f64, bottom: f64, half: f64) -> Result<(), FigureError> {
    canvas.line((x, top), (x, bottom), 0.6, INK)?;
    canvas.line((x - half, top), (x + half, top), 0.6, INK)?;
    canvas.line((x - half, bottom), (x + half, bottom), 0.6, INK)
}
