//! Chooses the chunks that a GPU times.
//!
//! Timed events delay a chunk by some 7 us on an H200: in a loop of ten million iterations of axpy, in seven chunks for each of two
//! GPUs, they took a twentieth of the time (results/h200-marks-2026-11-23). Other chunks are assumed to have the same pace.

/// Chunks of this many bytes or more are always timed: their copies take a hundred times as long as the events.
const LONG: usize = 64 << 20;
/// Of this many chunks of similar length, one is timed. With a stream for each phase, the next chunk is timed as well and not
/// counted.
const EVERY: u32 = 8;
/// Chunks shorter than this fraction of the last timed chunk are not assumed to have its pace.
const MUCH_SHORTER: u64 = 8;

/// Chooses the chunks of a session that are timed.
#[derive(Default)]
pub struct Timing {
    /// The iterations of the last chunk chosen, and the number of chunks after it.
    last: Option<(u64, u32)>,
    /// Whether the next chunk is the second of a pair.
    again: bool,
}

impl Timing {
    /// Whether to time the next chunk, all phases of which run on one stream, so that each phase's start is known.
    pub fn takes_one(&mut self, iterations: u64) -> bool {
        // A chunk's time says nothing about one that is much longer or shorter.
        let is_alike = |n: u64| iterations <= n + n / 2 && n <= iterations + iterations / 2;
        self.takes(iterations, is_alike)
    }

    /// The same where each phase has its own stream. A phase's start then follows from the end of the chunk before, so two chunks
    /// in a row are timed. Chunks get shorter at a loop's end, where timing them would cost most.
    pub fn takes_two(&mut self, iterations: u64, bytes: usize) -> bool {
        let follows = |n: u64| iterations <= n + n / 2 && iterations >= n / MUCH_SHORTER;
        if self.again && bytes < LONG && self.last.is_some_and(|(n, _)| follows(n)) {
            self.again = false;
            return true;
        }
        self.again = self.takes(iterations, |n| follows(n) && bytes < LONG);
        self.again
    }

    fn takes(&mut self, iterations: u64, like: impl Fn(u64) -> bool) -> bool {
        self.last = match self.last {
            Some((n, after)) if like(n) && after + 1 < EVERY => Some((n, after + 1)),
            _ => Some((iterations, 0)),
        };
        self.last.is_some_and(|(_, after)| after == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(lengths: &[u64], mut takes: impl FnMut(u64) -> bool) -> Vec<usize> {
        let lengths = lengths.iter().enumerate();
        lengths.filter_map(|(index, n)| takes(*n).then_some(index)).collect()
    }

    fn two(lengths: &[u64]) -> Vec<usize> {
        let mut timing = Timing::default();
        timed(lengths, |n| timing.takes_two(n, 8 * n as usize))
    }

    fn one(lengths: &[u64]) -> Vec<usize> {
        let mut timing = Timing::default();
        timed(lengths, |n| timing.takes_one(n))
    }

    #[test]
    fn one_of_eight_is_timed_or_two_of_them() {
        assert_eq!(one(&[1000; 20]), [0, 8, 16]);
        assert_eq!(two(&[1000; 20]), [0, 1, 9, 10, 18, 19]);
    }

    #[test]
    fn a_loop_that_ends_in_shorter_chunks_is_not_timed_at_its_end() {
        assert_eq!(two(&[900, 900, 900, 900, 700, 350, 160]), [0, 1]);
    }

    #[test]
    fn a_chunk_of_another_length_and_a_long_one_are_timed() {
        // A sample and the rest.
        assert_eq!(two(&[100, 5000, 5000, 5000]), [0, 1, 2]);
        assert_eq!(two(&[5000, 100, 100, 100]), [0, 1, 2]);
        assert_eq!(two(&[LONG as u64; 5]), [0, 1, 2, 3, 4]);
        assert_eq!(one(&[5000, 3000, 100]), [0, 1, 2]);
    }
}
