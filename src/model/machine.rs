//! The machine description: a JSON file that says which devices a machine has, how to find them and how fast they are.

use serde::{Deserialize, Serialize};

/// Where a device's data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// The device works in host memory: nothing is copied.
    Shared,
    /// The device has its own memory: sections are copied over a link.
    Discrete,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {}
