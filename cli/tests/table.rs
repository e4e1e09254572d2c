//! Tables read as they did, in any width.

mod samples;

use apportion_cli::table::render;
use samples::{POLICIES, SEVEN, TWO, WORKLOADS, everything, odd, record, run};

/// Compares with a file of `tests/golden`; `UPDATE_GOLDEN=1` writes it anew.
fn check(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert!(text == golden, "{name} differs from:\n{golden}\nnow it is:\n{text}");
}

#[test]
fn two_devices_fit_in_one_table() {
    let runs = WORKLOADS[..2].iter().flat_map(|w| POLICIES.iter().map(move |p| run(*w, *p, &TWO, 10)));
    check("table_two.txt", &render(&record(runs.collect()), 100));
}

#[test]
fn seven_devices_get_a_table_of_their_own() {
    let runs = POLICIES.iter().map(|policy| run(WORKLOADS[2], *policy, &SEVEN, 1));
    check("table_seven.txt", &render(&record(runs.collect()), 100));
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let text = render(&odd(), 100);
    check("table_odd.txt", &text);
    assert!(text.contains("!!! WRONG RESULT: BLOCK on axpy"));
}

#[test]
fn lines_keep_to_the_width() {
    for record in [everything(&TWO, 10), everything(&SEVEN, 3), odd()] {
        for width in [80, 100, 120, 200] {
            for line in render(&record, width).lines() {
                assert!(line.len() <= width && line.is_ascii(), "{width}: {line}");
            }
        }
    }
}

#[test]
fn no_width_and_no_runs_are_no_trouble() {
    assert!(render(&record(vec![]), 0).contains("no runs"));
    assert!(render(&odd(), 0).contains("BLOCK"));
}

#[test]
fn names_cannot_command_the_terminal() {
    let mut record = odd();
    record.runs[0].workload = "\u{1b}[2Jaxpy".into();
    record.runs[0].notes.push("\u{7}".into());
    assert!(!render(&record, 100).contains(['\u{1b}', '\u{7}']));
}
