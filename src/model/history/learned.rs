//! From tables to the cost of one loop on one device.
//!
//! Exact where such loops ran: same work per iteration, same company, same octave. Otherwise from the nearest tables, on the slow
//! side: beyond the longest known loops, an iteration comes to take at least the described time.

use super::curve::{self, Line};
use super::known::Known;
use super::{Company, History, Key, Shape, octave};
use crate::model::contention::Draws;
use crate::model::cost::{DeviceCost, LoopProfile, device_cost};
use crate::model::device::DeviceModel;
use crate::units::Seconds;
use smallvec::SmallVec;

/// The question about one loop on one device.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The kernel and the device.
    pub key: &'a Key,
    /// The devices that will take part.
    pub company: Company,
    /// The loop.
    pub profile: &'a LoopProfile,
    /// The device as described.
    pub device: &'a DeviceModel,
    /// The loop's cost as described.
    pub described: &'a DeviceCost,
    /// Which samples count.
    pub question: Question,
}

/// Which samples count. Times of the first loops of a kind in a process count for such loops only: most of that time may be
/// allocation and compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// For the first loop of a kind in a process: all samples.
    First,
    /// For a later loop: all but those of first loops.
    Later,
    /// As `Later`, but only loops in exactly the company asked for; nothing if there were none.
    Alone,
}

/// What is known of a loop on a device; the rest stays as described.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Learned {
    /// Time paid once.
    pub once: Option<Seconds>,
    /// Lines of a piece for copy in, run and copy out.
    pub stages: [Option<Line>; 3],
    /// All times of this device were measured in such loops, in the same company: they include what the devices slow each other.
    pub together: bool,
    /// Slowdown of its pieces in that company against alone, if both are known.
    pub slowed: Option<f64>,
    /// The stages of a piece alone, if measured in loops of this length.
    pub alone: [Option<Line>; 3],
    /// Scatter of the times of such pieces from loop to loop ([`DeviceCost::scatter`]).
    pub scatter: f64,
}

/// Most octaves between the work per iteration asked for and that of a table.
const SHAPES_APART: f64 = 2.0;
/// Loops in other company count as this many octaves further away.
const COMPANY_APART: f64 = 1.5;
/// Costs that differ by less count as the same: policies need not decide anew.
const SAME: f64 = 0.03;
/// A device faster than this part of the host memory's time does not get its arrays from that memory.
const PAST_THE_WALL: f64 = 0.8;

impl History {
    /// What is known of such a loop.
    pub fn learned(&self, asked: &Asked<'_>) -> Option<Learned> {
        let all = self.tables_for(asked.key, asked);
        // A loop's `once` belongs to the devices that took part; its pieces may have run alone, after the other devices were
        // done.
        if asked.question == Question::Alone && all.iter().all(|known| known.once().is_none()) {
            return None;
        }
        let mut learned = of_kernel(&all, asked).unwrap_or_default();
        if asked.key.kernel.is_some() && !asked.described.shared {
            self.add_link(asked, &mut learned);
        }
        let any = learned.once.is_some() || learned.stages.iter().any(Option::is_some);
        any.then_some(learned)
    }

    /// What the last loop of such a length and such work paid once, in whatever company.
    pub fn last_once(&self, asked: &Asked<'_>) -> Option<Seconds> {
        let (shape, octave) = (Shape::of(asked.profile).bits(), octave(asked.profile.iterations));
        let tables = self.entries.get(asked.key)?.tables.iter();
        let like = tables.filter(|(place, _)| place.shape == shape && place.octave == octave);
        let last = like.filter_map(|(_, table)| table.once.samples.last()).max_by_key(|sample| sample.at);
        last.map(|sample| sample.time)
    }

    /// The tables that count for a kernel on a device.
    fn tables_for(&self, key: &Key, asked: &Asked<'_>) -> Vec<Known<'_>> {
        let mut tables = self.tables_of(key);
        if asked.question != Question::First {
            tables = tables.into_iter().map(Known::warm).collect();
        }
        let alone = asked.question == Question::Alone;
        tables.retain(|known| {
            let asked_for = !alone || known.table().company == asked.company;
            asked_for && (known.once().is_some() || (0..3).any(|stage| known.knows(stage)))
        });
        tables
    }

    /// Copies of a kernel that never ran here: from what other kernels' copies took on the same link.
    fn add_link(&self, asked: &Asked<'_>, learned: &mut Learned) {
        let shape = Shape::of(asked.profile);
        let Shape { aligned_in, aligned_out, .. } = shape;
        if [(0, aligned_in), (2, aligned_out)]
            .iter()
            .all(|&(stage, bytes)| learned.stages[stage].is_some() || bytes <= 0.0)
        {
            return;
        }
        let key = asked.key.of_link();
        let octave = octave(shape.link_bytes(asked.profile.iterations));
        let tables = self.tables_for(&key, asked);
        let Some(near) = Near::new(tables.iter(), asked.company, octave) else { return };
        for (stage, bytes) in [(0, aligned_in), (2, aligned_out)] {
            if learned.stages[stage].is_none() && bytes > 0.0 {
                let per_byte = described(asked.described, stage);
                let line = near.stage(stage, Line { each: per_byte.each / bytes, ..per_byte }, true);
                learned.stages[stage] = line.map(|line| Line { each: line.each * bytes, ..line });
            }
        }
    }
}

/// What is known of a kernel on a device, from all tables that count.
fn of_kernel(all: &[Known<'_>], asked: &Asked<'_>) -> Option<Learned> {
    let work = Shape::of(asked.profile);
    let (_, shape) = all
        .iter()
        .map(|known| (apart(&work, &known.table().shape), known.table().shape))
        .filter(|(apart, _)| *apart <= SHAPES_APART)
        .min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let same = shape.bits() == work.bits();
    // Scaled by the description: a row twice as long takes twice as long.
    let theirs = if same {
        *asked.described
    } else {
        device_cost(asked.device, &shape.profile(asked.profile), asked.described.overlap)
    };
    let tables = all.iter().filter(|known| known.table().shape.bits() == shape.bits());
    let wanted = octave(asked.profile.iterations);
    // In some company only `once` may have been seen, as the others were done before this device's pieces.
    let tells = |known: &&Known<'_>| (0..3).any(|stage| known.knows(stage));
    let near = Near::new(tables.clone().filter(tells), asked.company, wanted);
    let once = Near::new(tables.filter(|known| known.once().is_some()), asked.company, wanted);
    let once = once.and_then(|near| near.once(theirs.once)).map(|once| once * ratio(asked.described.once, theirs.once));
    let Some(near) = near else { return Some(Learned { once, ..Learned::default() }) };
    let stages = [0, 1, 2].map(|stage| {
        let line = near.stage(stage, described(&theirs, stage), is_stated(asked, stage))?;
        let scale = ratio(described(asked.described, stage).each, described(&theirs, stage).each);
        Some(Line { each: line.each * scale, ..line })
    });
    let together = same && near.company == asked.company && near.is_exact(asked.described);
    let (slowed, alone) = match together.then(|| alone(all, asked, &near, &stages)).flatten() {
        Some((slowed, alone)) => (Some(slowed), alone),
        None => (None, [None; 3]),
    };
    let slowest = slowest(asked.described, &stages);
    let scatter = near.exact().zip(slowest).and_then(|(known, stage)| curve::scatter(known.cells(stage)));
    Some(Learned { once, stages, together, slowed, alone, scatter: scatter.unwrap_or(0.0) })
}

/// How much slower the device is in the wanted company than alone, by its slowest stage; and its stages alone, if loops of
/// exactly this length are known.
fn alone(
    all: &[Known<'_>],
    asked: &Asked<'_>,
    near: &Near<'_>,
    stages: &[Option<Line>; 3],
) -> Option<(f64, [Option<Line>; 3])> {
    let own = own_company(asked.described);
    if asked.company == own {
        return None;
    }
    let slowest = slowest(asked.described, stages)?;
    let shape = Shape::of(asked.profile).bits();
    let away = |known: &Known<'_>| known.table().octave.abs_diff(near.wanted);
    let alone = all.iter().filter(|known| {
        let like = known.table().shape.bits() == shape && known.table().company == own;
        like && away(known) <= 1 && known.knows(slowest)
    });
    let alone = alone.min_by_key(|known| away(known))?;
    let slowed = curve::slower(near.exact()?.cells(slowest), alone.cells(slowest))?.max(1.0);
    let exact = alone.table().octave == near.wanted;
    let line = |stage: usize| {
        curve::line(alone.cells(stage), described(asked.described, stage), is_stated(asked, stage)).filter(|_| exact)
    };
    Some((slowed, [0, 1, 2].map(line)))
}

/// The company of a device that runs alone.
fn own_company(cost: &DeviceCost) -> Company {
    Company { shared: u32::from(cost.shared), discrete: u32::from(!cost.shared) }
}

/// Whether the described rate of a stage rests on stated work; that of copies always does.
fn is_stated(asked: &Asked<'_>, stage: usize) -> bool {
    stage != 1 || asked.profile.states_work()
}

/// The described line of a stage.
fn described(cost: &DeviceCost, stage: usize) -> Line {
    match stage {
        0 => Line { fixed: cost.to_chunk, each: cost.to },
        1 => Line { fixed: cost.kernel_chunk, each: cost.kernel },
        _ => Line { fixed: cost.from_chunk, each: cost.from },
    }
}

/// The stages in which iterations of a loop take time.
fn stages_of(cost: &DeviceCost) -> impl Iterator<Item = usize> {
    (0..3).filter(|&stage| described(cost, stage).each.0 > 0.0)
}

/// The stage in which an iteration takes longest.
fn slowest(cost: &DeviceCost, stages: &[Option<Line>; 3]) -> Option<usize> {
    let each = |stage: usize| stages[stage].map_or(0.0, |line| line.each.0);
    stages_of(cost).max_by(|&a, &b| each(a).total_cmp(&each(b)))
}

/// The distance in octaves between the work of two loops' iterations; infinite if only one of them has some kind of work.
fn apart(a: &Shape, b: &Shape) -> f64 {
    let figures =
        |s: &Shape| [s.flops, s.memory_bytes, s.aligned_in, s.aligned_out, s.replicated as f64, s.halo as f64];
    let apart = figures(a).into_iter().zip(figures(b)).map(|(a, b)| match (a > 0.0, b > 0.0) {
        (true, true) => (a / b).log2().abs(),
        (false, false) => 0.0,
        _ => f64::INFINITY,
    });
    apart.fold(0.0, f64::max)
}

fn ratio(mine: Seconds, theirs: Seconds) -> f64 {
    let ratio = mine / theirs;
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

/// Tables of one shape and company, shorter loops first.
struct Near<'t> {
    tables: SmallVec<[&'t Known<'t>; 8]>,
    company: Company,
    wanted: u32,
}

impl<'t> Near<'t> {
    fn new(tables: impl Iterator<Item = &'t Known<'t>> + Clone, company: Company, wanted: u32) -> Option<Self> {
        let far = |known: &Known<'_>| {
            let of = known.table();
            let others = of.company.shared.abs_diff(company.shared) + of.company.discrete.abs_diff(company.discrete);
            let apart = if others == 0 { 0.0 } else { COMPANY_APART + 0.1 * f64::from(others) };
            f64::from(of.octave.abs_diff(wanted)) + apart
        };
        let nearest = tables.clone().min_by(|a, b| far(a).total_cmp(&far(b)))?.table();
        let mut tables: SmallVec<_> = tables.filter(|known| known.table().company == nearest.company).collect();
        tables.sort_by_key(|known: &&Known<'_>| known.table().octave);
        Some(Self { tables, company: nearest.company, wanted })
    }

    /// Loops of the wanted octave.
    fn exact(&self) -> Option<&'t Known<'t>> {
        self.tables.iter().copied().find(|known| known.table().octave == self.wanted)
    }

    /// Whether loops of the wanted octave have samples of all that such a loop takes. A described stage, or one from loops of
    /// another length, does not include the slowdown by the other devices.
    fn is_exact(&self, described: &DeviceCost) -> bool {
        self.exact().is_some_and(|known| {
            let once = described.once.0 <= 0.0 || known.once().is_some();
            once && stages_of(described).all(|stage| known.knows(stage))
        })
    }

    /// The line of the wanted octave; else interpolated between both sides, or from the one side that is known.
    fn find(&self, line: impl Fn(&Known<'_>) -> Option<Line>, described: Line) -> Option<Line> {
        let of = |known: &&Known<'_>| Some((known.table().octave, line(known)?));
        let (below, above) = self.tables.split_at(self.tables.partition_point(|k| k.table().octave <= self.wanted));
        let below = below.iter().rev().find_map(of);
        if let Some((octave, line)) = below
            && octave == self.wanted
        {
            return Some(line);
        }
        Some(match (below, above.iter().find_map(of)) {
            (Some((low, below)), Some((high, above))) => {
                below.towards(above, f64::from(self.wanted - low) / f64::from(high - low))
            }
            // An iteration of a short loop is no slower than one of a long loop, whose arrays lie further away.
            (None, Some((_, above))) => above,
            (Some((low, below)), None) => {
                let slow = Line { fixed: below.fixed, each: below.each.max(described.each) };
                below.towards(slow, (f64::from(self.wanted - low - 1) / 3.0).min(1.0))
            }
            (None, None) => return None,
        })
    }

    fn stage(&self, stage: usize, described: Line, stated: bool) -> Option<Line> {
        let line = |known: &Known<'_>| {
            let line = curve::line(known.cells(stage), described, stated)?;
            // The fixed time of pieces beyond the description, in longer loops, comes from those loops' length: halve it for each
            // octave that this loop is shorter.
            let more = (line.fixed - described.fixed).max(Seconds::ZERO);
            let halvings = known.table().octave.saturating_sub(self.wanted).min(64);
            Some(Line { fixed: line.fixed - more * (1.0 - 0.5_f64.powi(halvings as i32)), ..line })
        };
        self.find(line, described)
    }

    fn once(&self, described: Seconds) -> Option<Seconds> {
        let once = |known: &Known<'_>| {
            let once = curve::lower_middle(known.once()?.samples.iter())?;
            Some(Line { fixed: Seconds::ZERO, each: once })
        };
        self.find(once, Line { fixed: Seconds::ZERO, each: described }).map(|line| line.each)
    }
}

impl Learned {
    /// Whether the kernel's own time is known.
    pub fn knows_kernel(&self) -> bool {
        self.stages[1].is_some()
    }

    /// Whether the time of copies in or out is known.
    pub fn knows_copies(&self) -> bool {
        self.stages[0].is_some() || self.stages[2].is_some()
    }

    /// Whether the times of all stages in which iterations of such a loop take time are known.
    fn knows_stages(&self, cost: &DeviceCost) -> bool {
        stages_of(cost).all(|stage| self.stages[stage].is_some())
    }

    /// The cost with known times in place of the described ones.
    pub fn apply(&self, described: &DeviceCost) -> DeviceCost {
        let mut cost = DeviceCost { scatter: self.scatter, ..*described };
        cost.once = self.once.unwrap_or(cost.once);
        for (stage, line) in self.stages.iter().enumerate() {
            if let Some(line) = line {
                cost.set_stage(stage, line.fixed, line.each);
            }
        }
        cost
    }

    /// Whether another answer differs too little to change anything: neither the pieces of a loop of `iterations` nor the time
    /// paid once differ by more than 3 %, relative to the whole.
    pub fn is_like(&self, other: &Self, iterations: u64) -> bool {
        let like = |a: Seconds, b: Seconds, whole: Seconds| (a - b).0.abs() <= SAME * b.0.max(0.1 * whole.0);
        let slowed = |learned: &Self| learned.slowed.unwrap_or(1.0);
        if self.together != other.together
            || self.once.is_some() != other.once.is_some()
            || (slowed(self) - slowed(other)).abs() > SAME
            || (self.scatter - other.scatter).abs() > SAME
        {
            return false;
        }
        let time = |learned: &Self, n: f64| {
            let stages = learned.stages.iter().map(|stage| stage.map_or(Seconds::ZERO, |line| line.time(n)));
            stages.sum::<Seconds>()
        };
        let whole = time(other, iterations as f64) + other.once.unwrap_or_default();
        let pieces = [1.0, 4.0, 64.0].map(|parts| iterations as f64 / parts);
        let stages = self.stages.iter().zip(&other.stages).all(|stage| match stage {
            (Some(a), Some(b)) => pieces.iter().all(|&n| like(a.time(n), b.time(n), time(other, n))),
            (a, b) => a.is_some() == b.is_some(),
        });
        stages && like(self.once.unwrap_or_default(), other.once.unwrap_or_default(), whole)
    }
}

/// Makes the costs of all devices of a loop consistent once learned times are in them.
///
/// - What devices share ([`DeviceCost::host_memory`], [`DeviceCost::draws`]) does not count as described where all times of all
///   devices are from loops that they ran together, as those times include it. How much they slow each other is known if one of
///   them was also seen alone: see `shared_as_measured`.
/// - The host's memory does not count either if one device alone is known to exceed it: its arrays come from a cache.
/// - MODEL_1 divides by kernel rates: learned ones count only if all are known.
///
/// `stated` are the costs by the machine's description.
pub fn settle(costs: &mut [DeviceCost], stated: &[DeviceCost], learned: &[Option<Learned>], iterations: u64) {
    let all = |is: fn(&Learned) -> bool| learned.iter().all(|learned| learned.as_ref().is_some_and(is));
    let past = costs.iter().zip(learned).any(|(cost, learned)| {
        learned.is_some_and(|known| known.knows_stages(cost)) && cost.effective() < cost.host_memory * PAST_THE_WALL
    });
    let together = all(|known| known.together);
    if together {
        let learned: Vec<Learned> = learned.iter().map(|learned| learned.unwrap_or_default()).collect();
        shared_as_measured(costs, stated, &learned, iterations);
    } else if past {
        for cost in costs.iter_mut() {
            (cost.host_memory, cost.host_memory_once) = (Seconds::ZERO, Seconds::ZERO);
        }
    }
    if all(Learned::knows_kernel) {
        for cost in costs.iter_mut() {
            cost.flop_time = cost.kernel;
        }
    }
}

/// A smaller slowdown of devices by each other does not count.
const UNNOTICED: f64 = 1.02;
/// Demand must exceed the capacity by this factor for slowdowns to be known.
const TOO_MUCH: f64 = 1.005;

/// Turns costs measured in company into costs of devices alone that slow each other as much as was measured. A device is then
/// faster once others are done, and in a smaller set.
///
/// What iterations draw on the host's memory is in proportion to the description, or equal for all. It is scaled so that the
/// memory gives just what is asked if all work until the end at the pace that they have in company, but so that no device asks
/// for more than all of it. [`DeviceCost::steady`] says how much more one device is slowed than another.
///
/// A device never seen alone is taken to be slowed by the mean of the others, but to be no faster alone than described: what
/// slows the host's cores, such as copies of plain arrays by its threads, need not slow a GPU.
fn shared_as_measured(costs: &mut [DeviceCost], stated: &[DeviceCost], learned: &[Learned], iterations: u64) {
    let known = costs.iter().all(|cost| cost.host_memory.0 > 0.0);
    let asks: Vec<f64> = costs.iter().map(|cost| if known { cost.host_memory.0 } else { 1.0 }).collect();
    for cost in costs.iter_mut() {
        (cost.host_memory, cost.host_memory_once) = (Seconds::ZERO, Seconds::ZERO);
        cost.draws = Draws::default();
    }
    let known = || learned.iter().filter_map(|learned| learned.slowed);
    let mean = known().sum::<f64>() / known().count() as f64;
    let most = known().fold(1.0, f64::max);
    if mean.is_nan() || most < UNNOTICED || !most.is_finite() {
        return;
    }
    // Where all devices finish together, at their paces in company.
    let paces: f64 = costs.iter().map(|cost| 1.0 / cost.effective().0).sum();
    let time = iterations as f64 / paces;
    let mut alone = costs.to_vec();
    let mut ends = Vec::with_capacity(costs.len());
    for ((cost, stated), learned) in alone.iter_mut().zip(stated).zip(learned) {
        let count = time / cost.effective().0;
        let slowed = learned.slowed.unwrap_or(mean);
        for (stage, alone) in learned.alone.iter().enumerate() {
            let company = described(cost, stage);
            let least = described(stated, stage).each.min(company.each);
            let alone = alone.unwrap_or(Line { each: (company.each / slowed).max(least), ..company });
            cost.set_stage(stage, alone.fixed, alone.each);
        }
        ends.push((count, cost.fixed().0 + count * cost.effective().0));
    }
    // Fixed times do not become longer in company.
    let in_company = costs.iter().map(|cost| cost.fixed().0 + time);
    let slower: Vec<f64> = in_company.zip(&ends).map(|(time, (_, alone))| (time / alone).max(1.0)).collect();
    let asked = |i: usize| asks[i] * ends[i].0 / ends[i].1;
    let given: f64 = (0..costs.len()).map(|i| asked(i) / slower[i]).sum();
    let most = alone.iter().zip(&asks).map(|(cost, ask)| cost.effective().0 / ask).fold(1.0 / given, f64::min);
    let all: f64 = (0..costs.len()).map(|i| asked(i) * most).sum();
    if !all.is_finite() || all < TOO_MUCH {
        return;
    }
    for (i, cost) in alone.iter_mut().enumerate() {
        cost.host_memory = Seconds(asks[i] * most);
        cost.steady = 1.0 - (slower[i] - 1.0) / (all - 1.0);
    }
    costs.copy_from_slice(&alone);
}
