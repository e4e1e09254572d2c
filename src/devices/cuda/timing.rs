//! Of which chunks a GPU is asked for the times.
//!
//! Marks with a time hold a chunk up by some 7 us on an H200: of ten million iterations of axpy in seven chunks for each of two GPUs
//! all of them together took a twentieth of the time (results/h200-marks-2026-11-23). The others are at the pace of those.

/// A chunk of so many bytes is always timed: its copies take a hundred times as long as the marks.
const LONG: usize = 64 << 20;
/// Of so many chunks of about one length on streams of their own one is timed; on three streams one of as many, and the next.
const EVERY: u32 = 8;
/// Chunks that are shorter than this part of the last that was timed do not follow its pace.
const MUCH_SHORTER: u64 = 8;

/// Which chunks of a session are timed.
#[derive(Default)]
pub struct Timing {
    /// The last one that was: its iterations, and how many came after it.
    last: Option<(u64, u32)>,
    /// Of two, the second one is still to come.
    again: bool,
}

impl Timing {
    /// Whether the next chunk is timed, all phases of which take the same stream: then it is known when each began.
    pub fn takes_one(&mut self, iterations: u64) -> bool {
        // The time of a chunk that is much longer or shorter than another does not follow from that one's.
        let is_alike = |n: u64| iterations <= n + n / 2 && n <= iterations + iterations / 2;
        self.takes(iterations, is_alike)
    }

    /// The same where each phase has a stream, on which the chunks before it are. When a phase began is known from their ends, so
    /// two are timed that follow one another. Chunks of one loop grow shorter at its end, where to time them would cost most.
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
        // A sample, and the rest.
        assert_eq!(two(&[100, 5000, 5000, 5000]), [0, 1, 2]);
        assert_eq!(two(&[5000, 100, 100, 100]), [0, 1, 2]);
        assert_eq!(two(&[LONG as u64; 5]), [0, 1, 2, 3, 4]);
        assert_eq!(one(&[5000, 3000, 100]), [0, 1, 2]);
    }
}
