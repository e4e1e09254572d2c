//! How fast open GPUs copy from one another.
#![allow(unsafe_code, reason = "copies between GPUs")]

use super::driver::{Event, Gpu, Restore, Stream, Timed, open_gpus};
use super::status::CudaError;
use crate::units::{BytesPerSecond, Seconds};
use std::sync::Arc;

/// The link from one GPU to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerRate {
    /// The ordinal of the GPU that holds the data.
    pub from: usize,
    /// The ordinal of the GPU that fetches it.
    pub to: usize,
    /// The time of a small copy.
    pub latency: Seconds,
    /// The bandwidth of a large copy.
    pub rate: BytesPerSecond,
}

const SMALL: usize = 64;
const LARGE: usize = 64 << 20;
/// Their median is the latency.
const SMALL_COPIES: usize = 21;
/// The fastest gives the rate.
const LARGE_COPIES: usize = 5;

/// Every link between GPUs open in this process that copies directly, and that copied correctly when the second GPU was opened.
pub fn peer_rates() -> Vec<PeerRate> {
    let gpus = open_gpus();
    if gpus.is_empty() {
        // There may be no driver to ask.
        return Vec::new();
    }
    let _restore = Restore::new();
    let ways = gpus.iter().flat_map(|to| gpus.iter().filter(|from| to.pulls_from(from)).map(move |from| (from, to)));
    // A link that fails while it is measured is left out.
    ways.filter_map(|(from, to)| measured(from, to).ok()).collect()
}

fn measured(from: &Arc<Gpu>, to: &Arc<Gpu>) -> Result<PeerRate, CudaError> {
    let (source, target) = (from.allocate(LARGE)?, to.allocate(LARGE)?);
    to.bind()?;
    let stream = Stream::new(to)?;
    let (before, after) = (Event::new(to, Timed::Yes)?, Event::new(to, Timed::Yes)?);
    let copy = |bytes: usize| -> Result<f64, CudaError> {
        before.record(&stream)?;
        // SAFETY: the context is current; both buffers live until the stream is done, which is waited for below.
        unsafe { stream.copy_from_peer(target.address, from, source.address, bytes) }?;
        after.record(&stream)?;
        after.synchronize()?;
        Ok(after.nanoseconds_since(&before)? as f64 * 1e-9)
    };
    let all = || -> Result<PeerRate, CudaError> {
        copy(LARGE)?;
        let mut small = (0..SMALL_COPIES).map(|_| copy(SMALL)).collect::<Result<Vec<_>, _>>()?;
        small.sort_by(f64::total_cmp);
        let latency = small[SMALL_COPIES / 2];
        let large = (0..LARGE_COPIES).map(|_| copy(LARGE)).collect::<Result<Vec<_>, _>>()?;
        let fastest = large.into_iter().fold(f64::INFINITY, f64::min);
        let rate = LARGE as f64 / (fastest - latency).max(0.5 * fastest).max(1e-9);
        Ok(PeerRate { from: from.ordinal, to: to.ordinal, latency: Seconds(latency), rate: BytesPerSecond(rate) })
    };
    let rate = all();
    // Wait before the buffers are freed, also where something failed after a copy was enqueued.
    if let Err(error) = stream.synchronize() {
        // A copy may still be under way, so its memory must stay.
        std::mem::forget((source, target));
        return Err(error);
    }
    rate
}
