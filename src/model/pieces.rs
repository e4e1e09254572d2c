//! How a chunk is cut into pieces, so that copy in, run and copy out overlap on a device with its own memory.

use super::cost::DeviceCost;
use crate::units::Seconds;

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
    let slowest = Stages::of(cost).slowest();
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
        let stages = Stages::of(cost);
        let even = Self::Even(equal);
        let expected = stages.end(even, n);
        if !whole || equal < 2 {
            return (even, expected);
        }
        let slowest = stages.slowest();
        // A lower bound: all pieces go through the slowest stage, one goes through the others.
        let least = |of: &Stages| of.each[slowest] * n as f64 + of.chunk.iter().sum::<f64>();
        if expected <= least(&stages) * (1.0 + NEARLY) {
            return (even, expected);
        }
        let safe = stages.with_margin(slowest);
        let ramps = Ramp::both(&safe, slowest);
        if ramps.iter().all(Option::is_none) {
            return (even, expected);
        }
        let Stages { each, chunk } = safe;
        // In a long loop, fine pieces let the other stages begin early; in a short loop, the cost of each piece counts.
        let parts: &[u64] = if slowest == 1 { &[3, 1] } else { &[8, 3, 1] };
        // Not so short that the host, which enqueues pieces one by one, is hardly ahead of the device.
        let shortest = 5.0 * cost.per_chunk().0 / each[slowest];
        let least = least(&safe);
        let (mut best, mut gain) = ((even, safe.end(even, n)), 0.0);
        for &middle in parts.iter().filter(|&&middle| middle == 1 || (n / middle) as f64 >= shortest) {
            if least + chunk[slowest] * (middle - 1) as f64 >= best.1 * (1.0 - gain) {
                continue;
            }
            let ends = ends(&ramps, chunk[slowest], n, middle);
            let shorter = (middle as usize - 1 + ends[0] + ends[1]) as f64;
            if least + chunk[slowest] * shorter >= best.1 * (1.0 - gain) {
                continue;
            }
            let cut = Self::Ramped { middle, ends };
            let ends_at = safe.end_of(&ramps, cut, n);
            if ends_at < best.1 * (1.0 - gain) {
                best = (cut, ends_at);
                gain = WORTH_COARSER;
            }
        }
        if let Self::Even(_) = best.0 {
            return (even, expected);
        }
        let ramped = stages.end_of(&ramps, best.0, n);
        if ramped < expected { (best.0, ramped) } else { (even, expected) }
    }

    /// As [`piece_lengths`] says.
    pub fn of(cost: &DeviceCost, n: u64, whole: bool) -> Self {
        if whole { Self::best(cost, n, whole).0 } else { Self::Even(subchunks(cost, n)) }
    }

    /// Calls `tell` with the piece lengths of a chunk of `n` iterations, in order, and the number of consecutive pieces of each.
    pub fn visit(self, cost: &DeviceCost, n: u64, tell: impl FnMut(u64, u64)) {
        let stages = Stages::of(cost);
        let ramps = match self {
            Self::Even(_) => [None; 2],
            Self::Ramped { .. } => {
                let slowest = stages.slowest();
                Ramp::both(&stages.with_margin(slowest), slowest)
            }
        };
        self.visit_with(&ramps, n, tell);
    }

    fn visit_with(self, ramps: &[Option<Ramp>; 2], n: u64, mut tell: impl FnMut(u64, u64)) {
        let (middle, ends) = match self {
            Self::Even(parts) => return even(n, parts, &mut tell),
            Self::Ramped { middle, ends } => (middle, ends),
        };
        let mut sum = Line { of: middle as f64, less: 0.0 };
        // Of the shortest pieces, at the ends.
        let mut last = [Line::MIDDLE; 2];
        for ((ramp, last), steps) in ramps.iter().zip(&mut last).zip(ends) {
            let Some(ramp) = ramp else { continue };
            for _ in 0..steps {
                *last = ramp.shorter(*last);
                sum = sum.and(*last);
            }
        }
        let longest = sum.root(n);
        // From the ends towards the middle.
        let (mut lengths, mut of_ends) = ([[0; MOST_STEPS]; 2], 0);
        for ((ramp, line), (lengths, steps)) in ramps.iter().zip(&mut last).zip(lengths.iter_mut().zip(ends)) {
            let Some(ramp) = ramp else { continue };
            for length in &mut lengths[..steps] {
                *length = (line.at(longest) + 0.5).max(1.0) as u64;
                of_ends += *length;
                *line = ramp.longer(*line);
            }
        }
        // Whole iterations do not become ever shorter among so few.
        let Some(rest) = n.checked_sub(of_ends).filter(|rest| *rest >= middle) else {
            return even(n, (middle + (ends[0] + ends[1]) as u64).min(n), &mut tell);
        };
        lengths[0][..ends[0]].iter().for_each(|length| tell(*length, 1));
        even(rest, middle, &mut tell);
        lengths[1][..ends[1]].iter().rev().for_each(|length| tell(*length, 1));
    }
}

/// Times of copy in, run and copy out, in seconds.
#[derive(Clone, Copy)]
struct Stages {
    /// Per iteration.
    each: [f64; 3],
    /// Per piece.
    chunk: [f64; 3],
}

impl Stages {
    fn of(cost: &DeviceCost) -> Self {
        let seconds = |of: [Seconds; 3]| of.map(|stage| stage.0);
        Self {
            each: seconds([cost.to, cost.kernel, cost.from]),
            chunk: seconds([cost.to_chunk, cost.kernel_chunk, cost.from_chunk]),
        }
    }

    /// The stage that takes longest per iteration; the later one on a tie.
    fn slowest(&self) -> usize {
        (0..3).max_by(|&a, &b| self.each[a].total_cmp(&self.each[b])).unwrap_or(0)
    }

    fn with_margin(mut self, slowest: usize) -> Self {
        for (stage, each) in self.each.iter_mut().enumerate() {
            *each *= if stage == slowest { 1.0 } else { MARGIN };
        }
        self
    }

    /// When the last piece of an even cut ends on idle engines.
    fn end(&self, even: Cut, n: u64) -> f64 {
        self.end_of(&[None; 2], even, n)
    }

    /// When the last piece of a cut with these ramps ends on idle engines.
    fn end_of(&self, ramps: &[Option<Ramp>; 2], cut: Cut, n: u64) -> f64 {
        let mut row = Row::IDLE;
        cut.visit_with(ramps, n, |length, count| {
            let stages = [0, 1, 2].map(|stage| Seconds(self.chunk[stage] + self.each[stage] * length as f64));
            row = row.and(stages, count, 0.0);
        });
        row.free[2]
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
    /// A piece may be longer than its shorter neighbour by this factor, and by `more` iterations.
    factor: f64,
    inverse: f64,
    more: f64,
    /// Time per iteration of the stages between the slowest and this end: what a shorter piece at the end saves.
    saves: f64,
}

impl Ramp {
    fn both(stages: &Stages, slowest: usize) -> [Option<Self>; 2] {
        let [to, run, from] = [0, 1, 2].map(|stage| (stages.each[stage], stages.chunk[stage]));
        let and = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        // A piece's stages towards the end take no longer than what they overlap with of its neighbour: at the front, copy in
        // of a piece and the kernel of the piece before.
        match slowest {
            0 => [None, Self::of([(run, to), (and(run, from), and(to, run))], run.0 + from.0)],
            1 => [Self::of([(to, run); 2], to.0), Self::of([(from, run); 2], from.0)],
            _ => [Self::of([(run, from), (and(to, run), and(run, from))], to.0 + run.0), None],
        }
    }

    /// `pairs`: times of the longer piece, and those of its shorter neighbour that they are not to exceed. `None` if there is nothing
    /// to save, or if stages are so alike that one of them would wait.
    fn of(pairs: [((f64, f64), (f64, f64)); 2], saves: f64) -> Option<Self> {
        let mut least: Option<(f64, f64)> = None;
        for (longer, shorter) in pairs.into_iter().filter(|(longer, _)| longer.0 > 0.0) {
            let factor = shorter.0 / longer.0;
            if least.is_none_or(|(least, _)| factor < least) {
                least = Some((factor, (shorter.1 - longer.1) / longer.0));
            }
        }
        let (factor, more) = least.filter(|(factor, _)| *factor >= BALANCED)?;
        let factor = factor.min(STEEPEST);
        Some(Self { factor, inverse: 1.0 / factor, more, saves })
    }

    /// The next piece towards the middle.
    fn longer(&self, line: Line) -> Line {
        Line { of: line.of * self.factor, less: line.less * self.factor - self.more }
    }

    /// The next piece towards the end.
    fn shorter(&self, line: Line) -> Line {
        Line { of: line.of * self.inverse, less: (line.less + self.more) * self.inverse }
    }
}

/// How many shorter pieces are worth it at each end, if the slowest stage pays `pays` for each piece.
fn ends(ramps: &[Option<Ramp>; 2], pays: f64, n: u64, middle: u64) -> [usize; 2] {
    let mut last = [Line::MIDDLE; 2];
    let mut sum = Line { of: middle as f64, less: 0.0 };
    let mut ends = [0; 2];
    loop {
        let longest = sum.root(n);
        let mut better: Option<(usize, Line, f64)> = None;
        for (side, ramp) in ramps.iter().enumerate().filter(|(side, _)| ends[*side] < MOST_STEPS) {
            let Some(ramp) = ramp else { continue };
            let next = ramp.shorter(last[side]);
            let (length, shorter) = (last[side].at(longest), next.at(longest));
            let gain = ramp.saves * (length - shorter) - pays;
            // At least half of an iteration, which is rounded up: of few tiles too, the first and the last are short.
            if gain > 0.0 && shorter >= 0.5 && better.is_none_or(|(.., most)| gain > most) {
                better = Some((side, next, gain));
            }
        }
        let Some((side, next, _)) = better else { return ends };
        last[side] = next;
        sum = sum.and(next);
        ends[side] += 1;
    }
}

/// Even pieces that take at most this much longer than any could are good enough.
const NEARLY: f64 = 0.001;

/// Longer pieces must save this part of the time.
const WORTH_COARSER: f64 = 0.01;

/// Below this ratio of two stages, pieces of different lengths would leave one stage waiting.
const BALANCED: f64 = 1.05;

/// No piece is longer than this many times its neighbour, as figures are never exact.
const STEEPEST: f64 = 4.0;

/// Most shorter pieces at an end.
const MOST_STEPS: usize = 24;

/// Cuts are the best if the stages beside the slowest take this many times as long as expected, and then hardly worse if they do not.
/// Cut for the expected times, a loop of 1 ms takes some 5 % longer by the model if those stages take 15 % longer.
const MARGIN: f64 = 1.2;

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
        let later = |a: f64, b: f64| if a > b { a } else { b };
        // The next piece waits for the host too; pieces already enqueued do not.
        let issued = later(to, issue);
        if count == 1 {
            let [first, second, third] = self.free;
            let run = later(first + to, second) + kernel;
            return Self { free: [first + issued, run, later(run, third) + from] };
        }
        let more = (count - 1) as f64;
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
