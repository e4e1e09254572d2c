//! The one place where host memory is page-locked, so that a driver can copy it directly.

#[cfg(feature = "cuda")]
use super::cuda::Locked;

/// Locked pages, which the system must not move; they are unlocked when this is dropped.
#[derive(Debug)]
pub(crate) struct PageLock {
    #[cfg(feature = "cuda")]
    cuda: Locked,
    #[cfg(not(feature = "cuda"))]
    nobody: std::convert::Infallible,
}

impl PageLock {
    /// Whether the pages are still locked.
    pub(crate) fn holds(&self) -> bool {
        #[cfg(feature = "cuda")]
        return self.cuda.holds();
        #[cfg(not(feature = "cuda"))]
        match self.nobody {}
    }
}

#[cfg(feature = "cuda")]
impl From<Locked> for PageLock {
    fn from(cuda: Locked) -> Self {
        Self { cuda }
    }
}

/// Locks the pages of `bytes` bytes from `start` for the copies of every open device; `None` where no device profits or the driver
/// refuses. Copies then work all the same, only slower.
///
/// The memory must stay allocated until the lock is dropped.
pub(crate) fn page_lock(start: *mut u8, bytes: usize) -> Option<PageLock> {
    #[cfg(feature = "cuda")]
    return Locked::new(start, bytes).map(PageLock::from);
    #[cfg(not(feature = "cuda"))]
    {
        let _ = (start, bytes);
        None
    }
}
