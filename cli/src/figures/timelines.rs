//! Predicted timelines side by side: a panel per policy, a row per device, on one scale of time.

use super::canvas::{Anchor, Area, Canvas, GRID, INK, SOFT_INK, Texture, face, fitted, svg, text_width, wrapped};
use super::phases::{COLORS, TEXTURES};
use super::sheet::{COLUMN, PAGE, ticks};
use super::{FigureError, Width, short_of};
use crate::explained::{Chunk, DevicePart, ExplainRecord, LoopExplained, PolicyExplained, time};
use crate::grouping::time_unit;
use plotters::style::RGBColor;
use ttf_parser::Face;

const MARGIN: f64 = 4.0;
const LINE: f64 = 11.0;
const TITLE: f64 = 16.0;
const ROW: f64 = 12.0;
const FOOT: f64 = 14.0;
const GAP: f64 = 10.0;
const HEADLINE: f64 = 9.0;
const LABEL: f64 = 8.0;
/// Longest name of a device beside its row, in points; a longer one is cut.
const LONGEST: f64 = 70.0;
/// Colour of a device that has nothing to do, or takes no part.
const IDLE: RGBColor = RGBColor(0xee, 0xee, 0xee);

/// Colour and text of set-up, copy in, run, copy out.
const STAGES: [(usize, &str); 4] = [(0, "set-up"), (1, "copy to device"), (2, "kernel"), (4, "copy from device")];

/// The SVG text of the first loop's policies.
///
/// # Errors
///
/// [`FigureError::Empty`], [`FigureError::Draw`].
pub fn timelines(record: &ExplainRecord, width: Width) -> Result<String, FigureError> {
    let explained = record.loops.first().filter(|explained| !explained.policies.is_empty());
    let explained = explained.ok_or(FigureError::Empty)?;
    let devices = explained.policies[0].per_device.len();
    let columns = if explained.policies.len() > 1 && width == Width::Page { 2 } else { 1 };
    let sheet = if width == Width::Page { PAGE } else { COLUMN };
    let rows = explained.policies.len().div_ceil(columns);
    let panel = TITLE + ROW * devices as f64 + FOOT;
    let names = explained.policies[0].per_device.iter().map(|part| short_of(&part.device));
    let face = face()?;
    let lines = head(&face, record, explained, sheet);
    let legend = legend(&face, sheet - 2.0 * MARGIN);
    let above = LINE * (lines.len() + legend.len()) as f64 + 4.0;
    let height = 2.0 * MARGIN + above + (panel + GAP) * rows as f64 - GAP;
    let labels = names.map(|name| text_width(&face, &name, LABEL)).fold(0.0, f64::max).min(LONGEST) + 5.0;
    let longest = explained.policies.iter().map(|policy| policy.predicted_ms).fold(0.0, f64::max);
    svg(sheet, height.ceil(), "Predicted timelines", |canvas| {
        draw_head(canvas, &lines, &legend, sheet)?;
        let width = (sheet - 2.0 * MARGIN - GAP * (columns - 1) as f64) / columns as f64;
        for (index, policy) in explained.policies.iter().enumerate() {
            let left = MARGIN + (width + GAP) * (index % columns) as f64;
            let top = MARGIN + above + (panel + GAP) * (index / columns) as f64 + TITLE;
            let plot = Area { left: left + labels, right: left + width - 4.0, top, bottom: top + ROW * devices as f64 };
            let chosen = policy.policy == explained.auto.policy && explained.auto.left_out.is_empty();
            timeline(canvas, policy, plot, left, longest, chosen)?;
        }
        Ok(())
    })
}

/// The lines above all panels: what ran where, and AUTO's choice.
fn head(face: &Face<'_>, record: &ExplainRecord, explained: &LoopExplained, sheet: f64) -> Vec<(f64, String)> {
    let what = format!("{} · n = {} · on {}", explained.workload, explained.n, record.machine);
    let auto = format!("AUTO: {}", explained.auto.why);
    let of = |text: &str, size: f64| -> Vec<(f64, String)> {
        wrapped(face, text, size, sheet - 2.0 * MARGIN).into_iter().map(|line| (size, line)).collect()
    };
    [of(&what, HEADLINE), of(&auto, LABEL)].concat()
}

/// The stages, broken into lines that fit `width` points.
fn legend(face: &Face<'_>, width: f64) -> Vec<Vec<(usize, &'static str, f64)>> {
    let mut lines: Vec<Vec<(usize, &str, f64)>> = Vec::new();
    let mut used = f64::INFINITY;
    for (color, text) in STAGES {
        let own = 11.0 + text_width(face, text, LABEL);
        if used + GAP + own > width {
            lines.push(Vec::new());
            used = -GAP;
        }
        used += GAP + own;
        lines.last_mut().into_iter().for_each(|line| line.push((color, text, own)));
    }
    lines
}

fn draw_head(
    canvas: &Canvas<'_>,
    lines: &[(f64, String)],
    legend: &[Vec<(usize, &str, f64)>],
    sheet: f64,
) -> Result<(), FigureError> {
    let mut y = MARGIN + LINE / 2.0;
    for (size, line) in lines {
        let color = if *size > LABEL { INK } else { SOFT_INK };
        canvas.text((sheet / 2.0, y), Anchor::Middle, *size, color, line)?;
        y += LINE;
    }
    for line in legend {
        let width = line.iter().map(|(.., own)| own + GAP).sum::<f64>() - GAP;
        let mut x = (sheet - width) / 2.0;
        for (color, text, own) in line {
            let sign = Area { left: x, right: x + 8.0, top: y - 3.5, bottom: y + 3.5 };
            canvas.textured(sign, COLORS[*color], TEXTURES[*color])?;
            canvas.text((x + 11.0, y), Anchor::Start, LABEL, INK, text)?;
            x += own + GAP;
        }
        y += LINE;
    }
    Ok(())
}

fn timeline(
    canvas: &Canvas<'_>,
    policy: &PolicyExplained,
    plot: Area,
    left: f64,
    longest: f64,
    chosen: bool,
) -> Result<(), FigureError> {
    let (unit, per_ms) = time_unit(longest);
    let most = if longest > 0.0 { longest * per_ms } else { 1.0 };
    let at = |ms: f64| plot.left + plot.width() * (ms * per_ms / most).clamp(0.0, 1.0);
    let mark = if chosen { "  (AUTO)" } else { "" };
    let title = format!("{}   {}{mark}", policy.policy, time(policy.predicted_ms).replace(" us", " µs"));
    let title = fitted(canvas.face(), &title, LABEL, plot.right - left);
    canvas.text((left, plot.top - 7.0), Anchor::Start, LABEL, INK, &title)?;
    let (steps, texts) = ticks(most);
    for (place, (step, text)) in steps.iter().zip(&texts).enumerate() {
        let x = plot.left + plot.width() * step / most;
        canvas.line((x, plot.top), (x, plot.bottom), 0.4, GRID)?;
        let unit = if place == 0 { format!(" {}", unit.replace("us", "µs")) } else { String::new() };
        canvas.text((x, plot.bottom + 7.0), Anchor::Middle, LABEL, SOFT_INK, &format!("{text}{unit}"))?;
    }
    for (row, part) in policy.per_device.iter().enumerate() {
        let top = plot.top + ROW * row as f64;
        let middle = top + ROW / 2.0;
        let color = if part.iterations > 0 { INK } else { SOFT_INK };
        let name = fitted(canvas.face(), &short_of(&part.device), LABEL, plot.left - left - 4.0);
        canvas.text((plot.left - 3.0, middle), Anchor::End, LABEL, color, &name)?;
        if part.iterations == 0 {
            let out = policy.left_out.iter().any(|out| out.device == part.device);
            let text = if out { "left out" } else { "nothing" };
            // Not across the line that marks the policy's end.
            let end = at(policy.predicted_ms);
            let x = if end - plot.left < 40.0 { end } else { plot.left };
            canvas.text((x + 3.0, middle), Anchor::Start, LABEL, SOFT_INK, text)?;
            continue;
        }
        let lane = Area { left: plot.left, right: at(policy.predicted_ms), top: top + 1.2, bottom: top + ROW - 1.2 };
        canvas.rectangle(lane, IDLE)?;
        device(canvas, part, lane, &at)?;
    }
    // The line that marks the policy's end.
    let end = at(policy.predicted_ms);
    canvas.line((end, plot.top), (end, plot.bottom), 0.6, INK)
}

/// The three stages, one below the other, as they overlap.
fn device(canvas: &Canvas<'_>, part: &DevicePart, lane: Area, at: &dyn Fn(f64) -> f64) -> Result<(), FigureError> {
    let copies = |chunk: &Chunk| chunk.to[1] > chunk.to[0] || chunk.from[1] > chunk.from[0];
    let lanes = if part.timeline.iter().any(copies) { 3.0 } else { 1.0 };
    let height = lane.height() / lanes;
    for chunk in &part.timeline {
        let set_up = [chunk.start_ms, chunk.to[0].max(chunk.start_ms)];
        for (stage, ((color, _), [begin, end])) in
            STAGES.into_iter().zip([set_up, chunk.to, chunk.kernel, chunk.from]).enumerate()
        {
            if end <= begin {
                continue;
            }
            let (top, bottom) = match stage {
                _ if lanes < 2.0 => (lane.top, lane.bottom),
                0 => (lane.top, lane.bottom),
                stage => (lane.top + height * (stage - 1) as f64, lane.top + height * stage as f64),
            };
            let (left, right) = (at(begin), at(end));
            let texture = if bottom - top > 4.0 { TEXTURES[color] } else { Texture::Plain };
            canvas.textured(Area { left, right, top, bottom }, COLORS[color], texture)?;
            // Neighbours of the same colour need a line between them.
            if right - left > 1.5 {
                canvas.line((right, top), (right, bottom), 0.25, IDLE)?;
            }
        }
    }
    Ok(())
}
