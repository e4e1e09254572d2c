//! Tables read as they did, in any width.

mod samples;

use apportion_cli::grouping::{Standing, groups};
use apportion_cli::record::{HostMemory, Mode, Run, Scaling, ScalingKind};
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
    assert!(text.contains("\n* DYNAMIC:2%") && text.contains("\n* GUIDED") && text.contains("\n  BLOCK"), "{text}");
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

/// `run` of a workload under a policy on a host and a GPU that take 3 and 6 ms alone.
fn beside_alone(workload: usize, policy: usize, ms: f64) -> Run {
    let mut run = Run { times_ms: vec![ms], ..run(WORKLOADS[workload], POLICIES[policy], &TWO, 1) };
    run.alone_ms = [("host".to_owned(), Some(3.0)), ("opencl:0".to_owned(), Some(6.0))].into();
    run
}

#[test]
fn times_alone_stand_below_each_table_and_the_best_policies_are_summed_up() {
    // Both together cannot take less than 2 ms.
    let all = [beside_alone(0, 0, 5.0), beside_alone(0, 1, 2.5), beside_alone(1, 1, 4.0), beside_alone(2, 0, 2.0)];
    let text = render(&record(all.to_vec()), 200);
    assert_eq!(text.matches("\n  alone: host 3.00 ms, opencl:0 6.00 ms\n").count(), 3, "{text}");
    // 0.8, 0.5 and 1; 1.2, 0.75 and 1.5.
    let line = "best policy of each table (DYNAMIC:2% in 2, BLOCK in 1): efficiency 0.77, 1.15 times as fast as the best \
                device alone (means of 3)\n";
    assert!(text.contains(line), "{text}");
    // A wrong result, however fast, is no best; and times alone need no device that ran a part.
    let mut wrong = Run { verified: Some(false), ..beside_alone(0, 0, 1.0) };
    wrong.per_device.clear();
    let text = render(&record(vec![wrong, Run { per_device: Vec::new(), ..beside_alone(0, 1, 4.0) }]), 200);
    assert!(
        text.contains("(DYNAMIC:2% in 1): efficiency 0.50, takes 1.33 times as long as the best device alone"),
        "{text}"
    );
}

#[test]
fn what_is_slower_than_a_device_alone_is_said_to_take_longer() {
    for (ms, words) in [
        (60.0, "efficiency 0.033, takes 20.0 times as long as the best device alone"),
        (3000.0, "efficiency 0.001, takes 1000 times as long as the best device alone"),
        (3.0, "efficiency 0.67, as fast as the best device alone"),
        (1.5, "efficiency 1.33, 2.00 times as fast as the best device alone"),
    ] {
        let text = render(&record(vec![beside_alone(0, 0, ms)]), 200);
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
}

#[test]
fn why_there_is_no_time_alone_is_said() {
    let none = |run: Run| Run { alone_ms: Default::default(), per_device: Vec::new(), ..run };
    let mut half = none(beside_alone(0, 0, 4.0));
    half.alone_ms = [("host".to_owned(), Some(3.0)), ("opencl:0".to_owned(), None)].into();
    let text = render(&record(vec![half, beside_alone(1, 0, 4.0)]), 200);
    assert!(text.contains("  alone: host 3.00 ms, opencl:0 has no time\n"), "{text}");
    assert!(text.contains("efficiency 0.50, takes 1.33 times as long") && text.contains("(means of 1 of 2)"), "{text}");
    let text = render(&record(vec![none(beside_alone(0, 0, 4.0))]), 200);
    assert!(text.contains("  alone: no device has a time alone") && text.contains("\nno mean efficiency"), "{text}");
    let scaling = Some(Scaling { kind: ScalingKind::Weak, devices: 2, times: 2 });
    let text = render(&record(vec![Run { scaling, ..none(beside_alone(0, 0, 4.0)) }]), 200);
    assert!(text.contains("  alone: not measured on 2 times the rows; effic. takes 2 times"), "{text}");
    // Of one device there is nothing to say.
    let one = Run { devices: vec!["host".into()], ..none(beside_alone(0, 0, 4.0)) };
    let text = render(&record(vec![one]), 200);
    assert!(!text.contains("alone: ") && !text.contains("best policy"), "{text}");
}

#[test]
fn a_note_of_all_tables_is_said_once_with_its_rows() {
    let of = |workload: usize, policy: usize| {
        let name = POLICIES[policy].0;
        let mut run = run(WORKLOADS[workload], POLICIES[policy], &SEVEN, 2);
        run.notes.push(format!("the cutoff means nothing to {name}: every device takes part"));
        if workload == 1 {
            run.notes.push("only here".to_owned());
        }
        run
    };
    let runs = (0..2).flat_map(|workload| [0, 1].map(|policy| of(workload, policy)));
    let text = render(&record(runs.chain([0, 1].map(|w| run(WORKLOADS[w], POLICIES[2], &SEVEN, 2))).collect()), 200);
    let once = "\nin every table:\n  - the cutoff means nothing to these policies: every device takes part [BLOCK, DYNAMIC:2%]\n";
    assert!(text.contains(once) && text.matches("means nothing").count() == 1, "{text}");
    let here = text.find("  - only here [BLOCK, DYNAMIC:2%]\n").unwrap();
    assert!(text.find("\nsum ").unwrap() < here && here < text.find("\nin every table").unwrap(), "{text}");
}
