//! Copies of boxes of bytes, in the form that drivers take.

use super::LayoutError;
use crate::units::{BytesPerSecond, Seconds};
use smallvec::SmallVec;

/// Where runs of bytes lie: the first at `offset`, the others at distances of `strides[0]` and `strides[1]` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strided {
    /// Byte at which the first run starts.
    pub offset: usize,
    /// Bytes from one run to the next, and from one group of runs to the next.
    pub strides: [usize; 2],
}

/// Copies runs of `run` bytes: `counts[0]` runs a group, `strides[0]` bytes apart; `counts[1]` groups, `strides[1]` apart.
///
/// On both sides `strides[0]` is at least `run`, and `strides[1]` is a multiple of `strides[0]` and at least `counts[0]` times
/// it, as `cuMemcpy3D` and `clEnqueueCopyBufferRect` require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoxCopy {
    /// Where the bytes are.
    pub from: Strided,
    /// Where they go.
    pub to: Strided,
    /// Bytes that are contiguous on both sides.
    pub run: usize,
    /// Number of runs in a group, and number of groups.
    pub counts: [usize; 2],
}

impl Strided {
    /// Contiguous bytes from `offset` on, cut into `counts` runs.
    fn dense(offset: usize, run: usize, counts: [usize; 2]) -> Self {
        Self { offset, strides: [run, run.saturating_mul(counts[0])] }
    }

    fn at(&self, i: usize, j: usize) -> usize {
        self.offset + i * self.strides[0] + j * self.strides[1]
    }

    /// One past the last byte; none if that overflows.
    fn end(&self, run: usize, counts: [usize; 2]) -> Option<usize> {
        let ends = (0..2)
            .try_fold(self.offset, |sum, k| sum.checked_add(counts[k].checked_sub(1)?.checked_mul(self.strides[k])?));
        ends?.checked_add(run)
    }
}

impl BoxCopy {
    /// `run` bytes from `from` to `to`.
    pub const fn row(from: usize, to: usize, run: usize) -> Self {
        let strides = [run, run];
        Self { from: Strided { offset: from, strides }, to: Strided { offset: to, strides }, run, counts: [1, 1] }
    }

    /// Number of runs.
    pub const fn runs(&self) -> usize {
        self.counts[0].saturating_mul(self.counts[1])
    }

    /// Bytes in all.
    pub const fn bytes(&self) -> usize {
        self.run.saturating_mul(self.runs())
    }

    /// One past the last byte on one side of the copy; none if that overflows.
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    pub(crate) fn end_of(&self, side: &Strided) -> Option<usize> {
        if self.bytes() == 0 { Some(0) } else { side.end(self.run, self.counts) }
    }

    /// Whether it is one run of bytes on both sides.
    pub const fn is_contiguous(&self) -> bool {
        self.counts[0] == 1 && self.counts[1] == 1
    }

    /// The same copy in the other direction.
    pub const fn reversed(&self) -> Self {
        Self { from: self.to, to: self.from, ..*self }
    }

    /// Copies from one piece of host memory to another.
    pub fn apply(&self, from: &[u8], to: &mut [u8]) -> Result<(), LayoutError> {
        self.check(self.from, "the source", from.len())?;
        self.check(self.to, "the destination", to.len())?;
        self.each_run(|f, t, run| to[t..t + run].copy_from_slice(&from[f..f + run]));
        Ok(())
    }

    /// Copies within one piece of host memory.
    pub fn apply_within(&self, memory: &mut [u8]) -> Result<(), LayoutError> {
        self.check(self.from, "the source", memory.len())?;
        self.check(self.to, "the destination", memory.len())?;
        self.each_run(|f, t, run| memory.copy_within(f..f + run, t));
        Ok(())
    }

    fn check(&self, side: Strided, name: &'static str, len: usize) -> Result<(), LayoutError> {
        if self.run == 0 || self.counts.contains(&0) {
            return Ok(());
        }
        match side.end(self.run, self.counts) {
            Some(end) if end <= len => Ok(()),
            end => Err(LayoutError::OutOfBounds { side: name, end: end.unwrap_or(usize::MAX), len }),
        }
    }

    fn each_run(&self, mut copy: impl FnMut(usize, usize, usize)) {
        if self.run > 0 {
            self.rows().for_each(|row| copy(row.from.offset, row.to.offset, row.run));
        }
    }

    /// Each of its runs as a copy.
    pub(crate) fn rows(self) -> impl Iterator<Item = Self> {
        let all = (0..self.counts[1]).flat_map(move |j| (0..self.counts[0]).map(move |i| (i, j)));
        all.map(move |(i, j)| Self::row(self.from.at(i, j), self.to.at(i, j), self.run))
    }

    /// The copy in two steps, by way of a dense buffer that holds its bytes from `at` on: into the buffer, and out of it.
    pub fn by_way_of(&self, at: usize) -> [Self; 2] {
        let dense = Strided::dense(at, self.run, self.counts);
        [Self { to: dense, ..*self }, Self { from: dense, ..*self }]
    }
}

/// Bytes of all copies together.
pub fn bytes_of(copies: &[BoxCopy]) -> usize {
    copies.iter().fold(0, |bytes: usize, copy| bytes.saturating_add(copy.bytes()))
}

/// Does all copies, from one piece of host memory to another.
pub fn apply_all(copies: &[BoxCopy], from: &[u8], to: &mut [u8]) -> Result<(), LayoutError> {
    copies.iter().try_for_each(|copy| copy.apply(from, to))
}

/// The copies in two steps, by way of one dense buffer of [`bytes_of`] bytes: copies into it, and copies out of it.
pub fn packed_apart(copies: &[BoxCopy]) -> (Vec<BoxCopy>, Vec<BoxCopy>) {
    let mut at = 0;
    let steps = copies.iter().map(|copy| {
        let [into, out] = copy.by_way_of(at);
        at = at.saturating_add(copy.bytes());
        (into, out)
    });
    steps.unzip()
}

/// Gathers the bytes that the copies read from `from` into `dense`, one copy after the other.
pub fn pack(copies: &[BoxCopy], from: &[u8], dense: &mut [u8]) -> Result<(), LayoutError> {
    apply_all(&packed_apart(copies).0, from, dense)
}

/// Scatters what [`pack`] gathered to the copies' destinations.
pub fn unpack(copies: &[BoxCopy], dense: &[u8], to: &mut [u8]) -> Result<(), LayoutError> {
    apply_all(&packed_apart(copies).1, dense, to)
}

/// What a transfer costs, for [`cheaper`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyRates {
    /// Of one driver call.
    pub latency: Seconds,
    /// Of each run of a strided copy, in addition to its bytes.
    pub per_run: Seconds,
    /// Of the transfer itself.
    pub transfer: BytesPerSecond,
    /// Gathering at the source.
    pub pack: BytesPerSecond,
    /// Scattering at the destination.
    pub unpack: BytesPerSecond,
}

/// The way in which copies are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Means {
    /// Each copy in a driver call of its own.
    Strided,
    /// Gathered into one buffer, sent in one call, and scattered.
    Packed,
}

/// The cheaper way to do `copies`, and its time. A single run is never packed: packing would only add steps.
pub fn cheaper(copies: &[BoxCopy], rates: &CopyRates) -> (Means, Seconds) {
    let bytes = bytes_of(copies) as f64;
    let runs: f64 = copies.iter().filter(|copy| !copy.is_contiguous()).map(|copy| copy.runs() as f64).sum();
    let sent = Seconds(bytes / rates.transfer.0);
    let strided = rates.latency * copies.len() as f64 + rates.per_run * runs + sent;
    let packed = rates.latency + sent + Seconds(bytes / rates.pack.0) + Seconds(bytes / rates.unpack.0);
    let single = copies.len() <= 1 && copies.iter().all(BoxCopy::is_contiguous);
    if !single && packed < strided { (Means::Packed, packed) } else { (Means::Strided, strided) }
}

/// One loop of a box: `count` iterations, `from` and `to` bytes apart on the two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub count: usize,
    pub from: usize,
    pub to: usize,
}

/// The copies for `levels`, innermost first, over elements of `element` bytes.
pub(super) fn push_box(element: usize, levels: &[Level], from: usize, to: usize, copies: &mut Vec<BoxCopy>) {
    let mut run = element;
    // Merge levels that have no gap between them on either side.
    let mut kept: SmallVec<[Level; 6]> = SmallVec::new();
    for &level in levels.iter().filter(|level| level.count != 1) {
        match kept.last_mut() {
            None if level.from == run && level.to == run => run *= level.count,
            Some(last) if level.from == last.from * last.count && level.to == last.to * last.count => {
                last.count *= level.count;
            }
            _ => kept.push(level),
        }
    }
    // Two levels go into each copy: those that save most copies. The loop below enumerates the others.
    let nested = |inner: &Level, outer: &Level| {
        let fits = |inner: usize, count: usize, outer: usize| outer.is_multiple_of(inner) && outer / inner >= count;
        fits(inner.from, inner.count, outer.from) && fits(inner.to, inner.count, outer.to)
    };
    let pairs = (0..kept.len()).flat_map(|i| (i + 1..kept.len()).map(move |j| (i, j)));
    let pair = pairs.filter(|&(i, j)| nested(&kept[i], &kept[j])).max_by_key(|&(i, j)| kept[i].count * kept[j].count);
    let single = (0..kept.len()).max_by_key(|&i| kept[i].count);
    let mut inside: SmallVec<[Level; 2]> = SmallVec::new();
    match (pair, single) {
        (Some((i, j)), Some(single)) if kept[i].count * kept[j].count > kept[single].count => {
            inside.push(kept[i]);
            inside.push(kept[j]);
            kept.remove(j);
            kept.remove(i);
        }
        (_, Some(single)) => inside.push(kept.remove(single)),
        _ => {}
    }
    let counts = [inside.first().map_or(1, |l| l.count), inside.get(1).map_or(1, |l| l.count)];
    let strides = |of: fn(&Level) -> usize| {
        let first = inside.first().map_or(run, of);
        [first, inside.get(1).map_or(first * counts[0], of)]
    };
    let (from_strides, to_strides) = (strides(|l| l.from), strides(|l| l.to));
    let mut at: SmallVec<[usize; 6]> = kept.iter().map(|_| 0).collect();
    loop {
        let (mut f, mut t) = (from, to);
        for (level, &i) in kept.iter().zip(&at) {
            (f, t) = (f + i * level.from, t + i * level.to);
        }
        copies.push(BoxCopy {
            from: Strided { offset: f, strides: from_strides },
            to: Strided { offset: t, strides: to_strides },
            run,
            counts,
        });
        // Advance the enumerated levels.
        let Some(k) = (0..kept.len()).find(|&k| at[k] + 1 < kept[k].count) else { return };
        at[k] += 1;
        at[..k].fill(0);
    }
}
