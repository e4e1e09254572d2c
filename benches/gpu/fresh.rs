//! What a program has that only ever asks for AUTO: loops of one kind in a row, from the first on, in a runtime that knows
//! nothing but the machine's description.

use crate::loops::{LOOPS, once};
use crate::{Failed, quartiles};
use apportion::kernel::ElementType;
use apportion::prelude::*;
use apportion_kernels::{Memory, find};
use std::time::Instant;

/// Loops of each list of devices by themselves, to compare with.
const ALONE: usize = 7;

/// Runs `reps` loops of each workload in `only` (of all where it is empty) under AUTO on all of `lists`, whose last has all
/// devices, and then some on each.
pub fn run(
    open: impl Fn() -> Failed<(Runtime, Vec<(String, String)>)>,
    only: &[String],
    memory: Memory,
    reps: usize,
) -> Failed {
    println!("workload,n,memory,devices,loop,ms,took_part,choice,verified");
    for (name, n) in LOOPS.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|o| o == name)) {
        // Opened first: arrays made before a GPU was are not page-locked.
        let (rt, lists) = open()?;
        let mut instance = find(name)?.build_in(n, ElementType::F32, 1, memory)?;
        let Some((label, all)) = lists.last() else { return Err("the machine has no device".into()) };
        for number in 1..=reps {
            instance.reset();
            let start = Instant::now();
            let (report, reduced) = once(&rt, &mut *instance, all, &Policy::Auto, Cutoff::None)?;
            let ms = start.elapsed().as_secs_f64() * 1e3;
            let took_part = report.devices.iter().filter(|device| device.iterations > 0);
            let names: Vec<&str> = took_part.map(|device| device.name.as_str()).collect();
            let choice = report.notes.iter().find_map(|note| note.strip_prefix("AUTO chose ")).unwrap_or_default();
            let verified = instance.verify(reduced).ok;
            let choice = choice.replace(',', ";");
            println!("{name},{n},{memory},{label},{number},{ms:.4},{},{choice},{verified}", names.join("+"));
        }
        // In turns, as what ran before matters.
        let mut times = vec![Vec::new(); lists.len()];
        for _ in 0..ALONE {
            for ((_, specifier), times) in lists.iter().zip(&mut times) {
                let start = Instant::now();
                once(&rt, &mut *instance, specifier, &Policy::Block, Cutoff::None)?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        for ((label, _), times) in lists.iter().zip(times) {
            let [median, ..] = quartiles(times);
            println!("{name},{n},{memory},{label},median of {ALONE},{median:.4},,BLOCK,");
        }
    }
    Ok(())
}
