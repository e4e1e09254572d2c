//! The same without a linear program, for the capacities that machines have.
//!
//! Links behind one switch take the same of it for each iteration, so it bounds a sum of iterations; groups lie in one another
//! or apart. Of such bounds, and of one capacity besides on which devices draw unlike (the host's memory), the most iterations
//! until a time are found by one pass over the devices: who takes least of that one capacity first. The time in which that is
//! the whole loop is then found by Newton's method, which on such a function, concave and of straight pieces, comes from below
//! and ends.

use super::{ROUNDED, Shared};
use crate::model::split::LinearCost;
use smallvec::SmallVec;
use std::cell::RefCell;

/// More capacities than this are left to the linear program; devices too, as sets of them are numbers of so many bits.
const MOST: usize = 12;
const MOST_DEVICES: usize = 64;
/// So many sets of devices are tried where some pay for a capacity once, most of them by what bounds them; beyond it, devices
/// are taken out one by one.
const MOST_SETS: usize = 1024;
/// Newton's method takes a step for each piece of the function that it passes.
const STEPS: usize = 100;
/// Part of a number of iterations that is lost to rounding.
const FINE: f64 = 1e-13;
/// Part of a capacity that may be left over where it is full.
const NEARLY: f64 = 10.0 * ROUNDED;

/// A number and by how much it grows with what is varied.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    value: f64,
    slope: f64,
}

impl Line {
    /// The smaller one now; of equals, the one that is smaller next.
    fn least(self, other: Self) -> Self {
        let less = other.value < self.value || (other.value == self.value && other.slope < self.slope);
        if less { other } else { self }
    }

    fn less(&mut self, other: Self, times: f64) {
        self.value -= times * other.value;
        self.slope -= times * other.slope;
    }
}

/// Devices of which each does what the next would do in its place.
type Kind = SmallVec<[usize; 9]>;

/// What is left of the capacities: of those that bound sums, in iterations; of the one besides, in its time.
#[derive(Clone, Copy, Debug, Default)]
struct Rooms {
    sums: [Line; MOST],
    uneven: Line,
}

/// What a set of devices takes of the capacities before any iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Dues {
    sums: [f64; MOST],
    uneven: f64,
    /// Before this nobody gets an iteration, or one has not begun.
    low: f64,
}

impl Dues {
    fn add(&mut self, device: &Device) {
        self.uneven += device.uneven_once;
        self.low = self.low.max(device.fixed).max(self.uneven);
        for &(capacity, _, once) in &device.sums {
            let due = &mut self.sums[capacity as usize];
            *due += once;
            self.low = self.low.max(*due);
        }
    }
}

#[derive(Clone, Debug)]
struct Device {
    /// Its place in the caller's list.
    place: usize,
    fixed: f64,
    pace: f64,
    /// What an iteration takes of the one capacity on which devices draw unlike.
    uneven: f64,
    uneven_once: f64,
    /// The capacities that bound sums on which it draws, and what it takes of them once.
    sums: SmallVec<[(u8, bool, f64); 3]>,
}

impl Device {
    /// Whether it does all that the other does, at no time later, and takes no more of anything.
    fn replaces(&self, other: &Self) -> bool {
        let no_more = |&(capacity, draws, once): &(u8, bool, f64)| {
            other.sums.iter().any(|&(c, its, most)| c == capacity && (its || !draws) && once <= most)
        };
        self.fixed <= other.fixed
            && self.pace >= other.pace
            && self.uneven <= other.uneven
            && self.uneven_once <= other.uneven_once
            && self.sums.iter().all(no_more)
    }
}

/// Devices, those first that take least of the one capacity on which they draw unlike. A set of them is a number with a bit
/// for each.
#[derive(Debug)]
pub(super) struct Flow {
    devices: Vec<Device>,
    /// Iterations that a capacity gives in a unit of time.
    rates: SmallVec<[f64; MOST]>,
    charged: bool,
    n: f64,
    /// Of sets that were asked for: who takes part, and the least time.
    solved: RefCell<Vec<Solved>>,
}

#[derive(Clone, Copy, Debug)]
struct Solved {
    within: u64,
    set: u64,
    level: f64,
}

fn places(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        place
    })
}

impl Flow {
    /// Of the devices that `members` names, in the order of that list. `None` where capacities are of another kind.
    pub fn new(costs: &[LinearCost], shared: &[Shared], members: &[usize], n: u64) -> Option<Self> {
        if members.len() > MOST_DEVICES || shared.len() > MOST || n == 0 {
            return None;
        }
        let mut charged = false;
        // Who draws on each, what an iteration takes; and which one is of another kind.
        let mut bounds: SmallVec<[(u64, f64, usize); MOST]> = SmallVec::new();
        let mut uneven = None;
        for (capacity, shared) in shared.iter().enumerate() {
            let (mut who, mut low, mut high) = (0_u64, f64::INFINITY, 0.0_f64);
            for (place, &i) in members.iter().enumerate() {
                let each = shared.per_iteration[i].0;
                charged |= shared.once[i].0 > 0.0;
                if each > 0.0 {
                    who |= 1 << place;
                    (low, high) = (low.min(each), high.max(each));
                }
            }
            if who == 0 || high <= low * (1.0 + FINE) {
                bounds.push((who, high, capacity));
            } else if uneven.replace(capacity).is_some() {
                return None;
            }
        }
        let cross = |a: u64, b: u64| a & b != 0 && a & b != a && a & b != b;
        // The host's memory first: on that both groups and cores draw.
        let mut k = 0;
        while k < bounds.len() {
            if !bounds.iter().any(|(other, ..)| cross(bounds[k].0, *other)) {
                k += 1;
            } else if uneven.replace(bounds.remove(k).2).is_some() {
                return None;
            }
        }
        let device = |(place, &i): (usize, &usize)| Device {
            place,
            fixed: costs[i].fixed.0,
            pace: 1.0 / costs[i].per_iteration.0,
            uneven: uneven.map_or(0.0, |capacity| shared[capacity].per_iteration[i].0),
            uneven_once: uneven.map_or(0.0, |capacity| shared[capacity].once[i].0),
            sums: (0..)
                .zip(&bounds)
                .map(|(k, &(who, _, capacity))| (k, who >> place & 1 == 1, shared[capacity].once[i].0))
                .filter(|&(_, draws, once)| draws || once > 0.0)
                .collect(),
        };
        let mut devices: Vec<Device> = members.iter().enumerate().map(device).collect();
        devices.sort_by(|a, b| a.uneven.total_cmp(&b.uneven));
        let rates: SmallVec<[f64; MOST]> = bounds.iter().map(|(_, each, _)| 1.0 / each).collect();
        let sound = devices.iter().all(|device| device.pace.is_finite() && device.uneven.is_finite());
        sound.then_some(Self { devices, rates, charged, n: n as f64, solved: RefCell::default() })
    }

    fn dues(&self, set: u64) -> Dues {
        let mut dues = Dues::default();
        places(set).for_each(|k| dues.add(&self.devices[k]));
        dues
    }

    /// What capacities give until `time`, beyond what is due; it grows by `grows`.
    fn rooms(&self, dues: &Dues, time: f64, grows: f64) -> Rooms {
        let mut rooms = Rooms { uneven: Line { value: time - dues.uneven, slope: grows }, ..Rooms::default() };
        for ((room, rate), due) in rooms.sums.iter_mut().zip(&self.rates).zip(&dues.sums) {
            // Nobody draws on it but once.
            let none = rate.is_infinite();
            *room = Line {
                value: if none { 0.0 } else { (time - due) * rate },
                slope: if none { 0.0 } else { grows * rate },
            };
        }
        rooms
    }

    /// The most iterations of a set where each device may do so many as `own` says.
    fn fill(&self, set: u64, rooms: &mut Rooms, own: impl Fn(usize) -> Line, mut got: impl FnMut(usize, Line)) -> Line {
        let mut all = Line::default();
        for k in places(set) {
            let device = &self.devices[k];
            let mut most = own(k);
            for &(capacity, draws, _) in &device.sums {
                if draws {
                    most = most.least(rooms.sums[capacity as usize]);
                }
            }
            if device.uneven > 0.0 {
                let by = 1.0 / device.uneven;
                most = most.least(Line { value: rooms.uneven.value * by, slope: rooms.uneven.slope * by });
                rooms.uneven.less(most, device.uneven);
            }
            if most.value < 0.0 {
                most.value = 0.0;
            }
            for &(capacity, draws, _) in &device.sums {
                if draws {
                    rooms.sums[capacity as usize].less(most, 1.0);
                }
            }
            all.less(most, -1.0);
            got(k, most);
        }
        all
    }

    /// What a device does until `time` if nothing is short.
    fn own(&self, k: usize, time: f64) -> Line {
        let Device { fixed, pace, .. } = self.devices[k];
        Line { value: (time - fixed) * pace, slope: pace }
    }

    /// The most iterations of a set until `time`.
    fn until(&self, set: u64, dues: &Dues, time: f64) -> Line {
        self.fill(set, &mut self.rooms(dues, time, 1.0), |k| self.own(k, time), |_, _| ())
    }

    /// The least time of these devices, all of which pay what they pay once. It is not before `from`.
    pub fn level(&self, set: u64, from: f64) -> Option<f64> {
        self.level_after(set, &self.dues(set), from)
    }

    fn level_after(&self, set: u64, dues: &Dues, from: f64) -> Option<f64> {
        self.newton(from.max(dues.low), self.n, |time| self.until(set, dues, time))
    }

    /// The least time from `from` on until which there are `n` iterations.
    fn newton(&self, from: f64, n: f64, until: impl Fn(f64) -> Line) -> Option<f64> {
        let mut time = from;
        for _ in 0..STEPS {
            let Line { value, slope } = until(time);
            let lacks = n - value;
            if lacks <= self.n * FINE {
                return Some(time);
            }
            let next = time + lacks / slope;
            if !next.is_finite() || slope <= 0.0 {
                return None;
            }
            if next <= time {
                return Some(time);
            }
            time = next;
        }
        None
    }

    /// Whether a device takes something of a capacity before its first iteration.
    fn pays(&self, k: usize) -> bool {
        let Device { uneven_once, sums, .. } = &self.devices[k];
        *uneven_once > 0.0 || sums.iter().any(|(_, _, once)| *once > 0.0)
    }

    /// The devices whose places in the caller's list are taken.
    pub fn set(&self, takes: impl Fn(usize) -> bool) -> u64 {
        let of = |set: u64, (k, device): (usize, &Device)| set | u64::from(takes(device.place)) << k;
        self.devices.iter().enumerate().fold(0, of)
    }

    /// The least time of these devices, and who of them takes part.
    pub fn solve_within(&self, set: u64, from: f64) -> Option<(u64, f64)> {
        if !self.charged || !places(set).any(|k| self.pays(k)) {
            return self.set_by_fixed_cost(set, from);
        }
        // Of fewer devices those are the best that are the best of more.
        let same = |solved: &&Solved| set & !solved.within == 0 && solved.set & !set == 0;
        let before = self.solved.borrow().iter().rev().find(same).copied();
        if let Some(Solved { set, level, .. }) = before {
            return Some((set, level));
        }
        let kinds = self.kinds(set);
        let sets = kinds.iter().try_fold(1_usize, |sets, kind| sets.checked_mul(kind.len() + 1));
        if sets.is_none_or(|sets| sets > MOST_SETS) {
            return self.set_of_many(kinds, set, from);
        }
        let (best, level) = self.set_of_charged(&kinds, set, from)?;
        self.solved.borrow_mut().push(Solved { within: set, set: best, level });
        Some((best, level))
    }

    /// Who takes part, where that costs nothing but a device's own time: those whose fixed cost is below the level, which
    /// falls with each of them.
    fn set_by_fixed_cost(&self, within: u64, from: f64) -> Option<(u64, f64)> {
        let mut order: SmallVec<[usize; 12]> = places(within).collect();
        order.sort_by(|&i, &j| self.devices[i].fixed.total_cmp(&self.devices[j].fixed));
        let count = order.iter().take_while(|&&k| self.devices[k].fixed < from).count().max(1);
        let mut set = order[..count].iter().fold(0_u64, |set, &k| set | 1 << k);
        let mut level = self.level(set, from)?;
        for &next in &order[count..] {
            if self.devices[next].fixed >= level {
                break;
            }
            set |= 1 << next;
            level = self.level(set, from)?;
        }
        Some((set, level))
    }

    /// Who takes part, where that takes a part of a capacity: the best of all sets, devices of which one is as good as the next
    /// in everything counting as one kind.
    fn set_of_charged(&self, kinds: &[Kind], within: u64, from: f64) -> Option<(u64, f64)> {
        let mut best = (within, self.level(within, from)?);
        // Of similar sets similar ones are the best.
        let likely = self.solved.borrow().last().map_or(0, |solved| solved.set & within);
        if self.is_better(likely, best.1)
            && let Some(level) = self.level(likely, from)
        {
            best = (likely, level);
        }
        self.best_of_all(kinds, within, &Dues::default(), from, &mut best);
        Some(best)
    }

    /// The same with very many sets: that from which taking out one more gains nothing.
    fn set_of_many(&self, mut kinds: SmallVec<[Kind; 12]>, within: u64, from: f64) -> Option<(u64, f64)> {
        let mut best = (within, self.level(within, from)?);
        loop {
            let (before, mut next) = (best.0, None);
            for (place, kind) in kinds.iter().enumerate() {
                let Some(&last) = kind.last() else { continue };
                let set = before & !(1 << last);
                if self.is_better(set, best.1)
                    && let Some(level) = self.level(set, from)
                {
                    best = (set, level);
                    next = Some(place);
                }
            }
            match next {
                Some(kind) => drop(kinds[kind].pop()),
                None => return Some(best),
            }
        }
    }

    /// Devices in chains: each does whatever the next would do in its place, so that of a chain the first ones take part. Of
    /// equals that is the one that comes first in the caller's order.
    fn kinds(&self, within: u64) -> SmallVec<[Kind; 12]> {
        let mut order: SmallVec<[usize; 12]> = places(within).collect();
        order.sort_unstable_by(|&i, &j| {
            let (a, b) = (&self.devices[i], &self.devices[j]);
            a.fixed.total_cmp(&b.fixed).then(b.pace.total_cmp(&a.pace)).then(a.place.cmp(&b.place))
        });
        let mut kinds: SmallVec<[Kind; 12]> = SmallVec::new();
        for k in order {
            let before =
                |kind: &&mut Kind| kind.last().is_some_and(|&last| self.devices[last].replaces(&self.devices[k]));
            match kinds.iter_mut().find(before) {
                Some(kind) => kind.push(k),
                None => kinds.push(SmallVec::from_slice(&[k])),
            }
        }
        kinds
    }

    /// Whether these devices are done before `level`.
    fn is_better(&self, set: u64, level: f64) -> bool {
        let (dues, level) = (self.dues(set), level * (1.0 - ROUNDED));
        set != 0 && dues.low < level && self.until(set, &dues, level).value > self.n
    }

    /// Tries the sets of fewer devices of the last kinds, all of the first ones being as `set` says. Of those of whom it is
    /// settled that they take part, `dues` are what they pay: where nobody else pays, and yet all of `set` are not done before
    /// the best, no set of those need be tried.
    fn best_of_all(&self, kinds: &[Kind], mut set: u64, dues: &Dues, from: f64, best: &mut (u64, f64)) {
        let Some((kind, others)) = kinds.split_last() else {
            if let Some(level) = self.level_after(set, dues, from) {
                *best = (set, level);
            }
            return;
        };
        for count in (0..=kind.len()).rev() {
            if let Some(&out) = kind.get(count) {
                set &= !(1 << out);
            }
            let mut with_kind = *dues;
            kind[..count].iter().for_each(|&k| with_kind.add(&self.devices[k]));
            let level = best.1 * (1.0 - ROUNDED);
            if with_kind.low < level && self.until(set, &with_kind, level).value > self.n {
                self.best_of_all(others, set, &with_kind, from, best);
            } else if self.until(set, &Dues::default(), level).value <= self.n {
                // Even without dues: nor are fewer of this kind.
                return;
            }
        }
    }

    /// Of all ways to be done at `level`, the one whose slowest device has the least to do, then the second slowest, and so
    /// on: the iterations of each device, in the caller's order.
    pub fn earliest(&self, mut set: u64, level: f64) -> Option<SmallVec<[f64; 12]>> {
        loop {
            let shares = self.earliest_of_all(set, level)?;
            // Who gets nothing pays nothing either, which leaves more to the others.
            let idle = |&k: &usize| shares[self.devices[k].place] <= self.n * ROUNDED && self.pays(k);
            let idle = places(set).filter(idle).fold(0, |all, k| all | 1 << k);
            if idle == 0 || idle == set {
                return Some(shares);
            }
            set &= !idle;
        }
    }

    /// The same where all of `set` pay what they pay once.
    fn earliest_of_all(&self, set: u64, level: f64) -> Option<SmallVec<[f64; 12]>> {
        let mut shares: SmallVec<[f64; 12]> = SmallVec::from_elem(0.0, self.devices.len());
        // Level and sums are rounded: without some room there may be no solution at all.
        let mut rooms = self.rooms(&self.dues(set), level * (1.0 + ROUNDED), 0.0);
        let (mut open, mut rest) = (set, self.n);
        while open != 0 && rest > self.n * FINE {
            let low = places(open).map(|k| self.devices[k].fixed).fold(0.0, f64::max);
            let until = |time: f64| self.fill(open, &mut rooms.clone(), |k| self.own(k, time), |_, _| ());
            let time = self.newton(low, rest, until)?;
            if time <= low {
                // The others have room for all: who begins last need not.
                open &= !places(open).filter(|&k| self.devices[k].fixed >= low).fold(0, |all, k| all | 1 << k);
                continue;
            }
            let mut got: SmallVec<[f64; 12]> = SmallVec::from_elem(0.0, self.devices.len());
            let mut after = rooms;
            self.fill(open, &mut after, |k| self.own(k, time), |k, line| got[k] = line.value);
            let busy = |k: usize| got[k] >= self.own(k, time).value * (1.0 - ROUNDED);
            let sum_full = |c: u8| after.sums[c as usize].value <= level * self.rates[c as usize] * NEARLY;
            let sums_full = |k: usize| self.devices[k].sums.iter().any(|&(c, draws, _)| draws && sum_full(c));
            let uneven_full = after.uneven.value <= level * NEARLY;
            // In no solution is such a device done earlier: it works all the time and nothing that it draws on is full.
            let mut settled = 0;
            if !uneven_full {
                settled = places(open).filter(|&k| busy(k) && !sums_full(k)).fold(0, |all, k| all | 1 << k);
            }
            if settled == 0 {
                // Or whatever it does less the others cannot do more.
                let lost = |k: usize| {
                    let less = |other: usize| match self.own(other, time).value {
                        // A little, so that it is clear what bounds it.
                        value if other == k => Line { value: value * (1.0 - NEARLY), slope: -1.0 },
                        value => Line { value, slope: 0.0 },
                    };
                    self.fill(open, &mut rooms.clone(), less, |_, _| ()).slope < -ROUNDED
                };
                settled = places(open).filter(|&k| busy(k) && lost(k)).fold(0, |all, k| all | 1 << k);
            }
            if settled == 0 {
                settled = open;
            }
            for k in places(settled) {
                let device = &self.devices[k];
                shares[device.place] = got[k];
                rest -= got[k];
                rooms.uneven.value -= got[k] * device.uneven;
                for &(capacity, draws, _) in &device.sums {
                    if draws {
                        rooms.sums[capacity as usize].value -= got[k];
                    }
                }
            }
            open &= !settled;
        }
        Some(shares)
    }
}
