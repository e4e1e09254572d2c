//! Splits of one loop over several sets of the same devices: what does not depend on the set is computed once.

use super::flow::Flow;
use super::{Fluid, Members, ROUNDED, Shared, fluid_wall, rounded, wall_among};
use crate::error::Result;
use crate::model::split::{Level, LinearCost, Split, check, makespan, split};
use crate::units::Seconds;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::OnceCell;

/// A loop, some devices and what they share.
pub(crate) struct Splits<'c> {
    /// Costs of all devices of the list.
    pub costs: &'c [LinearCost],
    shared: Cow<'c, [Shared]>,
    /// The devices of which the sets are made.
    pub among: Members,
    /// Iterations of the loop.
    pub n: u64,
    /// The solver for `among`; `None` if the capacities are of a kind that it cannot solve.
    flow: OnceCell<Option<Flow>>,
}

impl<'c> Splits<'c> {
    /// For `n` iterations over sets of the devices that `among` names.
    pub fn new(costs: &'c [LinearCost], shared: impl Into<Cow<'c, [Shared]>>, among: &[usize], n: u64) -> Self {
        Self { costs, shared: shared.into(), among: Members::from_slice(among), n, flow: OnceCell::new() }
    }

    /// The capacities.
    pub fn shared(&self) -> &[Shared] {
        &self.shared
    }

    /// Whether a device is known to be slowed other than in proportion.
    pub fn is_steady(&self) -> bool {
        self.shared.iter().any(Shared::is_steady)
    }

    /// As [`split_shared`](super::split_shared), over `members` as if there were no other devices. The counts are in their order.
    ///
    /// # Errors
    /// As [`split`].
    pub fn split(&self, members: &[usize]) -> Result<Split> {
        if self.as_measured(members) {
            return self.split_as_measured(members);
        }
        self.split_by_capacity(members)
    }

    /// The same with known slowdowns, by what the capacities can give alone; none where that is [`Splits::split`].
    ///
    /// # Errors
    /// As [`split`].
    pub fn unmeasured(&self, members: &[usize]) -> Result<Option<Split>> {
        self.as_measured(members).then(|| self.split_by_capacity(members)).transpose()
    }

    fn split_by_capacity(&self, members: &[usize]) -> Result<Split> {
        let (costs, shared, n) = (self.costs, self.shared(), self.n);
        let own: SmallVec<[LinearCost; 16]> = members.iter().map(|&i| costs[i]).collect();
        check(&own)?;
        let free = Level::of(&own, n);
        let without = || {
            let counts = free.counts(&own, n);
            Split { makespan: makespan(&own, &counts), level: free.time, counts }
        };
        // No split is faster than the one without contention. Whether contention raises its level is decided with divisible
        // loads: with whole iterations it would depend on which device has the last one.
        let fluid = fluid_wall(costs, shared, members, free.time);
        let short = fluid > free.time.0 * (1.0 + ROUNDED);
        if !short || !fluid.is_finite() {
            let split = without();
            let wall = wall_among(shared, members, &split.counts);
            if !short && wall <= split.makespan || !wall.0.is_finite() {
                return Ok(split);
            }
        }
        let solved = if let Some(flow) = self.flow() {
            flow.solve_within(self.set(members), free.time.0).and_then(|(set, level)| {
                let shares = flow.earliest(set, level)?;
                Some((level, members.iter().map(|&i| shares[self.place(i)]).collect()))
            })
        } else if members.len() < self.among.len() {
            // Fewer devices may share fewer capacities, so the flow may exist for them.
            return Splits::new(costs, shared, members, n).split_by_capacity(members);
        } else {
            None
        };
        let Some((level, shares)) = solved.or_else(|| self.by_program(&own, members, free.time)) else {
            // Numbers too far apart for the solver: the loop needs a split all the same.
            let split = without();
            let wall = wall_among(shared, members, &split.counts);
            return Ok(Split { makespan: split.makespan.max(wall), ..split });
        };
        let counts = rounded(&own, shared, members, n, &shares);
        let time = |counts: &[u64]| makespan(&own, counts).max(wall_among(shared, members, counts));
        let level = Seconds(level).max(free.time);
        let mine = time(&counts);
        // In the split without contention, a device has at most one iteration less than with divisible loads.
        let less = |shared: &Shared, i: usize| {
            let none = costs[i].fixed + costs[i].per_iteration > free.time;
            shared.per_iteration[i].0 + if none { shared.once[i].0 } else { 0.0 }
        };
        let less = |shared: &Shared| members.iter().map(|&i| less(shared, i)).sum::<f64>();
        let (counts, makespan) = if fluid - shared.iter().map(less).fold(0.0, f64::max) <= mine.0 * (1.0 + ROUNDED) {
            let without = without().counts;
            let its = time(&without);
            if its.0 <= mine.0 * (1.0 + ROUNDED) { (without, its) } else { (counts, mine) }
        } else {
            (counts, mine)
        };
        Ok(Split { counts, level, makespan })
    }

    /// The level of [`Splits::split`]. Where slowdowns are known, a device that gets less than one iteration still counts as at
    /// work here, and not in the split.
    ///
    /// # Errors
    /// As [`split`].
    pub fn level(&self, members: &[usize]) -> Result<Seconds> {
        if self.as_measured(members) {
            return self.level_as_measured(members);
        }
        let own: SmallVec<[LinearCost; 16]> = members.iter().map(|&i| self.costs[i]).collect();
        check(&own)?;
        let free = Level::of(&own, self.n).time;
        let wall = fluid_wall(self.costs, self.shared(), members, free);
        if wall <= free.0 * (1.0 + ROUNDED) {
            return Ok(free);
        }
        if wall.is_finite()
            && let Some(flow) = self.flow()
            && let Some((_, level)) = flow.solve_within(self.set(members), free.0)
        {
            return Ok(Seconds(level).max(free));
        }
        Ok(self.split(members)?.level)
    }

    /// A lower bound of the time of these devices, whoever of them takes part, from another one on: what they draw once does not count.
    /// It holds where slowdowns are known too, as no more than all of a capacity is given.
    pub fn at_least(&self, members: &[usize], bound: Seconds) -> Seconds {
        let level = self.flow().and_then(|flow| flow.at_least(self.set(members), bound.0));
        level.map_or(bound, |level| bound.max(Seconds(level)))
    }

    /// A lower bound of the time of these devices if each of them takes part.
    pub fn level_of_all(&self, members: &[usize]) -> Seconds {
        let level = self.flow().and_then(|flow| flow.level(self.set(members), 0.0));
        let once = |shared: &Shared| members.iter().map(|&i| shared.once[i].0).sum::<f64>();
        Seconds(level.unwrap_or_else(|| self.shared.iter().map(once).fold(0.0, f64::max)))
    }

    fn flow(&self) -> Option<&Flow> {
        self.flow.get_or_init(|| Flow::new(self.costs, &self.shared, &self.among, self.n)).as_ref()
    }

    /// The set as [`Flow`] represents it.
    fn set(&self, members: &[usize]) -> u64 {
        self.flow().map_or(0, |flow| flow.set(|place| members.contains(&self.among[place])))
    }

    fn place(&self, member: usize) -> usize {
        self.among.iter().position(|&i| i == member).unwrap_or(0)
    }

    /// By linear programs: the level in seconds and each device's iterations.
    fn by_program(&self, own: &[LinearCost], members: &[usize], level: Seconds) -> Option<(f64, SmallVec<[f64; 12]>)> {
        let shared: Vec<Shared> = self.shared.iter().map(|shared| shared.among(members)).collect();
        let (level, shares) = Fluid::new(own, &shared, self.n, level).solve()?;
        Some((level, shares.into()))
    }

    /// Whether a slowdown of these devices is known, and none of them draws on a capacity once.
    fn as_measured(&self, members: &[usize]) -> bool {
        let any = |of: &dyn Fn(&Shared, usize) -> bool| {
            self.shared.iter().any(|shared| members.iter().any(|&i| of(shared, i)))
        };
        any(&|shared, i| shared.steady[i] != 0.0) && !any(&|shared, i| shared.once[i].0 > 0.0)
    }

    /// The split by known slowdowns: each device has the pace at which it runs while all of them work.
    ///
    /// Callers that compare sets decide which devices take part; here, only devices that would begin too late get nothing.
    fn split_as_measured(&self, members: &[usize]) -> Result<Split> {
        let split = |slowed: &[LinearCost]| split(slowed, self.n);
        self.by_slowdowns(members, split, |split, k| split.counts[k] > 0)
    }

    /// The level of [`Self::split_as_measured`], where a device takes part from its first part of an iteration on.
    fn level_as_measured(&self, members: &[usize]) -> Result<Seconds> {
        let level = |slowed: &[LinearCost]| check(slowed).map(|()| Level::of(slowed, self.n));
        Ok(self.by_slowdowns(members, level, |level, k| level.active[k])?.time)
    }

    /// What `divide` makes of the devices' paces while all those work that get something by it.
    fn by_slowdowns<D>(
        &self,
        members: &[usize],
        divide: impl Fn(&[LinearCost]) -> Result<D>,
        gets: impl Fn(&D, usize) -> bool,
    ) -> Result<D> {
        let (costs, shared) = (self.costs, self.shared());
        let mut works: SmallVec<[bool; 16]> = SmallVec::from_elem(true, members.len());
        let mut slower: SmallVec<[f64; 16]> = SmallVec::new();
        let mut slowed: SmallVec<[LinearCost; 16]> = SmallVec::new();
        loop {
            slower.clear();
            slower.resize(members.len(), 1.0);
            for shared in shared {
                let asks = |(&i, _): (&usize, &bool)| (i, shared.per_iteration[i] / costs[i].per_iteration);
                let at_work = members.iter().zip(&works).filter(|(_, works)| **works);
                let crowd = shared.crowd(at_work.map(asks).filter(|(_, asks)| asks.is_finite()));
                if !crowd.is_free() {
                    for (&i, slower) in
                        members.iter().zip(&mut slower).filter(|(i, _)| shared.per_iteration[**i].0 > 0.0)
                    {
                        *slower = slower.max(shared.slowed(i, crowd));
                    }
                }
            }
            slowed.clear();
            for (&i, slower) in members.iter().zip(&slower) {
                slowed.push(LinearCost { per_iteration: costs[i].per_iteration * *slower, ..costs[i] });
            }
            let division = divide(&slowed)?;
            // Devices without iterations slow nobody, so the others finish sooner; fewer work in each round.
            let mut idle = false;
            for (k, works) in works.iter_mut().enumerate().filter(|(_, works)| **works) {
                *works = gets(&division, k);
                idle |= !*works;
            }
            if !idle {
                return Ok(division);
            }
        }
    }
}
