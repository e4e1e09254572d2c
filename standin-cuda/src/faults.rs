//! Failures that a test injects, and how often each entry point was called.

use crate::codes::{Code, Outcome};
use std::collections::BTreeMap;

/// One failure: after how many more calls, and with which code.
struct Fault {
    left: u64,
    code: Code,
}

#[derive(Default)]
pub struct Faults {
    /// Failures by entry point, and by kind of operation.
    calls: BTreeMap<String, Vec<Fault>>,
    operations: BTreeMap<String, Vec<Fault>>,
    /// How often each entry point was called.
    counts: BTreeMap<&'static str, u64>,
}

impl Faults {
    pub fn order_call(&mut self, name: &str, nth: u64, code: Code) {
        self.calls.entry(name.into()).or_default().push(Fault { left: nth.max(1), code });
    }

    pub fn order_operation(&mut self, kind: &str, nth: u64, code: Code) {
        self.operations.entry(kind.into()).or_default().push(Fault { left: nth.max(1), code });
    }

    pub fn called(&mut self, name: &'static str) -> Outcome {
        *self.counts.entry(name).or_default() += 1;
        due(&mut self.calls, name)
    }

    pub fn runs(&mut self, kind: &str) -> Outcome {
        due(&mut self.operations, kind)
    }

    pub fn calls_of(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }
}

/// Counts down every failure of this name; one that is due is removed, and its code returned.
fn due(faults: &mut BTreeMap<String, Vec<Fault>>, name: &str) -> Outcome {
    let Some(list) = faults.get_mut(name) else { return Ok(()) };
    list.iter_mut().for_each(|fault| fault.left = fault.left.saturating_sub(1));
    match list.iter().position(|fault| fault.left == 0) {
        Some(i) => Err(list.remove(i).code),
        None => Ok(()),
    }
}
