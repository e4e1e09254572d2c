//! What a runtime holds in memory: samples, those that its file lacks, costs made from them, and AUTO's choices.

use super::Consulted;
use super::beside::Beside;
use super::lesson::Ended;
use super::pieces::company;
use super::standing::Settled;
use super::trials::{Earlier, Trials};
use crate::model::history::{
    self, ArrayMemory, Asked, Company, Key, Learned, Observation, Question, Shape, WholeLoops,
};
use crate::model::{History, LoopProfile};
use crate::runtime::Member;
use crate::sched::Policy;
use crate::space::{DeviceId, Slot};
use crate::units::Seconds;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Most entries of [`State::at_hand`].
const AT_HAND: usize = 512;
/// A loop in which a device allocated counts as cold if it is among the first so many of its kind: buffers for chunks of other
/// lengths may be missing. Later loops count as warm, since some devices allocate in all of them.
const WARMING: u32 = 4;
/// After so many loops that asked about a device and left it out, it is looked at again.
const IDLE: u64 = 64;
/// Identifies costs at hand: a loop on a device in some company, and the question asked.
type Asker = (DeviceId, Key, [u64; 6], Company, u64, Question);

#[derive(Default)]
pub(super) struct State {
    /// The samples that costs are made from.
    pub used: History,
    /// Samples that the file lacks, without those of loops that ended and the pending ones; `None` without a file.
    pub fresh: Option<History>,
    /// Loops of which it is not worked out yet what they teach.
    pub ended: Vec<Ended>,
    /// Those that another thread works out.
    pub beside: Beside,
    /// When the last of them ended, as it was told to [`State::stamp`].
    stamped: u64,
    /// Observations that neither has yet. They are added when new costs are needed, which most loops do not.
    pub pending: Vec<(Key, Observation)>,
    /// How many loops of a kind have run in this process.
    pub seen: FxHashMap<Kind, u32>,
    /// Costs by question. The device counts too: where no such loop was seen, the description contributes to a cost, and it may
    /// differ between devices of one model.
    at_hand: FxHashMap<Asker, AtHand>,
    pub trials: Trials,
    pub settled: Settled,
    /// When the file was last written, or the first loop recorded.
    pub written: Option<Instant>,
}

/// A kind of loop on a device. The first loops of a kind allocate and compile.
pub(super) type Kind = (DeviceId, Key, [u64; 6], u32);

pub(super) fn kind_of(device: DeviceId, key: &Key, profile: &LoopProfile) -> Kind {
    kind_by(device, key, Shape::of(profile), profile.iterations)
}

pub(super) fn kind_by(device: DeviceId, key: &Key, shape: Shape, iterations: u64) -> Kind {
    (device, key.clone(), shape.bits(), history::octave(iterations))
}

/// Costs made from samples; they are made anew when enough samples have come in.
struct AtHand {
    /// How often such a loop had been asked about when the costs were made.
    asked: u64,
    /// How often the costs have been used since.
    used: u64,
    learned: Option<Learned>,
    idle: Idle,
}

/// Since when a device has had no such loops, though it was asked about.
///
/// A device that a policy leaves out for what it is known to pay once is not measured again, be that the time of one disturbed
/// loop or of a day long gone. So after [`IDLE`] loops one loop goes by the described time and looks at it again; after that, one
/// more soon as long as it takes less than half of what was known, else one after twice as many loops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Idle {
    /// How many loops of the kind it had had then.
    seen: u32,
    /// How often it had been asked about then.
    asked: u64,
    /// How often it was looked at since.
    looks: u32,
    /// The costs at hand are such a look.
    looking: bool,
}

impl Idle {
    /// After so many questions and loops; `good` if the last loop took less than half of what is known.
    fn after(self, asked: u64, seen: u32, good: bool) -> Self {
        let looked = self.looks > 0 && seen == self.seen + 1;
        if seen != self.seen && !looked {
            return Self { seen, asked, looks: 0, looking: false };
        }
        if self.looking && !looked {
            // That loop still runs.
            return Self { looking: false, ..self };
        }
        if looked && good {
            return Self { seen, asked, looks: self.looks, looking: true };
        }
        if asked - self.asked >= IDLE << self.looks.min(32) {
            return Self { seen, asked, looks: self.looks + 1, looking: true };
        }
        Self { looking: false, ..self }
    }
}

impl AtHand {
    fn is_due(&self) -> bool {
        self.idle.looking || self.used >= (self.asked / 4).min(8)
    }
}

impl State {
    pub fn new(used: History, fresh: Option<History>) -> Self {
        Self { used, fresh, ..Self::default() }
    }

    /// When a loop ended, in microseconds since 1970: `now`, or later if need be, so that it is newer than the loops before. Of
    /// loops of one time the slowest would be kept, and a clock that is set back would have new ones count as old.
    pub fn stamp(&mut self, now: u64) -> u64 {
        self.stamped = now.max(self.stamped.saturating_add(1));
        self.stamped
    }

    /// Whether a loop was one of the first of its kind, with costs that only the first have.
    pub fn is_cold(&mut self, kind: Kind, prepared: bool) -> bool {
        let before = self.seen.entry(kind).or_default();
        *before = before.saturating_add(1);
        *before == 1 || (prepared && *before <= WARMING)
    }

    /// What such loops took before this process decided on one, under policies that AUTO may choose.
    pub fn before(
        &mut self,
        frozen: bool,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
    ) -> Vec<Earlier> {
        self.add_pending(frozen);
        let one = |member: &&Member| company(std::iter::once(member.model.memory));
        let devices: Vec<_> = consulted.keys.iter().cloned().zip(members.iter().map(one)).collect();
        // Text that is no policy names a cutoff too.
        let choice = |WholeLoops { policy, places, time, loops }| {
            let devices = places.into_iter().map(Slot).collect();
            let policy =
                policy.parse().ok().filter(|policy| !matches!(policy, Policy::Auto | Policy::AutoHeuristic))?;
            Some(Earlier { policy, devices, time, loops })
        };
        of_one_device_once(self.used.of_loops(&devices, profile).into_iter().filter_map(choice).collect())
    }

    /// Adds the pending observations to the samples: to those that the file lacks, and unless `frozen` to those in use.
    pub fn add_pending(&mut self, frozen: bool) {
        self.work_out();
        self.pending.extend(self.beside.take());
        for (key, seen) in self.pending.drain(..) {
            let copied =
                key.memory != ArrayMemory::InPlace && [0, 2].iter().any(|&stage| !seen.stages[stage].is_empty());
            let link = copied.then(|| (key.of_link(), of_link(&seen)));
            for (key, seen) in [(key, seen)].into_iter().chain(link) {
                if let Some(fresh) = &mut self.fresh {
                    fresh.record(&key, &seen);
                }
                if !frozen {
                    self.used.record(&key, &seen);
                }
            }
        }
    }

    /// The learned costs. Costs that changed little stay as they are: AUTO decides anew for other costs, which takes as long as a
    /// short loop. Costs are not made anew for a few new samples, which hardly change a median.
    ///
    /// Where a loop `runs` by them, it may be one that looks at an idle device again. A prediction stores nothing: however many there
    /// are, they change nothing for loops.
    pub fn learned(&mut self, device: DeviceId, asked: &Asked<'_>, frozen: bool, runs: bool) -> Option<Learned> {
        let place = asker(device, asked);
        // What it costs alone is asked beside what it costs in the loop, and not counted.
        let counts = u64::from(runs && asked.question != Question::Alone);
        if let Some(at_hand) = self.at_hand.get_mut(&place)
            && (frozen || !at_hand.is_due())
        {
            at_hand.used += counts;
            return at_hand.learned;
        }
        self.learn(place, asked, (frozen, runs), counts)
    }

    /// The learned costs as they are at hand, if they are, and whether it is time to make them anew.
    pub fn at_hand(&mut self, device: DeviceId, asked: &Asked<'_>) -> Option<(Option<Learned>, bool)> {
        let at_hand = self.at_hand.get_mut(&asker(device, asked))?;
        let due = at_hand.is_due();
        at_hand.used += 1;
        Some((at_hand.learned, due))
    }

    /// Makes the learned costs anew. That the loop asked is counted already.
    pub fn learn_anew(&mut self, device: DeviceId, asked: &Asked<'_>, frozen: bool) {
        self.learn(asker(device, asked), asked, (frozen, true), 0);
    }

    /// Makes the learned costs from the samples, after so many `more` questions than those counted.
    fn learn(&mut self, place: Asker, asked: &Asked<'_>, (frozen, runs): (bool, bool), more: u64) -> Option<Learned> {
        let iterations = asked.profile.iterations;
        let (kind, described) = (kind_of(place.0, asked.key, asked.profile), asked.described.once);
        let looks = !frozen && runs && asked.question != Question::Alone;
        self.add_pending(frozen);
        let mut learned = self.used.learned(asked);
        let known = learned.and_then(|learned| learned.once);
        let good = known.zip(self.used.last_once(asked)).is_some_and(|(known, last)| last < known * 0.5);
        let before = self.at_hand.get(&place);
        let so_often = before.map_or(1, |before| before.asked + before.used + more);
        if let Some(AtHand { learned: Some(old), idle: Idle { looking: false, .. }, .. }) = before
            && learned.is_some_and(|new| new.is_like(old, iterations))
        {
            learned = Some(*old);
        }
        let idle = before.map_or_else(Idle::default, |before| before.idle);
        if !runs {
            return learned;
        }
        let seen = self.seen.get(&kind).copied().unwrap_or(0);
        let idle = if looks { idle.after(so_often, seen, good) } else { idle };
        if let Some(learned) = learned.as_mut().filter(|_| idle.looking) {
            learned.once = learned.once.map(|once| once.min(described));
        }
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.clear();
        }
        self.at_hand.insert(place, AtHand { asked: so_often, used: 0, learned, idle });
        learned
    }
}

fn asker(device: DeviceId, asked: &Asked<'_>) -> Asker {
    let Asked { key, company, profile, question, .. } = asked;
    (device, (*key).clone(), Shape::of(profile).bits(), *company, profile.iterations, *question)
}

/// All of a loop on one device is one choice, BLOCK. Where it only ran there in chunks or samples, it takes that long at most.
fn of_one_device_once(mut all: Vec<Earlier>) -> Vec<Earlier> {
    let one_block = |policy: &Policy| matches!(policy, Policy::Block | Policy::Model1 | Policy::Model2);
    for earlier in all.iter_mut().filter(|earlier| earlier.devices.len() == 1) {
        if !one_block(&earlier.policy) {
            earlier.loops = 1;
        }
        earlier.policy = Policy::Block;
    }
    // Those that are known from more loops first, then the shorter.
    all.sort_by(|a, b| (b.loops > 1).cmp(&(a.loops > 1)).then(a.time.0.total_cmp(&b.time.0)));
    let mut seen: Vec<Slot> = Vec::new();
    all.retain(|earlier| match earlier.devices[..] {
        [only] if seen.contains(&only) => false,
        [only] => {
            seen.push(only);
            true
        }
        _ => true,
    });
    all
}

/// A loop's observation as one of its device's link, for all kernels.
fn of_link(seen: &Observation) -> Observation {
    let Shape { aligned_in, aligned_out, halo, .. } = seen.shape;
    Observation {
        company: seen.company,
        iterations: seen.shape.link_bytes(seen.iterations),
        at: seen.at,
        cold: seen.cold,
        stages: [
            in_bytes(&seen.stages[0], aligned_in, halo as f64),
            Vec::new(),
            in_bytes(&seen.stages[2], aligned_out, 0.0),
        ],
        ..Observation::default()
    }
}

fn in_bytes(stage: &[(u64, Seconds)], each: f64, besides: f64) -> Vec<(u64, Seconds)> {
    stage.iter().map(|&(n, time)| ((n as f64 * each + besides) as u64, time)).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::{DeviceCost, Machine};

    pub fn key(kernel: &str) -> Key {
        Key {
            kernel: Some(kernel.into()),
            code: None,
            block: None,
            precision: Default::default(),
            device: "gpu".into(),
            memory: ArrayMemory::Plain,
            policy: None,
            host: None,
        }
    }

    #[test]
    fn whole_loops_on_one_device_are_one_choice() {
        let earlier = |policy: &str, devices: &[usize], time: f64, loops: usize| {
            let devices = devices.iter().copied().map(Slot).collect();
            Earlier { policy: policy.parse().unwrap(), devices, time: Seconds(time), loops }
        };
        let known = |all: Vec<Earlier>| -> Vec<(String, usize, f64, usize)> {
            let of = |e: Earlier| (e.policy.to_string(), e.devices.len(), e.time.0, e.loops);
            of_one_device_once(all).into_iter().map(of).collect()
        };
        // One block took 2 s, whatever chunks took; several devices are as they were.
        let all = [
            ("SCHED_DYNAMIC", &[1][..], 1.9, 9),
            ("MODEL_2_AUTO", &[1], 2.0, 3),
            ("BLOCK", &[1], 2.5, 2),
            ("HGUIDED", &[0, 1], 3.0, 4),
        ];
        let found = known(all.map(|(policy, devices, time, loops)| earlier(policy, devices, time, loops)).into());
        let hguided = "HGUIDED".parse::<Policy>().unwrap().to_string();
        assert_eq!(found, [("BLOCK".to_owned(), 1, 2.0, 3), (hguided, 2, 3.0, 4)]);
        // Chunks alone say how long it takes at most.
        assert_eq!(known(vec![earlier("SCHED_DYNAMIC", &[0], 5.0, 9)]), [("BLOCK".to_owned(), 1, 5.0, 1)]);
    }

    #[test]
    fn a_device_that_is_left_out_for_what_it_once_paid_is_looked_at_again() {
        let (key, company) = (key("k"), Company { shared: 0, discrete: 2 });
        let profile = LoopProfile { iterations: 1 << 10, memory_bytes: 8.0, ..LoopProfile::default() };
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let described = DeviceCost { once: Seconds(1e-5), kernel: Seconds(1e-6), ..DeviceCost::default() };
        let (device, question) = (DeviceId(1), Question::Later);
        let asked = Asked { key: &key, company, profile: &profile, device: &model, described: &described, question };
        let kind = kind_of(device, &key, &profile);
        // It takes part if it seems to pay less than the loop takes: in which of so many loops?
        let taking_part = |known: usize, pays: f64, loops: u64| -> Vec<u64> {
            let mut state = State::default();
            let record = |state: &mut State, once: f64| {
                let once = Some(Seconds(once));
                let at = state.stamp(1);
                let shape = Shape::of(&profile);
                let seen = Observation { shape, company, iterations: 1 << 10, at, once, ..Default::default() };
                state.pending.push((key.clone(), seen));
                *state.seen.entry(kind.clone()).or_default() += 1;
            };
            (0..known).for_each(|_| record(&mut state, 5e-2));
            let mut takes_part = |_: &u64| {
                let (found, due) = match state.at_hand(device, &asked) {
                    Some((learned, due)) => (learned, due),
                    None => (state.learned(device, &asked, false, true), false),
                };
                let part = found.and_then(|found| found.once).unwrap_or(described.once) < Seconds(5e-3);
                if due {
                    state.learn_anew(device, &asked, false);
                }
                if part {
                    record(&mut state, pays);
                }
                part
            };
            (0..loops).filter(|i| takes_part(i)).collect()
        };
        // One disturbed loop: it is back after the first look. Sixteen: after nine.
        let one = taking_part(1, 1e-5, 200);
        assert!((60..80).contains(&one[0]) && one.len() > 110, "{one:?}");
        let all = taking_part(16, 1e-5, 400);
        assert!((60..80).contains(&all[0]) && all.len() > 200, "{all:?}");
        // It does take that long: each look costs a loop, and they become rare.
        let looks = taking_part(16, 5e-2, 2000);
        assert!(looks.len() == 4 && looks[3] > 900, "{looks:?}");
        let apart: Vec<u64> = looks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(apart.windows(2).all(|pair| pair[1] > pair[0] + pair[0] / 2), "{looks:?}");
    }

    #[test]
    fn a_device_that_an_earlier_process_left_out_is_looked_at_too() {
        let (key, company) = (key("k"), Company { shared: 0, discrete: 2 });
        let profile = LoopProfile { iterations: 1 << 10, memory_bytes: 8.0, ..LoopProfile::default() };
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let described = DeviceCost { once: Seconds(1e-5), kernel: Seconds(1e-6), ..DeviceCost::default() };
        // In this process it had no such loop yet.
        let question = Question::First;
        let asked = Asked { key: &key, company, profile: &profile, device: &model, described: &described, question };
        let mut state = State::default();
        let seen = |at: u64| {
            let (shape, once) = (Shape::of(&profile), Some(Seconds(5e-2)));
            Observation { shape, company, iterations: 1 << 10, at, once, ..Default::default() }
        };
        (1..17).for_each(|at| state.used.record(&key, &seen(at)));
        let mut ask = |runs: bool| {
            let learned = state.learned(DeviceId(1), &asked, false, runs).unwrap();
            learned.once.unwrap() < Seconds(1e-3)
        };
        // A prediction is no look.
        assert!((0..300).all(|_| !ask(false)));
        let looks: Vec<usize> = (0..500).filter(|_| ask(true)).collect();
        assert!((1..4).contains(&looks.len()), "{looks:?}");
    }

    #[test]
    fn predictions_leave_what_loops_have_learned_as_it_is() {
        let (key, company) = (key("k"), Company { shared: 0, discrete: 2 });
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let described = DeviceCost { kernel: Seconds(1e-6), ..DeviceCost::default() };
        let mut state = State::default();
        let ask = |state: &mut State, iterations: u64, question: Question, runs: bool| {
            let profile = LoopProfile { iterations, memory_bytes: 8.0, ..LoopProfile::default() };
            let asked =
                Asked { key: &key, company, profile: &profile, device: &model, described: &described, question };
            state.learned(DeviceId(1), &asked, false, runs);
        };
        for question in [Question::First, Question::Later, Question::Alone] {
            ask(&mut state, 1, question, true);
        }
        let known = |state: &State| {
            let mut all: Vec<_> =
                state.at_hand.iter().map(|((.., n, _), at)| (*n, at.asked, at.used, at.idle)).collect();
            all.sort_by_key(|(n, asked, ..)| (*n, *asked));
            all
        };
        let before = known(&state);
        for iterations in 1..2 * AT_HAND as u64 {
            for question in [Question::First, Question::Later, Question::Alone] {
                ask(&mut state, iterations, question, false);
            }
        }
        assert_eq!(known(&state), before);
    }

    #[test]
    fn the_newest_loops_count_however_short_they_are_and_whatever_the_clock_says() {
        let (key, company) = (key("k"), Company { shared: 1, discrete: 0 });
        // All of one microsecond, then the clock is set back by a day.
        for back in [0, 86_400_000_000] {
            let mut state = State::default();
            let mut of = |now: u64, time: f64| {
                let at = state.stamp(now);
                let once = Some(Seconds(time));
                let seen = Observation { company, iterations: 1, at, once, ..Observation::default() };
                state.pending.push((key.clone(), seen));
                state.add_pending(false);
                state.used.tables().next().unwrap().1.once().unwrap().0
            };
            let start = 1_700_000_000_000_000;
            let disturbed = (0..64).map(|i| of(start, if i % 4 == 0 { 3.0 } else { 1.0 })).last();
            assert_eq!(disturbed, Some(1.0));
            let after = (0..16).map(|_| of(start - back, 2.0)).last();
            assert_eq!(after, Some(2.0));
        }
    }

    #[test]
    fn the_first_loop_of_a_kind_is_cold_and_those_soon_after_in_which_devices_allocate() {
        let kind = |kernel| kind_of(DeviceId(1), &key(kernel), &LoopProfile::default());
        let mut state = State::default();
        let prepared = [false, false, true, true, true, false, true];
        let cold: Vec<bool> = prepared.iter().map(|&prepared| state.is_cold(kind("k"), prepared)).collect();
        assert_eq!(cold, [true, false, true, true, false, false, false]);
        assert!(state.is_cold(kind("another"), false));
    }

    #[test]
    fn what_is_at_hand_is_made_anew_as_often_as_what_is_asked_for() {
        let key = key("k");
        let company = Company { shared: 0, discrete: 1 };
        let profile = LoopProfile { iterations: 1 << 10, memory_bytes: 8.0, ..LoopProfile::default() };
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let described = DeviceCost { kernel: Seconds(1e-6), ..DeviceCost::default() };
        let question = Question::Later;
        let asked = Asked { key: &key, company, profile: &profile, device: &model, described: &described, question };
        let seen = |each: f64| {
            let stages = [Vec::new(), vec![(1 << 10, Seconds(each * 1024.0))], Vec::new()];
            Observation {
                shape: Shape::of(&profile),
                company,
                iterations: 1 << 10,
                at: 1,
                stages,
                ..Default::default()
            }
        };
        let each = |learned: Option<Learned>| learned.and_then(|learned| learned.stages[1]).map(|line| line.each.0);
        let device = DeviceId(1);
        let (mut at_once, mut later) = (State::default(), State::default());
        assert!(later.at_hand(device, &asked).is_none());
        let first = [&mut at_once, &mut later].map(|state| each(state.learned(device, &asked, false, true)));
        assert_eq!(first, [None; 2]);
        let mut made_anew = [Vec::new(), Vec::new()];
        let mut before = [None; 2];
        for ask in 0..72 {
            // Each loop runs at another speed, so costs that are made anew differ.
            let speed = 1e-6 * 1.5_f64.powi(ask);
            [&mut at_once, &mut later].into_iter().for_each(|state| state.pending.push((key.clone(), seen(speed))));
            let (found, due) = later.at_hand(device, &asked).unwrap();
            // Until now nothing was made anew: the answer is that of the loops before.
            assert_eq!(each(found), before[1], "{ask}");
            if due {
                later.learn_anew(device, &asked, false);
                made_anew[1].push(ask);
                before[1] = each(later.at_hand[&asker(device, &asked)].learned);
            }
            let found = each(at_once.learned(device, &asked, false, true));
            if found != before[0] {
                made_anew[0].push(ask);
                before[0] = found;
            }
        }
        assert_eq!(made_anew[0], made_anew[1]);
        assert!(made_anew[0].starts_with(&[0, 1, 2, 4]) && made_anew[0].len() < 20, "{made_anew:?}");
    }

    #[test]
    fn devices_of_one_make_that_are_described_differently_have_costs_of_their_own() {
        let key = key("k");
        let company = Company { shared: 0, discrete: 2 };
        let profile = |iterations| LoopProfile { iterations, memory_bytes: 8.0, ..LoopProfile::default() };
        let mut state = State::default();
        let stages = [Vec::new(), vec![(1 << 10, Seconds(1e-6))], Vec::new()];
        let shape = Shape::of(&profile(1));
        let seen = Observation { shape, company, iterations: 1 << 10, at: 1, stages, ..Observation::default() };
        state.used.record(&key, &seen);
        // Beyond the measured lengths, the time of an iteration approaches the described one.
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let model = machine.devices[1].model();
        let mut each = |device: usize, described: f64| {
            let profile = profile(1 << 20);
            let described = DeviceCost { kernel: Seconds(described), ..DeviceCost::default() };
            let asked = Asked {
                key: &key,
                company,
                profile: &profile,
                device: &model,
                described: &described,
                question: Question::Later,
            };
            state.learned(DeviceId(device), &asked, true, true).and_then(|learned| learned.stages[1]).unwrap().each.0
        };
        for (device, described) in [(1, 1e-6), (2, 4e-6), (1, 1e-6)] {
            let found = each(device, described);
            // To within rounding: the cost is the sum of a length's time and the time at its rate.
            assert!((found / described - 1.0).abs() < 1e-12, "device {device}: {found} should be {described}");
        }
        // Both devices have one identity, so the history has one key.
        assert_eq!(state.used.keys().count(), 1);
    }
}
