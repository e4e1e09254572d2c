//! A table, and which of its samples count for a question: a view, as copies would take as long as the answer.

use super::{Cell, Table};

/// What is known of loops of one kind.
pub(super) struct Known<'t> {
    table: Source<'t>,
    /// Samples of first loops of a kind count.
    cold: bool,
    /// Only the kernel times count, without the times that depend on the host and its link.
    only_runs: bool,
}

enum Source<'t> {
    Kept(&'t Table),
    /// Of several keys.
    Joined(Box<Table>),
}

impl<'t> Known<'t> {
    /// All samples of a table.
    pub fn new(table: &'t Table) -> Self {
        Self { table: Source::Kept(table), cold: true, only_runs: false }
    }

    /// Its kernel times alone.
    pub fn only_runs(self) -> Self {
        Self { only_runs: true, ..self }
    }

    /// Without the samples of first loops of a kind.
    pub fn warm(self) -> Self {
        Self { cold: false, ..self }
    }

    /// The table, with the samples that do not count.
    pub fn table(&self) -> &Table {
        match &self.table {
            Source::Kept(table) => table,
            Source::Joined(table) => table,
        }
    }

    /// Adds the samples of another key's table of the same kind of loops.
    pub fn add(&mut self, other: &Table) {
        if let Source::Kept(table) = self.table {
            self.table = Source::Joined(Box::new(table.clone()));
        }
        if let Source::Joined(table) = &mut self.table {
            table.add(other);
        }
    }

    /// What such a loop pays once, if that is known.
    pub fn once(&self) -> Option<&Cell> {
        Some(&self.table().once).filter(|cell| !self.only_runs && self.counts(cell) && !cell.samples.is_empty())
    }

    /// The cells of a stage, the shortest pieces first.
    pub fn cells(&self, stage: usize) -> impl Iterator<Item = &Cell> + Clone {
        let counts = stage == 1 || !self.only_runs;
        self.table().stages[stage].cells().filter(move |cell| counts && self.counts(cell))
    }

    /// Whether a time of this stage is known.
    pub fn knows(&self, stage: usize) -> bool {
        self.cells(stage).next().is_some()
    }

    fn counts(&self, cell: &Cell) -> bool {
        self.cold || !cell.is_cold()
    }
}
