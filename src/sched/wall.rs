//! What devices share, such as the host's memory, while they run together: each gets of it in proportion to what it asks for.
//!
//! A device that would finish at `end` asks for `(once_i + n_i * x_i) / end` of a capacity. While those at work ask for more
//! than all of it, each of them is slowed by the same factor, the sum of what they ask; by the largest where a device draws on
//! several. No more than all of a capacity is ever given, and where all finish together the loop takes the time of the
//! scarcest. A device whose stages do not overlap asks for nothing of a switch while its kernel runs, and for the more while it
//! copies: it asks stage by stage, for `once_i` while it begins. A device in the host's memory asks for nothing of that while it
//! waits, wakes or begins a chunk, and for the more while its kernel runs ([`Shared::drawing`]): others are slowed by its average
//! demand too little, as what exceeds the capacity for a time is not made up for when it does not. Of several such devices that
//! holds for the one with the greatest demand; others, and all where some device goes by stages, ask for their average. Where a
//! device is known to be slowed less or more than in proportion ([`Shared::steady`]), it is, as long as no more than all is given
//! ([`Crowd`]).

use crate::error::Phase;
use crate::model::Shared;
use crate::model::contention::{Crowd, During};
use crate::units::Seconds;
use smallvec::SmallVec;

/// From the time without contention to the time with it, for each device.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// For each device: until when without contention, until when with it, and how much slower before. Empty where nobody
    /// waits for anybody.
    steps: Vec<Vec<(f64, f64, f64)>>,
}

impl Clock {
    /// For devices that would end at `ends` with `counts` iterations each; `members` are their places in `shared`.
    /// What those do whose stages do not overlap is in `stages`; nothing of the others.
    pub fn new<'s>(
        ends: &[f64],
        counts: &[u64],
        shared: &[Shared],
        members: impl Fn(usize) -> usize,
        stages: impl Fn(usize) -> &'s [(f64, Phase)],
    ) -> Self {
        let mut steps: Vec<Vec<(f64, f64, f64)>> = Vec::new();
        run(ends, counts, shared, members, stages, |k, step| {
            if steps.is_empty() {
                steps = vec![Vec::new(); ends.len()];
            }
            match steps[k].last_mut() {
                // As slow as before.
                Some(last) if last.2 == step.2 => *last = step,
                _ => steps[k].push(step),
            }
        });
        Self { steps }
    }

    /// Nobody waits for anybody.
    pub fn is_free(&self) -> bool {
        self.steps.is_empty()
    }

    /// When that happens on a device which would happen at `time` without contention.
    pub fn at(&self, device: usize, time: Seconds) -> Seconds {
        let Some(steps) = self.steps.get(device) else { return time };
        match steps.get(steps.partition_point(|(end, ..)| *end < time.0)) {
            // Nothing begins before the loop, but for rounding.
            Some((end, now, slower)) => Seconds((now - (end - time.0) * slower).max(0.0)),
            None => steps.last().map_or(time, |(end, now, _)| Seconds(now + (time.0 - end))),
        }
    }

    /// As [`makespan`], by this clock.
    pub fn makespan(&self, ends: &[f64], scatter: impl Fn(usize) -> f64) -> f64 {
        last_of(ends, |k| self.at(k, Seconds(ends[k])).0, scatter)
    }
}

/// When the last device ends with contention, as often later as sooner. `scatter` is the standard deviation of each one's end,
/// without contention: of several that end at about one time, the last is later than each is by itself. The rest is as in
/// [`Clock::new`].
pub(super) fn makespan<'s>(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    stages: impl Fn(usize) -> &'s [(f64, Phase)],
    scatter: impl Fn(usize) -> f64,
) -> f64 {
    let mut at: SmallVec<[f64; 16]> = SmallVec::from_slice(ends);
    // Nobody ends sooner than without contention, which a sum of steps may by rounding.
    run(ends, counts, shared, members, stages, |k, (_, now, _)| at[k] = f64::max(now, ends[k]));
    last_of(ends, |k| at[k], scatter)
}

/// The same where all stages overlap and nothing scatters, or none if that is after `limit`.
pub(super) fn makespan_within(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    limit: f64,
) -> Option<f64> {
    let mut last = ends.iter().copied().fold(0.0, f64::max);
    let ended = last <= limit
        && run_throughout(ends, counts, shared, members, limit, |_, (_, now, _)| last = f64::max(last, now));
    (ended && last <= limit).then_some(last)
}

fn last_of(ends: &[f64], at: impl Fn(usize) -> f64, scatter: impl Fn(usize) -> f64) -> f64 {
    let last = (0..ends.len()).map(&at).fold(0.0, f64::max);
    let scattered = |k: usize| {
        let deviation = scatter(k) * if ends[k] > 0.0 { at(k) / ends[k] } else { 0.0 };
        (deviation > 0.0 && at(k) + FAR * deviation > last).then(|| (at(k), deviation))
    };
    let all: SmallVec<[(f64, f64); 8]> = (0..ends.len()).filter_map(scattered).collect();
    if all.len() < 2 { last } else { median_of_last(&all, last) }
}

/// Sums of the same times in another order.
const ROUNDED: f64 = 1e-9;

/// What a device whose stages do not overlap does one after the other, and until when without contention.
pub(super) type Stages = SmallVec<[(f64, Phase); 4]>;

/// With a chunk that such a device begins to copy in at `begin`; it has waited until then, or before its first chunk begun at
/// `start`.
pub(super) fn add_chunk(stages: &mut Stages, start: Option<Seconds>, begin: Seconds, times: [Seconds; 3]) {
    let mut now = stages.last().map_or(0.0, |(end, _)| *end);
    let mut until = |time: f64, phase: Phase| {
        if time > now {
            stages.push((time, phase));
            now = time;
        }
    };
    if let Some(start) = start {
        until(start.0, Phase::Wait);
        until(begin.0, Phase::Init);
    }
    until(begin.0, Phase::Wait);
    let mut end = begin.0;
    for (time, phase) in times.into_iter().zip([Phase::To, Phase::Kernel, Phase::From]) {
        end += time.0;
        until(end, phase);
    }
}

/// What a device asks for of a capacity while it begins, copies in, copies out, and else.
type Asks = [f64; COLUMNS];
const COLUMNS: usize = 4;

fn column(phase: Phase) -> usize {
    match phase {
        Phase::Init => 0,
        Phase::To => 1,
        Phase::From => 2,
        _ => 3,
    }
}

/// Takes `once` and `each` of a capacity until `end`.
fn asks(once: f64, each: f64, end: f64, stages: &[(f64, Phase)], during: During) -> Asks {
    let throughout = [(once + each) / end; COLUMNS];
    if stages.is_empty() || during == During::Work {
        return throughout;
    }
    let (mut times, mut begin) = (Asks::default(), 0.0);
    for (end, phase) in stages {
        times[column(*phase)] += end - begin;
        begin = *end;
    }
    let copies: &[usize] = match during {
        During::CopyIn => &[1],
        During::CopyOut => &[2],
        _ => &[1, 2],
    };
    let mut asks = Asks::default();
    for (takes, columns) in [(once, &[0][..]), (each, copies)] {
        let time: f64 = columns.iter().map(|&column| times[column]).sum();
        if time > 0.0 {
            columns.iter().for_each(|&column| asks[column] += takes / time);
        } else {
            // It has no such stage.
            asks.iter_mut().for_each(|asks| *asks += takes / end);
        }
    }
    asks
}

/// Tells of each device, in its order, until when without contention, until when with it, and how much slower before it is so
/// slow; of none where nobody waits for anybody.
fn run<'s>(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    stages: impl Fn(usize) -> &'s [(f64, Phase)],
    tell: impl FnMut(usize, (f64, f64, f64)),
) {
    debug_assert_eq!(ends.len(), counts.len());
    if (0..ends.len()).all(|k| stages(k).is_empty()) {
        run_throughout(ends, counts, shared, members, f64::INFINITY, tell);
        return;
    }
    run_by_stages(ends, counts, shared, members, stages, tell);
}

/// As [`run`], where the stages of some devices do not overlap.
fn run_by_stages<'s>(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    stages: impl Fn(usize) -> &'s [(f64, Phase)],
    mut tell: impl FnMut(usize, (f64, f64, f64)),
) {
    let works = |k: usize| ends[k] > 0.0 && counts[k] > 0;
    // By capacity, device and column. A capacity that is not short now never is.
    let mut asked: SmallVec<[f64; 64]> = SmallVec::new();
    let mut short: SmallVec<[&Shared; 8]> = SmallVec::new();
    for capacity in shared {
        let (begin, mut all) = (asked.len(), 0.0);
        for k in 0..ends.len() {
            let i = members(k);
            let asks = if works(k) {
                let during = capacity.during.get(i).copied().unwrap_or_default();
                let each = capacity.per_iteration[i].0 * counts[k] as f64;
                asks(capacity.once[i].0, each, ends[k], stages(k), during)
            } else {
                Asks::default()
            };
            all += asks.iter().copied().fold(0.0, f64::max);
            asked.extend_from_slice(&asks);
        }
        if all > 1.0 {
            short.push(capacity);
        } else {
            asked.truncate(begin);
        }
    }
    if short.is_empty() {
        return;
    }
    // Of each device: what is left of its stage, when that ends without contention, and which one of its stages it is.
    let mut left: SmallVec<[f64; 16]> = SmallVec::new();
    let mut until: SmallVec<[f64; 16]> = SmallVec::new();
    let mut stage: SmallVec<[usize; 16]> = SmallVec::from_elem(0, ends.len());
    let end_of = |k: usize, stage: usize| stages(k).get(stage).map_or(ends[k], |(end, _)| *end);
    until.extend((0..ends.len()).map(|k| end_of(k, 0)));
    left.extend_from_slice(&until);
    let mut slower: SmallVec<[f64; 16]> = SmallVec::from_elem(1.0, ends.len());
    // As slices, which the loops index without asking each time where their elements are.
    let (asked, left, until) = (&asked[..], &mut left[..], &mut until[..]);
    let (slower, stage) = (&mut slower[..], &mut stage[..]);
    let mut now = 0.0;
    loop {
        slower.fill(1.0);
        let mut any = false;
        for (capacity, asked) in short.iter().zip(asked.chunks_exact(ends.len() * COLUMNS)) {
            let asks = |k: usize| asked[k * COLUMNS + stages(k).get(stage[k]).map_or(0, |(_, phase)| column(*phase))];
            let at_work = (0..ends.len()).filter(|&k| left[k] > 0.0);
            let crowd = capacity.crowd(at_work.map(|k| (members(k), asks(k))));
            if !crowd.is_free() {
                any = true;
                for (k, slower) in slower.iter_mut().enumerate() {
                    if asks(k) > 0.0 {
                        *slower = f64::max(*slower, capacity.slowed(members(k), crowd));
                    }
                }
            }
        }
        let last_stage = |k: usize| stage[k] + 1 >= stages(k).len();
        if !any && (0..ends.len()).all(last_stage) {
            // From here on nobody waits.
            for (k, left) in left.iter().enumerate().filter(|(_, left)| **left > 0.0) {
                tell(k, (ends[k], now + left, 1.0));
            }
            return;
        }
        let working = left.iter().zip(&*slower).filter(|(left, _)| **left > 0.0);
        let next = working.map(|(left, slower)| left * slower).fold(f64::INFINITY, f64::min);
        if !next.is_finite() {
            return;
        }
        now += next;
        for (k, left) in left.iter_mut().enumerate().filter(|(_, left)| **left > 0.0) {
            *left -= next / slower[k];
            // Those that end together do so but for rounding.
            if *left <= ends[k] * 1e-12 {
                *left = 0.0;
            }
            tell(k, (until[k] - *left, now, slower[k]));
            while *left <= 0.0 && stage[k] + 1 < stages(k).len() {
                stage[k] += 1;
                let before = until[k];
                until[k] = end_of(k, stage[k]);
                *left = until[k] - before;
            }
        }
    }
}

/// As [`run`], where the stages of every device overlap: each asks for the same of each capacity as long as it works, but for one
/// that draws by [`Turns`]. False if the last device ends after `limit`, once that is seen.
fn run_throughout(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    limit: f64,
    mut tell: impl FnMut(usize, (f64, f64, f64)),
) -> bool {
    let devices = ends.len();
    // By capacity and device; and by what part of the excess a capacity slows each device. Of each capacity, the device that
    // draws on it for a part of its time, and whether all are slowed in proportion.
    let mut asked: SmallVec<[f64; 64]> = SmallVec::new();
    let mut yields: SmallVec<[f64; 64]> = SmallVec::new();
    let mut part_times: SmallVec<[Option<(usize, f64)>; 8]> = SmallVec::new();
    let mut in_proportion: SmallVec<[bool; 8]> = SmallVec::new();
    for capacity in shared {
        let (begin, mut all, mut most, mut equal) = (asked.len(), 0.0, None::<(usize, f64)>, true);
        for (k, (&end, &count)) in ends.iter().zip(counts).enumerate() {
            let i = members(k);
            let (asks, part) = capacity.asks(i, count, end);
            let average = asks * part;
            asked.push(average);
            yields.push(1.0 - capacity.steady[i]);
            all += average;
            equal &= average <= 0.0 || capacity.steady[i] == 0.0;
            if part < 1.0 && most.is_none_or(|(other, _)| average > asked[begin + other]) {
                most = Some((k, part));
            }
        }
        // No more than all of a capacity is given.
        if limit < f64::INFINITY
            && asked[begin..].iter().zip(ends).map(|(asks, end)| asks * end).sum::<f64>() > limit * (1.0 + ROUNDED)
        {
            return false;
        }
        if let Some((k, part)) = most {
            let asks = &mut asked[begin + k];
            all += *asks / part - *asks;
            *asks /= part;
        }
        // One that is not short now never is.
        if all > 1.0 {
            part_times.push(most);
            in_proportion.push(equal && most.is_none());
        } else {
            asked.truncate(begin);
            yields.truncate(begin);
        }
    }
    if asked.is_empty() {
        return true;
    }
    let mut left: SmallVec<[f64; 16]> = SmallVec::from_slice(ends);
    let mut slower: SmallVec<[f64; 16]> = SmallVec::from_elem(1.0, devices);
    // As slices, which the loops index without asking each time where their elements are.
    let (asked, yields, left, slower) = (&mut asked[..], &yields[..], &mut left[..], &mut slower[..]);
    let mut now = 0.0;
    loop {
        slower.fill(1.0);
        let mut any = false;
        let capacities = asked.chunks_exact(devices).zip(yields.chunks_exact(devices));
        for ((asked, yields), (part_time, in_proportion)) in capacities.zip(part_times.iter().zip(&in_proportion)) {
            if *in_proportion {
                // One factor for all of them.
                let slowed = 1.0 + (asked.iter().sum::<f64>() - 1.0);
                if slowed > 1.0 {
                    any = true;
                    for (slower, asks) in slower.iter_mut().zip(asked) {
                        *slower = if *asks > 0.0 && slowed > *slower { slowed } else { *slower };
                    }
                }
                continue;
            }
            let crowd = Crowd::of(asked.iter().copied().zip(yields.iter().copied()));
            if crowd.is_free() {
                continue;
            }
            any = true;
            let turns = part_time.filter(|(k, _)| asked[*k] > 0.0).map(|turns| Turns::new(turns, crowd, asked, yields));
            for (k, ((slower, asks), yields)) in slower.iter_mut().zip(asked).zip(yields).enumerate() {
                let slowed = match &turns {
                    _ if *asks <= 0.0 => 1.0,
                    Some(turns) => turns.slows(k, crowd, *yields),
                    None => crowd.slows(*yields),
                };
                *slower = if slowed > *slower { slowed } else { *slower };
            }
        }
        if !any {
            // From here on nobody waits.
            for (k, left) in left.iter().enumerate().filter(|(_, left)| **left > 0.0) {
                tell(k, (ends[k], now + left, 1.0));
            }
            return true;
        }
        let mut next = f64::INFINITY;
        for (left, slower) in left.iter().zip(&*slower).filter(|(left, _)| **left > 0.0) {
            next = next.min(left * slower);
        }
        if !next.is_finite() {
            return true;
        }
        now += next;
        let mut longest = 0.0;
        for k in 0..devices {
            if left[k] > 0.0 {
                left[k] -= next / slower[k];
                // Those that end together do so but for rounding.
                if left[k] <= ends[k] * 1e-12 {
                    left[k] = 0.0;
                    asked.iter_mut().skip(k).step_by(devices).for_each(|asked| *asked = 0.0);
                }
                longest = f64::max(longest, left[k]);
                tell(k, (ends[k] - left[k], now, slower[k]));
            }
        }
        if now + longest > limit * (1.0 + ROUNDED) {
            return false;
        }
    }
}

/// One device of a crowd draws on the capacity by turns: the others are slowed by it while it draws, and not in between.
struct Turns {
    device: usize,
    /// By how much it is slowed: only while it draws.
    slower: f64,
    /// For what part of the slowed time it draws.
    draws: f64,
    /// The others without it.
    without: Crowd,
}

impl Turns {
    /// For the device that draws for `part` of its time without contention. While it does, `crowd` is at work.
    fn new((device, part): (usize, f64), crowd: Crowd, asked: &[f64], yields: &[f64]) -> Self {
        let longer = part * crowd.slows(yields[device]);
        let slower = 1.0 - part + longer;
        let others = asked.iter().zip(yields).enumerate();
        let others = others.map(|(k, (asks, yields))| (if k == device { 0.0 } else { *asks }, *yields));
        Self { device, slower, draws: longer / slower, without: Crowd::of(others) }
    }

    fn slows(&self, k: usize, crowd: Crowd, yields: f64) -> f64 {
        if k == self.device {
            return self.slower;
        }
        // Its pace is the mean of its paces by turns.
        (self.draws / crowd.slows(yields) + (1.0 - self.draws) / self.without.slows(yields)).recip()
    }
}

/// Whose end lies so many deviations before the last one's is not the last.
const FAR: f64 = 2.0;

/// The median of the largest of independent normal numbers, given by mean and deviation: where the product of their
/// distribution functions is one half. By Newton's method from the largest mean on, which comes from below, until a step is
/// small beside the deviations. The logistic function of this polynomial is within 0.0002 of the normal one.
fn median_of_last(all: &[(f64, f64)], mut last: f64) -> f64 {
    const CUBIC: [f64; 2] = [1.5976, 0.07056];
    const STEPS: usize = 12;
    const SMALL: f64 = 0.02;
    let widest = all.iter().map(|(_, deviation)| *deviation).fold(0.0, f64::max);
    for _ in 0..STEPS {
        let (mut value, mut slope) = (std::f64::consts::LN_2, 0.0);
        for (mean, deviation) in all {
            let z = (last - mean) / deviation;
            let before = (-z * (CUBIC[0] + CUBIC[1] * z * z)).exp();
            value -= before.ln_1p();
            slope += (CUBIC[0] + 3.0 * CUBIC[1] * z * z) / deviation * before / (1.0 + before);
        }
        // Above zero where the last ends hardly scatter beside the others.
        let step = (-value / slope).max(0.0);
        if step.is_nan() {
            break;
        }
        last += step;
        if step < SMALL * widest {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_of_several_is_later_than_each() {
        let last = |all: &[(f64, f64)]| {
            let mean = all.iter().map(|(mean, _)| *mean).fold(0.0, f64::max);
            median_of_last(all, mean)
        };
        // Where the normal distribution is at one half to the power of 1/2, 1/5 and so on.
        for (devices, deviations) in [(2, 0.545), (5, 1.129), (8, 1.384), (16, 1.723), (64, 2.298), (1024, 3.202)] {
            let found = (last(&vec![(100.0, 10.0); devices]) - 100.0) / 10.0;
            assert!((found / deviations - 1.0).abs() < 0.02, "{devices}: {found} should be {deviations}");
        }
        // One that ends long before hardly counts.
        let found = last(&[(100.0, 10.0), (85.0, 5.0)]);
        assert!((100.0..100.5).contains(&found), "{found}");
    }

    /// What a device would take alone, its iterations, and what it takes of each capacity once, per iteration, and how steady it is.
    type Device = (f64, u64, Vec<(f64, f64, f64)>);

    fn devices() -> impl Strategy<Value = Vec<Device>> {
        (0_usize..4).prop_flat_map(|capacities| {
            let end = prop_oneof![1 => Just(0.0), 2 => Just(50.0), 6 => 0.1_f64..100.0];
            let count = prop_oneof![1 => Just(0_u64), 4 => 1_u64..100];
            let takes = (prop_oneof![Just(0.0), 0.0_f64..50.0], prop_oneof![Just(0.0), 0.0_f64..3.0], -2.0_f64..1.0);
            prop::collection::vec((end, count, prop::collection::vec(takes, capacities)), 0..8)
        })
    }

    fn shared_by(devices: &[Device]) -> Vec<Shared> {
        let capacities = devices.first().map_or(0, |(.., takes)| takes.len());
        let of = |c: usize, part: fn(&(f64, f64, f64)) -> f64| devices.iter().map(move |(.., takes)| part(&takes[c]));
        let capacity = |c: usize| Shared {
            once: of(c, |t| t.0).map(Seconds).collect(),
            per_iteration: of(c, |t| t.1).map(Seconds).collect(),
            steady: of(c, |t| t.2).collect(),
            during: Vec::new(),
            drawing: Vec::new(),
        };
        (0..capacities).map(capacity).collect()
    }

    proptest! {
        #[test]
        fn no_more_than_all_of_a_capacity_is_given_whoever_gives_way(
            devices in devices(),
            draws in prop_oneof![Just(Vec::new()), prop::collection::vec(0.0_f64..1.5, 8)],
        ) {
            let mut shared = shared_by(&devices);
            // For these parts of their time devices draw.
            let drawing = |((end, count, _), part): (&Device, &f64)| Seconds(part * end / (*count).max(1) as f64);
            for shared in &mut shared {
                shared.drawing = devices.iter().zip(&draws).map(drawing).collect();
            }
            let ends: Vec<f64> = devices.iter().map(|(end, ..)| *end).collect();
            // Those that end at once take nothing.
            let counts: Vec<u64> =
                devices.iter().map(|(end, count, _)| if *end > 0.0 { *count } else { 0 }).collect();
            let time = makespan(&ends, &counts, &shared, |k| k, |_| &[], |_| 0.0);
            let least = crate::model::contention::wall(&shared, &counts).0;
            prop_assert!(time >= least * (1.0 - 1e-9), "{time} is less than {least}");
        }

        #[test]
        fn who_asks_whether_devices_end_by_some_time_is_told_when_if_they_do(devices in devices(), part in 0.0_f64..2.0) {
            let shared = shared_by(&devices);
            let ends: Vec<f64> = devices.iter().map(|(end, ..)| *end).collect();
            let counts: Vec<u64> = devices.iter().map(|(_, count, _)| *count).collect();
            let time = makespan(&ends, &counts, &shared, |k| k, |_| &[], |_| 0.0);
            let limit = part * time;
            let within = makespan_within(&ends, &counts, &shared, |k| k, limit);
            prop_assert_eq!(within, Some(time).filter(|time| *time <= limit));
        }

        #[test]
        fn who_asks_for_the_same_throughout_is_slowed_as_by_stages(devices in devices()) {
            let shared = shared_by(&devices);
            let ends: Vec<f64> = devices.iter().map(|(end, ..)| *end).collect();
            let counts: Vec<u64> = devices.iter().map(|(_, count, _)| *count).collect();
            let mut told = [Vec::new(), Vec::new()];
            run_throughout(&ends, &counts, &shared, |k| k, f64::INFINITY, |k, step| told[0].push((k, step)));
            run_by_stages(&ends, &counts, &shared, |k| k, |_| &[], |k, step| told[1].push((k, step)));
            prop_assert_eq!(&told[0], &told[1]);
        }
    }

    #[test]
    fn cores_that_draw_for_a_part_of_their_time_slow_others_while_they_do() {
        // The first device draws for a half of 10 s, the second throughout.
        let ends = |first: f64, second: f64, drawing: f64| {
            let capacity = Shared {
                once: vec![Seconds::ZERO; 2],
                per_iteration: vec![Seconds(first), Seconds(second)],
                steady: vec![0.0; 2],
                during: Vec::new(),
                drawing: vec![Seconds(drawing), Seconds::ZERO],
            };
            let mut ends = [10.0; 2];
            run_throughout(&[10.0; 2], &[10; 2], &[capacity], |k| k, f64::INFINITY, |k, (_, now, _)| ends[k] = now);
            ends
        };
        let close = |found: [f64; 2], end: f64| found.iter().all(|now| (now - end).abs() < 1e-9);
        // 0.5 and 0.4 of the capacity on average, 1 and 0.4 for 5 s.
        assert!(close(ends(0.5, 0.4, 0.0), 10.0) && close(ends(0.5, 0.4, 0.5), 12.0), "{:?}", ends(0.5, 0.4, 0.5));
        assert!(close(ends(0.5, 0.6, 0.0), 11.0) && close(ends(0.5, 0.6, 0.5), 13.0), "{:?}", ends(0.5, 0.6, 0.5));
        // All of the capacity is given either way.
        assert!(close(ends(0.5, 1.0, 0.0), 15.0) && close(ends(0.5, 1.0, 0.5), 15.0), "{:?}", ends(0.5, 1.0, 0.5));
        // The second alone is too much.
        let [first, second] = ends(0.5, 2.0, 0.5);
        assert!(first < second && (second - 25.0).abs() < 1e-9, "{first} {second}");
    }

    #[test]
    fn ends_that_do_not_scatter_are_what_they_are() {
        let clock = Clock::default();
        assert_eq!(clock.makespan(&[3.0, 5.0, 4.0], |_| 0.0), 5.0);
        assert_eq!(clock.makespan(&[3.0, 5.0, 4.0], |k| if k == 1 { 2.0 } else { 0.0 }), 5.0);
        assert!(clock.makespan(&[3.0, 5.0, 4.9], |_| 0.1) > 5.0);
        assert_eq!(clock.makespan(&[], |_| 1.0), 0.0);
    }
}
