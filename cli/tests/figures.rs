//! Figures of ordinary and odd records are drawn, in every format, the same each time.

mod samples;

use apportion_cli::figures::{FigureError, Format, Width, draw_all, file_names};
use apportion_cli::grouping::groups;
use apportion_cli::record::{Mode, Record, Residency, Run, Scaling, ScalingKind, TimeLine, TimeWindow};
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
    let files = draw_all(record, &dir, &Format::ALL, Width::Page).unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    let usual = file_names(groups(record).len(), &Format::ALL, Width::Page);
    assert_eq!(names[..usual.len()], usual);
    assert_eq!(usual.len() % 9, 0);
    // Where devices also ran alone there is a figure of that.
    let groups = groups(record);
    let alone = groups.iter().filter(|group| {
        let known = group.devices.iter().any(|device| group.alone_ms(device).is_some());
        known && group.devices.len() > 1 && group.common.scaling.is_none()
    });
    let more = 3 * alone.count().div_ceil(12);
    assert!(names.len() == usual.len() + more || record.runs.iter().any(|run| run.scaling.is_some()));
    assert_eq!(names.contains(&"time_by_devices.pdf"), more > 0);
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

/// Names of devices of a cluster often differ at their ends alone.
#[test]
fn devices_of_long_names_that_differ_at_their_ends_stay_apart() {
    let names = [0, 1].map(|number| format!("node-0117.partition-gh200.cluster.example.org/gpu{number}"));
    let mut run = run(WORKLOADS[0], POLICIES[0], &TWO, 3);
    run.devices = names.to_vec();
    for (part, name) in run.per_device.iter_mut().zip(&names) {
        part.device = name.clone();
    }
    let files = draw("ends", &record(vec![run]));
    for name in ["share_by_device.svg", "phases_by_device.svg"] {
        let svg = std::fs::read_to_string(files.iter().find(|file| file.ends_with(name)).unwrap()).unwrap();
        for end in ["example.org/gpu0", "example.org/gpu1"] {
            assert!(svg.contains(end), "{name} lacks {end}");
        }
    }
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

/// As a record by another program may have them.
#[test]
fn counts_as_large_as_they_can_be() {
    let mut runs = vec![run(WORKLOADS[0], POLICIES[0], &TWO, 3), of_series(ScalingKind::Strong, 2, "REGION:even", 0.1)];
    for run in &mut runs {
        run.n = u64::MAX;
        run.per_device.iter_mut().for_each(|part| (part.iterations, part.chunks) = (u64::MAX, u64::MAX));
        for window in run.timeline.iter_mut().flat_map(|line| &mut line.windows) {
            (window.first, window.loops) = (u64::MAX, u64::MAX);
        }
    }
    let record = record(runs);
    let svg = |name: &str| {
        let files = draw("counts", &record);
        std::fs::read_to_string(files.iter().find(|file| file.ends_with(name)).unwrap()).unwrap()
    };
    assert!(svg("share_by_device.svg").contains("iterations (%)"));
    assert!(svg("imbalance_over_time.svg").contains("imbalance (%)"));
    assert!(apportion_cli::table::render(&record, 120).contains("50 % /18446744073709551615"));
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
    assert_eq!(files.len(), 24);
    assert!(files.iter().any(|file| file.ends_with("time_by_policy-2.svg")));
}

#[test]
fn the_same_record_gives_the_same_bytes() {
    let record = everything(&TWO, 10);
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (
        draw_all(&record, a.path(), &Format::ALL, Width::Page),
        draw_all(&record, b.path(), &Format::ALL, Width::Page),
    );
    for (first, second) in first.unwrap().iter().zip(&second.unwrap()) {
        assert_eq!(first.file_name(), second.file_name());
        assert!(std::fs::read(first).unwrap() == std::fs::read(second).unwrap(), "{}", first.display());
    }
}

#[test]
fn both_widths_are_those_of_a_journal_and_no_type_is_small() {
    let mut runs = everything(&SEVEN, 7).runs;
    for kind in [ScalingKind::Strong, ScalingKind::Weak] {
        runs.extend((1..=4).map(|devices| of_series(kind, devices, "REGION:model", 0.02)));
    }
    for (width, most) in [(Width::Column, 241.2), (Width::Page, 516.0)] {
        let dir = tempfile::tempdir().unwrap();
        for file in draw_all(&record(runs.clone()), dir.path(), &[Format::Svg], width).unwrap() {
            let svg = std::fs::read_to_string(&file).unwrap();
            let numbers = |before: &str| -> Vec<f64> {
                let after = svg.split(before).skip(1);
                after.filter_map(|text| text.split(['"', 'p']).next()?.parse().ok()).collect()
            };
            assert!(numbers(" width=\"")[0] <= most, "{}: {:?}", file.display(), numbers(" width=\"")[0]);
            let smallest = numbers("font-size=\"").into_iter().fold(f64::INFINITY, f64::min);
            // In hundredths of a point.
            assert!(smallest > 690.0, "{}: {smallest}", file.display());
        }
    }
}

#[test]
fn a_figure_of_devices_has_each_kind_alone_and_all_together() {
    let files = draw("devices", &everything(&SEVEN, 7));
    let file = files.iter().find(|file| file.ends_with("time_by_devices.svg")).unwrap();
    let svg = std::fs::read_to_string(file).unwrap();
    for words in ["CPU", "GPU", "mic", "AUTO", "fastest", "95 % interval", "of several devices of a kind"] {
        assert!(svg.contains(words), "{words}");
    }
}

#[test]
fn policies_have_their_whole_names() {
    let files = draw("names", &everything(&TWO, 7));
    let file = files.iter().find(|file| file.ends_with("time_by_policy.svg")).unwrap();
    let svg = std::fs::read_to_string(file).unwrap();
    for name in ["SCHED_DYNAMIC:2%", "SCHED_PROFILE_AUTO:10%", "MODEL_PROFILE_AUTO:10%", "MODEL_2_AUTO"] {
        assert!(svg.contains(name), "{name}");
    }
}

#[test]
fn an_empty_record_is_an_error_and_makes_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("figures");
    assert!(matches!(draw_all(&record(vec![]), &target, &Format::ALL, Width::Page), Err(FigureError::Empty)));
    assert!(!target.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let taken = dir.path().join("taken");
    std::fs::write(&taken, "a file").unwrap();
    let error = draw_all(&everything(&TWO, 1), &taken, &[Format::Svg], Width::Page).unwrap_err().to_string();
    assert!(error.starts_with("cannot write ") && error.contains("taken"), "{error}");
}

/// A run of a series: on so many of four devices, with a time line whose imbalance fades.
fn of_series(kind: ScalingKind, devices: usize, split: &'static str, slowness: f64) -> Run {
    let all =
        [("cuda:0", 5.0, 0.0, 0.0), ("cuda:1", 5.0, 0.0, 0.0), ("cuda:2", 4.0, 0.0, 0.0), ("mic:0", 2.0, 0.0, 0.0)];
    let mut run = run(("jacobi", 4096, 11_000.0), (split, None, 0.3), &all[..devices], 7);
    let times = if kind == ScalingKind::Weak { devices as u64 } else { 1 };
    run.residency = Residency::Resident;
    run.scaling = Some(Scaling { kind, devices: devices as u64, times });
    let share = times as f64 / devices as f64 * (1.0 + slowness * (devices as f64 - 1.0));
    let one = 100.0 * share;
    run.times_ms = (0..7).map(|k| one * (1.0 + 0.01 * f64::from(k % 3))).collect();
    run.efficiency = Some((times as f64 / devices as f64) * 100.0 / one);
    let window = |k: u64| {
        let uneven = if split.ends_with("rebalanced") && k > 8 { 0.05 } else { 0.5 };
        let busy = |device: usize| 1.0 + uneven * device as f64;
        let list = |of: &dyn Fn(usize) -> f64| (0..devices).map(of).collect::<Vec<f64>>();
        TimeWindow {
            first: k,
            loops: 1,
            time_ms: 3.0,
            rows: (0..devices as u64).map(|device| 1000 + if uneven < 0.1 { device } else { 0 }).collect(),
            busy_ms: list(&busy),
            exchange_ms: list(&|_| 0.2 * (devices as f64 - 1.0)),
            wait_ms: list(&|device| 3.0 - busy(device)),
        }
    };
    run.timeline = Some(TimeLine { devices: run.devices.clone(), windows: (0..40).map(window).collect() });
    run
}

#[test]
fn series_over_numbers_of_devices() {
    let mut runs = Vec::new();
    for kind in [ScalingKind::Strong, ScalingKind::Weak] {
        runs.push(of_series(kind, 1, "REGION:model", 0.0));
        for devices in 2..=4 {
            for (split, slowness) in [("REGION:model", 0.02), ("REGION:even", 0.2), ("REGION:even-rebalanced", 0.05)] {
                runs.push(of_series(kind, devices, split, slowness));
            }
        }
    }
    let files = draw("series", &record(runs.clone()));
    let figure = |name: &str| {
        let file = files.iter().find(|file| file.ends_with(name)).unwrap_or_else(|| panic!("no {name}"));
        std::fs::read_to_string(file).unwrap()
    };
    for (name, words) in [
        ("strong_scaling.svg", ["speedup", "even at first, rows move", "95 %"]),
        ("weak_scaling.svg", ["efficiency", "a device", "ideal"]),
        ("exchange_share.svg", ["ghost cells under way", "busiest device", "weak scaling"]),
        ("imbalance_over_time.svg", ["imbalance (%)", "rows moved", "3 devices, strong"]),
    ] {
        for word in words {
            assert!(figure(name).contains(word), "{name}: {word}");
        }
    }
    // One kind alone has no sheet of the other; a failed run leaves a gap.
    runs.truncate(10);
    runs[4].times_ms.clear();
    runs[0].efficiency = None;
    let files = draw("series-odd", &record(runs));
    assert!(files.iter().any(|file| file.ends_with("strong_scaling.svg")));
    assert!(files.iter().all(|file| !file.ends_with("weak_scaling.svg")));
}
