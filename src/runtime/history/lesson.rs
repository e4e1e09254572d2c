//! What a loop that ended adds to the history.

use super::pieces::{Ran, Stages, by_company, company, extent};
use super::samples::{State, kind_by};
use super::{Consulted, Keeper, LoopQuery, StandingChoice, file};
use crate::model::history::{Company, Key, Observation, Shape};
use crate::model::{LoopProfile, MemoryKind};
use crate::runtime::Member;
use crate::runtime::proxy::Log;
use crate::runtime::report::PieceRecord;
use crate::sched::{Policy, Verdict};
use crate::space::{DeviceId, Slot};
use crate::units::Seconds;
use smallvec::SmallVec;

/// Stands for whole loops in place of a device.
const WHOLE: DeviceId = DeviceId(usize::MAX);
/// Most entries of [`State::seen`](super::samples::State::seen).
const SEEN: usize = 4096;
/// Most observations that wait to be added.
const PENDING: usize = 256;
/// Most loops of which it is not worked out yet what they teach.
const LEFT: usize = 16;
/// Most pieces of a loop for which it is left to the next: that loop's device waits for it, 0.7 us for each piece. What longer ones
/// teach another thread works out: 3 to 5 ms for axpy of 1e9 over plain arrays on two and four H200.
const PIECES: usize = 256;
/// After shorter loops it is worked out at once: the next one is probably as short, and would take longer for it.
const LONG: Seconds = Seconds(2e-4);

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

    /// Keeps what a loop teaches, to be worked out and added later. `logs` are in the order of `members`.
    pub fn record(
        &self,
        consulted: &Consulted,
        members: &[&Member],
        profile: &LoopProfile,
        logs: &[&mut Log],
        took: Took,
        lesson: Lesson<'_>,
    ) {
        let took_part = || logs.iter().enumerate().filter(|(_, log)| log.report.iterations > 0);
        let pieces: usize = took_part().map(|(_, log)| log.report.pieces.len()).sum();
        if pieces == 0 {
            return;
        }
        let (shape, iterations) = (Shape::of(profile), profile.iterations);
        let mut state = self.state();
        let mut devices = SmallVec::new();
        for (index, log) in took_part() {
            let key = &consulted.keys[index];
            if state.seen.len() >= SEEN {
                // All kinds count as cold once more.
                state.seen.clear();
            }
            let cold = state.is_cold(kind_by(members[index].id, key, shape, iterations), log.prepared);
            if lesson == Lesson::Ran {
                continue;
            }
            devices.push(Part {
                key: key.clone(),
                memory: members[index].model.memory,
                pieces: log.report.pieces.clone(),
                waits: log.waits.clone(),
                woken: log.woken,
                cold,
            });
        }
        let whole = match lesson {
            Lesson::Policy(policy) => Some(Whole {
                keys: consulted.keys.iter().cloned().collect(),
                policy: policy.to_owned(),
                company: company(members.iter().map(|member| member.model.memory)),
                chosen: false,
                prepared: prepared(logs),
            }),
            Lesson::Chosen(policy, slots) => Some(Whole {
                keys: slots.iter().map(|slot| consulted.keys[slot.0].clone()).collect(),
                policy: policy.to_string(),
                company: company(slots.iter().map(|slot| members[slot.0].model.memory)),
                chosen: true,
                prepared: prepared(logs),
            }),
            Lesson::Ran | Lesson::Devices => None,
        };
        if lesson != Lesson::Ran {
            let at = state.stamp(file::now());
            state.ended.push(Ended { shape, iterations, at, took, devices, whole });
        }
        // Left to the next loop if that probably has time for it while devices with memory of their own work.
        let waits = |(index, _): (usize, &&mut Log)| members[index].model.memory == MemoryKind::Discrete;
        if took.whole < LONG || !took_part().any(waits) {
            state.work_out();
        } else if pieces > PIECES {
            state.work_out_beside();
        } else if state.ended.len() > LEFT {
            state.work_out();
        }
        if state.pending.len() >= PENDING {
            state.add_pending(self.frozen());
        }
        if self.file.is_some() && state.is_due() {
            drop(state);
            self.write_beside();
        }
    }

    /// Works out what the last loops teach, unless another thread asks the history. For a moment in which nobody waits.
    pub fn work_out(&self) {
        if let Ok(mut state) = self.state.try_lock() {
            state.work_out();
        }
    }
}

/// A loop that ended. What its pieces tell is worked out later: that takes tens of microseconds, in which the caller would wait.
pub(super) struct Ended {
    shape: Shape,
    iterations: u64,
    /// When it ended, in microseconds since 1970.
    at: u64,
    took: Took,
    /// Those that took part.
    devices: SmallVec<[Part; 4]>,
    whole: Option<Whole>,
}

/// What a device did in it.
struct Part {
    key: Key,
    memory: MemoryKind,
    pieces: Vec<PieceRecord>,
    waits: SmallVec<[(usize, Seconds); 1]>,
    woken: Seconds,
    cold: bool,
}

/// Under which policy, and on which devices, its time counts as that of a whole loop.
struct Whole {
    keys: SmallVec<[Key; 4]>,
    policy: String,
    company: Company,
    /// By AUTO.
    chosen: bool,
    prepared: bool,
}

impl State {
    /// Adds the observations of loops that ended to those that wait.
    pub(super) fn work_out(&mut self) {
        for ended in std::mem::take(&mut self.ended) {
            self.pending.extend(ended.of_devices());
            self.work_out_whole(&ended);
        }
    }

    /// The same on a thread of its own, if there is one: loops that begin meanwhile do without.
    fn work_out_beside(&mut self) {
        let ended = std::mem::take(&mut self.ended);
        ended.iter().for_each(|ended| self.work_out_whole(ended));
        if let Err(ended) = self.beside.begin(ended) {
            self.pending.extend(ended.iter().flat_map(Ended::of_devices));
        }
    }

    fn work_out_whole(&mut self, ended: &Ended) {
        let &Ended { shape, iterations, at, took, .. } = ended;
        let Some(Whole { keys, policy, company, chosen, prepared }) = &ended.whole else { return };
        let Some(key) = Key::of_loops(keys, policy) else { return };
        let cold = self.is_cold(kind_by(WHOLE, &key, shape, iterations), *prepared);
        // A loop that AUTO decided anew says nothing of the time from call to return.
        let once = Some(took.whole).filter(|_| !chosen);
        let stages = [Vec::new(), vec![(iterations, took.once_planned())], Vec::new()];
        self.pending.push((key, Observation { shape, company: *company, iterations, at, cold, once, stages }));
    }
}

impl Ended {
    /// What it tells of its devices.
    pub(super) fn of_devices(&self) -> Vec<(Key, Observation)> {
        let &Self { shape, iterations, at, took, ref devices, ref whole } = self;
        let mut all = Vec::with_capacity(devices.len());
        let chosen = whole.as_ref().is_some_and(|whole| whole.chosen);
        // What AUTO's decisions take is no cost of the devices.
        let decided = if chosen { took.planned } else { Seconds::ZERO };
        let of_all = company(devices.iter().map(|part| part.memory));
        let ends = devices.iter().enumerate();
        let ends = ends.filter_map(|(index, part)| {
            Some((index, part.pieces.iter().map(|piece| extent(piece).end).reduce(Seconds::max)?))
        });
        let last = ends.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
        let ran: SmallVec<[_; 8]> = devices.iter().map(Part::ran).collect();
        for (index, (part, by_company)) in devices.iter().zip(by_company(&ran)).enumerate() {
            let Part { key, pieces, waits, woken, cold, .. } = part;
            let waited = waits.first().filter(|(before, _)| *before == 0).map_or(Seconds::ZERO, |(_, time)| *time);
            // The device that ends last holds up the caller's return.
            let tail = last.filter(|(last, _)| *last == index).map_or(Seconds::ZERO, |(_, end)| took.whole - end);
            let mut once = pieces.first().map(|piece| extent(piece).start - decided - waited + *woken + tail);
            let mut seen = |company, once, stages| {
                let seen = Observation { shape, company, iterations, at, cold: *cold, once, stages };
                all.push((key.clone(), seen));
            };
            for (with, stages) in by_company {
                let own = if with == of_all { once.take() } else { None };
                seen(with, own, stages);
            }
            if once.is_some() {
                seen(of_all, once, Stages::default());
            }
        }
        all
    }
}

impl Part {
    fn ran(&self) -> Ran<'_> {
        Ran { memory: self.memory, pieces: &self.pieces, waits: &self.waits, woken: self.woken }
    }
}

/// Whether a device allocated or compiled something in a loop.
pub(in crate::runtime) fn prepared(logs: &[&mut Log]) -> bool {
    logs.iter().any(|log| log.prepared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Span;
    use crate::model::Machine;
    use crate::prelude::*;
    use crate::runtime::history::HistoryFile;
    use crate::runtime::history::samples::tests::key;
    use crate::space::IterRange;
    use std::time::Instant;

    #[test]
    fn each_device_and_the_whole_loop_are_worked_out_once() {
        let span = |start: f64, end: f64| Some(Span { start: Seconds(start), end: Seconds(end) });
        let part = |name: &str, start: f64, end: f64| Part {
            key: key(name),
            memory: MemoryKind::Discrete,
            pieces: vec![PieceRecord {
                range: IterRange::new(0, 8),
                kernel: span(start, end),
                ..PieceRecord::default()
            }],
            waits: SmallVec::new(),
            woken: Seconds(0.25),
            cold: name == "a",
        };
        let took = Took { whole: Seconds(5.0), planned: Seconds(0.5) };
        let ended = |chosen: bool| Ended {
            shape: Shape::default(),
            iterations: 16,
            at: 7,
            took,
            devices: [part("a", 1.0, 3.0), part("b", 1.0, 4.0)].into_iter().collect(),
            whole: Some(Whole {
                keys: [key("a"), key("b")].into_iter().collect(),
                policy: "BLOCK".to_owned(),
                company: Company { shared: 0, discrete: 2 },
                chosen,
                prepared: false,
            }),
        };
        let mut state = State::default();
        state.ended.extend([ended(false), ended(true)]);
        state.work_out();
        assert!(state.ended.is_empty());
        let once = state.pending.iter().map(|(_, seen)| seen.once.map(|once| once.0));
        // From the call to the start, what waking took, and for the last the return; AUTO's decision is no cost.
        assert_eq!(
            once.collect::<Vec<_>>(),
            [1.25, 2.25, 5.0, 0.75, 1.75].map(Some).into_iter().chain([None]).collect::<Vec<_>>()
        );
        let whole = &state.pending[2].1;
        assert_eq!((whole.stages[1].clone(), whole.cold), (vec![(16, Seconds(4.5))], true));
        let cold: Vec<bool> = state.pending.iter().map(|(_, seen)| seen.cold).collect();
        assert_eq!(cold, [true, false, true, true, false, false]);
        state.work_out();
        assert_eq!(state.pending.len(), 6);
    }

    /// A host, four GPUs and two accelerators, all emulated.
    const NODE: &str = include_str!("../../../machines/fornax.json");

    #[test]
    fn what_a_loop_on_gpus_teaches_is_worked_out_while_those_of_the_next_work() {
        let folder = tempfile::TempDir::new().unwrap();
        let rt = Runtime::from_machine(Machine::from_json(NODE).unwrap()).unwrap();
        let rt = rt.with_history(HistoryFile::at(folder.path().join("history.json")));
        let keeper = rt.history.as_ref().unwrap();
        let waiting = || keeper.state().ended.len();
        let kernel =
            |flops: usize| Kernel::new("k").host(|_: Range<usize>| ()).cost(Cost::per_iteration().flops(flops));
        let run = |flops: usize, devices: &str, policy: Policy| {
            // However slow the machine is, it is not time to write the file.
            keeper.state().written = Some(Instant::now());
            rt.parallel_for(0..10_000_u64, kernel(flops).bind()).devices(devices).policy(policy).run().unwrap();
            waiting()
        };
        // One millisecond and more.
        for _ in 0..40 {
            assert_eq!(run(1_000_000, "1,2", Policy::Model2), 1, "each works out what the one before left");
        }
        // The host alone: at once. Many pieces: on another thread.
        assert_eq!(run(10, "0", Policy::Block), 0);
        assert_eq!(run(1_000_000, "1,2", Policy::Model2), 1);
        assert_eq!(run(100_000, "1,2", "SCHED_DYNAMIC:0.2%".parse().unwrap()), 0);
        // Whoever asks has it worked out before.
        assert_eq!(run(1_000_000, "1,2", Policy::Model2), 1);
        rt.save_history().unwrap();
        assert_eq!(waiting(), 0);
    }

    #[test]
    fn what_a_loop_of_many_pieces_teaches_is_there_for_whoever_asks() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = HistoryFile::at(folder.path().join("history.json"));
        let rt = Runtime::from_machine(Machine::from_json(NODE).unwrap()).unwrap().with_history(file.clone());
        let kernel = Kernel::new("many").host(|_: Range<usize>| ()).cost(Cost::per_iteration().flops(100_000));
        let samples = |history: &crate::model::History| {
            let of_devices = history.tables().filter(|(key, _)| key.policy.is_none());
            of_devices.map(|(_, table)| table.once.samples.len()).sum::<usize>()
        };
        for loops in 1..4 {
            let of_loop = || rt.parallel_for(0..10_000_u64, kernel.bind()).devices("1,2");
            let report = of_loop().policy("SCHED_DYNAMIC:0.2%".parse::<Policy>().unwrap()).run().unwrap();
            assert!(report.devices.iter().map(|device| device.pieces.len()).sum::<usize>() > PIECES);
            if loops == 2 {
                of_loop().policy(Policy::Model2).predict().unwrap();
                let keeper = rt.history.as_ref().unwrap();
                assert!(!keeper.state().beside.is_at_work(), "who predicts has all that is known");
            }
            rt.save_history().unwrap();
            // One for each device; the first ones, which are cold, go with the second loop.
            assert_eq!(samples(&file.load().unwrap()), 2 * (loops - 1).max(1));
        }
    }
}
