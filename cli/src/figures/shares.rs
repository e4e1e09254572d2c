//! Share of the iterations by device: a panel per workload, a bar of 100 % per policy.

use super::FigureError;
use super::canvas::{Anchor, Area, Canvas, SOFT_INK, Texture, ink_on, text_width};
use super::sheet::{LABEL, LegendItem, Plan, RIGHT, Sign, VALUE, axes, base_line, draw, height_of, no_remark, slot};
use super::{Width, device_color, short_of};
use crate::grouping::Group;
use plotters::style::WHITE;

/// With more bars than this a panel needs half the width of the sheet.
const MANY_BARS: usize = 11;

pub(super) fn sheet(groups: &[Group<'_>], devices: &[&str], width: Width) -> Result<String, FigureError> {
    let item = |(index, device): (usize, &&str)| {
        LegendItem::new(Sign::Textured(device_color(index), texture(index)), short_of(device))
    };
    draw(
        groups,
        &Plan {
            title: "Share of the iterations by device",
            legend: devices.iter().enumerate().map(item).collect(),
            width,
            columns: if groups.iter().any(|group| group.rows.len() > MANY_BARS) { 2 } else { 3 },
            plot_height: 90.0,
            right: RIGHT,
            below: None,
            remark: &no_remark,
            panel: &|canvas, group, plot| panel(canvas, group, plot, devices),
        },
    )
}

/// Lines that distinguish devices in grey print.
fn texture(number: usize) -> Texture {
    [Texture::Plain, Texture::Up, Texture::Plain, Texture::Down, Texture::Level][number % 5]
}

fn panel(canvas: &Canvas<'_>, group: &Group<'_>, plot: Area, devices: &[&str]) -> Result<(), FigureError> {
    axes(canvas, &plot, "iterations (%)", 100.0)?;
    for (index, row) in group.rows.iter().enumerate() {
        let (left, right) = slot(&plot, group.rows.len(), index);
        let (middle, half) = ((left + right) / 2.0, (0.4 * (right - left)).min(18.0));
        // As numbers without a limit: a record may say anything.
        let total: f64 = row.run.per_device.iter().map(|part| part.iterations as f64).sum();
        if total <= 0.0 {
            canvas.upward((middle, plot.bottom - 3.0), Anchor::Start, LABEL, SOFT_INK, "unknown")?;
            continue;
        }
        let mut below = 0.0;
        for (number, device) in devices.iter().enumerate() {
            let parts = row.run.per_device.iter().filter(|part| part.device == *device);
            let share = 100.0 * parts.map(|part| part.iterations as f64).sum::<f64>() / total;
            if share <= 0.0 {
                continue;
            }
            let (bottom, top) = (height_of(&plot, below, 100.0), height_of(&plot, below + share, 100.0));
            let color = device_color(number);
            canvas.textured(Area { left: middle - half, right: middle + half, top, bottom }, color, texture(number))?;
            if below > 0.0 {
                canvas.line((middle - half, bottom), (middle + half, bottom), 0.4, WHITE)?;
            }
            let text = format!("{share:.0}");
            let wide = text_width(canvas.face(), &text, VALUE);
            if bottom - top >= VALUE + 0.6 && wide < 2.0 * half - 0.4 {
                // Lines of the texture would cross the digits.
                let y = (top + bottom) / 2.0;
                let behind =
                    Area { left: middle - wide / 2.0, right: middle + wide / 2.0, top: y - 3.2, bottom: y + 3.2 };
                canvas.rectangle(behind, color)?;
                canvas.text((middle, (top + bottom) / 2.0), Anchor::Middle, VALUE, ink_on(color), &text)?;
            }
            below += share;
        }
    }
    base_line(canvas, &plot)
}
