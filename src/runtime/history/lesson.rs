//! What a loop that ended adds to the history.

use super::pieces::{self, Ran, Stages, by_company, company, end, start};
use super::samples::kind_of;
use super::{Consulted, Keeper, LoopQuery, StandingChoice};
use crate::model::LoopProfile;
use crate::model::history::{Key, Observation, Shape};
use crate::runtime::Member;
use crate::runtime::proxy::Log;
use crate::sched::{Policy, Verdict};
use crate::space::{DeviceId, Slot};
use crate::units::Seconds;
use smallvec::SmallVec;
use std::time::SystemTime;

/// Stands for whole loops in place of a device.
const WHOLE: DeviceId = DeviceId(usize::MAX);
/// Most entries of [`State::seen`](super::samples::State::seen).
const SEEN: usize = 4096;
/// Most observations that wait to be added.
const PENDING: usize = 256;

/// What a loop that ended teaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runtime) enum Lesson<'p> {
    /// Only that it ran: its times are no measure.
    Ran,
    /// The times of its devices.
    Devices,
    /// The times of its devices, and its time as a whole under this policy.
    Policy(&'p str),
    /// The times of its devices, and its time as a whole as that of a loop under this policy on these devices alone.
    Chosen(&'p Policy, &'p [Slot]),
}

/// How long a loop took.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) struct Took {
    /// From call to return.
    pub whole: Seconds,
    /// The part until all was decided. AUTO decides only some loops anew, and that may take longer than a short loop.
    pub planned: Seconds,
}

impl Took {
    /// From when all was decided.
    pub fn once_planned(self) -> Seconds {
        self.whole - self.planned
    }
}

impl Keeper {
    /// Records the time of a loop that AUTO decided, from then on. With `stands`, AUTO's query and choice, the choice stands
    /// from now on, unless devices allocated or compiled in the loop. Where the history is frozen, only the choice counts.
    pub fn tries(
        &self,
        (consulted, members, profile): (&Consulted, &[&Member], &LoopProfile),
        (verdict, stands): (&Verdict, Option<(LoopQuery<'_>, StandingChoice)>),
        logs: &[&mut Log],
        time: Seconds,
    ) {
        let Some(place) = consulted.place(members, profile) else { return };
        let (prepared, frozen) = (prepared(logs), self.frozen());
        if let Some((asking, standing)) = stands.filter(|_| frozen || !prepared) {
            self.settles(&place, &asking, standing);
        }
        if !frozen {
            self.state().trials.add(place, verdict, prepared, time);
        }
    }

    /// Counts a loop that AUTO decided and in which something went wrong.
    pub fn failed(&self, consulted: &Consulted, members: &[&Member], profile: &LoopProfile, verdict: &Verdict) {
        if let Some(place) = consulted.place(members, profile).filter(|_| !self.frozen()) {
            self.state().trials.failed(place, verdict);
        }
    }

    /// Adds what a loop teaches. `logs` are in the order of `members`.
    pub fn record(
        &self,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
        logs: &[&mut Log],
        took: Took,
        lesson: Lesson<'_>,
    ) {
        let teaches = lesson != Lesson::Ran;
        // What AUTO's decisions take is no cost of the devices.
        let decided = if matches!(lesson, Lesson::Chosen(..)) { took.planned } else { Seconds::ZERO };
        let took_part = || logs.iter().enumerate().filter(|(_, log)| log.report.iterations > 0);
        let company = company(took_part().map(|(index, _)| members[index].model.memory));
        let ends = took_part()
            .filter_map(|(index, log)| Some((index, log.report.pieces.iter().map(end).reduce(Seconds::max)?)));
        let Some((last, end)) = ends.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)) else { return };
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let shape = Shape::of(profile);
        let ran: SmallVec<[_; 8]> = took_part()
            .map(|(index, log)| Ran {
                memory: members[index].model.memory,
                report: &log.report,
                waits: &log.waits,
                woken: log.woken,
            })
            .collect();
        let by_company = if teaches { by_company(&ran) } else { vec![Vec::new(); ran.len()] };
        let mut state = self.state();
        for ((index, log), by_company) in took_part().zip(by_company) {
            let key = &consulted.keys[index];
            if state.seen.len() >= SEEN {
                // All kinds count as cold once more.
                state.seen.clear();
            }
            let cold = state.is_cold(kind_of(members[index].id, key, profile), log.prepared);
            if !teaches {
                continue;
            }
            let waited = log.waits.first().filter(|(before, _)| *before == 0).map_or(Seconds::ZERO, |(_, time)| *time);
            // The device that ends last holds up the caller's return.
            let tail = if index == last { took.whole - end } else { Seconds::ZERO };
            let mut once = log.report.pieces.first().map(|piece| start(piece) - decided - waited + log.woken + tail);
            let mut seen = |company, once, stages| {
                let seen = Observation { shape, company, iterations: profile.iterations, at, cold, once, stages };
                state.pending.push((key.clone(), seen));
            };
            for (with, stages) in by_company {
                let own = if with == company { once.take() } else { None };
                seen(with, own, stages);
            }
            if once.is_some() {
                seen(company, once, Stages::default());
            }
        }
        let whole = match lesson {
            Lesson::Policy(policy) => {
                let company = pieces::company(members.iter().map(|member| member.model.memory));
                Key::of_loops(&consulted.keys, policy).map(|key| (key, company))
            }
            Lesson::Chosen(policy, slots) => {
                let keys: SmallVec<[Key; 4]> = slots.iter().map(|slot| consulted.keys[slot.0].clone()).collect();
                let company = pieces::company(slots.iter().map(|slot| members[slot.0].model.memory));
                Key::of_loops(&keys, &policy.to_string()).map(|key| (key, company))
            }
            Lesson::Ran | Lesson::Devices => None,
        };
        if let Some((key, company)) = whole {
            let cold = state.is_cold(kind_of(WHOLE, &key, profile), prepared(logs));
            let iterations = profile.iterations;
            // A loop that AUTO decided anew says nothing of the time from call to return.
            let once = Some(took.whole).filter(|_| !matches!(lesson, Lesson::Chosen(..)));
            let stages = [Vec::new(), vec![(iterations, took.once_planned())], Vec::new()];
            state.pending.push((key, Observation { shape, company, iterations, at, cold, once, stages }));
        }
        if state.pending.len() >= PENDING {
            state.add_pending(self.frozen());
        }
        if self.file.is_some() && state.is_due() {
            drop(state);
            self.write_beside();
        }
    }
}

/// Whether a device allocated or compiled something in a loop.
pub(in crate::runtime) fn prepared(logs: &[&mut Log]) -> bool {
    logs.iter().any(|log| log.prepared)
}
