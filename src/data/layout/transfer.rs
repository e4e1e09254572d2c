//! Which bytes move: between the host's array and a part, between neighbours, and from an old split to a new one.

use super::copy::{Level, push_box};
use super::owned::{Strip, Strips, overlap};
use super::{Axis, BoxCopy, Edge, LayoutError, Owned, Part};
use smallvec::SmallVec;
use std::ops::Range;

/// Copies from one device's part to another's, or inside one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Index of the part that has the bytes.
    pub from_part: usize,
    /// Index of the part that gets them.
    pub to_part: usize,
    /// The copies; offsets are into the buffers of the two parts.
    pub copies: Vec<BoxCopy>,
}

impl Transfer {
    /// Bytes in all.
    pub fn bytes(&self) -> usize {
        super::bytes_of(&self.copies)
    }
}

/// Which ghost cells of a dimension are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sides {
    /// Those before the owned cells.
    pub left: bool,
    /// Those after them.
    pub right: bool,
}

impl Sides {
    /// Neither.
    pub const NONE: Self = Self { left: false, right: false };
    /// Those before the owned cells.
    pub const LEFT: Self = Self { left: true, right: false };
    /// Those after the owned cells.
    pub const RIGHT: Self = Self { left: false, right: true };
    /// Both.
    pub const BOTH: Self = Self { left: true, right: true };
}

/// Equal blocks of cells to fill, and the cells of the array that they stand for. There is more than one block only where the
/// two are the same.
#[derive(Clone, Copy, Debug)]
struct Span {
    to: i64,
    from: u64,
    len: u64,
    count: u64,
    step: u64,
}

type Spans = SmallVec<[Span; 4]>;

/// A dimension of a box of cells to be filled.
#[derive(Clone, Debug)]
enum Side {
    Range(Range<i64>),
    /// All owned cells of a cyclic dimension.
    Cyclic(Owned),
}

type Cells = SmallVec<[Side; 3]>;

fn spans_of_set(owned: &Owned) -> Spans {
    let span = |s: Strip| Span { to: s.start as i64, from: s.start, len: s.len, count: s.count, step: s.step };
    owned.strips().into_iter().map(span).collect()
}

/// The cells of `range`, each with the cell that it stands for by the edge's rule.
fn spans_of_range(axis: &Axis, range: Range<i64>) -> Spans {
    let n = axis.extent() as i64;
    let mut spans = Spans::new();
    let mut x = range.start;
    while x < range.end {
        let inside = (0..n).contains(&x);
        let edge = if x < 0 { axis.ghosts().left_edge } else { axis.ghosts().right_edge };
        let Some(from) = axis.source(x) else { break };
        let end = match edge {
            _ if inside => n,
            // To where the array starts again.
            Edge::Periodic => x + (n - from as i64),
            // Backwards, cell by cell.
            _ => x + 1,
        };
        let len = (end.min(range.end) - x) as u64;
        spans.push(Span { to: x, from, len, count: 1, step: len });
        x += len as i64;
    }
    spans
}

fn spans(axis: &Axis, side: &Side) -> Spans {
    match side {
        Side::Range(range) => spans_of_range(axis, range.clone()),
        Side::Cyclic(owned) => spans_of_set(owned),
    }
}

/// The parts of `spans` that stand for cells in `owned`.
fn cut(spans: &[Span], owned: &Owned) -> Spans {
    let (strips, mut found) = (owned.strips(), Spans::new());
    for span in spans {
        let wanted = Strip { start: span.from, len: span.len, count: span.count, step: span.step };
        for &strip in &strips {
            let mut both = Strips::new();
            overlap(wanted, strip, &mut both);
            found.extend(both.into_iter().map(|s| Span {
                to: span.to + (s.start as i64 - span.from as i64),
                from: s.start,
                len: s.len,
                count: s.count,
                step: s.step,
            }));
        }
    }
    found
}

/// Adds the copies for the box with these spans in its dimensions. `one_home`: the homes of both parts are the same buffer.
fn copy_box(from: &Part, to: &Part, dims: &[Spans], one_home: bool, copies: &mut Vec<BoxCopy>) {
    if dims.iter().any(|spans| spans.is_empty()) {
        return;
    }
    let (from_strides, to_strides) = (from.strides(), to.strides());
    let mut at: SmallVec<[usize; 3]> = dims.iter().map(|_| 0).collect();
    loop {
        let chosen: SmallVec<[Span; 3]> = dims.iter().zip(&at).map(|(spans, &i)| spans[i]).collect();
        // Source and destination are the same cells of the home's one buffer.
        let same = one_home && from.is_home() && to.is_home() && chosen.iter().all(|s| s.to == s.from as i64);
        if !same {
            let (mut from_byte, mut to_byte) = (0, 0);
            let mut levels: SmallVec<[Level; 6]> = SmallVec::new();
            for (j, span) in chosen.iter().enumerate().rev() {
                let (f, t) = (&from.axes()[j], &to.axes()[j]);
                let places = f.local(span.from as i64).zip(t.local(span.to));
                debug_assert!(places.is_some(), "a copy of cells that a part does not store");
                let Some((f_at, t_at)) = places else { return };
                from_byte += f_at as usize * from_strides[j];
                to_byte += t_at as usize * to_strides[j];
                levels.push(Level { count: span.len as usize, from: from_strides[j], to: to_strides[j] });
                if span.count > 1 {
                    // The step is the same for all blocks: they lie in one of the part's blocks, or each in a block of its own.
                    let step =
                        |axis: &Axis, x: i64, at: u64| axis.local(x + span.step as i64).map_or(0, |next| next - at);
                    levels.push(Level {
                        count: span.count as usize,
                        from: step(f, span.from as i64, f_at) as usize * from_strides[j],
                        to: step(t, span.to, t_at) as usize * to_strides[j],
                    });
                }
            }
            push_box(to.element(), &levels, from_byte, to_byte, copies);
        }
        let Some(k) = (0..dims.len()).rev().find(|&k| at[k] + 1 < dims[k].len()) else { return };
        at[k] += 1;
        at[k + 1..].fill(0);
    }
}

/// Sorts copies by destination and merges single runs that are adjacent on both sides.
fn tidied(mut copies: Vec<BoxCopy>) -> Vec<BoxCopy> {
    copies.sort_unstable_by_key(|copy| copy.to.offset);
    let mut tidy: Vec<BoxCopy> = Vec::with_capacity(copies.len());
    for copy in copies {
        match tidy.last_mut() {
            Some(last)
                if last.is_contiguous()
                    && copy.is_contiguous()
                    && last.to.offset + last.run == copy.to.offset
                    && last.from.offset + last.run == copy.from.offset =>
            {
                *last = BoxCopy::row(last.from.offset, last.to.offset, last.run + copy.run);
            }
            _ => tidy.push(copy),
        }
    }
    tidy
}

fn whole_of(part: &Part) -> Option<Part> {
    let extents: SmallVec<[u64; 3]> = part.axes().iter().map(Axis::extent).collect();
    // The size was checked when `part` was made.
    Part::whole(part.element(), &extents).ok()
}

/// The owned and ghost cells of a part, for each dimension.
fn needed(part: &Part) -> Cells {
    let side = |axis: &Axis| match axis.owned() {
        cyclic @ Owned::Cyclic(_) => Side::Cyclic(cyclic.clone()),
        Owned::Block(_) => Side::Range(axis.needed()),
    };
    part.axes().iter().map(side).collect()
}

/// Copies from the host's whole array to `part`: owned cells and ghosts, those past an edge by the edge's rule. If `part` is at
/// home, cells that keep their place are copied too, since the array is a different buffer.
pub fn place(part: &Part) -> Vec<BoxCopy> {
    let mut copies = Vec::new();
    if let Some(whole) = whole_of(part).filter(|_| !part.is_empty()) {
        let dims: SmallVec<[Spans; 3]> = part.axes().iter().zip(&needed(part)).map(|(a, s)| spans(a, s)).collect();
        copy_box(&whole, part, &dims, true, &mut copies);
    }
    tidied(copies)
}

/// Copies from `part` to the host's whole array: owned cells only.
pub fn collect(part: &Part) -> Vec<BoxCopy> {
    let mut copies = Vec::new();
    if let Some(whole) = whole_of(part).filter(|_| !part.is_empty()) {
        let dims: SmallVec<[Spans; 3]> = part.axes().iter().map(|axis| spans_of_set(axis.owned())).collect();
        copy_box(part, &whole, &dims, true, &mut copies);
    }
    tidied(copies)
}

/// Groups of parts that own the same cells. A group has one part unless a dimension is replicated.
struct Owners {
    groups: Vec<SmallVec<[usize; 2]>>,
}

impl Owners {
    /// Groups the parts of one array. An error if two parts own some, but not all, cells in common.
    fn of(parts: &[Part]) -> Result<Self, LayoutError> {
        let mut groups: Vec<SmallVec<[usize; 2]>> = Vec::new();
        for (i, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let mut mine = None;
            for (g, group) in groups.iter().enumerate() {
                let other = &parts[group[0]];
                let pairs = || part.axes().iter().zip(other.axes());
                if pairs().all(|(a, b)| a.owned() == b.owned()) {
                    mine = Some(g);
                } else if pairs().all(|(a, b)| !cut(&spans_of_set(a.owned()), b.owned()).is_empty()) {
                    return Err(LayoutError::Mismatch(format!(
                        "parts {} and {i} own some cells together, but not all; owners must have all or none in common",
                        group[0]
                    )));
                }
            }
            match mine {
                Some(g) => groups[g].push(i),
                None => groups.push(SmallVec::from_slice(&[i])),
            }
        }
        Ok(Self { groups })
    }

    /// Index of a part among those that own the same cells.
    fn rank(&self, part: usize) -> usize {
        self.groups.iter().find_map(|group| group.iter().position(|&i| i == part)).unwrap_or(0)
    }

    /// The part of `group` that `to` copies from: itself, else one in the same buffer, else one by `rank`: all take turns.
    fn server(&self, group: &[usize], to: usize, rank: usize, parts: &[Part], home: bool) -> usize {
        let same_buffer = || group.iter().copied().find(|&i| home && parts[i].is_home());
        let itself = group.contains(&to).then_some(to);
        itself.or_else(same_buffer).unwrap_or(group[rank % group.len()])
    }
}

fn check_alike(parts: &[&Part]) -> Result<(), LayoutError> {
    let Some(first) = parts.first() else { return Ok(()) };
    let alike = |part: &Part| {
        part.element() == first.element()
            && part.axes().len() == first.axes().len()
            && part.axes().iter().zip(first.axes()).all(|(a, b)| a.extent() == b.extent())
    };
    match parts.iter().position(|part| !alike(part)) {
        Some(i) => Err(LayoutError::Mismatch(format!(
            "part {i} is of another array than part 0; element, dimensions and extents must be the same"
        ))),
        None => Ok(()),
    }
}

/// The ghost cells of `part` on the requested `sides`, as boxes that do not overlap.
fn ghost_boxes(part: &Part, sides: &[Sides]) -> Vec<Cells> {
    // What remains of each dimension without the requested sides.
    let mut rest = needed(part);
    let mut boxes = Vec::new();
    for (j, (axis, side)) in part.axes().iter().zip(sides).enumerate() {
        let (Owned::Block(owned), Side::Range(all)) = (axis.owned(), rest[j].clone()) else { continue };
        let mut push = |range: Range<i64>| {
            if !range.is_empty() {
                // Dimensions before this one without their requested ghosts, those after it whole: each corner comes once.
                let mut cells = rest.clone();
                cells[j] = Side::Range(range);
                boxes.push(cells);
            }
        };
        let (start, end) = (owned.start as i64, owned.end as i64);
        if side.left {
            push(all.start..start);
        }
        if side.right {
            push(end..all.end);
        }
        let left = if side.left { start } else { all.start };
        let right = if side.right { end } else { all.end };
        rest[j] = Side::Range(left..right);
    }
    boxes
}

/// The cells of `cells` that are not in `taken`, as boxes that do not overlap.
fn without(cells: Cells, taken: &Cells) -> Vec<Cells> {
    let apart = cells.iter().zip(taken).any(|pair| match pair {
        (Side::Range(a), Side::Range(b)) => a.start.max(b.start) >= a.end.min(b.end),
        (Side::Cyclic(a), Side::Cyclic(b)) => a != b,
        // An array's dimension is cyclic in all parts or in none, or a part has all of it.
        _ => false,
    });
    if apart {
        return vec![cells];
    }
    let (mut rest, mut boxes) = (cells, Vec::new());
    for (j, taken) in taken.iter().enumerate() {
        let (Side::Range(range), Side::Range(taken)) = (rest[j].clone(), taken) else { continue };
        for outside in [range.start..taken.start, taken.end..range.end] {
            if !outside.is_empty() {
                let mut piece = rest.clone();
                piece[j] = Side::Range(outside);
                boxes.push(piece);
            }
        }
        rest[j] = Side::Range(range.start.max(taken.start)..range.end.min(taken.end));
    }
    boxes
}

/// Refreshes ghost cells, corners included. Each gets its value directly from an owner of the cell that it stands for, so the
/// order of the copies does not matter. `sides` selects the sides of each dimension; a corner is refreshed with either of its
/// sides.
///
/// Parts that own nothing neither receive nor send. A ghost of a cell without an owner keeps its value. Parts at home share a
/// buffer, so a ghost that one of them receives is there for all.
pub fn ghosts(parts: &[Part], sides: &[Sides]) -> Result<Vec<Transfer>, LayoutError> {
    check_alike(&parts.iter().collect::<Vec<_>>())?;
    if let Some(part) = parts.first().filter(|part| part.axes().len() != sides.len()) {
        return Err(LayoutError::Mismatch(format!(
            "sides of {} dimensions for an array of {}",
            sides.len(),
            part.axes().len()
        )));
    }
    let owners = Owners::of(parts)?;
    let (mut transfers, mut at_home) = (Vec::new(), Vec::<Cells>::new());
    for (to, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
        let mut boxes = ghost_boxes(part, sides);
        if part.is_home() {
            for taken in &at_home {
                boxes = boxes.into_iter().flat_map(|cells| without(cells, taken)).collect();
            }
            at_home.extend(boxes.iter().cloned());
        }
        let rank = owners.rank(to);
        let wanted: Vec<SmallVec<[Spans; 3]>> =
            boxes.iter().map(|cells| part.axes().iter().zip(cells).map(|(a, s)| spans(a, s)).collect()).collect();
        for group in &owners.groups {
            let from = owners.server(group, to, rank, parts, part.is_home());
            push_transfer(parts, from, (to, part), &wanted, true, &mut transfers);
        }
    }
    Ok(transfers)
}

fn push_transfer(
    sources: &[Part],
    from: usize,
    (to, part): (usize, &Part),
    wanted: &[SmallVec<[Spans; 3]>],
    one_home: bool,
    transfers: &mut Vec<Transfer>,
) {
    let source = &sources[from];
    let mut copies = Vec::new();
    for dims in wanted {
        let dims: SmallVec<[Spans; 3]> =
            dims.iter().zip(source.axes()).map(|(spans, axis)| cut(spans, axis.owned())).collect();
        copy_box(source, part, &dims, one_home, &mut copies);
    }
    if !copies.is_empty() {
        transfers.push(Transfer { from_part: from, to_part: to, copies: tidied(copies) });
    }
}

/// Copies from an old split to a new one: each part's owned cells come from their previous owner, from old buffers to new ones,
/// also where they stay on a device. The home is the same buffer before and after: cells that stay at home do not move. Ghosts
/// are not filled.
pub fn moves(old: &[Part], new: &[Part]) -> Result<Vec<Transfer>, LayoutError> {
    owned_cells(old, new, true)
}

/// Copies between two arrays of the same extents, each with a home of its own: the cells that a part of `to` owns come from
/// their owners in `from`. Ghosts are not filled.
pub fn between(from: &[Part], to: &[Part]) -> Result<Vec<Transfer>, LayoutError> {
    owned_cells(from, to, false)
}

fn owned_cells(old: &[Part], new: &[Part], one_home: bool) -> Result<Vec<Transfer>, LayoutError> {
    check_alike(&old.iter().chain(new).collect::<Vec<_>>())?;
    let (owners, owners_now) = (Owners::of(old)?, Owners::of(new)?);
    let mut transfers = Vec::new();
    for (to, part) in new.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
        // Of the parts at home that own the same cells, the first receives them for all.
        let earlier = |i: &usize| *i < to && new[*i].is_home();
        let mut mine = owners_now.groups.iter().filter(|group| group.contains(&to));
        if part.is_home() && mine.any(|group| group.iter().any(earlier)) {
            continue;
        }
        let rank = owners_now.rank(to);
        let wanted: SmallVec<[Spans; 3]> = part.axes().iter().map(|axis| spans_of_set(axis.owned())).collect();
        for group in &owners.groups {
            let from = owners.server(group, to, rank, old, part.is_home());
            push_transfer(old, from, (to, part), std::slice::from_ref(&wanted), one_home, &mut transfers);
        }
    }
    Ok(transfers)
}
