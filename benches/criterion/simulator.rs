//! The simulator, by which AUTO decides and `simulate` predicts.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion_benches::simulator;
use criterion::{Criterion, criterion_group, criterion_main};

fn simulate(c: &mut Criterion) {
    let node = simulator::node().expect("the machine file is right");
    let thousand = simulator::thousand().expect("the machine file is right");
    let mut group = c.benchmark_group("simulate seven policies");
    group.sample_size(20);
    group.bench_function("six loops on 7 devices", |b| {
        b.iter(|| node.iter().map(simulator::all_seven).collect::<Vec<_>>());
    });
    group.bench_function("1e12 iterations on 1024 devices", |b| b.iter(|| simulator::all_seven(&thousand)));
    group.finish();
}

criterion_group!(benches, simulate);
criterion_main!(benches);
