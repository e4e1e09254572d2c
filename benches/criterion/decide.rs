//! What it takes AUTO to decide a loop that it has not seen before, and to start one that it has: on 1, 4 and 9 devices of the
//! paper's node, and on a host and eight GPUs that share links and the host's memory.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion::prelude::*;
use apportion::sched::{Cutoff, Problem, decide};
use apportion::units::Percent;
use apportion_benches::simulator::{self, Case};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// More than AUTO remembers.
const VARIANTS: u64 = 100;

/// All loops: name, case, cutoff, and the devices' types.
fn loops() -> Vec<(String, Case, Cutoff, &'static [&'static str])> {
    let mut loops = Vec::new();
    for devices in simulator::DECIDED_ON {
        for (name, case) in simulator::mixed(devices).expect("the machine file is right") {
            loops.push((format!("{name} on {devices} devices"), case, Cutoff::None, &[][..]));
        }
    }
    let share = Cutoff::Share(None);
    let benefit = Cutoff::Benefit(Percent::from_millionths(20_000));
    for (name, case) in simulator::behind_switches().expect("the machine is described right") {
        for cutoff in [Cutoff::None, share, benefit] {
            let name = format!("{name}, cutoff {cutoff}, for a host and eight GPUs");
            loops.push((name, case.clone(), cutoff, &simulator::BEHIND_SWITCHES[..]));
        }
    }
    loops
}

fn problem<'c>(case: &'c Case, cutoff: Cutoff, device_types: &'c [&'c str]) -> Problem<'c> {
    Problem { cutoff, device_types, ..Problem::new(case.profile.iterations, &case.costs, &case.profile) }
}

fn decides(c: &mut Criterion) {
    let mut group = c.benchmark_group("AUTO decides");
    for (name, case, cutoff, types) in loops() {
        let problem = problem(&case, cutoff, types);
        group.bench_function(name, |b| b.iter(|| decide(black_box(&problem))));
    }
    group.finish();
}

/// With the division by its choice: of a loop by other figures each time, by nearly the same, and by the same.
fn starts(c: &mut Criterion) {
    for (what, repeats) in [("other", false), ("nearly the same", true)] {
        let mut group = c.benchmark_group(format!("AUTO starts by {what} figures"));
        for (name, case, cutoff, types) in loops() {
            let cases: Vec<Case> = (0..VARIANTS).map(|number| case.nearly(number)).collect();
            let mut next = cases.iter().cycle();
            group.bench_function(name, |b| {
                b.iter(|| {
                    let problem = problem(next.next().expect("a cycle"), cutoff, types);
                    Policy::Auto.start(black_box(&Problem { repeats, ..problem }))
                });
            });
        }
        group.finish();
    }
    let mut group = c.benchmark_group("AUTO starts by the same figures");
    for (name, case, cutoff, types) in loops() {
        let problem = problem(&case, cutoff, types);
        group.bench_function(name, |b| b.iter(|| Policy::Auto.start(black_box(&problem))));
    }
    group.finish();
}

criterion_group!(benches, decides, starts);
criterion_main!(benches);
