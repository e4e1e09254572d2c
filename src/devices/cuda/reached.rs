//! How far a GPU has come with a region's work, and which streams have already waited for that.

use super::driver::{Event, Stream};
use super::status::CudaError;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far a device is known to have come. Its points are numbered in the order in which it reaches them.
#[derive(Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Notes that the host has waited for a point.
    pub fn reached(&self, number: u64) {
        self.0.fetch_max(number, Ordering::Release);
    }

    /// Whether the host knows that the device has passed a point.
    pub fn has(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) >= number
    }
}

/// A point in a device's work that streams of any device can wait for.
#[derive(Clone)]
pub struct Reached {
    pub of: Progress,
    pub number: u64,
    pub event: Arc<Event>,
}

impl Reached {
    /// Whether the host knows that the device has passed it.
    pub fn is_past(&self) -> bool {
        self.of.has(self.number)
    }

    pub fn is_of(&self, device: &Progress) -> bool {
        Arc::ptr_eq(&self.of.0, &device.0)
    }
}

/// The last point of each device that a stream has waited for. This saves driver calls for waits that are already implied.
#[derive(Default)]
pub struct Seen(SmallVec<[(Progress, u64); 8]>);

impl Seen {
    /// Makes the stream wait for a point, unless the point is past or implied by an earlier wait.
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

    /// Notes that the stream has waited for another stream, and so for everything that that one had waited for.
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
