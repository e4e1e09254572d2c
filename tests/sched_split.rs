//! Compares the split of linear costs with an exact reference in integers.

use apportion::Error;
use apportion::model::split::{LinearCost, even, layout, split, split_granules, split_with_capacity};
use apportion::units::Seconds;
use proptest::prelude::*;

fn costs(pairs: &[(i128, i128)]) -> Vec<LinearCost> {
    pairs.iter().map(|&(a, b)| LinearCost { fixed: Seconds(a as f64), per_iteration: Seconds(b as f64) }).collect()
}

/// The n smallest finish times a + b k, ties to the earlier device, by bisection over whole times.
fn exact(pairs: &[(i128, i128)], n: u64) -> Vec<u64> {
    let under = |t: i128| -> Vec<i128> { pairs.iter().map(|&(a, b)| ((t - a) / b).max(0)).collect() };
    let n = i128::from(n);
    let (mut low, mut high) = (-1, 1 << 100);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if under(middle).iter().sum::<i128>() >= n { high = middle } else { low = middle }
    }
    let mut counts = under(low);
    let full = under(high);
    let mut left = n - counts.iter().sum::<i128>();
    for (count, most) in counts.iter_mut().zip(full) {
        let more = (most - *count).min(left);
        *count += more;
        left -= more;
    }
    counts.into_iter().map(|c| c as u64).collect()
}

fn makespan(pairs: &[(i128, i128)], counts: &[u64]) -> i128 {
    pairs.iter().zip(counts).filter(|(_, n)| **n > 0).map(|((a, b), n)| a + b * i128::from(*n)).max().unwrap_or(0)
}

/// The least makespan over all divisions.
fn brute(pairs: &[(i128, i128)], n: u64) -> i128 {
    match pairs {
        [] => {
            if n == 0 {
                0
            } else {
                i128::MAX
            }
        }
        [(a, b), rest @ ..] => (0..=n)
            .map(|k| brute(rest, n - k).max(if k > 0 { a + b * i128::from(k) } else { 0 }))
            .min()
            .unwrap_or(i128::MAX),
    }
}

fn devices(most: usize) -> impl Strategy<Value = Vec<(i128, i128)>> {
    prop::collection::vec(((0_i128..2000), (1_i128..300)), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_split_is_as_fast_as_the_best_of_all_divisions(
        pairs in prop::collection::vec(((0_i128..40), (1_i128..12)), 1..5), n in 0_u64..9,
    ) {
        let result = split(&costs(&pairs), n).unwrap();
        prop_assert_eq!(makespan(&pairs, &result.counts), brute(&pairs, n));
    }

    #[test]
    fn a_split_is_the_exact_one(pairs in devices(40), n in prop_oneof![0_u64..2000, 0_u64..(1 << 42)]) {
        let result = split(&costs(&pairs), n).unwrap();
        prop_assert_eq!(&result.counts, &exact(&pairs, n));
        prop_assert_eq!(result.makespan.0, makespan(&pairs, &result.counts) as f64);
    }

    #[test]
    fn the_makespan_lies_within_one_iteration_above_the_level(pairs in devices(20), n in 1_u64..1_000_000) {
        let result = split(&costs(&pairs), n).unwrap();
        let one = pairs.iter().zip(&result.counts).filter(|(_, n)| **n > 0).map(|((_, b), _)| *b).max().unwrap() as f64;
        prop_assert!(result.makespan.0 >= result.level.0 * (1.0 - 1e-12));
        prop_assert!(result.makespan.0 <= (result.level.0 + one) * (1.0 + 1e-12));
    }

    #[test]
    fn more_iterations_take_none_from_anybody(pairs in devices(20), n in 0_u64..100_000, more in 0_u64..1000) {
        let (less, more) = (split(&costs(&pairs), n).unwrap(), split(&costs(&pairs), n + more).unwrap());
        prop_assert!(less.counts.iter().zip(&more.counts).all(|(l, m)| l <= m));
    }

    #[test]
    fn a_device_no_worse_than_another_gets_no_less(pairs in devices(20), n in 0_u64..100_000) {
        let counts = split(&costs(&pairs), n).unwrap().counts;
        for (i, better) in pairs.iter().enumerate() {
            for (j, worse) in pairs.iter().enumerate() {
                if better.0 <= worse.0 && better.1 <= worse.1 {
                    // One more only where both would finish it at the same time.
                    let tie = i > j && counts[j] == counts[i] + 1
                        && better.0 + better.1 * i128::from(counts[j]) == worse.0 + worse.1 * i128::from(counts[j]);
                    prop_assert!(counts[i] >= counts[j] || tie);
                }
            }
        }
    }

    #[test]
    fn another_device_never_makes_a_loop_slower(pairs in devices(20), a in 0_i128..2000, b in 1_i128..300, n in 0_u64..100_000) {
        let before = split(&costs(&pairs), n).unwrap();
        let mut more = pairs.clone();
        more.push((a, b));
        let after = split(&costs(&more), n).unwrap();
        prop_assert!(makespan(&more, &after.counts) <= makespan(&pairs, &before.counts));
        prop_assert!(after.level.0 <= before.level.0 * (1.0 + 1e-12));
    }

    #[test]
    fn removing_an_active_device_does_not_lower_the_level(pairs in devices(12), n in 1_u64..100_000) {
        let all = split(&costs(&pairs), n).unwrap();
        for i in (0..pairs.len()).filter(|&i| all.counts[i] > 0 && pairs.len() > 1) {
            let mut fewer = pairs.clone();
            fewer.remove(i);
            prop_assert!(split(&costs(&fewer), n).unwrap().level.0 >= all.level.0 * (1.0 - 1e-12));
        }
    }

    #[test]
    fn scaling_all_costs_changes_no_count(pairs in devices(20), n in 0_u64..100_000, power in -30_i32..30) {
        let scaled: Vec<_> = costs(&pairs).iter()
            .map(|c| LinearCost { fixed: c.fixed * 2_f64.powi(power), per_iteration: c.per_iteration * 2_f64.powi(power) })
            .collect();
        prop_assert_eq!(split(&scaled, n).unwrap().counts, split(&costs(&pairs), n).unwrap().counts);
    }

    #[test]
    fn permuting_devices_permutes_their_counts_up_to_ties(pairs in devices(12), n in 0_u64..100_000, turn in 0_usize..12) {
        let counts = split(&costs(&pairs), n).unwrap().counts;
        let mut turned = pairs.clone();
        let turn = turn % pairs.len();
        turned.rotate_left(turn);
        let mut back = split(&costs(&turned), n).unwrap().counts;
        back.rotate_right(turn);
        prop_assert!(counts.iter().zip(&back).all(|(x, y)| x.abs_diff(*y) <= 1));
    }

    #[test]
    fn odd_costs_still_sum_to_every_iteration(
        odd in prop::collection::vec((prop_oneof![Just(0.0), 1e-12..1e6_f64], 1e-14..1e3_f64), 1..30),
        n in prop_oneof![0_u64..100, any::<u64>()],
    ) {
        let odd: Vec<_> = odd.into_iter().map(|(a, b)| LinearCost { fixed: Seconds(a), per_iteration: Seconds(b) }).collect();
        let sum: u128 = split(&odd, n).unwrap().counts.iter().map(|&c| u128::from(c)).sum();
        prop_assert_eq!(sum, u128::from(n));
    }

    #[test]
    fn granules_are_kept_whole_but_for_the_last(pairs in devices(10), n in 0_u64..100_000, granule in 1_u64..700) {
        let counts = split_granules(&costs(&pairs), n, granule).unwrap().counts;
        prop_assert_eq!(counts.iter().sum::<u64>(), n);
        let last = counts.iter().rposition(|&c| c > 0);
        prop_assert!(counts.iter().enumerate().all(|(i, c)| c % granule == 0 || Some(i) == last));
    }

    #[test]
    fn capacities_hold_and_the_rest_is_the_best_there_is(
        pairs in prop::collection::vec(((0_i128..30), (1_i128..9)), 1..4), room in prop::collection::vec(0_u64..9, 4), n in 0_u64..12,
    ) {
        let room = &room[..pairs.len()];
        match split_with_capacity(&costs(&pairs), n, room) {
            Err(error) => {
                prop_assert!(matches!(error, Error::TooLarge(_)));
                prop_assert!(room.iter().sum::<u64>() < n);
            }
            Ok(result) => {
                prop_assert_eq!(result.counts.iter().sum::<u64>(), n);
                prop_assert!(result.counts.iter().zip(room).all(|(c, r)| c <= r));
                fn best(pairs: &[(i128, i128)], room: &[u64], n: u64) -> i128 {
                    match pairs {
                        [] => if n == 0 { 0 } else { i128::MAX },
                        [(a, b), rest @ ..] => (0..=n.min(room[0]))
                            .map(|k| best(rest, &room[1..], n - k).max(if k > 0 { a + b * i128::from(k) } else { 0 }))
                            .min().unwrap_or(i128::MAX),
                    }
                }
                prop_assert_eq!(makespan(&pairs, &result.counts), best(&pairs, room, n));
            }
        }
    }

    #[test]
    fn even_blocks_differ_by_one_at_most_and_lie_end_to_end(n in any::<u64>(), m in 1_usize..200) {
        let counts = even(n, m);
        prop_assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
        let blocks = layout(0, &counts);
        prop_assert_eq!((blocks[0].start, blocks[m - 1].end), (0, n));
        prop_assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].start));
    }
}

#[test]
fn the_example_with_one_fixed_cost_comes_out_as_computed_by_hand() {
    let pair = [
        LinearCost { fixed: Seconds(0.0), per_iteration: Seconds(1.0) },
        LinearCost { fixed: Seconds(10.0), per_iteration: Seconds(0.1) },
    ];
    assert_eq!(split(&pair, 5).unwrap().counts, [5, 0]);
    let hundred = split(&pair, 100).unwrap();
    assert_eq!(hundred.counts, [18, 82]);
    assert!((hundred.level.0 - 200.0 / 11.0).abs() < 1e-9);
}

#[test]
fn a_device_whose_fixed_cost_equals_the_level_gets_nothing() {
    assert_eq!(split(&costs(&[(0, 1), (10, 1)]), 10).unwrap().counts, [10, 0]);
}

#[test]
fn a_thousand_devices_share_a_million_million_iterations_exactly() {
    let pairs: Vec<(i128, i128)> = (0..1024).map(|i| (i * 37 % 1000, 1 + i * 61 % 500)).collect();
    assert_eq!(split(&costs(&pairs), 1_000_000_000_000).unwrap().counts, exact(&pairs, 1_000_000_000_000));
}

#[test]
fn impossible_costs_are_refused_with_the_device_that_has_them() {
    for (a, b) in [(-1.0, 1.0), (f64::NAN, 1.0), (0.0, 0.0), (0.0, -1.0), (0.0, f64::INFINITY), (f64::INFINITY, 1.0)] {
        let bad = [
            LinearCost { fixed: Seconds(0.0), per_iteration: Seconds(1.0) },
            LinearCost { fixed: Seconds(a), per_iteration: Seconds(b) },
        ];
        let error = split(&bad, 10).unwrap_err().to_string();
        assert!(error.contains("device 1"), "{a} {b}: {error}");
    }
    assert!(split(&[], 10).is_err());
    assert!(split_granules(&costs(&[(0, 1)]), 10, 0).is_err());
    assert!(split_with_capacity(&costs(&[(0, 1)]), 10, &[]).is_err());
}
