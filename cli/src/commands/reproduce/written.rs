//! Predictions and comparisons as CSV and JSON. Their keys are stable.

use crate::failure::Failure;
use crate::options::command_line;
use apportion_reproduce::cases::{COLUMNS, Listed, SWEEPS, device_list, fields};
use apportion_reproduce::compare::{Compared, Errors, best, grouped};
use apportion_reproduce::csv::field;
use apportion_reproduce::experiments::{CUTOFF, Predicted, Set, figure, table_v, under_all_policies};
use apportion_reproduce::kernels::Kernel;
use apportion_reproduce::node::Node;
use apportion_reproduce::simulate::{Case, Outcome, Phase};
use serde_json::{Map, Value, json};

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// An object with one line per list entry, so that a case is easy to find and hundreds stay compact.
fn one_a_line(value: &Value) -> String {
    let Some(object) = value.as_object() else { return text(value) };
    let entry = |(key, value): (&String, &Value)| match value.as_array() {
        Some(list) => {
            let lines: Vec<String> = list.iter().map(|entry| format!("    {entry}")).collect();
            format!("  {}: [\n{}\n  ]", json!(key), lines.join(",\n"))
        }
        None => format!("  {}: {value}", json!(key)),
    };
    format!("{{\n{}\n}}\n", object.iter().map(entry).collect::<Vec<_>>().join(",\n"))
}

/// A case as in its table: numbers as numbers, empty fields as null.
fn case_json(fields: &[String; 6]) -> Map<String, Value> {
    let value = |(column, text): (&str, &String)| {
        let value = match column {
            _ if text.is_empty() => Value::Null,
            "size" => text.parse::<u64>().map_or_else(|_| text.clone().into(), Value::from),
            "chunk_pct" | "cutoff_pct" => text.parse::<f64>().map_or_else(|_| text.clone().into(), Value::from),
            _ => text.clone().into(),
        };
        (column.to_owned(), value)
    };
    COLUMNS.into_iter().zip(fields).map(value).collect()
}

fn predicted_json(node: &Node, case: &Case, outcome: &Outcome) -> Value {
    let parts = outcome.parts.iter().map(|part| {
        let device = &node.devices[part.device];
        json!({
            "device": device.name,
            "kind": device.kind.name(),
            "number": device.number,
            "iterations": part.iterations,
            "share_pct": 100.0 * part.iterations as f64 / case.n as f64,
            "chunks": part.chunks,
            "phases_ms": {
                "memory": part.times.get(Phase::Memory),
                "to": part.times.get(Phase::To),
                "kernel": part.times.get(Phase::Kernel),
                "exchange": part.times.get(Phase::Exchange),
                "from": part.times.get(Phase::From),
                "outside": part.times.get(Phase::Outside),
                "stage_wait": part.times.get(Phase::Stage),
                "end_wait": part.times.get(Phase::End),
            },
        })
    });
    parts.collect()
}

/// `apportion.homp-cases/1`: a list of cases, each with `predicted_ms` and its devices, or with a reason if it is refused.
pub fn cases_json(node: &Node, predicted: &[(&Listed, Option<Outcome>)]) -> Result<String, Failure> {
    let cases = predicted.iter().map(|(one, outcome)| {
        let mut case = case_json(&one.fields);
        if let Some(sweeps) = one.case.sweeps {
            case.insert(SWEEPS.to_owned(), sweeps.into());
        }
        case.insert("line".to_owned(), one.line.into());
        case.insert("predicted_ms".to_owned(), outcome.as_ref().map(|outcome| outcome.ms).into());
        let devices = outcome.as_ref().map_or_else(|| json!([]), |outcome| predicted_json(node, &one.case, outcome));
        case.insert("per_device".to_owned(), devices);
        if let Some(reason) = &one.refused {
            case.insert("reason".to_owned(), reason.clone().into());
        }
        Value::Object(case)
    });
    let cases: Vec<Value> = cases.collect();
    Ok(text(&json!({ "schema": "apportion.homp-cases/1", "command": command_line(), "cases": cases })))
}

fn shares(case: &Case, outcome: &Outcome) -> String {
    let share = |iterations: u64| format!("{:.3}", 100.0 * iterations as f64 / case.n as f64);
    outcome.parts.iter().map(|part| share(part.iterations)).collect::<Vec<_>>().join("-")
}

/// The list's columns, then the predicted time and the shares in the order of the devices, empty if it is refused; then the sweeps, if
/// a case says how many.
pub fn cases_csv(predicted: &[(&Listed, Option<Outcome>)]) -> String {
    let with_sweeps = predicted.iter().any(|(one, _)| one.case.sweeps.is_some());
    let last = if with_sweeps { format!(",{SWEEPS}") } else { String::new() };
    let mut lines = vec![format!("{},predicted_ms,shares_pct{last}", COLUMNS.join(","))];
    lines.extend(predicted.iter().map(|(one, outcome)| {
        let fields: Vec<String> = one.fields.iter().map(|text| field(text)).collect();
        let predicted = |outcome: &Outcome| format!("{:.3},{}", outcome.ms, shares(&one.case, outcome));
        let predicted = outcome.as_ref().map_or_else(|| ",".to_owned(), predicted);
        let sweeps = one.case.sweeps.map_or_else(String::new, |sweeps| sweeps.to_string());
        let last = if with_sweeps { format!(",{sweeps}") } else { String::new() };
        format!("{},{predicted}{last}", fields.join(","))
    }));
    lines.join("\n") + "\n"
}

/// The columns of a list of cases, then measured and predicted time, the error and the shares.
pub fn compared_csv(node: &Node, all: &[Compared]) -> String {
    let mut lines = vec![format!("{},ndev,measured_ms,predicted_ms,error_pct,shares_pct", COLUMNS.join(","))];
    lines.extend(all.iter().map(|one| {
        let case = &one.measured.case;
        format!(
            "{},{},{:.2},{:.2},{:.2},{}",
            fields(node, case).join(","),
            one.devices(),
            one.measured.ms,
            one.outcome.ms,
            100.0 * one.error(),
            shares(case, &one.outcome)
        )
    }));
    lines.join("\n") + "\n"
}

/// Table V, simulated, next to the paper's figures.
pub fn table_v_csv(node: &Node) -> String {
    let mut lines = vec![
        "kernel,size,without_policy,without_ms,with_policy,with_ms,speedup,devices,paper_speedup,paper_devices"
            .to_owned(),
    ];
    lines.extend(table_v(node).iter().map(|row| {
        let quoted = |policy: String| field(&policy);
        format!(
            "{},{},{},{:.2},{},{:.2},{:.2},{},{:.2},{}",
            row.kernel,
            row.n,
            quoted(row.without.case.policy.to_string()),
            row.without.outcome.ms,
            quoted(row.with.case.policy.to_string()),
            row.with.outcome.ms,
            row.speedup(),
            row.devices(node),
            row.paper,
            row.paper_devices
        )
    }));
    lines.join("\n") + "\n"
}

fn errors_json(errors: &Errors) -> Map<String, Value> {
    let figures = [
        ("cases", errors.count.into()),
        ("median_pct", (100.0 * errors.median).into()),
        ("ninth_decile_pct", (100.0 * errors.ninth).into()),
        ("worst_pct", (100.0 * errors.worst).into()),
        ("bias_pct", (100.0 * errors.bias).into()),
    ];
    figures.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
}

/// `apportion.reproduction/1`: errors, best policies, all compared cases (figures 5 to 7 among them), figures 8
/// and 9, table V.
pub fn reproduction_json(node: &Node, all: &[Compared]) -> Result<String, Failure> {
    let errors: Vec<Value> = grouped(node, all)
        .iter()
        .map(|group| {
            let mut object = errors_json(&group.errors);
            object.insert("by".to_owned(), group.by.into());
            object.insert("name".to_owned(), group.name.clone().into());
            Value::Object(object)
        })
        .collect();
    let compared: Vec<Value> = all
        .iter()
        .map(|one| {
            let case = &one.measured.case;
            let mut object = case_json(&fields(node, case));
            object.insert("measured_ms".to_owned(), one.measured.ms.into());
            object.insert("predicted_ms".to_owned(), one.outcome.ms.into());
            object.insert("error_pct".to_owned(), (100.0 * one.error()).into());
            object.insert("imbalance_pct".to_owned(), (100.0 * one.outcome.imbalance()).into());
            object.insert("end_wait_pct".to_owned(), (100.0 * one.outcome.end_wait()).into());
            object.insert("per_device".to_owned(), predicted_json(node, case, &one.outcome));
            Value::Object(object)
        })
        .collect();
    let best: Vec<Value> = best(all)
        .iter()
        .map(|one| {
            json!({
                "kernel": one.kernel.name(),
                "devices": device_list(node, &one.devices),
                "simulated": one.simulated.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "measured": one.measured.to_string(),
                "loss_pct": 100.0 * one.loss(),
                "noise_pct": 100.0 * one.noise,
                "within_noise": one.within_noise(),
            })
        })
        .collect();
    let simulated = |predicted: &[Predicted]| -> Vec<Value> {
        let one = |one: &Predicted| {
            let mut object = case_json(&fields(node, &one.case));
            object.insert("predicted_ms".to_owned(), one.outcome.ms.into());
            object.insert("imbalance_pct".to_owned(), (100.0 * one.outcome.imbalance()).into());
            object.insert("end_wait_pct".to_owned(), (100.0 * one.outcome.end_wait()).into());
            object.insert("per_device".to_owned(), predicted_json(node, &one.case, &one.outcome));
            Value::Object(object)
        };
        predicted.iter().map(one).collect()
    };
    let cutoffs = Kernel::ALL.into_iter().flat_map(|kernel| under_all_policies(node, Set::All, kernel, Some(CUTOFF)));
    let cutoffs = cutoffs.collect::<Vec<_>>();
    let table_v: Vec<Value> = table_v(node)
        .iter()
        .map(|row| {
            json!({
                "kernel": row.kernel.name(),
                "size": row.n,
                "without": row.without.case.policy.to_string(),
                "with": row.with.case.policy.to_string(),
                "speedup": row.speedup(),
                "devices": row.devices(node),
                "paper_speedup": row.paper,
                "paper_devices": row.paper_devices,
            })
        })
        .collect();
    Ok(one_a_line(&json!({
        "schema": "apportion.reproduction/1",
        "command": command_line(),
        "version": env!("CARGO_PKG_VERSION"),
        "errors": errors,
        "best": best,
        "cases": compared,
        "figure_8": simulated(&figure(node, Set::HostAndPhis)),
        "figure_9": simulated(&figure(node, Set::All)),
        "figure_9_cutoff": simulated(&cutoffs),
        "table_v": table_v,
    })))
}
