//! The program as a user runs it.

mod program;

use program::{apportion, fails, program, succeeds, text};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const POLICIES: [&str; 10] = [
    "BLOCK",
    "SCHED_DYNAMIC",
    "SCHED_GUIDED",
    "MODEL_1_AUTO",
    "MODEL_2_AUTO",
    "SCHED_PROFILE_AUTO",
    "MODEL_PROFILE_AUTO",
    "HGUIDED",
    "ADAPTIVE",
    "AUTO",
];

#[track_caller]
fn record_of(arguments: &[&str]) -> Value {
    let record = serde_json::from_str(&succeeds(arguments)).unwrap();
    is_whole_record(&record);
    record
}

fn figure(value: f64) -> Value {
    json!({"value": value, "source": "assumed"})
}

/// An emulated device: `gflops` for f32, half of it for f64.
fn emulated(id: usize, name: &str, discrete: bool, gflops: f64) -> Value {
    let mut device = json!({
        "id": id, "name": name, "kind": "emulated", "type": if id == 0 { "HOSTCPU" } else { "NVGPU" },
        "memory": if discrete { "discrete" } else { "shared" },
        "f32_gflop_per_s": figure(gflops), "f64_gflop_per_s": figure(gflops / 2.0),
        "memory_gb_per_s": figure(gflops / 2.0), "launch_us": figure(5.0), "emulated": {}
    });
    if discrete {
        let direction = json!({"latency_us": figure(10.0), "bandwidth_gb_per_s": figure(8.0)});
        device["memory_gib"] = figure(1.0);
        device["link"] = json!({"to": direction, "from": direction});
    }
    device
}

/// A shared device and two discrete ones.
fn machine() -> Value {
    json!({
        "schema": "apportion.machine/1", "name": "three pretenders",
        "devices": [emulated(0, "cpu", false, 20.0), emulated(1, "gpu:0", true, 80.0), emulated(2, "gpu:1", true, 40.0)]
    })
}

fn file(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn machine_file(folder: &TempDir) -> String {
    file(folder, "machine.json", &machine().to_string())
}

fn machines(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machines").join(name);
    path.to_str().unwrap().to_owned()
}

fn runs(record: &Value) -> &[Value] {
    record["runs"].as_array().unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[track_caller]
fn has_keys(value: &Value, wanted: &[&str]) {
    let there = keys(value);
    for key in wanted {
        assert!(there.contains(key), "no key `{key}` among {there:?}");
    }
}

/// All keys of `apportion.record/1`; the devices did all iterations.
#[track_caller]
fn is_whole_record(record: &Value) {
    has_keys(record, &["schema", "created", "version", "command", "machine", "runs"]);
    assert_eq!(record["schema"], "apportion.record/1");
    assert!(!runs(record).is_empty());
    for run in runs(record) {
        has_keys(
            run,
            &[
                "workload",
                "n",
                "element",
                "mode",
                "residency",
                "memory",
                "form",
                "policy",
                "cutoff",
                "devices",
                "left_out",
            ],
        );
        has_keys(
            run,
            &["verified", "max_rel_error", "times_ms", "predicted_ms", "imbalance", "efficiency", "per_device"],
        );
        has_keys(&run["policy"], &["name"]);
        let mut done = 0;
        for device in run["per_device"].as_array().unwrap() {
            has_keys(device, &["device", "iterations", "chunks", "bytes_to", "bytes_from", "phases_ms"]);
            assert_eq!(keys(&device["phases_ms"]), ["exchange", "fini", "from", "init", "kernel", "to", "wait"]);
            done += device["iterations"].as_u64().unwrap();
        }
        // An iteration of bm2d is a row of blocks.
        let rows = run["n"].as_u64().unwrap() / if run["workload"] == "bm2d" { 16 } else { 1 };
        assert_eq!(done, rows, "{run}");
    }
}

#[test]
fn a_comparison_verifies_every_policy_and_writes_record_and_figures() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("new/results");
    let machine = machine_file(&folder);
    let base = ["compare", "--machine", &machine, "--workloads", "axpy,sum,stencil2d", "--n", "512", "--reps", "3"];
    let more = ["--out", out.to_str().unwrap(), "--formats", "svg", "--json"];
    let record = record_of(&[&base[..], &more].concat());
    assert!(record["command"].as_str().unwrap().starts_with("apportion compare --machine "));
    assert_eq!(record["machine"]["name"], "three pretenders");
    for workload in ["axpy", "sum", "stencil2d"] {
        let runs: Vec<_> = runs(&record).iter().filter(|run| run["workload"] == workload).collect();
        let names: Vec<_> = runs.iter().map(|run| run["policy"]["name"].as_str().unwrap()).collect();
        assert_eq!(names, POLICIES);
        for run in runs {
            assert_eq!(run["verified"], true, "{run}");
            assert_eq!(run["mode"], "emulated");
            assert_eq!(run["times_ms"].as_array().unwrap().len(), 3);
            assert!(run["predicted_ms"].as_f64().unwrap() > 0.0);
            let alone = ["cpu", "gpu:0", "gpu:1"].map(|device| run["alone_ms"][device].as_f64().unwrap());
            let perfect = 1.0 / alone.iter().map(|ms| 1.0 / ms).sum::<f64>();
            let mut times: Vec<_> = run["times_ms"].as_array().unwrap().iter().map(|ms| ms.as_f64().unwrap()).collect();
            times.sort_by(f64::total_cmp);
            assert!((run["efficiency"].as_f64().unwrap() - perfect / times[1]).abs() < 1e-9, "{run}");
            assert_eq!(run["devices"], json!(["cpu", "gpu:0", "gpu:1"]));
        }
    }
    let auto = runs(&record).iter().find(|run| run["policy"]["name"] == "AUTO").unwrap();
    assert!(auto["policy"]["chosen"].is_string(), "{}", auto["policy"]);
    let path = out.join("record.json");
    let written: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(written, record);
    // The figures are those of the record, whoever draws them.
    let plots = folder.path().join("plots");
    let plot = ["plot", path.to_str().unwrap(), "--out", plots.to_str().unwrap(), "--formats", "svg"];
    assert_eq!(succeeds(&plot).lines().count(), 4);
    for name in ["time_by_policy.svg", "time_by_devices.svg", "phases_by_device.svg", "share_by_device.svg"] {
        assert_eq!(std::fs::read(plots.join(name)).unwrap(), std::fs::read(out.join(name)).unwrap(), "{name}");
    }
}

/// A paper must not get the figure of an earlier record by mistake.
#[test]
fn figures_that_were_not_drawn_anew_are_named() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("results");
    let (machine, out) = (machine_file(&folder), out.to_str().unwrap());
    let simulate = ["simulate", "--machine", &machine, "--policies", "BLOCK", "--out", out, "--formats"];
    let told = |arguments: &[&str]| {
        let done = apportion(arguments);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        text(&done.stderr)
    };
    let all = told(&[&simulate[..], &["svg,pdf", "--workloads", "axpy"]].concat());
    assert!(!all.contains("earlier"), "{all}");
    std::fs::write(folder.path().join("results/my_time_by_policy.pdf"), "").unwrap();
    std::fs::write(folder.path().join("results/time_by_policy.txt"), "").unwrap();
    let of_pdf = "also has figures drawn earlier, perhaps of another record: phases_by_device.pdf, share_by_device.pdf, \
                  time_by_devices.pdf, time_by_policy.pdf\n";
    let again = told(&[&simulate[..], &["svg", "--workloads", "sum"]].concat());
    assert!(again.ends_with(&format!("{out} {of_pdf}")), "{again}");
    let plotted = told(&["plot", out, "--formats", "svg"]);
    assert_eq!(plotted, format!("{out} {of_pdf}"));
    assert_eq!(told(&["plot", out]), "");
}

#[test]
fn the_table_shows_each_policy_once() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let policies = "BLOCK,sched_dynamic:10%,SCHED_DYNAMIC:100,block,SCHED_GUIDED:15%:homp";
    let base = ["compare", "--machine", &machine, "--workloads", "axpy", "--n", "1e4", "--reps", "1"];
    let table = succeeds(&[&base[..], &["--policies", policies]].concat());
    for row in ["BLOCK", "DYNAMIC:10%", "DYNAMIC:100", "GUIDED:15%:homp"] {
        let rows = table.lines().filter(|line| !line.starts_with("best policy"));
        let shown = rows.filter(|line| line.contains(&format!(" {row} "))).count();
        assert_eq!(shown, 1, "{row} in\n{table}");
    }
    let alone = table.lines().find(|line| line.starts_with("  alone: ")).unwrap_or_else(|| panic!("{table}"));
    assert!(["cpu ", "gpu:0 ", "gpu:1 "].iter().all(|device| alone.contains(device)), "{alone}");
    // Long lines are broken between words, by the length of what was measured.
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.contains("\nbest policy of each table (") && words.contains("(means of 1)"), "{table}");
}

#[test]
fn a_note_is_told_once() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let base =
        ["compare", "--machine", &machine, "--workloads", "axpy", "--n", "1000", "--reps", "1", "--policies", "BLOCK"];
    let note = "device 0 is named before; it keeps its first place";
    for (more, on_error) in [(&[][..], 0), (&["--json"], 1)] {
        let output = apportion(&[&base[..], &["--devices", "0,0"], more].concat());
        let [out, error] = [text(&output.stdout), text(&output.stderr)];
        // The table breaks long lines.
        let count = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").matches(note).count();
        assert_eq!((count(&out), count(&error)), (1, on_error), "{out}\n{error}");
    }
}

#[test]
fn only_the_devices_asked_for_take_part_and_one_alone_has_no_efficiency() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let base = ["compare", "--machine", &machine, "--workloads", "axpy", "--n", "5000", "--reps", "1", "--json"];
    for (specifier, devices) in [("2,0", json!(["gpu:1", "cpu"])), ("0:2 & NVGPU", json!(["gpu:0"]))] {
        let record = record_of(&[&base[..], &["--devices", specifier]].concat());
        for run in runs(&record) {
            assert_eq!(run["devices"], devices, "{specifier}");
            assert_eq!(run["verified"], true);
            assert_eq!(run["efficiency"].is_null(), devices.as_array().unwrap().len() == 1);
            assert_eq!(run.get("alone_ms").is_none(), devices.as_array().unwrap().len() == 1);
        }
    }
}

#[test]
fn faults_in_every_phase_leave_right_results_and_are_reported() {
    let folder = TempDir::new().unwrap();
    for phase in ["init", "to", "kernel", "from"] {
        let mut machine = machine();
        machine["devices"][1]["emulated"] = json!({"fault": {"phase": phase}});
        let machine = file(&folder, &format!("{phase}.json"), &machine.to_string());
        let base =
            ["compare", "--machine", &machine, "--workloads", "axpy,sum", "--n", "4096", "--reps", "2", "--json"];
        let record = record_of(&[&base[..], &["--policies", "BLOCK,SCHED_DYNAMIC,MODEL_PROFILE_AUTO"]].concat());
        assert!(runs(&record).iter().all(|run| run["verified"] == true), "{phase}");
        let told = |run: &Value| {
            let mut notes = run["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
            notes.any(|note| note.contains("gpu:0") && note.contains(phase) && note.contains("fault"))
        };
        assert!(told(&runs(&record)[0]), "{phase}: {}", runs(&record)[0]["notes"]);
        // A device that cannot even begin does so every time.
        assert!(phase != "init" || runs(&record).iter().all(told));
    }
}

#[test]
fn a_loop_that_no_device_finishes_has_no_time_and_ends_with_status_1() {
    let folder = TempDir::new().unwrap();
    let mut machine = machine();
    for device in machine["devices"].as_array_mut().unwrap() {
        device["emulated"] = json!({"fault": {"phase": "init"}});
    }
    let machine = file(&folder, "broken.json", &machine.to_string());
    let output = apportion(&["compare", "--machine", &machine, "--workloads", "axpy", "--n", "100", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("FAILED: axpy under BLOCK"), "{}", text(&output.stderr));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    for run in runs(&record) {
        assert_eq!((&run["times_ms"], &run["verified"]), (&json!([]), &Value::Null));
        assert!(!run["notes"].as_array().unwrap().is_empty());
    }
}

#[test]
fn a_workload_that_cannot_be_run_does_not_cost_the_others() {
    let folder = TempDir::new().unwrap();
    let mut machine = machine();
    // It has no room for what matvec and matmul replicate, so two values are enough for them, but not for axpy.
    machine["devices"][2]["memory_gib"] = figure(5e-7);
    let machine = file(&folder, "small.json", &machine.to_string());
    let compare = |workloads: &str, out: &str| {
        let out = folder.path().join(out);
        let flags = ["compare", "--machine", &machine, "--n", "200", "--reps", "1", "--policies", "HGUIDED:k=2/3"];
        let more = ["--formats", "svg", "--workloads", workloads, "-o", out.to_str().unwrap()];
        (apportion(&[&flags[..], &more].concat()), out.join("record.json"))
    };
    let why = "HGUIDED was given 2 values of k for 3 devices";
    let (output, record) = compare("matvec,axpy,matmul", "out");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(&format!("FAILED: axpy: {why}")), "{error}");
    let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    is_whole_record(&record);
    let done: Vec<_> = runs(&record).iter().map(|run| run["workload"].as_str().unwrap()).collect();
    assert_eq!(done, ["matvec", "matmul"]);
    let told = format!("axpy was not run, or not to its end: {why}");
    let notes = record["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with(&told)), "{notes:?}");
    assert!(text(&output.stdout).contains("note: axpy was not run"), "{}", text(&output.stdout));
    // If there is no other, it is a wrong argument as before.
    let (output, record) = compare("axpy", "none");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(why) && !record.exists(), "{}", text(&output.stderr));
}

#[test]
fn the_papers_node_is_simulated_at_the_papers_sizes() {
    let machine = machines("fornax-4gpu.json");
    for overlap in ["full", "none"] {
        let base = ["simulate", "--machine", &machine, "--size", "paper", "--cutoff", "share:15%", "--json"];
        let arguments = [&base[..], &["--overlap", overlap]].concat();
        let record = record_of(&arguments);
        for run in runs(&record) {
            assert_eq!(run["mode"], "simulated");
            assert!(run["verified"].is_null() && run["max_rel_error"].is_null());
            assert!(run["times_ms"][0].as_f64().unwrap() > 0.0);
            assert_eq!(run["cutoff"], "share:15%");
        }
        // Virtual time has no noise.
        let mut again = record_of(&arguments);
        again["created"] = record["created"].clone();
        assert_eq!(again, record);
    }
}

/// As `compare` then has no time.
#[test]
fn a_loop_for_which_no_device_has_room_is_predicted_with_a_remark() {
    let folder = TempDir::new().unwrap();
    let mut machine = machine();
    let alone = |machine: &Value, devices: &str, command: &str| {
        let file = file(&folder, "m.json", &machine.to_string());
        let flags = ["--machine", &*file, "--devices", devices, "--workloads", "matvec", "--n", "200", "--policies"];
        succeeds(&[&[command][..], &flags, &["BLOCK", "--json"]].concat())
    };
    let remark = "no device has room for the 800 B of replicated arrays, at most 536 B: the loop would fail";
    for device in [1, 2] {
        machine["devices"][device]["memory_gib"] = figure(5e-7);
    }
    for command in ["simulate", "explain"] {
        assert!(alone(&machine, "1,2", command).contains(remark), "{command}");
        assert!(!alone(&machine, "*", command).contains("the loop would fail"), "{command}");
    }
    machine["devices"][1]["memory_gib"] = figure(1.0);
    assert!(!alone(&machine, "1,2", "simulate").contains("the loop would fail"));
}

#[test]
fn a_first_device_that_is_not_enabled_is_not_asked_for() {
    let folder = TempDir::new().unwrap();
    let mut machine = machine();
    machine["devices"][0]["enabled"] = Value::Bool(false);
    let file = file(&folder, "m.json", &machine.to_string());
    let record = record_of(&["simulate", "--machine", &file, "--workloads", "axpy", "--n", "1000", "--json"]);
    assert!(runs(&record).iter().all(|run| run["devices"] == json!(["gpu:0", "gpu:1"])), "{record}");
}

#[test]
fn equal_devices_are_simulated_however_many() {
    let folder = TempDir::new().unwrap();
    for count in [8, 9, 12, 24] {
        let mut machine = machine();
        let devices = (0..count).map(|id| emulated(id, &format!("gpu:{id}"), true, 100.0)).collect();
        machine["devices"] = Value::Array(devices);
        let file = file(&folder, "m.json", &machine.to_string());
        let record = record_of(&["simulate", "--machine", &file, "--workloads", "axpy", "--json"]);
        assert!(runs(&record).iter().all(|run| run["imbalance"].as_f64() >= Some(0.0)), "{count}");
    }
}

/// The two GPUs of a board share its slot, also where copies and kernels do not overlap.
#[test]
fn gpus_of_one_board_wait_for_one_another() {
    let machine = machines("fornax-homp.json");
    for overlap in ["full", "none"] {
        let time = |devices: &str| {
            let of =
                ["simulate", "--machine", &machine, "--workloads", "axpy", "--size", "paper", "--policies", "BLOCK"];
            let record = record_of(&[&of[..], &["--devices", devices, "--overlap", overlap, "--json"]].concat());
            runs(&record)[0]["times_ms"][0].as_f64().unwrap()
        };
        let (one_board, two_boards) = (time("1,2"), time("1,3"));
        assert!(one_board > 1.05 * two_boards, "{overlap}: {one_board} ms, {two_boards} ms");
    }
}

#[test]
fn who_ran_a_sample_is_not_among_those_left_out() {
    let machine = machines("fornax.json");
    let arguments = ["simulate", "--machine", &machine, "--size", "paper", "--cutoff", "share:15%", "--json"];
    let record = record_of(&arguments);
    for run in runs(&record) {
        for out in run["left_out"].as_array().unwrap() {
            let mut ran = run["per_device"].as_array().unwrap().iter();
            assert!(ran.all(|part| part["device"] != out["device"] || part["iterations"] == 0), "{run}");
        }
    }
    let mut notes = runs(&record).iter().flat_map(|run| run["notes"].as_array().unwrap());
    assert!(notes.any(|note| note.as_str().unwrap().starts_with("phi-0 left out of the rest: ")));
}

#[test]
fn devices_lists_ids_and_says_what_cannot_be_used() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let table = succeeds(&["devices", "--machine", &machine]);
    for word in ["cpu", "gpu:0", "gpu:1", "discrete", "emulated"] {
        assert!(table.contains(word), "{word} in\n{table}");
    }
    let list: Value =
        serde_json::from_str(&succeeds(&["devices", "--machine", &machines("fornax.json"), "--json"])).unwrap();
    assert_eq!(list["devices"].as_array().unwrap().len(), 7);
    let here: Value = serde_json::from_str(&succeeds(&["devices", "--json"])).unwrap();
    assert_eq!((&here["devices"][0]["name"], &here["devices"][0]["usable"]), (&json!("host"), &json!(true)));
}

#[test]
fn a_probe_measures_the_host_and_leaves_emulated_devices_as_they_are() {
    let folder = TempDir::new().unwrap();
    let mut machine = machine();
    machine["devices"][0] = json!({
        "id": 0, "name": "host", "kind": "host", "type": "HOSTCPU", "memory": "shared", "f32_gflop_per_s": figure(1.0),
        "f64_gflop_per_s": figure(1.0), "memory_gb_per_s": figure(1.0), "launch_us": figure(1e5)
    });
    let path = file(&folder, "machine.json", &machine.to_string());
    let out = folder.path().join("new/deep/measured.json");
    succeeds(&["probe", "--machine", &path, "--quick", "-o", out.to_str().unwrap()]);
    let measured: Value = serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
    for key in ["f32_gflop_per_s", "f64_gflop_per_s", "u8_gop_per_s", "memory_gb_per_s", "launch_us"] {
        let figure = &measured["devices"][0][key];
        assert_eq!(figure["source"], "measured", "{key}");
        assert!(figure["value"].as_f64().unwrap() > 0.0 && figure["note"].is_string(), "{key}");
    }
    // Even a quick probe measures latencies more than once, with other figures between.
    let note = measured["devices"][0]["launch_us"]["note"].as_str().unwrap();
    assert!(note.contains("median of 2 bursts' medians"), "{note}");
    let memory = &measured["host_memory_gb_per_s"];
    assert_eq!(memory["source"], "measured");
    assert!(
        memory["value"].as_f64().unwrap() > 0.0 && memory["note"].as_str().unwrap().contains("two reads and one write")
    );
    assert!(measured["created"].is_string());
    for id in [1, 2] {
        assert_eq!(measured["devices"][id]["f32_gflop_per_s"], machine["devices"][id]["f32_gflop_per_s"]);
    }
    // What was measured can be used.
    record_of(&["simulate", "--machine", out.to_str().unwrap(), "--workloads", "axpy", "--json"]);
}

#[test]
fn probes_of_an_emulated_machine_find_what_it_pretends_and_agree() {
    let folder = TempDir::new().unwrap();
    // So slow that the real work, which is really done, takes less.
    let gpu = |id: usize, name: &str| {
        json!({
            "id": id, "name": name, "kind": "emulated", "type": "NVGPU", "memory": "discrete",
            "memory_gib": figure(1.0), "f32_gflop_per_s": figure(0.4), "f64_gflop_per_s": figure(0.3),
            "u8_gop_per_s": figure(0.5), "memory_gb_per_s": figure(0.2), "launch_us": figure(1000.0), "half_rate_us": figure(0.0),
            "alloc_us": figure(3000.0), "sync_us": figure(4000.0),
            "link": {
                "to": {"latency_us": figure(500.0), "bandwidth_gb_per_s": figure(0.08)},
                "from": {"latency_us": figure(600.0), "bandwidth_gb_per_s": figure(0.06)}
            }
        })
    };
    let machine = json!({
        "schema": "apportion.machine/1", "name": "pretended", "devices": [gpu(0, "left"), gpu(1, "right")],
        "groups": [{"name": "switch", "devices": [0, 1], "to_gb_per_s": figure(0.07)}]
    });
    let path = file(&folder, "machine.json", &machine.to_string());
    let probe = |name: &str| -> Value {
        let out = folder.path().join(name);
        succeeds(&["probe", "--machine", &path, "--quick", "--emulated", "-o", out.to_str().unwrap()]);
        serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap()
    };
    let (first, second) = (probe("first.json"), probe("second.json"));
    let value = |machine: &Value, key: &str| machine.pointer(key).unwrap()["value"].as_f64().unwrap();
    let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * a.max(b);
    let figures = [
        "f32_gflop_per_s",
        "f64_gflop_per_s",
        "u8_gop_per_s",
        "memory_gb_per_s",
        "launch_us",
        "alloc_us",
        "sync_us",
        "link/to/latency_us",
        "link/from/latency_us",
        "link/to/bandwidth_gb_per_s",
        "link/from/bandwidth_gb_per_s",
    ];
    for key in figures.iter().flat_map(|key| [0, 1].map(|id| format!("/devices/{id}/{key}"))) {
        let (one, other, truth) = (value(&first, &key), value(&second, &key), value(&machine, &key));
        // By the host's clock: a busy system wakes a thread milliseconds late.
        let late = if key.ends_with("alloc_us") || key.ends_with("sync_us") { 20_000.0 } else { 0.0 };
        assert!(near(one, other, 0.1) || (one - other).abs() < late, "{key}: {one} and {other}");
        assert!(near(one, truth, 0.15) || (one - truth).abs() < late, "{key}: {one}, in truth {truth}");
        let note = first.pointer(&key).unwrap()["note"].as_str().unwrap();
        assert!(note.contains(first["created"].as_str().unwrap()), "{note}");
    }
    for found in [&first, &second] {
        let to = value(found, "/groups/0/to_gb_per_s");
        // Pieces in flight are given their times as they are submitted, also before the other device begins.
        assert!((0.06..0.13).contains(&to), "{to}");
        assert_eq!(found["groups"][0]["devices"], json!([0, 1]));
    }
}

#[test]
fn wrong_arguments_are_refused_with_status_2_and_what_would_be_right() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let plain_file = file(&folder, "plain", "no folder");
    let inside_a_file = format!("{plain_file}/out");
    let taken = folder.path().join("taken");
    std::fs::create_dir_all(taken.join("record.json")).unwrap();
    let taken = taken.to_str().unwrap();
    let no_room = folder.path().join("no room");
    std::fs::create_dir_all(no_room.join("share_by_device.pdf")).unwrap();
    let no_room = no_room.to_str().unwrap();
    let other_record = folder.path().join("other record");
    std::fs::create_dir(&other_record).unwrap();
    std::fs::write(other_record.join("record.json"), "my notes").unwrap();
    let other_record = other_record.to_str().unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["--workloads", "axpi"], &["axpi", "axpy", "sum", "matvec", "matmul", "stencil2d", "bm2d"]),
        (&["--workloads", ""], &["axpy"]),
        (&["--workloads", "axpy,,sum"], &["there is no workload ``"]),
        (&["--policies", "FAIR"], &["FAIR", "BLOCK", "SCHED_DYNAMIC", "MODEL_PROFILE_AUTO", "AUTO"]),
        (&["--policies", "SCHED_DYNAMIC:0"], &["at least one iteration, not 0"]),
        (&["--policies", "SCHED_DYNAMIC:0%"], &["0%"]),
        (&["--policies", "SCHED_DYNAMIC:-3"], &["-3"]),
        (&["--policies", "SCHED_DYNAMIC:NaN%"], &["NaN"]),
        (&["--policies", "SCHED_GUIDED:120%"], &["between 0 and 100"]),
        (&["--policies", "SCHED_GUIDED:20%:quick"], &["quick", "remaining", "homp"]),
        (&["--policies", "BLOCK:2%"], &["no parameter"]),
        (&["--policies", "MODEL_PROFILE_AUTO:x%"], &["x%"]),
        (&["--cutoff", "share:NaN%"], &["NaN"]),
        (&["--cutoff", "share:15"], &["15%"]),
        (&["--cutoff", "never"], &["none", "share:15%", "benefit:2%"]),
        (&["--cutoff", "benefit:-1%"], &["between 0 and 100"]),
        (&["--devices", "7"], &["no device 7", "0 cpu", "2 gpu:1"]),
        (&["--devices", ""], &["device specifier"]),
        (&["--devices", "0:*:FOO"], &["FOO"]),
        (&["--n", "0"], &["at least 1"]),
        (&["--n=-5"], &["-5"]),
        (&["--n", "-5"], &["'-5'", "--n <N>", "whole number of at least 1"]),
        (&["--n", "-1.5"], &["'-1.5'", "--n <N>", "whole number of at least 1"]),
        (&["--devices", "-1"], &["a device number is 0 or more", "0 cpu", "2 gpu:1"]),
        (&["axpy"], &["axpy", "tip", "--workloads axpy"]),
        (&["--n", "many"], &["many", "whole number"]),
        (&["--n", "99999999999999999999999"], &["more than this machine can address"]),
        (&["--n", "1e30"], &["more than this machine can address"]),
        (&["--n", "100", "--size", "small"], &["cannot be used with"]),
        (&["--n", "5e12", "--workloads", "axpy"], &["needs 40000.0 GB", "there is", "smaller n"]),
        (&["--n", "4e9", "--workloads", "matmul"], &["matmul", "smaller n"]),
        (&["--n", "1e18", "--workloads", "sum"], &["sum", "large"]),
        (&["--n", "100", "--workloads", "bm2d"], &["multiple of 16"]),
        (&["--size", "huge"], &["small", "medium", "paper"]),
        (&["--element", "f16"], &["f32 and f64"]),
        (&["--reps", "0"], &["a whole number from 1 to 100000"]),
        (&["--reps", "-3"], &["'-3'", "--reps <R>", "from 1 to 100000"]),
        (&["--reps", "1e6"], &["from 1 to 100000"]),
        (&["--seed=-1"], &["-1"]),
        (&["--seed", "-1"], &["'-1'", "--seed <S>", "whole number from 0"]),
        (&["--formats", "gif"], &["svg, png or pdf"]),
        (&["--formats", "svg"], &["--formats", "only with a place for them", "add -o"]),
        (&["--width", "column"], &["--width", "add -o"]),
        (&["--out", &inside_a_file], &["--out", "is no folder"]),
        (&["--out", &plain_file], &["--out", "is no folder", "into which all results are written: give another name"]),
        (&["--out", "/proc/apportion"], &["--out", "/proc"]),
        (&["--out", taken], &["record.json is a folder"]),
        (&["--out", no_room], &["share_by_device.pdf is a folder"]),
        (&["--out", ""], &["--out"]),
        (&["--out", other_record], &["record.json", "another file", "is no JSON", "not replaced"]),
        (&["--quick"], &["--quick"]),
    ];
    for (more, words) in cases {
        for command in ["compare", "simulate"] {
            // What does not fit into this machine's memory can be simulated.
            if command == "simulate" && words.iter().any(|word| word.ends_with(" GB")) {
                continue;
            }
            // A simulation has neither flag.
            if command == "simulate" && (more[0] == "--reps" || more[0].starts_with("--seed")) {
                continue;
            }
            let mut arguments = vec![command, "--machine", &machine];
            arguments.extend_from_slice(more);
            fails(&arguments, 2, words);
        }
    }
    assert_eq!(std::fs::read_dir(taken).unwrap().count(), 1);
    fails(&["compare", "--machine", "/there/is/none.json"], 2, &["/there/is/none.json", "cannot be read"]);
    fails(&["simulate"], 2, &["--machine"]);
    for flag in ["--reps", "--seed"] {
        fails(&["simulate", "--machine", &machine, flag, "3"], 2, &["unexpected argument", flag, "Usage"]);
    }
    fails(&["plot", "/there/is/none.json"], 2, &["/there/is/none.json"]);
    fails(
        &["plot", &machine],
        2,
        &["machine.json: key `schema`", "apportion.record/1", "a record is", "compare --out"],
    );
    fails(
        &["plot", &plain_file],
        2,
        &[&*plain_file, "no JSON", "a record is the file record.json that", "compare --out"],
    );
    fails(&["compare", "--workloads", "jacobi", "--steps", "-2"], 2, &["'-2'", "--steps <STEPS>", "2..=100000000"]);
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/record.json");
    let folder_of_golden = Path::new(golden).parent().unwrap().to_str().unwrap();
    fails(&["plot", folder_of_golden, "--out", no_room], 2, &["share_by_device.pdf is a folder"]);
    fails(&["plot", taken], 2, &["taken: has no record.json"]);
    assert_eq!(std::fs::read_to_string(Path::new(other_record).join("record.json")).unwrap(), "my notes");
    for flag in [["--formats", "pdf"], ["--width", "column"]] {
        fails(&["reproduce", "homp", flag[0], flag[1]], 2, &[flag[0], "only with a place for them", "add -o"]);
    }
    for command in [&["plot", golden][..], &["simulate", "--machine", &machine], &["reproduce", "homp"]] {
        for name in ["new.json", "new.csv"] {
            let file = folder.path().join(name);
            let wanted = [&*format!("{name}: looks like a file, and a folder is needed")];
            fails(&[command, &["-o", file.to_str().unwrap()]].concat(), 2, &wanted);
            assert!(!file.exists());
        }
    }
    // What ends with a slash is meant to be a folder.
    let named_so = folder.path().join("figures.svg/");
    succeeds(&["plot", golden, "-o", named_so.to_str().unwrap()]);
    assert!(named_so.is_dir());
    fails(&["plot", golden, "--out", no_room], 2, &["share_by_device.pdf is a folder"]);
    // Whether the output can be written is checked before anything else that takes time or may fail.
    for (file, word) in
        [(&*inside_a_file, "is no folder"), ("/proc/apportion/m.svg", "cannot write"), (taken, "names no file")]
    {
        fails(&["probe", "-o", file], 2, &["-o", word]);
        fails(&["history", "--history", "/there/is/none.json", "export", file], 2, &["export", word]);
        let explain = ["explain", "--machine", "/there/is/none.json", "--workloads", "axpy", "-o"];
        let named = if file == inside_a_file { format!("{file}.svg") } else { file.to_owned() };
        let word = if file == taken { "svg" } else { word };
        fails(&[&explain[..], &[&named]].concat(), 2, &["--out", word]);
    }
    let slash = format!("{taken}/more/");
    fails(&["probe", "-o", &slash], 2, &["-o", "names no file"]);
    fails(&["history", "--history", "/there/is/none.json", "export", &slash], 2, &["export", "names no file"]);
    assert!(!std::path::Path::new(&slash).exists());
    for flag in ["--cases", "--fit", "--measured"] {
        let reproduce = ["reproduce", "homp", flag, "/there/is/none.csv", "--out", &inside_a_file];
        fails(&reproduce, 2, &["--out", "is no folder"]);
    }
    fails(&["probe", "--machine", &machine], 2, &["emulated"]);
    fails(&["explode"], 2, &["explode"]);
    fails(&[], 2, &["Usage"]);
}

/// The machine's description with emulated devices that take a thousand times as long.
#[cfg(target_os = "linux")]
fn slow_machine(folder: &TempDir) -> String {
    let mut slow = machine();
    for device in slow["devices"].as_array_mut().unwrap() {
        device["emulated"] = json!({"time_scale": 1000.0});
    }
    file(folder, "slow.json", &slow.to_string())
}

#[cfg(target_os = "linux")]
#[test]
fn a_figure_that_cannot_be_written_does_not_cost_the_results() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let folder = TempDir::new().unwrap();
    let machine = slow_machine(&folder);
    let out = folder.path().join("out");
    let mut child = program()
        .args(["compare", "--machine", &machine, "--workloads", "axpy,sum", "--n", "1e5", "--reps", "3"])
        .args(["--policies", "BLOCK", "--formats", "svg", "--out", out.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The first workload is done, so all was checked; the second takes a while yet.
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("axpy BLOCK: n = ") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it ended early");
    }
    std::fs::create_dir_all(out.join("time_by_policy.svg")).unwrap();
    let mut error = String::new();
    errors.read_to_string(&mut error).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("time_by_policy.svg") && error.contains("record.json is written"), "{error}");
    assert!(text(&output.stdout).contains("* BLOCK"), "{}", text(&output.stdout));
    assert!(out.join("record.json").is_file());
}

#[test]
fn the_smallest_loops_run_and_the_largest_are_simulated() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let five = "axpy,sum,matvec,matmul,stencil2d";
    for n in ["1", "2", "3"] {
        let record =
            record_of(&["compare", "--machine", &machine, "--workloads", five, "--n", n, "--reps", "1", "--json"]);
        assert!(runs(&record).iter().all(|run| run["verified"] == true), "n = {n}");
    }
    for n in ["4294967297", "5e12"] {
        record_of(&["simulate", "--machine", &machine, "--workloads", "axpy,sum", "--n", n, "--json"]);
    }
}

#[test]
fn broken_machine_descriptions_are_refused_by_file_and_key() {
    let folder = TempDir::new().unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut machine = machine();
        change(&mut machine);
        machine.to_string()
    };
    let whole = machine().to_string();
    let cases = [
        ("empty", String::new(), "is empty"),
        ("truncated", whole[..whole.len() / 2].to_owned(), "truncated"),
        ("text", "devices: 3".to_owned(), "not JSON"),
        ("list", "[]".to_owned(), "not a JSON object"),
        ("version", changed(&|m| m["schema"] = json!("apportion.machine/9")), "apportion.machine/9"),
        ("rate", changed(&|m| m["devices"][1]["f32_gflop_per_s"]["value"] = json!(-1)), "devices[1].f32_gflop_per_s"),
        ("missing", changed(&|m| drop(m["devices"][2].as_object_mut().unwrap().remove("launch_us"))), "launch_us"),
        ("unknown", changed(&|m| m["devices"][0]["speed"] = json!(3)), "speed"),
        ("none", changed(&|m| m["devices"] = json!([])), "devices"),
    ];
    for (name, content, word) in cases {
        let path = file(&folder, &format!("{name}.json"), &content);
        for command in ["compare", "simulate", "devices", "probe"] {
            fails(&[command, "--machine", &path], 2, &[name, word]);
        }
    }
    let disabled = changed(&|m| {
        for device in m["devices"].as_array_mut().unwrap() {
            device["enabled"] = json!(false);
        }
    });
    let path = file(&folder, "disabled.json", &disabled);
    for command in ["compare", "simulate", "probe"] {
        fails(&[command, "--machine", &path], 2, &["device"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_probe_that_keeps_nothing_says_so_before_it_measures() {
    use std::io::{BufRead as _, BufReader};
    let folder = TempDir::new().unwrap();
    let machine = slow_machine(&folder);
    let mut child = program()
        .args(["probe", "--machine", &machine, "--emulated"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.take_while(|line| !line.starts_with("round 1")).find(|line| line.contains("not kept"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(told.as_ref().is_some_and(|line| line.contains("-o machine.json")), "{told:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_stops_cleanly_and_writes_nothing() {
    use std::time::Duration;
    let folder = TempDir::new().unwrap();
    let machine = slow_machine(&folder);
    let out = folder.path().join("out");
    let mut child = program()
        .args(["compare", "--machine", &machine, "--workloads", "axpy", "--n", "1e6", "--reps", "100000"])
        .args(["--policies", "SCHED_DYNAMIC", "--out", out.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    signal(&child, "TERM");
    ends(&mut child);
    let output = child.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("stopping") && error.contains("no record was written"), "{error}");
    assert!(output.stdout.is_empty() && !out.exists());
}

#[cfg(target_os = "linux")]
fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits for the end, which should be near.
#[cfg(target_os = "linux")]
fn ends(child: &mut std::process::Child) {
    use std::time::{Duration, Instant};
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("it does not stop");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn workloads_that_were_done_before_an_interrupt_are_kept() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let folder = TempDir::new().unwrap();
    let machine = slow_machine(&folder);
    let (out, history) = (folder.path().join("out"), folder.path().join("history.json"));
    let mut child = program()
        .args(["compare", "--machine", &machine, "--workloads", "axpy,sum", "--n", "1e5", "--reps", "3"])
        .args(["--policies", "BLOCK", "--formats", "svg", "--out", out.to_str().unwrap()])
        .args(["--history", history.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("axpy BLOCK: n = ") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it ended early");
    }
    // The second workload takes a while yet.
    signal(&child, "TERM");
    let mut error = String::new();
    errors.read_to_string(&mut error).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("only the workloads that were done") && error.contains("history.json"), "{error}");
    let record: Value = serde_json::from_slice(&std::fs::read(out.join("record.json")).unwrap()).unwrap();
    is_whole_record(&record);
    assert!(runs(&record).iter().all(|run| run["workload"] == "axpy"), "{record}");
    let notes = record["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with("stopped before")), "{notes:?}");
    assert!(history.is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_so() {
    use std::time::Duration;
    let folder = TempDir::new().unwrap();
    let machine = slow_machine(&folder);
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_apportion")])
        .args(["compare", "--machine", &machine, "--workloads", "axpy", "--n", "1e6", "--reps", "100000"])
        .args(["--policies", "SCHED_DYNAMIC", "--history", "OFF"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    signal(&child, "HUP");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none());
    // Twice, had the first been heard.
    signal(&child, "HUP");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, "TERM");
    ends(&mut child);
    let output = child.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("stopped; no record was written\n") && error.matches("stopping when").count() == 1,
        "{error}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error() {
    for command in [&["--help"][..], &["--version"], &["compare", "--help"], &["devices"]] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = program().args(command).stdout(full).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {error}");
        assert!(error.contains("cannot write to standard output"), "{command:?}: {error}");
    }
}

/// Libraries of devices may handle signals from when they are loaded, as LLVM in PoCL does.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_so_beside_the_libraries_of_devices() {
    use std::time::Duration;
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_apportion")])
        .args(["compare", "--workloads", "axpy", "--n", "1e6", "--reps", "100000", "--policies", "BLOCK"])
        .args(["--history", "off"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let signals = |key: &str| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().to_owned();
        u64::from_str_radix(&line, 16).unwrap()
    };
    let (hup, term) = (1, 1 << 14);
    let both = || signals("SigCgt:") & term != 0 && signals("SigIgn:") & hup != 0;
    let settled = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        both()
    });
    assert!(settled, "caught {:x}, ignored {:x}", signals("SigCgt:"), signals("SigIgn:"));
    // Loops run by now.
    std::thread::sleep(Duration::from_secs(2));
    assert!(both());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files_and_links_are_followed() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let there = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pipe = there("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (path, what) in [("/dev/null", "is a device, not a file"), (&*pipe, "is a pipe, not a file")] {
        fails(&["probe", "-o", path], 2, &["-o", path, what, "name a file, or leave -o out"]);
        let explain = ["explain", "--machine", &machine, "--workloads", "axpy", "-o", path];
        fails(&explain, 2, &["--out", path, what]);
        fails(&["simulate", "--machine", path], 2, &[path, "cannot be read", what]);
        fails(&["plot", path, "-o", &there("plots")], 2, &[path, what]);
        fails(&["reproduce", "homp", "--cases", path], 2, &[path, "cannot be read", what]);
        fails(&["reproduce", "homp", "--runtime", path], 2, &[path, what]);
    }
    // A pipe that is open already can be read.
    let simulated = Command::new("sh")
        .args(["-c", "cat \"$1\" | \"$0\" simulate --machine /dev/stdin --workloads axpy --json"])
        .args([env!("CARGO_BIN_EXE_apportion"), &machine])
        .output()
        .unwrap();
    assert!(simulated.status.success(), "{}", text(&simulated.stderr));
    // The record in place of which there is a link goes where that leads.
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("../elsewhere.json", out.join("record.json")).unwrap();
    let simulate = ["simulate", "--machine", &machine, "--workloads", "axpy", "--formats", "svg", "-o"];
    succeeds(&[&simulate[..], &[out.to_str().unwrap()]].concat());
    assert!(out.join("record.json").is_symlink() && folder.path().join("elsewhere.json").is_file());
    // A record replaces a record.
    succeeds(&[&simulate[..], &[out.to_str().unwrap()]].concat());
    // A pipe is in no folder that the figures could go to.
    let plot = |more: &[&str]| {
        Command::new("sh")
            .args(["-c", "cat \"$1\" | \"$0\" plot /dev/stdin --formats svg $2 $3", env!("CARGO_BIN_EXE_apportion")])
            .arg(there("elsewhere.json"))
            .args(more)
            .output()
            .unwrap()
    };
    let refused = plot(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("/dev/stdin: is a pipe, in no folder"), "{}", text(&refused.stderr));
    assert!(plot(&["-o", &there("plots")]).status.success());
}

/// As it is found out before anything is measured, what was measured is not lost for it.
#[cfg(unix)]
#[test]
fn where_a_link_leads_is_checked_and_made_as_a_folder_is() {
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let there = |name: &str| folder.path().join(name);
    let (out, link) = (there("out"), there("link.svg"));
    std::fs::create_dir(&out).unwrap();
    symlink("../not/yet/record.json", out.join("record.json")).unwrap();
    symlink("nor/this/figure.svg", &link).unwrap();
    let simulate = ["simulate", "--machine", &machine, "--workloads", "axpy", "--formats", "svg", "-o"];
    succeeds(&[&simulate[..], &[out.to_str().unwrap()]].concat());
    assert!(out.join("record.json").is_symlink() && there("not/yet/record.json").is_file());
    let explain = ["explain", "--machine", &machine, "--workloads", "axpy", "-o", link.to_str().unwrap()];
    succeeds(&explain);
    assert!(link.is_symlink() && there("nor/this/figure.svg").is_file());
    for target in ["/proc/record.json", "record.json"] {
        std::fs::remove_file(out.join("record.json")).unwrap();
        symlink(target, out.join("record.json")).unwrap();
        fails(&[&simulate[..], &[out.to_str().unwrap()]].concat(), 2, &["--out", "give a place that can be written"]);
    }
}

/// As editors on Windows write it.
#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    succeeds(&["simulate", "--machine", &machine, "--workloads", "axpy", "--formats", "svg", "-o", out]);
    for name in [machine.clone(), format!("{out}/record.json")] {
        let marked = ["\u{feff}".as_bytes(), &std::fs::read(&name).unwrap()].concat();
        std::fs::write(&name, marked).unwrap();
    }
    succeeds(&["plot", out, "--formats", "svg"]);
    // It is a record yet, which a record replaces.
    succeeds(&["simulate", "--machine", &machine, "--workloads", "axpy", "--formats", "svg", "-o", out]);
}

#[test]
fn repetitions_are_written_as_sizes_are() {
    let folder = TempDir::new().unwrap();
    let machine = machine_file(&folder);
    let base = ["compare", "--machine", &machine, "--workloads", "axpy", "--n", "100", "--policies", "BLOCK", "--json"];
    let record = record_of(&[&base[..], &["--reps", "1e1"]].concat());
    assert_eq!(runs(&record)[0]["times_ms"].as_array().unwrap().len(), 10);
}

/// OpenCL on the CPU's cores, and more of what another device has.
#[test]
fn a_device_that_is_not_enabled_is_told_once_and_used_where_it_is_named() {
    let shown = succeeds(&["devices"]);
    let told: Vec<_> = shown.lines().filter(|line| line.contains("not enabled: ")).collect();
    assert!(told.iter().enumerate().all(|(at, line)| !told[..at].contains(line)), "{shown}");
    let list =
        |more: &[&str]| -> Value { serde_json::from_str(&succeeds(&[&["devices", "--json"], more].concat())).unwrap() };
    let of_cpu = |list: &Value| {
        let found = list["machine"]["devices"].as_array().unwrap().iter().find(|device| device["type"] == "OCLCPU");
        found.map(|device| (device["id"].as_u64().unwrap() as usize, device["name"].as_str().unwrap().to_owned()))
    };
    let all = list(&[]);
    let Some((id, name)) = of_cpu(&all) else {
        let required = std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|value| !value.is_empty() && value != "0");
        assert!(!required, "APPORTION_REQUIRE_OPENCL is set, but there is no OpenCL on the CPU");
        return println!("skipped: no OpenCL on the CPU");
    };
    assert_eq!(all["devices"][id]["usable"], false);
    let why = all["devices"][id]["trouble"].as_str().unwrap();
    let both = format!("0,{id}");
    assert!(why.contains(&format!("`apportion probe --devices {both}`")), "{why}");
    // By number, by name and by type.
    for devices in [&both, &format!("{name},host"), "0,:OCLCPU"] {
        let list = list(&["--devices", devices]);
        assert_eq!((&list["devices"][0]["usable"], &list["devices"][id]["usable"]), (&json!(true), &json!(true)));
        assert_eq!(of_cpu(&list), Some((id, name.clone())));
    }
    let flags = ["--workloads", "axpy", "--n", "1e4", "--policies", "BLOCK", "--history", "off", "--json"];
    let compared =
        |more: &[&str]| record_of(&[&["compare", "--reps", "1"], &flags[..], more].concat())["runs"][0].clone();
    assert_eq!(compared(&["--devices", "0"])["devices"], json!(["host"]));
    assert_eq!(compared(&["--devices", &both])["devices"], json!(["host", name]));
    let alone = compared(&["--devices", &name]);
    assert_eq!((&alone["devices"], &alone["verified"]), (&json!([name]), &json!(true)));
    let explained = succeeds(&[&["explain", "--devices", "0,:OCLCPU"], &flags[..]].concat());
    assert!(explained.contains(&name), "{explained}");
    // A description that does not have it enabled is not changed, and the error says what makes one.
    let folder = TempDir::new().unwrap();
    let machine = file(&folder, "machine.json", &all["machine"].to_string());
    for command in ["compare", "explain", "simulate", "probe", "devices"] {
        let words = [format!("device {id} `{name}` is not enabled: "), format!("`apportion probe --devices {both}`")];
        fails(&[command, "--machine", &machine, "--devices", &both], 2, &words.each_ref().map(String::as_str));
    }
}
