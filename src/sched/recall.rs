//! Answers to the problems that were solved last. An iterative application repeats its loops, and solving one anew takes as long as
//! a short loop does.

use super::cutoff::Cutoff;
use super::policy::{Apart, Problem, Tried};
use crate::model::{DeviceCost, LoopProfile, SharedOut};
use crate::units::{Bytes, Seconds};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Problems kept of each kind of answer.
const KEPT: usize = 32;
/// Sums of figures that are near may differ by this part more.
const ROUNDED: f64 = 1e-12;

/// The last problems and their answers, the newest first.
pub(super) struct Recall<A>(Mutex<VecDeque<(Solved, A)>>);

/// Everything that an answer may depend on.
struct Solved {
    iterations: u64,
    /// The sum of all devices' times for an iteration: where it is not near, one of them is not. It is at hand, where the costs are
    /// elsewhere in memory.
    paces: f64,
    granule: u64,
    devices: Vec<DeviceCost>,
    device_types: Vec<String>,
    profile: LoopProfile,
    cutoff: Cutoff,
    min_sample: u64,
    measured: bool,
    thorough: bool,
    tried: Vec<Tried>,
    alone: Vec<DeviceCost>,
    apart: Vec<Apart>,
}

/// How a problem compares with one that was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// It is the same.
    Same,
    /// Some figures differ, by no more than was allowed.
    Near,
}

/// Compares figures with those that an answer was made from: each may differ by a part of that one.
struct Figures {
    within: f64,
    same: bool,
}

impl Figures {
    fn near(&mut self, now: f64, then: f64) -> bool {
        self.same &= now == then;
        // Nothing is near to an infinite time, or to none.
        now == then || (now - then).abs() <= self.within * then.abs().min(f64::MAX)
    }

    fn all<const N: usize>(&mut self, pairs: [(f64, f64); N]) -> bool {
        pairs.into_iter().all(|(now, then)| self.near(now, then))
    }

    fn counts(&mut self, now: u64, then: u64) -> bool {
        self.same &= now == then;
        now == then || now.abs_diff(then) as f64 <= self.within * then as f64
    }

    /// Each of these is compared: a field that is added is missing here.
    fn cost(&mut self, now: &DeviceCost, then: &DeviceCost) -> bool {
        // Most differ in the first figure or in none.
        if now == then {
            return true;
        }
        let &DeviceCost {
            flop_time,
            memory_bound,
            once,
            to_chunk,
            kernel_chunk,
            from_chunk,
            issue,
            known_after,
            to,
            kernel,
            from,
            host_memory,
            host_memory_once,
            ref draws,
            steady,
            scatter,
            overlap,
            shared,
            threads: SharedOut { pieces, pieces_of_long, piece },
        } = then;
        memory_bound == now.memory_bound
            && overlap == now.overlap
            && shared == now.shared
            && self.all([
                (now.kernel.0, kernel.0),
                (now.to.0, to.0),
                (now.from.0, from.0),
                (now.once.0, once.0),
                (now.flop_time.0, flop_time.0),
                (now.to_chunk.0, to_chunk.0),
                (now.kernel_chunk.0, kernel_chunk.0),
                (now.from_chunk.0, from_chunk.0),
                (now.issue.0, issue.0),
                (now.known_after.0, known_after.0),
                (now.host_memory.0, host_memory.0),
                (now.host_memory_once.0, host_memory_once.0),
                // Contention slows in proportion to this.
                (1.0 - now.steady, 1.0 - steady),
                (now.scatter, scatter),
                (now.threads.pieces, pieces),
                (now.threads.pieces_of_long, pieces_of_long),
                (now.threads.piece.0, piece.0),
            ])
            && now.draws.iter().count() == draws.iter().count()
            && now.draws.iter().zip(draws.iter()).all(|(now, then)| {
                now.capacity == then.capacity
                    && now.during == then.during
                    && self.all([(now.once.0, then.once.0), (now.per_iteration.0, then.per_iteration.0)])
            })
    }

    fn costs(&mut self, now: &[DeviceCost], then: &[DeviceCost]) -> bool {
        now.len() == then.len() && now.iter().zip(then).all(|(now, then)| self.cost(now, then))
    }

    /// But for the number of iterations.
    fn profile(&mut self, now: &LoopProfile, then: &LoopProfile) -> bool {
        let &LoopProfile {
            iterations: _,
            precision,
            flops,
            memory_bytes,
            written,
            only_written,
            aligned_in,
            aligned_out,
            aligned_allocated,
            replicated_in: Bytes(replicated_in),
            plain_in,
            plain_out,
            plain_replicated: Bytes(plain_replicated),
            plain_longer,
            halo_in: Bytes(halo_in),
            transfers_in,
            transfers_out,
            replicated_transfers,
            allocations,
            irregular,
            fixed_ranges,
            library,
        } = then;
        precision == now.precision
            && [transfers_in, transfers_out, replicated_transfers, allocations]
                == [now.transfers_in, now.transfers_out, now.replicated_transfers, now.allocations]
            && [irregular, fixed_ranges, library] == [now.irregular, now.fixed_ranges, now.library]
            && self.all([
                (now.flops.0, flops.0),
                (now.memory_bytes, memory_bytes),
                (now.written, written),
                (now.only_written, only_written),
                (now.aligned_in, aligned_in),
                (now.aligned_out, aligned_out),
                (now.aligned_allocated, aligned_allocated),
                (now.plain_in, plain_in),
                (now.plain_out, plain_out),
                (now.plain_longer, plain_longer),
            ])
            && self.counts(now.replicated_in.0, replicated_in)
            && self.counts(now.plain_replicated.0, plain_replicated)
            && self.counts(now.halo_in.0, halo_in)
    }

    fn tried(&mut self, now: &Tried, then: &Tried) -> bool {
        let Tried { policy, devices, time, predicted, loops, hope } = then;
        let nothing = |time: Option<Seconds>| time.map_or(f64::NAN, |time| time.0);
        *loops == now.loops
            && *devices == now.devices
            && *policy == now.policy
            && predicted.is_some() == now.predicted.is_some()
            && (predicted.is_none() || self.near(nothing(now.predicted), nothing(*predicted)))
            && self.all([(now.time.0, time.0), (now.hope, *hope)])
    }

    fn apart(&mut self, now: &Apart, then: &Apart) -> bool {
        let Apart { devices, costs } = then;
        *devices == now.devices && self.costs(&now.costs, costs)
    }
}

impl Solved {
    /// Whether no figure of the problem, whose [`paces`] are `at`, differs from this one's by more than `within`, as a part of this one's.
    fn is(&self, problem: &Problem, at: f64, within: f64) -> Option<Likeness> {
        let Self {
            iterations,
            paces,
            granule,
            devices,
            device_types,
            profile,
            cutoff,
            min_sample,
            measured,
            thorough,
            tried,
            alone,
            apart,
        } = self;
        let mut figures = Figures { within, same: true };
        if !figures.counts(problem.iterations, *iterations) {
            return None;
        }
        if at != *paces && (within <= 0.0 || (at - paces).abs() > (within + ROUNDED) * paces.abs()) {
            return None;
        }
        // A device's time is that of an iteration by their number, so what one has changed by the other may not.
        if !figures.same {
            figures.within -= problem.iterations.abs_diff(*iterations) as f64 / *iterations as f64;
        }
        let near = *granule == problem.granule
            && figures.costs(problem.devices, devices)
            && *cutoff == problem.cutoff
            && *measured == problem.measured
            && *thorough == problem.thorough
            && *device_types == problem.device_types
            && figures.profile(problem.profile, profile)
            && figures.counts(problem.min_sample, *min_sample)
            && tried.len() == problem.tried.len()
            && problem.tried.iter().zip(tried).all(|(now, then)| figures.tried(now, then))
            && figures.costs(problem.alone, alone)
            && apart.len() == problem.apart.len()
            && problem.apart.iter().zip(apart).all(|(now, then)| figures.apart(now, then));
        near.then_some(if figures.same { Likeness::Same } else { Likeness::Near })
    }
}

fn paces(problem: &Problem) -> f64 {
    problem.devices.iter().map(|cost| (cost.kernel + cost.to + cost.from).0).sum()
}

impl From<&Problem<'_>> for Solved {
    fn from(problem: &Problem) -> Self {
        Self {
            iterations: problem.iterations,
            paces: paces(problem),
            granule: problem.granule,
            devices: problem.devices.to_vec(),
            device_types: problem.device_types.iter().map(|&name| name.to_owned()).collect(),
            profile: problem.profile.clone(),
            cutoff: problem.cutoff,
            min_sample: problem.min_sample,
            measured: problem.measured,
            thorough: problem.thorough,
            tried: problem.tried.to_vec(),
            alone: problem.alone.to_vec(),
            apart: problem.apart.to_vec(),
        }
    }
}

#[cfg(test)]
impl<A> Recall<A> {
    pub fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl<A: Clone> Recall<A> {
    /// Knows no problem yet.
    pub const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The answer to `problem`, which `solve` gives if it is not known.
    ///
    /// # Errors
    /// That of `solve`; the next such problem is solved again.
    pub fn answer<E>(&self, problem: &Problem, solve: impl FnOnce() -> Result<A, E>) -> Result<A, E> {
        self.answer_near(problem, 0.0, solve).map(|(answer, _)| answer)
    }

    /// The same, or the answer to a problem no figure of which differs from this one's by more than `within`, as a part of that one's.
    /// Only what was solved is kept: answers do not drift from near problem to near problem.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub fn answer_near<E>(
        &self,
        problem: &Problem,
        within: f64,
        solve: impl FnOnce() -> Result<A, E>,
    ) -> Result<(A, Likeness), E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = paces(problem);
        let found = {
            let known = known();
            let by = |within| known.iter().find_map(|(solved, answer)| Some((answer, solved.is(problem, at, within)?)));
            // The same problem goes before one that is near and was solved later.
            by(0.0).or_else(|| by(within)).map(|(answer, likeness)| (answer.clone(), likeness))
        };
        if let Some(answer) = found {
            return Ok(answer);
        }
        // Without the lock: other threads need not wait for a long solution.
        let answer = solve()?;
        let solved = Solved::from(problem);
        let mut known = known();
        known.truncate(KEPT - 1);
        known.push_front((solved, answer.clone()));
        Ok((answer, Likeness::Same))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Precision;
    use crate::model::Overlap;
    use crate::model::contention::{Draw, Draws, During};
    use crate::sched::Policy;
    use crate::space::Slot;
    use crate::units::{Flops, Percent};
    use std::cell::Cell;

    #[test]
    fn a_problem_is_solved_once_and_any_other_anew() {
        let recall = Recall::new();
        let solved = Cell::new(0);
        let answer = |problem: &Problem| {
            let solve = || {
                solved.set(solved.get() + 1);
                Ok::<_, ()>(solved.get())
            };
            recall.answer(problem, solve).unwrap()
        };
        let cost = |per: f64| DeviceCost { kernel: Seconds(per), ..DeviceCost::default() };
        let (costs, others) = ([cost(1.0), cost(2.0)], [cost(1.0), cost(3.0)]);
        let (profile, heavier) = (LoopProfile::default(), LoopProfile { memory_bytes: 1.0, ..LoopProfile::default() });
        let problem = Problem::new(10, &costs, &profile);
        let tried = [Tried {
            policy: Policy::Block,
            devices: vec![Slot(0)],
            time: Seconds(1.0),
            predicted: None,
            loops: 1,
            hope: 1.0,
        }];
        let apart = [Apart { devices: vec![Slot(0)], costs: others.to_vec() }];
        let all = [
            problem.clone(),
            Problem::new(11, &costs, &profile),
            Problem::new(10, &others, &profile),
            Problem::new(10, &costs, &heavier),
            Problem { granule: 2, ..problem.clone() },
            Problem { device_types: &["A", "B"], ..problem.clone() },
            Problem { cutoff: Cutoff::Benefit(Percent::from_millionths(1)), ..problem.clone() },
            Problem { min_sample: 7, ..problem.clone() },
            Problem { measured: true, ..problem.clone() },
            Problem { thorough: true, ..problem.clone() },
            Problem { tried: &tried, ..problem.clone() },
            Problem { alone: &others, ..problem.clone() },
            Problem { apart: &apart, ..problem.clone() },
        ];
        for round in 0..2 {
            for (expected, problem) in (1..).zip(&all) {
                assert_eq!(answer(problem), expected, "round {round}");
            }
        }
        // The oldest are forgotten.
        for n in 100..100 + KEPT as u64 {
            answer(&Problem::new(n, &costs, &profile));
        }
        assert_eq!(answer(&problem), all.len() + KEPT + 1);
    }

    #[test]
    fn the_same_problem_goes_before_one_that_is_near() {
        let recall = Recall::new();
        let answer = |iterations: u64, within: f64| {
            let problem = Owned { iterations, ..Owned::new() };
            recall.answer_near(&problem.problem(), within, || Ok::<_, ()>(iterations)).unwrap()
        };
        assert_eq!(answer(1_000_000, 0.01), (1_000_000, Likeness::Same));
        // Solved later, without a tolerance.
        assert_eq!(answer(999_000, 0.0), (999_000, Likeness::Same));
        assert_eq!(answer(1_000_000, 0.01), (1_000_000, Likeness::Same));
        assert_eq!(answer(999_500, 0.01), (999_000, Likeness::Near));
    }

    /// A problem that can be changed figure by figure.
    #[derive(Clone)]
    struct Owned {
        iterations: u64,
        granule: u64,
        min_sample: u64,
        costs: Vec<DeviceCost>,
        alone: Vec<DeviceCost>,
        apart: Vec<Apart>,
        types: Vec<&'static str>,
        profile: LoopProfile,
        cutoff: Cutoff,
        measured: bool,
        tried: Vec<Tried>,
    }

    impl Owned {
        fn new() -> Self {
            let s = Seconds;
            let mut draws = Draws::default();
            for capacity in 0..2 {
                draws.push(Draw { capacity, once: s(21.0), per_iteration: s(22.0), during: During::Work });
            }
            let cost = DeviceCost {
                flop_time: s(1.0),
                memory_bound: true,
                once: s(2.0),
                to_chunk: s(3.0),
                kernel_chunk: s(4.0),
                from_chunk: s(5.0),
                issue: s(6.0),
                known_after: s(7.0),
                to: s(8.0),
                kernel: s(9.0),
                from: s(10.0),
                host_memory: s(11.0),
                host_memory_once: s(12.0),
                draws,
                steady: -1.0,
                scatter: 0.1,
                overlap: Overlap::Full,
                shared: false,
                threads: SharedOut { pieces: 4.0, pieces_of_long: 8.0, piece: s(13.0) },
            };
            let tried = Tried {
                policy: Policy::Block,
                devices: vec![Slot(0)],
                time: s(14.0),
                predicted: Some(s(15.0)),
                loops: 2,
                hope: 1.25,
            };
            Self {
                iterations: 1_000_000,
                granule: 1,
                min_sample: 100_000,
                costs: vec![cost; 3],
                alone: vec![cost; 3],
                apart: vec![Apart { devices: vec![Slot(0), Slot(1)], costs: vec![cost; 3] }],
                types: vec!["A", "B", "B"],
                profile: LoopProfile {
                    iterations: 1_000_000,
                    flops: Flops(1.0),
                    memory_bytes: 2.0,
                    written: 3.0,
                    only_written: 4.0,
                    aligned_in: 5.0,
                    aligned_out: 6.0,
                    aligned_allocated: 7.0,
                    replicated_in: Bytes(8_000_000),
                    plain_in: 9.0,
                    plain_out: 10.0,
                    plain_replicated: Bytes(11_000_000),
                    plain_longer: 12.0,
                    halo_in: Bytes(13_000_000),
                    transfers_in: 1,
                    transfers_out: 2,
                    replicated_transfers: 3,
                    allocations: 4,
                    ..LoopProfile::default()
                },
                cutoff: Cutoff::Benefit(Percent::from_millionths(20_000)),
                measured: false,
                tried: vec![tried],
            }
        }

        fn problem(&self) -> Problem<'_> {
            Problem {
                granule: self.granule,
                min_sample: self.min_sample,
                alone: &self.alone,
                apart: &self.apart,
                device_types: &self.types,
                cutoff: self.cutoff,
                measured: self.measured,
                tried: &self.tried,
                ..Problem::new(self.iterations, &self.costs, &self.profile)
            }
        }
    }

    type Change = fn(&mut Owned, f64);

    fn count(figure: &mut u64, by: f64) {
        *figure = (*figure as f64 * by).round() as u64;
    }

    fn time(figure: &mut Seconds, by: f64) {
        *figure = *figure * by;
    }

    /// One figure each. Those of a device's cost are changed by `of_a_cost`.
    const FIGURES: &[Change] = &[
        |of, by| count(&mut of.iterations, by),
        |of, by| count(&mut of.min_sample, by),
        |of, by| time(&mut of.tried[0].time, by),
        |of, by| time(of.tried[0].predicted.as_mut().unwrap(), by),
        |of, by| of.tried[0].hope *= by,
        |of, by| of.profile.flops.0 *= by,
        |of, by| of.profile.memory_bytes *= by,
        |of, by| of.profile.written *= by,
        |of, by| of.profile.only_written *= by,
        |of, by| of.profile.aligned_in *= by,
        |of, by| of.profile.aligned_out *= by,
        |of, by| of.profile.aligned_allocated *= by,
        |of, by| count(&mut of.profile.replicated_in.0, by),
        |of, by| of.profile.plain_in *= by,
        |of, by| of.profile.plain_out *= by,
        |of, by| count(&mut of.profile.plain_replicated.0, by),
        |of, by| of.profile.plain_longer *= by,
        |of, by| count(&mut of.profile.halo_in.0, by),
    ];
    const OF_A_COST: &[fn(&mut DeviceCost, f64)] = &[
        |of, by| time(&mut of.flop_time, by),
        |of, by| time(&mut of.once, by),
        |of, by| time(&mut of.to_chunk, by),
        |of, by| time(&mut of.kernel_chunk, by),
        |of, by| time(&mut of.from_chunk, by),
        |of, by| time(&mut of.issue, by),
        |of, by| time(&mut of.known_after, by),
        |of, by| time(&mut of.to, by),
        |of, by| time(&mut of.kernel, by),
        |of, by| time(&mut of.from, by),
        |of, by| time(&mut of.host_memory, by),
        |of, by| time(&mut of.host_memory_once, by),
        |of, by| of.steady = 1.0 - (1.0 - of.steady) * by,
        |of, by| of.scatter *= by,
        |of, by| of.threads.pieces *= by,
        |of, by| of.threads.pieces_of_long *= by,
        |of, by| time(&mut of.threads.piece, by),
        |of, by| of.draws = changed(&of.draws, |draw| time(&mut draw.once, by)),
        |of, by| of.draws = changed(&of.draws, |draw| time(&mut draw.per_iteration, by)),
    ];
    /// What is no figure and may not change at all.
    const OTHERS: &[fn(&mut Owned)] = &[
        |of| of.granule = 2,
        |of| of.types[2] = "A",
        |of| of.cutoff = Cutoff::Share(None),
        |of| of.cutoff = Cutoff::Benefit(Percent::from_millionths(20_001)),
        |of| of.measured = true,
        |of| of.tried[0].policy = Policy::Model2,
        |of| of.tried[0].devices = vec![Slot(1)],
        |of| of.tried[0].loops = 5,
        |of| of.tried[0].predicted = None,
        |of| of.tried.clear(),
        |of| of.alone.clear(),
        |of| of.apart.clear(),
        |of| of.apart[0].devices = vec![Slot(2)],
        |of| of.costs.truncate(2),
        |of| of.costs[1].memory_bound = false,
        |of| of.costs[1].shared = true,
        |of| of.costs[1].overlap = Overlap::None,
        |of| of.costs[1].draws = Draws::default(),
        |of| of.costs[1].draws = changed(&of.costs[1].draws, |draw| draw.capacity += 7),
        |of| of.costs[1].draws = changed(&of.costs[1].draws, |draw| draw.during = During::CopyIn),
        |of| of.costs[1].once = Seconds::ZERO,
        |of| of.costs[1].once = Seconds(f64::INFINITY),
        |of| of.costs[1].once = Seconds(f64::NAN),
        |of| of.profile.precision = Precision::F64,
        |of| of.profile.transfers_in = 7,
        |of| of.profile.transfers_out = 7,
        |of| of.profile.replicated_transfers = 7,
        |of| of.profile.allocations = 7,
        |of| of.profile.irregular = true,
        |of| of.profile.fixed_ranges = true,
        |of| of.profile.library = true,
        // The arrays are page-locked now, or come to lie on the devices.
        |of| of.profile.plain_in = 0.0,
        |of| of.profile.plain_replicated = Bytes(0),
        |of| of.profile.aligned_in = 0.0,
    ];

    fn changed(draws: &Draws, mut change: impl FnMut(&mut Draw)) -> Draws {
        let mut new = Draws::default();
        for mut draw in draws.iter().copied() {
            change(&mut draw);
            new.push(draw);
        }
        new
    }

    /// How `other` compares with a problem that was solved.
    fn compare(solved: &Owned, other: &Owned) -> Option<Likeness> {
        let other = other.problem();
        Solved::from(&solved.problem()).is(&other, paces(&other), 0.01)
    }

    #[test]
    fn any_figure_that_is_off_by_more_than_allowed_makes_another_problem() {
        let solved = Owned::new();
        assert_eq!(compare(&solved, &solved), Some(Likeness::Same));
        let check = |change: &dyn Fn(&mut Owned, f64), what: String| {
            for (by, likeness) in
                [(1.009, Some(Likeness::Near)), (0.991, Some(Likeness::Near)), (1.011, None), (0.989, None)]
            {
                let mut other = solved.clone();
                change(&mut other, by);
                assert_eq!(compare(&solved, &other), likeness, "{what} by {by}");
            }
        };
        for (index, change) in FIGURES.iter().enumerate() {
            check(change, format!("figure {index}"));
        }
        for (index, change) in OF_A_COST.iter().enumerate() {
            for device in 0..3 {
                check(&|of, by| change(&mut of.costs[device], by), format!("figure {index} of device {device}"));
                check(&|of, by| change(&mut of.alone[device], by), format!("figure {index} of device {device} alone"));
                check(&|of, by| change(&mut of.apart[0].costs[device], by), format!("figure {index} apart"));
            }
        }
        for (index, change) in OTHERS.iter().enumerate() {
            let mut other = solved.clone();
            change(&mut other);
            assert_eq!(compare(&solved, &other), None, "{index}");
        }
    }

    #[test]
    fn what_the_number_of_iterations_takes_of_the_part_costs_may_not_take_again() {
        let solved = Owned::new();
        for (iterations, by, near) in [(1_004_000, 1.005, true), (1_006_000, 1.005, false), (994_000, 0.997, true)] {
            let mut other = Owned { iterations, ..solved.clone() };
            time(&mut other.costs[2].kernel, by);
            assert_eq!(compare(&solved, &other).is_some(), near, "{iterations} {by}");
        }
    }

    #[test]
    fn infinite_times_are_near_to_themselves_alone() {
        let with = |time: f64| {
            let mut of = Owned::new();
            of.tried[0].time = Seconds(time);
            of
        };
        let all = [1.0, f64::INFINITY, f64::NAN].map(with);
        let found = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (1, 2)].map(|(a, b)| compare(&all[a], &all[b]));
        let same = Some(Likeness::Same);
        assert_eq!(found, [same, same, None, None, None, None]);
    }

    #[test]
    fn near_problems_have_the_answer_of_the_solved_one_and_few_are_kept() {
        let recall = Recall::new();
        let of = |iterations: u64| Owned { iterations, ..Owned::new() };
        let answer = |iterations: u64, within: f64| {
            let solve = || Ok::<_, ()>(iterations);
            recall.answer_near(&of(iterations).problem(), within, solve).unwrap()
        };
        assert_eq!(answer(1_000_000, 0.01), (1_000_000, Likeness::Same));
        assert_eq!(answer(1_006_000, 0.01), (1_000_000, Likeness::Near));
        // Near to the last one, and not to the one that was solved.
        assert_eq!(answer(1_012_000, 0.01), (1_012_000, Likeness::Same));
        assert_eq!(answer(1_000_001, 0.0), (1_000_001, Likeness::Same));
        assert_eq!(recall.len(), 3);
        for k in 0..100 {
            answer(1_100_000 + 50_000 * k, 0.01);
            answer(1_100_100 + 50_000 * k, 0.01);
            assert!(recall.len() <= KEPT);
        }
        assert_eq!(answer(1_000_500, 0.01), (1_000_500, Likeness::Same), "the oldest are forgotten");
    }

    #[test]
    fn an_error_is_not_an_answer() {
        let recall = Recall::new();
        let (costs, profile) = ([DeviceCost::default()], LoopProfile::default());
        let problem = Problem::new(1, &costs, &profile);
        assert_eq!(recall.answer(&problem, || Err::<u8, _>("no")), Err("no"));
        assert_eq!(recall.answer(&problem, || Ok::<_, &str>(1)), Ok(1));
        assert_eq!(recall.answer(&problem, || Err("asked again")), Ok(1));
    }
}
