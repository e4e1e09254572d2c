//! Contended splits without a linear program, for the capacities that machines have.
//!
//! Links behind one switch all draw equally on it per iteration, so the switch bounds a sum of iterations; groups are nested or
//! disjoint. With such bounds and one further, uneven capacity on which devices draw unequally (the host's memory), one pass over
//! the devices finds the most iterations until a time: devices that draw least on the uneven capacity come first. Newton's method
//! then finds the time at which this is the whole loop. The function is concave and piecewise linear, so the method approaches
//! from below and ends.

use super::{ROUNDED, Shared};
use crate::model::split::LinearCost;
use smallvec::SmallVec;
use std::cell::RefCell;

/// More capacities or devices are left to the linear program; a set of devices is a number with one bit each.
const MOST: usize = 12;
const MOST_DEVICES: usize = 64;
/// The most sets of devices that are tried if some pay once for a capacity; bounds rule most of them out. Beyond it, devices are
/// removed one by one.
const MOST_SETS: usize = 1024;
/// Newton's method takes a step for each linear piece of the function that it passes.
const STEPS: usize = 100;
/// Relative rounding error of a number of iterations.
const FINE: f64 = 1e-13;
/// A capacity with this part of it left over counts as full.
const NEARLY: f64 = 10.0 * ROUNDED;

/// A value and its derivative by what is varied.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    value: f64,
    slope: f64,
}

impl Line {
    /// The smaller value; on a tie, the one with the smaller slope.
    fn least(self, other: Self) -> Self {
        let less = other.value < self.value || (other.value == self.value && other.slope < self.slope);
        if less { other } else { self }
    }

    fn less(&mut self, other: Self, times: f64) {
        self.value -= times * other.value;
        self.slope -= times * other.slope;
    }
}

/// A chain of devices, each of which can replace the next.
type Kind = SmallVec<[usize; 9]>;

/// What is left of the capacities: in iterations for those that bound sums, in time for the uneven one.
#[derive(Clone, Copy, Debug, Default)]
struct Rooms {
    sums: [Line; MOST],
    uneven: Line,
}

/// What a set of devices draws on the capacities before any iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Dues {
    sums: [f64; MOST],
    uneven: f64,
    /// Until this time some device has not begun, or a capacity still serves these dues.
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
    /// What an iteration draws on the uneven capacity.
    uneven: f64,
    uneven_once: f64,
    /// Capacities that bound sums: the number, whether iterations draw on it, and what the device draws once.
    sums: SmallVec<[(u8, bool, f64); 3]>,
}

impl Device {
    /// Whether it can do the other's work, no later and without drawing more on any capacity.
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

/// Devices, ordered by what they draw on the uneven capacity, the least first. A set of them is a number with one bit each.
#[derive(Debug)]
pub(super) struct Flow {
    devices: Vec<Device>,
    /// Iterations that each capacity serves in a unit of time.
    rates: SmallVec<[f64; MOST]>,
    charged: bool,
    n: f64,
    /// Sets solved before: the devices that take part, and the least time.
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
    /// For the devices that `members` names, in that order. `None` if the capacities are of another kind.
    pub fn new(costs: &[LinearCost], shared: &[Shared], members: &[usize], n: u64) -> Option<Self> {
        if members.len() > MOST_DEVICES || shared.len() > MOST || n == 0 {
            return None;
        }
        let mut charged = false;
        // For each bound: devices that draw on it, what an iteration draws, the capacity; `uneven` is the one of another kind.
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
        // One that crosses another becomes the uneven one. The host's memory comes first: groups and cores both draw on it.
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

    /// What the capacities can serve until `time`, beyond the dues; `grows` is its derivative.
    fn rooms(&self, dues: &Dues, time: f64, grows: f64) -> Rooms {
        let mut rooms = Rooms { uneven: Line { value: time - dues.uneven, slope: grows }, ..Rooms::default() };
        for ((room, rate), due) in rooms.sums.iter_mut().zip(&self.rates).zip(&dues.sums) {
            // No iteration draws on it.
            let none = rate.is_infinite();
            *room = Line {
                value: if none { 0.0 } else { (time - due) * rate },
                slope: if none { 0.0 } else { grows * rate },
            };
        }
        rooms
    }

    /// The most iterations of a set, where `own` limits each device.
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

    /// Iterations of a device until `time` if no capacity is short.
    fn own(&self, k: usize, time: f64) -> Line {
        let Device { fixed, pace, .. } = self.devices[k];
        Line { value: (time - fixed) * pace, slope: pace }
    }

    /// The most iterations of a set until `time`.
    fn until(&self, set: u64, dues: &Dues, time: f64) -> Line {
        self.fill(set, &mut self.rooms(dues, time, 1.0), |k| self.own(k, time), |_, _| ())
    }

    /// The least time of these devices, at least `from`, where each of them pays its dues.
    pub fn level(&self, set: u64, from: f64) -> Option<f64> {
        self.level_after(set, &self.dues(set), from)
    }

    fn level_after(&self, set: u64, dues: &Dues, from: f64) -> Option<f64> {
        self.newton(from.max(dues.low), self.n, |time| self.until(set, dues, time))
    }

    /// The least time, from `from` on, until which `n` iterations can be done.
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

    /// Whether a device draws on a capacity before its first iteration.
    fn pays(&self, k: usize) -> bool {
        let Device { uneven_once, sums, .. } = &self.devices[k];
        *uneven_once > 0.0 || sums.iter().any(|(_, _, once)| *once > 0.0)
    }

    /// The set of devices whose places in the caller's list `takes` accepts.
    pub fn set(&self, takes: impl Fn(usize) -> bool) -> u64 {
        let of = |set: u64, (k, device): (usize, &Device)| set | u64::from(takes(device.place)) << k;
        self.devices.iter().enumerate().fold(0, of)
    }

    /// The devices of `set` that take part, and the least time.
    pub fn solve_within(&self, set: u64, from: f64) -> Option<(u64, f64)> {
        if !self.charged || !places(set).any(|k| self.pays(k)) {
            return self.set_by_fixed_cost(set, from);
        }
        // The best devices of a larger set are also the best of a smaller set that contains them.
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

    /// The least time of those devices of `set` that take part, from `from` on, as if none paid once for a capacity.
    pub fn at_least(&self, set: u64, from: f64) -> Option<f64> {
        self.set_by_fixed_cost(set, from).map(|(_, level)| level)
    }

    /// The devices that take part if none pays once for a capacity: those with a fixed cost below the level, which falls with
    /// each device added.
    fn set_by_fixed_cost(&self, within: u64, from: f64) -> Option<(u64, f64)> {
        let level = |set: u64, from: f64| {
            let low = places(set).map(|k| self.devices[k].fixed).fold(from, f64::max);
            self.level_after(set, &Dues::default(), low)
        };
        let mut order: SmallVec<[usize; 12]> = places(within).collect();
        order.sort_by(|&i, &j| self.devices[i].fixed.total_cmp(&self.devices[j].fixed));
        let count = order.iter().take_while(|&&k| self.devices[k].fixed < from).count().max(1);
        let mut set = order[..count].iter().fold(0_u64, |set, &k| set | 1 << k);
        let mut least = level(set, from)?;
        for &next in &order[count..] {
            if self.devices[next].fixed >= least {
                break;
            }
            set |= 1 << next;
            least = level(set, from)?;
        }
        Some((set, least))
    }

    /// The devices that take part if some pay once for a capacity: the best of all sets. A chain of devices that can replace one
    /// another counts as one kind.
    fn set_of_charged(&self, kinds: &[Kind], within: u64, from: f64) -> Option<(u64, f64)> {
        let mut best = (within, self.level(within, from)?);
        // Similar sets have similar best devices.
        let likely = self.solved.borrow().last().map_or(0, |solved| solved.set & within);
        if self.is_better(likely, best.1)
            && let Some(level) = self.level(likely, from)
        {
            best = (likely, level);
        }
        self.best_of_all(kinds, within, &Dues::default(), from, &mut best);
        Some(best)
    }

    /// As `set_of_charged`, for too many sets: removes devices one by one until that gains nothing.
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

    /// Devices in chains: each can replace the next, so the first ones of a chain take part. Equal devices are in the caller's
    /// order.
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

    /// Whether these devices finish before `level`.
    fn is_better(&self, set: u64, level: f64) -> bool {
        let (dues, level) = (self.dues(set), level * (1.0 - ROUNDED));
        set != 0 && dues.low < level && self.until(set, &dues, level).value > self.n
    }

    /// Tries each number of devices of these kinds, the last kind first, within `set`. `dues` are those of the devices that are
    /// settled to take part: if `set` does not finish before the best level even with these dues alone, no subset with those
    /// devices does.
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
                // Not even without dues: then no set with fewer of this kind does either.
                return;
            }
        }
    }

    /// Among all divisions that take `level`, the one whose last device would finish earliest on its own, then the second last,
    /// and so on: the iterations of each device, in the caller's order.
    pub fn earliest(&self, mut set: u64, level: f64) -> Option<SmallVec<[f64; 12]>> {
        loop {
            let shares = self.earliest_of_all(set, level)?;
            // A device without iterations pays nothing, which leaves more for the others.
            let idle = |&k: &usize| shares[self.devices[k].place] <= self.n * ROUNDED && self.pays(k);
            let idle = places(set).filter(idle).fold(0, |all, k| all | 1 << k);
            if idle == 0 || idle == set {
                return Some(shares);
            }
            set &= !idle;
        }
    }

    /// As `earliest`, where all of `set` pay their dues.
    fn earliest_of_all(&self, set: u64, level: f64) -> Option<SmallVec<[f64; 12]>> {
        let mut shares: SmallVec<[f64; 12]> = SmallVec::from_elem(0.0, self.devices.len());
        // Level and sums are rounded: without some slack there may be no solution at all.
        let mut rooms = self.rooms(&self.dues(set), level * (1.0 + ROUNDED), 0.0);
        let (mut open, mut rest) = (set, self.n);
        while open != 0 && rest > self.n * FINE {
            let low = places(open).map(|k| self.devices[k].fixed).fold(0.0, f64::max);
            let until = |time: f64| self.fill(open, &mut rooms.clone(), |k| self.own(k, time), |_, _| ());
            let time = self.newton(low, rest, until)?;
            if time <= low {
                // The other devices have room for all iterations: those that begin last need none.
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
            // Such a device finishes no earlier in any solution: it works all the time, and no capacity that it draws on is full.
            let mut settled = 0;
            if !uneven_full {
                settled = places(open).filter(|&k| busy(k) && !sums_full(k)).fold(0, |all, k| all | 1 << k);
            }
            if settled == 0 {
                // Or the other devices cannot take over what it would do less.
                let lost = |k: usize| {
                    let less = |other: usize| match self.own(other, time).value {
                        // Slightly less, so that this line is the one that limits it.
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
