//! Which runs are side by side in a table or a panel, and their labels.

use crate::record::{HostMemory, KernelForm, Mode, PolicyUsed, Record, Residency, Run};
use crate::statistics::{Summary, holm, rank_test, summarise};
use apportion::sched::{POLICIES, Policy};
use serde_json::Value;

/// Probability below which a difference between two policies is significant.
const SIGNIFICANT: f64 = 0.05;

/// Virtual times that differ by less are equal: the same sums in another order.
const ROUNDING: f64 = 1e-9;

/// Runs of one workload with the same size, element type, mode, residency, kind of memory, form of the kernel and place in a
/// series over numbers of devices: they differ in the policy.
#[derive(Debug)]
pub struct Group<'a> {
    /// The first run, for the common properties.
    pub common: &'a Run,
    /// One row or bar each, in the order of the record.
    pub rows: Vec<Row<'a>>,
    /// Devices of all runs, in order of first appearance.
    pub devices: Vec<&'a str>,
    /// How each row compares with the fastest one.
    standings: Vec<Standing>,
}

/// A run within its group.
#[derive(Debug)]
pub struct Row<'a> {
    /// The run.
    pub run: &'a Run,
    /// Short name of its policy, unique in the group.
    pub label: String,
    /// The policy's full name, for figures, whose readers do not have the program at hand.
    pub name: String,
    /// Its times; `None` if the run failed.
    pub summary: Option<Summary>,
}

/// How a row compares with the fastest one of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the fastest, or its virtual time, which has no scatter, equals the fastest.
    Fastest,
    /// The difference may be chance (Mann-Whitney's rank test, 5 %, Holm's correction over the rows of the group).
    NotSlowerForSure,
    /// Significantly slower, or its result is wrong, or it has no time.
    Behind,
}

/// The groups of a record, in order of first appearance.
pub fn groups(record: &Record) -> Vec<Group<'_>> {
    let key = |run: &Run| {
        let single = run.form == Some(KernelForm::Single);
        (run.workload.clone(), run.n, run.element.clone(), run.mode, run.residency, run.memory, single, run.scaling)
    };
    let mut groups: Vec<Group<'_>> = Vec::new();
    for run in &record.runs {
        let row = Row {
            run,
            label: policy_label(&run.policy),
            name: policy_name(&run.policy),
            summary: summarise(&run.times_ms),
        };
        match groups.iter_mut().find(|group| key(group.common) == key(run)) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { common: run, rows: vec![row], devices: Vec::new(), standings: Vec::new() }),
        }
    }
    for group in &mut groups {
        group.devices = devices(group.rows.iter().map(|row| row.run));
        tell_apart(&mut group.rows);
        group.standings = standings(group);
    }
    groups
}

/// Devices that ran something or could have, each once, in order of first appearance.
pub fn devices<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<&'a str> {
    let mut devices: Vec<&str> = Vec::new();
    for run in runs {
        let names = run.devices.iter().chain(run.per_device.iter().map(|device| &device.device));
        for name in names {
            if !devices.contains(&name.as_str()) {
                devices.push(name);
            }
        }
    }
    devices
}

impl Group<'_> {
    /// Index of the fastest row whose result is not wrong.
    pub fn best(&self) -> Option<usize> {
        let times = self.rows.iter().enumerate().filter(|(_, row)| row.run.verified != Some(false));
        times
            .filter_map(|(index, row)| Some((index, row.summary?.median)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(index, _)| index)
    }

    /// How row `index` compares with the best.
    pub fn standing(&self, index: usize) -> Standing {
        self.standings[index]
    }

    /// Common properties of all runs besides the workload's name: size, element, whatever differs from a plain real run, and the
    /// place in a series over numbers of devices.
    pub fn conditions(&self, separator: &str) -> String {
        let place = self.common.scaling.map(|scaling| {
            let s = if scaling.devices == 1 { "" } else { "s" };
            format!("{} device{s}, {}", scaling.devices, scaling.kind.name())
        });
        place.into_iter().chain([conditions_of(self.common, separator)]).collect::<Vec<_>>().join(separator)
    }

    /// Time of the whole loop on this device alone.
    pub fn alone_ms(&self, device: &str) -> Option<f64> {
        let whole = self.rows.iter().filter_map(|row| *row.run.alone_ms.get(device)?);
        // Older records say it only of devices that ran something.
        let parts = self.rows.iter().flat_map(|row| &row.run.per_device).filter(|run| run.device == device);
        whole.chain(parts.filter_map(|run| run.alone_ms)).find(|&time| time > 0.0)
    }

    /// Times of the whole loop on this device alone; empty if they were not kept.
    pub fn alone_times_ms(&self, device: &str) -> &[f64] {
        let runs = self.rows.iter().flat_map(|row| &row.run.per_device).filter(|run| run.device == device);
        runs.map(|run| run.alone_times_ms.as_slice()).find(|times| !times.is_empty()).unwrap_or(&[])
    }

    /// Time in which the devices would finish if they shared the work perfectly: `(sum of 1/T_alone)^-1`, in ms.
    ///
    /// `None` unless the time alone of every device of the group is known.
    pub fn perfect_ms(&self) -> Option<f64> {
        let times = self.devices.iter().map(|device| self.alone_ms(device)).collect::<Option<Vec<f64>>>()?;
        (!times.is_empty()).then(|| 1.0 / times.iter().map(|time| 1.0 / time).sum::<f64>())
    }
}

/// Properties of a run besides its workload's name and its place in a series: size, element, and whatever differs from a plain
/// real run.
pub fn conditions_of(run: &Run, separator: &str) -> String {
    let mut parts = vec![format!("n = {}", with_spaces(run.n)), run.element.clone()];
    if run.residency == Residency::Resident {
        parts.push("resident".into());
    }
    match run.memory {
        Some(HostMemory::PageLocked) => parts.push("page-locked memory".into()),
        Some(HostMemory::Plain) => parts.push("plain memory".into()),
        None => {}
    }
    if run.form == Some(KernelForm::Single) {
        parts.push("kernel from one Rust function".into());
    }
    match run.mode {
        Mode::Real => {}
        Mode::Emulated => parts.push("emulated".into()),
        Mode::Simulated => parts.push("simulated".into()),
    }
    parts.join(separator)
}

/// How the rows of a group compare with its best.
fn standings(group: &Group<'_>) -> Vec<Standing> {
    let mut standings = vec![Standing::Behind; group.rows.len()];
    let Some(best) = group.best() else { return standings };
    standings[best] = Standing::Fastest;
    let fastest = &group.rows[best];
    let others = group.rows.iter().enumerate().filter(|(index, row)| *index != best && row.run.verified != Some(false));
    if group.common.mode == Mode::Simulated {
        for (index, row) in others {
            let equal = row
                .summary
                .zip(fastest.summary)
                .is_some_and(|(row, fastest)| row.median - fastest.median <= ROUNDING * fastest.median);
            if equal {
                standings[index] = Standing::Fastest;
            }
        }
        return standings;
    }
    let tested = others.filter_map(|(index, row)| Some((index, rank_test(&row.run.times_ms, &fastest.run.times_ms)?)));
    let (rows, probabilities): (Vec<usize>, Vec<f64>) = tested.unzip();
    for (index, p) in rows.into_iter().zip(holm(&probabilities)) {
        if p >= SIGNIFICANT {
            standings[index] = Standing::NotSlowerForSure;
        }
    }
    standings
}

/// Distinguishes rows of one label: by the cutoff, then the devices, then a number.
fn tell_apart(rows: &mut [Row<'_>]) {
    let additions: [fn(&Run) -> String; 2] = [
        |run| match run.cutoff.as_deref() {
            None | Some("none") => String::new(),
            Some(cutoff) => format!(" {cutoff}"),
        },
        |run| format!(" {}", run.devices.join("+")),
    ];
    for addition in additions {
        for (index, twin) in twins(rows).into_iter().enumerate() {
            if let Some(twin) = twin
                && addition(rows[index].run) != addition(rows[twin].run)
            {
                let more = addition(rows[index].run);
                rows[index].label.push_str(&more);
                rows[index].name.push_str(&more);
            }
        }
    }
    let mut seen: Vec<String> = Vec::new();
    for row in rows {
        let plain = row.label.clone();
        let mut number = 1;
        while seen.contains(&row.label) {
            number += 1;
            row.label = format!("{plain} #{number}");
        }
        if number > 1 {
            let more = format!(" #{number}");
            row.name.push_str(&more);
        }
        seen.push(row.label.clone());
    }
}

/// For each row another one with the same label.
fn twins(rows: &[Row<'_>]) -> Vec<Option<usize>> {
    let other = |index: usize| (0..rows.len()).find(|&twin| twin != index && rows[twin].label == rows[index].label);
    (0..rows.len()).map(other).collect()
}

/// A policy by a short name, as `--policies` takes it: `DYNAMIC:2%`, `MODEL_PROFILE:10%`, `MODEL_1`.
pub fn policy_label(policy: &PolicyUsed) -> String {
    let entry = POLICIES.iter().find(|entry| entry.name == policy.name);
    // Of the other names that are accepted, those that are a part of the full name are recognised by who knows that one.
    let mut others = entry.iter().flat_map(|entry| entry.short).map(|short| short.to_uppercase());
    let name = others.find(|short| policy.name.contains(short)).unwrap_or_else(|| policy.name.clone());
    with_parameters(name, policy)
}

/// A policy by its full name, as `--policies` takes it too: `SCHED_DYNAMIC:2%`.
pub fn policy_name(policy: &PolicyUsed) -> String {
    with_parameters(policy.name.clone(), policy)
}

fn with_parameters(name: String, policy: &PolicyUsed) -> String {
    let mut values: Vec<(&str, String)> = Vec::new();
    for (key, value) in &policy.parameters {
        let text = match value {
            Value::String(text) if key != "chosen" => text.clone(),
            Value::Number(number) if key.ends_with("_percent") => format!("{number}%"),
            Value::Number(number) if key != "seed" => number.to_string(),
            Value::Bool(true) => key.replace('_', " "),
            _ => continue,
        };
        values.push((key, text));
    }
    values.retain(|(_, value)| !value.is_empty());
    // Sizes come before modes (`GUIDED:15%:homp`), whatever their keys.
    values.sort_by_key(|(_, value)| !value.starts_with(|c: char| c.is_ascii_digit()));
    let text = |keyed: bool| {
        values.iter().fold(name.clone(), |text, (key, value)| match keyed {
            true => format!("{text}:{key}={value}"),
            false => format!("{text}:{value}"),
        })
    };
    let (by_place, by_key) = (text(false), text(true));
    match (by_place.parse::<Policy>(), by_key.parse::<Policy>()) {
        // Such parameters are long: those that the bare name means anyway are left out.
        (Err(_), Ok(policy)) if name.parse::<Policy>().is_ok_and(|bare| bare == policy) => name,
        (Err(_), Ok(_)) => by_key,
        // What is not known, as of a later version, is shown in the same way.
        _ => by_place,
    }
}

/// AUTO's choice, by a short name.
pub fn chosen(policy: &PolicyUsed) -> Option<String> {
    let text = policy.parameters.get("chosen")?.as_str()?;
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let parameters = parameters.split(':').map(|part| match part.split_once('=') {
        Some((key, value)) => (key.to_owned(), Value::String(value.into())),
        None => (part.to_owned(), Value::String(part.into())),
    });
    Some(policy_label(&PolicyUsed { name: name.to_owned(), parameters: parameters.collect() }))
}

/// 1234567 as `1 234 567`.
pub fn with_spaces(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A unit of time for numbers around `ms` milliseconds: its name in ASCII, and how many make a millisecond.
pub fn time_unit(ms: f64) -> (&'static str, f64) {
    match ms {
        _ if ms >= 1000.0 => ("s", 1e-3),
        _ if ms >= 1.0 || ms <= 0.0 => ("ms", 1.0),
        _ if ms >= 1e-3 => ("us", 1e3),
        _ => ("ns", 1e6),
    }
}

/// Three significant digits, without an exponent if the number fits in eight characters: `0.123`, `12.3`, `1235`.
pub fn three_digits(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !size.is_finite() => "?".into(),
        _ if size == 0.0 => "0".into(),
        _ if !(5e-4..1e8).contains(&size) => format!("{value:.2e}"),
        _ if size >= 99.95 => format!("{value:.0}"),
        _ if size >= 9.995 => format!("{value:.1}"),
        _ if size >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, parameters: &[(&str, Value)]) -> String {
        let parameters = parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        policy_label(&PolicyUsed { name: name.into(), parameters })
    }

    #[test]
    fn policies_have_short_names() {
        assert_eq!(label("BLOCK", &[]), "BLOCK");
        assert_eq!(label("SCHED_DYNAMIC", &[("chunk", "2%".into())]), "DYNAMIC:2%");
        assert_eq!(label("SCHED_GUIDED", &[("mode", "homp".into()), ("part", "15%".into())]), "GUIDED:15%:homp");
        assert_eq!(label("MODEL_1_AUTO", &[]), "MODEL_1");
        assert_eq!(label("SCHED_PROFILE_AUTO", &[("sample_percent", 10.into())]), "SCHED_PROFILE:10%");
        assert_eq!(label("MODEL_PROFILE_AUTO", &[("sample", "10%".into())]), "MODEL_PROFILE:10%");
        assert_eq!(label("HGUIDED", &[("k", "3.5/1".into()), ("min", "0.5%".into())]), "HGUIDED:k=3.5/1:min=0.5%");
        assert_eq!(label("ADAPTIVE", &[("sample", "3%".into()), ("tail", "5%".into())]), "ADAPTIVE");
        assert_eq!(label("ADAPTIVE", &[("sample", "4%".into()), ("tail", "5%".into())]), "ADAPTIVE:sample=4%:tail=5%");
        assert_eq!(label("AUTO", &[("chosen", "BLOCK".into()), ("seed", 7.into())]), "AUTO");
        assert_eq!(label("AUTO", &[("rule", "heuristic".into())]), "AUTO:heuristic");
        assert_eq!(label("NEW_ONE", &[("fast", true.into()), ("x", Value::Null)]), "NEW_ONE:fast");
    }

    #[test]
    fn what_auto_chose_is_short_too() {
        let auto = |chosen: &str| PolicyUsed {
            name: "AUTO".into(),
            parameters: [("chosen".to_owned(), chosen.into())].into_iter().collect(),
        };
        for (full, short) in [
            ("SCHED_DYNAMIC:2%", "DYNAMIC:2%"),
            ("SCHED_GUIDED:15%:homp", "GUIDED:15%:homp"),
            ("MODEL_2_AUTO", "MODEL_2"),
            ("HGUIDED:k=3:min=0.5%", "HGUIDED:k=3:min=0.5%"),
        ] {
            assert_eq!(chosen(&auto(full)).unwrap(), short);
            assert_eq!(short.parse::<Policy>().unwrap(), full.parse().unwrap());
        }
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(with_spaces(0), "0");
        assert_eq!(with_spaces(999), "999");
        assert_eq!(with_spaces(1000), "1 000");
        assert_eq!(with_spaces(123_456_789), "123 456 789");
        let texts: Vec<String> = [0.0, 0.1234, 1.234, 9.999, 99.96, 1234.6, 1e-5].map(three_digits).to_vec();
        assert_eq!(texts, ["0", "0.123", "1.23", "10.0", "100", "1235", "1.00e-5"]);
    }
}
