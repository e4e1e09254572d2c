//! Results of plain loops that are the same to the last bit for every policy and all devices.

mod common;

use apportion::kernel::{In, Kernel, Out};
use apportion::prelude::*;
use apportion::sched::POLICIES;
use common::{Emulated, FAST, SHARED, SLOW, emulated_machine, host_machine};
use proptest::prelude::*;
use std::ops::Range;

/// Floats whose sum differs with each order of adding.
fn uneven(n: usize) -> Vec<f32> {
    (0..n).map(|i| ((i * 7919 % 10_007) as f32).powi(3) * 1e-3).collect()
}

fn sum() -> Kernel {
    Kernel::new("sum").host(|range: Range<usize>, x: In<f32>| range.map(|i| x[i]).fold(0.0f32, |sum, x| sum + x))
}

/// The same sum block by block, computed serially.
fn serial(x: &[f32], range: &Range<usize>, block: usize) -> f32 {
    let blocks = x[range.clone()].chunks(block);
    blocks.map(|block| block.iter().fold(0.0f32, |sum, x| sum + x)).fold(0.0, |sum, part| sum + part)
}

/// The host, emulated devices with and without memory of their own, and one that fails in the middle of the loop.
fn runtimes() -> Vec<Runtime> {
    let failing = Emulated { fault: Some(("kernel", 1)), ..FAST };
    let machines = [
        host_machine(),
        emulated_machine(&[FAST]),
        emulated_machine(&[SHARED, SLOW]),
        emulated_machine(&[FAST, SHARED, SLOW]),
        emulated_machine(&[failing, SHARED, SLOW]),
    ];
    machines.into_iter().map(|machine| Runtime::from_machine(machine).unwrap()).collect()
}

#[test]
fn sums_of_floats_are_the_same_under_every_policy_on_any_devices() {
    let runtimes = runtimes();
    let x = uneven(20_000);
    let mut failed = 0;
    for (start, end, block) in
        [(0, 20_000, 64), (3, 19_999, 1000), (77, 78, 5), (5, 5, 5), (100, 9000, 20_000), (1, 9000, usize::MAX)]
    {
        let expected = serial(&x, &(start..end), block);
        for rt in &runtimes {
            for policy in POLICIES.iter().map(|entry| entry.name.parse::<Policy>().unwrap()) {
                let run = rt.parallel_for(start..end, sum().bind().to(&x).align()).reproducible(block);
                let found = run.policy(policy.clone()).reduce::<f32>(Sum).unwrap();
                let (value, report) = (found.value, found.report);
                failed += report.faults.len();
                assert_eq!(
                    value.to_bits(),
                    expected.to_bits(),
                    "{value} is not {expected}: {policy} {start}..{end}\n{report}"
                );
            }
        }
    }
    assert!(failed > 0, "a device was to fail in the midst of a loop");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn sums_of_blocks_from_anywhere_are_those_of_one_thread(
        (start, length) in (0..5000usize, 0..5000usize),
        (blocks, granule) in (1..200usize, 1..9u64),
        policy in 0..POLICIES.len(),
        devices in 0..5usize,
    ) {
        let x = uneven(10_000);
        let (range, block) = (start..start + length, blocks * granule as usize);
        let policy: Policy = POLICIES[policy].name.parse().unwrap();
        let bound = sum().granule(granule).bind().to(&x).align();
        let run = runtimes()[devices].parallel_for(range.clone(), bound).reproducible(block).policy(policy).reduce::<f32>(Sum);
        prop_assert_eq!(run.unwrap().value.to_bits(), serial(&x, &range, block).to_bits());
    }
}

#[test]
fn what_cannot_be_the_same_is_refused() {
    let rt = Runtime::from_machine(host_machine()).unwrap();
    let (x, mut floats, mut counts) = (vec![1.0f32; 100_000], vec![0.0f32; 4], vec![0u64; 4]);
    let refused = |run: Result<apportion::runtime::Reduced<f32>>, word: &str| {
        let text = run.unwrap_err().to_string();
        assert!(text.contains("reproducible") && text.contains(word), "{text}");
    };
    let all = 0..x.len();
    let sums = || sum().bind().to(&x);
    refused(rt.parallel_for(all.clone(), sums().align()).reproducible(1).reduce(Sum), "at most 65536");
    refused(rt.parallel_for(all.clone(), sums().block_rows(1)).reproducible(1000).reduce(Sum), "argument 0");
    let granules = sum().granule(6).bind().to(&x).align();
    refused(rt.parallel_for(all.clone(), granules).reproducible(1000).reduce(Sum), "take 1002");
    let float = Kernel::new("floats").host(|range: Range<usize>, mut y: Out<f32>| {
        y[0] += range.len() as f32;
        0.0f32
    });
    refused(
        rt.parallel_for(0..9, float.bind().reduces(&mut floats, Sum)).reproducible(3).reduce(Sum),
        "contribute integers",
    );
    let integers = Kernel::new("integers").host(|range: Range<usize>, mut y: Out<u64>| y[0] += range.len() as u64);
    rt.parallel_for(0..9, integers.bind().reduces(&mut counts, Sum)).reproducible(3).run().unwrap();
    assert_eq!(counts, [9, 0, 0, 0]);
}

#[test]
fn blocks_of_nothing_are_refused() {
    let (rt, x) = (Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap(), uneven(100));
    let told = |error: Error| {
        let text = error.to_string();
        assert!(matches!(error, Error::Call(_)) && text.contains("`.reproducible(0)`"), "{text}");
        assert!(text.contains("such as 4096") && text.contains("leave the call out"), "{text}");
    };
    let again = || rt.parallel_for(0..100, sum().bind().to(&x).align()).reproducible(0);
    told(again().reduce::<f32>(Sum).unwrap_err());
    told(again().run().unwrap_err());
    told(again().predict().unwrap_err());
    let kernel = sum();
    let mut region = rt.data_region().reproducible(0);
    let x_ = region.to(&x, apportion::region::Layout::new(&[100]));
    told(region.parallel_for(0..100, kernel.bind().reads(x_)).reduce::<f32>(Sum).unwrap_err());
    told(region.parallel_for(0..100, kernel.bind().reads(x_)).run().unwrap_err());
}

#[test]
fn a_region_that_is_to_be_reproducible_too_late_says_so_also_of_loops_that_ran() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST])).unwrap();
    let x = uneven(10);
    let mut region = rt.data_region();
    let x_ = region.to(&x, apportion::region::Layout::new(&[10]));
    region.parallel_for(0..10, sum().bind().reads(x_)).reduce::<f32>(Sum).unwrap();
    let mut region = region.reproducible(4);
    let error = region.parallel_for(0..10, sum().bind().reads(x_)).reduce::<f32>(Sum).unwrap_err().to_string();
    assert!(error.contains("`reproducible` in blocks of 4"), "{error}");
}
