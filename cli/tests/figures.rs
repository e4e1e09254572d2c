//! Figures of ordinary and odd records are drawn, in every format, the same each time.

mod samples;

use apportion_cli::figures::{FigureError, Format, draw_all, file_names};
use apportion_cli::grouping::groups;
use apportion_cli::record::{Mode, Record, Residency};
use samples::{POLICIES, SEVEN, TWO, WORKLOADS, everything, odd, record, run};
use std::path::{Path, PathBuf};

/// Draws into a folder that stays after the test, to be looked at.
fn draw(name: &str, record: &Record) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    record
        .save(&dir.with_extension("json"))
        .or_else(|_| {
            std::fs::create_dir_all(dir.parent().unwrap()).unwrap();
            record.save(&dir.with_extension("json"))
        })
        .unwrap();
    let files = draw_all(record, &dir, &Format::ALL).unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, file_names(groups(record).len(), &Format::ALL));
    assert_eq!(files.len() % 9, 0);
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let start: &[u8] = match file.extension().unwrap().to_str().unwrap() {
            "svg" => b"<svg ",
            "png" => b"\x89PNG",
            _ => b"%PDF",
        };
        assert!(bytes.starts_with(start) && bytes.len() > 2000, "{}: {} bytes", file.display(), bytes.len());
    }
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), files.len(), "nothing else is left in the folder");
    files
}

#[test]
fn two_devices() {
    draw("two", &everything(&TWO, 10));
}

#[test]
fn seven_devices() {
    let mut record = everything(&SEVEN, 1);
    for run in &mut record.runs {
        run.mode = Mode::Simulated;
        run.verified = None;
    }
    draw("seven", &record);
}

#[test]
fn one_workload_three_policies_one_device() {
    draw("one", &record(POLICIES[..3].iter().map(|policy| run(WORKLOADS[2], *policy, &TWO[..1], 10)).collect()));
}

#[test]
fn one_workload_seven_devices() {
    draw("one-seven", &record(POLICIES.iter().map(|policy| run(WORKLOADS[2], *policy, &SEVEN, 10)).collect()));
}

#[test]
fn two_workloads_with_long_names() {
    let mut runs = Vec::new();
    for workload in &WORKLOADS[..2] {
        for policy in &POLICIES {
            let mut run = run(*workload, *policy, &TWO, 10);
            run.workload = format!("{}_with_a_name_longer_than_its_panel_is_wide", run.workload);
            run.mode = Mode::Emulated;
            run.residency = Residency::Resident;
            run.devices[0] = "host".into();
            run.devices[1] = "emulated:a_device_with_a_long_name_<&>\u{1}".into();
            run.per_device[1].device = run.devices[1].clone();
            run.policy.parameters.insert("mode".into(), "as_in_the_first_description_of_it".into());
            runs.push(run);
        }
    }
    draw("long", &record(runs));
}

#[test]
fn missing_and_wrong_values() {
    draw("odd", &odd());
}

#[test]
fn nothing_known_at_all() {
    let mut record = record(vec![run(WORKLOADS[0], POLICIES[0], &TWO, 3)]);
    record.runs[0].times_ms.clear();
    record.runs[0].per_device.clear();
    record.runs[0].devices.clear();
    record.runs[0].predicted_ms = None;
    record.runs[0].imbalance = None;
    draw("unknown", &record);
}

#[test]
fn times_of_zero() {
    let mut record = record(vec![run(WORKLOADS[0], POLICIES[0], &TWO, 8)]);
    record.runs[0].times_ms.fill(0.0);
    draw("zero", &record);
}

#[test]
fn many_panels_go_to_a_second_sheet() {
    let mut record = everything(&TWO, 7);
    let mut more: Vec<_> = record.runs.iter().cloned().chain(record.runs.iter().cloned()).collect();
    for (index, run) in more.iter_mut().enumerate() {
        run.n *= 2 + (index / 48) as u64;
    }
    record.runs.append(&mut more);
    let files = draw("many", &record);
    assert_eq!(files.len(), 18);
    assert!(files.iter().any(|file| file.ends_with("time_by_policy-2.svg")));
}

#[test]
fn the_same_record_gives_the_same_bytes() {
    let record = everything(&TWO, 10);
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (draw_all(&record, a.path(), &Format::ALL), draw_all(&record, b.path(), &Format::ALL));
    for (first, second) in first.unwrap().iter().zip(&second.unwrap()) {
        assert_eq!(first.file_name(), second.file_name());
        assert!(std::fs::read(first).unwrap() == std::fs::read(second).unwrap(), "{}", first.display());
    }
}

#[test]
fn an_empty_record_is_an_error_and_makes_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("figures");
    assert!(matches!(draw_all(&record(vec![]), &target, &Format::ALL), Err(FigureError::Empty)));
    assert!(!target.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let taken = dir.path().join("taken");
    std::fs::write(&taken, "a file").unwrap();
    let error = draw_all(&everything(&TWO, 1), &taken, &[Format::Svg]).unwrap_err().to_string();
    assert!(error.starts_with("cannot write ") && error.contains("taken"), "{error}");
}
