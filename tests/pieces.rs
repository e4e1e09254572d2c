//! How a chunk is cut into pieces: each iteration once, and by the model no slower than with equal pieces.

use apportion::model::{DeviceCost, Pipeline, piece_lengths, pipeline_time, subchunks};
use apportion::units::Seconds;
use proptest::prelude::*;

fn time_of(cost: &DeviceCost, lengths: &[u64]) -> Seconds {
    let mut pipeline = Pipeline::default();
    lengths.iter().fold(Seconds::ZERO, |_, &length| pipeline.push(Seconds::ZERO, cost.stages(length)).1)
}

fn stage() -> impl Strategy<Value = Seconds> {
    prop_oneof![Just(Seconds::ZERO), (1e-11f64..1e-5).prop_map(Seconds)]
}

fn cost() -> impl Strategy<Value = DeviceCost> {
    ((stage(), stage(), stage()), 1e-6f64..1e-4).prop_map(|((to, kernel, from), once)| DeviceCost {
        to,
        kernel,
        from,
        to_chunk: Seconds(once / 3.0),
        kernel_chunk: Seconds(once / 3.0),
        from_chunk: Seconds(once / 3.0),
        ..DeviceCost::default()
    })
}

proptest! {
    #[test]
    fn pieces_are_the_whole_chunk_and_no_slower_than_equal_ones(cost in cost(), n in 1u64..1_000_000_000, whole: bool) {
        let lengths = piece_lengths(&cost, n, whole);
        prop_assert_eq!(lengths.iter().sum::<u64>(), n);
        prop_assert!(lengths.iter().all(|&length| length > 0));
        prop_assert!(lengths.len() <= 128, "{} pieces", lengths.len());
        let (ours, equal) = (time_of(&cost, &lengths), pipeline_time(&cost, n, subchunks(&cost, n)));
        prop_assert!(ours.0 <= 1.0001 * equal.0, "{ours:?} for {lengths:?}, {equal:?} for {} equal ones", subchunks(&cost, n));
    }
}

proptest! {
    #[test]
    fn no_other_number_of_equal_pieces_is_much_better(
        stages in prop::array::uniform3(1e-5..1e-3f64),
        chunks in prop::array::uniform3(1e-7..3e-5f64),
    ) {
        let n = 1_000_000;
        let ([to, kernel, from], [to_chunk, kernel_chunk, from_chunk]) =
            (stages.map(|all| Seconds(all / n as f64)), chunks.map(Seconds));
        let cost = DeviceCost { to, kernel, from, to_chunk, kernel_chunk, from_chunk, ..DeviceCost::default() };
        let time = |pieces: u64| pipeline_time(&cost, n, pieces).0;
        // As many as the host keeps up with.
        let most = ((cost.effective().0 * n as f64 / cost.per_chunk().0) as u64).clamp(1, 64);
        let best = (1..=most).min_by(|a, b| time(*a).total_cmp(&time(*b))).unwrap();
        let pieces = subchunks(&cost, n);
        prop_assert!(pieces <= most);
        prop_assert!(time(pieces) <= 1.001 * time(best), "{pieces} take {}, {best} {}", time(pieces), time(best));
    }
}

/// Lengths that differ in one place: two neighbours joined, a piece halved, or a part of one given to another.
fn changed(lengths: &[u64]) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for at in 0..lengths.len() {
        let mut halved = lengths.to_vec();
        halved[at] -= halved[at] / 2;
        halved.insert(at, lengths[at] / 2);
        all.push(halved);
        if at + 1 < lengths.len() {
            let mut joined = lengths.to_vec();
            joined[at] += joined.remove(at + 1);
            all.push(joined);
        }
        for to in (0..lengths.len()).filter(|to| *to != at) {
            for part in [2, 4, 16] {
                let mut moved = lengths.to_vec();
                (moved[at], moved[to]) = (lengths[at] - lengths[at] / part, lengths[to] + lengths[at] / part);
                all.push(moved);
            }
        }
    }
    all.retain(|lengths| lengths.iter().all(|&length| length > 0));
    all
}

proptest! {
    #[test]
    fn no_change_of_a_piece_makes_a_whole_share_much_faster(
        stages in prop::array::uniform3(1e-5..1e-2f64),
        chunks in prop::array::uniform3(1e-6..3e-5f64),
    ) {
        let n = 1_000_000;
        let ([to, kernel, from], [to_chunk, kernel_chunk, from_chunk]) =
            (stages.map(|all| Seconds(all / n as f64)), chunks.map(Seconds));
        let cost = DeviceCost { to, kernel, from, to_chunk, kernel_chunk, from_chunk, ..DeviceCost::default() };
        let lengths = piece_lengths(&cost, n, true);
        let ours = time_of(&cost, &lengths).0;
        // As many as the host keeps up with.
        let least = (cost.per_chunk().0 / cost.effective().0) as u64;
        for other in changed(&lengths).into_iter().filter(|other| other.iter().all(|length| *length >= least)) {
            let time = time_of(&cost, &other).0;
            prop_assert!(time >= 0.95 * ours, "{ours} s in {lengths:?}, {time} in {other:?}");
        }
    }
}

#[test]
fn a_short_share_behind_a_slow_link_ends_with_ever_shorter_pieces() {
    // 128 blocks of bm2d 4096 on an H200 (results/h200-sooner-2026-11-26).
    let us = Seconds::from_micros;
    let cost = DeviceCost {
        to: us(2.51),
        kernel: us(0.95),
        from: us(0.06),
        to_chunk: us(12.9),
        kernel_chunk: us(5.4),
        from_chunk: us(8.3),
        ..DeviceCost::default()
    };
    let lengths = piece_lengths(&cost, 128, true);
    assert!(lengths.windows(2).all(|pair| pair[0] >= 2 * pair[1]), "{lengths:?}");
    let equal = pipeline_time(&cost, 128, subchunks(&cost, 128));
    assert!(time_of(&cost, &lengths).0 < 0.94 * equal.0, "{lengths:?}");
}

#[test]
fn what_the_kernel_dominates_begins_and_ends_with_short_pieces() {
    let us = Seconds::from_micros;
    let cost =
        DeviceCost { to: us(1.0), kernel: us(4.0), from: us(1.0), kernel_chunk: us(20.0), ..DeviceCost::default() };
    let lengths = piece_lengths(&cost, 6000, true);
    let (first, most, last) = (lengths[0], lengths.iter().max().unwrap(), lengths.last().unwrap());
    assert!(20 * first < *most && 20 * last < *most, "{lengths:?}");
    let equal = pipeline_time(&cost, 6000, subchunks(&cost, 6000));
    assert!(time_of(&cost, &lengths).0 < 0.98 * equal.0, "{lengths:?}");
}

proptest! {
    #[test]
    fn a_chunk_in_pieces_of_one_length_costs_what_its_pieces_do(
        [to_chunk, kernel_chunk, from_chunk, to, kernel, from] in prop::array::uniform6(0.0..1e-3f64),
        (longest, pieces) in (1..10_000u64, 1..100u64),
    ) {
        let [to_chunk, kernel_chunk, from_chunk, to, kernel, from] =
            [to_chunk, kernel_chunk, from_chunk, to, kernel, from].map(Seconds);
        let cost = DeviceCost { to_chunk, kernel_chunk, from_chunk, to, kernel, from, ..DeviceCost::default() };
        let all = cost.in_pieces_of(longest).stages(longest * pieces);
        for (all, piece) in all.iter().zip(cost.stages(longest)) {
            let expected = piece.0 * pieces as f64;
            prop_assert!((all.0 - expected).abs() <= 1e-9 * expected, "{all} is not {expected}");
        }
    }
}
