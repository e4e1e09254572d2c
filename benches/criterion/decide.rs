//! What it takes AUTO to decide a loop that it has not seen before: on 1, 4 and 9 devices of the paper's node, and on a host and
//! eight GPUs that share links and the host's memory.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion::sched::{Cutoff, Problem, decide};
use apportion::units::Percent;
use apportion_benches::simulator;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn auto(c: &mut Criterion) {
    let mut group = c.benchmark_group("AUTO decides");
    for devices in simulator::DECIDED_ON {
        for (name, case) in simulator::mixed(devices).expect("the machine file is right") {
            group.bench_function(format!("{name} on {devices} devices"), |b| {
                let problem = Problem::new(case.profile.iterations, &case.costs, &case.profile);
                b.iter(|| decide(black_box(&problem)));
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("AUTO decides for a host and eight GPUs");
    let share = Cutoff::Share(None);
    let benefit = Cutoff::Benefit(Percent::from_millionths(20_000));
    for (name, case) in simulator::behind_switches().expect("the machine is described right") {
        for cutoff in [Cutoff::None, share, benefit] {
            group.bench_function(format!("{name}, cutoff {cutoff}"), |b| {
                let problem = Problem::new(case.profile.iterations, &case.costs, &case.profile);
                let problem = Problem { cutoff, device_types: &simulator::BEHIND_SWITCHES, ..problem };
                b.iter(|| decide(black_box(&problem)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, auto);
criterion_main!(benches);
