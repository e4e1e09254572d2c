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
