//! The effect of a chunk on a device's three engines (in, run, out), without going through its pieces one by one.
//!
//! An engine is free when the longest path through the pieces up to it is done, so a chunk is a matrix over (max, +):
//! `free'[j] = max over i <= j of start[i] + path[i][j]`, with `path[i][j]` the longest path from stage i of the first piece to
//! stage j of the last. For k equal pieces that is the sum of the stages i to j, plus k - 1 times the slowest of them. The first
//! engine is taken for as long as the host needs to enqueue a piece, if that is longer.

use crate::model::pieces::{Cut, Row};
use crate::model::{DeviceCost, Pipeline, subchunks};
use crate::units::Seconds;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    length: u64,
    whole: bool,
    overlaps: bool,
    /// Only the upper triangle counts.
    path: [[f64; 3]; 3],
    /// Time of each stage over all pieces.
    pub stages: [Seconds; 3],
    /// Length of the first piece.
    first: u64,
    pub pieces: u64,
}

impl Shape {
    /// The shape of a chunk of `length` iterations; `whole` as [`piece_lengths`] takes it.
    pub fn of(cost: &DeviceCost, length: u64, whole: bool) -> Self {
        let overlaps = cost.overlaps();
        let shape = Self {
            length,
            whole,
            overlaps,
            path: [[f64::NEG_INFINITY; 3]; 3],
            stages: [Seconds::ZERO; 3],
            first: length,
            pieces: 1,
        };
        if !overlaps || !whole {
            // Equal pieces; the first few are an iteration longer.
            let pieces = subchunks(cost, length).max(1);
            let (short, longer) = (length / pieces, length % pieces);
            let shape = if longer > 0 { shape.and(cost, short + 1, longer, true) } else { shape };
            return shape.and(cost, short, pieces - longer, longer == 0);
        }
        let (mut shape, mut first) = (shape, true);
        Cut::best(cost, length, whole).0.visit(cost, length, |length, count| {
            shape = shape.and(cost, length, count, first);
            first = false;
        });
        shape
    }

    /// Time of a chunk on idle engines, from begin to end.
    pub fn time(cost: &DeviceCost, length: u64, whole: bool) -> f64 {
        if !cost.overlaps() {
            // The chunk is one piece.
            let [to, kernel, from] = cost.stages(length);
            return (to + kernel + from).0;
        }
        let (cut, end) = Cut::best(cost, length, whole);
        if cost.issue.0 <= 0.0 || matches!(cut, Cut::Even(1)) {
            return end;
        }
        let mut row = Row::IDLE;
        cut.visit(cost, length, |length, count| row = row.and(cost.stages(length), count, cost.issue.0));
        row.free[2]
    }

    /// As [`Shape::push`], for a chunk whose shape is not reused. Returns its begin, its end and its number of pieces.
    pub fn send(
        cost: &DeviceCost,
        length: u64,
        whole: bool,
        pipeline: &mut Pipeline,
        ready: Seconds,
    ) -> (Seconds, Seconds, u64) {
        let issue = if cost.overlaps() {
            cost.issue.0
        } else {
            pipeline.hold_until(pipeline.free[2]);
            0.0
        };
        let begin = ready.max(pipeline.free[0]);
        let [_, second, third] = pipeline.free.map(|free| free.0);
        let (mut row, mut pieces) = (Row { free: [begin.0, second, third] }, 0);
        Cut::of(cost, length, whole).visit(cost, length, |length, count| {
            row = row.and(cost.stages(length), count, issue);
            pieces += count;
        });
        pipeline.free = row.free.map(Seconds);
        (begin, pipeline.free[2], pieces)
    }

    /// Whether this is the shape of such a chunk.
    pub fn is(&self, length: u64, whole: bool) -> bool {
        self.length == length && self.whole == whole
    }

    /// Adds `count` pieces of `length`.
    fn and(mut self, cost: &DeviceCost, length: u64, count: u64, first: bool) -> Self {
        let stages = cost.stages(length);
        let [to, kernel, from] = stages.map(|stage| stage.0);
        let more = (count - 1) as f64;
        let way = |sum: f64, slowest: f64| sum + more * slowest;
        // The next piece waits for the host too; pieces already enqueued do not.
        let issued = to.max(if self.overlaps { cost.issue.0 } else { 0.0 });
        let (to_kernel, kernel_from) = (issued.max(kernel), kernel.max(from));
        let next = [
            [way(issued, issued), way(to + kernel, to_kernel), way(to + kernel + from, to_kernel.max(from))],
            [f64::NEG_INFINITY, way(kernel, kernel), way(kernel + from, kernel_from)],
            [f64::NEG_INFINITY, f64::NEG_INFINITY, way(from, from)],
        ];
        if first {
            (self.path, self.first, self.pieces) = (next, length, count);
        } else {
            let before = self.path;
            for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
                let ways = (i..=j).map(|l| before[i][l] + next[l][j]);
                self.path[i][j] = ways.fold(f64::NEG_INFINITY, f64::max);
            }
            self.pieces += count;
        }
        for (sum, stage) in self.stages.iter_mut().zip(stages) {
            *sum += stage * count as f64;
        }
        self
    }

    /// Sends the chunk through once it is `ready` and the first engine is free. Returns when it begins and when it ends.
    pub fn push(&self, pipeline: &mut Pipeline, ready: Seconds) -> (Seconds, Seconds) {
        if !self.overlaps {
            pipeline.hold_until(pipeline.free[2]);
        }
        let begin = ready.max(pipeline.free[0]);
        let [_, free_1, free_2] = pipeline.free.map(|free| free.0);
        let path = &self.path;
        let out = begin.0 + path[0][2];
        pipeline.free = [
            begin.0 + path[0][0],
            (begin.0 + path[0][1]).max(free_1 + path[1][1]),
            out.max(free_1 + path[1][2]).max(free_2 + path[2][2]),
        ]
        .map(Seconds);
        (begin, pipeline.free[2])
    }

    /// When the first piece begins each stage, if the engines are free as `pipeline` says.
    pub fn begins(&self, cost: &DeviceCost, pipeline: &Pipeline, ready: Seconds) -> [Seconds; 3] {
        let [to, kernel, _] = cost.stages(self.first);
        let first = ready.max(pipeline.free[if self.overlaps { 0 } else { 2 }]);
        let second = (first + to).max(pipeline.free[1]);
        [first, second, (second + kernel).max(pipeline.free[2])]
    }

    /// Time on idle engines, from begin to end.
    pub fn alone(&self) -> f64 {
        self.path[0][2]
    }

    /// How much later another chunk of this shape ends, in the long run.
    pub fn pace(&self) -> f64 {
        if self.overlaps { self.path[0][0].max(self.path[1][1]).max(self.path[2][2]) } else { self.path[0][2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::piece_lengths;

    #[test]
    fn short_chunks_follow_one_another_as_fast_as_the_host_enqueues_them() {
        let us = Seconds::from_micros;
        let cost = DeviceCost {
            to_chunk: us(5.0),
            kernel_chunk: us(4.0),
            from_chunk: us(6.0),
            kernel: us(0.01),
            issue: us(15.0),
            ..DeviceCost::default()
        };
        let shape = Shape::of(&cost, 10, false);
        let close = |time: f64, micros: f64| (time * 1e6 - micros).abs() < 1e-6;
        // One chunk alone does not wait for the host.
        assert!(close(shape.alone(), 15.1) && close(shape.pace(), 15.0));
        let mut pipeline = Pipeline::default();
        let ends: Vec<f64> = (0..3).map(|_| shape.push(&mut pipeline, Seconds::ZERO).1.0).collect();
        assert!(ends.iter().zip([15.1, 30.1, 45.1]).all(|(&end, micros)| close(end, micros)), "{ends:?}");
        // A longer stage determines the pace; without overlap, the sum of the stages does.
        assert!(close(Shape::of(&cost, 10_000, false).pace(), 104.0));
        assert!(close(Shape::of(&DeviceCost { shared: true, ..cost }, 10, false).pace(), 15.1));
    }

    #[test]
    fn a_chunk_as_a_matrix_ends_when_its_pieces_one_by_one_do() {
        let times = [0.0, 1e-6, 7e-6, 3e-5];
        let pick = |seed: usize, i: usize| Seconds(times[(seed / 4_usize.pow(i as u32)) % 4]);
        for seed in 0..4096 {
            let cost = DeviceCost {
                to_chunk: pick(seed, 0),
                kernel_chunk: pick(seed, 1),
                from_chunk: pick(seed, 2),
                to: pick(seed, 3) * 0.1,
                kernel: pick(seed, 4) * 0.1 + Seconds(1e-9),
                from: pick(seed, 5) * 0.1,
                shared: seed % 5 == 0,
                ..DeviceCost::default()
            };
            for (length, whole) in [(1, false), (7, true), (1000, true), (1003, false), (100_000, true)] {
                let shape = Shape::of(&cost, length, whole);
                let mut by_matrix = Pipeline { free: [3e-6, 5e-6, 2e-5].map(Seconds) };
                let mut by_pieces = by_matrix;
                for issue in [0.0, 4e-6] {
                    let cost = DeviceCost { issue: Seconds(issue), ..cost };
                    let (alone, idle) = (Shape::of(&cost, length, whole).alone(), Shape::time(&cost, length, whole));
                    assert!((alone - idle).abs() <= 1e-9 * idle, "{cost:?} {length}: {alone} {idle}");
                }
                let mut by_row = by_matrix;
                let sent = Shape::send(&cost, length, whole, &mut by_row, Seconds(1e-6));
                let begins = shape.begins(&cost, &by_matrix, Seconds(1e-6));
                let (begin, end) = shape.push(&mut by_matrix, Seconds(1e-6));
                let (mut started, mut left) = (None, Seconds::ZERO);
                for length in piece_lengths(&cost, length, whole) {
                    if !cost.overlaps() {
                        by_pieces.hold_until(by_pieces.free[2]);
                    }
                    let (from, to) = by_pieces.push(Seconds(1e-6), cost.stages(length));
                    started.get_or_insert(from);
                    left = to;
                }
                assert_eq!(Some(begin), started);
                assert_eq!(begins[0], begin);
                assert!((end - left).0.abs() <= 1e-9 * left.0, "{cost:?} {length}: {end} {left}");
                assert_eq!((sent.0, sent.2), (begin, shape.pieces));
                for (a, b) in by_row.free.iter().zip(by_pieces.free) {
                    assert!((*a - b).0.abs() <= 1e-9 * left.0, "{cost:?} {length}: {by_row:?} {by_pieces:?}");
                }
                for (a, b) in by_matrix.free.iter().zip(by_pieces.free) {
                    assert!((*a - b).0.abs() <= 1e-9 * left.0, "{cost:?} {length}: {by_matrix:?} {by_pieces:?}");
                }
            }
        }
    }
}
