//! A record as text for a terminal: per workload one row per policy.
//!
//! Only ASCII is added to the names, so that a log file or an old terminal shows it correctly.

use crate::grouping::{Group, Row, Standing, chosen, groups, three_digits, time_unit, with_spaces};
use crate::record::{Mode, Record};
use crate::remarks::Remark;
use crate::statistics::{LEVEL, SAMPLES_FOR_INTERVAL, regret_by_chance, summarise};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write as _;

/// Narrowest width that is used; longer contents exceed the line.
const NARROWEST: usize = 40;

/// The tables of all groups of `record`, in lines of at most `width` characters if the names allow it.
pub fn render(record: &Record, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut text = String::new();
    let _ = writeln!(text, "{} (apportion {}, {})", record.command, record.version, record.created);
    for note in &record.notes {
        wrapped(&mut text, "note: ", note, width);
    }
    let groups = groups(record);
    if groups.is_empty() {
        text.push_str("\nThe record holds no runs.\n");
        return text;
    }
    let (remarks, common) = remarks_of_all(&groups);
    for (group, remarks) in groups.iter().zip(&remarks) {
        block(&mut text, group, remarks, width);
    }
    if !common.is_empty() {
        text.push_str("\nin every table:\n");
        common.iter().for_each(|remark| wrapped(&mut text, "  - ", remark, width));
    }
    text.push('\n');
    predictions(&mut text, &groups, width);
    best(&mut text, &groups, width);
    legend(&mut text, &groups, width);
    // A name may contain anything, even a terminal's control characters.
    text.chars().map(|c| if c.is_control() && c != '\n' { '?' } else { c }).collect()
}

/// A column: its head and one cell per row.
struct Column {
    head: String,
    cells: Vec<String>,
    align: CellAlignment,
}

fn block(text: &mut String, group: &Group<'_>, remarks: &[String], width: usize) {
    let run = group.common;
    let _ = writeln!(text, "\n{}   {}", run.workload, group.conditions(", "));
    for row in group.rows.iter().filter(|row| row.run.verified == Some(false)) {
        let error = row.run.max_rel_error.map_or_else(|| "unknown".into(), three_digits);
        let what =
            format!("{} on {}: largest relative error {error}. Its time counts for nothing.", row.label, run.workload);
        wrapped(text, "!!! WRONG RESULT: ", &what, width);
    }

    let label = columns_of_labels(group);
    let (unit, per_ms) = unit_of(group);
    let mut times = columns_of_times(group, unit, per_ms);
    let mut shares = columns_of_shares(group);
    // One table if it fits; else the devices get separate tables, as many as they need.
    let everything =
        [&label].into_iter().chain(&times).chain(&shares).map(|column| column_width(column) + 2).sum::<usize>();
    if everything <= width + 2 {
        times.append(&mut shares);
    }
    table(text, &label, &times);
    let mut rest = shares.as_slice();
    while !rest.is_empty() {
        let mut used = column_width(&label);
        let fitting = rest.iter().take_while(|column| {
            used += 2 + column_width(column);
            used <= width
        });
        let (now, later) = rest.split_at(fitting.count().max(1));
        table(text, &label, now);
        rest = later;
    }
    alone(text, group, unit, per_ms, width);
    remarks.iter().for_each(|remark| wrapped(text, "  - ", remark, width));
}

/// The time of each device alone, or why there is none.
fn alone(text: &mut String, group: &Group<'_>, unit: &str, per_ms: f64, width: usize) {
    if group.devices.len() < 2 {
        return;
    }
    let times: Vec<_> = group.devices.iter().map(|device| (device, group.alone_ms(device))).collect();
    let line = if times.iter().all(|(_, time)| time.is_none()) {
        match group.common.scaling {
            Some(scaling) if scaling.times > 1 => format!(
                "not measured on {} times the rows; effic. takes {} times what each device takes on its part",
                scaling.times, scaling.times
            ),
            _ => "no device has a time alone, so there is no efficiency".to_owned(),
        }
    } else {
        let shown = |(device, time): &(&&str, Option<f64>)| match time {
            Some(ms) => format!("{device} {} {unit}", three_digits(ms * per_ms)),
            None => format!("{device} has no time"),
        };
        times.iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    wrapped(text, "  alone: ", &line, width);
}

/// A group's fastest policy: its label, its efficiency, and its speed by that of the best device alone.
///
/// `None` if it has no time, or a device has none alone.
fn best_of<'g>(group: &'g Group<'_>) -> Option<(&'g str, f64, f64)> {
    let row = &group.rows[group.best()?];
    let median = row.summary?.median;
    let least = group.devices.iter().filter_map(|device| group.alone_ms(device)).min_by(f64::total_cmp)?;
    Some((&row.label, group.perfect_ms()? / median, least / median))
}

/// What the fastest policies reach, in the mean over the groups with several devices.
fn best(text: &mut String, groups: &[Group<'_>], width: usize) {
    let several: Vec<_> = groups.iter().filter(|group| group.devices.len() > 1).collect();
    let found: Vec<_> = several.iter().filter_map(|group| best_of(group)).collect();
    if several.is_empty() {
        return;
    }
    if found.is_empty() {
        let why = "no mean efficiency and speedup: no table has both a valid time and that of each device alone";
        wrapped(text, "", why, width);
        return;
    }
    let mut policies: Vec<(&str, usize)> = Vec::new();
    for (label, ..) in &found {
        match policies.iter_mut().find(|(known, _)| known == label) {
            Some((_, times)) => *times += 1,
            None => policies.push((label, 1)),
        }
    }
    // Stable: those equally often stay in order of appearance.
    policies.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let names: Vec<_> = policies.iter().map(|(label, times)| format!("{label} in {times}")).collect();
    let mean = |of: fn(&(&str, f64, f64)) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let of = if found.len() < several.len() { format!(" of {}", several.len()) } else { String::new() };
    let line = format!(
        "best policy of each table ({}): efficiency {}, {} the best device alone (means of {}{of})",
        names.join(", "),
        small(mean(|(_, efficiency, _)| *efficiency)),
        beside(mean(|(.., speedup)| *speedup)),
        found.len(),
    );
    wrapped(text, "", &line, width);
}

/// A ratio of about 1 with two places, a small one with its first digits, which two places would cut off.
fn small(ratio: f64) -> String {
    if ratio < 0.1 { three_digits(ratio) } else { format!("{ratio:.2}") }
}

/// A speed by another, in words that a name may follow. They say which is faster, which a number below 1 hides.
fn beside(speedup: f64) -> String {
    let faster = speedup >= 1.0;
    match three_digits(if faster { speedup } else { 1.0 / speedup }).as_str() {
        "1.00" => "as fast as".to_owned(),
        times if faster => format!("{times} times as fast as"),
        times => format!("takes {times} times as long as"),
    }
}

fn columns_of_labels(group: &Group<'_>) -> Column {
    let mark = |index: usize| match group.standing(index) {
        _ if group.rows[index].run.verified == Some(false) => '!',
        Standing::Fastest => '*',
        Standing::NotSlowerForSure => '~',
        Standing::Behind => ' ',
    };
    let cells = group.rows.iter().enumerate().map(|(index, row)| match chosen(&row.run.policy) {
        Some(chosen) => format!("{} {} ({chosen})", mark(index), row.label),
        None => format!("{} {}", mark(index), row.label),
    });
    Column { head: "  policy".into(), cells: cells.collect(), align: CellAlignment::Left }
}

/// The unit of a table, chosen by its fastest time.
fn unit_of(group: &Group<'_>) -> (&'static str, f64) {
    let medians = group.rows.iter().filter_map(|row| row.summary.map(|summary| summary.median));
    let fastest = medians.chain(group.rows.iter().filter_map(|row| row.run.predicted_ms)).min_by(f64::total_cmp);
    time_unit(fastest.unwrap_or(1.0))
}

fn columns_of_times(group: &Group<'_>, unit: &str, per_ms: f64) -> Vec<Column> {
    let time = |ms: f64| three_digits(ms * per_ms);
    let percent = |ratio: f64| format!("{:.1} %", 100.0 * ratio);
    let column = |head: String, cell: &dyn Fn(usize) -> Option<String>| Column {
        head,
        cells: (0..group.rows.len()).map(|index| cell(index).unwrap_or_else(|| "-".into())).collect(),
        align: CellAlignment::Right,
    };
    let row = |index: usize| &group.rows[index];
    let head = if group.common.mode == Mode::Simulated { "virtual" } else { "median" };
    let interval = if group.rows.iter().any(|row| row.run.times_ms.len() >= SAMPLES_FOR_INTERVAL) {
        format!("{:.0} % interval", 100.0 * LEVEL)
    } else {
        "min .. max".into()
    };
    let all = [
        column(format!("{head} {unit}"), &|i| Some(time(row(i).summary?.median))),
        column(interval, &|i| {
            let interval = row(i).summary.filter(|summary| summary.count > 1)?.interval;
            // Marked if only this row of the table has too few repetitions.
            let mark = if interval.coverage.is_none() { "(all) " } else { "" };
            let mark = if group.rows.iter().all(|r| r.run.times_ms.len() < SAMPLES_FOR_INTERVAL) { "" } else { mark };
            Some(format!("{mark}{} .. {}", time(interval.low), time(interval.high)))
        }),
        column("expected".into(), &|i| Some(time(row(i).run.predicted_ms?))),
        // Where no history is used there is nothing to tell apart.
        column("by".into(), &|i| row(i).run.predicted_by.filter(|_| by_history(group)).map(|by| by.word().to_owned())),
        column("off by".into(), &|i| {
            let measured = row(i).summary?.median;
            let off = 100.0 * (row(i).run.predicted_ms? - measured) / measured;
            off.is_finite().then(|| if off > 999.0 { ">+999 %".into() } else { format!("{off:+.0} %") })
        }),
        column("imbal.".into(), &|i| row(i).run.imbalance.map(percent)),
        column("effic.".into(), &|i| row(i).run.efficiency.map(small)),
    ];
    // Empty columns are left out.
    all.into_iter()
        .enumerate()
        .filter(|(index, column)| *index == 0 || column.cells.iter().any(|cell| cell != "-"))
        .map(|(_, column)| column)
        .collect()
}

/// Whether the history has a part in what is expected.
fn by_history(group: &Group<'_>) -> bool {
    group.rows.iter().any(|row| row.run.predicted_by.is_some_and(|by| by != crate::record::PredictedBy::Description))
}

/// One column per device: its share of the iterations, and the number of its chunks.
fn columns_of_shares(group: &Group<'_>) -> Vec<Column> {
    let cell = |device: &str, index: usize| {
        let run = group.rows[index].run;
        let total: u128 = run.per_device.iter().map(|part| u128::from(part.iterations)).sum();
        let part = run.per_device.iter().find(|part| part.device == device).filter(|_| total > 0)?;
        if part.iterations == 0 {
            return Some("0 %".into());
        }
        let share = 100.0 * part.iterations as f64 / total as f64;
        // A small share is not shown as zero, nor a large one as all.
        let share = if share < 0.5 {
            "<1 %".into()
        } else if share >= 99.5 && u128::from(part.iterations) < total {
            ">99 %".into()
        } else {
            format!("{share:.0} %")
        };
        Some(format!("{share} /{}", part.chunks))
    };
    let column = |device: &&str| Column {
        head: (*device).into(),
        cells: (0..group.rows.len()).map(|index| cell(device, index).unwrap_or_else(|| "-".into())).collect(),
        align: CellAlignment::Right,
    };
    group.devices.iter().map(column).collect()
}

fn column_width(column: &Column) -> usize {
    column.cells.iter().chain([&column.head]).map(|cell| cell.chars().count()).max().unwrap_or(0)
}

fn table(text: &mut String, label: &Column, columns: &[Column]) {
    let columns: Vec<&Column> = std::iter::once(label).chain(columns).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| column.head.as_str()));
    for index in 0..label.cells.len() {
        table.add_row(columns.iter().map(|column| column.cells[index].as_str()));
    }
    for (shown, column) in table.column_iter_mut().zip(&columns) {
        shown.set_cell_alignment(column.align);
        shown.set_padding((0, 2));
    }
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// Devices left out, and notes: each once, with the policies that it applies to.
fn remarks(group: &Group<'_>) -> Vec<String> {
    let of_row = |(index, row): (usize, &Row<'_>)| {
        let run = row.run;
        let plain = |text: &str| Remark::note(index, text, &run.policy.name, &run.devices);
        let mut of_row: Vec<Remark> =
            run.left_out.iter().map(|out| Remark::left_out(index, &out.device, &out.reason)).collect();
        // In virtual time nothing fails: a note says why there is no time.
        let failed = run.times_ms.is_empty() && run.mode != Mode::Simulated;
        of_row.extend(failed.then(|| plain("no time: the run failed")));
        let unverified = run.verified.is_none() && run.mode != Mode::Simulated && row.summary.is_some();
        of_row.extend(unverified.then(|| plain("not verified")));
        of_row.extend(run.notes.iter().map(|note| plain(note)));
        of_row
    };
    let all = group.rows.iter().enumerate().flat_map(of_row);
    let shown = Remark::merged(all).into_iter().map(|remark| {
        let mut labels: Vec<&str> = remark.rows().iter().map(|&row| group.rows[row].label.as_str()).collect();
        labels.dedup();
        let all = labels.len() == group.rows.len();
        if all { remark.text() } else { format!("{} [{}]", remark.text(), labels.join(", ")) }
    });
    shown.collect()
}

/// The remarks of each group, and those that are the same for all, if there are several groups.
fn remarks_of_all(groups: &[Group<'_>]) -> (Vec<Vec<String>>, Vec<String>) {
    let mut each: Vec<Vec<String>> = groups.iter().map(remarks).collect();
    let mut common = Vec::new();
    if let [first, others @ ..] = each.as_slice()
        && !others.is_empty()
    {
        common.extend(first.iter().filter(|remark| others.iter().all(|other| other.contains(remark))).cloned());
    }
    each.iter_mut().for_each(|remarks| remarks.retain(|remark| !common.contains(remark)));
    (each, common)
}

/// How far the predictions were off, and the cost of AUTO's choices, over all groups.
fn predictions(text: &mut String, groups: &[Group<'_>], width: usize) {
    let (mut errors, mut regrets, mut contests) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups {
        let measured = |row: &Row<'_>| {
            let right = row.run.verified != Some(false) && row.run.mode != Mode::Simulated;
            row.summary.filter(|_| right).map(|summary| summary.median)
        };
        let name = |row: &Row<'_>| format!("{} under {}", group.common.workload, row.label);
        for row in &group.rows {
            if let (Some(median), Some(expected)) = (measured(row), row.run.predicted_ms) {
                errors.push(((expected - median).abs() / median, name(row)));
            }
        }
        let others: Vec<_> = group.rows.iter().filter(|row| chosen(&row.run.policy).is_none()).collect();
        let others = others.iter().filter_map(|row| Some((measured(row)?, &row.run.times_ms[..])));
        if let Some((best, _)) = others.clone().min_by(|a, b| a.0.total_cmp(&b.0)) {
            let by_auto = group.rows.iter().filter(|row| chosen(&row.run.policy).is_some());
            let before = regrets.len();
            regrets.extend(by_auto.filter_map(|row| Some((measured(row)? / best, name(row)))));
            contests.extend((before..regrets.len()).map(|_| others.clone().map(|(_, times)| times).collect()));
        }
    }
    let spread = |values: &[(f64, String)]| {
        let summary = summarise(&values.iter().map(|(value, _)| *value).collect::<Vec<_>>())?;
        let (_, worst) = values.iter().find(|(value, _)| *value == summary.max)?;
        Some((summary.median, summary.max, worst.clone()))
    };
    let mut lines = Vec::new();
    if let Some((median, worst, which)) = spread(&errors).filter(|_| errors.len() > 1) {
        let percent = |part: f64| if part > 9.99 { ">999 %".to_owned() } else { format!("{:.0} %", 100.0 * part) };
        let (median, worst, of) = (percent(median), percent(worst), errors.len());
        lines.push(format!("expected times are off by {median} (median of {of}), {worst} at most ({which})"));
    }
    if let Some((median, worst, which)) = spread(&regrets) {
        let best = format!("{median:.2} (median of {})", regrets.len());
        let chance = regret_by_chance(&contests).map_or_else(String::new, |(median, worst)| {
            format!("; another run of the best one itself: {median:.2} and {worst:.2}, by chance")
        });
        lines.push(format!(
            "AUTO's time by that of the best other policy: {best}, {worst:.2} at most ({which}){chance}"
        ));
    }
    for line in &lines {
        wrapped(text, "", line, width);
    }
}

fn legend(text: &mut String, groups: &[Group<'_>], width: usize) {
    let mut lines = "* fastest".to_owned();
    let rows = || groups.iter().flat_map(|group| (0..group.rows.len()).map(move |index| (group, index)));
    if rows().any(|(group, index)| group.standing(index) == Standing::NotSlowerForSure) {
        lines.push_str("; ~ the difference from it may be chance (Mann-Whitney rank test, 5 %, Holm's correction)");
    }
    if rows().any(|(group, index)| group.rows[index].run.verified == Some(false)) {
        lines.push_str("; ! wrong result");
    }
    if rows().any(|(group, index)| group.rows[index].summary.is_some_and(|s| s.interval.coverage.is_some())) {
        lines.push_str("; interval of the median, from the order of the times");
    }
    if groups.iter().any(by_history) {
        lines.push_str(
            "; by: what is expected follows from the history's rates of all devices (history), the machine's description \
             (description), both for different devices, or such loops as a whole in the history (loops)",
        );
    }
    if rows().any(|(group, index)| group.rows[index].run.imbalance.is_some()) {
        lines.push_str("; imbal.: how much longer the slowest device is busy than all are in the mean");
    }
    if rows().any(|(group, index)| group.rows[index].run.efficiency.is_some()) {
        lines.push_str("; effic.: the speed by the sum of the devices' speeds alone");
    }
    lines.push_str("; devices: share of the iterations /chunks");
    if groups.iter().any(|group| group.devices.len() > 1) {
        lines.push_str("; alone: the whole loop on one device");
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    wrapped(text, "", &lines, width);
}

/// Adds `first` and `what`, broken between words at `width`, later lines indented by two more than `first` starts.
fn wrapped(text: &mut String, first: &str, what: &str, width: usize) {
    let indent = first.len() - first.trim_start().len() + 2;
    let mut line = first.to_owned();
    let mut empty = true;
    for word in what.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            text.push_str(line.trim_end());
            text.push('\n');
            line = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// A run in one line, for progress on a plain terminal: `axpy DYNAMIC:2%: n = 1 234 567 in 12.3 ms`.
pub fn one_line(run: &crate::record::Run) -> String {
    match summarise(&run.times_ms) {
        Some(summary) => {
            let (unit, per_ms) = time_unit(summary.median);
            let time = three_digits(summary.median * per_ms);
            format!(
                "{} {}: n = {} in {time} {unit}",
                run.workload,
                crate::grouping::policy_label(&run.policy),
                with_spaces(run.n)
            )
        }
        None => format!("{} {}: failed", run.workload, crate::grouping::policy_label(&run.policy)),
    }
}
