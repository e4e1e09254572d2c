//! The cutoff ratio: which devices are left out, and how the others share the loop.

use super::Decision;
use super::block::Blocks;
use super::division::{alone, fastest};
use super::wall::makespan;
use crate::error::{Error, Result};
use crate::model::contention::{Splits, wall_among};
use crate::model::split::{Level, LinearCost, Split, check, split};
use crate::space::Slot;
use crate::units::{Percent, Seconds};
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// Which devices take no part, for the policies that predict shares. Written `none`, `share`, `share:15%`, `benefit:2%`.
///
/// The default is `None`: a split by itself leaves out every device whose fixed cost is past the finish, and under linear costs
/// no other device can slow a loop down.
#[doc(alias = "CUTOFF")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cutoff {
    /// Only devices that the split itself leaves out.
    #[default]
    None,
    /// Devices whose predicted share of the iterations is below this (HOMP paper section IV-E); `None` is half of the
    /// mean, 1/(2M). The weakest device goes first, and the rest share anew before the next is judged: of seven equal devices at
    /// 15 %, one goes, not all.
    Share(Option<Percent>),
    /// Devices without which the loop is predicted to take less than this much longer. Shared capacities count, such as the
    /// host's memory: where memory bandwidth is the limit, more devices do not make a loop faster. Devices of a kind are judged
    /// together, so that many small ones are not dropped one after another.
    Benefit(Percent),
}

const DEFAULT_BENEFIT: Percent = Percent::from_millionths(20_000);

/// What a loop accepts as a cutoff: a [`Cutoff`], or its text, as `"share:15%"`.
pub trait IntoCutoff {
    /// The cutoff.
    ///
    /// # Errors
    /// [`Error::Call`] for a text that is none, with what would be right.
    fn into_cutoff(self) -> Result<Cutoff>;
}

impl IntoCutoff for Cutoff {
    fn into_cutoff(self) -> Result<Cutoff> {
        Ok(self)
    }
}

impl IntoCutoff for &str {
    fn into_cutoff(self) -> Result<Cutoff> {
        self.parse()
    }
}

impl IntoCutoff for &String {
    fn into_cutoff(self) -> Result<Cutoff> {
        self.parse()
    }
}

impl IntoCutoff for String {
    fn into_cutoff(self) -> Result<Cutoff> {
        self.parse()
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Share(None) => f.pad("share"),
            Self::Share(Some(percent)) => f.pad(&format!("share:{percent}")),
            Self::Benefit(percent) => f.pad(&format!("benefit:{percent}")),
        }
    }
}

impl FromStr for Cutoff {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = |problem: String| Error::call(format!("cutoff `{text}`: {problem}"));
        let (name, percent) = match text.trim().split_once(':') {
            Some((name, percent)) => (name.trim(), Some(percent.parse::<Percent>().map_err(wrong)?)),
            None => (text.trim(), None),
        };
        match (name.to_ascii_lowercase().as_str(), percent) {
            ("none", None) => Ok(Self::None),
            ("none", Some(_)) => Err(wrong("`none` takes no percentage".to_owned())),
            ("share", percent) => Ok(Self::Share(percent)),
            ("benefit", percent) => Ok(Self::Benefit(percent.unwrap_or(DEFAULT_BENEFIT))),
            _ => Err(wrong("use `none`, `share`, `share:15%` or `benefit:2%`".to_owned())),
        }
    }
}

/// A division of `n` iterations, and why some devices get nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub counts: Vec<u64>,
    pub decision: Decision,
}

impl Plan {
    /// As blocks in list order from `start` on.
    pub fn blocks(self, start: u64) -> Blocks {
        let mut blocks = Blocks::new(start, &self.counts);
        blocks.decision = self.decision;
        blocks
    }
}

/// What a plan knows of the devices besides their costs and shared capacities.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'k> {
    /// Types that tell kinds of devices apart; may be empty.
    pub types: &'k [&'k str],
    /// Whether the split takes shared capacities into account, or only the cutoff does.
    pub splits_by_it: bool,
    /// What devices take by all that is known of them, where the split goes by less: a benefit is a difference of such times. Empty
    /// if the split's costs are all that is known.
    pub takes: &'k [LinearCost],
    /// Sets of devices that cost something else if no others take part.
    pub apart: &'k [(SmallVec<[usize; 16]>, Splits<'k>)],
}

impl<'k> Known<'k> {
    /// The costs of these devices without those of another kind, if known; else `all`.
    fn of<'s>(&self, devices: &[usize], all: &'s Splits<'k>) -> &'s Splits<'k>
    where
        'k: 's,
    {
        let own = |(set, _): &&(SmallVec<[usize; 16]>, Splits<'_>)| devices.iter().all(|device| set.contains(device));
        self.apart.iter().find(own).map_or(all, |(_, splits)| splits)
    }
}

/// SPLIT over those devices of `splits.among` that the cutoff keeps.
pub(super) fn plan<'k>(splits: &Splits<'k>, cutoff: Cutoff, known: Known<'k>) -> Result<Plan> {
    let (costs, among, n) = (splits.costs, &splits.among[..], splits.n);
    let mut plan = Plan { counts: vec![0; costs.len()], ..Plan::default() };
    let costs_kept: SmallVec<[LinearCost; 16]> = among.iter().map(|&i| costs[i]).collect();
    check(&costs_kept)?;
    if n == 0 {
        return Ok(plan);
    }
    let costs_of = |devices: &[usize]| -> SmallVec<[LinearCost; 16]> { devices.iter().map(|&i| costs[i]).collect() };
    let split_over = |devices: &[usize]| {
        if known.splits_by_it {
            fastest(known.of(devices, splits), devices).map(|division| division.split)
        } else {
            split(&costs_of(devices), n)
        }
    };
    let among_places =
        |places: &[usize]| -> SmallVec<[usize; 16]> { places.iter().map(|&place| among[place]).collect() };
    let mut division = None;
    let out = match cutoff {
        Cutoff::None => Vec::new(),
        Cutoff::Share(kappa) => {
            let kappa = kappa.map_or(0.5 / among.len() as f64, Percent::fraction);
            let free = split(&costs_kept, n)?;
            if known.splits_by_it && wall_among(splits.shared(), among, &free.counts) > free.makespan {
                let (out, last) =
                    below_shared_share(among.len(), n, kappa, |places| split_over(&among_places(places)))?;
                division = last;
                out
            } else {
                below_share(&costs_kept, n, kappa)
            }
        }
        Cutoff::Benefit(eps) => {
            let alike = |i: usize, j: usize| {
                let (i, j) = (among[i], among[j]);
                let take = known.takes.get(i).zip(known.takes.get(j));
                known.types.get(i) == known.types.get(j) && take.is_none_or(|(a, b)| near(*a, *b))
            };
            let time = |places: &[usize]| {
                let devices = among_places(places);
                let level = if known.splits_by_it {
                    let splits = known.of(&devices, splits);
                    // The level is for paces with all of them at work, but one device alone may be faster.
                    let fewer = devices.iter().filter(|_| splits.is_steady()).map(|&i| alone(splits, i));
                    splits.level(&devices).map(|level| fewer.fold(level, Seconds::min))
                } else {
                    // What the split ignores takes its time all the same.
                    split_over(&devices).map(|split| {
                        let own = |i: usize| known.takes.get(i).copied().unwrap_or(costs[i]);
                        let ends: SmallVec<[f64; 16]> =
                            devices.iter().zip(&split.counts).map(|(&i, &n)| own(i).time(n).0).collect();
                        Seconds(makespan(&ends, &split.counts, splits.shared(), |k| devices[k], |_| &[], |_| 0.0))
                    })
                };
                level.unwrap_or_else(|_| Level::of(&costs_of(&devices), n).time).0
            };
            below_benefit(&costs_kept, eps.fraction(), alike, time)
        }
    };
    for (i, reason) in &out {
        plan.decision.left_out.push((Slot(among[*i]), reason.clone()));
    }
    let (mut kept, mut place) = (among.to_vec(), 0..);
    kept.retain(|_| place.next().is_some_and(|i: usize| out.iter().all(|(o, _)| *o != i)));
    let division = division.map_or_else(|| split_over(&kept), Ok)?;
    for (k, &i) in kept.iter().enumerate() {
        plan.counts[i] = division.counts[k];
        if division.counts[k] == 0 {
            let costs = known.of(&kept, splits).costs;
            let reason = if costs[i].fixed >= division.level {
                past_the_finish(costs[i], division.level)
            } else if costs[i].time(1) > division.makespan || !known.splits_by_it {
                format!("its share of {n} iterations is less than one")
            } else if splits.shared().iter().any(|shared| shared.takes_of(i)) {
                "what it shares with others does more for them".to_owned()
            } else {
                "no split was found that takes less with it".to_owned()
            };
            plan.decision.left_out.push((Slot(i), reason));
        }
    }
    plan.decision.left_out.sort();
    Ok(plan)
}

fn past_the_finish(cost: LinearCost, level: Seconds) -> String {
    format!("its fixed cost of {} is past the finish of the others at {level}", cost.fixed)
}

/// Positions of devices, and why they are left out.
type LeftOut = Vec<(usize, String)>;

/// A share or a benefit below the cutoff by less than this counts as being at it.
const EDGE: f64 = 1e-9;

/// The water level over the devices still in, by two running sums over them.
struct Sums {
    /// Devices below the level of the full set: a rising level keeps all of them below.
    active: Vec<usize>,
    fastest: f64,
    n: f64,
}

impl Sums {
    fn weight(&self, cost: LinearCost) -> f64 {
        self.fastest / cost.per_iteration.0
    }

    /// T of the devices `set`: (n + sum a/b) / sum 1/b.
    fn level(&self, costs: &[LinearCost], set: impl Iterator<Item = usize>) -> f64 {
        let (mut bottoms, mut weights) = (0.0, 0.0);
        for i in set {
            let weight = self.weight(costs[i]);
            weights += weight;
            bottoms += costs[i].fixed.0 * weight;
        }
        (self.n * self.fastest + bottoms) / weights
    }
}

fn sums(costs: &[LinearCost], n: u64) -> (Sums, Seconds) {
    let level = Level::of(costs, n);
    let active = (0..costs.len()).filter(|&i| level.active[i]).collect();
    let fastest = costs.iter().map(|cost| cost.per_iteration.0).fold(f64::INFINITY, f64::min);
    (Sums { active, fastest, n: n as f64 }, level.time)
}

/// While some share `(T - a_i) / b_i / n` is below `kappa`: drop the weakest device and compute T anew.
fn below_share(costs: &[LinearCost], n: u64, kappa: f64) -> LeftOut {
    let (mut sums, level) = sums(costs, n);
    let mut out = Vec::new();
    if kappa <= EDGE {
        return out;
    }
    // Devices past the finish have a share of zero: they go first, and the level stays.
    for i in (0..costs.len()).filter(|i| sums.active.binary_search(i).is_err()) {
        out.push((i, past_the_finish(costs[i], level)));
    }
    while sums.active.len() > 1 {
        let level = sums.level(costs, sums.active.iter().copied());
        let share = |i: usize| (level - costs[i].fixed.0) / costs[i].per_iteration.0 / sums.n;
        // Ties: drop the device with the larger fixed cost, then the later device.
        let key = |i: usize| (share(i), -costs[i].fixed.0);
        let Some((place, weakest)) = sums.active.iter().copied().enumerate().reduce(|best, next| {
            let (b, x) = (key(best.1), key(next.1));
            if x.0.total_cmp(&b.0).then(x.1.total_cmp(&b.1)).is_le() { next } else { best }
        }) else {
            break;
        };
        // Shares are quotients of rounded numbers: a share of exactly kappa stays in.
        if share(weakest) >= kappa - EDGE {
            break;
        }
        out.push((weakest, below_the_cutoff(share(weakest), kappa)));
        sums.active.remove(place);
    }
    out
}

/// As [`below_share`], for devices whose shares depend on shared capacities: the split is made anew for the devices that are
/// left. Returns the last split too, if it is that of the devices that stay.
fn below_shared_share(
    devices: usize,
    n: u64,
    kappa: f64,
    split: impl Fn(&[usize]) -> Result<Split>,
) -> Result<(LeftOut, Option<Split>)> {
    let mut kept: Vec<usize> = (0..devices).collect();
    let mut out = Vec::new();
    while kept.len() > 1 {
        let division = split(&kept)?;
        let counts = &division.counts;
        // Ties: drop the later device.
        let Some((place, &least)) = counts.iter().enumerate().rev().min_by_key(|(_, count)| **count) else { break };
        let share = least as f64 / n as f64;
        if share >= kappa - EDGE {
            return Ok((out, Some(division)));
        }
        out.push((kept.remove(place), below_the_cutoff(share, kappa)));
    }
    Ok((out, None))
}

fn below_the_cutoff(share: f64, kappa: f64) -> String {
    format!("its predicted share of {:.2} % is below the cutoff of {:.2} %", share * 1e2, kappa * 1e2)
}

/// Whether costs are within 5 % of one another.
fn near(a: LinearCost, b: LinearCost) -> bool {
    let near = |x: Seconds, y: Seconds| x.max(y) <= x.min(y) * 1.05;
    near(a.fixed, b.fixed) && near(a.per_iteration, b.per_iteration)
}

/// While the loop without some kind of device takes less than `eps` longer: drop the kind that helps least.
fn below_benefit(
    costs: &[LinearCost],
    eps: f64,
    alike: impl Fn(usize, usize) -> bool,
    time: impl Fn(&[usize]) -> f64,
) -> LeftOut {
    let level = |set: &mut dyn Iterator<Item = usize>| time(&set.collect::<SmallVec<[usize; 16]>>());
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    // Those past the finish too: without others, the finish may be later.
    for i in 0..costs.len() {
        let of_kind = |kind: &&mut Vec<usize>| alike(kind[0], i) && near(costs[kind[0]], costs[i]);
        match kinds.iter_mut().find(of_kind) {
            Some(kind) => kind.push(i),
            None => kinds.push(vec![i]),
        }
    }
    let mut out = Vec::new();
    let mut now = if kinds.len() > 1 { level(&mut kinds.iter().flatten().copied()) } else { 0.0 };
    while kinds.len() > 1 {
        let without = |k: usize| {
            let others = kinds.iter().enumerate().filter(|(other, _)| *other != k);
            let time = level(&mut others.flat_map(|(_, kind)| kind.iter().copied()));
            ((time - now) / now, k, time)
        };
        // Ties: the kind whose first device comes later. At a shared limit several kinds gain nothing, up to rounding.
        let least =
            (0..kinds.len()).map(without).reduce(|best, next| if next.0 <= best.0 + EDGE { next } else { best });
        // A kind exactly at the cutoff stays, as with shares, despite rounding of the two times.
        let Some((gain, k, time)) = least.filter(|(gain, ..)| *gain < eps - EDGE) else { break };
        let kind = kinds.remove(k);
        let before = std::mem::replace(&mut now, time);
        if gain.abs() <= EDGE && kind.iter().all(|&i| costs[i].fixed.0 >= before) {
            out.extend(kind.iter().map(|&i| (i, past_the_finish(costs[i], Seconds(before)))));
            continue;
        }
        let together = if kind.len() > 1 { format!(" and the {} like it", kind.len() - 1) } else { String::new() };
        let (percent, eps) = (gain * 1e2, eps * 1e2);
        let takes = if gain < -EDGE {
            format!("{:.2} % less", -percent)
        } else {
            format!("{:.2} % longer, less than the cutoff of {eps:.2} %", percent.max(0.0))
        };
        out.extend(kind.iter().map(|&i| (i, format!("without it{together} the loop is predicted to take {takes}"))));
    }
    out
}
