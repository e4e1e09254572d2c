//! Times of AUTO's choices, for its next choice for the same loop.
//!
//! Costs are learned from pieces, by the devices at work meanwhile. A loop's time from decision to return includes all that they
//! miss; what the decision itself took is no matter of the choice. A choice that turns out worse than predicted is given up
//! after two loops. It may be tried again after a thousand loops, or sooner if few of its times are known. A choice that ran
//! once is not expected to take longer than it did, even if costs learned from as few loops say so.

use crate::element::Precision;
use crate::model::history::ArrayMemory;
use crate::sched::{Policy, Tried, Verdict};
use crate::space::{DeviceId, Slot};
use crate::units::Seconds;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// How many of a choice's latest times count.
const LATEST: usize = Tried::MANY;
/// A single time may be far too long, but never too short.
const ENOUGH: usize = 2;
/// For one, two, .. known times: after this many other loops, a choice is looked at again if it would be the best with its time
/// divided by this factor. A few times may be chance, the first ones most of all.
const AGAIN: [(u64, f64); LATEST] = [(4, 1.25), (8, 1.25), (32, 1.1), (128, 1.1), (u64::MAX, 1.0)];
/// For one, two, .. known times: after this many other loops, a choice that took longer than predicted counts as predicted again.
/// Either the prediction or the loops were off, and few loops do not tell which.
const DOUBTED: [u64; LATEST] = [16, 16, 32, 64, u64::MAX];
/// Such a choice counts as faster than measured by at most this factor: a look costs a loop.
const DOUBT: f64 = 4.0;
/// Times that differ by less count as the same, so that AUTO need not decide anew.
const SAME: f64 = 0.05;
/// Of a choice's loops in which devices allocated, this many do not count.
const WARMING: u32 = 2;
/// The median of earlier loops counts as so many times at most: all loops of this process may take another time, as the machine
/// may be in another state.
const AS_MANY: usize = ENOUGH + 1;
/// Loops kept, and choices kept of each loop.
const LOOPS: usize = 512;
const CHOICES: usize = 16;

/// A loop on certain devices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub kernel: Arc<str>,
    pub code: Option<u64>,
    pub block: Option<u64>,
    pub precision: Precision,
    /// The work per iteration.
    pub shape: [u64; 6],
    pub iterations: u64,
    /// In list order, each with where its arrays lie.
    pub devices: SmallVec<[(DeviceId, ArrayMemory); 8]>,
}

/// After this many other loops a choice is forgotten and may be tried again: what disturbed it may be gone.
const FORGOTTEN: u64 = 1000;

/// A choice, and the median time of some loops that ran by it before those of this process.
pub(super) struct Earlier {
    pub policy: Policy,
    pub devices: Vec<Slot>,
    pub time: Seconds,
    pub loops: usize,
}

#[derive(Default)]
pub(super) struct Trials {
    loops: FxHashMap<Place, OfLoop>,
    /// Loops of any kind that ran.
    ran: u64,
}

#[derive(Default)]
struct OfLoop {
    /// Loops of this kind that ran.
    ran: u64,
    /// The value of `Trials.ran` at the last of them.
    last: u64,
    choices: Vec<Choice>,
}

struct Choice {
    policy: Policy,
    devices: Vec<Slot>,
    /// The value of `OfLoop.ran` at the last loop that ran by this choice.
    last: u64,
    /// Loops that did not count because devices allocated in them.
    prepared: u32,
    /// Whether a device failed in a loop, or told of something that went wrong.
    failed: bool,
    /// The newest last.
    times: SmallVec<[Seconds; LATEST]>,
    /// The time that AUTO is told.
    told: Option<Seconds>,
    /// The predicted time, from when AUTO last chose by prediction.
    predicted: Option<Seconds>,
}

impl Trials {
    /// The choices tried for such a loop.
    pub fn of(&self, place: &Place) -> Vec<Tried> {
        self.loops.get(place).map_or_else(Vec::new, OfLoop::tried)
    }

    /// Whether such a loop ran. What it was begun with may be from long before.
    pub fn knows(&self, place: &Place) -> bool {
        self.loops.get(place).is_some_and(|known| known.ran > 0)
    }

    /// Begins with what earlier loops took, as the history has it.
    pub fn begin(&mut self, place: Place, earlier: Vec<Earlier>) {
        let now = self.ran;
        let known = self.entry(place);
        (known.last, known.choices) = (now, choices(earlier));
    }

    fn entry(&mut self, place: Place) -> &mut OfLoop {
        if self.loops.len() >= LOOPS && !self.loops.contains_key(&place) {
            // Only the oldest goes: loops of many lengths, as in a factorisation, do not push out all others. One that never ran goes
            // before: what it was begun with is in the history.
            let oldest = self.loops.iter().min_by_key(|(_, known)| (known.ran > 0, known.last));
            let oldest = oldest.map(|(place, _)| place.clone());
            oldest.and_then(|oldest| self.loops.remove(&oldest));
        }
        self.loops.entry(place).or_default()
    }

    /// Counts a loop that ran by a standing choice; `time` is `None` if it is no measure.
    pub fn ran(&mut self, place: &Place, verdict: &Verdict, time: Option<Seconds>) {
        let Some(OfLoop { ran, last, choices }) = self.loops.get_mut(place) else { return };
        self.ran += 1;
        *last = self.ran;
        *ran += 1;
        if let Some(choice) = choices.iter_mut().find(|choice| choice.is(verdict)) {
            choice.last = *ran;
            if let Some(time) = time.filter(|time| time.0 > 0.0 && time.0.is_finite()) {
                choice.add(time);
            }
        }
    }

    /// Adds what a loop took, from AUTO's decision to return. The first loop of its kind does not count, as it compiles and
    /// allocates. Nor do a choice's first loops in which devices `prepared`: the choice may need other buffers.
    pub fn add(&mut self, place: Place, verdict: &Verdict, prepared: bool, time: Seconds) {
        self.ran += 1;
        let now = self.ran;
        let OfLoop { ran, last, choices } = self.entry(place);
        *last = now;
        *ran += 1;
        if *ran == 1 || time.0 <= 0.0 || !time.0.is_finite() {
            return;
        }
        let choice = choice_of(choices, verdict, *ran);
        if prepared && choice.prepared < WARMING {
            choice.prepared += 1;
            return;
        }
        choice.predicted = if verdict.measured { choice.predicted } else { Some(verdict.time) };
        choice.add(time);
    }

    /// Counts a loop in which something went wrong, so that its time says nothing. AUTO does not look at the choice again and again
    /// for that.
    pub fn failed(&mut self, place: Place, verdict: &Verdict) {
        self.ran += 1;
        let now = self.ran;
        let OfLoop { ran, last, choices } = self.entry(place);
        *last = now;
        *ran += 1;
        choice_of(choices, verdict, *ran).failed = true;
    }
}

/// What [`Trials::of`] says of a loop that was begun with this.
pub(super) fn told(earlier: Vec<Earlier>) -> Vec<Tried> {
    OfLoop { choices: choices(earlier), ..OfLoop::default() }.tried()
}

/// The shortest of what earlier loops took: few are kept.
fn choices(mut earlier: Vec<Earlier>) -> Vec<Choice> {
    earlier.sort_by(|a, b| a.time.0.total_cmp(&b.time.0));
    let choice = |Earlier { policy, devices, time, loops }: Earlier| {
        let times = SmallVec::from_elem(time, loops.min(AS_MANY));
        let (told, predicted) = (Some(time), None);
        Choice { policy, devices, last: 0, prepared: 0, failed: false, times, told, predicted }
    };
    earlier.into_iter().take(CHOICES).map(choice).collect()
}

impl OfLoop {
    /// Its choices, as AUTO is told.
    fn tried(&self) -> Vec<Tried> {
        let Self { ran, choices, .. } = self;
        let tried = |choice: &Choice| {
            let Choice { policy, devices, told, predicted, times, .. } = choice;
            let (policy, devices, others) = (policy.clone(), devices.clone(), ran - choice.last);
            let (Some(known), Some(time)) = (times.len().checked_sub(1), *told) else {
                // It gave no time: AUTO is told that it had its look.
                let (time, predicted, loops) = (Seconds(f64::INFINITY), None, 0);
                return choice.failed.then_some(Tried { policy, devices, time, predicted, loops, hope: 1.0 });
            };
            // Not each number, for which AUTO would decide anew.
            let loops = if times.len() >= LATEST { Tried::MANY } else { times.len().min(ENOUGH) };
            let (after, less) = AGAIN[known];
            let again = if others >= after { less } else { 1.0 };
            let doubted =
                predicted.filter(|_| others >= DOUBTED[known]).map_or(1.0, |less| (time.0 / less.0).min(DOUBT));
            // Earlier loops may have been held up: while few times are known, the newest says as much as the others.
            let better = times.last().filter(|_| (ENOUGH + 1..LATEST).contains(&times.len()));
            let better = better.map_or(1.0, |newest| (time.0 / newest.0).min(DOUBT));
            Some(Tried { policy, devices, time, predicted: *predicted, loops, hope: again.max(doubted).max(better) })
        };
        choices.iter().filter(|choice| ran - choice.last < FORGOTTEN).filter_map(tried).collect()
    }
}

/// The verdict's choice, noted as that of the loop of this number. A new one takes the place of the oldest where there are many.
fn choice_of<'c>(choices: &'c mut Vec<Choice>, verdict: &Verdict, ran: u64) -> &'c mut Choice {
    choices.retain(|choice| ran - choice.last < FORGOTTEN);
    let index = choices.iter().position(|choice| choice.is(verdict)).unwrap_or_else(|| {
        let oldest = choices.iter().enumerate().min_by_key(|(_, choice)| choice.last).map(|(index, _)| index);
        if let Some(oldest) = oldest.filter(|_| choices.len() >= CHOICES) {
            choices.remove(oldest);
        }
        let (policy, devices) = (verdict.policy.clone(), verdict.devices.clone());
        let (times, told, predicted) = (SmallVec::new(), None, None);
        choices.push(Choice { policy, devices, last: ran, prepared: 0, failed: false, times, told, predicted });
        choices.len() - 1
    });
    choices[index].last = ran;
    &mut choices[index]
}

impl Choice {
    fn is(&self, verdict: &Verdict) -> bool {
        self.policy == verdict.policy && self.devices == verdict.devices
    }

    fn add(&mut self, time: Seconds) {
        if self.times.len() >= LATEST {
            self.times.remove(0);
        }
        self.times.push(time);
        // Other work on the machine makes a loop slower, never faster. So of two times the lesser counts; of more the median,
        // as the times of some loops vary by themselves.
        let mut sorted = self.times.clone();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let middle = sorted[(sorted.len() - 1) / 2];
        if self.told.is_none_or(|told| (middle - told).0.abs() > SAME * told.0) {
            self.told = Some(middle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DeviceCost, LoopProfile, Machine};
    use crate::prelude::*;
    use crate::sched::{Problem, decide};
    use crate::units::Percent;

    fn place(iterations: u64) -> Place {
        let devices = [(DeviceId(0), ArrayMemory::InPlace), (DeviceId(1), ArrayMemory::Plain)].into_iter().collect();
        Place {
            kernel: "k".into(),
            code: None,
            block: None,
            precision: Precision::F32,
            shape: [1; 6],
            iterations,
            devices,
        }
    }

    fn verdict(policy: Policy, devices: &[usize]) -> Verdict {
        Verdict {
            policy: policy.clone(),
            devices: devices.iter().copied().map(Slot).collect(),
            time: Seconds(1.0),
            expected: Seconds(1.0),
            least: Seconds(1.0),
            fastest: (policy, 1),
            worth: Percent::from_millionths(0),
            left_out: Vec::new(),
            handicap: Percent::from_millionths(0),
            measured: false,
            wide: false,
            curious: false,
            blind: false,
            kept: false,
            said: Default::default(),
        }
    }

    #[test]
    fn the_first_loop_does_not_count_and_one_alone_is_told_apart() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Model2, &[0, 1]);
        for (times, known) in [(1, None), (1, Some((2.0, true))), (1, Some((2.0, false))), (3, Some((2.0, false)))] {
            for _ in 0..times {
                assert!(trials.of(&place(9)).len() < 2);
                trials.add(place(9), &chosen, false, Seconds(2.0));
            }
            assert_eq!(trials.of(&place(9)).first().map(|tried| (tried.time.0, tried.once())), known);
        }
        assert!(trials.of(&place(8)).is_empty());
    }

    #[test]
    fn what_earlier_loops_took_is_told_until_those_of_this_process_take_another_time() {
        let mut trials = Trials::default();
        let earlier = |devices: &[usize], time: f64, loops: usize| {
            let Verdict { policy, devices, .. } = verdict(Policy::Block, devices);
            Earlier { policy, devices, time: Seconds(time), loops }
        };
        trials.begin(place(1), vec![earlier(&[0], 2.0, 1), earlier(&[1], 1.0, 9)]);
        assert!(!trials.knows(&place(1)));
        let told = |trials: &Trials| trials.of(&place(1)).iter().map(|t| (t.time.0, t.once())).collect::<Vec<_>>();
        assert_eq!(told(&trials), [(1.0, false), (2.0, true)]);
        // The first loop of a process does not count.
        let chosen = verdict(Policy::Block, &[1]);
        let known = [1.0, 1.0, 1.0, 5.0].map(|time| {
            trials.add(place(1), &chosen, false, Seconds(5.0));
            (told(&trials)[0].0, time)
        });
        assert!(known.iter().all(|(told, time)| told == time), "{known:?}");
        // Of many choices the best are kept.
        trials.begin(place(2), (0..2 * CHOICES).map(|device| earlier(&[device], 99.0 - device as f64, 3)).collect());
        let devices: Vec<_> = trials.of(&place(2)).iter().map(|tried| tried.devices[0].0).collect();
        assert_eq!(devices, (CHOICES..2 * CHOICES).rev().collect::<Vec<_>>());
    }

    #[test]
    fn loops_in_which_devices_still_allocate_do_not_count_at_first() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Block, &[1]);
        // The first loop never counts; then come those in which devices warm up.
        for _ in 0..=WARMING {
            trials.add(place(1), &chosen, true, Seconds(70.0));
        }
        assert!(trials.of(&place(1)).is_empty());
        // From then on loops count even if devices allocate: some always do.
        for _ in 0..2 {
            trials.add(place(1), &chosen, true, Seconds(7.0));
        }
        assert_eq!(trials.of(&place(1))[0].time.0, 7.0);
    }

    /// Two devices that are described to take 1 ms alone and 0.9 together, as they slow one another: of 300 loops, how many run on
    /// both. A loop takes so long on one of them, and so long on both; `None` where a device fails.
    fn looks(one: f64, together: Option<f64>) -> usize {
        let cost = DeviceCost {
            kernel: Seconds(1e-6),
            flop_time: Seconds(1e-6),
            host_memory: Seconds(0.9e-6),
            shared: true,
            ..DeviceCost::default()
        };
        let (costs, profile) = ([cost; 2], LoopProfile::default());
        let (mut trials, mut both) = (Trials::default(), 0);
        let alone = Verdict { measured: true, ..verdict(Policy::Block, &[0]) };
        (0..4).for_each(|_| trials.add(place(1), &alone, false, Seconds(one)));
        for _ in 0..300 {
            let tried = trials.of(&place(1));
            let verdict = decide(&Problem { tried: &tried, ..Problem::new(1000, &costs, &profile) }).unwrap();
            let on_both = verdict.devices.len() > 1;
            both += usize::from(on_both);
            match if on_both { together } else { Some(one) } {
                Some(time) => trials.add(place(1), &verdict, false, Seconds(time)),
                None => trials.failed(place(1), &verdict),
            }
        }
        both
    }

    #[test]
    fn a_look_at_all_devices_comes_once_whatever_comes_of_it() {
        // Worse than one alone: looked at now and then, as any choice.
        assert!((1..6).contains(&looks(7e-4, Some(2e-3))));
        // Better: it stays.
        assert!(looks(7e-4, Some(5e-4)) > 290);
        // A device fails in it, each time.
        assert_eq!(looks(7e-4, None), 1);
        // It could not be less than what one alone takes.
        assert_eq!(looks(4e-4, Some(1e-3)), 0);
    }

    /// As on an H200 with its CPU, axpy of 1e7 on plain arrays: the threads that copy them slow the cores far more than costs
    /// say.
    #[test]
    fn a_few_loops_are_enough_to_leave_devices_that_slow_one_another() {
        let cost = |each: f64| DeviceCost {
            kernel: Seconds(each),
            flop_time: Seconds(each),
            shared: true,
            ..DeviceCost::default()
        };
        // Predicted: 1.1 and 2 ms alone, 0.71 ms together. Measured: 0.5, 2 and 2.1 ms, under any policy.
        let (costs, profile) = ([cost(1.1e-10), cost(2e-10)], LoopProfile::default());
        let mut trials = Trials::default();
        let mut choices = Vec::new();
        for _ in 0..12 {
            let tried = trials.of(&place(1));
            let problem = Problem { tried: &tried, ..Problem::new(10_000_000, &costs, &profile) };
            let verdict = decide(&problem).unwrap();
            let took = match &verdict.devices[..] {
                [Slot(0)] => Seconds(0.5e-3),
                [_] => Seconds(2e-3),
                _ => Seconds(2.1e-3),
            };
            trials.add(place(1), &verdict, false, took);
            choices.push(verdict.devices);
        }
        assert_eq!(choices[0].len(), 2);
        // The first loop does not count; the next two are measured.
        assert!(choices[3..].iter().all(|choice| choice[..] == [Slot(0)]), "{choices:?}");
    }

    /// As on two H200 with their CPU, bm2d of 4096 in page-locked arrays: the costs learned from the second loop were higher
    /// than that loop's own time.
    #[test]
    fn a_choice_is_not_left_for_one_that_is_expected_to_take_longer_than_it_took() {
        let cost = |kernel: f64, shared: bool| DeviceCost {
            kernel: Seconds(kernel),
            flop_time: Seconds(kernel),
            shared,
            ..DeviceCost::default()
        };
        let profile = LoopProfile::default();
        let mut trials = Trials::default();
        let mut ran = |costs: &[DeviceCost], took: fn(usize) -> f64| {
            let tried = trials.of(&place(1000));
            let problem = Problem { measured: true, tried: &tried, ..Problem::new(1000, costs, &profile) };
            let verdict = decide(&problem).unwrap();
            trials.add(place(1000), &verdict, false, Seconds(took(verdict.devices.len())));
            verdict.devices.len()
        };
        // Two GPUs are predicted to take 0.5 ms and take 0.7; then the costs say 0.8 for one alone, and hardly less for both.
        let known = [cost(1e-6, false), cost(1e-6, false)];
        assert_eq!([0; 2].map(|_| ran(&known, |_| 0.7e-3)), [2, 2]);
        let wrong = [DeviceCost { once: Seconds(0.79e-3), ..cost(1e-6, false) }, cost(0.8e-6, false)];
        assert_eq!([0; 4].map(|_| ran(&wrong, |devices| if devices == 2 { 0.5e-3 } else { 0.8e-3 })), [2; 4]);
    }

    #[test]
    fn a_disturbed_loop_counts_little_and_a_change_that_lasts_is_followed() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Block, &[1]);
        let mut told = |time: f64| {
            trials.add(place(1), &chosen, false, Seconds(time));
            trials.of(&place(1)).first().map(|tried| tried.time.0)
        };
        let times = [50.0, 1.0, 9.0, 1.02, 9.0, 1.01, 3.0, 3.0, 3.0, 3.0, 3.0];
        let seen: Vec<_> = times.iter().map(|&time| told(time)).collect();
        assert_eq!(seen[..6], [None, Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]);
        assert_eq!(seen.last().unwrap(), &Some(3.0));
    }

    #[test]
    fn a_choice_of_few_times_is_looked_at_again_after_some_loops_and_then_after_more() {
        let mut trials = Trials::default();
        let [seldom, mostly] = [0, 1].map(|device| verdict(Policy::Block, &[device]));
        trials.add(place(1), &mostly, false, Seconds(1.0));
        let mut looks = Vec::new();
        for number in 0..400 {
            let known = trials.of(&place(1));
            let again = known.iter().find(|tried| tried.devices == seldom.devices).is_none_or(|tried| tried.hope > 1.0);
            if again {
                looks.push(number);
            }
            trials.add(place(1), if again { &seldom } else { &mostly }, false, Seconds(1.0));
        }
        assert_eq!(looks, [0, 5, 14, 47, 176]);
        // Loops that run by a standing choice count as well.
        let again = |trials: &Trials| trials.of(&place(1)).iter().map(|tried| tried.hope).collect::<Vec<_>>();
        let mut trials = Trials::default();
        for chosen in [&mostly, &seldom, &mostly] {
            trials.add(place(1), chosen, false, Seconds(1.0));
        }
        for _ in 0..2 {
            trials.ran(&place(1), &mostly, None);
        }
        assert_eq!(again(&trials), [1.0, 1.0]);
        trials.ran(&place(1), &mostly, None);
        assert_eq!(again(&trials), [1.25, 1.0]);
        // A loop that is not kept changes nothing.
        trials.ran(&place(2), &mostly, None);
    }

    #[test]
    fn loops_by_a_choice_that_stands_count_as_others_do() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Block, &[1]);
        for _ in 0..6 {
            trials.add(place(1), &chosen, false, Seconds(3.0));
        }
        // Some times are no measure.
        for time in [None, Some(1.0), Some(1.0), Some(0.0), Some(f64::NAN), Some(1.0)] {
            assert_eq!(trials.of(&place(1))[0].time.0, 3.0);
            trials.ran(&place(1), &chosen, time.map(Seconds));
        }
        assert_eq!(trials.of(&place(1))[0].time.0, 1.0);
    }

    /// As on an H200 with its CPU, axpy of 1e7 in page-locked arrays: something held up the only two loops of the CPU alone.
    /// They took three times as long as all later ones would have.
    #[test]
    fn a_choice_that_was_to_be_the_best_and_was_not_gets_another_look_in_the_end() {
        let mut trials = Trials::default();
        let good = verdict(Policy::Block, &[1]);
        let doubted = Verdict { time: Seconds(0.6), ..verdict(Policy::Block, &[0]) };
        for (chosen, time) in [(&good, 1.2), (&good, 1.2), (&doubted, 1.8), (&doubted, 1.7)] {
            trials.add(place(1), chosen, false, Seconds(time));
        }
        let weighed = |trials: &Trials| {
            let of = |tried: &Tried| (tried.devices == doubted.devices).then_some(tried.time.0 / tried.hope);
            trials.of(&place(1)).iter().find_map(of).unwrap()
        };
        for (looks, others) in [(2, 16), (3, 32), (4, 64)] {
            for _ in 0..others {
                assert!(weighed(&trials) > 1.2, "{looks}");
                trials.ran(&place(1), &good, Some(Seconds(1.2)));
            }
            assert!((weighed(&trials) - 0.6).abs() < 1e-9, "{looks}");
            trials.add(place(1), &doubted, false, Seconds(1.8));
        }
        // After so many looks the times are no chance.
        for _ in 0..900 {
            assert!(weighed(&trials) > 1.2);
            trials.ran(&place(1), &good, None);
        }
    }

    #[test]
    fn one_good_time_is_enough_for_another_look_and_then_most_count() {
        let chosen = verdict(Policy::Block, &[1]);
        // The known time, and the time that the next loop is hoped to take.
        let told = |times: &[f64]| {
            let mut trials = Trials::default();
            for &time in [50.0].iter().chain(times) {
                trials.add(place(1), &chosen, false, Seconds(time));
            }
            trials.of(&place(1)).first().map(|tried| (tried.time.0, tried.time.0 / tried.hope)).unwrap()
        };
        assert_eq!(told(&[9.0, 8.0]), (8.0, 8.0));
        assert_eq!(told(&[9.0, 8.0, 4.0]), (8.0, 4.0));
        // The next loop takes as long, or the good time was chance.
        assert_eq!(told(&[9.0, 8.0, 4.0, 4.0]), (4.0, 4.0));
        assert_eq!(told(&[9.0, 8.0, 4.0, 9.0]), (8.0, 8.0));
        assert_eq!(told(&[9.0, 8.0, 8.0, 9.0, 4.0]), (8.0, 8.0));
        assert_eq!(told(&[9.0, 8.0, 1.0]), (8.0, 2.0));
    }

    #[test]
    fn choices_are_told_apart_and_not_kept_for_ever() {
        let mut trials = Trials::default();
        trials.add(place(1), &verdict(Policy::Block, &[0]), false, Seconds(1.0));
        for n in 0..3 * CHOICES {
            for _ in 0..2 {
                trials.add(place(1), &verdict(Policy::Block, &[n]), false, Seconds(n as f64 + 1.0));
            }
        }
        let known = trials.of(&place(1));
        assert_eq!(known.len(), CHOICES);
        let slots = |known: &[Tried]| known.iter().map(|tried| tried.devices[0].0).collect::<Vec<_>>();
        assert_eq!(slots(&known), (2 * CHOICES..3 * CHOICES).collect::<Vec<_>>(), "the last ones");
        // A choice that is made again and again stays; the others are forgotten in the end.
        for _ in 0..FORGOTTEN {
            trials.add(place(1), &verdict(Policy::Block, &[3 * CHOICES - 1]), false, Seconds(3.0 * CHOICES as f64));
        }
        assert_eq!(slots(&trials.of(&place(1))), [3 * CHOICES - 1]);
        assert!(known.iter().all(|tried| tried.time.0 == tried.devices[0].0 as f64 + 1.0));
        for iterations in 0..2 * LOOPS as u64 {
            trials.add(place(iterations), &verdict(Policy::Block, &[0]), false, Seconds(1.0));
        }
        assert!(trials.loops.len() <= LOOPS);
    }

    #[test]
    fn loops_of_many_lengths_leave_what_is_known_of_one_that_comes_again() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Block, &[0]);
        // As in a factorisation: each loop is shorter than the one before, and a loop of another kind runs between them.
        for iterations in 0..3 * LOOPS as u64 {
            trials.add(place(10_000 - iterations), &chosen, false, Seconds(1.0));
            trials.add(place(u64::MAX), &chosen, false, Seconds(2.0));
            assert_eq!(trials.of(&place(u64::MAX)).len(), usize::from(iterations > 0), "after {iterations} of them");
        }
        assert_eq!(trials.loops.len(), LOOPS);
    }

    #[test]
    fn loops_that_were_begun_and_never_ran_go_first() {
        let mut trials = Trials::default();
        let chosen = verdict(Policy::Block, &[0]);
        for _ in 0..2 {
            trials.add(place(u64::MAX), &chosen, false, Seconds(1.0));
        }
        for iterations in 0..2 * LOOPS as u64 {
            trials.begin(place(iterations), Vec::new());
        }
        assert_eq!((trials.of(&place(u64::MAX)).len(), trials.loops.len()), (1, LOOPS));
    }

    #[test]
    fn a_prediction_is_no_loop() {
        const NODE: &str = include_str!("../../../machines/fornax.json");
        let rt = Runtime::from_machine(Machine::from_json(NODE).unwrap()).unwrap();
        let kernel = Kernel::new("k").host(|_: Range<usize>| ()).cost(Cost::per_iteration().flops(1000));
        let of = |n: u64| rt.parallel_for(0..n, kernel.bind()).devices("1,2").policy(Policy::Auto);
        let known = || rt.history.as_ref().unwrap().state().trials.loops.len();
        of(1000).run().unwrap();
        assert_eq!(known(), 1);
        for n in 1..10 {
            of(n).predict().unwrap();
            of(n).explain(&[Policy::Block]).unwrap();
        }
        assert_eq!(known(), 1);
    }
}
