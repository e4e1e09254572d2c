//! What the pieces of a loop took, by which other devices were at work meanwhile.
//!
//! Devices share the host's memory and its links, and not all of them work until the loop's end. So a piece's time counts for
//! the devices that were at work during the piece, not for all that took part in the loop. One loop may tell both how fast a
//! device is in company and how fast it is alone.

use crate::devices::Span;
use crate::model::MemoryKind;
use crate::model::history::{self, Company};
use crate::runtime::report::PieceRecord;
use crate::units::Seconds;
use smallvec::SmallVec;

/// Pieces overlap if their spans in a stage add up to more than this times what they cover: several threads copy at once.
const OVERLAPPING: f64 = 1.1;
/// A piece counts for no company if the mean number of devices at work is further than this from a whole number.
const UNCLEAR: f64 = 0.15;

/// Lengths and times of pieces in copy in, kernel and copy out.
pub(super) type Stages = [Vec<(u64, Seconds)>; 3];

/// What a device did in a loop.
pub(super) struct Ran<'r> {
    pub memory: MemoryKind,
    pub pieces: &'r [PieceRecord],
    /// Times in which the policy had nothing for the device, each with the number of pieces done before.
    pub waits: &'r [(usize, Seconds)],
    /// The part of the first piece's kernel time that is paid once: see [`Log::woken`](crate::runtime::proxy::Log::woken).
    pub woken: Seconds,
}

impl Ran<'_> {
    fn spans(&self) -> Spans {
        let mut at_work: SmallVec<[Span; 4]> = SmallVec::new();
        let mut waits = Waits::of(self);
        let of_piece = |(index, piece)| {
            let span = extent(piece);
            let waited = waits.before(index).is_some();
            match at_work.last_mut() {
                Some(last) if span.start <= last.end || !waited => {
                    *last = Span { start: last.start.min(span.start), end: last.end.max(span.end) };
                }
                _ => at_work.push(span),
            }
            span
        };
        let pieces = self.pieces.iter().enumerate().map(of_piece).collect();
        Spans { pieces, at_work }
    }
}

/// A device's waits, passed through in the order of its pieces.
struct Waits<'r>(&'r [(usize, Seconds)]);

impl<'r> Waits<'r> {
    fn of(ran: &Ran<'r>) -> Self {
        Self(ran.waits)
    }

    /// How long the device waited before a piece, if it did.
    fn before(&mut self, piece: usize) -> Option<Seconds> {
        let mut waited = None;
        while let [(before, time), rest @ ..] = self.0
            && *before <= piece
        {
            waited = Some(waited.unwrap_or(Seconds::ZERO) + *time);
            self.0 = rest;
        }
        waited
    }
}

/// When a device was busy.
struct Spans {
    /// With each piece, from its first stage to its last.
    pieces: SmallVec<[Span; 8]>,
    /// With anything: from the first piece to the last, without the times in which the policy had nothing for it.
    at_work: SmallVec<[Span; 4]>,
}

/// Counts devices by kind of memory: those that took part in a loop, or were at work at once.
pub(in crate::runtime) fn company(devices: impl Iterator<Item = MemoryKind>) -> Company {
    devices.fold(Company::default(), |company, memory| match memory {
        MemoryKind::Shared => Company { shared: company.shared + 1, ..company },
        MemoryKind::Discrete => Company { discrete: company.discrete + 1, ..company },
    })
}

/// From the start of a piece's first stage to the end of its last.
pub(super) fn extent(piece: &PieceRecord) -> Span {
    let (mut start, mut end) = (Seconds(f64::INFINITY), Seconds::ZERO);
    for span in [&piece.to, &piece.kernel, &piece.from].into_iter().flatten() {
        (start, end) = (start.min(span.start), end.max(span.end));
    }
    // A piece without stages is at the loop's start.
    Span { start: start.min(end), end }
}

/// The integral over time of a function of the number at work, in steps where that number changes.
#[derive(Default)]
struct AtWork {
    /// An instant, the value from then on, and the integral until then.
    changes: Vec<(f64, f64, f64)>,
}

impl AtWork {
    /// Integrates the number at work.
    fn of(spans: impl Iterator<Item = Span>) -> Self {
        Self::added_up(spans, |at_work| at_work)
    }

    /// Integrates the part that each gets, where all get equal parts.
    fn parts(spans: impl Iterator<Item = Span>) -> Self {
        Self::added_up(spans, |at_work| if at_work > 0.5 { 1.0 / at_work } else { 0.0 })
    }

    fn added_up(spans: impl Iterator<Item = Span>, of: impl Fn(f64) -> f64) -> Self {
        let mut changes: Vec<(f64, f64, f64)> =
            spans.flat_map(|span| [(span.start.0, 1.0, 0.0), (span.end.0, -1.0, 0.0)]).collect();
        changes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut before, mut at_work, mut sum) = (0.0, 0.0, 0.0);
        for (at, change, until) in &mut changes {
            sum += of(at_work) * (*at - before);
            at_work += *change;
            (before, *change, *until) = (*at, of(at_work), sum);
        }
        Self { changes }
    }

    fn until(&self, time: f64) -> f64 {
        let next = match &self.changes[..] {
            // All of a loop is one span, mostly.
            [(start, ..), (end, ..)] => usize::from(*start <= time) + usize::from(*end <= time),
            changes => changes.partition_point(|(at, ..)| *at <= time),
        };
        let last = next.checked_sub(1).and_then(|last| self.changes.get(last));
        last.map_or(0.0, |(at, now, until)| until + now * (time - at))
    }

    /// The integral over a span.
    fn within(&self, span: Span) -> f64 {
        self.until(span.end.0) - self.until(span.start.0)
    }

    /// The mean over a span.
    fn mean(&self, span: Span) -> f64 {
        let mean = self.within(span) / span.length().0;
        if mean.is_finite() { mean } else { 0.0 }
    }
}

/// For each device the times of its pieces, by the company at work meanwhile.
pub(super) fn by_company(all: &[Ran<'_>]) -> Vec<Vec<(Company, Stages)>> {
    let everyone = company(all.iter().map(|ran| ran.memory));
    let spans: SmallVec<[Spans; 4]> = all.iter().map(Ran::spans).collect();
    let of_kind = |kind: MemoryKind| {
        let members = all.iter().zip(&spans).filter(|(ran, _)| ran.memory == kind);
        AtWork::of(members.flat_map(|(_, spans)| spans.at_work.iter().copied()))
    };
    let (shared, discrete) = (of_kind(MemoryKind::Shared), of_kind(MemoryKind::Discrete));
    let of = |(ran, spans): (&Ran<'_>, &Spans)| {
        let own = AtWork::of(spans.at_work.iter().copied());
        let mut seen: SmallVec<[Company; 4]> = SmallVec::new();
        let mut place = |company: Company| {
            seen.iter().position(|known| *known == company).unwrap_or_else(|| {
                seen.push(company);
                seen.len() - 1
            })
        };
        let mut pieces: SmallVec<[(usize, bool); 8]> = SmallVec::with_capacity(ran.pieces.len());
        for &span in &spans.pieces {
            let (mut with, mine) = ([shared.mean(span), discrete.mean(span)], own.mean(span));
            with[usize::from(ran.memory == MemoryKind::Discrete)] -= mine;
            let off = with.map(|with| (with - with.round()).abs());
            let [shared, discrete] = with.map(|with| with.round().max(0.0) as u32);
            let own = company(std::iter::once(ran.memory));
            let company = Company { shared: shared + own.shared, discrete: discrete + own.discrete };
            pieces.push((place(company), off[0].max(off[1]) <= UNCLEAR));
        }
        if !pieces.iter().any(|(_, clear)| *clear) {
            // Unclear pieces are better than none. They count for the whole company and claim nothing about fewer devices.
            let place = place(everyone);
            pieces.iter_mut().for_each(|piece| *piece = (place, true));
        }
        let places: SmallVec<[Option<usize>; 8]> =
            pieces.iter().map(|&(place, clear)| clear.then_some(place)).collect();
        let stages = stages(ran, &spans.pieces, &places, seen.len());
        seen.into_iter().zip(stages).filter(|(_, stages)| stages.iter().any(|stage| !stage.is_empty())).collect()
    };
    all.iter().zip(&spans).map(of).collect()
}

/// Lengths and times of pieces by stage, for each of `groups` groups. Pieces of about one length give one mean, as pieces of
/// one loop are not independent samples.
///
/// A device may be idle between two pieces, while a chunk is fetched and started. That time belongs to the next piece, except
/// for the time in which the policy had no chunk.
fn stages(ran: &Ran<'_>, spans: &[Span], places: &[Option<usize>], groups: usize) -> Vec<Stages> {
    let mut until = spans.first().map_or(Seconds::ZERO, |first| first.start);
    let mut waits = Waits::of(ran);
    let idle = spans.iter().enumerate().map(|(index, span)| {
        let idle = (span.start - until - waits.before(index).unwrap_or_default()).max(Seconds::ZERO);
        until = until.max(span.end);
        idle
    });
    let idle: SmallVec<[Seconds; 8]> = idle.collect();
    let mut all = vec![Stages::default(); groups];
    for stage in 0..3 {
        let timed =
            ran.pieces.iter().enumerate().zip(&idle).zip(places).filter_map(|(((index, piece), idle), place)| {
                let stages = [piece.to, piece.kernel, piece.from];
                let mut span = stages[stage]?;
                let first = stages[..stage].iter().all(Option::is_none);
                let on_top = if first { *idle } else { Seconds::ZERO };
                if stage == 1 && index == 0 {
                    span.start = (span.start + ran.woken).min(span.end);
                }
                Some(Timed { n: piece.places(), span, on_top, place: *place })
            });
        for (all, means) in all.iter_mut().zip(means(timed, groups)) {
            all[stage] = means;
        }
    }
    all
}

/// A piece in one stage.
#[derive(Clone)]
struct Timed {
    n: u64,
    span: Span,
    on_top: Seconds,
    /// Its group; `None` for a piece of no clear company.
    place: Option<usize>,
}

#[derive(Clone, Copy)]
struct Sum {
    octave: u32,
    pieces: u64,
    iterations: u64,
    time: Seconds,
}

/// The mean time of pieces of about one length, for each group. Pieces that overlap share the time that they cover equally.
fn means(pieces: impl Iterator<Item = Timed> + Clone, groups: usize) -> Vec<Vec<(u64, Seconds)>> {
    let (mut lengths, mut until, mut one_by_one) = (Seconds::ZERO, Seconds(f64::NEG_INFINITY), true);
    for Timed { span, .. } in pieces.clone() {
        lengths += span.length();
        one_by_one &= until <= span.start;
        until = span.end;
    }
    let spans = pieces.clone().map(|piece| piece.span);
    let covered = if one_by_one { lengths } else { covered(spans.clone()) };
    // Where pieces overlap, the time of a single one depends on the order in which they end; only the mean of all counts, and
    // only several groups need to know which piece was beside how many.
    let overlapping = lengths > covered * OVERLAPPING;
    let parts = (overlapping && groups > 1).then(|| AtWork::parts(spans));
    let part = if lengths > Seconds::ZERO { covered / lengths } else { 1.0 };
    let mut sums: Vec<SmallVec<[Sum; 1]>> = vec![SmallVec::new(); groups];
    for Timed { n, span, on_top, place } in pieces {
        let Some(sums) = place.and_then(|place| sums.get_mut(place)) else { continue };
        let time = on_top + parts.as_ref().map_or(span.length() * part, |parts| Seconds(parts.within(span)));
        let octave = if overlapping { 0 } else { history::octave(n) };
        match sums.iter_mut().find(|sum| sum.octave == octave) {
            Some(sum) => {
                sum.pieces += 1;
                sum.iterations += n;
                sum.time += time;
            }
            None => sums.push(Sum { octave, pieces: 1, iterations: n, time }),
        }
    }
    let mean = |sum: Sum| (sum.iterations / sum.pieces, sum.time / sum.pieces as f64);
    sums.into_iter().map(|sums| sums.into_iter().map(mean).collect()).collect()
}

/// The time in which there is at least one of them.
fn covered(spans: impl Iterator<Item = Span>) -> Seconds {
    let mut spans: Vec<Span> = spans.collect();
    // Nearly in order already, which this sort makes use of.
    spans.sort_by(|a, b| a.start.0.total_cmp(&b.start.0));
    let (mut sum, mut until) = (Seconds::ZERO, Seconds(f64::NEG_INFINITY));
    for Span { start, end } in spans {
        sum += (end - start.max(until)).max(Seconds::ZERO);
        until = until.max(end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: f64, end: f64) -> Span {
        Span { start: Seconds(start), end: Seconds(end) }
    }

    fn device(pieces: &[(u64, [Option<Span>; 3])]) -> Vec<PieceRecord> {
        let piece = |&(n, [to, kernel, from]): &(u64, [Option<Span>; 3])| PieceRecord {
            range: crate::space::IterRange::new(0, n),
            to,
            kernel,
            from,
            ..PieceRecord::default()
        };
        pieces.iter().map(piece).collect()
    }

    /// The times of a device that has the loop for itself.
    fn alone(pieces: &[PieceRecord], waits: &[(usize, Seconds)]) -> Stages {
        let all = by_company(&[Ran { memory: MemoryKind::Discrete, pieces, waits, woken: Seconds::ZERO }]).remove(0);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].0, Company { shared: 0, discrete: 1 });
        all[0].1.clone()
    }

    fn close(found: &[(u64, Seconds)], wanted: &[(u64, f64)]) {
        let same = |(a, b): (&(u64, Seconds), &(u64, f64))| a.0 == b.0 && (a.1.0 - b.1).abs() < 1e-9;
        assert!(found.len() == wanted.len() && found.iter().zip(wanted).all(same), "{found:?} should be {wanted:?}");
    }

    #[test]
    fn what_lies_between_pieces_is_theirs_but_for_waiting() {
        let run = |start, end| [None, Some(span(start, end)), None];
        let device = device(&[(100, run(0.5, 1.5)), (100, run(1.7, 2.7)), (10, run(6.0, 6.2))]);
        // The policy had no chunk for 3 s of the 3.3 s before the last piece.
        let [to, kernel, from] = alone(&device, &[(0, Seconds(0.4)), (2, Seconds(3.0))]);
        assert!(to.is_empty() && from.is_empty());
        close(&kernel, &[(100, 1.1), (10, 0.5)]);
    }

    #[test]
    fn stages_of_neighbours_overlap_and_idle_time_is_the_first_one_s() {
        let piece =
            |at: f64| [Some(span(at, at + 1.0)), Some(span(at + 1.0, at + 2.0)), Some(span(at + 2.0, at + 2.5))];
        let device = device(&[(100, piece(0.0)), (100, piece(1.0)), (100, piece(4.0))]);
        let [to, kernel, from] = alone(&device, &[]);
        close(&to, &[(100, (1.0 + 1.0 + 1.5) / 3.0)]);
        close(&kernel, &[(100, 1.0)]);
        close(&from, &[(100, 0.5)]);
    }

    #[test]
    fn pieces_at_once_share_the_time_that_they_cover() {
        let at = |i: u64| 0.1 * i as f64;
        let pieces = (0..8).map(|i| Timed {
            n: 100 + i % 2 * 100,
            span: span(at(i), at(i) + 0.8),
            on_top: Seconds::ZERO,
            place: Some(0),
        });
        close(&means(pieces, 1)[0], &[(150, 1.5 / 8.0)]);
    }

    #[test]
    fn pieces_that_hardly_overlap_keep_their_lengths_and_count_no_time_twice() {
        let timed = |n, start, end| Timed { n, span: span(start, end), on_top: Seconds::ZERO, place: Some(0) };
        // 4 s of which 0.1 s count twice.
        let pieces = [timed(200, 0.5, 1.5), timed(100, 1.4, 2.4), timed(100, 2.4, 3.4), timed(200, 3.4, 4.4)];
        close(&means(pieces.into_iter(), 1)[0], &[(200, 3.9 / 4.0), (100, 3.9 / 4.0)]);
        // One within another: 4 s that cover 3 s.
        let pieces = [timed(100, 0.5, 1.5), timed(200, 0.0, 2.0), timed(100, 2.0, 3.0)];
        close(&means(pieces.into_iter(), 1)[0], &[(133, 1.0)]);
    }

    #[test]
    fn a_piece_beside_others_has_its_part_of_the_time_in_whichever_group_it_is() {
        // Three pieces at once for 0.6 s, one of them in another group; then one by itself.
        let timed =
            |start, end, place| Timed { n: 100, span: span(start, end), on_top: Seconds::ZERO, place: Some(place) };
        let pieces = [timed(0.0, 0.6, 0), timed(0.0, 0.6, 0), timed(0.0, 0.6, 1), timed(0.6, 0.9, 1)];
        let groups = means(pieces.into_iter(), 2);
        close(&groups[0], &[(100, 0.2)]);
        close(&groups[1], &[(100, 0.25)]);
    }

    #[test]
    fn what_the_first_piece_waits_for_threads_is_not_its_time() {
        let run = |n, start, end| (n, [None, Some(span(start, end)), None]);
        let report = device(&[run(100, 0.5, 2.0), run(100, 2.0, 3.0), run(10, 3.0, 3.2)]);
        let of = |woken| {
            let ran = Ran { memory: MemoryKind::Shared, pieces: &report, waits: &[], woken: Seconds(woken) };
            by_company(&[ran]).remove(0).remove(0).1
        };
        close(&of(0.0)[1], &[(100, 1.25), (10, 0.2)]);
        close(&of(0.5)[1], &[(100, 1.0), (10, 0.2)]);
        // At most the whole span is taken off.
        close(&of(9.0)[1], &[(100, 0.5), (10, 0.2)]);
    }

    #[test]
    fn what_a_piece_took_belongs_to_those_that_were_at_work() {
        let run = |n, start, end| (n, [None, Some(span(start, end)), None]);
        let cpu = device(&[run(1000, 0.0, 1.1)]);
        // Half as fast while the CPU works; the CPU ends during the third piece, which counts for neither company.
        let gpu = device(&[run(100, 0.0, 0.5), run(100, 0.5, 1.0), run(100, 1.0, 1.3), run(100, 1.3, 1.55)]);
        let ran = |memory, pieces| Ran { memory, pieces, waits: &[], woken: Seconds::ZERO };
        let [of_cpu, of_gpu] =
            by_company(&[ran(MemoryKind::Shared, &cpu[..]), ran(MemoryKind::Discrete, &gpu[..])]).try_into().unwrap();
        let both = Company { shared: 1, discrete: 1 };
        assert_eq!(of_cpu.iter().map(|(company, _)| *company).collect::<Vec<_>>(), [both]);
        close(&of_cpu[0].1[1], &[(1000, 1.1)]);
        assert_eq!(of_gpu.iter().map(|(company, _)| company.shared).collect::<Vec<_>>(), [1, 0]);
        close(&of_gpu[0].1[1], &[(100, 0.5)]);
        close(&of_gpu[1].1[1], &[(100, 0.25)]);
    }

    #[test]
    fn a_device_that_waits_is_not_at_work_and_what_is_unclear_counts_where_nothing_else_does() {
        let run = |n, start, end| (n, [None, Some(span(start, end)), None]);
        let one = device(&[run(10, 0.0, 1.0), run(10, 3.0, 4.0)]);
        let other = device(&[run(10, 0.0, 3.1)]);
        let waits = [(1, Seconds(2.0))];
        let gpu = |pieces, waits| Ran { memory: MemoryKind::Discrete, pieces, waits, woken: Seconds::ZERO };
        let all = by_company(&[gpu(&one[..], &waits[..]), gpu(&other[..], &[][..])]);
        // The other device worked for 1.1 s of its 3.1 s: unclear, so the whole company counts.
        assert_eq!(all[1].iter().map(|(company, _)| company.discrete).collect::<Vec<_>>(), [2]);
        // The first piece ran beside the other device, the second for 0.1 s only.
        assert_eq!(all[0].iter().map(|(company, _)| company.discrete).collect::<Vec<_>>(), [2, 1]);
        let without = by_company(&[gpu(&one[..], &[]), gpu(&other[..], &[])]);
        assert_eq!(without[1].iter().map(|(company, _)| company.discrete).collect::<Vec<_>>(), [2]);
    }
}
