//! The one place where host memory is page-locked: told to a driver, which then copies it by itself.

/// Pages that the system must leave where they are; unlocked when this is dropped.
///
/// There is no value of it: no backend of this version locks pages.
#[derive(Debug)]
pub(crate) enum PageLock {}

/// Locks the pages of `bytes` bytes from `start` for the copies of every open device, where one profits.
///
/// The memory must stay until the lock is dropped. None where no device profits or the driver refuses; copies work all
/// the same then, only slower.
pub(crate) fn page_lock(_start: *mut u8, _bytes: usize) -> Option<PageLock> {
    None
}
