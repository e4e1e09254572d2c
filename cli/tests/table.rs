//! Tables read as they did, in any width.

mod samples;

use apportion_cli::grouping::{Standing, groups};
use apportion_cli::record::{HostMemory, Mode, Run};
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
fn runs_in_other_memory_stand_apart_and_the_heads_say_which() {
    let memories = [None, Some(HostMemory::PageLocked), Some(HostMemory::Plain)];
    let runs = memories.map(|memory| Run { memory, ..run(WORKLOADS[0], POLICIES[0], &TWO, 2) });
    let text = render(&record(runs.to_vec()), 100);
    let heads: Vec<_> = text.lines().filter(|line| line.starts_with("axpy ")).collect();
    let head = "axpy   n = 100 000 000, f32";
    assert_eq!(heads, [head, &format!("{head}, page-locked memory"), &format!("{head}, plain memory")], "{text}");
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

/// Runs of axpy under the first policies, with these times.
fn timed(mode: Mode, times: &[&[f64]]) -> Vec<Run> {
    let runs = times.iter().zip(POLICIES);
    runs.map(|(times, policy)| Run { mode, times_ms: times.to_vec(), ..run(WORKLOADS[0], policy, &TWO, 1) }).collect()
}

fn standings(runs: Vec<Run>) -> Vec<Standing> {
    let record = record(runs);
    let groups = groups(&record);
    (0..groups[0].rows.len()).map(|index| groups[0].standing(index)).collect()
}

#[test]
fn equal_virtual_times_are_all_the_fastest() {
    let found = standings(timed(Mode::Simulated, &[&[2.0], &[1.0], &[1.0 + 1e-12], &[1.000_01], &[]]));
    use Standing::{Behind, Fastest};
    assert_eq!(found, [Behind, Fastest, Fastest, Behind, Behind]);
    let text = render(&record(timed(Mode::Simulated, &[&[2.0], &[1.0], &[1.0]])), 100);
    assert!(text.contains("\n* DYN") && text.contains("\n* GUIDED") && text.contains("\n  BLOCK"), "{text}");
}

#[test]
fn who_is_slower_goes_by_ranks_and_not_by_means() {
    let fast = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 80.0];
    let slow = [2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6];
    let close = [1.05, 1.15, 1.25, 1.35, 1.45, 1.55, 1.65];
    use Standing::{Behind, Fastest, NotSlowerForSure};
    assert_eq!(standings(timed(Mode::Real, &[&fast, &slow])), [Fastest, Behind]);
    assert_eq!(standings(timed(Mode::Real, &[&fast, &close])), [Fastest, NotSlowerForSure]);
    // One measured time tells nothing, however far off.
    assert_eq!(standings(timed(Mode::Real, &[&[1.0], &[5.0]])), [Fastest, NotSlowerForSure]);
}

#[test]
fn many_comparisons_need_clearer_differences() {
    // Ranks that differ at 5 % in one comparison (p = 0.02), and not in seven.
    let best = [1.0, 2.0, 3.0, 4.0, 5.0, 6.5, 7.5];
    let other = [4.5, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0];
    let two: &[&[f64]] = &[&best, &other];
    assert_eq!(standings(timed(Mode::Real, two))[1], Standing::Behind);
    let eight: Vec<&[f64]> = [&best].into_iter().chain([&other; 7]).map(|times| &times[..]).collect();
    assert_eq!(standings(timed(Mode::Real, &eight))[1..], [Standing::NotSlowerForSure; 7]);
}
