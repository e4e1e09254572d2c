//! How a chunk is cut into pieces, so that copy in, run and copy out overlap on a device with its own memory.

use super::cost::DeviceCost;
use crate::units::Seconds;
use smallvec::SmallVec;

/// The best number of pieces for a chunk of `n` iterations, so that copy in, run and copy out overlap.
///
/// With k equal pieces a chunk takes what the first piece takes in all stages, and k - 1 times what a piece takes in the stage that
/// is then the slowest: more pieces fill the pipeline sooner, but each delays that stage by what it pays there; what it pays in the
/// others is hidden. If stage i is the slowest for any k, `sqrt(time in the others / paid in i)` pieces are the best. The time is
/// convex in k, as the greatest of three such curves, so steps from there find its least. No piece is shorter in the slowest stage than
/// what it pays in all of them, so that the host, which enqueues pieces one by one, keeps up. At most 64 and at most `n`; 1 where
/// nothing overlaps.
pub fn subchunks(cost: &DeviceCost, n: u64) -> u64 {
    if n <= 1 || !cost.overlaps() {
        return 1;
    }
    let work = [cost.to, cost.kernel, cost.from].map(|stage| stage.0 * n as f64);
    let fixed = [cost.to_chunk, cost.kernel_chunk, cost.from_chunk].map(|chunk| chunk.0);
    let time = |pieces: u64| {
        let stages = [0, 1, 2].map(|i| fixed[i] + work[i] / pieces as f64);
        stages.iter().sum::<f64>() + (pieces - 1) as f64 * stages.into_iter().fold(0.0, f64::max)
    };
    // 0/0 is cast to 0.
    let most = (cost.effective().0 * n as f64 / cost.per_chunk().0) as u64;
    let most = most.clamp(1, 64).min(n);
    let slowest = slowest(cost);
    let mut best = (((work.iter().sum::<f64>() - work[slowest]) / fixed[slowest]).sqrt().round() as u64).clamp(1, most);
    let mut least = time(best);
    while best < most && time(best + 1) < least * (1.0 - ROUNDED) {
        best += 1;
        least = time(best);
    }
    while best > 1 && time(best - 1) <= least * (1.0 + ROUNDED) {
        best -= 1;
        least = time(best);
    }
    best
}

/// Sums of the same times in another order.
const ROUNDED: f64 = 1e-12;

/// The best lengths for the pieces of a chunk of `n` iterations.
///
/// A device runs at the pace of its slowest stage. That stage idles while the first piece goes through the stages before it, and
/// the device ends when the last piece has gone through the stages behind it: short pieces at both ends save time. Long pieces in
/// between pay latencies and launches less often, and a kernel with more work runs more efficiently. So equal pieces lie in the
/// middle, and pieces become shorter towards an end by as much as nothing waits for: towards the front, a piece goes through the
/// stages before the slowest while that works on the piece before it; towards the back, it goes through the slowest while the
/// stages behind that work on the piece before it. One more short piece is worth it if it saves more than the slowest stage pays for
/// a piece. Where stages take nearly the same time (both links equally busy), only equal pieces keep both busy: then [`subchunks`] gives
/// their number.
///
/// `whole`: the chunk is most of what the device gets. Smaller chunks overlap with one another and are cut evenly.
pub fn piece_lengths(cost: &DeviceCost, n: u64, whole: bool) -> Vec<u64> {
    let mut lengths = Vec::new();
    Cut::of(cost, n, whole).visit(cost, n, |length, count| lengths.extend((0..count).map(|_| length)));
    lengths
}

/// How a chunk is cut into pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    /// Into this many pieces of equal length.
    Even(u64),
    /// Into `middle` pieces of equal length, with so many ever shorter ones before and behind them.
    Ramped { middle: u64, ends: [usize; 2] },
}

impl Cut {
    /// The best cut, as [`piece_lengths`] says, and when the last piece ends on idle engines if enqueueing takes no time.
    pub fn best(cost: &DeviceCost, n: u64, whole: bool) -> (Self, f64) {
        let equal = subchunks(cost, n);
        let end = |cut: Self, cost_of: &DeviceCost| {
            let mut row = Row::IDLE;
            cut.visit(cost, n, |length, count| row = row.and(cost_of.stages(length), count, 0.0));
            row.free[2]
        };
        let even = (Self::Even(equal), end(Self::Even(equal), cost));
        if !whole || equal < 2 {
            return even;
        }
        let slowest = slowest(cost);
        let safe = with_margin(cost, slowest);
        let ramps = Ramp::both(&safe, slowest);
        if ramps.iter().all(Option::is_none) {
            return even;
        }
        let (stages, chunks) = stages_of(&safe);
        // In a long loop, fine pieces let the other stages begin early; in a short loop, the cost of each piece counts.
        let parts: &[u64] = if slowest == 1 { &[3, 2, 1] } else { &[8, 5, 3, 2, 1] };
        // Not so short that the host, which enqueues pieces one by one, is hardly ahead of the device.
        let shortest = 5.0 * cost.per_chunk().0 / stages[slowest];
        let (mut best, mut gain) = ((Self::Even(equal), end(Self::Even(equal), &safe)), 0.0);
        for &middle in parts.iter().filter(|&&middle| middle == 1 || (n / middle) as f64 >= shortest) {
            // A lower bound: all pieces go through the slowest stage, one goes through the others.
            let least = stages[slowest] * n as f64 + chunks[slowest] * (middle - 1) as f64 + safe.per_chunk().0;
            if least >= best.1 * (1.0 - gain) {
                continue;
            }
            let cut = Self::Ramped { middle, ends: ends(&ramps, chunks[slowest], n, middle) };
            let ends_at = end(cut, &safe);
            if ends_at < best.1 * (1.0 - gain) {
                best = (cut, ends_at);
                gain = WORTH_COARSER;
            }
        }
        let expected = end(best.0, cost);
        if expected < even.1 { (best.0, expected) } else { even }
    }

    /// As [`piece_lengths`] says.
    pub fn of(cost: &DeviceCost, n: u64, whole: bool) -> Self {
        if whole { Self::best(cost, n, whole).0 } else { Self::Even(subchunks(cost, n)) }
    }

    /// Calls `tell` with the piece lengths of a chunk of `n` iterations, in order, and the number of consecutive pieces of each.
    pub fn visit(self, cost: &DeviceCost, n: u64, mut tell: impl FnMut(u64, u64)) {
        let (middle, ends) = match self {
            Self::Even(parts) => return even(n, parts, &mut tell),
            Self::Ramped { middle, ends } => (middle, ends),
        };
        let slowest = slowest(cost);
        let ramps = Ramp::both(&with_margin(cost, slowest), slowest);
        let mut lines = [SmallVec::<[Line; 8]>::new(), SmallVec::new()];
        let mut sum = Line { of: middle as f64, less: 0.0 };
        for ((ramp, lines), steps) in ramps.iter().zip(&mut lines).zip(ends) {
            let mut line = Line::MIDDLE;
            for _ in 0..steps {
                let Some(ramp) = ramp else { continue };
                line = ramp.shorter(line);
                sum = sum.and(line);
                lines.push(line);
            }
        }
        let longest = sum.root(n);
        let mut rest = n;
        // At least one iteration is left for each piece of the middle.
        let mut take = |line: &Line| {
            let length = (line.at(longest).round().max(1.0) as u64).min(rest.saturating_sub(middle));
            rest -= length;
            length
        };
        let mut lengths = |lines: SmallVec<[Line; 8]>| -> SmallVec<[u64; 8]> {
            lines.iter().map(&mut take).filter(|length| *length > 0).collect()
        };
        let [front, back] = lines.map(&mut lengths);
        front.into_iter().rev().for_each(|length| tell(length, 1));
        even(rest, middle.min(rest), &mut tell);
        back.into_iter().for_each(|length| tell(length, 1));
    }
}

/// A piece's length as a line in that of the longest: `of` times that, `less` so many iterations.
#[derive(Clone, Copy)]
struct Line {
    of: f64,
    less: f64,
}

impl Line {
    const MIDDLE: Self = Self { of: 1.0, less: 0.0 };

    fn at(self, longest: f64) -> f64 {
        self.of * longest - self.less
    }

    fn and(self, other: Self) -> Self {
        Self { of: self.of + other.of, less: self.less + other.less }
    }

    /// Where this is `n`.
    fn root(self, n: u64) -> f64 {
        (n as f64 + self.less) / self.of
    }
}

/// How pieces become shorter towards an end of a chunk.
#[derive(Clone, Copy, Debug)]
struct Ramp {
    /// A piece may be this many times as long as its shorter neighbour, and `more` iterations.
    factor: f64,
    more: f64,
    /// Time per iteration of the stages between the slowest and this end: what a shorter piece at the end saves.
    saves: f64,
}

impl Ramp {
    fn both(cost: &DeviceCost, slowest: usize) -> [Option<Self>; 2] {
        [Self::before(cost, slowest), Self::behind(cost, slowest)]
    }

    /// At the front: a piece's stages before the slowest take no longer than what they overlap with of the piece before.
    fn before(cost: &DeviceCost, slowest: usize) -> Option<Self> {
        match slowest {
            0 => None,
            1 => Self::of(cost, &[([0, 0], [1, 1])], 0..1),
            _ => Self::of(cost, &[([1, 1], [2, 2]), ([0, 1], [1, 2])], 0..2),
        }
    }

    /// At the back: a piece's stages behind the slowest take no longer than what they overlap with of the piece behind.
    fn behind(cost: &DeviceCost, slowest: usize) -> Option<Self> {
        match slowest {
            0 => Self::of(cost, &[([1, 1], [0, 0]), ([1, 2], [0, 1])], 1..3),
            1 => Self::of(cost, &[([2, 2], [1, 1])], 2..3),
            _ => None,
        }
    }

    /// `pairs`: first and last of the longer piece's stages, which take no longer than these of the shorter one. None if there is
    /// nothing to save, or stages so alike that one of them would wait.
    fn of(cost: &DeviceCost, pairs: &[([usize; 2], [usize; 2])], between: std::ops::Range<usize>) -> Option<Self> {
        let (stages, chunks) = stages_of(cost);
        let sum = |of: &[f64; 3], [first, last]: [usize; 2]| of[first..=last].iter().sum::<f64>();
        let mut least: Option<(f64, f64)> = None;
        for &(longer, shorter) in pairs.iter().filter(|(longer, _)| sum(&stages, *longer) > 0.0) {
            let each = sum(&stages, longer);
            let factor = sum(&stages, shorter) / each;
            if least.is_none_or(|(least, _)| factor < least) {
                least = Some((factor, (sum(&chunks, shorter) - sum(&chunks, longer)) / each));
            }
        }
        let (factor, more) = least.filter(|(factor, _)| *factor >= BALANCED)?;
        let saves = stages[between].iter().sum();
        Some(Self { factor: factor.min(STEEPEST), more, saves })
    }

    /// The next piece towards the end.
    fn shorter(&self, line: Line) -> Line {
        Line { of: line.of / self.factor, less: (line.less + self.more) / self.factor }
    }
}

/// How many shorter pieces are worth it at each end, if the slowest stage pays `pays` for each piece.
fn ends(ramps: &[Option<Ramp>; 2], pays: f64, n: u64, middle: u64) -> [usize; 2] {
    let mut last = [Line::MIDDLE; 2];
    let mut sum = Line { of: middle as f64, less: 0.0 };
    let mut ends = [0; 2];
    loop {
        let longest = sum.root(n);
        let gain = |side: usize| {
            let ramp = ramps[side].as_ref().filter(|_| ends[side] < MOST_STEPS)?;
            let next = ramp.shorter(last[side]);
            let (length, shorter) = (last[side].at(longest), next.at(longest));
            let gain = ramp.saves * (length - shorter) - pays;
            (gain > 0.0 && shorter >= 1.0).then_some((side, next, gain))
        };
        let better = [0, 1].into_iter().filter_map(gain).max_by(|a, b| a.2.total_cmp(&b.2));
        let Some((side, next, _)) = better else { return ends };
        last[side] = next;
        sum = sum.and(next);
        ends[side] += 1;
    }
}

/// Longer pieces must save this part of the time.
const WORTH_COARSER: f64 = 0.01;

/// Below this ratio of two stages, pieces of different lengths would leave one stage waiting.
const BALANCED: f64 = 1.05;

/// No piece is longer than this many times its neighbour, as figures are never exact.
const STEEPEST: f64 = 4.0;

/// Most shorter pieces at an end.
const MOST_STEPS: usize = 24;

/// Cuts are the best if the stages beside the slowest take this many times as long as expected, and then hardly worse if they do not.
/// Cut for the expected times, axpy of 1e7 floats on two GPUs takes 5 % longer by the model if its stages beside copy in take 15 %
/// longer; cut with this margin, 0.2 %.
const MARGIN: f64 = 1.2;

fn with_margin(cost: &DeviceCost, slowest: usize) -> DeviceCost {
    let (mut safe, (stages, chunks)) = (*cost, stages_of(cost));
    for stage in (0..3).filter(|stage| *stage != slowest) {
        safe.set_stage(stage, Seconds(chunks[stage]), Seconds(stages[stage] * MARGIN));
    }
    safe
}

/// Times of the stages per iteration and per chunk, in seconds.
fn stages_of(cost: &DeviceCost) -> ([f64; 3], [f64; 3]) {
    let seconds = |of: [Seconds; 3]| of.map(|stage| stage.0);
    (seconds([cost.to, cost.kernel, cost.from]), seconds([cost.to_chunk, cost.kernel_chunk, cost.from_chunk]))
}

/// The stage that takes longest per iteration; the later one on a tie.
fn slowest(cost: &DeviceCost) -> usize {
    let (stages, _) = stages_of(cost);
    (0..3).max_by(|&a, &b| stages[a].total_cmp(&stages[b])).unwrap_or(0)
}

/// Cuts `n` into `parts` nearly equal parts; the first few are longer by one.
fn even(n: u64, parts: u64, tell: &mut impl FnMut(u64, u64)) {
    let Some(length) = n.checked_div(parts) else { return };
    let longer = n - length * parts;
    if longer > 0 {
        tell(length + 1, longer);
    }
    tell(length, parts - longer);
}

/// The times from one moment until each of a device's engines is free: the longest paths through the pieces sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// When each engine is free.
    pub free: [f64; 3],
}

impl Row {
    /// All engines idle, nothing sent.
    pub const IDLE: Self = Self { free: [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY] };

    /// Adds `count` pieces with these stage times, which the host enqueues in `issue` each.
    pub fn and(self, stages: [Seconds; 3], count: u64, issue: f64) -> Self {
        let [to, kernel, from] = stages.map(|stage| stage.0);
        let more = (count - 1) as f64;
        // The next piece waits for the host too; pieces already enqueued do not.
        let issued = to.max(issue);
        let kernel_from = kernel.max(from);
        let [first, second, third] = self.free;
        let far = first + to + kernel + more * issued.max(kernel);
        let farthest = first + to + kernel + from + more * issued.max(kernel_from);
        Self {
            free: [
                first + issued + more * issued,
                far.max(second + kernel + more * kernel),
                farthest.max(second + kernel + from + more * kernel_from).max(third + from + more * from),
            ],
        }
    }
}

/// A chunk of at least this many iterations is most of what one of `devices` gets of a loop: a quarter of an even share.
pub fn most_of_a_share(iterations: u64, devices: usize) -> u64 {
    iterations.div_ceil(4 * devices.max(1) as u64)
}

/// The three engines of a device (copy in, run, copy out), each doing one piece at a time, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pipeline {
    /// When each engine is free.
    pub free: [Seconds; 3],
}

impl Pipeline {
    /// Sends a piece through once it is `ready` and the first engine is free. Returns when it begins and when it ends.
    ///
    /// `end[s] = max(end[s-1], free[s]) + stage[s]`.
    pub fn push(&mut self, ready: Seconds, stages: [Seconds; 3]) -> (Seconds, Seconds) {
        let begin = ready.max(self.free[0]);
        let mut end = begin;
        for (free, stage) in self.free.iter_mut().zip(stages) {
            end = end.max(*free) + stage;
            *free = end;
        }
        (begin, end)
    }

    /// Keeps every engine busy until `time`.
    pub fn hold_until(&mut self, time: Seconds) {
        for free in &mut self.free {
            *free = free.max(time);
        }
    }
}

/// The time of one chunk of `n` iterations cut into `pieces`, without what the device pays once.
pub fn pipeline_time(cost: &DeviceCost, n: u64, pieces: u64) -> Seconds {
    if n == 0 {
        return Seconds::ZERO;
    }
    let pieces = pieces.clamp(1, n);
    let mut pipeline = Pipeline::default();
    let mut end = Seconds::ZERO;
    for i in 0..pieces {
        let length = n / pieces + u64::from(i < n % pieces);
        if !cost.overlaps() {
            pipeline.hold_until(end);
        }
        end = pipeline.push(Seconds::ZERO, cost.stages(length)).1;
    }
    end
}
