//! Copies of replicated arrays from the host, each thread's on a stream of its own.
#![allow(unsafe_code, reason = "copies from the host's arrays")]

use super::driver::{Event, Gpu, PinnedBy, Stream, Timed};
use super::memory::{PinnedBuffer, Pools};
use super::status::CudaError;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Parts that a GPU has on their way from the host: enough that the link is never idle and no GPU gets far ahead of the others.
const UNDER_WAY: usize = 3;
/// The same for a thread that fills page-locked memory: it is at most one part ahead.
pub const EACH: usize = 2;

/// Where a copy comes from.
#[derive(Clone, Copy)]
pub enum Source<'r> {
    Locked,
    /// Through page-locked memory for parts of so many bytes.
    Plain {
        part: usize,
        reserve: Option<&'r Reserve<'r>>,
    },
}

/// Page-locked memory for parts of plain arrays, taken before threads share it out: as much for each array as its threads may have
/// at once, so that how much a loop needs does not depend on which thread copies what.
pub struct Reserve<'s> {
    pools: &'s Mutex<Pools>,
    free: Mutex<Vec<PinnedBuffer>>,
}

impl<'s> Reserve<'s> {
    pub fn new(pools: &'s Mutex<Pools>) -> Self {
        Self { pools, free: Mutex::default() }
    }

    /// Takes so many buffers. What is refused, a thread asks for again.
    pub fn add(&self, gpu: &Arc<Gpu>, count: usize, bytes: usize) {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: Vec<_> = (0..count).map_while(|_| pools.pinned.take(&PinnedBy(gpu), bytes).ok()).collect();
        drop(pools);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(taken);
    }

    fn pop(&self, bytes: usize) -> Option<PinnedBuffer> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().position(|buffer| buffer.bytes >= bytes)?;
        Some(free.swap_remove(at))
    }
}

impl Drop for Reserve<'_> {
    fn drop(&mut self) {
        let free = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !free.is_empty() {
            let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
            free.drain(..).for_each(|buffer| pools.pinned.give(buffer));
        }
    }
}

/// Copies from the host, by one thread on one stream. Dropping it waits for them where they come from its own memory.
pub struct Sender<'s> {
    gpu: &'s Arc<Gpu>,
    pools: &'s Mutex<Pools>,
    pub stream: &'s Stream,
    /// Page-locked memory for parts of a plain array, used in turn.
    pinned: VecDeque<PinnedBuffer>,
    /// Copies on their way, with the page-locked memory that they read.
    under_way: VecDeque<(Arc<Event>, Option<PinnedBuffer>)>,
    /// Bytes in all.
    pub sent: u64,
}

impl<'s> Sender<'s> {
    pub fn new(gpu: &'s Arc<Gpu>, pools: &'s Mutex<Pools>, stream: &'s Stream) -> Self {
        Self { gpu, pools, stream, pinned: VecDeque::new(), under_way: VecDeque::new(), sent: 0 }
    }

    fn pools(&self) -> MutexGuard<'s, Pools> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Page-locked memory for a part of so many bytes.
    fn memory(&mut self, bytes: usize, reserve: Option<&Reserve<'_>>) -> Result<PinnedBuffer, String> {
        while let Some(own) = self.pinned.pop_front() {
            if own.bytes >= bytes {
                return Ok(own);
            }
            // Of an array with shorter parts.
            self.pools().pinned.give(own);
        }
        match reserve.and_then(|reserve| reserve.pop(bytes)) {
            Some(reserved) => Ok(reserved),
            None => self.pools().pinned.take(&PinnedBy(self.gpu), bytes).map_err(|problem| problem.to_string()),
        }
    }

    /// Enqueues a copy from the host and whatever is `behind` it on the stream, and gives the event of the end of both.
    ///
    /// # Safety
    /// The context is current. The bytes and the device's memory at the address stay until the stream is done.
    pub unsafe fn copy_from_host(
        &mut self,
        address: u64,
        bytes: &[u8],
        from: Source<'_>,
        behind: impl FnOnce(),
    ) -> Result<Arc<Event>, String> {
        let text = |error: CudaError| error.to_string();
        let most = if matches!(from, Source::Locked) { UNDER_WAY } else { EACH };
        if self.under_way.len() >= most
            && let Some((oldest, memory)) = self.under_way.pop_front()
        {
            if let Err(error) = oldest.synchronize() {
                // The copy may still read the memory.
                self.under_way.push_front((oldest, memory));
                return Err(text(error));
            }
            self.pinned.extend(memory);
        }
        let mut memory = None;
        let mut host = bytes.as_ptr();
        if let Source::Plain { part, reserve } = from {
            // As long as the longest part: the last one is short, and may come before others.
            let pinned = self.memory(part.max(bytes.len()), reserve)?;
            let start = pinned.buffer.start.as_ptr();
            // SAFETY: the buffer is long enough and does not overlap `bytes`, and its last copy is done.
            unsafe { std::ptr::copy_nonoverlapping(host, start, bytes.len()) };
            host = start;
            memory = Some(pinned);
        }
        // Created before the copy is enqueued: from then on the memory must be kept until the event.
        let begun = Event::new(self.gpu, Timed::No).and_then(|event| {
            // SAFETY: the caller's promise, or our own buffer, which is kept until the event is reached.
            unsafe { self.stream.copy_in(address, host, bytes.len()) }.map(|()| Arc::new(event))
        });
        let event = match begun {
            Ok(event) => event,
            Err(error) => {
                self.pinned.extend(memory);
                return Err(text(error));
            }
        };
        self.under_way.push_back((Arc::clone(&event), memory));
        behind();
        event.record(self.stream).map_err(text)?;
        self.sent += bytes.len() as u64;
        Ok(event)
    }
}

impl Drop for Sender<'_> {
    fn drop(&mut self) {
        let under_way: Vec<_> = self.under_way.drain(..).filter_map(|(_, memory)| memory).collect();
        if !under_way.is_empty() {
            // Wait for the stream, not the events: an event that could not be recorded tells nothing.
            let _ = self.stream.synchronize();
            self.pinned.extend(under_way);
        }
        if !self.pinned.is_empty() {
            let mut pools = self.pools();
            self.pinned.drain(..).for_each(|memory| pools.pinned.give(memory));
        }
    }
}
