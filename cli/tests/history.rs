//! `apportion history`, and comparisons that fill and use it.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program in a folder that is its home.
fn apportion(home: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apportion"));
    command.env_remove("APPORTION_HISTORY").env_remove("XDG_DATA_HOME").env("HOME", home.path());
    command.args(arguments).output().unwrap()
}

#[track_caller]
fn succeeds(home: &TempDir, arguments: &[&str]) -> String {
    let output = apportion(home, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn fails(home: &TempDir, arguments: &[&str], words: &[&str]) {
    let output = apportion(home, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: one of {words:?} is not in\n{error}");
    assert!(output.stdout.is_empty());
}

fn figure(value: f64) -> Value {
    json!({"value": value, "source": "assumed"})
}

/// Two emulated devices that take milliseconds, so that a busy machine does not matter much.
fn machine(home: &TempDir) -> String {
    let device = |id: usize, gflops: f64| {
        json!({
            "id": id, "name": format!("e{id}"), "kind": "emulated", "type": "HOSTCPU", "memory": "shared",
            "f32_gflop_per_s": figure(gflops), "f64_gflop_per_s": figure(gflops), "memory_gb_per_s": figure(100.0),
            "launch_us": figure(5.0)
        })
    };
    let machine = json!({
        "schema": "apportion.machine/1", "name": "two", "devices": [device(0, 0.05), device(1, 0.1)]
    });
    let path = home.path().join("machine.json");
    std::fs::write(&path, machine.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn compare<'a>(machine: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let flags = ["compare", "--machine", machine, "--workloads", "axpy", "--n", "100000", "--reps", "3"];
    [&flags[..], &["--policies", "BLOCK,SCHED_DYNAMIC:10%", "--json"], more].concat()
}

/// The same machine, described at this time.
fn created(home: &TempDir, machine: &str, when: &str) -> String {
    let mut described: Value = serde_json::from_str(&std::fs::read_to_string(machine).unwrap()).unwrap();
    described["created"] = when.into();
    let path = home.path().join(format!("{}.json", &when[..4]));
    std::fs::write(&path, described.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_follows_from_the_history_is_said_and_that_it_is_older_than_the_description() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let (old, new) =
        (created(&home, &machine, "2001-01-01T00:00:00Z"), created(&home, &machine, "2999-01-01T00:00:00Z"));
    let by = |record: &str| -> Vec<String> {
        let record: Value = serde_json::from_str(record).unwrap();
        let runs = record["runs"].as_array().unwrap();
        runs.iter().map(|run| run["predicted_by"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(by(&succeeds(&home, &compare(&new, &[]))), ["description", "description"]);
    assert_eq!(by(&succeeds(&home, &compare(&new, &[]))), ["history", "history"]);
    // Three loops of each policy are known now, without the first of their kind.
    assert_eq!(by(&succeeds(&home, &compare(&new, &[]))), ["loops", "loops"]);
    assert_eq!(by(&succeeds(&home, &compare(&new, &["--history", "off"]))), ["description", "description"]);
    let table = |machine: &str, more: &[&str]| {
        let flags = ["compare", "--machine", machine, "--workloads", "axpy", "--n", "100000", "--reps", "1"];
        let text = succeeds(&home, &[&flags[..], &["--policies", "BLOCK,SCHED_GUIDED"], more].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let older = "(of 2999-01-01T00:00:00Z) is newer than the history of axpy (until 20";
    let shown = table(&new, &[]);
    for words in [" expected by off by ", " loops ", " history ", "; by: what is expected follows from ", older] {
        assert!(shown.contains(words), "no `{words}` in\n{shown}");
    }
    assert!(!table(&old, &[]).contains("is newer than"));
    let shown = table(&new, &["--history", "off"]);
    assert!(!shown.contains("is newer than") && shown.contains(" expected off by "), "{shown}");

    let explain = |machine: &str, more: &[&str]| {
        let flags = ["explain", "--machine", machine, "--workloads", "axpy", "--n", "100000", "--policies", "BLOCK"];
        let text = succeeds(&home, &[&flags[..], more].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let shown = explain(&new, &[]);
    assert!(shown.contains("rates: from the history, for all devices") && shown.contains(older), "{shown}");
    assert!(!explain(&old, &[]).contains("is newer than"));
    let shown = explain(&new, &["--history", "off"]);
    assert!(shown.contains("rates: from the machine description") && !shown.contains("is newer than"), "{shown}");
}

#[test]
fn what_auto_is_expected_to_take_by_whole_loops_is_said_to_follow_from_them() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let flags = ["compare", "--machine", &machine, "--workloads", "axpy", "--n", "100000", "--reps", "3", "--json"];
    let compare = || -> Value {
        let record = succeeds(&home, &[&flags[..], &["--policies", "MODEL_2_AUTO,AUTO"]].concat());
        let record: Value = serde_json::from_str(&record).unwrap();
        record["runs"][1].clone()
    };
    assert_eq!(compare()["predicted_by"], "description");
    compare();
    let auto = compare();
    let notes = auto["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("its measured time of")), "{notes:?}");
    assert_eq!(auto["predicted_by"], "loops");
}

fn has_rates(record: &str) -> bool {
    let record: Value = serde_json::from_str(record).unwrap();
    let notes = record["runs"][0]["notes"].as_array().unwrap().clone();
    notes.iter().any(|note| note == "rates from history: e0, e1")
}

#[test]
fn a_comparison_learns_for_the_next_one() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let place = home.path().join(".local/share/apportion/history.json");
    assert_eq!(succeeds(&home, &["history", "path"]).trim(), place.to_str().unwrap());
    assert!(succeeds(&home, &["history", "show"]).contains("`apportion compare` fills it"));
    assert!(!has_rates(&succeeds(&home, &compare(&machine, &["--history", "off"]))));
    assert!(!place.exists());

    assert!(!has_rates(&succeeds(&home, &compare(&machine, &[]))));
    assert!(place.is_file());
    // Where it is kept is said unless it was asked for.
    let elsewhere = home.path().join("elsewhere.json");
    for (more, said) in [(&[][..], 1), (&["--history", "off"], 0), (&["--history", elsewhere.to_str().unwrap()], 0)] {
        let output = apportion(&home, &compare(&machine, more));
        let error = String::from_utf8_lossy(&output.stderr);
        let told = format!("is kept for later runs in {} (not with `--history off`)", place.display());
        assert_eq!(error.matches(&told).count(), said, "{more:?}: {error}");
    }
    assert!(has_rates(&succeeds(&home, &compare(&machine, &[]))));
    assert!(!has_rates(&succeeds(&home, &compare(&machine, &["--history", "off"]))));

    let shown = succeeds(&home, &["history", "show"]);
    for word in ["emulated: 0.05 GFLOP/s", "emulated: 0.1 GFLOP/s", "axpy", "in-place", "1 + 0", "2 + 0", "whole loops"]
    {
        assert!(shown.contains(word), "no {word} in\n{shown}");
    }
    // Which devices these are is said of the machine that is asked about.
    assert!(shown.contains("no device here") && shown.contains("whole loops on emulated: 0.05 GFLOP/s"), "{shown}");
    let shown = succeeds(&home, &["history", "show", "--machine", &machine]);
    for word in ["\n  device 0 e0\n", "\n  device 1 e1\n", "\nwhole loops on 0 e0 + 1 e1\n"] {
        assert!(shown.contains(word), "no {word} in\n{shown}");
    }
    let rates = |arguments: &[&str]| {
        let shown: Value = serde_json::from_str(&succeeds(&home, arguments)).unwrap();
        shown["rates"].as_array().unwrap().clone()
    };
    let all = rates(&["history", "show", "--json", "--machine", &machine]);
    let one = |rate: &Value| if rate["device"].as_str().unwrap().contains(": 0.05 ") { "e0" } else { "e1" };
    for rate in &all {
        let both = rate["device"].as_str().unwrap().contains(" + ");
        let devices = if both { json!(["e0", "e1"]) } else { json!([one(rate)]) };
        assert_eq!(rate["here"], devices, "{rate}");
    }
    // Each alone and both together; and whole loops.
    let (loops, devices): (Vec<_>, Vec<_>) = all.iter().partition(|rate| rate["policy"].is_string());
    assert_eq!((loops.len(), devices.len()), (4, 4), "{all:?}");
    assert!(loops.iter().all(|rate| rate["once_us"].as_f64().unwrap() > 1.0), "{loops:?}");
    for rate in &devices {
        let of = |key: &str| rate["run"][key].as_f64().unwrap();
        // A block of both devices' loop. No piece takes less than described; other programs may make any of them take longer.
        let iterations = 50_000.0;
        let block_us = of("piece_us") + iterations * of("iteration_ns") / 1e3;
        let described = if rate["device"].as_str().unwrap().contains(": 0.05 ") { 40.0 } else { 20.0 };
        assert!(block_us > 0.5 * iterations * described / 1e3, "{rate}");
    }
    assert_eq!(rates(&["history", "show", "--json", "--device", "0.1 gflop"]).len(), 5);
    assert_eq!(rates(&["history", "show", "--json", "--kernel", "sum"]).len(), 0);
    let shown = succeeds(&home, &["history", "show", "--kernel", "sum"]);
    assert!(
        shown.contains("1 kernel on 2 kinds of devices")
            && shown.contains("kernels: axpy\n")
            && shown.contains("\n    emulated: 0.1 GF"),
        "{shown}"
    );
}

#[test]
fn an_explanation_goes_by_the_history_and_leaves_it_as_it_is() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let file = home.path().join("mine.json").to_str().unwrap().to_owned();
    let explained = |machine: &str, more: &[&str]| -> (Value, Vec<String>) {
        let flags = ["explain", "--machine", machine, "--workloads", "axpy", "--n", "100000", "--policies", "BLOCK"];
        let record: Value = serde_json::from_str(&succeeds(&home, &[&flags[..], &["--json"], more].concat())).unwrap();
        let notes = record["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned());
        (record["loops"][0].clone(), notes.collect())
    };
    let (described, notes) = explained(&machine, &["--history", &file]);
    let not_there = format!("history {file}: is not there; `apportion compare` with it fills it");
    assert!(notes == [not_there] && !Path::new(&file).exists(), "{notes:?}");
    succeeds(&home, &compare(&machine, &["--history", &file]));
    let written = std::fs::read(&file).unwrap();

    let (known, notes) = explained(&machine, &["--history", &file]);
    assert_eq!(notes, ["axpy: times as measured in such loops: BLOCK", "axpy: rates from history: e0, e1"]);
    assert_eq!((&known["from_history"], &described["from_history"]), (&json!(["e0", "e1"]), &json!([])));
    assert_ne!(known["policies"], described["policies"]);
    // Of one device alone too, in the same file.
    assert_eq!(explained(&machine, &["--history", &file, "--devices", "1"]).1, ["axpy: rates from history: e1"]);
    for more in [&["--history", "off"][..], &["--history", &file, "--overlap", "none"], &[]] {
        assert!(explained(&machine, more).1.is_empty(), "{more:?}");
    }
    assert_eq!(explained(&machine, &["--history", "off"]).0, described);
    assert_eq!(std::fs::read(&file).unwrap(), written);
    // What cannot be used is told, and the description counts.
    let absent = std::fs::read_to_string(&machine).unwrap().replacen("HOSTCPU", "OCLCPU", 1).replacen(
        "\"emulated\"",
        "\"opencl\", \"opencl\": {\"platform\": \"none of this name\"}",
        1,
    );
    let elsewhere = home.path().join("elsewhere.json").to_str().unwrap().to_owned();
    std::fs::write(&elsewhere, absent).unwrap();
    let (_, notes) = explained(&elsewhere, &["--history", &file]);
    assert!(notes.len() == 1 && notes[0].starts_with("rates from history are not used: "), "{notes:?}");
    std::fs::write(&file, "{").unwrap();
    let (damaged, notes) = explained(&machine, &["--history", &file]);
    assert!(notes.len() == 1 && notes[0].contains("mine.json"), "{notes:?}");
    assert_eq!(damaged, described);
}

#[test]
fn what_takes_no_time_by_the_iteration_is_shown_as_nothing() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("mine.json").to_str().unwrap().to_owned();
    // A piece eight times as long took no longer.
    let table = json!({
        "flops": 2.0, "memory_bytes": 12.0, "in_bytes": 0.0, "out_bytes": 0.0, "replicated_bytes": 0, "halo_bytes": 0,
        "shared_devices": 1, "discrete_devices": 0, "octave": 13, "once": [], "to": [], "from": [],
        "run": [[1, 1000, 0.002, false], [2, 8000, 0.002, false]]
    });
    let entry = json!({"kernel": "flat", "precision": "f32", "device": "cpu", "memory": "in-place", "loops": [table]});
    let history = json!({"schema": "apportion.history/1", "entries": [entry]});
    std::fs::write(&file, history.to_string()).unwrap();
    let shown = succeeds(&home, &["history", "show", "--history", &file]);
    assert!(shown.contains("2000 + 0 ") && !shown.contains("e-"), "{shown}");
    let rates = succeeds(&home, &["history", "show", "--json", "--history", &file]);
    let rates: Value = serde_json::from_str(&rates).unwrap();
    let run = &rates["rates"][0]["run"];
    assert_eq!(run["iteration_ns"], 0.0);
    assert!((run["piece_us"].as_f64().unwrap() - 2000.0).abs() < 1e-6, "{run}");
}

#[test]
fn kernels_of_one_name_are_told_apart() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("two.json").to_str().unwrap().to_owned();
    let table = json!({
        "flops": 2.0, "memory_bytes": 12.0, "in_bytes": 0.0, "out_bytes": 0.0, "replicated_bytes": 0, "halo_bytes": 0,
        "shared_devices": 1, "discrete_devices": 0, "octave": 10,
        "once": [], "to": [], "run": [[1, 1024, 1e-3, false]], "from": []
    });
    let entry = |name: &str, code: Option<&str>, block: Option<u64>| {
        let mut entry =
            json!({"kernel": name, "precision": "f32", "device": "cpu", "memory": "in-place", "loops": [table]});
        if let Some(code) = code {
            entry["code"] = code.into();
        }
        if let Some(block) = block {
            entry["block"] = block.into();
        }
        entry
    };
    let codes = ["00000000000000aa", "0123456789abcdef"];
    let mut entries: Vec<_> = codes.iter().map(|code| entry("step", Some(code), None)).collect();
    entries.extend([entry("step", None, None), entry("alone", Some(codes[0]), Some(64))]);
    std::fs::write(&file, json!({"schema": "apportion.history/1", "entries": entries}).to_string()).unwrap();
    let shown = succeeds(&home, &["history", "show", "--history", &file]);
    for label in ["step #00000000 ", "step #01234567 ", "step (any of the name) ", "alone in blocks of 64 "] {
        assert!(shown.contains(label), "no {label} in\n{shown}");
    }
    let shown = succeeds(&home, &["history", "show", "--json", "--history", &file]);
    let rates: Value = serde_json::from_str(&shown).unwrap();
    let shown: Vec<_> = rates["rates"].as_array().unwrap().iter().filter_map(|rate| rate["code"].as_str()).collect();
    assert_eq!(shown.iter().filter(|code| codes.contains(code)).count(), 3, "{shown:?}");
}

#[test]
fn a_history_is_cleared_and_shared() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (mine, copy) = (path("mine.json"), path("copy.json"));
    let history = |action: &[&str]| {
        let arguments = [&["history"], action, &["--history", &mine]].concat();
        succeeds(&home, &arguments)
    };
    fails(&home, &["history", "export", &copy, "--history", &mine], &["mine.json", "knows nothing yet"]);
    succeeds(&home, &compare(&machine, &["--history", &mine]));
    history(&["export", &copy]);
    let whole = std::fs::read_to_string(&mine).unwrap();
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), whole);
    // What is known already is not known better.
    history(&["import", &copy]);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), whole);
    assert!(history(&["clear", "--device", "0.05 GFLOP"]).contains("4 of 6"));
    assert!(!history(&["show"]).contains("0.05 GFLOP"));
    fails(
        &home,
        &["history", "clear", "--kernel", "summ", "--history", &mine],
        &["nothing matches", "kernels: axpy\n", "\n    emulated: 0.1 GFLOP"],
    );
    // An empty text would be in every name.
    fails(&home, &["history", "clear", "--device", "", "--history", &mine], &["a value is required", "--device"]);
    history(&["import", &copy]);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), whole);
    assert!(history(&["clear"]).contains("removed"));
    #[cfg(unix)]
    {
        // From a pipe, as any file.
        let import = "cat \"$1\" | \"$0\" history import /dev/stdin --history \"$2\"";
        let arguments = ["-c", import, env!("CARGO_BIN_EXE_apportion"), &copy, &mine];
        assert!(Command::new("sh").args(arguments).status().unwrap().success());
        assert_eq!(std::fs::read_to_string(&mine).unwrap(), whole);
        history(&["clear"]);
    }
    assert!(history(&["clear"]).contains("not there"));
    assert!(history(&["clear", "--kernel", "axpy"]).contains("not there"));
    assert!(!Path::new(&mine).exists());

    fails(&home, &["history", "import", &path("none.json")], &["none.json", "cannot be read"]);
    let wanted = ["machine.json", "apportion.machine/1", "apportion.history/2", "`apportion history export` wrote"];
    fails(&home, &["history", "import", &machine], &wanted);
    fails(&home, &["history", "show", "--history", "off"], &["off", "--history FILE"]);
    fails(&home, &["history", "show", "--history", ""], &["a value is required", "--history"]);
    fails(&home, &["history"], &["Usage"]);
    // A damaged one is named, does not stop a comparison, and can be cleared.
    std::fs::write(&mine, "{").unwrap();
    fails(&home, &["history", "show", "--history", &mine], &["mine.json", "is truncated", "apportion history clear"]);
    let record = succeeds(&home, &compare(&machine, &["--history", &mine]));
    assert_eq!(record.matches("what is learned now is not kept").count(), 1, "{record}");
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "{");
    // Nor does one that cannot be written.
    #[cfg(target_os = "linux")]
    {
        let record = succeeds(&home, &compare(&machine, &["--history", "/proc/mine.json"]));
        assert_eq!(record.matches("/proc/mine.json: cannot be written").count(), 1, "{record}");
    }
    assert!(history(&["clear"]).contains("removed"));
}

#[test]
fn what_is_no_history_is_not_removed() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let wrong = "is a machine description (apportion.machine/1), no history";
    fails(&home, &["history", "clear", "--history", &machine], &["machine.json", wrong, "nothing is removed"]);
    assert!(Path::new(&machine).exists());
    let shown = apportion(&home, &["history", "show", "--history", &machine]);
    let shown = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(shown.contains(wrong) && !shown.contains("history clear"), "{shown}");
    // Nothing is measured that could not be kept there.
    fails(&home, &compare(&machine, &["--history", &machine]), &["machine.json", wrong, "give another file", "off"]);
    let path = home.path().join("file").to_str().unwrap().to_owned();
    for (text, what) in [
        ("alpha,beta\n1,2\n", "is no JSON"),
        ("{\"rows\": []}", "is JSON without a schema"),
        ("{\"schema\": \"apportion.record/1\"", "is no JSON"),
        ("{\"schema\": \"apportion.record/1\"}", "is of schema `apportion.record/1`"),
    ] {
        std::fs::write(&path, text).unwrap();
        fails(&home, &["history", "clear", "--history", &path], &[what, "no history: nothing is removed"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // What is no file is neither removed nor replaced.
    for (place, what) in [("/dev/null", "is a device"), (home.path().to_str().unwrap(), "is a folder")] {
        fails(&home, &["history", "clear", "--history", place], &[place, what, "no history: nothing is removed"]);
        fails(&home, &compare(&machine, &["--history", place]), &[place, what, "no history"]);
        fails(&home, &["history", "show", "--history", place], &[place, "cannot be read"]);
    }
    for damaged in ["", "{\n  \"schema\": \"apportion.history/1\", \"entr", "{\"schema\": \"apportion.history/0\"}"] {
        std::fs::write(&path, damaged).unwrap();
        assert!(succeeds(&home, &["history", "clear", "--history", &path]).contains("is removed"));
        assert!(!Path::new(&path).exists());
    }
}

/// What a command writes replaces a file of its own kind alone.
#[test]
fn files_of_another_kind_are_not_replaced() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let there = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (mine, described) = (there("mine.json"), std::fs::read_to_string(&machine).unwrap());
    let compared = [
        "compare",
        "--machine",
        &machine,
        "--workloads",
        "axpy",
        "--n",
        "1000",
        "--policies",
        "BLOCK",
        "--history",
        &mine,
    ];
    succeeds(&home, &compared);
    let learned = std::fs::read_to_string(&mine).unwrap();
    let export = |to: &str| ["history", "export", to, "--history", &mine].map(str::to_owned);
    fails(
        &home,
        &export(&machine).each_ref().map(String::as_str),
        &["machine.json", "apportion.machine/", "not replaced"],
    );
    fails(
        &home,
        &["probe", "--machine", &machine, "--emulated", "-o", &mine],
        &["mine.json", "apportion.history/", "not replaced"],
    );
    assert_eq!(std::fs::read_to_string(&machine).unwrap(), described);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), learned);
    let other = there("other.json");
    for (text, what) in [
        ("%PDF-1.7", "is no JSON"),
        ("my notes", "is no JSON"),
        ("{\"rows\": []}", "is JSON without a schema"),
        ("{\"schema\": \"theirs/1\"}", "is of schema `theirs/1`"),
    ] {
        std::fs::write(&other, text).unwrap();
        fails(&home, &export(&other).each_ref().map(String::as_str), &["other.json", what, "not replaced"]);
        fails(&home, &["probe", "--machine", &machine, "-o", &other], &["other.json", what, "not replaced"]);
        assert_eq!(std::fs::read_to_string(&other).unwrap(), text);
    }
    // Of the same kind it is.
    std::fs::write(&other, r#"{"schema": "apportion.history/0"}"#).unwrap();
    succeeds(&home, &export(&other).each_ref().map(String::as_str));
    // A misspelt name.
    let missing = ["explain", "--machine", &machine, "--workloads", "axpy", "--n", "1000", "--history", "missing.json"];
    assert!(succeeds(&home, &missing).contains("history missing.json: is not there"));
    fails(&home, &["simulate", "--machine", "detected", "--workloads", "axpy"], &["probe -o machine.json"]);
    fails(&home, &["compare", "--machine", &machine, "--devices", "all"], &["`*`"]);
}

#[test]
fn off_is_off_in_any_case_and_what_cannot_be_used_is_told_once() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let with = |history: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_apportion"));
        command.env("APPORTION_HISTORY", history).env_remove("XDG_DATA_HOME").env("HOME", home.path());
        command.current_dir(home.path()).args(arguments).output().unwrap()
    };
    assert!(with("OFF", &compare(&machine, &[])).status.success());
    assert!(with("", &compare(&machine, &["--history", "Off"])).status.success());
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["machine.json"]);
    let refused = with(home.path().to_str().unwrap(), &compare(&machine, &[]));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert_eq!((refused.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("it is a folder, no history"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_has_one_exit_status() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let mine = home.path().join("mine.json").to_str().unwrap().to_owned();
    succeeds(&home, &compare(&machine, &["--history", &mine]));
    // Neither can be written to, also by the superuser.
    fails(&home, &["history", "export", "/proc/mine.json", "--history", &mine], &["/proc", "cannot write"]);
    fails(&home, &["history", "import", &mine, "--history", "/proc/mine.json"], &["/proc", "cannot write"]);
}

#[cfg(unix)]
#[test]
fn a_history_behind_a_link_is_written_and_cleared_there() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let there = |name: &str| home.path().join(name);
    symlink("real.json", there("link.json")).unwrap();
    let link = there("link.json").to_str().unwrap().to_owned();
    succeeds(&home, &compare(&machine, &["--history", &link]));
    std::fs::set_permissions(there("real.json"), std::fs::Permissions::from_mode(0o600)).unwrap();
    succeeds(&home, &compare(&machine, &["--history", &link]));
    assert!(there("link.json").is_symlink());
    assert_eq!(std::fs::metadata(there("real.json")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(succeeds(&home, &["history", "clear", "--history", &link]).contains("is removed"));
    assert!(there("link.json").is_symlink() && !there("real.json").exists());
    assert!(succeeds(&home, &["history", "clear", "--history", &link]).contains("is not there"));
}

/// Such as that of APPORTION_HISTORY where the command line names another.
#[test]
fn a_damaged_history_is_told_once_and_only_where_it_is_used() {
    let home = TempDir::new().unwrap();
    let machine = machine(&home);
    let at = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (damaged, other) = (at("damaged.json"), at("other.json"));
    std::fs::write(&damaged, "{\n  \"schema\": \"apportion.history/2\", \"entr").unwrap();
    for (more, times) in [(&[][..], 1), (&["--history", "off"], 0), (&["--history", &other], 0)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_apportion"));
        let arguments = compare(&machine, more);
        let done = command.env("APPORTION_HISTORY", &damaged).args(arguments).output().unwrap();
        let record: Value = serde_json::from_slice(&done.stdout).unwrap();
        let notes = record["notes"].to_string();
        assert_eq!(notes.matches("what is learned now is not kept").count(), times, "{more:?}: {notes}");
    }
}
