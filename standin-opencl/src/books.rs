//! What a program holds, and which failures are to come.

use crate::LOST;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The kinds of objects that are counted.
pub const KINDS: [&str; 7] = ["contexts", "queues", "buffers", "programs", "kernels", "events", "parts"];
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
pub const WAITED_IN_VAIN: c_int = -14;

/// A failure: after how many more calls, and with which code.
pub struct Fault {
    pub entry_point: String,
    pub left: u64,
    pub code: c_int,
}

pub struct Books {
    /// Failures of calls, and of commands as they run.
    pub calls: Vec<Fault>,
    pub commands: Vec<Fault>,
    lost: bool,
    called: BTreeMap<&'static str, i64>,
    held: BTreeMap<&'static str, i64>,
    /// Bytes of each buffer that is no host memory.
    bytes: BTreeMap<usize, i64>,
    /// Codes of the commands that failed, by their events.
    failed: BTreeMap<usize, c_int>,
}

static BOOKS: Mutex<Books> = Mutex::new(Books {
    calls: Vec::new(),
    commands: Vec::new(),
    lost: false,
    called: BTreeMap::new(),
    held: BTreeMap::new(),
    bytes: BTreeMap::new(),
    failed: BTreeMap::new(),
});

pub fn books() -> MutexGuard<'static, Books> {
    BOOKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name from outside.
///
/// # Safety
/// A text that ends with a NUL.
pub unsafe fn name(text: *const c_char) -> String {
    // SAFETY: by this function's contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

impl Books {
    pub fn reset(&mut self) {
        self.calls.clear();
        self.commands.clear();
        self.lost = false;
    }

    pub fn count(&self, what: &str) -> i64 {
        if let Some(entry_point) = what.strip_prefix("calls:") {
            return self.called.get(entry_point).copied().unwrap_or(0);
        }
        match what {
            "bytes" => self.bytes.values().sum(),
            "due" => (self.calls.len() + self.commands.len()) as i64,
            _ if KINDS.contains(&what) => self.held.get(what).copied().unwrap_or(0),
            _ => -1,
        }
    }

    /// Counts a call, and tells the code if it is to fail.
    pub fn calls(&mut self, entry_point: &'static str) -> Result<(), c_int> {
        *self.called.entry(entry_point).or_default() += 1;
        due(&mut self.calls, entry_point).map_or(Ok(()), Err)
    }

    /// The same of a call that needs the device, which fails once that is lost.
    pub fn calls_device(&mut self, entry_point: &'static str) -> Result<(), c_int> {
        self.calls(entry_point)?;
        if self.lost { Err(LOST) } else { Ok(()) }
    }

    /// The code with which a command fails that waits for these events.
    pub fn runs(&mut self, entry_point: &str, waits: &[usize]) -> Option<c_int> {
        let own = due(&mut self.commands, entry_point);
        self.lost |= own == Some(LOST);
        own.or_else(|| self.failed_of(waits).map(|_| WAITED_IN_VAIN))
    }

    /// The code of a failed command among these events.
    pub fn failed_of(&self, events: &[usize]) -> Option<c_int> {
        events.iter().find_map(|event| self.failed.get(event).copied())
    }

    pub fn failed(&mut self, event: usize, code: c_int) {
        self.failed.insert(event, code);
    }

    pub fn holds(&mut self, kind: &'static str) {
        *self.held.entry(kind).or_default() += 1;
    }

    pub fn buffer(&mut self, buffer: usize, bytes: usize) {
        self.bytes.insert(buffer, bytes as i64);
    }

    pub fn releases(&mut self, kind: &'static str, object: usize) {
        *self.held.entry(kind).or_default() -= 1;
        match kind {
            "buffers" => _ = self.bytes.remove(&object),
            "events" => _ = self.failed.remove(&object),
            _ => {}
        }
    }
}

/// Counts down every failure of this name; one that is due is removed, and its code returned. Of several that are due at the same
/// call the others are due at the next ones of this name.
fn due(faults: &mut Vec<Fault>, entry_point: &str) -> Option<c_int> {
    for fault in faults.iter_mut().filter(|fault| fault.entry_point == entry_point) {
        fault.left = fault.left.saturating_sub(1);
    }
    let place = faults.iter().position(|fault| fault.entry_point == entry_point && fault.left == 0)?;
    Some(faults.remove(place).code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_that_are_due_at_the_same_call_come_one_after_the_other() {
        let fault = |name: &str, left, code| Fault { entry_point: name.to_owned(), left, code };
        let mut faults = vec![fault("a", 2, -1), fault("a", 2, -2), fault("b", 2, -3)];
        let codes = ["a", "a", "b", "a", "b", "a"].map(|name| due(&mut faults, name));
        assert_eq!(codes, [None, Some(-1), None, Some(-2), Some(-3), None]);
        assert!(faults.is_empty());
    }
}
