//! Loops for which AUTO has settled: its choice stands for a while.
//!
//! To ask the history, to decide, and to add what was learned takes some tens of microseconds, as long as a short loop. Where a choice
//! was taken for what such loops took, the next few loops have the same, with the same costs, and teach nothing but that they took
//! about as long.

use super::trials::Place;
use super::{Keeper, State};
use crate::model::history::ArrayMemory;
use crate::model::{DeviceCost, LoopProfile};
use crate::runtime::plan::Expected;
use crate::sched::{Cutoff, Verdict};
use crate::space::DeviceId;
use crate::units::Seconds;
use std::collections::VecDeque;
use std::sync::Arc;

/// Loops for which a choice stands when it is new. Twice as many whenever it is taken again.
const FIRST: u32 = 4;
/// At most.
const MOST: u32 = 64;
/// A loop that takes so many times as long as it should, or as short, does not count as alike,
const ALIKE: f64 = 1.25;
/// unless it differs by less than this: threads that have to be woken take tens of microseconds in one loop and none in the next.
const WOKEN: Seconds = Seconds(50e-6);
/// So many of them in a row, and AUTO decides anew: one may be anything.
const OFF: u32 = 2;
/// Loops of which it is known.
const LOOPS: usize = 32;

/// What AUTO is asked: all that a choice depends on but for what is learned.
#[derive(Clone, Copy)]
pub(in crate::runtime) struct Asking<'l> {
    pub kernel: &'l str,
    pub granule: u64,
    /// With where the arrays lie for each.
    pub devices: &'l [(DeviceId, ArrayMemory)],
    /// As described.
    pub costs: &'l [DeviceCost],
    pub profile: &'l LoopProfile,
    pub cutoff: Cutoff,
    pub awake: bool,
}

/// A choice that stands, with what was expected where it was made.
#[derive(Clone)]
pub(in crate::runtime) struct Standing {
    pub expected: Arc<Expected>,
    pub verdict: Arc<Verdict>,
}

/// The choices that stand, or did and are to be made again.
#[derive(Default)]
pub(super) struct Settled(VecDeque<OfLoop>);

struct OfLoop {
    kernel: Box<str>,
    granule: u64,
    devices: Box<[(DeviceId, ArrayMemory)]>,
    costs: Box<[DeviceCost]>,
    profile: LoopProfile,
    cutoff: Cutoff,
    awake: bool,
    standing: Standing,
    /// It stands for so many loops from one decision to the next.
    span: u32,
    /// Of these so many are left.
    left: u32,
    /// Loops in a row that were not alike.
    off: u32,
    /// What AUTO's choices took for it.
    place: Place,
}

impl OfLoop {
    fn new(asking: &Asking<'_>, standing: Standing, place: Place) -> Self {
        let &Asking { kernel, granule, devices, costs, profile, cutoff, awake } = asking;
        Self {
            kernel: kernel.into(),
            granule,
            devices: devices.into(),
            costs: costs.into(),
            profile: profile.clone(),
            cutoff,
            awake,
            standing,
            span: FIRST,
            left: FIRST,
            off: 0,
            place,
        }
    }

    fn is(&self, asking: &Asking<'_>) -> bool {
        self.profile == *asking.profile
            && *self.kernel == *asking.kernel
            && *self.devices == *asking.devices
            && *self.costs == *asking.costs
            && self.cutoff == asking.cutoff
            && self.granule == asking.granule
            && self.awake == asking.awake
    }
}

impl Settled {
    fn of(&mut self, asking: &Asking<'_>) -> Option<&mut OfLoop> {
        self.0.iter_mut().find(|known| known.is(asking))
    }

    /// The choice for the next loop, if it stands.
    fn standing(&mut self, asking: &Asking<'_>) -> Option<Standing> {
        let place = self.0.iter().position(|known| known.is(asking))?;
        // The last one that was asked for is the last to be forgotten.
        let known = self.0.remove(place)?;
        let standing = (known.left > 0).then(|| known.standing.clone());
        self.0.push_front(known);
        standing
    }

    /// A loop by such a choice took so long; none where its time is no measure. Gives whose it was.
    fn ran(&mut self, asking: &Asking<'_>, time: Option<Seconds>) -> Option<(&Place, &Verdict)> {
        let known = self.of(asking)?;
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

    /// AUTO has decided anew.
    fn decided(&mut self, asking: &Asking<'_>, standing: Standing, place: &Place) {
        if let Some(known) = self.of(asking) {
            let (old, new) = (&known.standing.verdict, &standing.verdict);
            let same = old.policy == new.policy && old.devices == new.devices && known.off < OFF;
            known.span = if same { (2 * known.span).min(MOST) } else { FIRST };
            (known.left, known.off, known.standing) = (known.span, 0, standing);
            return;
        }
        self.0.truncate(LOOPS - 1);
        self.0.push_front(OfLoop::new(asking, standing, place.clone()));
    }
}

impl Keeper {
    /// AUTO's choice for such a loop, where it stands.
    pub fn standing(&self, asking: &Asking<'_>) -> Option<Standing> {
        self.state().settled.standing(asking)
    }

    /// A loop ran by a choice that stood; none where its time is no measure.
    pub fn stood(&self, asking: &Asking<'_>, time: Option<Seconds>) {
        let mut state = self.state();
        let State { settled, trials, .. } = &mut *state;
        if let Some((place, verdict)) = settled.ran(asking, time) {
            trials.ran(place, verdict);
        }
    }

    /// AUTO has decided by what such loops took.
    pub(super) fn settles(&self, place: &Place, asking: &Asking<'_>, standing: Standing) {
        self.state().settled.decided(asking, standing, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sched::Policy;
    use crate::space::Slot;
    use crate::units::Percent;
    use smallvec::SmallVec;

    /// Calls `with` for a loop of so many iterations, on devices that are awake or not.
    fn ask<R>(iterations: u64, awake: bool, with: impl FnOnce(&Asking<'_>) -> R) -> R {
        let profile = LoopProfile { iterations, ..LoopProfile::default() };
        let (kernel, granule, devices, costs, cutoff) = ("k", 1, &[][..], &[][..], Cutoff::None);
        with(&Asking { kernel, granule, devices, costs, profile: &profile, cutoff, awake })
    }

    /// The same of one loop.
    fn asked<R>(with: impl FnOnce(&Asking<'_>) -> R) -> R {
        ask(1, false, with)
    }

    /// On one device, in a second.
    fn on(device: usize) -> Standing {
        taking(device, 1.0)
    }

    fn taking(device: usize, seconds: f64) -> Standing {
        let verdict = Verdict {
            policy: Policy::Block,
            devices: vec![Slot(device)],
            time: Seconds(seconds),
            least: Seconds(1.0),
            fastest: (Policy::Block, 1),
            worth: Percent::from_millionths(0),
            left_out: Vec::new(),
            handicap: Percent::from_millionths(0),
            measured: true,
            curious: false,
            blind: false,
            said: Default::default(),
        };
        Standing { expected: Arc::default(), verdict: Arc::new(verdict) }
    }

    fn place() -> Place {
        let (kernel, precision) = ("k".into(), crate::element::Precision::F32);
        Place { kernel, precision, shape: [0; 6], iterations: 1, devices: SmallVec::new() }
    }

    /// Loops that take so long each, until AUTO is asked again.
    fn stands(settled: &mut Settled, times: impl IntoIterator<Item = f64>) -> u32 {
        let mut stood = 0;
        for time in times {
            if asked(|asking| settled.standing(asking)).is_none() {
                break;
            }
            asked(|asking| assert!(settled.ran(asking, Some(Seconds(time))).is_some()));
            stood += 1;
        }
        stood
    }

    #[test]
    fn a_choice_that_is_taken_again_stands_for_longer() {
        let mut settled = Settled::default();
        let mut spans = Vec::new();
        for device in [1, 1, 1, 1, 1, 1, 0, 0] {
            asked(|asking| settled.decided(asking, on(device), &place()));
            spans.push(stands(&mut settled, [1.0; 1000]));
        }
        assert_eq!(spans, [4, 8, 16, 32, 64, 64, 4, 8]);
    }

    #[test]
    fn loops_that_take_another_time_end_it() {
        let mut settled = Settled::default();
        for _ in 0..2 {
            asked(|asking| settled.decided(asking, on(0), &place()));
        }
        // One does not count.
        assert_eq!(stands(&mut settled, [1.0, 9.0, 1.0, 0.1, 1.2, 2.0, 2.0, 1.0]), 7);
        asked(|asking| settled.decided(asking, on(0), &place()));
        assert_eq!(stands(&mut settled, [0.5; 9]), OFF);
        asked(|asking| settled.decided(asking, on(0), &place()));
        assert_eq!(stands(&mut settled, [1.0; 9]), FIRST, "after that not for long");
        asked(|asking| settled.decided(asking, on(0), &place()));
        for _ in 0..OFF {
            assert!(asked(|asking| settled.standing(asking)).is_some());
            asked(|asking| assert!(settled.ran(asking, None).is_some()));
        }
        assert!(asked(|asking| settled.standing(asking)).is_none(), "devices failed");
    }

    #[test]
    fn a_short_loop_may_wait_for_threads() {
        let mut settled = Settled::default();
        asked(|asking| settled.decided(asking, taking(0, 30e-6), &place()));
        assert_eq!(stands(&mut settled, [75e-6, 3e-6, 79e-6, 30e-6]), FIRST);
        asked(|asking| settled.decided(asking, taking(0, 30e-6), &place()));
        assert_eq!(stands(&mut settled, [85e-6; 9]), OFF);
    }

    #[test]
    fn a_choice_stands_for_its_own_loop_alone_and_few_are_kept() {
        let mut settled = Settled::default();
        for n in 0..3 * LOOPS as u64 {
            ask(n, false, |asking| settled.decided(asking, on(0), &place()));
            let stands = [(n, false), (n + 1, false), (n, true)];
            let stands = stands.map(|(n, awake)| ask(n, awake, |asking| settled.standing(asking)).is_some());
            assert_eq!(stands, [true, false, false]);
        }
        assert_eq!(settled.0.len(), LOOPS);
    }
}
