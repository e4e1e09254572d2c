//! A device's buffers: those that no chunk uses are kept for the next chunk that they fit.

use crate::units::Bytes;
use std::fmt;

/// The number of loops for which an unused buffer is kept: an application runs several loops in turn, and a new allocation takes as
/// long as a short loop.
const KEPT_FOR: u64 = 32;

/// The source of buffers.
pub trait Allocator {
    /// A buffer; dropping it frees it.
    type Buffer;
    /// Why there is no buffer.
    type Error: fmt::Display;

    /// A new buffer of `bytes`, at least 1.
    fn allocate(&self, bytes: usize) -> Result<Self::Buffer, Self::Error>;

    /// Whether an error means that memory is short, so that freeing buffers may help.
    fn out_of_memory(error: &Self::Error) -> bool;

    /// Frees what else its owner keeps for later in the same memory, and says whether there was anything. In the end this is also
    /// what costs most to make again, with `all`.
    fn make_room(&self, _all: bool) -> bool {
        false
    }
}

/// A buffer and its size.
pub struct Pooled<B> {
    pub buffer: B,
    pub bytes: usize,
}

struct Free<B> {
    memory: Pooled<B>,
    /// The loop in which it was used last.
    last_used: u64,
}

/// Why there is no buffer.
#[derive(Debug, PartialEq, Eq)]
pub enum NoBuffer<E> {
    /// More bytes in one buffer than the device allows.
    TooLarge { wanted: usize, most: u64 },
    /// More bytes than the device has left beside the buffers in use.
    Full { wanted: usize, in_use: u64, limit: u64 },
    /// The driver refused.
    Driver(E),
}

impl<E> NoBuffer<E> {
    /// Whether memory is short; `out_of_memory` tells it of the driver's errors.
    pub fn is_no_room(&self, out_of_memory: impl Fn(&E) -> bool) -> bool {
        match self {
            Self::TooLarge { .. } | Self::Full { .. } => true,
            Self::Driver(error) => out_of_memory(error),
        }
    }

    /// Advice for a chunk of `iterations` that was refused a buffer, to be appended to the message.
    pub fn advice(&self, iterations: u64) -> String {
        match *self {
            Self::TooLarge { wanted, most } => {
                match (u128::from(iterations) * u128::from(most) / wanted.max(1) as u128).min(u128::from(iterations)) {
                    0 => "; not even one iteration fits: leave this device out".to_owned(),
                    fit => format!("; use smaller chunks: about {fit} of these {iterations} iterations fit"),
                }
            }
            Self::Full { .. } => "; use smaller chunks".to_owned(),
            Self::Driver(_) => String::new(),
        }
    }
}

impl<E: fmt::Display> fmt::Display for NoBuffer<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |n: u64| format!("{n} bytes ({})", Bytes(n));
        match self {
            Self::TooLarge { wanted, most } => write!(
                f,
                "{} are needed in one piece, but the device gives at most {} at once",
                bytes(*wanted as u64),
                bytes(*most)
            ),
            Self::Full { wanted, in_use, limit } => write!(
                f,
                "{} are needed, but of the device's {} {} are in use",
                bytes(*wanted as u64),
                bytes(*limit),
                bytes(*in_use)
            ),
            Self::Driver(error) => write!(f, "{error}"),
        }
    }
}

/// Only buffers of which so many fit are rounded up in size.
const MANY_BUFFERS: u64 = 512;
/// Up to this size, rounded ones have a power of two of bytes.
const DOUBLING: usize = 16 << 20;

/// The next of the sizes that buffers have. Pieces of loops differ in length, and a buffer of each length would be allocated anew
/// again and again: page-locking memory in mid-loop holds up all threads that call the driver.
fn size_class(bytes: usize) -> usize {
    let Some(power) = bytes.checked_next_power_of_two() else { return bytes };
    let step = if power <= DOUBLING { power } else { power / 16 };
    bytes.checked_next_multiple_of(step).unwrap_or(bytes)
}

/// The buffers of one device.
pub struct Pool<B> {
    free: Vec<Free<B>>,
    /// Bytes of all buffers, in use and free.
    allocated: u64,
    limit: u64,
    /// Bytes that all buffers may have together, as of the device's last refusal; equal to `limit` before any.
    room: u64,
    max_alloc: u64,
    this_loop: u64,
    /// Buffers allocated so far.
    made: u64,
}

impl<B> Pool<B> {
    pub fn new(limit: u64, max_alloc: u64) -> Self {
        Self { free: Vec::new(), allocated: 0, limit, room: limit, max_alloc, this_loop: 0, made: 0 }
    }

    /// How many buffers were allocated so far.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Bytes of all buffers, in use and kept.
    pub fn allocated(&self) -> u64 {
        self.allocated
    }

    /// Bytes that all buffers may have together, as far as that is known.
    #[cfg(feature = "cuda")]
    pub fn room(&self) -> u64 {
        self.room
    }

    /// Whether the device has refused memory within its limit, because other programs use it too.
    #[cfg(feature = "cuda")]
    pub fn was_refused(&self) -> bool {
        self.room < self.limit
    }

    /// Notes how many bytes the device has left.
    #[cfg(feature = "cuda")]
    pub fn set_left(&mut self, bytes: u64) {
        self.room = self.allocated.saturating_add(bytes).min(self.limit);
    }

    /// Bytes of the largest buffer that the device allows.
    #[cfg(feature = "opencl")]
    pub fn max_alloc(&self) -> u64 {
        self.max_alloc
    }

    /// A buffer of at least `bytes`: the smallest free one that suits, or else a new one. Free buffers are freed to make room for
    /// it.
    pub fn take<A: Allocator<Buffer = B>>(
        &mut self,
        allocator: &A,
        bytes: usize,
    ) -> Result<Pooled<B>, NoBuffer<A::Error>> {
        // The allocator has no empty buffers, but a kernel needs a pointer for an empty section too.
        let bytes = bytes.max(16);
        if bytes as u64 > self.max_alloc {
            return Err(NoBuffer::TooLarge { wanted: bytes, most: self.max_alloc });
        }
        let fitting = self.free.iter().enumerate().filter(|(_, free)| self.suits(free.memory.bytes, bytes));
        if let Some((best, _)) = fitting.min_by_key(|(_, free)| free.memory.bytes) {
            return Ok(self.free.swap_remove(best).memory);
        }
        while self.allocated + bytes as u64 > self.limit {
            if !self.drop_oldest() {
                return Err(NoBuffer::Full { wanted: bytes, in_use: self.allocated, limit: self.limit });
            }
        }
        let buffer = self.apart(allocator, bytes).map_err(NoBuffer::Driver)?;
        self.allocated += bytes as u64;
        self.made += 1;
        Ok(Pooled { buffer, bytes })
    }

    /// As [`Pool::take`], with what `prepare` does to the buffer. Where that fails the buffer is free again, and still counted.
    ///
    /// # Errors
    /// As [`Pool::take`], or [`NoBuffer::Driver`] with the error of `prepare`.
    #[cfg(feature = "opencl")]
    pub fn take_prepared<A: Allocator<Buffer = B>>(
        &mut self,
        allocator: &A,
        bytes: usize,
        prepare: impl FnOnce(&mut B) -> Result<(), A::Error>,
    ) -> Result<Pooled<B>, NoBuffer<A::Error>> {
        let mut memory = self.take(allocator, bytes)?;
        match prepare(&mut memory.buffer) {
            Ok(()) => Ok(memory),
            Err(error) => {
                self.give(memory);
                Err(NoBuffer::Driver(error))
            }
        }
    }

    /// A buffer that is not one of the pool's. Where the driver has less memory than counted here, as other programs use the
    /// device too, free buffers make room for it.
    ///
    /// # Errors
    /// The allocator's, if nothing is left to free.
    pub fn apart<A: Allocator<Buffer = B>>(&mut self, allocator: &A, bytes: usize) -> Result<B, A::Error> {
        let mut created = allocator.allocate(bytes);
        for all in [false, true] {
            if !created.as_ref().is_err_and(A::out_of_memory) {
                break;
            }
            if self.drop_free() | allocator.make_room(all) {
                created = allocator.allocate(bytes);
            }
        }
        created
    }

    /// Frees the buffers that no command uses, and says whether there were any.
    pub fn drop_free(&mut self) -> bool {
        let any = !self.free.is_empty();
        while self.drop_oldest() {}
        any
    }

    /// Puts a buffer of at least `bytes` in `place`, unless the one there suits. Where memory is not short, a new buffer gets at
    /// least `roomy` bytes and the next size of a few, so that it also suits sections of about this length later.
    pub fn fit<A: Allocator<Buffer = B>>(
        &mut self,
        allocator: &A,
        place: &mut Option<Pooled<B>>,
        bytes: usize,
        roomy: usize,
    ) -> Result<(), NoBuffer<A::Error>> {
        if place.as_ref().is_some_and(|memory| self.suits(memory.bytes, bytes)) {
            return Ok(());
        }
        // The unfit buffer, too small or too large, makes room.
        if let Some(unfit) = place.take() {
            self.give(unfit);
        }
        let roomy = if self.short() { bytes } else { self.rounded(bytes.max(roomy)) };
        let taken = match self.take(allocator, roomy) {
            Err(_) if bytes < roomy => self.take(allocator, bytes),
            taken => taken,
        };
        *place = Some(taken?);
        Ok(())
    }

    /// Has so many free buffers ready of each of these sizes in bytes, as long as all take less than half of the memory. They do
    /// not count as unused. Buffers of more than twice the size are left to those that need them.
    ///
    /// # Errors
    /// The allocator's.
    #[cfg(feature = "cuda")]
    pub fn make_ready<A: Allocator<Buffer = B>>(
        &mut self,
        allocator: &A,
        sizes: &[usize],
        count: usize,
    ) -> Result<(), A::Error> {
        let mut counted = vec![false; self.free.len()];
        for bytes in sizes.iter().map(|bytes| (*bytes).max(16)) {
            let size = self.rounded(bytes);
            let mut missing = count;
            for (free, counted) in self.free.iter_mut().zip(&mut counted) {
                if missing > 0 && !*counted && (bytes..=size.saturating_mul(2)).contains(&free.memory.bytes) {
                    (*counted, free.last_used) = (true, self.this_loop);
                    missing -= 1;
                }
            }
            for _ in 0..missing {
                if size as u64 > self.max_alloc || self.allocated.saturating_add(size as u64) > self.room / 2 {
                    break;
                }
                let buffer = allocator.allocate(size)?;
                self.allocated += size as u64;
                self.made += 1;
                self.give(Pooled { buffer, bytes: size });
                counted.push(true);
            }
        }
        Ok(())
    }

    /// The next of the sizes that buffers have, where those of hundreds of pieces in flight fit into the memory.
    fn rounded(&self, bytes: usize) -> usize {
        let rounded = size_class(bytes);
        if rounded as u64 <= self.room / MANY_BUFFERS { rounded } else { bytes }
    }

    /// Whether a buffer of `have` bytes may serve for `bytes`. Where memory is short the buffer must fit closely: chunks are cut so
    /// that those in flight fill the memory, with a tenth to spare.
    pub fn suits(&self, have: usize, bytes: usize) -> bool {
        have >= bytes && (have - have / 16 <= bytes || !self.short())
    }

    /// Whether more than half of the memory is allocated.
    pub fn short(&self) -> bool {
        self.allocated > self.room / 2
    }

    /// Keeps a buffer that no command uses any more for later loops.
    pub fn give(&mut self, memory: Pooled<B>) {
        self.free.push(Free { memory, last_used: self.this_loop });
    }

    /// Frees a buffer that no command uses any more.
    pub fn free(&mut self, memory: Pooled<B>) {
        self.allocated -= memory.bytes as u64;
    }

    /// Starts the next loop, and frees buffers that the last `KEPT_FOR` loops did not use.
    pub fn next_loop(&mut self) {
        self.this_loop += 1;
        let oldest = self.this_loop.saturating_sub(KEPT_FOR);
        let allocated = &mut self.allocated;
        self.free.retain(|free| {
            let keep = free.last_used >= oldest;
            *allocated -= if keep { 0 } else { free.memory.bytes as u64 };
            keep
        });
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.free.iter().enumerate().min_by_key(|(_, free)| free.last_used).map(|(index, _)| index);
        match oldest {
            Some(index) => {
                self.allocated -= self.free.swap_remove(index).memory.bytes as u64;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes in all.
    struct Memory;

    impl Allocator for Memory {
        type Buffer = ();
        type Error = String;

        fn allocate(&self, _: usize) -> Result<(), String> {
            Ok(())
        }

        fn out_of_memory(_: &String) -> bool {
            false
        }
    }

    #[test]
    fn pieces_of_about_one_length_share_buffers() {
        let mut pool = Pool::new(1 << 36, 1 << 36);
        for bytes in [900_000, 1_000_000, 600_000, 1_048_576] {
            let mut place = None;
            pool.fit(&Memory, &mut place, bytes, bytes).unwrap();
            assert!(place.as_ref().unwrap().bytes >= bytes);
            pool.give(place.unwrap());
        }
        assert_eq!((pool.made(), pool.allocated()), (1, 1 << 20));
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn buffers_that_are_ready_are_neither_made_again_nor_freed_and_leave_half_of_the_memory() {
        let mut pool = Pool::new(1 << 31, 1 << 31);
        let ready = |pool: &mut Pool<()>, sizes: &[usize], count| pool.make_ready(&Memory, sizes, count).unwrap();
        for _ in 0..2 * KEPT_FOR {
            pool.next_loop();
            ready(&mut pool, &[1_000_000, 3_000_000, 900_000], 4);
        }
        assert_eq!((pool.made(), pool.allocated()), (12, (4 << 22) + (8 << 20)));
        // Those that nobody asks for any more are freed, also where smaller ones are asked for.
        for _ in 0..=KEPT_FOR {
            pool.next_loop();
            ready(&mut pool, &[1_000_000], 2);
        }
        assert_eq!(pool.allocated(), 2 << 20);
        ready(&mut pool, &[1 << 20], 5000);
        assert_eq!(pool.allocated(), 1 << 30);
        let made = pool.made();
        let mut place = None;
        pool.fit(&Memory, &mut place, 1 << 20, 1 << 20).unwrap();
        assert_eq!(pool.made(), made, "it is one of those");
        ready(&mut pool, &[1 << 40, usize::MAX], 1);
        assert_eq!(pool.allocated(), 1 << 30, "more than there is");
    }

    #[cfg(feature = "opencl")]
    #[test]
    fn a_buffer_that_cannot_be_prepared_is_free_again() {
        let mut pool = Pool::new(32, 32);
        for _ in 0..3 {
            let failed = pool.take_prepared(&Memory, 16, |()| Err("no".to_owned()));
            assert!(failed.is_err_and(|problem| problem == NoBuffer::Driver("no".to_owned())));
        }
        assert_eq!((pool.made(), pool.allocated()), (1, 16));
        // All of the memory can be had.
        let both = [16, 16].map(|bytes| pool.take_prepared(&Memory, bytes, |()| Ok(())).unwrap());
        both.into_iter().for_each(|memory| pool.free(memory));
        assert_eq!((pool.made(), pool.allocated()), (2, 0));
    }

    #[test]
    fn sizes_at_most_double_and_large_ones_grow_by_an_eighth_at_most() {
        for bytes in [1, 16, 1000, 1 << 20, (1 << 20) + 1, 9 << 20, (16 << 20) + 1, 3 << 30, usize::MAX] {
            let rounded = size_class(bytes);
            let most = if bytes > DOUBLING { bytes.saturating_add(bytes / 8) } else { 2 * bytes };
            assert!((bytes..=most).contains(&rounded), "{bytes}: {rounded}");
            assert_eq!(size_class(rounded), rounded, "a size is one of its own");
        }
    }

    #[test]
    fn what_fits_into_little_memory_exactly_still_does() {
        for limit in [1000u64, 100_000, 1 << 30] {
            for pieces in [2u64, 9, 45, 500] {
                let bytes = (limit - limit / 10) / pieces;
                let mut pool = Pool::new(limit, limit);
                let places: Vec<_> = (0..pieces)
                    .map(|_| {
                        let mut place = None;
                        pool.fit(&Memory, &mut place, bytes as usize, bytes as usize).map(|()| place)
                    })
                    .collect();
                assert!(places.iter().all(|place| place.is_ok()) || bytes < 16, "{pieces} of {bytes} in {limit}");
            }
        }
    }
}
