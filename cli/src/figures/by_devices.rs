//! Each kind of device alone, and all together under the fastest policy and under AUTO: a panel per workload.

use super::canvas::{ALARM, Anchor, Area, Canvas, SOFT_INK, Texture, text_width, wrapped};
use super::sheet::{
    LABEL, LegendItem, Plan, RIGHT, Sign, VALUE, axes, base_line, draw, height_of, most_below, panels, slot, whisker,
};
use super::{FigureError, Width};
use crate::grouping::{Group, Row, three_digits, time_unit};
use crate::record::{Record, Run};
use crate::statistics::{Interval, SAMPLES_FOR_INTERVAL, summarise};
use plotters::style::{RGBColor, WHITE};

/// AUTO has its colour from the figure of policies; names below the bars and lines distinguish bars in grey print.
const ALONE: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
const BEST: RGBColor = RGBColor(0xb0, 0xb0, 0xb0);
const AUTO: RGBColor = RGBColor(0xcc, 0x79, 0xa7);

const BELOW: f64 = 24.0;
const ABOVE: f64 = 12.0;

/// One bar.
struct Bar {
    name: String,
    ms: f64,
    /// `None` if only the median is known.
    interval: Option<Interval>,
    /// Number of times of which `ms` is the median.
    samples: usize,
    color: RGBColor,
    texture: Texture,
    wrong: bool,
}

/// The sheets; none if no device ran alone.
pub(super) fn sheets(record: &Record, groups: &[Group<'_>], width: Width) -> Result<Vec<String>, FigureError> {
    let known = |group: &&Group<'_>| {
        let alone = group.devices.iter().filter(|device| group.alone_ms(device).is_some()).count();
        // A series over numbers of devices has its own figures.
        alone > 0 && group.devices.len() > 1 && group.common.scaling.is_none()
    };
    let pages: Vec<usize> = (0..groups.len()).filter(|&index| known(&&groups[index])).collect();
    let several = groups.iter().filter(known).flat_map(|group| kinds(record, group)).any(|(_, devices)| devices > 1);
    let mut sheets = Vec::new();
    for page in pages.chunks(panels(width)) {
        let page: Vec<&Group<'_>> = page.iter().map(|&index| &groups[index]).collect();
        sheets.push(sheet(record, &page, width, several)?);
    }
    Ok(sheets)
}

fn sheet(record: &Record, groups: &[&Group<'_>], width: Width, several: bool) -> Result<String, FigureError> {
    let bars: Vec<Bar> = groups.iter().flat_map(|group| bars(record, group)).collect();
    let mut legend = vec![LegendItem::new(Sign::Filled(ALONE), "a device alone")];
    if bars.iter().any(|bar| bar.color == BEST) {
        legend.push(LegendItem::new(Sign::Textured(BEST, Texture::Up), "all devices, the fastest policy"));
    }
    if bars.iter().any(|bar| bar.color == AUTO) {
        legend.push(LegendItem::new(Sign::Filled(AUTO), "all devices, AUTO"));
    }
    let repeated: Vec<&Bar> = bars.iter().filter(|bar| bar.interval.is_some() && bar.samples > 1).collect();
    let enough = repeated.iter().filter(|bar| bar.samples >= SAMPLES_FOR_INTERVAL).count();
    let whisker = match enough {
        _ if repeated.is_empty() => None,
        0 => Some("smallest to largest time"),
        enough if enough == repeated.len() => Some("95 % interval of the median"),
        _ => Some("95 % interval of the median; all times where they are fewer than 6"),
    };
    legend.extend(whisker.map(|text| LegendItem::new(Sign::Whisker, text)));
    if bars.iter().any(|bar| bar.wrong) {
        legend.push(LegendItem::new(Sign::Hatching(ALARM), "wrong result"));
    }
    if several {
        let text = "of several devices of a kind, the fastest one is shown alone";
        legend.push(LegendItem::new(Sign::None, text));
    }
    let plan = Plan {
        title: "Time by devices",
        legend,
        width,
        columns: 3,
        plot_height: 92.0,
        right: RIGHT,
        below: Some(BELOW),
        remark: &|group| {
            let best = best(group)?;
            Some(format!("fastest: {}", best.name))
        },
        panel: &|canvas, group, plot| panel(canvas, record, group, plot),
    };
    draw(groups.iter().copied(), &plan)
}

/// The label of a device below its bar, from its entry in the machine's description, else from its name.
fn kind(record: &Record, device: &str) -> String {
    let entries = record.machine.get("devices").and_then(|devices| devices.as_array());
    let entry = entries.into_iter().flatten().find(|entry| entry["name"] == device);
    let of_entry = entry.and_then(|entry| match (entry["kind"].as_str()?, entry["type"].as_str()?) {
        ("host", _) | (_, "HOSTCPU") => Some("CPU".to_owned()),
        ("cuda", _) => Some("GPU".to_owned()),
        ("opencl", "OCLCPU") => Some("OpenCL CPU".to_owned()),
        ("opencl", _) => Some("OpenCL GPU".to_owned()),
        (_, "NVGPU" | "AMDGPU" | "ITLGPU" | "OCLGPU") => Some("GPU".to_owned()),
        (_, other) => Some(other.to_owned()),
    });
    of_entry.unwrap_or_else(|| match device.split(':').next() {
        Some("host" | "cpu") => "CPU".to_owned(),
        Some("cuda" | "gpu") => "GPU".to_owned(),
        Some("opencl") => "OpenCL".to_owned(),
        other => other.unwrap_or(device).to_owned(),
    })
}

/// The kinds of a group's devices, with the number of each.
fn kinds(record: &Record, group: &Group<'_>) -> Vec<(String, usize)> {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for device in &group.devices {
        let kind = kind(record, device);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds
}

fn is_auto(run: &Run) -> bool {
    run.policy.name == "AUTO"
}

/// The fastest row.
fn best<'g, 'a>(group: &'g Group<'a>) -> Option<&'g Row<'a>> {
    let rows = group.rows.iter().filter(|row| row.run.verified != Some(false));
    let timed = rows.filter_map(|row| Some((row, row.summary?.median)));
    timed.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(row, _)| row)
}

fn bars(record: &Record, group: &Group<'_>) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (kind_name, count) in kinds(record, group) {
        let of_kind = group.devices.iter().filter(|device| kind(record, device) == kind_name);
        let timed = of_kind.filter_map(|device| Some((*device, group.alone_ms(device)?)));
        let Some((device, ms)) = timed.min_by(|(_, a), (_, b)| a.total_cmp(b)) else { continue };
        let summary = summarise(group.alone_times_ms(device));
        bars.push(Bar {
            name: if count > 1 { format!("1 {kind_name}") } else { kind_name },
            ms,
            interval: summary.map(|summary| summary.interval),
            samples: summary.map_or(0, |summary| summary.count),
            color: ALONE,
            texture: Texture::Plain,
            wrong: false,
        });
    }
    let auto = group.rows.iter().find(|row| is_auto(row.run));
    for (name, row, color, texture) in
        [("all, fastest", best(group), BEST, Texture::Up), ("all, AUTO", auto, AUTO, Texture::Plain)]
    {
        let Some(summary) = row.and_then(|row| row.summary) else { continue };
        bars.push(Bar {
            name: name.to_owned(),
            ms: summary.median,
            interval: Some(summary.interval),
            samples: summary.count,
            color,
            texture,
            wrong: row.is_some_and(|row| row.run.verified == Some(false)),
        });
    }
    bars
}

fn panel(canvas: &Canvas<'_>, record: &Record, group: &Group<'_>, plot: Area) -> Result<(), FigureError> {
    let bars = bars(record, group);
    let high = |bar: &Bar| bar.interval.map_or(bar.ms, |interval| interval.high.max(bar.ms));
    let slowest = bars.iter().map(high).fold(0.0, f64::max);
    let (unit, per_ms) = time_unit(slowest);
    let most = most_below(&plot, slowest * per_ms, ABOVE);
    axes(canvas, &plot, &format!("time ({})", unit.replace("us", "µs")), most)?;
    let height = |ms: f64| height_of(&plot, ms * per_ms, most);
    for (index, bar) in bars.iter().enumerate() {
        let (left, right) = slot(&plot, bars.len(), index);
        let (middle, half) = ((left + right) / 2.0, (0.36 * (right - left)).min(16.0));
        let area = Area { left: middle - half, right: middle + half, top: height(bar.ms), bottom: plot.bottom };
        if bar.wrong {
            canvas.hatching(area, ALARM)?;
        } else {
            canvas.textured(area, bar.color, bar.texture)?;
        }
        if let Some(interval) = bar.interval.filter(|_| bar.samples > 1) {
            let (low, high) = (height(interval.low), height(interval.high));
            // A shorter whisker would be a blot.
            if low - high > 0.8 {
                whisker(canvas, middle, high, low, half * 0.45)?;
            }
        }
        let text = three_digits(bar.ms * per_ms);
        let (top, wide) = (height(high(bar)), text_width(canvas.face(), &text, VALUE));
        let behind = Area { left: middle - wide / 2.0, right: middle + wide / 2.0, top: top - 8.4, bottom: top - 1.8 };
        canvas.rectangle(behind, WHITE)?;
        canvas.text((middle, top - 5.0), Anchor::Middle, VALUE, SOFT_INK, &text)?;
        // A word that is slightly too long is drawn smaller, not cut.
        let word = bar.name.split(' ').map(|word| text_width(canvas.face(), word, LABEL)).fold(0.0, f64::max);
        let size = (LABEL * (right - left - 0.5) / word).clamp(VALUE, LABEL);
        for (line, text) in wrapped(canvas.face(), &bar.name, size, right - left).iter().enumerate() {
            let y = plot.bottom + 8.0 + 9.0 * line as f64;
            canvas.text((middle, y), Anchor::Middle, size, SOFT_INK, text)?;
        }
    }
    base_line(canvas, &plot)
}
