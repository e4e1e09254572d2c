//! Time by phase and device, with the imbalance: a panel per workload, a group of bars per policy.

use super::FigureError;
use super::canvas::{Anchor, Area, Canvas, INK, SOFT_INK};
use super::sheet::{LegendItem, Plan, Sign, axes, base_line, draw, height_of, second_axis, slot};
use super::{device_mark, short_of};
use crate::grouping::{Group, time_unit};
use crate::record::{DeviceRun, PhasesMs};
use plotters::style::{RGBColor, WHITE};

/// Copies warm, the kernel blue, waiting nearly white: what is no work is hardly there.
pub(super) const COLORS: [RGBColor; 7] = [
    RGBColor(0x99, 0x99, 0x99),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xf0, 0xe4, 0x42),
    RGBColor(0x44, 0x44, 0x44),
    RGBColor(0xe6, 0xe6, 0xe6),
];

const TEXTS: [&str; 7] =
    ["set-up", "copy to device", "kernel", "halo exchange", "copy from device", "clean-up", "not at work"];

/// Bars of a panel beyond which it needs half the width of the sheet.
const MANY_BARS: usize = 34;

/// Width of a bar below which the number of its device does not fit.
const NARROW: f64 = 2.6;

pub(super) fn sheet(groups: &[Group<'_>], devices: &[&str]) -> Result<String, FigureError> {
    let parts = || groups.iter().flat_map(|group| &group.rows).flat_map(|row| &row.run.per_device);
    let mut legend = Vec::new();
    for (index, text) in TEXTS.into_iter().enumerate() {
        if parts().any(|part| part.phases_ms.values()[index].is_some_and(|time| time > 0.0)) {
            legend.push(LegendItem::new(Sign::Filled(COLORS[index]), text));
        }
    }
    if groups.iter().flat_map(|group| &group.rows).any(|row| row.run.imbalance.is_some()) {
        legend.push(LegendItem::new(Sign::Diamond(INK), "imbalance"));
    }
    for (index, device) in devices.iter().enumerate() {
        legend.push(LegendItem::new(Sign::Mark(device_mark(index)), short_of(device)));
    }
    let bars = groups.iter().map(|group| group.rows.len() * group.devices.len()).max().unwrap_or(0);
    draw(
        groups,
        &Plan {
            title: "Time by phase and device",
            legend,
            wide: bars > MANY_BARS,
            plot_height: 88.0,
            above_labels: 11.0,
            second_axis: true,
            panel: &|canvas, group, plot| panel(canvas, group, plot, devices),
        },
    )
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area, devices: &[&str]) -> Result<(), FigureError> {
    let sum = |part: &DeviceRun| part.phases_ms.values().into_iter().flatten().sum::<f64>();
    let longest = group.rows.iter().flat_map(|row| &row.run.per_device).map(sum).fold(0.0, f64::max);
    let (unit, per_ms) = time_unit(longest);
    let most = if longest > 0.0 { 1.1 * longest * per_ms } else { 1.0 };
    axes(canvas, &plot, &format!("time ({})", unit.replace("us", "µs")), most)?;
    let unevenness = || group.rows.iter().filter_map(|row| row.run.imbalance);
    let most_uneven = (115.0 * unevenness().fold(0.0, f64::max)).max(10.0);
    let count = group.devices.len().max(1);
    for (index, row) in group.rows.iter().enumerate() {
        let (left, right) = slot(&plot, group.rows.len(), index);
        // Bars of one policy touch, policies stand apart.
        let gap = (0.2 * (right - left)).max(0.45 * (right - left) / (count as f64 + 0.45));
        let width = ((right - left - gap) / count as f64).min(16.0);
        let start = (left + right - width * count as f64) / 2.0;
        for (place, device) in group.devices.iter().enumerate() {
            let x = start + width * place as f64;
            let number = devices.iter().position(|known| known == device).unwrap_or(place);
            if width >= NARROW {
                let mark = device_mark(number);
                let size = (1.5 * width / mark.len() as f64).min(5.4);
                canvas.text((x + width / 2.0, plot.bottom + 5.3), Anchor::Middle, size, SOFT_INK, &mark)?;
            }
            let bar = Area { left: x, right: x + width, top: plot.top, bottom: plot.bottom };
            // A device that took no part has no entry; where there are none at all, nothing is known.
            let part = row.run.per_device.iter().find(|part| part.device == *device);
            match part.map(|part| &part.phases_ms) {
                Some(phases) => stack(canvas, &plot, bar, phases, per_ms, most)?,
                None if row.run.per_device.is_empty() => unknown(canvas, &bar)?,
                None => {}
            }
        }
    }
    base_line(canvas, &plot)?;
    if unevenness().next().is_some() {
        second_axis(canvas, &plot, "imbalance (%)", most_uneven)?;
        for (index, row) in group.rows.iter().enumerate() {
            let Some(imbalance) = row.run.imbalance else { continue };
            let (left, right) = slot(&plot, group.rows.len(), index);
            canvas.diamond(((left + right) / 2.0, height_of(&plot, 100.0 * imbalance, most_uneven)), 2.1, INK)?;
        }
    }
    Ok(())
}

fn stack(
    canvas: &Canvas<'_>,
    plot: &Area,
    bar: Area,
    phases: &PhasesMs,
    per_ms: f64,
    most: f64,
) -> Result<(), FigureError> {
    let values = phases.values();
    if values.iter().all(Option::is_none) {
        return unknown(canvas, &bar);
    }
    let mut below = 0.0;
    for (value, color) in values.into_iter().zip(COLORS) {
        let Some(value) = value.filter(|value| *value > 0.0) else { continue };
        let (from, to) = (below, below + value * per_ms);
        let (bottom, top) = (height_of(plot, from, most), height_of(plot, to, most));
        canvas.rectangle(Area { top, bottom, ..bar }, color)?;
        below = to;
    }
    let rim = if bar.width() > 4.0 { 0.35 } else { 0.2 };
    // Between neighbours of the same colour a line must show.
    canvas.line((bar.right, plot.bottom), (bar.right, height_of(plot, below, most)), rim, WHITE)
}

fn unknown(canvas: &Canvas<'_>, bar: &Area) -> Result<(), FigureError> {
    canvas.text(((bar.left + bar.right) / 2.0, bar.bottom - 4.5), Anchor::Middle, 5.6, SOFT_INK, "?")
}
