//! Records survive the way through a file, and broken files are told apart.

mod samples;

use apportion_cli::record::{HostMemory, Record, RecordError};
use samples::{POLICIES, SEVEN, TWO, WORKLOADS, everything, odd, record, run};
use serde_json::Value;

/// The text of a small record, as other programs read it.
const GOLDEN: &str = include_str!("golden/record.json");

fn small() -> Record {
    let mut run = run(WORKLOADS[0], POLICIES[1], &TWO, 2);
    run.times_ms = vec![30.25, 31.0];
    run.imbalance = Some(0.125);
    run.efficiency = None;
    for part in &mut run.per_device {
        part.phases_ms.kernel = Some(24.5);
        part.phases_ms.to = None;
        part.phases_ms.from = None;
        part.phases_ms.wait = Some(0.5);
        part.alone_ms = None;
    }
    record(vec![run])
}

#[test]
fn a_record_is_the_same_after_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    for record in [small(), everything(&TWO, 10), everything(&SEVEN, 1), odd(), record(vec![])] {
        record.save(&path).unwrap();
        // Not `assert_eq`: a difference would fill the screen.
        assert!(Record::load(&path).unwrap() == record);
        assert!(Record::from_json(&record.to_json().unwrap()).unwrap() == record);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

/// Keys stay: whoever changes this file changes what other programs read. `UPDATE_GOLDEN=1` writes it anew.
#[test]
fn the_text_of_a_record_stays() {
    let text = small().to_json().unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/record.json"), &text).unwrap();
    } else {
        assert_eq!(text, GOLDEN);
    }
}

#[test]
fn a_new_record_has_schema_version_and_time() {
    let record = Record::new("apportion devices", Value::Null);
    assert_eq!(Record::from_json(&record.to_json().unwrap()).unwrap(), record);
    let json: Value = serde_json::from_str(&record.to_json().unwrap()).unwrap();
    assert_eq!(json["schema"], "apportion.record/1");
    assert!(json["created"].as_str().unwrap().ends_with('Z'));
}

/// The message for the golden record after a change of its JSON.
fn message(change: impl FnOnce(&mut Value)) -> String {
    let mut json: Value = serde_json::from_str(GOLDEN).unwrap();
    change(&mut json);
    Record::from_json(&json.to_string()).unwrap_err().to_string()
}

#[test]
fn a_wrong_key_is_named_with_its_path() {
    assert_eq!(
        message(|json| json["runs"][0]["times_ms"][1] = "fast".into()),
        "the record: at `runs[0].times_ms[1]`: invalid type: string \"fast\", expected a number"
    );
    assert_eq!(
        message(|json| json["runs"][0]["per_device"][1]["phases_ms"]["kernel"] = true.into()),
        "the record: at `runs[0].per_device[1].phases_ms.kernel`: invalid type: boolean `true`, expected a number"
    );
    assert_eq!(
        message(|json| json["runs"][0]["mode"] = "dreamt".into()),
        "the record: at `runs[0].mode`: unknown variant `dreamt`, expected one of `real`, `emulated`, `simulated`"
    );
    assert!(message(|json| json["created"] = "yesterday".into()).starts_with("the record: at `created`: "));
}

#[test]
fn unknown_is_null_and_never_left_out() {
    let remove = |key: &'static str| message(move |json| drop(json["runs"][0].as_object_mut().unwrap().remove(key)));
    for key in ["cutoff", "verified", "max_rel_error", "predicted_ms", "imbalance", "efficiency", "times_ms", "n"] {
        assert_eq!(remove(key), format!("the record: at `runs[0]`: lacks the key `{key}`"));
    }
    let phase =
        message(|json| drop(json["runs"][0]["per_device"][0]["phases_ms"].as_object_mut().unwrap().remove("to")));
    assert_eq!(phase, "the record: at `runs[0].per_device[0].phases_ms`: lacks the key `to`");
    let whole = message(|json| drop(json.as_object_mut().unwrap().remove("created")));
    assert_eq!(whole, "the record: lacks the key `created`");
}

#[test]
fn a_time_below_zero_is_refused_when_read_and_when_written() {
    let expected =
        "the record: at `runs[0].times_ms[0]`: -1 where a number from 0 up is expected (or null, if unknown)";
    assert_eq!(message(|json| json["runs"][0]["times_ms"][0] = (-1.0).into()), expected);
    let mut record = small();
    record.runs[0].times_ms[0] = -1.0;
    assert_eq!(record.to_json().unwrap_err().to_string(), expected);
    record.runs[0].times_ms[0] = 1.0;
    record.runs[0].per_device[1].phases_ms.to = Some(f64::NAN);
    let message = record.to_json().unwrap_err().to_string();
    assert!(message.contains("`runs[0].per_device[1].phases_ms.to`: NaN where"), "{message}");
}

#[test]
fn another_version_is_refused_before_its_keys_are_looked_at() {
    assert_eq!(
        Record::from_json(r#"{"schema": "apportion.record/2", "pages": []}"#).unwrap_err().to_string(),
        "the record: key `schema` is \"apportion.record/2\", this program reads \"apportion.record/1\""
    );
    assert_eq!(
        Record::from_json(r#"{"runs": []}"#).unwrap_err().to_string(),
        "the record: key `schema` is missing, this program reads \"apportion.record/1\""
    );
    let number = message(|json| json["schema"] = 1.into());
    assert_eq!(number, "the record: key `schema` is 1, this program reads \"apportion.record/1\"");
}

#[test]
fn a_truncated_file_is_told_from_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    // Cut at any place, the message says so, with the file and the line.
    for end in (0..GOLDEN.trim_end().len()).step_by(37) {
        std::fs::write(&path, &GOLDEN[..end]).unwrap();
        let error = Record::load(&path).unwrap_err();
        assert!(matches!(error, RecordError::Syntax { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("record.json, line ") && message.contains("is it complete?"), "{message}");
    }
    for (text, part) in [
        ("{\"schema\": apportion}", "line 1, column 12: this is no JSON: expected value"),
        ("[1, 2]", "key `schema` is missing"),
        ("42", "key `schema` is missing"),
    ] {
        let message = Record::from_json(text).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let message = Record::from_json(&format!("{GOLDEN} {{}}")).unwrap_err().to_string();
    assert!(message.contains("trailing characters"), "{message}");
}

#[test]
fn a_missing_file_and_a_missing_folder_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere/record.json");
    let message = Record::load(&path).unwrap_err().to_string();
    assert!(message.starts_with("cannot read the record ") && message.contains("nowhere/record.json"), "{message}");
    let message = small().save(&path).unwrap_err().to_string();
    assert!(message.starts_with("cannot write the record ") && message.contains("nowhere/record.json"), "{message}");
}

#[test]
fn a_record_that_cannot_be_written_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.json");
    small().save(&path).unwrap();
    let mut wrong = small();
    wrong.runs[0].times_ms[0] = f64::INFINITY;
    assert!(wrong.save(&path).is_err());
    assert_eq!(Record::load(&path).unwrap(), small());
}

#[test]
fn the_kind_of_memory_is_kept_and_records_from_before_there_were_kinds_are_read() {
    let mut record = small();
    for (memory, name) in [(HostMemory::PageLocked, "page-locked"), (HostMemory::Plain, "plain")] {
        record.runs[0].memory = Some(memory);
        let json: Value = serde_json::from_str(&record.to_json().unwrap()).unwrap();
        assert_eq!(json["runs"][0]["memory"], name);
        assert_eq!(Record::from_json(&json.to_string()).unwrap(), record);
    }
    let mut older: Value = serde_json::from_str(GOLDEN).unwrap();
    older["runs"][0].as_object_mut().unwrap().remove("memory").expect("it is written, be it as null");
    assert_eq!(Record::from_json(&older.to_string()).unwrap(), small());
}

#[test]
fn times_alone_are_kept_and_an_unknown_one_is_null() {
    let mut record = small();
    // Records from before do not have the key.
    assert!(!record.to_json().unwrap().contains("\"alone_ms\": {"));
    record.runs[0].alone_ms = [("host".to_owned(), Some(3.5)), ("opencl:0".to_owned(), None)].into();
    let json: Value = serde_json::from_str(&record.to_json().unwrap()).unwrap();
    assert_eq!(json["runs"][0]["alone_ms"], serde_json::json!({"host": 3.5, "opencl:0": null}));
    assert_eq!(Record::from_json(&json.to_string()).unwrap(), record);
    record.runs[0].alone_ms.insert("host".to_owned(), Some(-1.0));
    let below = record.to_json().unwrap_err().to_string();
    assert!(below.contains("runs[0].alone_ms.host") && below.contains("-1"), "{below}");
}

#[test]
fn keys_of_a_later_version_are_passed_over() {
    let mut json: Value = serde_json::from_str(GOLDEN).unwrap();
    json["runs"][0]["energy_j"] = 3.5.into();
    assert_eq!(Record::from_json(&json.to_string()).unwrap(), small());
}

#[test]
fn a_time_line_is_kept_and_one_that_does_not_fit_its_devices_is_refused() {
    use apportion_cli::record::{Scaling, ScalingKind, TimeLine, TimeWindow};
    let mut record = small();
    // Records from before have neither key.
    assert!(!record.to_json().unwrap().contains("timeline"));
    let window = TimeWindow {
        first: 0,
        loops: 2,
        time_ms: 3.0,
        rows: vec![5, 3, 0],
        busy_ms: vec![1.0, 3.0, 0.0],
        exchange_ms: vec![0.0; 3],
        wait_ms: vec![2.0, 0.0, 3.0],
    };
    assert_eq!(window.imbalance(), Some(0.5));
    let devices = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    record.runs[0].timeline = Some(TimeLine { devices, windows: vec![window] });
    record.runs[0].scaling = Some(Scaling { kind: ScalingKind::Weak, devices: 3, times: 3 });
    assert_eq!(Record::from_json(&record.to_json().unwrap()).unwrap(), record);
    let wrong = |change: &dyn Fn(&mut TimeWindow)| {
        let mut record = record.clone();
        change(&mut record.runs[0].timeline.as_mut().unwrap().windows[0]);
        record.to_json().unwrap_err().to_string()
    };
    let short = wrong(&|window| window.rows.truncate(2));
    assert!(short.contains("runs[0].timeline.windows[0].rows") && short.contains("3 devices"), "{short}");
    let below = wrong(&|window| window.busy_ms[1] = -1.0);
    assert!(below.contains("timeline.windows[0].busy_ms") && below.contains("-1"), "{below}");
}
