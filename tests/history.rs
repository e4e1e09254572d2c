//! What a history learns: rates under noise, outliers and drift; merging; files that are read whole or refused.

use apportion::element::Precision;
use apportion::model::contention::{Draw, Draws};
use apportion::model::history::{
    ArrayMemory, Asked, Company, KEPT, Key, Learned, Line, Observation, Question, SCHEMA, Shape, WholeLoops, settle,
};
use apportion::model::machine::MemoryKind;
use apportion::model::{DeviceCost, DeviceModel, History, LinkModel, LoopProfile, Overlap, SharedOut, device_cost};
use apportion::sched::{Problem, SimulateOptions, simulate};
use apportion::units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Seconds};
use proptest::prelude::*;

fn device(memory: MemoryKind) -> DeviceModel {
    let rate = BytesPerSecond::from_gb_per_s(10.0);
    let link = LinkModel::of(Seconds::from_micros(10.0), rate);
    DeviceModel {
        name: "d".to_owned(),
        device_type: "THSIM".to_owned(),
        memory,
        memory_bytes: Some(Bytes(1 << 40)),
        f32_rate: FlopsPerSecond::from_gflop_per_s(10.0),
        f64_rate: FlopsPerSecond::from_gflop_per_s(5.0),
        memory_rate: rate,
        launch: Seconds::from_micros(100.0),
        u8_rate: None,
        read_rate: None,
        copy_rate: None,
        wake: Seconds::ZERO,
        wake_alone: Seconds::ZERO,
        library_wake: Seconds::ZERO,
        issue: Seconds::ZERO,
        ramp: Seconds::ZERO,
        library_ramp: Seconds::ZERO,
        sync: Seconds::ZERO,
        alloc: Seconds::ZERO,
        alloc_per_byte: Seconds::ZERO,
        link: (memory == MemoryKind::Discrete).then_some(link),
    }
}

/// The profile of axpy of f32.
fn axpy(iterations: u64) -> LoopProfile {
    LoopProfile {
        iterations,
        flops: Flops(2.0),
        memory_bytes: 12.0,
        aligned_in: 8.0,
        aligned_out: 4.0,
        transfers_in: 2,
        transfers_out: 1,
        allocations: 2,
        ..LoopProfile::default()
    }
}

fn key(kernel: &str, device: &str) -> Key {
    Key {
        kernel: Some(kernel.into()),
        code: None,
        block: None,
        precision: Precision::F32,
        device: device.into(),
        memory: ArrayMemory::InPlace,
        policy: None,
        host: None,
    }
}

const ALONE: Company = Company { shared: 1, discrete: 0 };

/// A loop whose pieces each take `fixed + n * each`, times `noise`.
fn seen(at: u64, profile: &LoopProfile, pieces: &[u64], fixed: f64, each: f64, noise: f64) -> Observation {
    let run = pieces.iter().map(|&n| (n, Seconds((fixed + each * n as f64) * noise))).collect();
    Observation {
        shape: Shape::of(profile),
        company: ALONE,
        iterations: profile.iterations,
        at,
        cold: false,
        once: Some(Seconds(10e-6 * noise)),
        stages: [Vec::new(), run, Vec::new()],
    }
}

fn ask(history: &History, key: &Key, profile: &LoopProfile, memory: MemoryKind, company: Company) -> Option<Learned> {
    ask_for(history, key, profile, memory, company, Question::Later)
}

/// As [`ask`], with another question.
fn ask_for(
    history: &History,
    key: &Key,
    profile: &LoopProfile,
    memory: MemoryKind,
    company: Company,
    question: Question,
) -> Option<Learned> {
    let device = device(memory);
    let described = device_cost(&device, profile, Overlap::Full);
    history.learned(&Asked { key, company, profile, device: &device, described: &described, question })
}

fn learned_cost(history: &History, key: &Key, profile: &LoopProfile) -> DeviceCost {
    let described = device_cost(&device(MemoryKind::Shared), profile, Overlap::Full);
    let learned = ask(history, key, profile, MemoryKind::Shared, ALONE).expect("such loops were seen");
    learned.apply(&described)
}

#[track_caller]
fn close(value: f64, wanted: f64, part: f64) {
    assert!((value / wanted - 1.0).abs() <= part, "{value} should be {wanted} within {part}");
}

/// Noise of up to `most` for each loop; two of every ten loops are outliers, ten times as slow.
fn noise(most: f64, loops: usize) -> impl Strategy<Value = Vec<f64>> {
    let tens = loops.div_ceil(10);
    let outliers = prop::collection::vec(prop::sample::subsequence((0..10).collect::<Vec<usize>>(), 2), tens);
    (prop::collection::vec(1.0 - most..1.0 + most, loops), outliers).prop_map(|(mut noise, outliers)| {
        for (i, factor) in noise.iter_mut().enumerate() {
            if outliers[i / 10].contains(&(i % 10)) {
                *factor *= 10.0;
            }
        }
        noise
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// A median stays within the noise while outliers are the minority; here they are a fifth.
    #[test]
    fn rates_converge_under_noise_and_outliers(
        noise in noise(0.2, 40),
        octave in 12_u32..30,
        each in 1e-11..1e-7_f64,
        fixed_part in 0.0..0.5_f64,
    ) {
        let n = 3_u64 << (octave - 1);
        let fixed = fixed_part * each * n as f64;
        let (profile, key) = (axpy(n), key("axpy", "cpu"));
        let mut history = History::default();
        for (i, noise) in noise.iter().enumerate() {
            history.record(&key, &seen(i as u64, &profile, &[n, n / 16], fixed, each, *noise));
        }
        let cost = learned_cost(&history, &key, &profile);
        for n in [n, n / 4, n / 16] {
            close(cost.stages(n)[1].0, fixed + each * n as f64, 0.21);
        }
        close(cost.once.0, 10e-6, 0.21);
    }

    /// The mean error is much smaller than the noise.
    #[test]
    fn the_mean_error_is_much_less_than_the_noise(runs in prop::collection::vec(noise(0.2, 32), 24)) {
        let (profile, key) = (axpy(1 << 20), key("axpy", "cpu"));
        let errors = runs.iter().map(|noise| {
            let mut history = History::default();
            for (i, noise) in noise.iter().enumerate() {
                history.record(&key, &seen(i as u64, &profile, &[1 << 20], 0.0, 1e-9, *noise));
            }
            let described = 1e-9 * f64::from(1 << 20);
            (learned_cost(&history, &key, &profile).stages(1 << 20)[1].0 / described - 1.0).abs()
        });
        let mean = errors.sum::<f64>() / runs.len() as f64;
        prop_assert!(mean < 0.1, "{mean}");
    }

    /// Whatever came before: after a window of loops at another rate only that rate counts, and after half a window and a few
    /// more loops the learned rate is on its side.
    #[test]
    fn a_drift_is_followed(before in 0_usize..60, factor in prop_oneof![0.3..0.5, 2.0..4.0_f64], noise in noise(0.1, KEPT)) {
        let (profile, key) = (axpy(1 << 22), key("axpy", "cpu"));
        let n = 1 << 21;
        let mut history = History::default();
        for i in 0..before {
            history.record(&key, &seen(i as u64, &profile, &[n], 0.0, 1e-9, 1.0));
        }
        for (i, noise) in noise.iter().enumerate() {
            history.record(&key, &seen((before + i) as u64, &profile, &[n], 0.0, factor * 1e-9, *noise));
            // With as many old samples as new ones, the median lies between the two rates.
            if i >= KEPT / 2 + 4 {
                let time = learned_cost(&history, &key, &profile).stages(n)[1].0 / n as f64;
                prop_assert!((time / 1e-9 > 1.0) == (factor > 1.0), "{time} after {i}");
            }
        }
        close(learned_cost(&history, &key, &profile).stages(n)[1].0, factor * 1e-9 * n as f64, 0.11);
    }

    #[test]
    fn merging_is_the_same_in_any_order_and_twice_is_once(
        samples in prop::collection::vec((0_u64..40, 0_usize..3, 0_u32..3, 1_u64..5, 1e-6..1.0_f64, any::<bool>()), 0..60),
        cut in prop::collection::vec(0_usize..3, 60),
    ) {
        let mut parts = [History::default(), History::default(), History::default()];
        let mut whole = History::default();
        for ((at, kernel, octave, length, time, cold), part) in samples.into_iter().zip(cut) {
            let profile = axpy(1 << (10 + octave));
            let observation = Observation { cold, ..seen(at, &profile, &[length * 100], time, 0.0, 1.0) };
            let key = key(["a", "b", "c"][kernel], "cpu");
            parts[part].record(&key, &observation);
            whole.record(&key, &observation);
        }
        let merged = |order: [usize; 3]| {
            let mut all = parts[order[0]].clone();
            all.merge(&parts[order[1]]);
            all.merge(&parts[order[2]]);
            all
        };
        let all = merged([0, 1, 2]);
        prop_assert_eq!(&all, &whole);
        for order in [[0, 2, 1], [1, 0, 2], [2, 1, 0]] {
            prop_assert_eq!(&merged(order), &all);
        }
        let mut twice = all.clone();
        twice.merge(&all);
        twice.merge(&parts[1]);
        prop_assert_eq!(&twice, &all);
        // Equal to the last bit, so that a file merges with what is in memory.
        let read = History::from_json(&all.to_json()).unwrap();
        prop_assert_eq!(&read, &all);
    }

    #[test]
    fn damaged_text_is_refused_or_read_and_never_panics(cuts in prop::collection::vec((0_usize..4000, any::<u8>()), 1..6), end in 0_usize..4000) {
        let mut history = History::default();
        for i in 0..6 {
            let profile = axpy(1000 << i);
            history.record(&key("axpy \"quoted\"", "cpu: é"), &seen(i, &profile, &[10 << i, 500], 1e-6, 1e-9, 1.0));
        }
        let mut bytes = history.to_json().into_bytes();
        for (place, byte) in cuts {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        bytes.truncate(end.max(1));
        let text = String::from_utf8_lossy(&bytes);
        match History::from_json(&text) {
            Ok(read) => {
                // Costs can be made of any history that is read.
                for (key, table) in read.tables() {
                    let profile = axpy(1 << table.octave.min(60));
                    if let Some(learned) = ask(&read, key, &profile, MemoryKind::Shared, ALONE) {
                        let cost = learned.apply(&device_cost(&device(MemoryKind::Shared), &profile, Overlap::Full));
                        let linear = cost.linear();
                        prop_assert!(linear.fixed.0.is_finite() && linear.fixed.0 >= 0.0, "{:?}", cost);
                        prop_assert!(linear.per_iteration.0.is_finite() && linear.per_iteration.0 > 0.0, "{:?}", cost);
                    }
                }
                let again = History::from_json(&read.to_json());
                prop_assert_eq!(again.as_ref(), Ok(&read));
            }
            Err(why) => prop_assert!(!why.is_empty()),
        }
    }
}

#[test]
fn the_fixed_cost_of_a_piece_and_its_rate_are_told_apart() {
    let (profile, key) = (axpy(10_000_000), key("axpy", "cpu"));
    let mut history = History::default();
    history.record(&key, &seen(1, &profile, &[10_000_000], 20e-6, 28e-12, 1.0));
    history.record(&key, &seen(2, &profile, &[200_000], 20e-6, 28e-12, 1.0));
    let cost = learned_cost(&history, &key, &profile);
    close(cost.kernel_chunk.0, 20e-6, 1e-6);
    close(cost.kernel.0, 28e-12, 1e-6);
    // An outlier among pieces of another length does not tilt the line.
    for i in 0..4 {
        history.record(&key, &seen(3 + i, &profile, &[2_500_000], 20e-6, 28e-12, 1.0));
    }
    history.record(&key, &seen(9, &profile, &[50_000], 20e-6, 28e-12, 30.0));
    let cost = learned_cost(&history, &key, &profile);
    close(cost.kernel_chunk.0, 20e-6, 1e-6);
    close(cost.kernel.0, 28e-12, 1e-6);
}

#[test]
fn one_length_alone_does_not_make_a_start_out_of_a_rate() {
    let (profile, key) = (axpy(10_000_000), key("axpy", "cpu"));
    let mut history = History::default();
    history.record(&key, &seen(1, &profile, &[10_000_000], 0.0, 28e-12, 1.0));
    let cost = learned_cost(&history, &key, &profile);
    close(cost.stages(10_000_000)[1].0, 280e-6, 1e-9);
    assert!(cost.kernel_chunk.0 <= 71e-6, "{cost:?}");
}

/// The wait for the last thread is in measured times; in described ones it is added.
#[test]
fn a_measured_chunk_takes_what_was_measured_whatever_its_threads() {
    let (profile, key) = (axpy(1_000_000), key("axpy", "cpu"));
    let mut history = History::default();
    history.record(&key, &seen(1, &profile, &[1_000_000], 20e-6, 28e-12, 1.0));
    let threads = SharedOut { pieces: 4.0, pieces_of_long: 8.0, piece: Seconds(1e-3) };
    let mut described = device_cost(&device(MemoryKind::Shared), &profile, Overlap::Full);
    let before = described.stages(1000)[1];
    described.threads = threads;
    close(described.stages(1000)[1].0, before.0 + described.kernel.0 * 1000.0 / 8.0, 1e-9);
    let learned = ask(&history, &key, &profile, MemoryKind::Shared, ALONE).expect("such loops were seen");
    close(learned.apply(&described).stages(1_000_000)[1].0, 48e-6, 1e-6);
}

/// A chunk of 20 iterations of axpy, of which 99.98 % is the start of the kernel.
#[test]
fn a_few_iterations_say_nothing_of_a_rate() {
    let key = key("axpy", "cpu");
    let described = device_cost(&device(MemoryKind::Shared), &axpy(1000), Overlap::Full);
    for part in [0.06, 1.0, 12.0] {
        let mut history = History::default();
        history.record(&key, &seen(1, &axpy(1000), &[20], part * described.kernel_chunk.0, 0.0, 1.0));
        let long = learned_cost(&history, &key, &axpy(1_000_000));
        close(long.kernel.0, described.kernel.0, 1e-3);
        close(learned_cost(&history, &key, &axpy(1000)).stages(20)[1].0, part * described.kernel_chunk.0, 1e-3);
    }
    // Beyond what may be chance, iterations take longer too, and never by a leap.
    let mut last = described.kernel.0;
    for part in [15.0, 17.0, 20.0, 100.0, 1000.0] {
        let mut history = History::default();
        history.record(&key, &seen(1, &axpy(1000), &[20], part * described.kernel_chunk.0, 0.0, 1.0));
        let each = learned_cost(&history, &key, &axpy(1_000_000)).kernel.0;
        assert!(each >= last && each <= last * 10.0, "{part}: {each} after {last}");
        last = each;
    }
    assert!(last > 50.0 * described.kernel.0, "{last}");
}

/// Where no work is stated, the described rate is a guess: nearly all of the time is that of the iterations.
#[test]
fn a_rate_that_is_not_stated_is_what_was_measured() {
    let key = key("axpy", "cpu");
    let unstated = |n: u64| LoopProfile { flops: Flops(0.0), memory_bytes: 0.0, ..axpy(n) };
    for n in [100_000_u64, 1_000_000] {
        let time = 10e-9 * n as f64;
        let mut history = History::default();
        history.record(&key, &seen(1, &unstated(n), &[n], 0.0, time / n as f64, 1.0));
        let each = learned_cost(&history, &key, &unstated(n)).kernel.0;
        assert!((7.4e-9..=10e-9).contains(&each), "{n}: {each}");
    }
}

#[test]
fn an_iteration_costs_nothing_only_if_pieces_of_very_different_lengths_say_so() {
    let key = key("axpy", "cpu");
    let profile = axpy(10_000_000);
    let of = |pieces: &[(u64, f64)]| {
        let mut history = History::default();
        for (at, &(n, time)) in (1..).zip(pieces) {
            history.record(&key, &seen(at, &profile, &[n], time, 0.0, 1.0));
        }
        learned_cost(&history, &key, &profile)
    };
    // The shorter piece took longer, by chance: a quarter of a time at most counts as paid whatever the length.
    for pieces in [[(5_300_000, 717e-6), (6_600_000, 450e-6)], [(6_100_000, 600e-6), (11_000_000, 590e-6)]] {
        let cost = of(&pieces);
        let least = pieces.map(|(n, time)| time / n as f64).into_iter().fold(f64::INFINITY, f64::min);
        assert!(cost.kernel.0 >= 0.7 * least, "{pieces:?} {cost:?}");
    }
    // A kernel that does not fill the device.
    let cost = of(&[(1 << 14, 20e-6), (1 << 18, 20e-6), (1 << 20, 20e-6)]);
    close(cost.stages(1 << 20)[1].0, 20e-6, 0.1);
    close(cost.stages(1 << 14)[1].0, 20e-6, 0.1);
}

#[test]
fn loops_in_a_cache_say_little_of_much_longer_ones() {
    let key = key("axpy", "cpu");
    let described = device_cost(&device(MemoryKind::Shared), &axpy(1), Overlap::Full);
    let mut history = History::default();
    // A tenth of the described time.
    let fast = described.kernel.0 / 10.0;
    history.record(&key, &seen(1, &axpy(1 << 20), &[1 << 20, 1 << 16], 1e-6, fast, 1.0));
    let each = |n: u64| learned_cost(&history, &key, &axpy(n)).kernel.0;
    close(each(1 << 18), fast, 1e-9);
    close(each(1 << 21), fast, 1e-9);
    assert!(each(1 << 22) > fast && each(1 << 22) < described.kernel.0);
    close(each(1 << 25), described.kernel.0, 1e-9);
    // A device that is slower than described is slower for longer loops too.
    history.record(&key, &seen(2, &axpy(1 << 24), &[1 << 24, 1 << 18], 1e-6, 5.0 * described.kernel.0, 1.0));
    let each = |n: u64| learned_cost(&history, &key, &axpy(n)).kernel.0;
    close(each(1 << 30), 5.0 * described.kernel.0, 1e-9);
    // Between two known octaves: half way on a logarithmic scale.
    close(each(1 << 22), (fast * 5.0 * described.kernel.0).sqrt(), 1e-9);
}

#[test]
fn what_long_pieces_take_besides_is_not_what_short_loops_begin_with() {
    let key = key("axpy", "cpu");
    let described = device_cost(&device(MemoryKind::Shared), &axpy(1), Overlap::Full);
    let mut history = History::default();
    // Longer pieces of long loops take less per iteration; a line through them starts at 8 ms.
    let (n, fixed, each) = (1_u64 << 30, 8e-3, 20e-12);
    history.record(&key, &seen(1, &axpy(n), &[n, n / 4], fixed, each, 1.0));
    close(learned_cost(&history, &key, &axpy(n)).kernel_chunk.0, fixed, 1e-6);
    // A loop of a thousandth of the length takes about a thousandth of the time.
    let short = learned_cost(&history, &key, &axpy(n >> 10));
    close(short.kernel.0, each, 1e-6);
    close(short.kernel_chunk.0, described.kernel_chunk.0 + (fixed - described.kernel_chunk.0) / 1024.0, 1e-6);
    // The described fixed cost stays, however short the loop.
    let shortest = learned_cost(&history, &key, &axpy(1));
    close(shortest.kernel_chunk.0, described.kernel_chunk.0, 1e-3);
}

#[test]
fn what_first_loops_took_is_for_first_loops_and_goes_when_there_is_better() {
    let (profile, key) = (axpy(1 << 20), key("axpy", "cpu"));
    let mut history = History::default();
    let seen_at = |at, each, cold| Observation { cold, ..seen(at, &profile, &[1 << 20], 0.0, each, 1.0) };
    let asked = |history: &History, company, question| {
        let learned = ask_for(history, &key, &profile, MemoryKind::Shared, company, question)?;
        Some((learned.once?.0, learned.stages[1]?.time(f64::from(1 << 20)).0 / f64::from(1 << 20)))
    };
    let both = Company { shared: 1, discrete: 1 };
    // The first loop allocates, which takes most of its time.
    history.record(&key, &Observation { once: Some(Seconds(0.06)), company: both, ..seen_at(1, 9e-9, true) });
    let (once, each) = asked(&history, both, Question::First).unwrap();
    close(once, 0.06, 1e-9);
    close(each, 9e-9, 1e-9);
    // The second loop is divided by the description.
    assert_eq!(asked(&history, both, Question::Later), None);
    // The time of a later loop alone says more than that of the first loop in company.
    history.record(&key, &seen_at(2, 1e-9, false));
    for company in [both, ALONE] {
        let (once, each) = asked(&history, company, Question::Later).unwrap();
        close(once, 10e-6, 1e-9);
        close(each, 1e-9, 1e-9);
    }
    // Later first loops do not count again.
    history.record(&key, &seen_at(3, 9e-9, true));
    for question in [Question::First, Question::Later, Question::Alone] {
        close(asked(&history, ALONE, question).unwrap().1, 1e-9, 1e-9);
    }
}

#[test]
fn rows_of_another_length_take_time_in_proportion_and_others_are_others() {
    let matvec = |columns: f64| LoopProfile {
        iterations: 1 << 12,
        flops: Flops(2.0 * columns),
        memory_bytes: 4.0 * columns,
        ..LoopProfile::default()
    };
    let key = key("matvec", "cpu");
    let mut history = History::default();
    history.record(&key, &seen(1, &matvec(1000.0), &[1 << 12, 1 << 8], 1e-6, 1e-6, 1.0));
    close(learned_cost(&history, &key, &matvec(2000.0)).kernel.0, 2e-6, 1e-9);
    let shared = MemoryKind::Shared;
    assert_eq!(ask(&history, &key, &matvec(100_000.0), shared, ALONE), None);
    for other in [self::key("matmul", "cpu"), self::key("matvec", "gpu")] {
        assert_eq!(ask(&history, &other, &matvec(1000.0), shared, ALONE), None);
    }
    assert_eq!(ask(&history, &Key { precision: Precision::F64, ..key }, &matvec(1000.0), shared, ALONE), None);
}

#[test]
fn rows_of_another_length_have_as_much_of_them_in_plain_arrays() {
    let rows = |columns: f64, plain: f64| LoopProfile {
        iterations: 1 << 12,
        flops: Flops(2.0 * columns),
        memory_bytes: 8.0 * columns,
        aligned_in: 4.0 * columns,
        aligned_out: 4.0 * columns,
        replicated_in: Bytes((1e6 * columns) as u64),
        plain_in: plain * 4.0 * columns,
        plain_out: plain * 4.0 * columns,
        plain_replicated: Bytes((plain * 1e6 * columns) as u64),
        ..LoopProfile::default()
    };
    let mut device = device(MemoryKind::Discrete);
    let link = device.link.as_mut().unwrap();
    (link.to_alone, link.from_alone) = (BytesPerSecond::from_gb_per_s(50.0), BytesPerSecond::from_gb_per_s(50.0));
    (link.to_rate, link.from_rate) = (link.to_alone, link.from_alone);
    (link.to_plain, link.from_plain) =
        (Some(BytesPerSecond::from_gb_per_s(10.0)), Some(BytesPerSecond::from_gb_per_s(5.0)));
    let (key, company) = (Key { memory: ArrayMemory::Plain, ..key("k", "gpu") }, Company { shared: 0, discrete: 1 });
    for plain in [0.0, 0.5, 1.0] {
        let of = |columns: f64| {
            let profile = rows(columns, plain);
            let cost = device_cost(&device, &profile, Overlap::Full);
            (profile, cost)
        };
        // Such loops took just what is described, so shorter rows do too.
        let (longer, cost) = of(4000.0);
        let piece = |[fixed, each]: [Seconds; 2]| [1 << 8, 1 << 12].map(|n| (n, fixed + each * n as f64)).to_vec();
        let stages =
            [[cost.to_chunk, cost.to], [cost.kernel_chunk, cost.kernel], [cost.from_chunk, cost.from]].map(piece);
        let mut history = History::default();
        let once = Some(cost.once);
        let shape = Shape::of(&longer);
        history.record(&key, &Observation { shape, company, iterations: 1 << 12, at: 1, cold: false, once, stages });
        let (shorter, described) = of(1000.0);
        let (profile, question) = (&shorter, Question::Later);
        let asked = Asked { key: &key, company, profile, device: &device, described: &described, question };
        let learned = history.learned(&asked).unwrap().apply(&described);
        for (learned, described) in
            [(learned.to, described.to), (learned.from, described.from), (learned.once, described.once)]
        {
            close(learned.0, described.0, 1e-3);
        }
    }
}

#[test]
fn a_link_is_known_to_kernels_that_never_ran() {
    let discrete = Company { shared: 0, discrete: 1 };
    let link = Key { memory: ArrayMemory::PageLocked, ..key("", "gpu") }.of_link();
    let mut history = History::default();
    let copies = |rate: f64| [1_u64 << 20, 1 << 24].map(|n| (n, Seconds(5e-6 + n as f64 / rate))).to_vec();
    let observation = Observation {
        company: discrete,
        iterations: 1 << 27,
        at: 1,
        stages: [copies(50e9), Vec::new(), copies(40e9)],
        ..Observation::default()
    };
    history.record(&link, &observation);
    let profile = axpy(1 << 24);
    let asked = Key { memory: ArrayMemory::PageLocked, ..key("axpy", "gpu") };
    let learned = ask(&history, &asked, &profile, MemoryKind::Discrete, discrete).unwrap();
    assert!(!learned.knows_kernel());
    let described = device_cost(&device(MemoryKind::Discrete), &profile, Overlap::Full);
    let cost = learned.apply(&described);
    close(cost.to.0, 8.0 / 50e9, 1e-6);
    close(cost.from.0, 4.0 / 40e9, 1e-6);
    close(cost.to_chunk.0, 5e-6, 1e-6);
    assert_eq!((cost.kernel, cost.once), (described.kernel, described.once));
    let plain = Key { memory: ArrayMemory::Plain, ..asked };
    assert_eq!(ask(&history, &plain, &profile, MemoryKind::Discrete, discrete), None);
}

/// Copies at a rate in bytes per second, and iterations that take `each`.
fn copies(at: u64, profile: &LoopProfile, rate: f64, each: f64) -> Observation {
    let copies = |bytes: f64| [1_u64 << 16, 1 << 20].map(|n| (n, Seconds(n as f64 * bytes / rate))).to_vec();
    let mut seen = seen(at, profile, &[1 << 16, 1 << 20], 0.0, each, 1.0);
    (seen.stages[0], seen.stages[2]) = (copies(profile.aligned_in), copies(profile.aligned_out));
    Observation { company: Company { shared: 0, discrete: 1 }, ..seen }
}

#[test]
fn a_link_is_its_hosts_own() {
    let discrete = Company { shared: 0, discrete: 1 };
    let at = |kernel: &str, host: Option<&str>| Key {
        memory: ArrayMemory::PageLocked,
        host: host.map(Into::into),
        ..key(kernel, "gpu")
    };
    let profile = axpy(1 << 20);
    let known = |history: &History, host: &str| {
        let kernel = ask(history, &at("axpy", Some(host)), &profile, MemoryKind::Discrete, discrete);
        let other = ask(history, &at("another", Some(host)), &profile, MemoryKind::Discrete, discrete);
        let copied_in =
            |learned: Option<Learned>| learned.and_then(|learned| learned.stages[0]).map(|line| line.each.0);
        [kernel, other].map(copied_in)
    };
    let link = Observation {
        iterations: 1 << 23,
        stages: [vec![(1 << 20, Seconds(2e-5)), (1 << 23, Seconds(16e-5))], Vec::new(), Vec::new()],
        company: discrete,
        at: 1,
        ..Observation::default()
    };
    let mut history = History::default();
    history.record(&at("axpy", Some("old")), &copies(1, &profile, 25e9, 1e-9));
    history.record(&at("axpy", Some("old")).of_link(), &link);
    let history = History::from_json(&history.to_json()).unwrap();
    assert!(known(&history, "old").iter().all(Option::is_some));
    assert_eq!(known(&history, "new"), [None, None]);
    // The GPU's own rate counts on the new host too, and the new host's link is learned from one loop.
    let run = |history: &History, host: &str| {
        let learned = ask(history, &at("axpy", Some(host)), &profile, MemoryKind::Discrete, discrete).unwrap();
        assert!(learned.once.is_none() || host == "old");
        learned.stages[1].unwrap().each.0
    };
    close(run(&history, "new"), run(&history, "old"), 1e-9);
    let mut learning = history;
    learning.record(&at("axpy", Some("new")), &copies(2, &profile, 50e9, 1e-9));
    let [old, new] = ["old", "new"].map(|host| known(&learning, host)[0].unwrap());
    close(old, 8.0 / 25e9, 1e-6);
    close(new, 8.0 / 50e9, 1e-6);

    // If a file does not name the host, its samples count for every host.
    let mut history = History::default();
    history.record(&at("axpy", None), &copies(1, &profile, 25e9, 1e-9));
    history.record(&at("axpy", None).of_link(), &link);
    assert!(known(&history, "new").iter().all(Option::is_some));
}

#[test]
fn a_kernel_is_its_code_and_a_file_without_codes_tells_of_all() {
    let profile = axpy(1 << 20);
    let of = |code: Option<u64>| Key { code, ..key("axpy", "cpu") };
    let each = |history: &History, code: Option<u64>| {
        let learned = ask(history, &of(code), &profile, MemoryKind::Shared, ALONE)?;
        Some(learned.stages[1]?.time(f64::from(1 << 20)).0 / f64::from(1 << 20))
    };
    let mut history = History::default();
    history.record(&of(Some(u64::MAX)), &seen(1, &profile, &[1 << 20], 0.0, 1e-9, 1.0));
    let history = History::from_json(&history.to_json()).unwrap();
    close(each(&history, Some(u64::MAX)).unwrap(), 1e-9, 1e-9);
    assert_eq!([Some(1), None].map(|code| each(&history, code)), [None, None]);

    let mut history = history;
    history.record(&of(None), &seen(1, &profile, &[1 << 20], 0.0, 5e-9, 1.0));
    close(each(&history, Some(1)).unwrap(), 5e-9, 1e-9);
    // Newer samples replace those, for their own kernel only.
    for at in 2..2 + KEPT as u64 {
        history.record(&of(Some(1)), &seen(at, &profile, &[1 << 20], 0.0, 2e-9, 1.0));
    }
    close(each(&history, Some(1)).unwrap(), 2e-9, 1e-9);
    close(each(&history, Some(2)).unwrap(), 5e-9, 1e-9);
    for wrong in ["\"12\"", "\"fffffffffffffffg\"", "\"+00000000000000f\"", "7"] {
        let text = history.to_json().replacen("\"0000000000000001\"", wrong, 1);
        let error = History::from_json(&text).unwrap_err();
        assert!(error.contains("entries[1].code") && error.contains("hexadecimal"), "{error}");
    }
}

#[test]
fn the_memory_wall_counts_until_it_is_known_better() {
    let profile = axpy(1 << 20);
    let wall = |kernel: f64, host_memory: f64| DeviceCost {
        kernel: Seconds(kernel),
        host_memory: Seconds(host_memory),
        shared: true,
        ..DeviceCost::default()
    };
    let mut history = History::default();
    history.record(&key("axpy", "cpu"), &seen(1, &profile, &[1 << 20], 0.0, 1e-9, 1.0));
    let exact = ask(&history, &key("axpy", "cpu"), &profile, MemoryKind::Shared, ALONE);
    let other = ask(&history, &key("axpy", "cpu"), &profile, MemoryKind::Shared, Company { shared: 1, discrete: 2 });
    assert!(exact.unwrap().together && !other.unwrap().together);
    for (learned, kernel, stays) in [
        ([exact, None], 2.0, true),
        ([exact, exact], 2.0, false),
        ([other, exact], 2.0, true),
        ([other, None], 0.5, false),
    ] {
        let mut costs = [wall(kernel, 1.0), wall(kernel, 1.0)];
        settle(&mut costs, &[wall(1.0, 1.0); 2], &learned, 1 << 20);
        assert_eq!(costs[1].host_memory.0 > 0.0, stays, "{learned:?}");
    }
}

/// Time of an iteration, in ns, of a loop of `n` under a policy on two devices. Each device is given by its time in company,
/// and by how many times its time alone that is, if known.
fn in_company(n: u64, devices: [(f64, Option<f64>); 2], policies: [&str; 2]) -> [f64; 2] {
    let (profile, costs) = (axpy(n), costs_in_company(n, devices, Seconds(1e-12)));
    policies.map(|policy| {
        let problem = Problem::new(n, &costs, &profile);
        simulate(&policy.parse().unwrap(), &problem, &SimulateOptions::default()).unwrap().makespan.0 / n as f64 * 1e9
    })
}

/// The costs made of such times. `stated` is the described time of an iteration alone.
fn costs_in_company(n: u64, devices: [(f64, Option<f64>); 2], stated: Seconds) -> [DeviceCost; 2] {
    let profile = axpy(n);
    let both = Company { shared: 2, discrete: 0 };
    let mut history = History::default();
    for ((each, slowed), name) in devices.iter().zip(["one", "other"]) {
        let mut observe = |company: Company, each: f64| {
            let seen = Observation { company, ..seen(1, &profile, &[1 << 18, 1 << 20], 0.0, each * 1e-9, 1.0) };
            history.record(&key("axpy", name), &seen);
        };
        observe(both, *each);
        if let Some(slowed) = slowed {
            observe(ALONE, each / slowed);
        }
    }
    let described = device_cost(&device(MemoryKind::Shared), &profile, Overlap::Full);
    let known = ["one", "other"].map(|name| ask(&history, &key("axpy", name), &profile, MemoryKind::Shared, both));
    let mut costs = known.map(|known| known.unwrap().apply(&described));
    settle(&mut costs, &[DeviceCost { kernel: stated, ..described }; 2], &known, n);
    costs
}

#[test]
fn who_was_never_seen_alone_is_no_faster_alone_than_its_description() {
    let n = 1 << 22;
    // The first takes five times as long beside the second; nothing is known of the second alone.
    let devices = [(5.0, Some(5.0)), (2.0, None)];
    let second = |stated: f64| costs_in_company(n, devices, Seconds(stated * 1e-9))[1].kernel.0 * 1e9;
    // The described time is too short to count, then plausible, then longer than the time in company.
    close(second(1e-3), 0.4, 0.02);
    close(second(1.8), 1.8, 0.02);
    close(second(9.0), 2.0, 0.02);
    // A measured time alone counts, whatever the description says.
    let seen = costs_in_company(n, [(5.0, Some(5.0)), (2.0, Some(4.0))], Seconds(1.8e-9))[1].kernel.0 * 1e9;
    close(seen, 0.5, 0.02);
}

#[test]
fn without_a_device_alone_the_times_in_company_are_all_that_is_known() {
    let [block, model] = in_company(1 << 22, [(1.0, None), (1.5, None)], ["BLOCK", "MODEL_2_AUTO"]);
    close(block, 0.75, 0.01);
    close(model, 0.6, 0.01);
}

proptest! {
    /// Devices slow one another while they run together, and no longer.
    #[test]
    fn who_is_left_alone_goes_on_at_its_own_pace(
        one in 0.5..3.0_f64, other in 0.5..3.0_f64, slowed in 1.05..1.6_f64, less in prop::option::of(0.0..1.0_f64),
    ) {
        let second = less.map(|less| 1.0 + (slowed - 1.0) * less);
        // If one device alone is faster than both together, the other is of no use.
        let alone = f64::max(slowed / one, second.unwrap_or(slowed) / other);
        prop_assume!(1.0 / one + 1.0 / other > 1.02 * alone);
        let devices = [(one, Some(slowed)), (other, second)];
        let [block, model] = in_company(1 << 22, devices, ["BLOCK", "MODEL_2_AUTO"]);
        // The first device is done; the other was slowed until then and has this part left.
        let slowed = [slowed, second.unwrap_or(slowed)];
        let (first, last) = if one < other { (one, (other, slowed[1])) } else { (other, (one, slowed[0])) };
        let left = 0.5 - 0.5 * first / last.0;
        let expected = 0.5 * first + left * last.0 / last.1;
        prop_assert!((block / expected - 1.0).abs() < 0.03, "BLOCK takes {block}, should take {expected}");
        let together = 1.0 / (1.0 / one + 1.0 / other);
        prop_assert!((model / together - 1.0).abs() < 0.05, "MODEL_2 takes {model}, should take {together}");
    }
}

#[test]
fn what_links_share_counts_until_every_stage_is_known() {
    let profile = axpy(1 << 20);
    let company = Company { shared: 0, discrete: 2 };
    let key = Key { memory: ArrayMemory::PageLocked, ..key("axpy", "gpu") };
    let device = device(MemoryKind::Discrete);
    let mut draws = Draws::default();
    draws.push(Draw { capacity: 3, per_iteration: Seconds(1e-9), ..Draw::default() });
    let described = DeviceCost { host_memory: Seconds(0.5e-9), draws, ..device_cost(&device, &profile, Overlap::Full) };
    let piece = |each: f64| vec![(1_u64 << 20, Seconds(each * f64::from(1 << 20)))];
    // Which stages are known in loops of this length, and whether a loop of twice the length tells the others.
    for known in 0..8_u32 {
        for longer in [false, true] {
            let mut history = History::default();
            let seen = |octave: u32, which: u32| Observation {
                shape: Shape::of(&profile),
                company,
                iterations: 1 << octave,
                at: 1,
                once: Some(Seconds(1e-6)),
                stages: [0, 1, 2].map(|stage| if which >> stage & 1 > 0 { piece(1e-9) } else { Vec::new() }),
                ..Observation::default()
            };
            history.record(&key, &seen(20, known));
            if longer {
                history.record(&key, &seen(21, 7));
            }
            let asked = Asked {
                key: &key,
                company,
                profile: &profile,
                device: &device,
                described: &described,
                question: Question::Later,
            };
            let learned = history.learned(&asked).unwrap();
            assert_eq!(learned.together, known == 7, "{known:03b}, {longer}");
            let mut costs = [learned.apply(&described); 2];
            settle(&mut costs, &[described; 2], &[Some(learned); 2], 1 << 20);
            let shared = [costs[1].draws.iter().count() > 0, costs[1].host_memory.0 > 0.0];
            assert_eq!(shared, [known != 7; 2], "{known:03b}, {longer}");
        }
    }
    // If a link exceeds the host's memory only by the description, that says nothing of the host's memory.
    let fast = DeviceCost { host_memory: Seconds(1e-6), ..described };
    let kernel = Learned {
        stages: [None, Some(Line { fixed: Seconds::ZERO, each: Seconds(1e-9) }), None],
        ..Learned::default()
    };
    let mut costs = [kernel.apply(&fast)];
    settle(&mut costs, &[fast], &[Some(kernel)], 1 << 20);
    assert!(costs[0].host_memory.0 > 0.0);
}

#[test]
fn samples_of_times_to_come_give_way_to_new_ones() {
    let (profile, key) = (axpy(10_000), key("axpy", "cpu"));
    let now = 1_700_000_000_000_000;
    let mut history = History::default();
    (0..16).for_each(|i| history.record(&key, &seen(now + 3_600_000_000 + i, &profile, &[10_000], 0.0, 1e-9, 1.0)));
    let each = |history: &History| learned_cost(history, &key, &profile).stages(10_000)[1].0 / 1e4;
    let with_new = |mut history: History| {
        (0..16).for_each(|i| history.record(&key, &seen(now + i, &profile, &[10_000], 0.0, 3e-9, 1.0)));
        each(&history)
    };
    close(with_new(history.clone()), 1e-9, 0.01);
    history.until(now);
    close(each(&history), 1e-9, 0.01);
    close(with_new(history), 3e-9, 0.01);
}

#[test]
fn a_file_of_the_version_before_has_milliseconds() {
    let mut history = History::default();
    (1..9).for_each(|i| history.record(&key("axpy", "cpu"), &seen(1000 * i, &axpy(1000), &[50], 1e-6, 1e-9, i as f64)));
    let text = history
        .to_json()
        .replace("000,50,", ",50,")
        .replace("000,1000,", ",1000,")
        .replace(SCHEMA, "apportion.history/1");
    assert_eq!(History::from_json(&text), Ok(history));
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let start = format!("{{\"schema\": \"{SCHEMA}\", \"entries\": [");
    let table = |run: &str, octave: u32| {
        format!(
            "{start}{{\"kernel\": \"k\", \"precision\": \"f32\", \"device\": \"d\", \"memory\": \"plain\", \"loops\": [{{\
             \"flops\": 1, \"memory_bytes\": 1, \"in_bytes\": 0, \"out_bytes\": 0, \"replicated_bytes\": 0, \
             \"halo_bytes\": 0, \"shared_devices\": 1, \"discrete_devices\": 0, \"octave\": {octave}, \"once\": [], \
             \"to\": [], \"run\": {run}, \"from\": []}}]}}]}}"
        )
    };
    assert!(History::from_json(&table("[[1, 2, 0.5, false]]", 9)).is_ok());
    for (text, words) in [
        (String::new(), &["is empty", SCHEMA][..]),
        ("[]".to_owned(), &["no JSON object"]),
        ("{\"schema\": \"apportion.history/9\"}".to_owned(), &["schema", "/9", SCHEMA]),
        ("{}".to_owned(), &["schema", "missing"]),
        (start.clone(), &["truncated"]),
        (table("[[1, 2, -0.5, false]]", 9), &["entries[0].loops[0].run[0]", "-0.5", "a sample is"]),
        (table("[[1, 0, 0.5, false]]", 9), &["entries[0].loops[0].run[0]"]),
        (table("[[1, 2, \"x\", false]]", 9), &["entries[0].loops[0].run[0]"]),
        (table("[]", 64), &["entries[0].loops[0].octave", "63"]),
        (table("[]", 9).replace("\"flops\": 1", "\"flops\": -1"), &["entries[0].loops[0].flops"]),
        (table("[]", 9).replace("\"flops\"", "\"flop\""), &["flop"]),
    ] {
        let why = History::from_json(&text).unwrap_err();
        assert!(words.iter().all(|word| why.contains(word)), "{why} lacks one of {words:?}");
    }
}

#[test]
fn times_that_scatter_delay_loops_of_one_block_each_and_hardly_those_of_small_chunks() {
    let n = 1 << 22;
    let profile = axpy(n);
    let both = Company { shared: 2, discrete: 0 };
    let mut history = History::default();
    // A median deviation of 0.067 is a standard deviation of 0.1.
    for (at, noise) in [0.9, 0.933, 0.95, 1.0, 1.0, 1.05, 1.067, 1.1].into_iter().enumerate() {
        let seen = Observation { company: both, ..seen(at as u64 + 1, &profile, &[1 << 21], 0.0, 1e-9, noise) };
        history.record(&key("axpy", "cpu"), &seen);
    }
    let known = ask(&history, &key("axpy", "cpu"), &profile, MemoryKind::Shared, both).unwrap();
    close(known.scatter, 0.1, 0.2);
    let described = device_cost(&device(MemoryKind::Shared), &profile, Overlap::Full);
    let mut costs = [known.apply(&described); 2];
    settle(&mut costs, &[described; 2], &[Some(known); 2], n);
    let later = |policy: &str| {
        let time = |costs: &[DeviceCost]| {
            let problem = Problem::new(n, costs, &profile);
            simulate(&policy.parse().unwrap(), &problem, &SimulateOptions::default()).unwrap().makespan
        };
        time(&costs) / time(&costs.map(|cost| DeviceCost { scatter: 0.0, ..cost })) - 1.0
    };
    close(later("MODEL_2_AUTO"), 0.0545, 0.25);
    assert!((0.0..0.01).contains(&later("SCHED_DYNAMIC:2%")), "{}", later("SCHED_DYNAMIC:2%"));
}

#[test]
fn who_ran_a_loop_alone_is_told_from_who_was_left_alone_at_the_end_of_one() {
    let (profile, key) = (axpy(1 << 20), key("axpy", "cpu"));
    let both = Company { shared: 1, discrete: 1 };
    let alone = |history: &History| ask_for(history, &key, &profile, MemoryKind::Shared, ALONE, Question::Alone);
    let mut history = History::default();
    history.record(&key, &Observation { company: both, ..seen(1, &profile, &[1 << 19], 0.0, 1e-9, 1.0) });
    history.record(&key, &Observation { once: None, ..seen(1, &profile, &[1 << 18], 0.0, 1e-9, 1.0) });
    assert_eq!(alone(&history), None);
    history.record(&key, &seen(2, &axpy(1 << 24), &[1 << 24], 0.0, 1e-9, 1.0));
    let known = alone(&history).unwrap();
    close(known.once.unwrap().0, 10e-6, 1e-9);
    assert!(known.knows_kernel());
    // In company, the nearest loop counts, whichever devices took part.
    assert!(ask(&history, &key, &profile, MemoryKind::Shared, both).unwrap().once.is_some());
}

#[test]
fn whole_loops_are_found_by_their_policies_and_sets_of_devices() {
    let profile = axpy(1 << 20);
    let host = key("k", "cpu: a");
    let gpu = Key { memory: ArrayMemory::PageLocked, host: Some("cpu: a".into()), ..key("k", "gpu: b") };
    let [one, other] = [Company { shared: 1, discrete: 0 }, Company { shared: 0, discrete: 1 }];
    let devices = [(host.clone(), one), (gpu.clone(), other), (gpu.clone(), other)];
    let mut history = History::default();
    let mut ran = |of: &[usize], policy: &str, iterations: u64, cold: bool, time: f64| {
        let keys: Vec<Key> = of.iter().map(|&i| devices[i].0.clone()).collect();
        let company = of.iter().fold(Company::default(), |all, &i| all + devices[i].1);
        let shape = Shape::of(&profile);
        for at in 1..=3 {
            let once = Some(Seconds(time + at as f64 * 1e-6));
            let planned = (of == [2]).then_some(Seconds(0.5 * time));
            let run = planned.map(|time| vec![(iterations, time)]).unwrap_or_default();
            let stages = [Vec::new(), run, Vec::new()];
            let seen = Observation { shape, company, iterations, at, cold, once, stages };
            history.record(&Key::of_loops(&keys, policy).unwrap(), &seen);
        }
    };
    ran(&[0, 1, 2], "BLOCK", 1 << 20, false, 1.0);
    ran(&[0, 2], "MODEL_2_AUTO", (1 << 20) + 50_000, false, 2.0);
    ran(&[2], "BLOCK", 1 << 20, false, 3.0);
    // Of first loops, or of loops of another length in the same octave, AUTO is not told.
    ran(&[0], "BLOCK", 1 << 20, true, 4.0);
    ran(&[0, 1], "BLOCK", (1 << 20) + 300_000, false, 5.0);
    let known = |devices: &[(Key, Company)]| {
        let mut all = history.of_loops(devices, &profile);
        all.sort_by(|a, b| a.places.cmp(&b.places));
        let text = |of: &WholeLoops| format!("{} {:?} {:.2} of {}", of.policy, of.places, of.time.0, of.loops);
        all.iter().map(text).collect::<Vec<_>>()
    };
    // In proportion to the length. Two devices are alike. The time to plan a loop does not count where it is known.
    assert_eq!(
        known(&devices),
        ["MODEL_2_AUTO [0, 1] 1.91 of 3", "BLOCK [0, 1, 2] 1.00 of 3", "BLOCK [1] 1.50 of 3", "BLOCK [2] 1.50 of 3"]
    );
    assert_eq!(known(&devices[1..]), ["BLOCK [0] 1.50 of 3", "BLOCK [1] 1.50 of 3"]);
    assert!(known(&devices[..1]).is_empty() && known(&[]).is_empty());
    // Of other code, in other memory or beside another host.
    let others: [fn(&Key) -> Key; 5] = [
        |key| Key { code: Some(7), ..key.clone() },
        |key| Key { memory: ArrayMemory::Plain, ..key.clone() },
        |key| Key { host: Some("cpu: b".into()), ..key.clone() },
        |key| Key { block: Some(8), ..key.clone() },
        |key| Key { kernel: Some("l".into()), ..key.clone() },
    ];
    for other in others {
        assert!(known(&devices.each_ref().map(|(key, company)| (other(key), *company))).is_empty());
    }
}

#[test]
fn of_too_many_kernels_those_that_ran_longest_ago_are_forgotten() {
    let mut history = History::default();
    let profile = axpy(1000);
    let name = |i: u64| format!("kernel {i}");
    for i in 0..6000 {
        history.record(&key(&name(i), "cpu"), &seen(i, &profile, &[1000], 1e-6, 1e-9, 1.0));
        // One of the first runs again and again.
        history.record(&key(&name(5), "cpu"), &seen(i, &profile, &[1000], 1e-6, 1e-9, 1.0));
    }
    let kept: std::collections::HashSet<String> =
        history.keys().filter_map(|key| Some(key.kernel.as_deref()?.to_owned())).collect();
    assert!((4000..=4096).contains(&kept.len()), "{}", kept.len());
    assert!(kept.contains(&name(5)) && (2001..6000).all(|i| kept.contains(&name(i))), "the newest are not there");
}
