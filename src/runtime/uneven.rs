//! Loops whose iterations have rows of different lengths: how much work each iteration is, and how long pieces may be.

use crate::data::{Distribution, RowsAt};
use crate::kernel::{Bound, Reduction};
use crate::sched::{ByWork, Work};
use crate::space::IterRange;

/// What an iteration counts at least, in bytes: it takes its time even if it has no elements.
pub(super) const LEAST: u64 = 8;

/// Bytes that iterations have of a loop's arrays, where tables say how many rows: their work.
#[derive(Debug)]
pub(super) struct RowBytes<'a> {
    /// Of each iteration alike, in all arrays, and in the one with the most.
    each: u64,
    widest: u64,
    /// Of the result of each iteration: a piece needs room for it, but it is no work.
    partial: u64,
    tables: Vec<Table<'a>>,
}

/// Numbers that say where rows begin in some arrays.
#[derive(Debug)]
struct Table<'a> {
    at: RowsAt<'a>,
    /// Bytes of a row, in all of these arrays, and in the one with the most.
    row: u64,
    widest: u64,
}

/// Most bytes of a piece: in all, and in each array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub all: u64,
    pub one: u64,
}

impl<'a> RowBytes<'a> {
    /// None if all iterations are alike, or if blocks of an array say who runs which.
    pub fn of(bound: &'a Bound<'_>, reduction: Option<Reduction>) -> Option<Self> {
        let maps = || bound.arguments().iter().filter_map(|argument| argument.array());
        if !maps().any(|map| map.distribution == Distribution::RowsAt)
            || maps().any(|map| map.distribution == Distribution::Block)
        {
            return None;
        }
        let mut of = Self {
            each: 0,
            widest: 0,
            partial: reduction.map_or(0, |reduction| reduction.element.bytes() as u64),
            tables: Vec::new(),
        };
        for map in maps() {
            let row = map.row_bytes() as u64;
            match (map.distribution, map.rows_at) {
                (Distribution::RowsAt, Some(at)) => of.add(at, row),
                (Distribution::Align { ratio }, _) => {
                    let bytes = row.saturating_mul(ratio);
                    of.each = of.each.saturating_add(bytes);
                    of.widest = of.widest.max(bytes);
                }
                _ => {}
            }
        }
        of.each = of.each.max(LEAST);
        Some(of)
    }

    #[cfg(test)]
    pub fn of_table(each: u64, at: RowsAt<'a>, row: u64) -> Self {
        Self { each, widest: 0, partial: 0, tables: vec![Table { at, row, widest: row }] }
    }

    fn add(&mut self, at: RowsAt<'a>, row: u64) {
        match self.tables.iter_mut().find(|table| table.at.is(at)) {
            Some(table) => {
                table.row = table.row.saturating_add(row);
                table.widest = table.widest.max(row);
            }
            None => self.tables.push(Table { at, row, widest: row }),
        }
    }

    /// Rows that the tables give to some iterations, those of each table once.
    pub fn rows(&self, iterations: IterRange) -> u64 {
        self.tables.iter().fold(0, |sum, table| sum.saturating_add(table.rows(iterations)))
    }

    fn fits(&self, piece: IterRange, room: Room) -> bool {
        let each = piece.len().saturating_mul(self.each.saturating_add(self.partial));
        let all = self.tables.iter().fold(each, |sum, of| sum.saturating_add(of.rows(piece).saturating_mul(of.row)));
        let one = self.tables.iter().map(|of| of.rows(piece).saturating_mul(of.widest)).max().unwrap_or(0);
        all <= room.all && one.max(piece.len().saturating_mul(self.widest)) <= room.one
    }
}

impl Table<'_> {
    fn rows(&self, iterations: IterRange) -> u64 {
        self.at.begin(iterations.end).saturating_sub(self.at.begin(iterations.start))
    }
}

impl Work for RowBytes<'_> {
    fn before(&self, iteration: u64) -> u64 {
        let each = iteration.saturating_mul(self.each);
        let of = |table: &Table<'_>| table.at.begin(iteration).saturating_mul(table.row);
        self.tables.iter().fold(each, |sum, table| sum.saturating_add(of(table)))
    }
}

/// How chunks of such a loop are cut into pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uneven<'o> {
    pub rows: &'o RowBytes<'o>,
    pub by_work: ByWork<'o>,
    /// What a piece has room for; `None` if there is no limit.
    pub room: Option<Room>,
    /// Pieces are cut by their work; else by their iterations, as blocks of a reproducible result are.
    pub cuts: bool,
}

impl Uneven<'_> {
    /// The end of the longest piece of whole granules from `piece.start` on that there is room for; at least one granule.
    pub fn fitting(&self, piece: IterRange, granule: u64) -> u64 {
        let Some(room) = self.room else { return piece.end };
        let end = |granules: u64| piece.start.saturating_add(granules.saturating_mul(granule)).min(piece.end);
        let fits = |granules: u64| self.rows.fits(IterRange::new(piece.start, end(granules)), room);
        let (mut most, mut too_many) = (1, piece.len().div_ceil(granule) + 1);
        if fits(too_many - 1) {
            return piece.end;
        }
        while too_many - most > 1 {
            let middle = most + (too_many - most) / 2;
            if fits(middle) {
                most = middle;
            } else {
                too_many = middle;
            }
        }
        end(most)
    }
}
