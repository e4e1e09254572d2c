//! Choices of AUTO that stand for the next few loops.
//!
//! Asking the history, deciding and recording take some tens of microseconds, as long as a short loop. Once a choice rests on
//! times of such loops, the next few loops have the same choice with the same costs, and record only what they took. For the
//! same arrays the placement is not worked out again either. It is asked whether they are still page-locked, if a
//! chosen device copies.

use super::Keeper;
use super::samples::State;
use super::trials::Place;
use crate::kernel::{Kernel, KernelId};
use crate::model::history::ArrayMemory;
use crate::model::{DeviceCost, LoopProfile};
use crate::runtime::plan::{Expected, Pieces};
use crate::sched::{Cutoff, Verdict};
use crate::space::DeviceId;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// Loops for which a new choice stands. Doubles each time that AUTO makes the same choice again.
const FIRST: u32 = 4;
/// Most loops for which a choice stands.
const MOST: u32 = 64;
/// A loop's time is as expected within this factor, up or down,
const ALIKE: f64 = 1.25;
/// or within this difference: waking threads takes tens of microseconds in one loop and none in the next.
const WOKEN: Seconds = Seconds(50e-6);
/// After this many unexpected times in a row AUTO decides anew. A single one may be chance.
const OFF: u32 = 2;
/// Loops whose choices are kept.
const LOOPS: usize = 32;

/// A loop for which AUTO's choice is looked up.
#[derive(Clone, Copy)]
pub(in crate::runtime) struct LoopQuery<'l> {
    pub kernel: &'l Kernel,
    pub granule: u64,
    pub block: Option<u64>,
    pub cutoff: Cutoff,
    pub key: &'l LoopKey,
}

/// The part of a [`LoopQuery`] that is kept.
#[derive(Clone, PartialEq)]
pub(in crate::runtime) struct LoopKey {
    pub devices: SmallVec<[DeviceId; 8]>,
    /// The profile without where the arrays lie.
    pub stated: LoopProfile,
    /// Address and bytes of each array.
    pub arrays: SmallVec<[(usize, usize); 8]>,
}

/// What follows from a loop and from where its arrays lie.
#[derive(Default, PartialEq)]
pub(in crate::runtime) struct Placement {
    /// The profile, including where the arrays lie.
    pub profile: LoopProfile,
    /// Which arguments are in page-locked memory.
    pub locked: Vec<bool>,
    /// Where the arrays lie for each device; empty unless AUTO's choice may come to stand.
    pub memories: Vec<ArrayMemory>,
    /// Each device's pieces, if they are short whatever share it gets; empty if no device's are.
    pub pieces: Vec<Option<Pieces>>,
    /// Costs by the machine's description alone; empty unless AUTO's choice may come to stand.
    pub as_described: Vec<DeviceCost>,
}

/// A choice that stands, with the expectations that it was made by.
#[derive(Clone)]
pub(in crate::runtime) struct StandingChoice {
    pub placement: Arc<Placement>,
    pub expected: Arc<Expected>,
    pub verdict: Arc<Verdict>,
}

/// Choices that stand, and choices that no longer stand until AUTO makes them again.
#[derive(Default)]
pub(super) struct Settled(VecDeque<OfLoop>);

struct OfLoop {
    kernel: KernelId,
    granule: u64,
    block: Option<u64>,
    cutoff: Cutoff,
    /// Has the arrays of the last such loop.
    key: LoopKey,
    standing: StandingChoice,
    /// The number of loops for which the choice stands after a decision.
    span: u32,
    /// How many of them are left.
    left: u32,
    /// Unexpected times in a row.
    off: u32,
    /// Identifies the loop's trials.
    place: Place,
}

impl OfLoop {
    fn new(query: &LoopQuery<'_>, standing: StandingChoice, place: Place) -> Self {
        let &LoopQuery { kernel, granule, block, cutoff, key } = query;
        Self {
            kernel: kernel.id(),
            granule,
            block,
            cutoff,
            key: key.clone(),
            standing,
            span: FIRST,
            left: FIRST,
            off: 0,
            place,
        }
    }

    /// Whether the query is for this loop, whatever the addresses of its arrays.
    fn is(&self, query: &LoopQuery<'_>) -> bool {
        let LoopKey { devices, stated, .. } = query.key;
        self.key.stated == *stated
            && self.kernel.code == query.kernel.code()
            && *self.kernel.name == *query.kernel.name()
            && self.key.devices == *devices
            && self.cutoff == query.cutoff
            && (self.granule, self.block) == (query.granule, query.block)
    }
}

impl Settled {
    /// The standing choice for a loop over the same arrays as the last such loop.
    fn standing(&mut self, query: &LoopQuery<'_>) -> Option<StandingChoice> {
        let place = self.0.iter().position(|known| known.is(query) && known.key.arrays == query.key.arrays)?;
        self.at(place)
    }

    /// The standing choice for a loop over any arrays with the same placement.
    fn standing_for(&mut self, query: &LoopQuery<'_>, placement: &Placement) -> Option<StandingChoice> {
        let place = self.0.iter().position(|known| known.is(query) && *known.standing.placement == *placement)?;
        self.0[place].key.arrays.clone_from(&query.key.arrays);
        self.at(place)
    }

    fn at(&mut self, place: usize) -> Option<StandingChoice> {
        // At the front it is the last to be forgotten.
        let known = self.0.remove(place)?;
        let standing = (known.left > 0).then(|| known.standing.clone());
        self.0.push_front(known);
        standing
    }

    /// Counts a loop that ran by the choice made with `expected`; `time` is `None` if it is no measure. Returns the loop and
    /// the choice.
    fn ran(&mut self, expected: &Arc<Expected>, time: Option<Seconds>) -> Option<(&Place, &Verdict)> {
        let known = self.0.iter_mut().find(|known| Arc::ptr_eq(&known.standing.expected, expected))?;
        let expected = known.standing.verdict.time.0;
        let alike = |time: Seconds| {
            (1.0 / ALIKE..=ALIKE).contains(&(time.0 / expected)) || (time.0 - expected).abs() <= WOKEN.0
        };
        known.left = known.left.saturating_sub(1);
        known.off = if time.is_some_and(alike) { 0 } else { known.off + 1 };
        if known.off >= OFF {
            (known.left, known.span) = (0, FIRST);
        }
        Some((&known.place, &known.standing.verdict))
    }

    /// Takes in a new decision of AUTO.
    fn decided(&mut self, query: &LoopQuery<'_>, standing: StandingChoice, place: &Place) {
        let same = |known: &&mut OfLoop| known.is(query) && *known.standing.placement == *standing.placement;
        if let Some(known) = self.0.iter_mut().find(same) {
            let (old, new) = (&known.standing.verdict, &standing.verdict);
            let same = old.policy == new.policy && old.devices == new.devices && known.off < OFF;
            known.span = if same { (2 * known.span).min(MOST) } else { FIRST };
            (known.left, known.off, known.standing) = (known.span, 0, standing);
            known.key.arrays.clone_from(&query.key.arrays);
            return;
        }
        self.0.truncate(LOOPS - 1);
        self.0.push_front(OfLoop::new(query, standing, place.clone()));
    }
}

impl Keeper {
    /// AUTO's standing choice for a loop over the same arrays as the last such loop.
    pub fn standing(&self, query: &LoopQuery<'_>) -> Option<StandingChoice> {
        self.state().settled.standing(query)
    }

    /// AUTO's standing choice for a loop over any arrays with the same placement.
    pub fn standing_for(&self, query: &LoopQuery<'_>, placement: &Placement) -> Option<StandingChoice> {
        self.state().settled.standing_for(query, placement)
    }

    /// Counts a loop that ran by the choice made with `expected`; `time` is `None` if it is no measure. If devices `prepared`,
    /// the time does not count for the choice.
    pub fn stood(&self, expected: &Arc<Expected>, time: Option<Seconds>, prepared: bool) {
        let mut state = self.state();
        let State { settled, trials, .. } = &mut *state;
        if let Some((place, verdict)) = settled.ran(expected, time) {
            trials.ran(place, verdict, time.filter(|_| !prepared));
        }
    }

    /// Takes in a decision that AUTO made by the times of such loops, or by a frozen history. The latter stands for all loops,
    /// as they do not count ([`Self::stood`]): every later decision would be the same.
    pub(super) fn settles(&self, place: &Place, query: &LoopQuery<'_>, standing: StandingChoice) {
        self.state().settled.decided(query, standing, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Machine;
    use crate::runtime::{HistoryFile, Runtime};
    use crate::sched::Policy;
    use crate::space::Slot;
    use crate::units::Percent;
    use smallvec::smallvec;

    /// Calls `with` for a loop of this many iterations over an array at this address.
    fn ask<R>((iterations, address): (u64, usize), with: impl FnOnce(&LoopQuery<'_>) -> R) -> R {
        let stated = LoopProfile { iterations, ..LoopProfile::default() };
        let key = LoopKey { devices: SmallVec::new(), stated, arrays: smallvec![(address, 4)] };
        let kernel = Kernel::new("k");
        with(&LoopQuery { kernel: &kernel, granule: 1, block: None, cutoff: Cutoff::None, key: &key })
    }

    /// As [`ask`], always for the same loop.
    fn asked<R>(with: impl FnOnce(&LoopQuery<'_>) -> R) -> R {
        ask((1, 0), with)
    }

    /// A choice of one device, which takes a second.
    fn on(device: usize) -> StandingChoice {
        taking(device, 1.0)
    }

    fn taking(device: usize, seconds: f64) -> StandingChoice {
        let verdict = Verdict {
            policy: Policy::Block,
            devices: vec![Slot(device)],
            time: Seconds(seconds),
            expected: Seconds(seconds),
            least: Seconds(1.0),
            fastest: (Policy::Block, 1),
            worth: Percent::from_millionths(0),
            left_out: Vec::new(),
            handicap: Percent::from_millionths(0),
            measured: true,
            wide: false,
            curious: false,
            blind: false,
            kept: false,
            said: Default::default(),
        };
        StandingChoice { placement: Arc::default(), expected: Arc::default(), verdict: Arc::new(verdict) }
    }

    fn place() -> Place {
        let (kernel, precision) = ("k".into(), crate::element::Precision::F32);
        Place { kernel, code: None, block: None, precision, shape: [0; 6], iterations: 1, devices: SmallVec::new() }
    }

    /// Runs loops of these times while the choice stands, and returns how many ran.
    fn stands(settled: &mut Settled, times: impl IntoIterator<Item = f64>) -> u32 {
        let mut stood = 0;
        for time in times {
            let Some(standing) = asked(|query| settled.standing(query)) else { break };
            assert!(settled.ran(&standing.expected, Some(Seconds(time))).is_some());
            stood += 1;
        }
        stood
    }

    #[test]
    fn a_choice_that_is_taken_again_stands_for_longer() {
        let mut settled = Settled::default();
        let mut spans = Vec::new();
        for device in [1, 1, 1, 1, 1, 1, 0, 0] {
            asked(|query| settled.decided(query, on(device), &place()));
            spans.push(stands(&mut settled, [1.0; 1000]));
        }
        assert_eq!(spans, [4, 8, 16, 32, 64, 64, 4, 8]);
    }

    #[test]
    fn loops_that_take_another_time_end_it() {
        let mut settled = Settled::default();
        for _ in 0..2 {
            asked(|query| settled.decided(query, on(0), &place()));
        }
        // A single unexpected time does not count.
        assert_eq!(stands(&mut settled, [1.0, 9.0, 1.0, 0.1, 1.2, 2.0, 2.0, 1.0]), 7);
        asked(|query| settled.decided(query, on(0), &place()));
        assert_eq!(stands(&mut settled, [0.5; 9]), OFF);
        asked(|query| settled.decided(query, on(0), &place()));
        assert_eq!(stands(&mut settled, [1.0; 9]), FIRST, "after that not for long");
        asked(|query| settled.decided(query, on(0), &place()));
        for _ in 0..OFF {
            let standing = asked(|query| settled.standing(query)).unwrap();
            assert!(settled.ran(&standing.expected, None).is_some());
        }
        assert!(asked(|query| settled.standing(query)).is_none(), "devices failed");
    }

    #[test]
    fn a_short_loop_may_wait_for_threads() {
        let mut settled = Settled::default();
        asked(|query| settled.decided(query, taking(0, 30e-6), &place()));
        assert_eq!(stands(&mut settled, [75e-6, 3e-6, 79e-6, 30e-6]), FIRST);
        asked(|query| settled.decided(query, taking(0, 30e-6), &place()));
        assert_eq!(stands(&mut settled, [85e-6; 9]), OFF);
    }

    #[test]
    fn a_choice_stands_for_its_own_loop_alone_and_few_are_kept() {
        let mut settled = Settled::default();
        for n in 0..3 * LOOPS as u64 {
            ask((n, 0), |query| settled.decided(query, on(0), &place()));
            let stands = [n, n + 1].map(|n| ask((n, 0), |query| settled.standing(query)).is_some());
            assert_eq!(stands, [true, false]);
        }
        assert_eq!(settled.0.len(), LOOPS);
    }

    #[test]
    fn a_choice_stands_for_its_own_kernel_and_blocks() {
        let mut settled = Settled::default();
        asked(|query| settled.decided(query, on(0), &place()));
        let other = Kernel::new("k").host(|_: std::ops::Range<usize>| ());
        assert!(asked(|query| settled.standing(&LoopQuery { kernel: &other, ..*query })).is_none());
        assert!(asked(|query| settled.standing(&LoopQuery { block: Some(1), ..*query })).is_none());
        assert!(asked(|query| settled.standing(query)).is_some());
    }

    #[test]
    fn under_a_frozen_history_auto_decides_once() {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        let device = |id: usize| {
            format!(
                r#"{{"id": {id}, "name": "e{id}", "kind": "emulated", "type": "HOSTCPU", "memory": "shared",
                   "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        let text = format!(
            r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}, {}]}}"#,
            device(0),
            device(1)
        );
        let folder = tempfile::tempdir().unwrap();
        let file = HistoryFile::at(folder.path().join("history.json")).frozen();
        let rt = Runtime::from_machine(Machine::from_json(&text).unwrap()).unwrap().with_history(file);
        let kernel = Kernel::new("nothing").host(|_: std::ops::Range<usize>| ());
        let run = || rt.parallel_for(0..1000_usize, kernel.bind()).policy(Policy::Auto).run().unwrap();
        // Each decision has expectations of its own.
        let standing = || {
            let state = rt.history.as_ref().unwrap().state();
            assert_eq!(state.settled.0.len(), 1);
            Arc::clone(&state.settled.0[0].standing.expected)
        };
        run();
        let first = standing();
        for _ in 0..2 * MOST {
            run();
            assert!(Arc::ptr_eq(&first, &standing()), "AUTO decided anew");
        }
    }

    #[test]
    fn a_choice_stands_for_other_arrays_that_lie_where_the_first_did() {
        let mut settled = Settled::default();
        let lies = |locked: bool| Arc::new(Placement { locked: vec![locked], ..Placement::default() });
        let standing = |locked: bool, device: usize| StandingChoice { placement: lies(locked), ..on(device) };
        let chosen = |standing: Option<StandingChoice>| standing.map(|standing| standing.verdict.devices[0].0);
        for (locked, address, device) in [(true, 10, 1), (false, 20, 0)] {
            ask((1, address), |query| settled.decided(query, standing(locked, device), &place()));
        }
        assert_eq!(settled.0.len(), 2);
        let mut same = |address: usize| chosen(ask((1, address), |query| settled.standing(query)));
        assert_eq!([10, 20, 30].map(&mut same), [Some(1), Some(0), None]);
        // The placement of other arrays has to be worked out once.
        let mut found = |address: usize, locked: bool| {
            chosen(ask((1, address), |query| settled.standing_for(query, &lies(locked))))
        };
        assert_eq!([(30, true), (40, false)].map(|(address, locked)| found(address, locked)), [Some(1), Some(0)]);
        let mut same = |address: usize| chosen(ask((1, address), |query| settled.standing(query)));
        assert_eq!([10, 20, 30, 40].map(&mut same), [None, None, Some(1), Some(0)]);
        // Loops over all these arrays count for one choice.
        for address in [30, 50, 51, 52] {
            let standing = ask((1, address), |query| settled.standing_for(query, &lies(true))).unwrap();
            assert!(settled.ran(&standing.expected, Some(Seconds(1.0))).is_some());
        }
        assert!(ask((1, 53), |query| settled.standing_for(query, &lies(true))).is_none());
    }
}
