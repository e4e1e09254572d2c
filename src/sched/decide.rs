//! What AUTO decides: a policy, and the devices that it runs on.
//!
//! Every policy on every set of devices would be simulated in a hundred simulations and more. Most need none:
//!
//! - The sets are those of the benefit rule: of the devices that SPLIT uses, the one goes first without which the loop is
//!   predicted to take least longer, then the next; and each device alone.
//! - One block each (BLOCK, MODEL_1, MODEL_2) has its time in closed form, as has a device alone.
//! - No policy is faster on a set than SPLIT with linear costs. For each of those that hand out chunks or samples there is a bound
//!   closer than that; it is simulated only where the bound can win.
//!
//! Once the loop is divided among all of them there is so much time for other sets and policies: [`MOST_EFFORT`] of the loop, or
//! [`LEAST_EFFORT`]. Of what is predicted to take at most [`WORTH`] longer than the least, that with the fewest devices is taken.

use super::cutoff::Cutoff;
use super::division::fastest;
use super::model_2::by_splits;
use super::policy::{Policy, Problem};
use super::replay;
use super::shape::Shape;
use super::verdict::{Reason, Said, Verdict, compared};
use super::wall::{Stages, add_chunk, makespan, makespan_within};
use crate::model::contention::Splits;
use crate::model::pieces::subchunks;
use crate::model::split::{check, even, split};
use crate::model::{DeviceCost, LinearCost, Shared, most_of_a_share};
use crate::space::Slot;
use crate::units::{Percent, Seconds};
use smallvec::{SmallVec, smallvec};
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;

/// A device that does not make the loop faster by this part is left out: fewer devices, fewer ways in which the model may
/// be wrong.
pub(super) const WORTH: Percent = Percent::from_millionths(20_000);
/// Where a capacity that links share is what limits a loop, more devices are preferred that the description predicts to take at most this
/// part longer: links get what they can together only when all are busy, and few do not get as near to it. Where the model
/// has three of eight H200 as fast as all, AUTO took 73 ms for axpy of 1e9, and all 57 (`before/` in results/h200-eight-2026-11-26).
pub(super) const WIDER: f64 = 0.07;
/// Without that capacity those would take at least this part less.
const EASED: f64 = 0.1;
/// No model knows a loop's time so exactly: a tie.
pub(super) const AS_GOOD: f64 = 5e-3;
/// What a bound promises less by than this part is not looked at, and a policy of two stages is to be faster by it than one of one.
pub(super) const BETTER: f64 = 2e-2;
/// By how much longer than predicted from a description policies take that hand out chunks or samples, beside those of one block
/// each: each chunk is another way in which the model may be wrong, and what it leaves out makes them slower, never faster.
pub(super) const CHUNKED: f64 = 5e-2;
/// How many times less than predicted a device may take alone that was never tried: descriptions know nothing of caches. A look costs
/// one loop that is so much longer, if what is known is right. The cores beside an H200 were predicted to take 1.1 ms for axpy of 1e7,
/// where both took 1.8 and more; they took 0.6, and 0.5 later (`loops/fresh-plain.csv` in results/h200-standing-2026-11-23).
pub(super) const CURIOUS: f64 = 1.25;
/// Devices of one type that differ by less alone are taken to be alike there.
const LIKE: f64 = 0.1;
/// Sums of the same times in another order.
const ROUNDED: f64 = 1e-9;
/// By how much a chunk may take less time than a shorter one, where it is not of a few pieces.
const UNEVEN: f64 = 0.05;
/// Of fewer pieces than this one more may save more than that.
const FEW: u64 = 4;
/// Smaller sets that are tried in earnest.
const TRIES: usize = 6;
/// After the first division AUTO looks further for as long as this part of the time that the loop is expected to take, or this long.
/// Later loops find the decision made. With 1 %, AUTO on a host and eight GPUs missed what the model has 11 % faster (`deciding/` in
/// results/h200-eight-2026-11-26).
const MOST_EFFORT: f64 = 0.05;
const LEAST_EFFORT: f64 = 20e-6;
/// About how long it takes, for each device of a set, to time given blocks there, and to divide the loop or to simulate chunks.
const TIME_BLOCK: f64 = 1e-6;
const DIVIDE: f64 = 3e-6;

mod bounds;
mod tried;

/// AUTO's decision on a loop, afresh: AUTO itself remembers the last few.
///
/// # Errors
/// As [`Policy::start`].
pub fn decide(problem: &Problem) -> crate::Result<Verdict> {
    problem.check()?;
    if problem.granule == 1 {
        return Ok(verdict(problem));
    }
    let ([costs, alone], apart) = (problem.costs_in_granules(), problem.apart_in_granules());
    let iterations = problem.units();
    Ok(verdict(&Problem { iterations, devices: &costs, alone: &alone, apart: &apart, ..problem.clone() }))
}

/// [`WORTH`], or less where the cutoff asks for it.
pub(super) fn worth(cutoff: Cutoff) -> Percent {
    if let Cutoff::Benefit(percent) = cutoff { WORTH.min(percent) } else { WORTH }
}

/// Each device gets one chunk, at once.
fn one_block(policy: &Policy) -> bool {
    matches!(policy, Policy::Block | Policy::Model1 | Policy::Model2)
}

/// A set of devices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Set {
    /// Those that SPLIT uses, without the first few of [`Chain::removed`].
    Without(usize),
    Alone(usize),
    /// Those too that are past the finish by linear costs: what these leave out may take longer than they need to begin.
    All,
    /// Those that have memory of their own.
    Links,
    /// Those of one of [`Problem::tried`].
    Tried(usize),
}

/// A policy on a set.
struct Candidate {
    policy: Policy,
    set: Set,
    /// Devices that get anything.
    devices: usize,
    time: f64,
    /// The same as many times longer as others on these devices were found to take.
    expected: f64,
    /// That with [`CHUNKED`].
    likely: f64,
    /// What it may be, by which candidates are compared: less, where it is worth a look.
    weighed: f64,
    /// Without the wall of the host's memory: where that makes times equal, a policy whose slowest device would be done first
    /// without it is better.
    slowest: f64,
    /// It was tried.
    measured: bool,
}

#[derive(Clone, Copy)]
struct Timed {
    time: f64,
    slowest: f64,
}

/// MODEL_2 on some devices.
struct Solved {
    members: SmallVec<[usize; 12]>,
    /// Who gets anything.
    used: SmallVec<[usize; 12]>,
    timed: Timed,
    /// Nothing is faster on fewer of them either.
    settled: bool,
}

/// For a problem whose costs are per granule.
pub(super) fn verdict(problem: &Problem) -> Verdict {
    divided(problem).0
}

/// The same, with what each device gets where the search has divided the loop among all of them by the chosen policy.
pub(super) fn divided(problem: &Problem) -> (Verdict, Option<Vec<u64>>) {
    let linear: Vec<LinearCost> = problem.devices.iter().map(DeviceCost::linear).collect();
    let everyone: Vec<usize> = (0..linear.len()).collect();
    if check(&linear).is_err() || problem.iterations == 0 {
        let verdict = Verdict {
            policy: Policy::Block,
            devices: everyone.into_iter().map(Slot).collect(),
            time: Seconds::ZERO,
            expected: Seconds::ZERO,
            least: Seconds::ZERO,
            fastest: (Policy::Block, linear.len()),
            worth: WORTH,
            left_out: Vec::new(),
            handicap: Percent::from_millionths(0),
            measured: false,
            wide: false,
            curious: false,
            blind: problem.iterations > 0,
            kept: false,
            said: Said::default(),
        };
        return (verdict, None);
    }
    let splits = Splits::new(&linear, problem.shared(), &everyone, problem.iterations);
    let (worth, mut cut, mut planned) = (worth(problem.cutoff), Vec::new(), Vec::new());
    let mut kept = everyone;
    if problem.cutoff != Cutoff::None
        && let Ok(plan) = by_splits(problem, &splits)
    {
        kept.retain(|&i| plan.counts[i] > 0);
        // What devices get by what they cost by themselves is not what the policy will give them.
        if problem.apart.is_empty() {
            planned = plan.counts.into_iter().filter(|count| *count > 0).collect();
        }
        cut = plan.decision.left_out;
    }
    let mut search = Search::new(problem, &splits, kept, 1.0 + worth.fraction());
    search.planned = planned;
    let verdict = search.verdict(worth, cut);
    let counts = search.among_all.filter(|_| verdict.policy == Policy::Model2 && verdict.left_out.is_empty());
    (verdict, counts)
}

/// The order in which devices go, least useful first.
#[derive(Default)]
struct Chain {
    /// When it goes, by device; the last to stay never.
    rank: Vec<usize>,
    /// Without the first k: no policy is faster on what is left. Where it has been asked for.
    bounds: Vec<Cell<f64>>,
    /// The same by what the devices share.
    walls: Vec<Cell<f64>>,
}

impl Chain {
    /// By running sums: with `w = fastest/b`, T = (n * fastest + sum a*w) / sum w, and the host memory's time is
    /// sum h * (T - a) / b.
    fn order(linear: &[LinearCost], problem: &Problem, active: &[usize]) -> Vec<usize> {
        let fastest = active.iter().map(|&i| linear[i].per_iteration.0).fold(f64::INFINITY, f64::min);
        let terms = |i: usize| {
            let (a, b, h) = (linear[i].fixed.0, linear[i].per_iteration.0, problem.devices[i].host_memory.0);
            [fastest / b, a * (fastest / b), h / b, a * (h / b)]
        };
        let whole = problem.iterations as f64 * fastest;
        let time = |[weights, bottoms, memory, before]: [f64; 4]| {
            let level = (whole + bottoms) / weights;
            (level.max(level * memory - before), level)
        };
        let minus = |sums: [f64; 4], own: [f64; 4]| [0, 1, 2, 3].map(|term| sums[term] - own[term]);
        let plus = |sums: [f64; 4], own: [f64; 4]| [0, 1, 2, 3].map(|term| sums[term] + own[term]);
        let mut left = active.to_vec();
        let mut rank = vec![usize::MAX; linear.len()];
        for gone in 0..active.len().saturating_sub(1) {
            // Anew for each set: differences of sums lose the small devices beside the large.
            let sums = left.iter().map(|&i| terms(i)).fold([0.0; 4], plus);
            let without = |i: usize| {
                let (time, level) = time(minus(sums, terms(i)));
                // The only device of any weight: without it the sums are rounding errors.
                if time.is_finite() && time > 0.0 && level > 0.0 {
                    (time, level)
                } else {
                    (f64::INFINITY, f64::INFINITY)
                }
            };
            let mut least = (0, without(left[0]));
            for (place, &i) in left.iter().enumerate().skip(1) {
                let (time, level) = without(i);
                let (other_time, other_level) = least.1;
                // Ties: at the wall by the level; then the later device.
                let order = compared(time, other_time, ROUNDED).then(compared(level, other_level, ROUNDED));
                if order != Ordering::Greater {
                    least = (place, (time, level));
                }
            }
            rank[left.remove(least.0)] = gone;
        }
        rank
    }
}

struct Search<'p> {
    problem: &'p Problem<'p>,
    n: f64,
    most_from: u64,
    chain: Chain,
    /// Of what the devices share; and that once replicated arrays have come, where it is something else.
    splits: &'p Splits<'p>,
    again: OnceCell<Vec<Shared>>,
    charged: bool,
    /// Whether it is known who gives way.
    steady: bool,
    linear: &'p [LinearCost],
    /// What the cutoff's split gives those that it leaves, where there is a cutoff.
    planned: Vec<u64>,
    /// Those that the user's cutoff leaves, and of them those that are not past the finish.
    kept: Vec<usize>,
    active: Vec<usize>,
    /// Times the least is still as good, with fewer devices.
    worth: f64,
    seen: Vec<Candidate>,
    solved: Vec<Solved>,
    /// What MODEL_2 gives all devices, if it leaves none out. On fewer, its own split may break ties in another way than this search.
    among_all: Option<Vec<u64>>,
    /// The least of what they may be.
    best: f64,
    /// What one of SCHED_DYNAMIC's chunks does to each device.
    equal_chunks: OnceCell<SmallVec<[Shape; 9]>>,
    /// Nothing is shorter: the best split in whole iterations.
    floor: f64,
    /// About how long has been looked beyond the first division, in seconds.
    spent: f64,
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem<'p>, splits: &'p Splits<'p>, kept: Vec<usize>, worth: f64) -> Self {
        let shared = splits.shared();
        let mut search = Self {
            problem,
            n: problem.iterations as f64,
            most_from: most_of_a_share(problem.iterations, problem.devices.len()),
            again: OnceCell::new(),
            charged: shared.iter().any(|one| one.once.iter().any(|once| once.0 > 0.0)),
            steady: shared.iter().any(Shared::is_steady),
            splits,
            linear: splits.costs,
            planned: Vec::new(),
            active: kept.clone(),
            kept,
            chain: Chain::default(),
            worth,
            seen: Vec::with_capacity(8),
            solved: Vec::new(),
            among_all: None,
            best: f64::INFINITY,
            equal_chunks: OnceCell::new(),
            floor: 0.0,
            spent: 0.0,
        };
        search.set_out();
        search
    }

    /// Who may be of use, and in which order they go.
    fn set_out(&mut self) {
        // In a long loop a whole iteration more or less is nothing.
        if self.problem.iterations < 100 * self.kept.len() as u64 {
            let costs: Vec<LinearCost> = self.kept.iter().map(|&i| self.linear[i]).collect();
            let one = |&i: &usize| {
                let cost = &self.problem.devices[i];
                self.linear[i].fixed.0 + (cost.to + cost.kernel + cost.from).0
            };
            let best = split(&costs, self.problem.iterations).map_or(0.0, |split| split.makespan.0);
            self.floor = self.kept.iter().map(one).fold(f64::INFINITY, f64::min).max(best);
        }
        if self.problem.profile.fixed_ranges {
            let bounds = vec![Cell::new(self.least(&self.active))];
            self.chain = Chain { rank: vec![usize::MAX; self.linear.len()], bounds, walls: vec![Cell::new(f64::NAN)] };
            return;
        }
        let finish = self.least(&self.kept);
        self.active.retain(|&i| self.linear[i].fixed.0 < finish);
        if self.active.is_empty() {
            // An iteration takes so little that it is lost beside what all have to pay first.
            let least = |&a: &usize, &b: &usize| self.linear[a].fixed.0.total_cmp(&self.linear[b].fixed.0);
            self.active.extend(self.kept.iter().copied().min_by(least));
        }
        self.chain.rank = Chain::order(self.linear, self.problem, &self.active);
        self.chain.bounds = vec![Cell::new(f64::NAN); self.active.len()];
        self.chain.walls = self.chain.bounds.clone();
    }

    fn verdict(&mut self, worth: Percent, cut: Vec<(Slot, String)>) -> Verdict {
        let all = self.members(Set::Without(0));
        let (mut counts, mut ends) = Default::default();
        if let [_] = all[..] {
            let (timed, _) = self.one_block(&all, &[self.problem.iterations]);
            self.see(Policy::Block, Set::Without(0), 1, timed);
        } else {
            (counts, ends) = self.model_2(Set::Without(0), &all);
        }
        if self.kept.len() > 1 {
            if !self.problem.profile.fixed_ranges {
                self.tried();
            }
            self.alone();
            if all.len() > 1 {
                self.others(counts, ends);
            }
            self.late();
            if !self.problem.profile.fixed_ranges {
                self.fewer();
                self.links();
            }
        }
        let by_time = |a: &Candidate, b: &Candidate| {
            let stages = a.policy.entry().stages.cmp(&b.policy.entry().stages);
            let tie = if stages.is_eq() { AS_GOOD } else { BETTER };
            let by_end =
                compared(a.weighed, b.weighed, tie).then(compared(a.slowest, b.slowest, tie.min(self.worth - 1.0)));
            by_end.then(stages).then(a.weighed.total_cmp(&b.weighed))
        };
        let fastest = self.seen.iter().min_by(|a, b| a.likely.total_cmp(&b.likely));
        let is_good = |candidate: &&Candidate| candidate.weighed <= self.best * self.worth * (1.0 + ROUNDED);
        // What is known to be good is not left for what may be as good, were it on fewer devices.
        let known = self.seen.iter().filter(is_good).any(|candidate| candidate.measured);
        let good = self.seen.iter().filter(is_good).filter(|candidate| candidate.measured || !known);
        let chosen = good.reduce(|best, next| {
            let order = next.devices.cmp(&best.devices).then_with(|| by_time(next, best));
            if order.is_lt() { next } else { best }
        });
        // MODEL_2 on all of them has been seen.
        let (Some(chosen), Some(fastest)) = (chosen, fastest) else { unreachable!("a set of no device") };
        let wider = self.wider(chosen);
        let (wide, chosen) = (wider.is_some(), wider.unwrap_or(chosen));
        let devices = self.members(chosen.set);
        let handicap = if one_block(&chosen.policy) && devices.len() > 1 { self.chunked() } else { 0.0 };
        let mut left_out: Vec<(Slot, Reason)> = Vec::new();
        for (i, cost) in self.linear.iter().enumerate().filter(|(i, _)| devices.binary_search(i).is_err()) {
            let reason = if let Some((_, reason)) = cut.iter().find(|(slot, _)| slot.0 == i) {
                Reason::Cutoff(reason.clone())
            } else if self.active.binary_search(&i).is_err() {
                Reason::Late { fixed: cost.fixed, finish: Seconds(self.chain_bound(0)) }
            } else {
                let tried = self.was_tried(&Policy::Block, Set::Alone(i)).filter(|tried| !tried.once());
                let alone = tried.map_or_else(|| Seconds(self.alone_at_least(i)), |tried| tried.time);
                let has = |seen: &&Candidate| self.members(seen.set).contains(&i);
                let with = self.seen.iter().filter(has).map(|seen| seen.expected).reduce(f64::min);
                // Sets that were not looked at take no less.
                let with = Seconds(with.unwrap_or(chosen.expected));
                Reason::Benefit { with, without: Seconds(chosen.expected), alone }
            };
            left_out.push((Slot(i), reason));
        }
        Verdict {
            policy: chosen.policy.clone(),
            time: Seconds(chosen.time),
            expected: Seconds(chosen.expected),
            least: Seconds(fastest.expected),
            fastest: (fastest.policy.clone(), fastest.devices),
            devices: devices.into_iter().map(Slot).collect(),
            worth,
            left_out,
            handicap: Percent::from_millionths((handicap * 1e6).round() as u32),
            measured: chosen.measured,
            wide,
            curious: !wide && chosen.likely > fastest.likely * self.worth * (1.0 + ROUNDED),
            blind: false,
            kept: false,
            said: Said::default(),
        }
    }

    /// Whether what these devices share is what slows this down.
    fn is_walled(candidate: &Candidate) -> bool {
        candidate.time > candidate.slowest * (1.0 + BETTER)
    }

    /// Whether all devices of a set have memory of their own, and so copy over links.
    fn has_links(&self, set: Set) -> bool {
        self.members(set).iter().all(|&i| !self.problem.devices[i].shared)
    }

    /// Divides the loop among all devices with links, which is not done before where there are others too: if some of them are good
    /// enough and what they share limits them, or if they are worth a look.
    fn links(&mut self) {
        let good = self.seen.iter().filter(|seen| seen.weighed <= self.best * self.worth);
        let walled =
            |seen: &Candidate| seen.devices > 1 && !seen.measured && Self::is_walled(seen) && self.has_links(seen.set);
        let all = self.members(Set::Links);
        if all.len() == self.kept.len() || all.len() < 2 {
            return;
        }
        if self.never_together(Set::Links) {
            self.divide_anyhow(Set::Links, &all);
        } else if all.len() > 2 && good.into_iter().any(walled) {
            self.model_2(Set::Links, &all);
        }
    }

    /// Those of a set that work in the host's memory.
    fn cores(&self, set: Set) -> SmallVec<[usize; 16]> {
        self.members(set).into_iter().filter(|&i| self.problem.devices[i].shared).collect()
    }

    /// What is about as good on more links, beside the same cores if any, where a capacity that they share limits the choice. None
    /// once the choice or such a set was tried, and none for a device alone: its own link or memory is known.
    fn wider(&self, chosen: &Candidate) -> Option<&Candidate> {
        let hoped = chosen.weighed < chosen.likely;
        let cores = self.cores(chosen.set);
        let only_cores = cores.len() == chosen.devices;
        if chosen.devices < 2 || chosen.measured || hoped || !Self::is_walled(chosen) || only_cores {
            return None;
        }
        // The caller may ask for less, and costs that were measured have the wall in them.
        let strict = self.problem.measured || self.worth < 1.0 + WORTH.fraction();
        let longer = if strict { self.worth } else { 1.0 + WIDER } * (1.0 + ROUNDED);
        let least = self.seen.iter().map(|seen| seen.expected).fold(f64::INFINITY, f64::min);
        let more = self.seen.iter().filter(|seen| {
            seen.devices > chosen.devices
                && seen.weighed <= self.best * longer
                && seen.expected <= least * longer
                && seen.slowest <= chosen.slowest * (1.0 - EASED)
                && self.cores(seen.set) == cores
        });
        let wider = more.min_by(|a, b| {
            let stages = |seen: &Candidate| seen.policy.entry().stages;
            let by_end = compared(a.slowest, b.slowest, AS_GOOD).then(stages(a).cmp(&stages(b)));
            by_end.then(a.weighed.total_cmp(&b.weighed))
        })?;
        let tried = |seen: &Candidate| seen.measured && seen.devices >= wider.devices && self.cores(seen.set) == cores;
        (!self.seen.iter().any(tried)).then_some(wider)
    }

    /// Whether there is time for what takes so long for each of these devices; if so it counts as spent. It is not measured, so that the
    /// same loop gets the same choice.
    fn affords(&mut self, each: f64, devices: usize) -> bool {
        let spent = self.spent + each * devices as f64;
        let fits = self.problem.thorough || spent <= (self.best * MOST_EFFORT).max(LEAST_EFFORT);
        if fits {
            self.spent = spent;
        }
        fits
    }

    fn shared(&self) -> &'p [Shared] {
        self.splits.shared()
    }

    /// What the devices share once replicated arrays have come.
    fn again(&self) -> &[Shared] {
        if self.charged {
            self.again.get_or_init(|| self.shared().iter().map(Shared::again).collect())
        } else {
            self.shared()
        }
    }

    /// In list order.
    fn members(&self, set: Set) -> SmallVec<[usize; 16]> {
        match set {
            Set::Without(k) => self.active.iter().copied().filter(|&i| self.chain.rank[i] >= k).collect(),
            Set::Alone(i) => smallvec![i],
            Set::All => SmallVec::from_slice(&self.kept),
            Set::Links => self.kept.iter().copied().filter(|&i| !self.problem.devices[i].shared).collect(),
            Set::Tried(index) => self.problem.tried[index].devices.iter().map(|slot| slot.0).collect(),
        }
    }

    /// No policy is faster on [`Set::Without`] so many.
    fn chain_bound(&self, k: usize) -> f64 {
        let bound = &self.chain.bounds[k];
        if bound.get().is_nan() {
            bound.set(self.least(&self.members(Set::Without(k))));
        }
        bound.get()
    }

    fn see(&mut self, policy: Policy, set: Set, devices: usize, timed: Timed) {
        self.see_hoped(policy, set, devices, timed, 1.0);
    }

    /// The same of one block for each of the devices that get any. All of the loop for one of them is that device alone, whichever
    /// policy says so: as several choices, each would have to be tried.
    fn see_block(&mut self, policy: Policy, set: Set, used: &[usize], timed: Timed) {
        match *used {
            [only] if !self.problem.profile.fixed_ranges => self.see(Policy::Block, self.only(only), 1, timed),
            _ => self.see(policy, set, used.len(), timed),
        }
    }

    /// The set of this device alone.
    fn only(&self, i: usize) -> Set {
        let last = self.chain.rank[i] == usize::MAX && self.active.binary_search(&i).is_ok();
        if last { Set::Without(self.active.len() - 1) } else { Set::Alone(i) }
    }

    /// The same of what may take so many times less.
    fn see_hoped(&mut self, policy: Policy, set: Set, devices: usize, Timed { time, slowest }: Timed, hope: f64) {
        let tried = self.was_tried(&policy, set);
        let weight = if one_block(&policy) { 1.0 } else { 1.0 + self.chunked() };
        let expected = time * self.off(&policy, set);
        let known = tried.filter(|tried| !tried.once() || tried.time.0 <= expected * weight);
        let together = || self.hope_together(&policy, set, time);
        let hope = known.map_or_else(|| hope.max(together()), |tried| tried.hope);
        let (measured, known) = (known.is_some(), known.map(|tried| tried.time.0));
        let (time, slowest) = known.map_or((time, slowest), |known| (known, known));
        let (expected, likely) = (known.unwrap_or(expected), known.unwrap_or(expected * weight));
        let weighed = likely / hope;
        self.best = self.best.min(weighed);
        self.seen.push(Candidate { policy, set, devices, time, expected, likely, weighed, slowest, measured });
    }

    /// By which part more chunks are to be worth it, where the caller asks for no less.
    fn better(&self) -> f64 {
        BETTER.min(self.worth - 1.0).max(AS_GOOD)
    }

    /// By how much longer chunks and samples are taken to be.
    fn chunked(&self) -> f64 {
        if self.problem.measured || self.worth < 1.0 + WORTH.fraction() { self.better() } else { CHUNKED }
    }

    /// Whether a policy that hands out chunks or samples, and takes at least `bound`, may be better than what was seen.
    fn may_win_in_chunks(&self, bound: f64) -> bool {
        bound.max(self.floor) * (1.0 + self.chunked()) < self.best
    }

    /// Whether a policy that takes at least `bound` may be better than what was seen.
    fn may_win(&self, bound: f64) -> bool {
        bound.max(self.floor) * (1.0 + self.better()) < self.best
    }

    /// MODEL_2 on a set: what each device gets, and when it is done.
    fn model_2(&mut self, set: Set, members: &[usize]) -> (Vec<u64>, Vec<f64>) {
        // Of fewer devices those are the best that are the best of more.
        let in_both = |solved: &&Solved| {
            solved.settled
                && members.iter().all(|i| solved.members.binary_search(i).is_ok())
                && solved.used.iter().all(|i| members.binary_search(i).is_ok())
        };
        if (!self.steady || self.charged)
            && let Some(Solved { used, timed, .. }) = self.solved.iter().find(in_both)
        {
            let (used, timed) = (used.clone(), *timed);
            self.see_block(Policy::Model2, set, &used, timed);
            return Default::default();
        }
        // The first division is made in any case.
        if self.best.is_finite() && !self.affords(DIVIDE, members.len()) {
            return Default::default();
        }
        self.divide(set, members)
    }

    /// MODEL_2 on a set, however long that takes; it counts as spent.
    fn divide_anyhow(&mut self, set: Set, members: &[usize]) {
        self.spent += DIVIDE * members.len() as f64;
        self.divide(set, members);
    }

    fn divide(&mut self, set: Set, members: &[usize]) -> (Vec<u64>, Vec<f64>) {
        let (counts, settled) = if members == self.kept && members.len() == self.planned.len() {
            (std::mem::take(&mut self.planned), false)
        } else {
            let Ok(division) = fastest(self.splits, members) else { return Default::default() };
            (division.split.counts, division.settled)
        };
        let (timed, ends) = self.one_block(members, &counts);
        let used: SmallVec<[usize; 12]> =
            members.iter().zip(&counts).filter(|(_, count)| **count > 0).map(|(&i, _)| i).collect();
        self.see_block(Policy::Model2, set, &used, timed);
        if used.len() == self.problem.devices.len() {
            self.among_all = Some(counts.clone());
        }
        self.solved.push(Solved { members: SmallVec::from_slice(members), used, timed, settled });
        (counts, ends)
    }

    /// One block for each device.
    fn one_block(&self, members: &[usize], counts: &[u64]) -> (Timed, Vec<f64>) {
        let mut ends: Vec<f64> = Vec::with_capacity(members.len());
        for (place, (&i, &n)) in members.iter().zip(counts).enumerate() {
            let cost = &self.problem.devices[i];
            // Of equal devices one is enough.
            let like = (0..place).rev().find(|&p| counts[p] == n && self.problem.devices[members[p]] == *cost);
            ends.push(match like {
                Some(other) => ends[other],
                None if n == 0 => 0.0,
                None => cost.once.0 + Shape::time(cost, n, n >= self.most_from),
            });
        }
        let slowest = ends.iter().copied().fold(0.0, f64::max);
        let scatter = |place: usize| self.problem.devices[members[place]].scatter * ends[place];
        let mut stages: Vec<Stages> = Vec::new();
        for (place, (&i, &n)) in members.iter().zip(counts).enumerate().filter(|(_, (_, n))| **n > 0) {
            let cost = &self.problem.devices[i];
            if cost.goes_by_stages() {
                stages.resize(members.len(), Stages::new());
                add_chunk(&mut stages[place], Some(Seconds::ZERO), cost.once, cost.stages(n));
            }
        }
        let stages = |place: usize| stages.get(place).map_or(&[][..], |stages| &stages[..]);
        let time = makespan(&ends, counts, self.shared(), |place| members[place], stages, scatter);
        (Timed { time, slowest }, ends)
    }

    fn alone_at_least(&self, i: usize) -> f64 {
        let of = |shared: &Shared| shared.once[i].0 + shared.per_iteration[i].0 * self.n;
        let settled = self.shared().iter().map(of).fold(self.linear[i].time(self.problem.iterations).0, f64::max);
        self.problem
            .alone
            .get(i)
            .map_or(settled, |cost| settled.min(self.time_alone(cost, |n| cost.linear().time(n).0)))
    }

    /// A device alone by its cost there, of which `own` is its own time. What it shares with others may be short for it alone too.
    fn time_alone(&self, cost: &DeviceCost, own: impl Fn(u64) -> f64) -> f64 {
        let own = own(self.problem.iterations).max(cost.host_memory_once.0 + cost.host_memory.0 * self.n);
        cost.draws.iter().map(|draw| draw.once.0 + draw.per_iteration.0 * self.n).fold(own, f64::max)
    }

    /// Each device alone, where that may be good enough.
    fn alone(&mut self) {
        if self.problem.profile.fixed_ranges {
            return;
        }
        for place in 0..self.kept.len() {
            let i = self.kept[place];
            let hope = self.hope(i);
            if self.alone_at_least(i) > self.best * self.worth * hope {
                continue;
            }
            // Looked at in any case: a short loop is often best on one device.
            let (mut timed, _) = self.one_block(&[i], &[self.problem.iterations]);
            if let Some(cost) = self.problem.alone.get(i) {
                // What follows from loops in company may be worse; to be sure it is tried.
                let own = |n: u64| cost.once.0 + Shape::time(cost, n, n >= self.most_from);
                let time = self.time_alone(cost, own);
                if time < timed.time {
                    timed = Timed { time, slowest: time };
                }
            }
            self.see_hoped(Policy::Block, self.only(i), 1, timed, hope);
        }
    }

    /// The other policies, on all sets on which one may win. Who takes part matters more than how, so MODEL_2 comes first on each.
    fn others(&mut self, counts: Vec<u64>, ends: Vec<f64>) {
        let mut divided: SmallVec<[(Vec<u64>, Vec<f64>); 8]> = smallvec![(counts, ends)];
        while divided.len() < self.chain.bounds.len() && self.may_win_without(divided.len()) {
            let set = Set::Without(divided.len());
            let (solved, seen) = (self.solved.len(), self.seen.len());
            divided.push(self.model_2(set, &self.members(set)));
            if (self.solved.len(), self.seen.len()) == (solved, seen) {
                break;
            }
        }
        for (k, (counts, ends)) in divided.iter().enumerate() {
            if k > 0 && !self.may_win_without(k) {
                return;
            }
            let set = Set::Without(k);
            let members = self.members(set);
            self.blocks(set, &members, Some((&counts[..], &ends[..])).filter(|(counts, _)| !counts.is_empty()));
            if !self.problem.profile.fixed_ranges && self.may_win_in_chunks(self.chain_bound(k)) {
                self.chunks(set, &members);
            }
        }
    }

    /// Whether a policy may be better than what was seen on the devices that are left of the chain without the first k.
    fn may_win_without(&self, k: usize) -> bool {
        let members = self.members(Set::Without(k));
        let wall = || {
            let wall = &self.chain.walls[k];
            if wall.get().is_nan() {
                wall.set(self.least_shared(&members, self.chain_bound(k)));
            }
            wall.get()
        };
        members.len() > 1 && self.may_win(self.chain_bound(k)) && self.may_win(wall())
    }

    /// Where a device that is past the finish could yet be done before the others.
    fn late(&mut self) {
        // However little that is: a choice of fewer devices may lose as much again.
        let may_win = |i: usize| self.linear[i].fixed.0.max(self.floor) < self.best;
        let late = |i: &usize| self.active.binary_search(i).is_err() && may_win(*i);
        if self.problem.profile.fixed_ranges || !self.kept.iter().any(late) {
            return;
        }
        let members = self.members(Set::All);
        // MODEL_2 divides the loop among all of them, and AUTO is not to be slower.
        self.divide_anyhow(Set::All, &members);
        self.blocks(Set::All, &members, None);
        self.chunks(Set::All, &members);
    }

    /// BLOCK and MODEL_1.
    fn blocks(&mut self, set: Set, members: &[usize], known: Option<(&[u64], &[f64])>) {
        for policy in [Policy::Block, Policy::Model1] {
            let rate = |i: usize| if policy == Policy::Block { 1.0 } else { 1.0 / self.problem.devices[i].flop_time.0 };
            let rates: f64 = members.iter().map(|&i| rate(i)).sum();
            // A bound that is no number bounds nothing: then the policy itself says what is wrong.
            let bound = self.at_least(members, |i| ((self.n * rate(i) / rates).floor() - 1.0).max(0.0));
            if !self.may_win(bound) || !self.affords(TIME_BLOCK, members.len()) {
                continue;
            }
            let counts = if policy == Policy::Block {
                even(self.problem.iterations, members.len())
            } else {
                let costs: Vec<LinearCost> = members
                    .iter()
                    .map(|&i| LinearCost { fixed: Seconds::ZERO, per_iteration: self.problem.devices[i].flop_time })
                    .collect();
                let Ok(split) = split(&costs, self.problem.iterations) else { continue };
                split.counts
            };
            // Who gets more than from MODEL_2 is done that much later.
            let later = known.map(|(fewer, ends)| {
                let more = counts.iter().zip(fewer).zip(ends).zip(members).filter(|(((n, fewer), _), _)| n >= fewer);
                let end = |n: u64, fewer: u64, end: f64, i: usize| {
                    let few = n > fewer && (2..FEW).contains(&subchunks(&self.problem.devices[i], n));
                    if few { 0.0 } else { end + self.linear[i].per_iteration.0 * (n - fewer) as f64 }
                };
                more.map(|(((n, fewer), e), i)| end(*n, *fewer, *e, *i)).fold(0.0, f64::max)
            });
            // Not for sure: a longer chunk, cut into other pieces, may be done a little earlier.
            if later.is_none_or(|bound| self.may_win(bound * (1.0 - UNEVEN))) {
                let (timed, _) = self.one_block(members, &counts);
                let used: SmallVec<[usize; 12]> =
                    members.iter().zip(&counts).filter(|(_, count)| **count > 0).map(|(&i, _)| i).collect();
                self.see_block(policy, set, &used, timed);
            }
        }
    }

    /// Those that hand out chunks or samples.
    fn chunks(&mut self, set: Set, members: &[usize]) {
        if !self.may_win_in_chunks(self.least_of_all(members)) {
            return;
        }
        let [_, dynamic, guided, _, _, sched_profile, model_profile] = &Policy::ALL_SEVEN;
        let (better, chunked) = (1.0 + self.better(), 1.0 + self.chunked());
        self.handed_out(dynamic, set, members, self.best / chunked);
        let (unsampled, open) = (self.best / chunked, self.may_win_in_chunks(0.0));
        for policy in [model_profile, sched_profile] {
            if self.may_win_in_chunks(0.0) {
                self.handed_out(policy, set, members, self.best / chunked);
            }
        }
        // Of two that are as good the one without samples is chosen, so it may take a little longer than they.
        if open {
            self.handed_out(guided, set, members, unsampled.min(self.best / chunked * better));
        }
    }

    /// Where the policy may be done by `limit`.
    fn handed_out(&mut self, policy: &Policy, set: Set, members: &[usize], limit: f64) {
        if self.may_end_by(limit, policy, members)
            && self.affords(DIVIDE, members.len())
            && let Some(timed) = self.simulated(policy, members, self.too_long())
        {
            self.see(policy.clone(), set, members.len(), timed);
        }
    }

    /// What policies that hand out chunks or samples cannot be chosen beyond, whatever else is looked at.
    fn too_long(&self) -> f64 {
        if self.problem.tried.is_empty() {
            self.best * self.worth.max(1.0 + WIDER) / (1.0 + self.chunked()) * (1.0 + 2.0 * ROUNDED)
        } else {
            f64::INFINITY
        }
    }

    /// None if it takes longer than `limit`.
    fn simulated(&self, policy: &Policy, members: &[usize], limit: f64) -> Option<Timed> {
        let done = match policy {
            Policy::SchedProfile { .. } | Policy::ModelProfile { .. } => {
                replay::sampled(policy, self.problem, members, self.again(), self.most_from, limit)?
            }
            _ => {
                let costs: SmallVec<[&DeviceCost; 16]> = members.iter().map(|&i| &self.problem.devices[i]).collect();
                // Of their devices these policies ask only how many there are.
                let own = Problem { granule: 1, ..self.problem.on(&self.problem.devices[..members.len()], &[]) };
                let scheduler = (policy.entry().build)(policy, &own).ok()?;
                let equal = if let Policy::Dynamic { chunk } = policy { self.equal_chunks(*chunk) } else { &[] };
                let shapes = |place: usize| equal.get(members[place]).copied();
                replay::handed_out(&costs, self.most_from, scheduler, shapes, limit)?
            }
        };
        let slowest = done.ends.iter().copied().fold(0.0, f64::max);
        if done.stages.is_empty() && members.iter().all(|&i| self.problem.devices[i].scatter <= 0.0) {
            let time = makespan_within(&done.ends, &done.counts, self.shared(), |place| members[place], limit);
            return time.map(|time| Timed { time, slowest });
        }
        let scatter = |place: usize| self.problem.devices[members[place]].scatter * done.lasts[place];
        let stages = |place: usize| done.stages.get(place).map_or(&[][..], |stages| &stages[..]);
        let time = makespan(&done.ends, &done.counts, self.shared(), |place| members[place], stages, scatter);
        Some(Timed { time, slowest })
    }

    /// The smallest set that is good enough: MODEL_2 there, or the policy that is the fastest of all.
    fn fewer(&mut self) {
        let good = |search: &Self, time: f64| time <= search.best * search.worth;
        let Some(fastest) = self.seen.iter().min_by(|a, b| a.weighed.total_cmp(&b.weighed)) else { return };
        // What was tried may be a policy that is not simulated here.
        let simulated = |policy: &Policy| Policy::ALL_SEVEN[1..].contains(policy) && *policy != Policy::Model1;
        let fastest = Some(fastest.policy.clone()).filter(simulated);
        let fewest =
            self.seen.iter().filter(|seen| good(self, seen.weighed)).map(|seen| seen.devices).min().unwrap_or(1);
        let most = self.active.len();
        let mut tries = TRIES;
        let mut size = 2;
        while size < fewest.min(most) && tries > 0 {
            let k = most - size;
            let set = Set::Without(k);
            size += 1 + size / 8;
            if !good(self, self.chain_bound(k)) {
                continue;
            }
            let members = self.members(set);
            for policy in
                [Some(Policy::Model2), fastest.clone().filter(|policy| *policy != Policy::Model2)].into_iter().flatten()
            {
                let model_2 = policy == Policy::Model2;
                let least = if model_2 {
                    self.least_shared(&members, self.chain_bound(k))
                } else {
                    self.least_of_all(&members)
                };
                let weight = if model_2 { 1.0 } else { 1.0 + self.chunked() };
                if !good(self, least.max(self.floor) * weight)
                    || !model_2 && !self.may_end_by(self.best * self.worth / weight, &policy, &members)
                    || self.seen.iter().any(|seen| seen.set == set && seen.policy == policy)
                {
                    continue;
                }
                tries -= 1;
                let looked = self.seen.len();
                if model_2 {
                    self.model_2(set, &members);
                } else if !self.affords(DIVIDE, members.len()) {
                    return;
                } else if let Some(timed) = self.simulated(&policy, &members, self.too_long()) {
                    self.see(policy, set, members.len(), timed);
                }
                if self.seen.last().is_some_and(|last| last.set == set && good(self, last.weighed)) {
                    return;
                }
                // There is no time for more.
                if tries == 0 || model_2 && self.seen.len() == looked {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
