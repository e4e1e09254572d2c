//! Whole loops, from call to return, with nothing in between: arrays are neither filled anew nor looked at by the host.

use crate::{Failed, quartiles};
use apportion::kernel::{ElementType, Reduce, Scalar};
use apportion::prelude::*;
use apportion_kernels::{Instance, Memory, find};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::time::Instant;

/// Sizes as in the HOMP paper, and one that is over before anything can settle.
pub const LOOPS: [(&str, usize); 7] = [
    ("axpy", 1_000_000_000),
    ("axpy", 10_000_000),
    ("sum", 1_000_000_000),
    ("matvec", 48_000),
    ("matmul", 6144),
    ("stencil2d", 16_384),
    ("bm2d", 4096),
];

/// Runs all loops whose workload is in `only` (all where it is empty) on each of the device lists.
pub fn run(rt: &Runtime, lists: &[(String, String)], only: &[String], memory: Memory, reps: usize) -> Failed {
    println!(
        "workload,n,devices,memory,policy,median_ms,lower_quartile_ms,upper_quartile_ms,min_ms,imbalance,verified"
    );
    for (name, n) in LOOPS.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|o| o == name)) {
        let mut instance = find(name)?.build_in(n, ElementType::F32, 1, memory)?;
        for (label, specifier) in lists {
            one(rt, &mut *instance, [label, specifier], lists, memory, reps)?;
        }
    }
    Ok(())
}

/// A policy on devices.
struct Entry<'l> {
    policy: Policy,
    cutoff: Cutoff,
    devices: String,
    specifier: &'l str,
}

/// What is measured on a list of devices. Where CPU and GPUs are together, each kind is measured alone too, in turns with
/// that: what ran before, on all cores or not, is then the same for all.
fn entries<'l>(label: &str, specifier: &'l str, lists: &'l [(String, String)]) -> Failed<Vec<Entry<'l>>> {
    let several = label != "1" && label != "cpu";
    let policies: &[&str] = if several {
        &[
            "BLOCK",
            "SCHED_DYNAMIC:2%",
            "SCHED_DYNAMIC:1%",
            "SCHED_GUIDED",
            "MODEL_2_AUTO",
            "SCHED_PROFILE_AUTO",
            "MODEL_PROFILE_AUTO",
            "AUTO",
        ]
    } else {
        &["BLOCK"]
    };
    let entry = |policy: Policy, cutoff: Cutoff| Entry { policy, cutoff, devices: label.to_owned(), specifier };
    let mut entries = Vec::new();
    for policy in policies {
        entries.push(entry(policy.parse()?, Cutoff::None));
    }
    if label.starts_with("cpu+") {
        // The model may find that fewer devices do as well.
        let benefit: Cutoff = "benefit:2%".parse()?;
        entries.extend([Policy::Model2, Policy::Auto].map(|policy| entry(policy, benefit)));
        let others = lists.iter().filter(|(other, _)| other != label);
        entries.extend(others.map(|(other, specifier)| Entry {
            devices: format!("{other} in turns"),
            specifier,
            ..entry(Policy::Block, Cutoff::None)
        }));
    }
    Ok(entries)
}

fn one(
    rt: &Runtime,
    instance: &mut dyn Instance,
    [label, specifier]: [&str; 2],
    lists: &[(String, String)],
    memory: Memory,
    reps: usize,
) -> Failed {
    let entries = entries(label, specifier, lists)?;
    let mut times = vec![Vec::new(); entries.len()];
    let mut imbalances = vec![Vec::new(); entries.len()];
    let mut verified = Vec::new();
    for Entry { policy, cutoff, specifier, .. } in &entries {
        instance.reset();
        let (_, reduced) = once(rt, instance, specifier, policy, *cutoff)?;
        verified.push(instance.verify(reduced).ok);
    }
    // Nobody always after the same other: a short loop on a GPU takes longer after one that all cores worked on.
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..reps {
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_cached_key(|_| random.next_u64());
        for index in order {
            let Entry { policy, cutoff, specifier, .. } = &entries[index];
            let start = Instant::now();
            let (report, _) = once(rt, instance, specifier, policy, *cutoff)?;
            times[index].push(start.elapsed().as_secs_f64() * 1e3);
            imbalances[index].push(report.imbalance());
        }
    }
    for (((entry, times), imbalances), verified) in entries.iter().zip(times).zip(imbalances).zip(verified) {
        let Entry { policy, cutoff, devices, .. } = entry;
        let min = times.iter().copied().fold(f64::INFINITY, f64::min);
        let ([median, low, high], [imbalance, ..]) = (quartiles(times), quartiles(imbalances));
        let policy = if *cutoff == Cutoff::None { policy.to_string() } else { format!("{policy} {cutoff}") };
        println!(
            "{},{},{devices},{memory},{policy},{median:.4},{low:.4},{high:.4},{min:.4},{imbalance:.4},{verified}",
            instance.name(),
            instance.n()
        );
    }
    Ok(())
}

/// One loop, as it is called.
pub fn once(
    rt: &Runtime,
    instance: &mut dyn Instance,
    specifier: &str,
    policy: &Policy,
    cutoff: Cutoff,
) -> Result<(Report, Option<Scalar>)> {
    let (n, reduces) = (instance.iterations(), instance.reduction().is_some());
    let run = rt.parallel_for(0..n, instance.bind()).devices(specifier).policy(policy.clone()).cutoff(cutoff);
    if reduces {
        let reduced = run.reduce::<f64>(Reduce::Sum)?;
        return Ok((reduced.report, Some(Scalar::F64(reduced.value))));
    }
    Ok((run.run()?, None))
}
