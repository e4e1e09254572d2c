//! What it takes AUTO to decide a loop that it has not seen before, on 1, 4 and 9 devices.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion::sched::{Problem, decide};
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
}

criterion_group!(benches, auto);
criterion_main!(benches);
