//! Fits a line `fixed + n * each` to the times of pieces.
//!
//! Each half octave of lengths gives one point: the median of its samples. The line is the one with the least weighted sum of
//! relative deviations, which outliers do not pull. Such a line goes through two of the points, so all pairs are tried.

use super::{Cell, KEPT, Sample};
use crate::units::Seconds;
use smallvec::SmallVec;

/// The time of a piece: `fixed + n * each`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Time whatever the length.
    pub fixed: Seconds,
    /// Time for each iteration.
    pub each: Seconds,
}

impl Line {
    /// The time of `n`.
    pub fn time(self, n: f64) -> Seconds {
        self.fixed + self.each * n
    }

    /// Interpolates between this line (`part` 0) and another (1).
    pub(super) fn towards(self, other: Self, part: f64) -> Self {
        let each = if self.each.0 > 0.0 && other.each.0 > 0.0 {
            Seconds((self.each.0.ln() * (1.0 - part) + other.each.0.ln() * part).exp())
        } else {
            self.each * (1.0 - part) + other.each * part
        };
        Self { fixed: self.fixed * (1.0 - part) + other.fixed * part, each }
    }
}

/// An iteration takes at least this part of the described time.
const LEAST: f64 = 1e-3;

#[derive(Clone, Copy, Debug)]
struct Point {
    n: f64,
    time: f64,
    weight: f64,
}

/// If pieces took longer than expected by more than this factor, their iterations take longer too, in proportion.
const BY_CHANCE: f64 = 16.0;
/// A line through two points tells a rate only if one has at least this many times the iterations of the other.
const APART: f64 = 1.9;
/// A level line, on which an iteration takes next to nothing, needs lengths this many times apart. Times of pieces of nearly one
/// length are as often longer for the shorter ones, by chance: the host's axpy of 6 to 7 million elements was then believed to take
/// half a millisecond whatever its length, and ran three times as long, on one thread first.
const LEVEL_APART: f64 = 3.9;
/// This many samples show how times scatter.
const ENOUGH: usize = 5;
/// Standard deviation of a normal distribution, divided by its median absolute deviation.
const NORMAL: f64 = 1.4826;
/// Times that scatter more are a mixture of several kinds.
const MOST_SCATTER: f64 = 0.3;
/// After this many microseconds, an hour, a point weighs half as much as a new one.
const HALF_WEIGHT: f64 = 3.6e9;

/// The line of a stage, given by its cells, the shortest pieces first; none without samples. If only one length was seen, see
/// [`through`]; `stated` says whether the description rests on stated work. An iteration takes at least [`LEAST`] of the described
/// time.
pub(super) fn line<'c>(cells: impl Iterator<Item = &'c Cell> + Clone, described: Line, stated: bool) -> Option<Line> {
    let newest = cells.clone().map(Cell::newest).max()?;
    let mut points: SmallVec<[Point; 16]> = cells.filter_map(|cell| point(cell, newest)).collect();
    // Where the curve is no line, it should fit best where most iterations are: at long pieces.
    let longest = points.iter().map(|point| point.n).fold(1.0, f64::max);
    for point in &mut points {
        point.weight *= (point.n / longest).sqrt();
    }
    let least = (described.each.0 * LEAST).max(f64::MIN_POSITIVE);
    let through_one =
        points.iter().map(|point| if stated { through(point, described) } else { unstated(point, described.fixed) });
    let level = points.iter().map(|point| [(point.time - least * point.n).max(0.0), least]);
    let through_two = points.iter().enumerate().flat_map(|(i, a)| {
        let far = points[i + 1..].iter().filter(|b| b.n >= APART * a.n);
        far.map(|b| {
            let each = (b.time - a.time) / (b.n - a.n);
            let fixed = a.time - each * a.n;
            // A line through the origin, up to rounding.
            [if fixed.abs() < 1e-9 * a.time { 0.0 } else { fixed }, each]
        })
    });
    let shortest = points.iter().map(|point| point.n).fold(longest, f64::min);
    let level = level.filter(|_| longest >= LEVEL_APART * shortest);
    let candidates = through_two.chain(through_one).chain(level);
    let possible =
        candidates.filter(|[fixed, each]| *fixed >= 0.0 && *each >= least && fixed.is_finite() && each.is_finite());
    let off = |[fixed, each]: [f64; 2]| -> f64 {
        points.iter().map(|p| p.weight * ((fixed + each * p.n) / p.time - 1.0).abs()).sum()
    };
    let best = possible.map(|line| (off(line), line)).min_by(|(a, _), (b, _)| a.total_cmp(b));
    let fallback = || points.last().map(|point| [0.0, (point.time / point.n).max(least)]);
    let [fixed, each] = best.map(|(_, line)| line).or_else(fallback)?;
    Some(Line { fixed: Seconds(fixed), each: Seconds(each) })
}

/// The line through one point. It deviates from the description in its rate by as much as the iterations count there: pieces of few
/// iterations say nothing of a rate.
fn through(point: &Point, described: Line) -> [f64; 2] {
    let (whole, iterations) = (described.time(point.n).0, described.each.0 * point.n);
    let longer = point.time / whole;
    let expected = iterations * longer.powf(iterations / whole).max(longer / BY_CHANCE);
    // Nothing may be described, as where a table is only shown.
    let fixed = if expected.is_finite() { (point.time - expected).max(0.0) } else { 0.0 };
    [fixed, (point.time - fixed) / point.n]
}

/// The same where the rate is not described: at most a quarter of the time is fixed.
fn unstated(point: &Point, fixed: Seconds) -> [f64; 2] {
    let fixed = fixed.0.clamp(0.0, point.time / 4.0);
    [fixed, (point.time - fixed) / point.n]
}

/// How many times as long pieces take by one stage as by another: from pieces of the same lengths, long ones weighing more; else
/// from the longest pieces that each knows. Both are given by their cells, the shortest pieces first.
pub(super) fn slower<'c>(
    stage: impl Iterator<Item = &'c Cell> + Clone,
    than: impl Iterator<Item = &'c Cell> + Clone,
) -> Option<f64> {
    let each = |cell: &Cell| median(cell.samples.iter().map(Sample::each));
    let (mut sum, mut weights) = (0.0, 0.0);
    for slow in stage.clone() {
        let Some(fast) = than.clone().find(|fast| fast.length() == slow.length()) else { continue };
        let longest = slow.samples.iter().map(|sample| sample.n).max().unwrap_or(0) as f64;
        let weight = slow.samples.len().min(fast.samples.len()).min(4) as f64 * longest;
        sum += weight * (each(slow)? / each(fast)?).ln();
        weights += weight;
    }
    let slower = if weights > 0.0 { (sum / weights).exp() } else { each(stage.last()?)? / each(than.last()?)? };
    slower.is_finite().then_some(slower)
}

/// Scatter of the times of the longest pieces of one length with enough samples: standard deviation divided by the median. It is
/// estimated from the median deviation, which outliers do not move. `cells` has the shortest pieces first.
pub(super) fn scatter<'c>(cells: impl Iterator<Item = &'c Cell>) -> Option<f64> {
    let enough = cells.filter(|cell| cell.samples.len() >= ENOUGH).last()?;
    let each = || enough.samples.iter().map(Sample::each);
    let middle = median(each())?;
    let deviation = median(each().map(|each| (each - middle).abs()))?;
    let scatter = NORMAL * deviation / middle;
    scatter.is_finite().then(|| scatter.min(MOST_SCATTER))
}

fn point(cell: &Cell, newest: u64) -> Option<Point> {
    let n = median(cell.samples.iter().map(|sample| sample.n as f64))?;
    let each = median(cell.samples.iter().map(Sample::each))?;
    let age = newest.saturating_sub(cell.newest()) as f64;
    // Times of today are right; times of last week may still show how pieces of other lengths compare.
    let weight = cell.samples.len().min(4) as f64 / (1.0 + age / HALF_WEIGHT);
    Some(Point { n, time: each * n, weight: weight.max(1e-3) })
}

/// The median of times.
pub(super) fn middle<'s>(samples: impl Iterator<Item = &'s Sample>) -> Option<Seconds> {
    median(samples.map(|sample| sample.time.0)).map(Seconds)
}

/// The median of times: the lower of two, as the mean of a usual time and one that was held up is neither.
pub(super) fn lower_middle<'s>(samples: impl Iterator<Item = &'s Sample>) -> Option<Seconds> {
    lower_median(samples.map(|sample| sample.time.0)).map(Seconds)
}

/// The time of this many iterations, in proportion to the median time of one: the lower of two, as above.
pub(super) fn of_length<'s>(samples: impl Iterator<Item = &'s Sample>, iterations: u64) -> Option<Seconds> {
    Some(Seconds(lower_median(samples.map(Sample::each))? * iterations as f64))
}

fn lower_median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values = sorted(values);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

fn sorted(values: impl Iterator<Item = f64>) -> SmallVec<[f64; KEPT]> {
    let mut values: SmallVec<[f64; KEPT]> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values = sorted(values);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_weighs_half_as_much_after_an_hour() {
        const MINUTE: u64 = 60_000_000;
        let now = 1_700_000_000_000_000;
        let weight = |minutes: u64| {
            let at = now - minutes * MINUTE;
            let samples = (0..4).map(|i| Sample { at: at - i, n: 100, time: Seconds(1e-3), cold: false });
            point(&Cell { samples: samples.rev().collect() }, now).unwrap().weight
        };
        assert!((weight(0) - 4.0).abs() < 1e-6 && (weight(60) - 2.0).abs() < 1e-6);
        assert!(weight(30) > 2.6 && weight(24 * 60) < 0.2 && weight(24 * 60) > 0.1);
    }
}
