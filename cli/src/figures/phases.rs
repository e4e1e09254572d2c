//! Time by phase and device: a panel per workload, a group of bars per policy, each bar as long as the loop.
//!
//! Phases of different chunks overlap, so their sum may exceed the loop's time. A bar never does: its phases share the time in
//! which the device was at work, each by its length. Work that is in no phase, such as handing pieces to a driver, is neither a
//! phase nor a wait.

use super::canvas::{Anchor, Area, Canvas, SOFT_INK, Texture, text_width};
use super::sheet::{
    LegendItem, Plan, RIGHT, Sign, VALUE, axes, base_line, draw, height_of, most_below, no_remark, slot,
};
use super::{FigureError, Width, short_of};
use crate::grouping::{Group, time_unit};
use crate::record::{DeviceRun, PhasesMs, Run};
use plotters::style::{RGBColor, WHITE};

/// What a bar has: the phases, the work in none of them, and the wait.
const PARTS: usize = 8;

/// Copies warm, the kernel blue; waiting is nearly white, as it is no work.
pub(super) const COLORS: [RGBColor; PARTS] = [
    RGBColor(0xaa, 0xaa, 0xaa),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xf0, 0xe4, 0x42),
    RGBColor(0x22, 0x22, 0x22),
    RGBColor(0xc8, 0xc8, 0xc8),
    RGBColor(0xee, 0xee, 0xee),
];

/// Lines that distinguish phases whose colours have the same lightness.
pub(super) const TEXTURES: [Texture; PARTS] = [
    Texture::Plain,
    Texture::Up,
    Texture::Plain,
    Texture::Level,
    Texture::Down,
    Texture::Plain,
    Texture::Down,
    Texture::Plain,
];

const TEXTS: [&str; PARTS] =
    ["set-up", "copy to device", "kernel", "halo exchange", "copy from device", "clean-up", "in no phase", "waiting"];

/// Indices in all of these lists: time at work in no phase (where the wait is not known, all time in no phase), and time without
/// work.
const OTHER: usize = 6;
const WAIT: usize = 7;

/// With more bars than this a panel needs half of a page, and with more than the second number a whole page.
const MANY_BARS: [usize; 2] = [24, 60];

pub(super) fn sheet(groups: &[Group<'_>], devices: &[&str], width: Width) -> Result<String, FigureError> {
    let parts = || {
        let rows = groups.iter().flat_map(|group| &group.rows);
        rows.flat_map(|row| row.run.per_device.iter().map(move |part| Lengths::of(row.run, &part.phases_ms)))
    };
    let mut legend = Vec::new();
    for (index, text) in TEXTS.into_iter().enumerate() {
        if parts().any(|lengths| lengths.ms[index] > 0.0) {
            legend.push(LegendItem::new(Sign::Textured(COLORS[index], TEXTURES[index]), text));
        }
    }
    if devices.len() > 1 {
        let names: Vec<String> = devices.iter().map(|device| short_of(device)).collect();
        let text = format!("bars of a policy, from the left: {}", names.join(", "));
        legend.push(LegendItem::new(Sign::None, text));
    }
    if parts().any(|lengths| lengths.overlap) {
        let text = "phases that overlap are shortened in proportion: no bar is longer than its loop";
        legend.push(LegendItem::new(Sign::None, text));
    }
    if groups.iter().flat_map(|group| &group.rows).any(|row| row.run.imbalance.is_some()) {
        let text = "above the bars: imbalance, by which the busiest device is longer at work than all on the average";
        legend.push(LegendItem::new(Sign::None, text));
    }
    let bars = groups.iter().map(|group| group.rows.len() * group.devices.len()).max().unwrap_or(0);
    draw(
        groups,
        &Plan {
            title: "Time by phase and device",
            legend,
            width,
            columns: MANY_BARS.iter().fold(3, |columns, &many| columns - usize::from(bars > many)),
            plot_height: 100.0,
            right: RIGHT,
            below: None,
            remark: &no_remark,
            panel: &|canvas, group, plot| panel(canvas, group, plot),
        },
    )
}

/// Contents of a bar: milliseconds of each part, together as long as the loop.
struct Lengths {
    ms: [f64; PARTS],
    /// The phases together took longer than the device was at work.
    overlap: bool,
}

/// The time of the repetition from which the devices' parts are: the median, the lower of two.
fn elapsed_ms(run: &Run) -> Option<f64> {
    let mut sorted = run.times_ms.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

impl Lengths {
    fn of(run: &Run, phases: &PhasesMs) -> Self {
        let mut ms = [0.0; PARTS];
        let of_phases = &phases.values()[..OTHER];
        ms.iter_mut().zip(of_phases).for_each(|(ms, value)| *ms = value.unwrap_or(0.0).max(0.0));
        let work: f64 = ms[..OTHER].iter().sum();
        let wait = phases.wait.map(|wait| wait.max(0.0));
        // If no time is known, only the phases count.
        let elapsed = elapsed_ms(run).unwrap_or(work + wait.unwrap_or(0.0));
        let wait = wait.filter(|wait| *wait < elapsed);
        let at_work = elapsed - wait.unwrap_or(0.0);
        // A hundredth is within the clock's error, and no overlap.
        let overlap = work > 1.01 * at_work;
        let scale = if work > at_work { at_work / work } else { 1.0 };
        for value in &mut ms[..OTHER] {
            *value *= scale;
        }
        let other = (at_work - scale * work).max(0.0);
        // So is what would hardly be seen.
        let is_error = wait.is_some() && other < 0.01 * elapsed;
        (ms[OTHER], ms[WAIT]) = if is_error { (0.0, elapsed - scale * work) } else { (other, wait.unwrap_or(0.0)) };
        Self { ms, overlap }
    }
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area) -> Result<(), FigureError> {
    let of = |run: &Run, part: &DeviceRun| Lengths::of(run, &part.phases_ms).ms.iter().sum::<f64>();
    let runs = || group.rows.iter().map(|row| row.run);
    let longest = runs().flat_map(|run| run.per_device.iter().map(move |part| of(run, part))).fold(0.0, f64::max);
    let (unit, per_ms) = time_unit(longest);
    let percent = |imbalance: f64| format!("{:.0} %", 100.0 * imbalance);
    let texts: Vec<Option<String>> = runs().map(|run| run.imbalance.map(percent)).collect();
    let slot_width = plot.width() / group.rows.len().max(1) as f64;
    let widest = texts.iter().flatten().map(|text| text_width(canvas.face(), text, VALUE)).fold(0.0, f64::max);
    let level = widest < slot_width - 1.0;
    let most = most_below(&plot, longest * per_ms, if level { VALUE + 6.0 } else { widest + 6.0 });
    axes(canvas, &plot, &format!("time ({})", unit.replace("us", "µs")), most)?;
    let count = group.devices.len().max(1);
    for (index, row) in group.rows.iter().enumerate() {
        let (left, right) = slot(&plot, group.rows.len(), index);
        // Bars of one policy touch; policies are separated.
        let gap = (0.2 * (right - left)).max(0.45 * (right - left) / (count as f64 + 0.45));
        let width = ((right - left - gap) / count as f64).min(16.0);
        let start = (left + right - width * count as f64) / 2.0;
        let mut top = plot.bottom;
        for (place, device) in group.devices.iter().enumerate() {
            let x = start + width * place as f64;
            let bar = Area { left: x, right: x + width, top: plot.top, bottom: plot.bottom };
            // A device that took no part has no entry; if no device has one, nothing is known.
            match row.run.per_device.iter().find(|part| part.device == *device) {
                Some(part) if part.phases_ms.values().iter().all(Option::is_none) => unknown(canvas, &bar)?,
                Some(part) => {
                    let lengths = Lengths::of(row.run, &part.phases_ms);
                    top = top.min(stack(canvas, &plot, bar, &lengths.ms, per_ms, most)?);
                }
                None if row.run.per_device.is_empty() => unknown(canvas, &bar)?,
                None => {}
            }
        }
        let Some(text) = &texts[index] else { continue };
        let middle = (left + right) / 2.0;
        if level {
            canvas.text((middle, top - 5.5), Anchor::Middle, VALUE, SOFT_INK, text)?;
        } else {
            canvas.upward((middle, top - 3.0), Anchor::Start, VALUE, SOFT_INK, text)?;
        }
    }
    base_line(canvas, &plot)
}

/// Draws a bar and returns where it ends.
fn stack(
    canvas: &Canvas<'_>,
    plot: &Area,
    bar: Area,
    ms: &[f64; PARTS],
    per_ms: f64,
    most: f64,
) -> Result<f64, FigureError> {
    let mut below = 0.0;
    for (index, value) in ms.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let (from, to) = (below, below + value * per_ms);
        let part = Area { top: height_of(plot, to, most), bottom: height_of(plot, from, most), ..bar };
        // On a narrow strip the lines would hide the colour.
        let texture = if part.height() < 2.0 { Texture::Plain } else { TEXTURES[index] };
        canvas.textured(part, COLORS[index], texture)?;
        below = to;
    }
    let top = height_of(plot, below, most);
    let rim = if bar.width() > 4.0 { 0.35 } else { 0.2 };
    // Neighbours of the same colour need a line between them.
    canvas.line((bar.right, plot.bottom), (bar.right, top), rim, WHITE)?;
    canvas.outline(Area { top, ..bar }, 0.25, SOFT_INK)?;
    Ok(top)
}

fn unknown(canvas: &Canvas<'_>, bar: &Area) -> Result<(), FigureError> {
    canvas.text(((bar.left + bar.right) / 2.0, bar.bottom - 5.5), Anchor::Middle, VALUE, SOFT_INK, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bar of a device that copies while it computes, in a loop of this time.
    fn shown(times_ms: &[f64], wait: Option<f64>) -> Lengths {
        let text = serde_json::json!({
            "workload": "axpy", "n": 1, "element": "f32", "mode": "real", "residency": "cold", "policy": {"name": "BLOCK"},
            "cutoff": "none", "devices": [], "left_out": [], "verified": true, "max_rel_error": null, "times_ms": times_ms,
            "predicted_ms": null, "imbalance": null, "efficiency": null, "per_device": []
        });
        let run: Run = serde_json::from_value(text).unwrap();
        let phases = PhasesMs { to: Some(6.0), kernel: Some(0.5), from: Some(3.0), wait, ..PhasesMs::default() };
        Lengths::of(&run, &phases)
    }

    #[test]
    fn no_bar_is_longer_than_the_loop_and_what_overlaps_keeps_its_proportions() {
        for wait in [Some(0.6), Some(0.0), None, Some(6.0), Some(9.0)] {
            // The median, the lower of two.
            let lengths = shown(&[7.5, 6.8, 6.3, 7.9], wait);
            assert!((lengths.ms.iter().sum::<f64>() - 6.8).abs() < 1e-12, "{:?}", lengths.ms);
            assert!(lengths.overlap && (lengths.ms[1] / lengths.ms[4] - 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn phases_that_fit_are_as_long_as_they_were_and_work_in_none_of_them_is_no_wait() {
        let lengths = shown(&[12.0], Some(2.0));
        assert!(!lengths.overlap && lengths.ms[1] == 6.0);
        assert!((lengths.ms[OTHER] - 0.5).abs() < 1e-12 && (lengths.ms[WAIT] - 2.0).abs() < 1e-12, "{:?}", lengths.ms);
        // What is within the clock's error is not shown, and without a known wait nothing is said to be one.
        let lengths = shown(&[12.0], Some(2.45));
        assert!(lengths.ms[OTHER] == 0.0 && (lengths.ms[WAIT] - 2.5).abs() < 1e-12, "{:?}", lengths.ms);
        let lengths = shown(&[12.0], None);
        assert!(lengths.ms[WAIT] == 0.0 && (lengths.ms[OTHER] - 2.5).abs() < 1e-12, "{:?}", lengths.ms);
        assert_eq!(shown(&[], Some(1.0)).ms, [0.0, 6.0, 0.5, 0.0, 3.0, 0.0, 0.0, 1.0]);
    }
}
