//! The one place where host memory is page-locked: told to a driver, which then copies it by itself.

#[cfg(feature = "cuda")]
use super::cuda::Locked;

/// Pages that the system must leave where they are; unlocked when this is dropped.
#[derive(Debug)]
pub(crate) struct PageLock {
    #[cfg(feature = "cuda")]
    cuda: Locked,
    #[cfg(not(feature = "cuda"))]
    nobody: std::convert::Infallible,
}

impl PageLock {
    /// Whether the pages are locked still.
    pub(crate) fn holds(&self) -> bool {
        #[cfg(feature = "cuda")]
        return self.cuda.holds();
        #[cfg(not(feature = "cuda"))]
        match self.nobody {}
    }
}

/// Locks the pages of `bytes` bytes from `start` for the copies of every open device, where one profits.
///
/// The memory must stay until the lock is dropped. None where no device profits or the driver refuses; copies work all
/// the same then, only slower.
pub(crate) fn page_lock(start: *mut u8, bytes: usize) -> Option<PageLock> {
    #[cfg(feature = "cuda")]
    return Locked::new(start, bytes).map(|locked| PageLock { cuda: locked });
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (start, bytes);
        None
    }
}
