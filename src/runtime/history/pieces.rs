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
    /// The spans in which the device had work.
    fn at_work(&self) -> SmallVec<[Span; 4]> {
        let mut all: SmallVec<[Span; 4]> = SmallVec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let (start, end) = (start(piece), end(piece));
            let waited = || self.waits.iter().any(|(before, _)| *before == index);
            match all.last_mut() {
                Some(last) if start <= last.end || !waited() => {
                    *last = Span { start: last.start.min(start), end: last.end.max(end) };
                }
                _ => all.push(Span { start, end }),
            }
        }
        all
    }
}

/// Counts devices by kind of memory: those that took part in a loop, or were at work at once.
pub(in crate::runtime) fn company(devices: impl Iterator<Item = MemoryKind>) -> Company {
    devices.fold(Company::default(), |company, memory| match memory {
        MemoryKind::Shared => Company { shared: company.shared + 1, ..company },
        MemoryKind::Discrete => Company { discrete: company.discrete + 1, ..company },
    })
}

fn spans(piece: &PieceRecord) -> impl Iterator<Item = Span> {
    [piece.to, piece.kernel, piece.from].into_iter().flatten()
}

pub(super) fn start(piece: &PieceRecord) -> Seconds {
    spans(piece).map(|span| span.start).reduce(Seconds::min).unwrap_or_default()
}

pub(super) fn end(piece: &PieceRecord) -> Seconds {
    spans(piece).map(|span| span.end).fold(Seconds::ZERO, Seconds::max)
}

/// The integral over time of a function of the number at work, in steps where that number changes.
#[derive(Default)]
struct AtWork {
    /// An instant, the value from then on, and the integral until then.
    changes: Vec<(f64, f64, f64)>,
}

impl AtWork {
    /// Integrates the number at work.
    fn of<'s>(spans: impl Iterator<Item = &'s Span>) -> Self {
        Self::added_up(spans, |at_work| at_work)
    }

    /// Integrates the part that each gets, where all get equal parts.
    fn parts<'s>(spans: impl Iterator<Item = &'s Span>) -> Self {
        Self::added_up(spans, |at_work| if at_work > 0.5 { 1.0 / at_work } else { 0.0 })
    }

    fn added_up<'s>(spans: impl Iterator<Item = &'s Span>, of: impl Fn(f64) -> f64) -> Self {
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
        let next = self.changes.partition_point(|(at, ..)| *at <= time);
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
    let spans: SmallVec<[_; 8]> = all.iter().map(Ran::at_work).collect();
    let of_kind = |kind: MemoryKind| {
        let members = all.iter().zip(&spans).filter(|(ran, _)| ran.memory == kind);
        AtWork::of(members.flat_map(|(_, spans)| spans.iter()))
    };
    let (shared, discrete) = (of_kind(MemoryKind::Shared), of_kind(MemoryKind::Discrete));
    let of = |(ran, own): (&Ran<'_>, &SmallVec<[Span; 4]>)| {
        let own = AtWork::of(own.iter());
        let mut seen: SmallVec<[Company; 4]> = SmallVec::new();
        let mut place = |company: Company| {
            seen.iter().position(|known| *known == company).unwrap_or_else(|| {
                seen.push(company);
                seen.len() - 1
            })
        };
        let mut pieces: SmallVec<[(usize, bool); 8]> = SmallVec::with_capacity(ran.pieces.len());
        for piece in ran.pieces {
            let span = Span { start: start(piece), end: end(piece) };
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
        let stages = stages(ran, &places, seen.len());
        seen.into_iter().zip(stages).filter(|(_, stages)| stages.iter().any(|stage| !stage.is_empty())).collect()
    };
    all.iter().zip(&spans).map(of).collect()
}

/// Lengths and times of pieces by stage, for each of `groups` groups. Pieces of about one length give one mean, as pieces of
/// one loop are not independent samples.
///
/// A device may be idle between two pieces, while a chunk is fetched and started. That time belongs to the next piece, except
/// for the time in which the policy had no chunk.
fn stages(ran: &Ran<'_>, places: &[Option<usize>], groups: usize) -> Vec<Stages> {
    let pieces = ran.pieces;
    let mut until = Seconds::ZERO;
    let idle = pieces.iter().enumerate().map(|(index, piece)| {
        let waited = ran.waits.iter().filter(|(before, _)| *before == index).map(|(_, time)| *time).sum();
        let idle = if index == 0 { Seconds::ZERO } else { (start(piece) - until - waited).max(Seconds::ZERO) };
        until = until.max(end(piece));
        idle
    });
    let idle: SmallVec<[Seconds; 8]> = idle.collect();
    let mut all = vec![Stages::default(); groups];
    for stage in 0..3 {
        let timed = pieces.iter().enumerate().zip(&idle).zip(places).filter_map(|(((index, piece), idle), place)| {
            let stages = [piece.to, piece.kernel, piece.from];
            let first = stages[..stage].iter().all(Option::is_none);
            let on_top = if first { *idle } else { Seconds::ZERO };
            let mut span = stages[stage]?;
            if stage == 1 && index == 0 {
                span.start = (span.start + ran.woken).min(span.end);
            }
            Some(Timed { n: piece.range.len(), span, on_top, place: *place })
        });
        for (all, means) in all.iter_mut().zip(means(timed, groups)) {
            all[stage] = means;
        }
    }
    all
}

/// A piece in one stage.
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
fn means(pieces: impl Iterator<Item = Timed>, groups: usize) -> Vec<Vec<(u64, Seconds)>> {
    let pieces: SmallVec<[Timed; 8]> = pieces.collect();
    let one_by_one = pieces.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    let at_once = (!one_by_one).then(|| AtWork::parts(pieces.iter().map(|piece| &piece.span)));
    let mut sums: Vec<Vec<Sum>> = vec![Vec::new(); groups];
    let (mut lengths, mut covered) = (Seconds::ZERO, Seconds::ZERO);
    for Timed { n, span, on_top, place } in pieces {
        let alone = at_once.as_ref().map_or(span.length(), |parts| Seconds(parts.within(span)));
        lengths += span.length();
        covered += alone;
        let Some(sums) = place.and_then(|place| sums.get_mut(place)) else { continue };
        let octave = history::octave(n);
        match sums.iter_mut().find(|sum| sum.octave == octave) {
            Some(sum) => {
                sum.pieces += 1;
                sum.iterations += n;
                sum.time += alone + on_top;
            }
            None => sums.push(Sum { octave, pieces: 1, iterations: n, time: alone + on_top }),
        }
    }
    // Where pieces overlap, the time of a single one depends on the order in which they end; only the mean of all counts.
    if lengths > covered * OVERLAPPING {
        let add = |all: Sum, sum: &Sum| Sum {
            pieces: all.pieces + sum.pieces,
            iterations: all.iterations + sum.iterations,
            time: all.time + sum.time,
            ..all
        };
        for sums in &mut sums {
            *sums = sums.split_first().map(|(first, rest)| rest.iter().fold(*first, add)).into_iter().collect();
        }
    }
    let mean = |sum: Sum| (sum.iterations / sum.pieces, sum.time / sum.pieces as f64);
    sums.into_iter().map(|sums| sums.into_iter().map(mean).collect()).collect()
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
