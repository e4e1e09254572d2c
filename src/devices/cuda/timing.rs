//! Of which chunks a GPU is asked for the times.
//!
//! To mark when three phases end, and to read that, takes the driver and the GPU's copy engines longer than all else about a
//! chunk: of ten million iterations of axpy in seven chunks for each of two GPUs all the marks together took a twentieth of the
//! time. The others are at the pace of those.

/// A chunk of so many bytes is always timed: marks are nothing beside its copies.
const LONG: usize = 128 << 20;
/// After the first of about one length the second one after it is timed, beside which others are on their way.
const SOON: u32 = 2;
/// Then one of so many.
const EVERY: u32 = 8;
/// Chunks that are shorter than this part of the last that was timed do not follow its pace.
const MUCH_SHORTER: u64 = 8;

/// Which chunks of a session are timed.
#[derive(Default)]
pub struct Timing(Option<Last>);

/// The last one that was.
struct Last {
    iterations: u64,
    /// The next one after so many.
    left: u32,
}

impl Timing {
    /// Whether the next chunk is timed.
    pub fn takes(&mut self, iterations: u64, bytes: usize) -> bool {
        // What a chunk takes does not follow from a much shorter one.
        let follows = |last: &Last| {
            iterations <= last.iterations + last.iterations / 2 && iterations >= last.iterations / MUCH_SHORTER
        };
        let every = match self.0.as_mut().filter(|last| follows(last)) {
            Some(last) if last.left > 1 && bytes < LONG => {
                last.left -= 1;
                return false;
            }
            Some(_) => EVERY,
            None => SOON,
        };
        self.0 = Some(Last { iterations, left: every });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(chunks: impl IntoIterator<Item = (u64, usize)>) -> Vec<usize> {
        let mut timing = Timing::default();
        let chunks = chunks.into_iter().enumerate();
        chunks.filter_map(|(index, (n, bytes))| timing.takes(n, bytes).then_some(index)).collect()
    }

    #[test]
    fn the_first_the_third_and_then_one_of_eight_are_timed() {
        assert_eq!(timed((0..30).map(|_| (1000, 8000))), [0, 2, 10, 18, 26]);
    }

    #[test]
    fn a_loop_that_ends_in_shorter_chunks_is_not_timed_at_its_end() {
        let lengths = [900, 900, 900, 900, 700, 350, 160];
        assert_eq!(timed(lengths.map(|n| (n, 8000))), [0, 2]);
    }

    #[test]
    fn a_chunk_of_another_length_and_a_long_one_are_timed() {
        // A sample, and the rest.
        assert_eq!(timed([(100, 800), (5000, 40_000), (5000, 40_000), (5000, 40_000)]), [0, 1, 3]);
        assert_eq!(timed([(5000, 40_000), (100, 800), (100, 800), (100, 800)]), [0, 1, 3]);
        assert_eq!(timed((0..4).map(|_| (1000, LONG))), [0, 1, 2, 3]);
    }
}
