//! Loops with a history: what they add to its file, and what later loops make of it.

mod common;

use apportion::kernel::Cost;
use apportion::model::History;
use apportion::model::history::{Key, Table};
use apportion::model::machine::{EmulatedSection, Machine};
use apportion::prelude::*;
use apportion::runtime::HistoryFile;
use apportion::sched::Simulation;
use common::{Emulated, emulated_machine, host_machine};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

const N: usize = 100_000;

/// 0.5 us for an iteration, 50 ms for a loop. Other work holds up threads by some milliseconds, which is little beside that.
const FIFTY_MS: Emulated = Emulated { shared: true, gflop_per_s: 0.004, memory_mib: 0.0, fault: None };

/// Two devices with the same description. The second in fact takes four times as long.
fn misjudged() -> Machine {
    let mut machine = emulated_machine(&[FIFTY_MS, Emulated { shared: false, memory_mib: 1024.0, ..FIFTY_MS }]);
    machine.devices[1].emulated = Some(EmulatedSection { time_scale: Some(4.0), fault: None });
    machine
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    // Missing folders are created.
    let path = folder.path().join("a/b/history.json");
    (folder, path)
}

fn known(path: &PathBuf) -> History {
    HistoryFile::at(path).load().unwrap()
}

fn run(rt: &Runtime, policy: &str, n: usize) -> Report {
    let (x, mut y) = (vec![1_u64; n], vec![2_u64; n]);
    let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
    let report = rt.parallel_for(0..n, bound).policy(policy).run().unwrap();
    assert!(y.iter().all(|&y| y == 7));
    report
}

/// The notes of the loop's explanation, and its text.
fn remarks(rt: &Runtime, n: usize) -> (Vec<String>, String) {
    let (x, mut y) = (vec![1_u64; n], vec![2_u64; n]);
    let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
    let explained = rt.parallel_for(0..n, bound).explain(&[Policy::Block]).unwrap();
    let text = explained.to_string();
    (explained.notes, text)
}

fn predict(rt: &Runtime, policy: &str, n: usize) -> (Simulation, Vec<String>) {
    let (x, mut y) = (vec![1_u64; n], vec![2_u64; n]);
    let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
    let a_loop = rt.parallel_for(0..n, bound).policy(policy);
    (a_loop.predict().unwrap(), a_loop.known_from_history().unwrap())
}

/// The part of the loop that the second device gets.
fn share(simulation: &Simulation) -> f64 {
    simulation.devices[1].iterations as f64 / N as f64
}

fn error(predicted: &Simulation, measured: &Report) -> f64 {
    (predicted.makespan / measured.elapsed - 1.0).abs()
}

#[test]
fn a_device_that_is_misdescribed_gets_what_it_is_worth_after_one_run() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    let (before, names) = predict(&rt, "MODEL_2_AUTO", N);
    assert!((0.4..0.6).contains(&share(&before)) && names.is_empty(), "{}", share(&before));
    assert!(remarks(&rt, N).0.is_empty());
    let (block, measured) = (predict(&rt, "BLOCK", N).0, run(&rt, "BLOCK", N));
    assert!(!measured.to_string().contains("history"), "{measured}");
    for policy in ["BLOCK", "SCHED_DYNAMIC:10%", "BLOCK"] {
        run(&rt, policy, N);
    }
    drop(rt);

    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    let (after, names) = predict(&rt, "MODEL_2_AUTO", N);
    assert_eq!(names, ["e0", "e1"]);
    // A fifth is the right share.
    assert!((0.14..0.28).contains(&share(&after)), "{}", share(&after));
    let again = predict(&rt, "BLOCK", N).0;
    assert!(error(&again, &measured) < 0.5 * error(&block, &measured), "{} was {}", again.makespan, block.makespan);
    let report = run(&rt, "MODEL_2_AUTO", N);
    assert!(report.notes.iter().any(|note| note == "rates from history: e0, e1"), "{report}");
    let (notes, text) = remarks(&rt, N);
    assert_eq!(notes, ["times as measured in such loops: BLOCK", "rates from history: e0, e1"]);
    assert!(text.ends_with("note: rates from history: e0, e1\n"), "{text}");
    // The expected time is the measured one, not the described one.
    let taken = again.devices[1].phases[apportion::error::Phase::Kernel].0 / again.devices[1].iterations as f64;
    assert!((taken / 2e-6 - 1.0).abs() < 0.3, "{taken}");
}

#[test]
fn a_frozen_history_learns_for_the_next_runtime_only() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(HistoryFile::at(&path).frozen());
    for _ in 0..3 {
        run(&rt, "BLOCK", N);
    }
    assert!(predict(&rt, "BLOCK", N).1.is_empty());
    rt.save_history().unwrap();
    let known = known(&path);
    let policies: Vec<_> =
        known.keys().filter(|key| key.kernel.as_deref() == Some("triple_add")).map(|key| &key.policy).collect();
    // Two keys for the devices, and one for whole loops.
    assert_eq!(policies.iter().filter(|policy| policy.is_none()).count(), 2);
    assert_eq!(policies.iter().filter_map(|policy| policy.as_deref()).collect::<Vec<_>>(), ["BLOCK"]);
    // Nothing is written twice.
    let written = std::fs::read(&path).unwrap();
    drop(rt);
    assert_eq!(std::fs::read(&path).unwrap(), written);
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(HistoryFile::at(&path).frozen());
    assert_eq!(predict(&rt, "BLOCK", N).1, ["e0", "e1"]);
}

#[test]
fn under_a_frozen_history_auto_chooses_alike_and_its_loops_are_learned_from_all_the_same() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(HistoryFile::at(&path).frozen());
    let shares = |report: &Report| report.devices.iter().map(|device| device.iterations).collect::<Vec<_>>();
    let first = shares(&run(&rt, "AUTO", N));
    for _ in 0..4 {
        assert_eq!(shares(&run(&rt, "AUTO", N)), first);
    }
    drop(rt);
    // The first loop is cold.
    let counts = |table: &Table| (table.once.samples.len(), table.stages[1].samples().count());
    let whole = |(key, table): (&Key, &Table)| key.policy.as_ref().map(|_| counts(table));
    assert_eq!(known(&path).tables().find_map(whole), Some((0, 4)));
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(HistoryFile::at(&path).frozen());
    assert!(shares(&run(&rt, "AUTO", N)) != first);
}

#[test]
fn what_a_first_loop_took_counts_for_the_first_of_another_process_alone() {
    let (_folder, path) = place();
    run(&Runtime::from_machine(misjudged()).unwrap().with_history(&path), "BLOCK", N);
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    for _ in 0..20 {
        assert_eq!(predict(&rt, "MODEL_2_AUTO", N).1, ["e0", "e1"]);
    }
    run(&rt, "MODEL_2_AUTO", N);
    assert!(predict(&rt, "MODEL_2_AUTO", N).1.is_empty());
    run(&rt, "MODEL_2_AUTO", N);
    assert_eq!(predict(&rt, "MODEL_2_AUTO", N).1, ["e0", "e1"]);
}

#[test]
fn a_device_that_had_no_such_loop_yet_is_taken_to_be_as_warm_as_one_that_had() {
    let (_folder, path) = place();
    let alike = || Runtime::from_machine(emulated_machine(&[FIFTY_MS; 2])).unwrap().with_history(&path);
    let rt = alike();
    let (x, mut y) = (vec![1_u64; N], vec![2_u64; N]);
    let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
    rt.parallel_for(0..N, bound).policy("BLOCK").devices("0").run().unwrap();
    // Such loops go on, so what the first took on one device is no measure of another of its type.
    assert!(predict(&rt, "MODEL_2_AUTO", N).1.is_empty());
    drop(rt);
    // In another process it is one of both, for the first loop.
    assert_eq!(predict(&alike(), "MODEL_2_AUTO", N).1, ["e0", "e1"]);
}

#[test]
fn what_teaches_nothing_is_not_kept() {
    let (_folder, path) = place();
    let mut machine = misjudged();
    machine.devices[0].emulated = Some(EmulatedSection {
        time_scale: None,
        fault: Some(serde_json::from_str(r#"{"phase": "kernel"}"#).unwrap()),
    });
    let rt = Runtime::from_machine(machine).unwrap().with_history(&path);
    assert_eq!(run(&rt, "BLOCK", 1000).faults.len(), 1);
    let (x, mut y) = (vec![1_u64; 1000], vec![2_u64; 1000]);
    let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
    rt.parallel_for(0..1000_usize, bound).poison(true).run().unwrap();
    drop(rt);
    assert!(!path.exists());
}

#[test]
fn a_runtime_without_a_file_learns_for_itself() {
    let rt = Runtime::from_machine(misjudged()).unwrap();
    for policy in ["BLOCK", "SCHED_DYNAMIC:10%", "SCHED_GUIDED"] {
        run(&rt, policy, N);
    }
    // These policies predict nothing, so nothing is recorded for them.
    assert!(predict(&rt, "MODEL_2_AUTO", N).1.is_empty());
    let first = run(&rt, "MODEL_2_AUTO", N);
    assert!(first.notes.is_empty(), "{first}");
    // The first loop of a kind is no measure of the second.
    assert!(predict(&rt, "MODEL_2_AUTO", N).1.is_empty());
    for _ in 0..2 {
        run(&rt, "MODEL_2_AUTO", N);
    }
    let (after, names) = predict(&rt, "MODEL_2_AUTO", N);
    assert!((0.14..0.28).contains(&share(&after)) && names == ["e0", "e1"], "{}", share(&after));
    let report = run(&rt, "AUTO", N);
    assert!(report.notes.iter().any(|note| note == "rates from history: e0, e1"), "{report}");

    let rt = Runtime::from_machine(misjudged()).unwrap().without_history();
    for _ in 0..3 {
        run(&rt, "MODEL_2_AUTO", N);
    }
    assert!((0.4..0.6).contains(&share(&predict(&rt, "MODEL_2_AUTO", N).0)));
}

#[test]
fn nothing_is_read_or_written_unless_asked_for() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(host_machine()).unwrap();
    assert!(rt.history().is_none());
    rt.save_history().unwrap();
    let rt = rt.with_history(&path);
    assert_eq!(rt.history().unwrap().path(), path);
    let rt = rt.without_history();
    run(&rt, "BLOCK", N);
    assert!(rt.history().is_none() && predict(&rt, "BLOCK", N).1.is_empty());
    drop(rt);
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_no_history_is_left_alone_and_the_loops_run() {
    let (_folder, path) = place();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["", "not a history", "{\"schema\": \"apportion.history/2\"}", "\u{1}\u{2}"] {
        std::fs::write(&path, text).unwrap();
        let rt = Runtime::from_machine(host_machine()).unwrap().with_history(&path);
        let note = rt.notes().last().unwrap();
        assert!(note.contains("history.json") && note.contains("not kept"), "{note}");
        for _ in 0..3 {
            run(&rt, "AUTO", N);
        }
        // The runtime still learns for itself.
        assert_eq!(predict(&rt, "AUTO", N).1, ["host"]);
        let error = rt.save_history().unwrap_err().to_string();
        assert!(error.contains("history.json") && error.contains("not kept"), "{error}");
        drop(rt);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // A folder in place of the file.
    let rt = Runtime::from_machine(host_machine()).unwrap().with_history(path.parent().unwrap());
    assert_eq!(run(&rt, "AUTO", N).devices.len(), 1);
    assert!(rt.notes().last().unwrap().contains("cannot be read"));
}

#[test]
fn a_place_that_cannot_be_written_is_told_to_those_who_ask() {
    let (folder, _) = place();
    let file = folder.path().join("a_file");
    std::fs::write(&file, "x").unwrap();
    let rt = Runtime::from_machine(host_machine()).unwrap().with_history(folder.path().join("no/../a_file.json"));
    assert!(!rt.notes().iter().any(|note| note.contains("history")), "{:?}", rt.notes());
    run(&rt, "BLOCK", N);
    // The folder `no` is created.
    rt.save_history().unwrap();
    let rt = rt.with_history(file.join("history.json"));
    assert_eq!(run(&rt, "BLOCK", N).iterations, N as u64);
    let _ = rt.save_history();
}

#[cfg(target_os = "linux")]
#[test]
fn a_history_that_cannot_be_written_is_noted_before_anything_is_lost() {
    let rt = Runtime::from_machine(host_machine()).unwrap().with_history("/proc/history.json");
    let noted = |note: &&String| note.contains("/proc/history.json: cannot be written") && note.contains("not kept");
    assert_eq!(rt.notes().iter().filter(noted).count(), 1, "{:?}", rt.notes());
    for _ in 0..3 {
        assert!(run(&rt, "AUTO", N).notes.iter().all(|note| !note.contains("cannot be written")));
    }
    assert!(rt.save_history().is_err());
    // The runtime learns all the same.
    assert_eq!(predict(&rt, "AUTO", N).1, ["host"]);
}

#[test]
fn several_writers_leave_a_whole_file() {
    let (_folder, path) = place();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let rt = Runtime::from_machine(host_machine()).unwrap().with_history(&path);
                for n in [1000, 2000, 4000, 8000] {
                    run(&rt, "BLOCK", n);
                    rt.save_history().unwrap();
                    assert!(!known(&path).is_empty());
                }
            });
        }
    });
    let octaves: Vec<_> = known(&path).tables().map(|(_, table)| table.octave).collect();
    assert!(!octaves.is_empty(), "{octaves:?}");
    let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "files beside it were left");
}

#[test]
fn a_host_s_loop_is_known_by_its_threads_and_its_kernel() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(host_machine()).unwrap().with_history(&path);
    for _ in 0..6 {
        run(&rt, "SCHED_DYNAMIC:10%", N);
    }
    drop(rt);
    let history = known(&path);
    let keys: Vec<_> = history.keys().collect();
    let [key, whole] = keys[..] else { panic!("{keys:?}") };
    assert_eq!((&whole.device, whole.policy.as_deref()), (&key.device, Some("SCHED_DYNAMIC:10%")));
    assert!(key.device.starts_with("cpu: ") && key.device.contains("thread"), "{key:?}");
    assert_eq!(key.kernel.as_deref(), Some("triple_add"));
    let (_, table) = history.tables().next().unwrap();
    assert!(table.stages[1].samples().all(|sample| !sample.cold), "{table:?}");
    assert!(table.once.samples.len() <= 6 && table.stages[0].samples().count() == 0);
}

#[test]
fn a_loop_is_expected_to_take_what_such_loops_took() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    let times: Vec<f64> = (0..4).map(|_| run(&rt, "BLOCK", N).elapsed.0).collect();
    let (expected, _) = predict(&rt, "BLOCK", N);
    let note = "time from history: the median of such loops";
    assert!(expected.decision.notes.iter().any(|remark| remark == note), "{:?}", expected.decision.notes);
    // The first loop was cold.
    let (least, most) = times[1..].iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &t| (a.min(t), b.max(t)));
    assert!((least..=most).contains(&expected.makespan.0), "{} of {times:?}", expected.makespan);
    assert!(expected.devices.iter().all(|device| device.wait.0 >= 0.0));
    // Nothing is known of whole loops under other policies or of another length. AUTO may choose otherwise next time.
    let not_known = |policy: &str, n: usize| {
        let (other, _) = predict(&rt, policy, n);
        assert!(!other.decision.notes.iter().any(|remark| remark == note), "{policy}, {n}");
    };
    for (policy, n) in [("MODEL_2_AUTO", N), ("BLOCK", 4 * N)] {
        not_known(policy, n);
    }
    for _ in 0..4 {
        run(&rt, "AUTO", N);
    }
    not_known("AUTO", N);
}

#[test]
fn auto_on_one_device_is_block_and_says_so() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    let run = |policy: &str| {
        let (x, mut y) = (vec![1_u64; N], vec![2_u64; N]);
        let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
        let a_loop = rt.parallel_for(0..N, bound).devices("1").policy(policy);
        let predicted = a_loop.predict().unwrap();
        (predicted, a_loop.run().unwrap())
    };
    let (first, report) = run("AUTO");
    let note = "AUTO chose BLOCK: it has one device";
    assert_eq!((report.policy.as_str(), report.devices[0].iterations), ("AUTO", N as u64));
    assert!(report.notes.iter().any(|one| one == note), "{:?}", report.notes);
    assert!(first.decision.notes.iter().any(|one| one == note), "{:?}", first.decision.notes);
    let (_, by_block) = run("BLOCK");
    assert_eq!((by_block.policy.as_str(), by_block.notes.iter().any(|one| one == note)), ("BLOCK", false));
    // What it took counts for later loops under both.
    (0..3).for_each(|_| _ = run("AUTO"));
    let (auto, block) = (run("AUTO").0.makespan, run("BLOCK").0.makespan);
    assert!(
        (auto.0 / block.0 - 1.0).abs() < 0.2 && auto.0 > 1.5 * first.makespan.0,
        "{auto} {block} {}",
        first.makespan
    );
}

#[test]
fn a_loop_that_is_a_little_shorter_has_the_earlier_choice_where_a_runtime_learns() {
    let (_folder, path) = place();
    let machine = || emulated_machine(&[FIFTY_MS, Emulated { gflop_per_s: 0.003, ..FIFTY_MS }]);
    let said = |notes: &[String]| notes.iter().any(|note| note.contains("as decided for an earlier loop"));
    // With poison, loops teach nothing: their costs stay as described.
    let runs = |rt: &Runtime, n: usize| {
        let (x, mut y) = (vec![1_u64; n], vec![2_u64; n]);
        let bound = common::triple_add().bind().to(&x).align().tofrom(&mut y).align();
        let report = rt.parallel_for(0..n, bound).policy("AUTO").poison(true).run().unwrap();
        assert_eq!(report.devices.iter().map(|device| device.iterations).sum::<u64>(), n as u64);
        said(&report.notes)
    };
    let learns = Runtime::from_machine(machine()).unwrap();
    let found = [9973, 9967, 9931, 9973, 9871, 9851].map(|n| runs(&learns, n));
    assert_eq!(found, [false, true, true, false, false, true]);
    // Nobody else has a choice that depends on the loops before.
    assert!(!said(&predict(&learns, "AUTO", 9901).0.decision.notes));
    let frozen = HistoryFile::at(&path).frozen();
    let others = [
        Runtime::from_machine(machine()).unwrap().without_history(),
        Runtime::from_machine(machine()).unwrap().with_history(frozen),
    ];
    assert!(others.iter().all(|rt| !runs(rt, 9907) && !runs(rt, 9908)));
}

/// Calls of the body in the current loop.
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn crowded() -> Kernel {
    let body = |_: Range<usize>| {
        if CALLS.fetch_add(1, Ordering::SeqCst) > 0 {
            std::thread::sleep(Duration::from_millis(150));
        }
    };
    Kernel::new("crowded").host(body).cost(Cost::per_iteration().flops(1.0))
}

/// How many devices take part in each of some loops under AUTO. By the description a loop takes 20 ms on one device and 10 ms
/// on two; in fact the second call of the body takes 150 ms more.
fn taking_part(rt: &Runtime, loops: usize) -> Vec<usize> {
    let kernel = crowded();
    let one = |_| {
        CALLS.store(0, Ordering::SeqCst);
        let report = rt.parallel_for(0..4 * N, kernel.bind()).run().unwrap();
        report.devices.iter().filter(|device| device.iterations > 0).count()
    };
    (0..loops).map(one).collect()
}

#[test]
fn auto_gives_up_devices_that_slow_one_another_unless_its_history_is_frozen() {
    let fast = Emulated { gflop_per_s: 0.02, ..FIFTY_MS };
    let machine = || emulated_machine(&[fast.clone(), fast.clone()]);
    let rt = Runtime::from_machine(machine()).unwrap();
    let learning = taking_part(&rt, 12);
    assert_eq!(learning[0], 2, "{learning:?}");
    assert_eq!(learning[9..], [1, 1, 1], "{learning:?}");
    // The expected time is then the measured one.
    let expected = rt.parallel_for(0..4 * N, crowded().bind()).predict().unwrap();
    let verdict = expected.decision.verdict.unwrap();
    assert!(verdict.measured && verdict.time == expected.makespan, "{verdict}, in {}", expected.makespan);

    let (_folder, path) = place();
    let frozen = Runtime::from_machine(machine()).unwrap().with_history(HistoryFile::at(&path).frozen());
    assert_eq!(taking_part(&frozen, 5), [2; 5]);
    let without = Runtime::from_machine(machine()).unwrap().without_history();
    assert_eq!(taking_part(&without, 5), [2; 5]);
}

#[test]
fn what_auto_found_out_is_known_to_the_next_process() {
    let (_folder, path) = place();
    let fast = Emulated { gflop_per_s: 0.02, ..FIFTY_MS };
    let open = |file: HistoryFile| {
        Runtime::from_machine(emulated_machine(&[fast.clone(), fast.clone()])).unwrap().with_history(file)
    };
    let learning = taking_part(&open(HistoryFile::at(&path)), 12);
    assert_eq!((learning[0], &learning[9..]), (2, &[1, 1, 1][..]));
    for file in [HistoryFile::at(&path).frozen(), HistoryFile::at(&path)] {
        assert_eq!(taking_part(&open(file), 4), [1; 4]);
    }
    // Loops by name count as those by AUTO's choice.
    std::fs::remove_file(&path).unwrap();
    let rt = open(HistoryFile::at(&path));
    for (devices, policy) in [("0:*", "BLOCK"), ("0:*", "MODEL_2_AUTO"), ("0", "BLOCK"), ("1", "BLOCK")] {
        for _ in 0..4 {
            CALLS.store(0, Ordering::SeqCst);
            rt.parallel_for(0..4 * N, crowded().bind()).devices(devices).policy(policy).run().unwrap();
        }
    }
    drop(rt);
    let verdict = |rt: &Runtime| {
        let expected = rt.parallel_for(0..4 * N, crowded().bind()).predict().unwrap();
        expected.decision.verdict.map(|verdict| (verdict.measured, verdict.devices.len()))
    };
    assert_eq!(verdict(&open(HistoryFile::at(&path).frozen())), Some((true, 1)));
}

/// Two kernels with the same name, cost and types.
fn namesakes() -> [Kernel; 2] {
    let cost = Cost::per_iteration().flops(1).loads(8);
    [
        Kernel::new("step").host(|range: Range<usize>, x: In<u64>| x.slice(range).iter().sum::<u64>()).cost(cost),
        Kernel::new("step").host(|range: Range<usize>, x: In<u64>| x.slice(range).len() as u64).cost(cost),
    ]
}

/// The names of the devices whose rates for such a loop are known.
fn names_known(rt: &Runtime, kernel: &Kernel, block: Option<usize>) -> Vec<String> {
    let x = vec![1_u64; N];
    let a_loop = rt.parallel_for(0..N, kernel.bind().to(&x).align());
    let a_loop = block.into_iter().fold(a_loop, apportion::runtime::Loop::reproducible);
    a_loop.known_from_history().unwrap()
}

fn sum(rt: &Runtime, kernel: &Kernel, block: Option<usize>) {
    let x = vec![1_u64; N];
    let a_loop = rt.parallel_for(0..N, kernel.bind().to(&x).align()).policy(Policy::Block);
    let a_loop = block.into_iter().fold(a_loop, apportion::runtime::Loop::reproducible);
    a_loop.reduce::<u64>(Reduce::Sum).unwrap();
}

/// The text of a history from before entries named their code and host.
fn as_of_old(text: &str) -> String {
    let mut history: serde_json::Value = serde_json::from_str(text).unwrap();
    for entry in history["entries"].as_array_mut().unwrap() {
        let entry = entry.as_object_mut().unwrap();
        assert!(entry.remove("code").is_some() || !entry.contains_key("kernel"), "{entry:?}");
        entry.remove("host");
    }
    history.to_string()
}

#[test]
fn kernels_of_one_name_do_not_learn_from_each_other() {
    let (_folder, path) = place();
    let [one, other] = namesakes();
    let both = ["e0", "e1"];
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    for _ in 0..3 {
        sum(&rt, &one, None);
    }
    assert_eq!(names_known(&rt, &one, None), both);
    assert!(names_known(&rt, &other, None).is_empty());
    drop(rt);
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    // A kernel that is built anew has the same key.
    assert_eq!(names_known(&rt, &namesakes()[0], None), both);
    assert!(names_known(&rt, &other, None).is_empty());
    drop(rt);

    // Samples without a code count for both kernels.
    std::fs::write(&path, as_of_old(&std::fs::read_to_string(&path).unwrap())).unwrap();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    assert_eq!([&one, &other].map(|kernel| names_known(&rt, kernel, None)), [both; 2]);
    for _ in 0..3 {
        sum(&rt, &other, None);
    }
    drop(rt);
    let codes: Vec<_> = known(&path).keys().filter(|key| key.policy.is_none()).map(|key| key.code).collect();
    assert_eq!(codes.iter().flatten().count(), 2, "its own on each device: {codes:?}");
}

mod f32s {
    #[apportion::kernel]
    pub fn halve(i: usize, x: &[f32], y: &mut [f32]) {
        y[i] = x[i] - x[i];
    }
}

mod i32s {
    #[apportion::kernel]
    pub fn halve(i: usize, x: &[i32], y: &mut [i32]) {
        y[i] = x[i] - x[i];
    }
}

#[test]
fn a_function_for_other_elements_has_a_history_of_its_own() {
    let rt = Runtime::from_machine(misjudged()).unwrap();
    let (x, mut y) = (vec![1_f32; N], vec![0_f32; N]);
    for _ in 0..3 {
        rt.parallel_for(0..N, f32s::halve(&x, &mut y)).policy(Policy::Model2).run().unwrap();
    }
    assert_eq!(rt.parallel_for(0..N, f32s::halve(&x, &mut y)).known_from_history().unwrap(), ["e0", "e1"]);
    let (x, mut y) = (vec![1_i32; N], vec![0_i32; N]);
    assert!(rt.parallel_for(0..N, i32s::halve(&x, &mut y)).known_from_history().unwrap().is_empty());
}

#[test]
fn a_reduction_in_blocks_says_nothing_of_one_that_is_not() {
    let (_folder, path) = place();
    let rt = Runtime::from_machine(misjudged()).unwrap().with_history(&path);
    let [kernel, _] = namesakes();
    for _ in 0..3 {
        sum(&rt, &kernel, Some(1 << 12));
    }
    let known_alone = |rt: &Runtime| {
        assert_eq!(names_known(rt, &kernel, Some(1 << 12)), ["e0", "e1"]);
        for other in [None, Some(1 << 10)] {
            assert!(names_known(rt, &kernel, other).is_empty(), "{other:?}");
        }
    };
    known_alone(&rt);
    drop(rt);
    known_alone(&Runtime::from_machine(misjudged()).unwrap().with_history(&path));
}
