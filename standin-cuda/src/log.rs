//! The operations that ran, in the order in which they ran.

use crate::codes::Code;
use std::fmt::Write;

/// One operation that ran. `enqueued` and `ran` are ticks of one counter, so they compare across operations.
pub struct Entry {
    pub enqueued: u64,
    pub ran: u64,
    pub device: i32,
    pub stream: u64,
    pub kind: &'static str,
    /// The kernel's name; empty for other kinds.
    pub name: &'static str,
    pub bytes: u64,
    pub start_ns: u64,
    pub end_ns: u64,
    pub code: Code,
}

#[derive(Default)]
pub struct Log(pub Vec<Entry>);

impl Log {
    /// Bytes that operations of a kind moved without an error.
    pub fn bytes(&self, kind: &str) -> u64 {
        self.0.iter().filter(|entry| entry.kind == kind && entry.code == 0).map(|entry| entry.bytes).sum()
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for e in &self.0 {
            let name = if e.name.is_empty() { "-" } else { e.name };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "enqueued={} ran={} device={} stream={} kind={} name={name} bytes={} start_ns={} end_ns={} code={}",
                e.enqueued, e.ran, e.device, e.stream, e.kind, e.bytes, e.start_ns, e.end_ns, e.code
            );
        }
        text
    }
}
