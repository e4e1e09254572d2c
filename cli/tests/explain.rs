//! `apportion explain` as a user runs it.

mod program;

use apportion_cli::explained::{ExplainRecord, SCHEMA};
use program::program;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// From the repository's root, so that paths are as in the document.
fn apportion(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    program().current_dir(root).args(arguments).output().unwrap()
}

#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = apportion(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_document_shows_what_the_command_prints_and_names_every_key() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let document = std::fs::read_to_string(root.join("docs/explain.md")).unwrap();
    let block = document.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (command, shown) = block.split_once('\n').unwrap();
    let arguments: Vec<&str> = command.strip_prefix("$ apportion ").unwrap().split(' ').collect();
    assert_eq!(succeeds(&arguments), shown);

    fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => {
                for (key, value) in object {
                    found.push(key.clone());
                    keys(value, found);
                }
            }
            serde_json::Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let json = succeeds(&[&arguments[..], &["--json"]].concat());
    let mut found = Vec::new();
    keys(&serde_json::from_str(&json).unwrap(), &mut found);
    for key in found {
        assert!(document.contains(&format!("`{key}`")), "docs/explain.md does not explain {key}");
    }
}

#[test]
fn the_cost_of_an_iteration_is_shown_in_both_forms() {
    let base =
        ["explain", "--machine", "machines/fornax.json", "--workloads", "all", "--n", "1600", "--policies", "BLOCK"];
    let explained = |form: &str| {
        let arguments = [&base[..], &["--form", form]].concat();
        let record: ExplainRecord = serde_json::from_str(&succeeds(&[&arguments[..], &["--json"]].concat())).unwrap();
        (succeeds(&arguments), record.loops)
    };
    let (hand_text, hand) = explained("hand");
    let (single_text, single) = explained("single");
    assert_eq!(hand.len(), single.len());
    for (a, b) in hand.iter().zip(&single) {
        let (stated, derived) = (a.per_iteration.as_ref().unwrap(), b.per_iteration.as_ref().unwrap());
        assert!(hand_text.contains(&format!("per iteration: {}, stated by hand", stated.words)), "{hand_text}");
        assert!(single_text.contains(&format!("per iteration: {}, derived", derived.words)), "{single_text}");
        // The same work, counted by different rules: by hand matmul counts its result as read, too.
        for (of, a, b, most) in [
            ("flops", stated.flops, derived.flops, 4.0),
            ("read", stated.bytes_read, derived.bytes_read, 2.01),
            ("written", stated.bytes_written, derived.bytes_written, 1.01),
        ] {
            assert!(a <= b * most && b <= a * most, "{} {of}: {a} {b}", stated.words);
        }
    }
    assert_eq!(hand[2].per_iteration.as_ref().unwrap().flops, 2.0 * 1600.0);
}

#[test]
fn what_is_predicted_is_what_simulate_says_and_what_autos_choice_takes() {
    let machine = ["--machine", "machines/fornax.json", "--workload", "matvec", "--size", "paper"];
    let json = succeeds(&[&["explain"][..], &machine, &["--json"]].concat());
    let record: ExplainRecord = serde_json::from_str(&json).unwrap();
    assert_eq!(record.schema, SCHEMA);
    let simulated = succeeds(&[&["simulate"][..], &machine, &["--json"]].concat());
    let simulated: serde_json::Value = serde_json::from_str(&simulated).unwrap();
    let explained = &record.loops[0];
    for (policy, run) in explained.policies.iter().zip(simulated["runs"].as_array().unwrap()) {
        let time = run["times_ms"][0].as_f64().unwrap();
        assert!((policy.predicted_ms - time).abs() <= 1e-9 * time, "{}: {time}", policy.policy);
        assert_eq!(policy.per_device.iter().map(|part| part.iterations).sum::<u64>(), explained.iterations);
        for part in &policy.per_device {
            let longest = part.terms_ms.values().copied().fold(0.0, f64::max);
            assert_eq!(part.dominant.is_some(), part.iterations > 0);
            let named = |term: &str| term == "contention" || part.terms_ms[term] == longest;
            assert!(part.dominant.as_deref().is_none_or(named));
            assert!(
                part.timeline
                    .iter()
                    .all(|chunk| chunk.start_ms >= 0.0 && chunk.end_ms <= policy.predicted_ms * 1.000001)
            );
        }
    }
    let auto = explained.policies.iter().find(|policy| policy.policy == "AUTO").unwrap();
    assert!((auto.predicted_ms - explained.auto.predicted_ms).abs() <= 1e-6 * auto.predicted_ms);
    // The Xeon Phis are not worth it, and get nothing.
    let left_out: Vec<_> = explained.auto.left_out.iter().map(|out| (&*out.device, out.rule.as_deref())).collect();
    assert_eq!(left_out, [("phi-0", Some("benefit")), ("phi-1", Some("benefit"))]);
    assert!(auto.per_device.iter().all(|part| (part.iterations == 0) == part.device.starts_with("phi")));
}

#[test]
fn the_figure_has_a_panel_for_each_policy_and_what_is_wrong_is_told_before_any_work() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("timelines.svg");
    let base = ["explain", "--machine", "machines/fornax.json", "--workloads", "axpy", "--policies", "BLOCK,AUTO"];
    succeeds(&[&base[..], &["-o", file.to_str().unwrap()]].concat());
    let svg = std::fs::read_to_string(&file).unwrap();
    for text in ["BLOCK", "AUTO", "k80-0-0", "kernel"] {
        assert!(svg.contains(text), "{text}");
    }
    // The name is the user's, whatever its letters.
    for (name, begin) in [("My.Loop.SVG", "<svg"), ("page.Pdf", "%PDF"), ("a.PNG", "\u{fffd}PNG")] {
        let file = folder.path().join("named").join(name);
        let output = apportion(&[&base[..], &["-o", file.to_str().unwrap()]].concat());
        assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains(name));
        let bytes = std::fs::read(&file).unwrap();
        assert!(String::from_utf8_lossy(&bytes).starts_with(begin), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path().join("named")).unwrap().count(), 3);
    for (arguments, words) in [
        (&["-o", "figure.txt"][..], "expected svg, png or pdf"),
        (&["-o", "figure"], "--out figure: the end of its name says the format of the figure: .svg, .png or .pdf"),
        (&["-o", "/dev/null/figure.svg"], "is no folder"),
        (&["--machine", "none.json"], "none.json"),
    ] {
        let output = apportion(&[&base[..1], arguments, &base[3..]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(words), "{error}");
    }
    // In other commands -o names a folder: one that is there and one that is to be.
    let new = folder.path().join("new/");
    for out in [folder.path().join("named"), new.clone()] {
        let output = apportion(&[&base[..], &["-o", out.to_str().unwrap()]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        let right = format!("name it too, such as {}", out.join("axpy.svg").display());
        assert!(output.status.code() == Some(2) && error.contains(&right), "{error}");
    }
    assert!(!new.exists());
    let all = ["explain", "--machine", "machines/fornax.json", "-o", file.to_str().unwrap()];
    let error = String::from_utf8(apportion(&all).stderr).unwrap();
    assert!(error.contains("one workload"), "{error}");
}

#[test]
fn a_policy_of_too_many_chunks_costs_only_itself() {
    let with = |policies: &'static str| {
        ["--machine", "machines/fornax.json", "--workloads", "axpy", "--n", "1000000000", "--policies", policies]
    };
    let arguments = with("BLOCK,SCHED_DYNAMIC:1,AUTO");
    let why = "too many chunks to simulate";
    let text = succeeds(&[&["explain"][..], &arguments].concat());
    assert!(
        text.contains(&format!("SCHED_DYNAMIC:1 is not simulated: {why}")) && text.contains("AUTO chooses"),
        "{text}"
    );
    let json = succeeds(&[&["explain", "--json"][..], &arguments].concat());
    let explained = serde_json::from_str::<ExplainRecord>(&json).unwrap().loops.remove(0);
    let simulated: Vec<&str> = explained.policies.iter().map(|policy| &*policy.policy).collect();
    assert_eq!(simulated, ["BLOCK", "AUTO"]);
    assert!(explained.not_simulated[0].policy == "SCHED_DYNAMIC:1" && explained.not_simulated[0].reason.contains(why));

    let text = succeeds(&[&["simulate"][..], &arguments].concat());
    assert!(text.contains(&format!("not simulated: {why}")) && !text.contains("failed"), "{text}");
    let folder = TempDir::new().unwrap();
    let out = folder.path().to_str().unwrap();
    let json = succeeds(&[&["simulate", "--json", "-o", out][..], &arguments].concat());
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    let times: Vec<usize> =
        record["runs"].as_array().unwrap().iter().map(|run| run["times_ms"].as_array().unwrap().len()).collect();
    assert_eq!(times, [1, 0, 1]);

    // Nothing is left to draw.
    let figure = folder.path().join("figure.svg");
    let output = apportion(&[&["explain", "-o", figure.to_str().unwrap()][..], &with("SCHED_DYNAMIC:1")].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains(why), "{error}");
}
