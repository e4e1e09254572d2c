//! `compare` with applications in data regions, as a user runs it.

use serde_json::{Value, json};
use std::process::{Command, Output};
use tempfile::TempDir;

fn apportion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_apportion")).env("APPORTION_HISTORY", "off").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = apportion(arguments);
    assert!(output.status.success(), "{arguments:?}: {:?}\n{}", output.status, text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn fails(arguments: &[&str], status: i32, words: &[&str]) {
    let output = apportion(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{error}");
    for word in words {
        assert!(error.contains(word), "{arguments:?}: no `{word}` in\n{error}");
    }
}

/// The CPU, where it is asked for, and two devices with memory of their own, of which the second is slow.
fn machine(folder: &TempDir, cpu: bool, gib_of_last: f64) -> String {
    let figure = |value: f64| json!({"value": value, "source": "assumed"});
    let device = |id: usize, name: &str, gflops: f64| {
        json!({
            "id": id, "name": name, "f32_gflop_per_s": figure(gflops), "f64_gflop_per_s": figure(gflops),
            "memory_gb_per_s": figure(20.0), "launch_us": figure(5.0)
        })
    };
    let mut devices = Vec::new();
    if cpu {
        let mut host = device(0, "cpu", 20.0);
        host["kind"] = json!("host");
        host["type"] = json!("HOSTCPU");
        host["memory"] = json!("shared");
        devices.push(host);
    }
    for (name, gflops) in [("gpu:0", 20.0), ("gpu:1", 10.0)] {
        let mut gpu = device(devices.len(), name, gflops);
        let direction = json!({"latency_us": figure(10.0), "bandwidth_gb_per_s": figure(8.0)});
        gpu["kind"] = json!("emulated");
        gpu["type"] = json!("NVGPU");
        gpu["memory"] = json!("discrete");
        gpu["memory_gib"] = figure(1.0);
        gpu["link"] = json!({"to": direction, "from": direction});
        gpu["emulated"] = json!({});
        devices.push(gpu);
    }
    if let Some(last) = devices.last_mut() {
        last["memory_gib"] = figure(gib_of_last);
    }
    let description = json!({"schema": "apportion.machine/1", "name": "pretenders", "devices": devices});
    let path = folder.path().join("machine.json");
    std::fs::write(&path, description.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn runs_of(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).unwrap()["runs"].as_array().unwrap().clone()
}

#[test]
fn applications_are_verified_by_every_split_and_recorded_as_resident() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    for cpu in [true, false] {
        let machine = machine(&folder, cpu, 1.0);
        let base = ["compare", "--machine", &machine, "--workloads", "apps", "--n", "48", "--steps", "9"];
        let more = ["--element", "f64", "--reps", "2", "--out", out.to_str().unwrap(), "--formats", "svg", "--json"];
        let runs = runs_of(&succeeds(&[&base[..], &more].concat()));
        let listed: Vec<_> =
            runs.iter().map(|r| (r["workload"].as_str().unwrap(), r["policy"]["name"].as_str().unwrap())).collect();
        let splits = ["REGION:model", "REGION:even", "REGION:rebalanced"];
        let apps = ["jacobi", "heat2d", "heat3d", "cardiac", "s3d"];
        let expected: Vec<_> = apps.iter().flat_map(|app| splits.map(|split| (*app, split))).collect();
        assert_eq!(listed, expected);
        for run in &runs {
            assert_eq!(run["verified"], true, "{run}");
            assert_eq!(
                (&run["residency"], &run["mode"], &run["cutoff"]),
                (&json!("resident"), &json!("emulated"), &Value::Null)
            );
            assert_eq!(run["times_ms"].as_array().unwrap().len(), 2);
            assert!(run["efficiency"].as_f64().unwrap() > 0.0, "{run}");
            assert!(run["max_rel_error"].as_f64().unwrap() < 1e-12, "{run}");
            for device in run["devices"].as_array().unwrap() {
                assert!(run["alone_ms"][device.as_str().unwrap()].as_f64().unwrap() > 0.0, "{device}: {run}");
            }
            let parts = run["per_device"].as_array().unwrap();
            assert_eq!(parts.iter().map(|part| part["iterations"].as_u64().unwrap()).sum::<u64>(), 48, "{run}");
            // Everybody either ran something or is told to be left out.
            let out: Vec<_> = run["left_out"].as_array().unwrap().iter().map(|out| &out["device"]).collect();
            for device in run["devices"].as_array().unwrap() {
                let part = parts.iter().find(|part| part["device"] == *device);
                let ran = part.is_some_and(|part| part["phases_ms"]["kernel"].as_f64().unwrap() > 0.0);
                assert!(ran != out.contains(&device), "{device}: {run}");
            }
            if run["policy"]["name"] == "REGION:even" {
                let gpu = parts.iter().find(|part| part["device"] == "gpu:1").unwrap();
                // Of all but the last, which has no halo.
                assert_eq!(gpu["phases_ms"]["exchange"].as_f64().unwrap() > 0.0, run["workload"] != "s3d", "{run}");
                assert!(gpu["alone_ms"].as_f64().unwrap() > 0.0);
                let rows: Vec<_> = parts.iter().map(|part| part["iterations"].as_u64().unwrap()).collect();
                assert_eq!(rows, vec![48 / rows.len() as u64; rows.len()]);
            }
        }
        assert!(out.join("record.json").exists() && out.join("time_by_policy.svg").exists());
        assert!(out.join("phases_by_device.svg").exists());
    }
}

#[test]
fn a_series_over_numbers_of_devices_is_recorded_and_drawn() {
    let folder = TempDir::new().unwrap();
    let (machine, out) = (machine(&folder, true, 1.0), folder.path().join("out"));
    let base = ["compare", "--machine", &machine, "--workloads", "heat2d", "--n", "40", "--steps", "12", "--reps", "2"];
    let more = ["--scaling", "strong,weak", "--out", out.to_str().unwrap(), "--formats", "svg,png", "--json"];
    let runs = runs_of(&succeeds(&[&base[..], &more].concat()));
    for kind in ["strong", "weak"] {
        let mine: Vec<_> = runs.iter().filter(|run| run["scaling"]["kind"] == kind).collect();
        let places: Vec<_> = mine.iter().map(|run| run["scaling"]["devices"].as_u64().unwrap()).collect();
        assert_eq!(places, [1, 2, 2, 2, 2, 3, 3, 3, 3], "{kind}");
        for run in mine {
            let devices = run["scaling"]["devices"].as_u64().unwrap();
            let times = if kind == "weak" { devices } else { 1 };
            assert_eq!((&run["n"], &run["scaling"]["times"]), (&json!(40), &json!(times)), "{run}");
            assert_eq!(run["devices"].as_array().unwrap().len() as u64, devices);
            assert_eq!(run["verified"], true, "{run}");
            assert!(run["efficiency"].as_f64().unwrap() > 0.0, "{run}");
            let parts = run["per_device"].as_array().unwrap();
            assert_eq!(parts.iter().map(|part| part["iterations"].as_u64().unwrap()).sum::<u64>(), 40 * times, "{run}");
            // 12 steps are 12 loops, of which the first is not in it.
            let windows = run["timeline"]["windows"].as_array().unwrap();
            assert_eq!(windows.iter().map(|window| window["loops"].as_u64().unwrap()).sum::<u64>(), 11, "{run}");
            for window in windows {
                let rows = window["rows"].as_array().unwrap();
                assert_eq!(rows.iter().map(|rows| rows.as_u64().unwrap()).sum::<u64>(), 40 * times);
                assert!(window["time_ms"].as_f64().unwrap() > 0.0);
            }
        }
    }
    assert_eq!(runs.len(), 18);
    // Times alone are those on arrays that one device has.
    for run in &runs {
        let first = run["scaling"]["times"] == 1;
        assert_eq!(run["alone_ms"]["cpu"].is_number(), first && run["scaling"]["devices"] != 1, "{run}");
    }
    let figures = ["strong_scaling", "weak_scaling", "exchange_share", "imbalance_over_time"];
    for figure in figures {
        assert!(out.join(format!("{figure}.svg")).exists() && out.join(format!("{figure}.png")).exists(), "{figure}");
    }
    // The same from the record.
    let again = folder.path().join("again");
    let record = out.join("record.json");
    succeeds(&["plot", record.to_str().unwrap(), "--out", again.to_str().unwrap(), "--formats", "svg"]);
    for figure in figures.map(|figure| format!("{figure}.svg")) {
        assert_eq!(std::fs::read(out.join(&figure)).unwrap(), std::fs::read(again.join(&figure)).unwrap(), "{figure}");
    }
}

#[test]
fn a_time_line_is_recorded_where_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let machine = machine(&folder, false, 1.0);
    let base = [
        "compare",
        "--machine",
        &machine,
        "--workloads",
        "heat2d",
        "--n",
        "32",
        "--steps",
        "9",
        "--reps",
        "1",
        "--json",
    ];
    let names = |runs: &[Value]| runs.iter().map(|run| run["policy"]["name"].clone()).collect::<Vec<_>>();
    let plain = runs_of(&succeeds(&base));
    assert!(plain.iter().all(|run| run.get("timeline").is_none() && run.get("scaling").is_none()));
    let timed = runs_of(&succeeds(&[&base[..], &["--timeline"]].concat()));
    assert_eq!(names(&timed)[..3], names(&plain)[..]);
    assert_eq!(names(&timed)[3], "REGION:even-rebalanced");
    for run in &timed {
        let (timeline, parts) = (&run["timeline"], run["per_device"].as_array().unwrap());
        let devices: Vec<_> = parts.iter().map(|part| part["device"].clone()).collect();
        assert_eq!(timeline["devices"], json!(devices));
        assert_eq!(timeline["windows"].as_array().unwrap().len(), 8);
    }
}

#[test]
fn kernels_from_one_function_are_verified_and_recorded_as_such() {
    let folder = TempDir::new().unwrap();
    let machine = machine(&folder, true, 1.0);
    let base = ["compare", "--machine", &machine, "--n", "32", "--steps", "5", "--reps", "1", "--json"];
    let more = ["--workloads", "all,apps", "--policies", "BLOCK"];
    for (form, flags) in [("hand", &[][..]), ("hand", &["--form", "hand"]), ("single", &["--form", "single"])] {
        let runs = runs_of(&succeeds(&[&base[..], &more, flags].concat()));
        // Six loops, and five applications by three splits.
        assert_eq!(runs.len(), 6 + 5 * 3);
        for run in &runs {
            assert_eq!((&run["verified"], &run["form"]), (&json!(true), &json!(form)), "{run}");
        }
    }
    let text = succeeds(
        &[&base[..5], &["--reps", "1", "--workloads", "axpy", "--policies", "BLOCK", "--form", "single"]].concat(),
    );
    assert!(text.contains("kernel from one Rust function"), "{text}");
}

#[test]
fn one_device_has_one_split_and_loops_stand_beside_applications() {
    let folder = TempDir::new().unwrap();
    let machine = machine(&folder, false, 1.0);
    let base = ["compare", "--machine", &machine, "--devices", "0", "--n", "32", "--reps", "1", "--json"];
    let runs = runs_of(&succeeds(&[&base[..], &["--workloads", "heat2d,axpy", "--policies", "BLOCK"]].concat()));
    let listed: Vec<_> = runs.iter().map(|r| (&r["workload"], &r["policy"]["name"], &r["residency"])).collect();
    assert_eq!(json!(listed), json!([["axpy", "BLOCK", "cold"], ["heat2d", "REGION:model", "resident"]]));
    // 200 steps at most where the size is not a paper's: 199 of them are timed.
    assert!(runs[1]["notes"][0].as_str().unwrap().starts_with("time of 199 steps"), "{}", runs[1]);
    let runs = runs_of(&succeeds(&[&base[..], &["--workloads", "all", "--policies", "BLOCK"]].concat()));
    assert_eq!(runs.iter().map(|r| r["residency"] == "cold").collect::<Vec<_>>(), [true; 6]);
    let table = succeeds(&["compare", "--machine", &machine, "--workloads", "heat2d", "--n", "16", "--reps", "1"]);
    assert!(table.contains("heat2d   n = 16, f32, resident") && table.contains("REGION:even"), "{table}");
}

#[test]
fn a_device_without_room_leaves_no_time_and_status_1() {
    let folder = TempDir::new().unwrap();
    let machine = machine(&folder, false, 1e-6);
    let base = ["compare", "--machine", &machine, "--workloads", "heat2d", "--n", "32", "--steps", "5", "--reps", "2"];
    fails(&[&base[..], &["--json"]].concat(), 1, &["heat2d by REGION:even: failed: ", "gpu:1"]);
    let output = apportion(&[&base[..], &["--json"]].concat());
    let runs = runs_of(&text(&output.stdout));
    let even = runs.iter().find(|run| run["policy"]["name"] == "REGION:even").unwrap();
    assert_eq!((&even["times_ms"], &even["verified"]), (&json!([]), &Value::Null));
}

#[test]
fn what_cannot_be_is_refused_with_status_2() {
    let folder = TempDir::new().unwrap();
    let machine = machine(&folder, true, 1.0);
    for command in ["simulate", "explain"] {
        let arguments = [command, "--machine", &machine, "--workloads", "axpy,cardiac"];
        fails(&arguments, 2, &["--workloads cardiac", "data region", "apportion compare"]);
    }
    let refused: [(&[&str], &[&str]); 14] = [
        (&["--workloads", "axpy", "--scaling", "weak"], &["--scaling", "--workloads apps"]),
        (&["--workloads", "apps", "--scaling", "weak", "--devices", "1"], &["at least two devices", "--devices 1"]),
        (&["--workloads", "apps", "--scaling", "linear"], &["`linear`", "strong, weak"]),
        (&["--workloads", "heat4d"], &["heat4d", "bm2d", "jacobi, heat2d, heat3d, cardiac, s3d", "`apps`"]),
        (&["--workloads", "jacobi", "--n", "2"], &["jacobi", "at least 3"]),
        (&["--workloads", "heat3d", "--n", "100000"], &["heat3d", "GB", "smaller n"]),
        (&["--workloads", "heat3d", "--n", "1e18"], &["heat3d", "too many"]),
        (&["--workloads", "apps", "--steps", "1"], &["--steps", "2.."]),
        (&["--workloads", "jacobi", "--policies", "BLOCK"], &["--policies: is for loops", "no policy applies"]),
        (&["--workloads", "apps", "--cutoff", "benefit:2%"], &["--cutoff: is for loops"]),
        (&["--workloads", "axpy", "--steps", "5"], &["--steps", "--workloads apps"]),
        (&["--steps", "5"], &["--steps", "--workloads apps"]),
        (&["--workloads", "axpy", "--timeline", "--json"], &["--timeline", "--workloads apps"]),
        (&["--workloads", "heat2d", "--timeline"], &["--timeline", "--out DIR", "--json"]),
    ];
    for (more, words) in refused {
        fails(&[&["compare", "--machine", &machine], more].concat(), 2, words);
    }
}
