//! `apportion reproduce` as a user runs it.

mod program;

use program::{apportion, fails, succeeds, text};
use serde_json::Value;
use std::path::Path;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

const CASES: &str = "kernel,size,devices,policy,chunk_pct,cutoff_pct\n\
    axpy,1000000000,0(HOSTCPU:0)-1(NVGPU:0)-2(NVGPU:1)-3(ITLMIC:1),MODEL_2_AUTO,,15\n\
    sum,300000000,0(ITLMIC:0),SCHED_GUIDED,15,\n\
    stencil2d,256,0(NVGPU:2)-1(NVGPU:3),BLOCK,,\n";

#[test]
fn a_list_of_cases_comes_back_with_times_and_shares_and_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    std::fs::write(&file, CASES).unwrap();
    let out = folder.path().join("out");
    let printed = succeeds(&["reproduce", "homp", "--cases", path(&file), "--json", "-o", path(&out)]);
    let record: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(record["schema"], "apportion.homp-cases/1");
    let cases = record["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        assert!(case["predicted_ms"].as_f64().unwrap() > 0.0);
        let devices = case["per_device"].as_array().unwrap();
        assert_eq!(devices.len(), case["devices"].as_str().unwrap().split('-').count());
        let iterations: u64 = devices.iter().map(|device| device["iterations"].as_u64().unwrap()).sum();
        assert_eq!(iterations, case["size"].as_u64().unwrap());
        let shares: f64 = devices.iter().map(|device| device["share_pct"].as_f64().unwrap()).sum();
        assert!((shares - 100.0).abs() < 1e-9);
    }
    assert_eq!(cases[0]["cutoff_pct"], 15.0);
    assert_eq!(cases[0]["chunk_pct"], Value::Null);
    assert_eq!(cases[0]["per_device"][3]["device"], "phi-1");

    // What was written is a list of cases again, and gives the same.
    let written = out.join("cases.csv");
    let again: Value =
        serde_json::from_str(&succeeds(&["reproduce", "homp", "--cases", path(&written), "--json"])).unwrap();
    assert_eq!(again["cases"], record["cases"]);
    let table = succeeds(&["reproduce", "homp", "--cases", path(&file)]);
    assert!(table.contains("predicted ms") && table.contains("0(NVGPU:2)-1(NVGPU:3)"), "{table}");
}

#[test]
fn a_list_of_cases_keeps_its_numbers_of_sweeps() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("mine.csv"), folder.path().join("out"));
    let row = |sweeps: &str| format!("stencil2d,256,0(NVGPU:2)-1(NVGPU:3),BLOCK,,,{sweeps}\n");
    let list = format!("kernel,size,devices,policy,chunk_pct,cutoff_pct,sweeps_per_run\n{}{}", row("7"), row(""));
    std::fs::write(&file, list).unwrap();
    let cases = |file: &Path| {
        let printed = succeeds(&["reproduce", "homp", "--cases", path(file), "--json", "-o", path(&out)]);
        serde_json::from_str::<Value>(&printed).unwrap()["cases"].clone()
    };
    let first = cases(&file);
    assert_eq!((&first[0]["sweeps_per_run"], first[1].get("sweeps_per_run")), (&7.into(), None));
    assert_eq!(cases(&out.join("cases.csv")), first);
}

#[test]
fn a_case_that_the_authors_runtime_refuses_does_not_keep_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("mine.csv"), folder.path().join("out"));
    std::fs::write(&file, format!("{CASES}stencil2d,256,0(NVGPU:2)-1(NVGPU:3),SCHED_DYNAMIC,5,\n")).unwrap();
    let output = apportion(&["reproduce", "homp", "--cases", path(&file), "--json", "-o", path(&out)]);
    let error = text(&output.stderr);
    assert!(output.status.success() && error.contains("1 of 4 cases is refused"), "{error}");
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = record["cases"].as_array().unwrap();
    let predicted: Vec<_> = cases.iter().map(|case| case["predicted_ms"].is_f64()).collect();
    assert_eq!(predicted, [true, true, true, false]);
    assert!(cases[..3].iter().all(|case| case.get("reason").is_none()), "{record}");
    assert_eq!((&cases[3]["predicted_ms"], &cases[3]["per_device"]), (&Value::Null, &serde_json::json!([])));
    assert_eq!((&cases[3]["line"], &cases[3]["policy"]), (&5.into(), &"SCHED_DYNAMIC".into()));
    let reason = cases[3]["reason"].as_str().unwrap();
    assert!(reason.contains("stencil2d") && reason.contains("MODEL_2_AUTO"), "{reason}");
    // The list that was written can be read again, and gives the same.
    let written = succeeds(&["reproduce", "homp", "--cases", path(&out.join("cases.csv")), "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap()["cases"], record["cases"]);
    let table = succeeds(&["reproduce", "homp", "--cases", path(&file)]);
    assert!(table.contains("line 5 is refused: SCHED_DYNAMIC"), "{table}");
}

#[test]
fn the_whole_comparison_is_written_with_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    let table = succeeds(&["reproduce", "homp", "--out", path(folder.path())]);
    for words in ["4 NVGPU", "Best policy", "Worst 10 cases", "Figure 8", "Figure 9", "Table V"] {
        assert!(table.contains(words), "no `{words}` in\n{table}");
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    for figure in 5..=9 {
        let svg = read(&format!("figure-{figure}.svg"));
        assert!(svg.starts_with("<svg") && svg.contains(&format!("<title>HOMP figure-{figure}: ")));
    }
    assert_eq!(read("cases.csv").lines().count(), 289);
    assert_eq!(read("table-v.csv").lines().count(), 7);
    let record: Value = serde_json::from_str(&read("reproduction.json")).unwrap();
    assert_eq!(record["schema"], "apportion.reproduction/1");
    let errors = record["errors"].as_array().unwrap();
    let median = |name: &str| {
        let group = errors.iter().find(|group| group["name"] == name).unwrap();
        group["median_pct"].as_f64().unwrap()
    };
    assert!(median("1 NVGPU") < 1.0 && median("4 NVGPU") <= 12.0 && median("several devices") < 5.0, "{errors:?}");
    assert!(median("matmul") < 2.0 && median("SCHED_DYNAMIC,2") < 2.1 && median("stencil2d on 4 NVGPU") < 6.0);
    // The page says what the program says.
    let page = include_str!("../../docs/homp.md");
    let labels = [("1 HOSTCPU", "host"), ("1 ITLMIC", "one Xeon Phi"), ("1 NVGPU", "1 GPU"), ("2 NVGPU", "2 GPUs")];
    let labels =
        [&labels[..], &[("3 NVGPU", "3 GPUs"), ("4 NVGPU", "4 GPUs"), ("several devices", "2 to 4 GPUs")]].concat();
    for group in errors.iter().filter(|group| group["by"] != "all" && group["by"] != "kernel and set") {
        let name = group["name"].as_str().unwrap();
        let label = labels.iter().find(|(there, _)| *there == name).map_or(name, |(_, label)| label);
        let percent = |key: &str| format!("{:.1} %", group[key].as_f64().unwrap());
        let figures = ["median_pct", "ninth_decile_pct", "worst_pct", "bias_pct"].map(percent).join(" | ");
        let row = format!("| {label} | {} | {figures} |", group["cases"]);
        assert!(page.contains(&row), "docs/homp.md has no row\n{row}");
    }
    assert_eq!(record["cases"].as_array().unwrap().len(), 288);
    assert_eq!(record["figure_9"].as_array().unwrap().len(), 48);
}

#[test]
fn a_fit_to_the_measured_table_gives_the_files_that_are_built_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let measured = root.join("reproduce/data/measured.csv");
    let table = succeeds(&["reproduce", "homp", "--fit", path(&measured), "--out", path(folder.path())]);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let (machine, runtime) = (folder.path().join("fornax-homp.json"), folder.path().join("runtime.json"));
    assert_eq!(read(&machine), read(&root.join("machines/fornax-homp.json")));
    assert_eq!(read(&runtime), read(&root.join("reproduce/data/runtime.json")));
    // The same from the files, and against the same table by name.
    let files = ["--machine", path(&machine), "--runtime", path(&runtime), "--measured", path(&measured)];
    assert_eq!(succeeds(&[&["reproduce", "homp"], &files[..]].concat()), table);
}

#[test]
fn wrong_input_is_told_where_it_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    std::fs::write(&file, CASES.replace("SCHED_GUIDED", "SCHED_BEST")).unwrap();
    fails(&["reproduce", "homp", "--cases", path(&file)], 2, &["mine.csv:3, column `policy`", "`SCHED_BEST`", "BLOCK"]);
    fails(&["reproduce", "homp", "--cases", "missing.csv"], 2, &["missing.csv", "cannot be read"]);
    fails(&["reproduce", "homp", "--fit", path(&file)], 2, &["mine.csv", "lacks the columns `device_index`"]);
    fails(&["reproduce", "homp", "--runtime", path(&file)], 2, &["mine.csv", "expected value"]);
    let another = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machines/fornax.json");
    let words =
        ["fornax.json", "it is a machine description (apportion.machine/1)", "apportion.homp-runtime/1 is needed"];
    fails(&["reproduce", "homp", "--runtime", path(&another)], 2, &words);
    std::fs::write(&file, "").unwrap();
    fails(&["reproduce", "homp", "--runtime", path(&file)], 2, &["mine.csv: is empty", "apportion.homp-runtime/1"]);
    fails(&["reproduce", "homp", "--machine", "missing.json"], 2, &["missing.json"]);
    let part = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machines/fornax-4gpu.json");
    fails(&["reproduce", "homp", "--machine", path(&part)], 2, &["has 0 devices of type HOSTCPU", "has 1"]);
    fails(&["reproduce", "tida"], 2, &["homp"]);
    fails(&["reproduce", "homp", "--cases", path(&file), "--fit", path(&file)], 2, &["cannot be used with"]);
    std::fs::write(&file, CASES).unwrap();
    fails(&["reproduce", "homp", "--cases", path(&file), "-o", path(&file)], 2, &["--out", "is no folder"]);
    // A list of cases is not drawn.
    let out = folder.path().join("out");
    for flag in [["--formats", "pdf"], ["--width", "column"]] {
        let arguments = ["reproduce", "homp", "--cases", path(&file), "-o", path(&out)];
        fails(&[&arguments[..], &flag].concat(), 2, &[flag[0], "no figures are drawn with --cases"]);
        assert!(!out.exists());
    }
}
