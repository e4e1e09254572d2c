//! Applications over numbers of devices: speedup, weak scaling, and the share of a sweep that the exchange of ghost cells takes.
//! A panel per application, a line per split.

use super::canvas::{ALARM, Area, Canvas, INK, SOFT_INK};
use super::sheet::{
    Chart, LegendItem, Sign, axes, base_line, charts, height_of, number_below, panels, series_color, series_mark,
    whisker,
};
use super::{FigureError, Width};
use crate::grouping::{conditions_of, policy_label};
use crate::record::{Record, Run, ScalingKind, TimeLine};
use crate::statistics::{SAMPLES_FOR_INTERVAL, Summary, summarise};

/// Runs that differ only in the number of devices and the policy.
struct Series<'a> {
    /// `None` for runs on all devices only.
    kind: Option<ScalingKind>,
    runs: Vec<&'a Run>,
}

/// Names of all policies of these runs, in order of first appearance: their numbers are their colours.
fn policies<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<String> {
    let mut policies: Vec<String> = Vec::new();
    for run in runs {
        let label = policy_label(&run.policy);
        if !policies.contains(&label) {
            policies.push(label);
        }
    }
    policies
}

/// The series of a kind; without a kind those of all kinds, and runs with a time line that are in none.
fn all_series(record: &Record, kind: Option<ScalingKind>) -> Vec<Series<'_>> {
    let mut found: Vec<Series<'_>> = Vec::new();
    for run in &record.runs {
        let of = run.scaling.map(|scaling| scaling.kind);
        let wanted = if kind.is_some() { of == kind } else { of.is_some() || run.timeline.is_some() };
        if !wanted {
            continue;
        }
        let key = |run: &Run| (run.workload.clone(), run.n, run.element.clone(), run.mode, run.residency, run.memory);
        match found.iter_mut().find(|series| series.kind == of && key(series.runs[0]) == key(run)) {
            Some(series) => series.runs.push(run),
            None => found.push(Series { kind: of, runs: vec![run] }),
        }
    }
    found
}

fn devices_of(run: &Run) -> u64 {
    run.scaling.map_or(run.devices.len() as u64, |scaling| scaling.devices)
}

/// A run whose time counts.
fn counted(run: &Run) -> Option<Summary> {
    summarise(&run.times_ms).filter(|_| run.verified != Some(false))
}

impl<'a> Series<'a> {
    /// The run on one device, and its time.
    fn one(&self) -> Option<(&'a Run, Summary)> {
        self.runs.iter().find(|run| devices_of(run) == 1).and_then(|run| Some((*run, counted(run)?)))
    }

    fn most_devices(&self) -> u64 {
        self.runs.iter().map(|run| devices_of(run)).max().unwrap_or(1)
    }

    fn numbers(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.runs.iter().map(|run| devices_of(run)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The ideal on this many devices, relative to one: the sum of their rates alone if known.
    fn perfect(&self, devices: u64) -> f64 {
        let known = || {
            let (one, first) = self.one()?;
            let run = self.runs.iter().find(|run| devices_of(run) == devices && run.efficiency.is_some())?;
            let time = run.efficiency? * counted(run)?.median;
            let times = |run: &Run| run.scaling.map_or(1.0, |scaling| scaling.times as f64);
            Some(first.median / time * times(run) / times(one))
        };
        if devices == 1 { 1.0 } else { known().unwrap_or(devices as f64) }
    }

    /// Devices, value, interval and whether it was repeated, for each run of a policy: work per time relative to one device.
    fn points(&self, policy: &str) -> Vec<(u64, f64, [f64; 2], bool)> {
        let Some((one, first)) = self.one() else { return Vec::new() };
        let mine = |run: &&&Run| policy_label(&run.policy) == policy && devices_of(run) > 1 || std::ptr::eq(**run, one);
        let point = |run: &&Run| {
            let (summary, devices) = (counted(run)?, devices_of(run));
            if std::ptr::eq(*run, one) {
                return Some((1, 1.0, [1.0; 2], false));
            }
            let times = run.scaling.map_or(1.0, |scaling| scaling.times as f64);
            let (low, high) = (first.interval.low / summary.interval.high, first.interval.high / summary.interval.low);
            Some((devices, times * first.median / summary.median, [times * low, times * high], summary.count > 1))
        };
        let mut points: Vec<_> = self.runs.iter().filter(mine).filter_map(point).collect();
        points.sort_by_key(|point| point.0);
        points
    }

    fn subtitle(&self) -> String {
        let text = short_conditions(&conditions_of(self.runs[0], " · "));
        if self.kind == Some(ScalingKind::Weak) { text.replacen(" · ", " a device · ", 1) } else { text }
    }
}

/// The legend text: intervals of the median, or all times.
fn whisker_text(runs: &[Series<'_>]) -> &'static str {
    let enough = |run: &&Run| run.times_ms.len() >= SAMPLES_FOR_INTERVAL;
    let all = runs.iter().flat_map(|series| &series.runs).filter(|run| run.times_ms.len() > 1);
    if all.clone().all(enough) { "95 % intervals of both medians" } else { "from the smallest to the largest times" }
}

/// The sheets of a kind of scaling; none if the record has no such series.
pub(super) fn scaling(record: &Record, kind: ScalingKind, width: Width) -> Result<Vec<String>, FigureError> {
    let found = all_series(record, Some(kind));
    let policies = policies(found.iter().flat_map(|series| &series.runs).copied().filter(|run| devices_of(run) > 1));
    let mut legend: Vec<LegendItem> =
        policies.iter().enumerate().map(|(number, name)| LegendItem::new(Sign::Series(number), short(name))).collect();
    legend.push(LegendItem::new(Sign::Whisker, whisker_text(&found)));
    legend.push(LegendItem::new(Sign::Dashes, "ideal: each device as fast as alone"));
    let title = match kind {
        ScalingKind::Strong => "Strong scaling",
        ScalingKind::Weak => "Weak scaling",
    };
    let page = |page: &[Series<'_>]| {
        let chart = |series| Chart {
            title: name_of(series),
            subtitle: series.subtitle(),
            below: "devices",
            draw: Box::new(|canvas: &Canvas<'_>, plot| lines(canvas, &plot, series, &policies)),
        };
        charts(title, &legend, &page.iter().map(chart).collect::<Vec<_>>(), width)
    };
    found.chunks(panels(width)).map(page).collect()
}

fn name_of(series: &Series<'_>) -> String {
    let workload = &series.runs[0].workload;
    series.kind.map_or_else(|| workload.clone(), |kind| format!("{workload}, {} scaling", kind.name()))
}

/// All of these runs have resident arrays, so leave that out.
pub(super) fn short_conditions(text: &str) -> String {
    text.replace(" · resident", "")
}

/// `REGION:even` becomes `even split`, as all are regions.
pub(super) fn short(policy: &str) -> String {
    match policy.strip_prefix("REGION:") {
        Some("model") => "split by the models".to_owned(),
        Some("even") => "even split".to_owned(),
        Some("even-rebalanced") => "even at first, rows move".to_owned(),
        Some("rebalanced") => "by the models at first, rows move".to_owned(),
        _ => policy.to_owned(),
    }
}

fn lines(canvas: &Canvas<'_>, plot: &Area, series: &Series<'_>, policies: &[String]) -> Result<(), FigureError> {
    let weak = series.kind == Some(ScalingKind::Weak);
    let numbers = series.numbers();
    // For weak scaling, the work per time relative to the ideal.
    let shown = |devices: u64, value: f64| if weak { 100.0 * value / series.perfect(devices) } else { value };
    let all: Vec<_> = policies.iter().map(|policy| series.points(policy)).collect();
    let highest = all.iter().flatten().map(|(devices, value, [_, high], _)| shown(*devices, value.max(*high)));
    let ideal = numbers.iter().map(|&devices| shown(devices, series.perfect(devices)));
    let most = 1.08 * highest.chain(ideal).fold(1.0, f64::max);
    axes(canvas, plot, if weak { "efficiency (%)" } else { "speedup" }, most)?;
    let last = series.most_devices() as f64;
    let at = |devices: u64| plot.left + plot.width() * (devices as f64 - 0.5) / last;
    for &devices in &numbers {
        number_below(canvas, plot, at(devices), &devices.to_string())?;
    }
    for pair in numbers.windows(2) {
        let place = |devices: u64| (at(devices), height_of(plot, shown(devices, series.perfect(devices)), most));
        canvas.dashed(place(pair[0]), place(pair[1]), 0.7, SOFT_INK)?;
    }
    base_line(canvas, plot)?;
    for (number, points) in all.iter().enumerate() {
        // Placed side by side, as whiskers would cover one another.
        let aside = 2.6 * (number as f64 - 0.5 * (all.len() as f64 - 1.0));
        let place = |devices: u64, value: f64| {
            let aside = if devices == 1 { 0.0 } else { aside };
            (at(devices) + aside, height_of(plot, shown(devices, value), most))
        };
        let path: Vec<_> = points.iter().map(|(devices, value, ..)| place(*devices, *value)).collect();
        if path.len() > 1 {
            canvas.path(&path, 0.9, series_color(number))?;
        }
        for (devices, value, [low, high], repeated) in points {
            let (x, _) = place(*devices, *value);
            let ends = [*high, *low].map(|value| place(*devices, value).1);
            if *repeated && ends[1] - ends[0] > 0.8 {
                whisker(canvas, x, ends[0], ends[1], 1.4)?;
            }
            series_mark(canvas, place(*devices, *value), number)?;
        }
    }
    Ok(())
}

/// The exchange in a time line: the average part of the time in which ghost cells were on their way to a device, and the part in
/// which not even the busiest device ran a kernel.
fn exchange_of(timeline: &TimeLine) -> Option<[f64; 2]> {
    let sum = |list: fn(&crate::record::TimeWindow) -> &Vec<f64>, device: usize| {
        timeline.windows.iter().filter_map(|window| list(window).get(device)).sum::<f64>()
    };
    let devices = timeline.devices.len();
    let time: f64 = timeline.windows.iter().map(|window| window.time_ms).sum();
    let rows =
        |device: usize| timeline.windows.iter().any(|window| window.rows.get(device).is_some_and(|&rows| rows > 0));
    let with_rows: Vec<usize> = (0..devices).filter(|&device| rows(device)).collect();
    if time <= 0.0 || with_rows.is_empty() {
        return None;
    }
    let exchange: f64 = with_rows.iter().map(|&device| sum(|w| &w.exchange_ms, device)).sum();
    let busiest = with_rows.iter().map(|&device| sum(|w| &w.busy_ms, device)).fold(0.0f64, f64::max);
    Some([exchange / with_rows.len() as f64 / time, (1.0 - busiest / time).max(0.0)])
}

/// The sheets of the exchange's share; none if no run on several devices has a time line.
pub(super) fn exchange(record: &Record, width: Width) -> Result<Vec<String>, FigureError> {
    let mut found = all_series(record, None);
    found.retain(|series| series.runs.iter().any(|run| devices_of(run) > 1 && run.timeline.is_some()));
    let policies = policies(found.iter().flat_map(|series| &series.runs).copied().filter(|run| devices_of(run) > 1));
    let filled = |(number, name): (usize, &String)| {
        LegendItem::new(Sign::Filled(series_color(number)), format!("ghost cells under way, {}", short(name)))
    };
    let mut legend: Vec<LegendItem> = policies.iter().enumerate().map(filled).collect();
    legend.push(LegendItem::new(Sign::Diamond(ALARM), "not even the busiest device runs a kernel"));
    let page = |page: &[Series<'_>]| {
        let chart = |series| Chart {
            title: name_of(series),
            subtitle: series.subtitle(),
            below: "devices",
            draw: Box::new(|canvas: &Canvas<'_>, plot| bars(canvas, &plot, series, &policies)),
        };
        charts("Exchange of ghost cells", &legend, &page.iter().map(chart).collect::<Vec<_>>(), width)
    };
    found.chunks(panels(width)).map(page).collect()
}

fn bars(canvas: &Canvas<'_>, plot: &Area, series: &Series<'_>, policies: &[String]) -> Result<(), FigureError> {
    let numbers: Vec<u64> = series.numbers().into_iter().filter(|&devices| devices > 1).collect();
    let parts = |run: &Run| run.timeline.as_ref().and_then(exchange_of);
    let all = series.runs.iter().filter(|run| devices_of(run) > 1).filter_map(|run| parts(run));
    let most = 115.0 * all.flatten().fold(0.01, f64::max);
    axes(canvas, plot, "of a sweep's time (%)", most)?;
    let slot = plot.width() / numbers.len().max(1) as f64;
    let width = (0.7 * slot / policies.len().max(1) as f64).min(14.0);
    for (place, &devices) in numbers.iter().enumerate() {
        let middle = plot.left + slot * (place as f64 + 0.5);
        number_below(canvas, plot, middle, &devices.to_string())?;
        for (number, policy) in policies.iter().enumerate() {
            let mine = |run: &&&Run| devices_of(run) == devices && policy_label(&run.policy) == *policy;
            let Some([under_way, beyond]) = series.runs.iter().find(mine).and_then(|run| parts(run)) else { continue };
            let left = middle + width * (number as f64 - 0.5 * policies.len() as f64);
            let top = height_of(plot, 100.0 * under_way, most);
            let bar = Area { left: left + 0.4, right: left + width - 0.4, top, bottom: plot.bottom };
            canvas.rectangle(bar, series_color(number))?;
            canvas.diamond((left + width / 2.0, height_of(plot, 100.0 * beyond, most)), 2.0, ALARM)?;
        }
    }
    canvas.line((plot.left, plot.bottom), (plot.right, plot.bottom), 0.6, INK)
}
