//! AUTO once it has settled, beside one block for each device, on each list of devices: what is left to AUTO when it has learned
//! all it can, and what asking it costs a short loop.

use crate::loops::once;
use crate::{Failed, quartiles};
use apportion::kernel::ElementType;
use apportion::prelude::*;
use apportion_kernels::{Memory, find};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::time::Instant;

/// Loops of each before any counts.
const BEFORE: usize = 20;

/// Of each `NAME:SIZE` in `only` so many loops of each. What ran before matters, as it left its arrays in caches or not: see
/// [`orders`].
pub fn run(
    open: impl Fn() -> Failed<(Runtime, Vec<(String, String)>)>,
    only: &[&str],
    memory: Memory,
    reps: usize,
) -> Failed {
    if reps == 0 {
        return Err("no loops: ask for one at least".into());
    }
    println!(
        "workload,n,memory,devices,policy,median_ms,lower_quartile_ms,upper_quartile_ms,min_ms,took_part,choice,verified"
    );
    for loop_of in only {
        let (name, n) = loop_of.split_once(':').ok_or_else(|| format!("`{loop_of}` is not WORKLOAD:SIZE"))?;
        let (rt, lists) = open()?;
        let mut instance = find(name)?.build_in(n.parse()?, ElementType::F32, 1, memory)?;
        let both = |list| [Policy::Block, Policy::Auto].map(|policy| (list, policy));
        let entries: Vec<_> = lists.iter().flat_map(both).collect();
        let mut times = vec![Vec::new(); entries.len()];
        // Which devices took part, and in how many loops.
        let mut sets = vec![BTreeMap::<String, usize>::new(); entries.len()];
        let mut said = vec![None; entries.len()];
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut rounds = Vec::new();
        // One more, to be verified.
        for number in 0..=BEFORE + reps {
            if rounds.is_empty() {
                rounds = orders(entries.len(), || random.next_u64());
            }
            for index in rounds.pop().unwrap_or_default() {
                let ((_, specifier), policy) = &entries[index];
                let last = number == BEFORE + reps;
                if last {
                    instance.reset();
                }
                let start = Instant::now();
                let (report, reduced) = once(&rt, &mut *instance, specifier, policy, Cutoff::None)?;
                let ms = start.elapsed().as_secs_f64() * 1e3;
                if last {
                    said[index] = Some((report, instance.verify(reduced).ok));
                } else if number >= BEFORE {
                    times[index].push(ms);
                    let took_part = report.devices.iter().filter(|device| device.iterations > 0);
                    let names: Vec<&str> = took_part.map(|device| device.name.as_str()).collect();
                    *sets[index].entry(names.join("+")).or_default() += 1;
                }
            }
        }
        for (((list, policy), (times, sets)), said) in entries.iter().zip(times.into_iter().zip(sets)).zip(&said) {
            let Some((report, verified)) = said else { continue };
            let took_part: Vec<String> = sets.iter().map(|(names, loops)| format!("{names} ({loops})")).collect();
            let choice = report.notes.iter().find_map(|note| note.strip_prefix("AUTO chose ")).unwrap_or_default();
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let [median, lower, upper] = quartiles(times);
            let (label, took_part, choice) = (&list.0, took_part.join(" "), choice.replace(',', ";"));
            println!(
                "{name},{n},{memory},{label},{policy},{median:.4},{lower:.4},{upper:.4},{least:.4},{took_part},{choice},{verified}"
            );
        }
    }
    Ok(())
}

/// As many orders of an even number of things as there are things, such that in all of them together each comes right after each other
/// one once (E. J. Williams, Experimental designs balanced for the estimation of residual effects of treatments, 1949), in an order and
/// with names by chance.
fn orders(count: usize, mut random: impl FnMut() -> u64) -> Vec<Vec<usize>> {
    let mut shuffled = || {
        let mut all: Vec<usize> = (0..count).collect();
        all.sort_by_cached_key(|_| random());
        all
    };
    let (names, firsts) = (shuffled(), shuffled());
    // 0, 1, -1, 2, -2, .. : each difference once.
    let step = |place: usize| if place % 2 == 1 { place / 2 + 1 } else { count - place / 2 };
    let order = |first: usize| (0..count).map(|place| names[(first + step(place)) % count]).collect();
    firsts.into_iter().map(order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_after_each_other_once() {
        for count in [2, 4, 6, 10] {
            let mut random = ChaCha8Rng::seed_from_u64(count as u64);
            let orders = orders(count, || random.next_u64());
            let mut pairs: Vec<(usize, usize)> =
                orders.iter().flat_map(|order| order.windows(2).map(|pair| (pair[0], pair[1]))).collect();
            pairs.sort_unstable();
            let all = (0..count).flat_map(|a| (0..count).filter(move |&b| b != a).map(move |b| (a, b)));
            assert_eq!(pairs, all.collect::<Vec<_>>());
        }
    }
}
