//! How far a GPU has come with a region's work, and who has waited for that already.

use super::driver::{Event, Stream};
use super::status::CudaError;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The points of a device's work, numbered in the order in which it reaches them.
#[derive(Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Takes notice that somebody waited for a point on the host.
    pub fn reached(&self, number: u64) {
        self.0.fetch_max(number, Ordering::Release);
    }
}

/// A point of a device's work, for streams of any device to wait for.
#[derive(Clone)]
pub struct Reached {
    pub of: Progress,
    pub number: u64,
    pub event: Arc<Event>,
}

impl Reached {
    /// Whether the host knows that it is past.
    pub fn is_past(&self) -> bool {
        self.of.0.load(Ordering::Acquire) >= self.number
    }

    pub fn is_of(&self, device: &Progress) -> bool {
        Arc::ptr_eq(&self.of.0, &device.0)
    }
}

/// What a stream has waited for: the last point of each device. A call to the driver for what is known is time lost.
#[derive(Default)]
pub struct Seen(SmallVec<[(Progress, u64); 8]>);

impl Seen {
    /// Has the stream wait for a point, unless that is past, or before one that it has waited for.
    pub fn wait(&mut self, stream: &Stream, point: &Reached) -> Result<(), CudaError> {
        if point.is_past() {
            return Ok(());
        }
        match self.0.iter_mut().find(|(of, _)| point.is_of(of)) {
            Some((_, number)) if *number >= point.number => return Ok(()),
            Some((_, number)) => *number = point.number,
            None => self.0.push((point.of.clone(), point.number)),
        }
        stream.wait_for(&point.event)
    }

    /// The stream has waited for one that had seen this.
    pub fn join(&mut self, other: &Self) {
        for (of, number) in &other.0 {
            match self.0.iter_mut().find(|(known, _)| Arc::ptr_eq(&known.0, &of.0)) {
                Some((_, known)) => *known = (*known).max(*number),
                None => self.0.push((of.clone(), *number)),
            }
        }
    }

    pub fn forget(&mut self) {
        self.0.clear();
    }
}
