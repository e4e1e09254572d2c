//! One error type, grouped by what the caller can do about it.

use crate::space::IterRange;
use std::fmt;
use std::path::{Path, PathBuf};

/// What went wrong, grouped by what the caller can do.
///
/// Its `Debug` is its message, so that a `main` that returns it tells the reader what to do.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Fix the call: an argument is wrong. The text names it and says what would be right.
    #[error("{0}")]
    Call(String),
    /// Fix the machine description.
    #[error(transparent)]
    Machine(#[from] MachineFileError),
    /// Use smaller chunks, fewer arrays or another device: something does not fit.
    #[error("{0}")]
    TooLarge(String),
    /// Look at the device: it failed, and no other device was left to take its iterations.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The loop was cancelled through a [`crate::runtime::CancelToken`] or [`crate::runtime::CancelHandle`]; if it had begun,
    /// its outputs are incomplete. The text says which, and how to run further loops.
    #[error("{0}")]
    Cancelled(String),
}

/// A result of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// An error of the caller's arguments.
    pub fn call(message: impl Into<String>) -> Self {
        Self::Call(message.into())
    }

    /// Adds the file of the machine description to a call error: a device cannot be opened as described.
    #[must_use]
    pub fn of_machine_file(self, file: &Path) -> Self {
        match self {
            Self::Call(message) => Self::Call(format!("machine description {}: {message}", file.display())),
            other => other,
        }
    }
}

/// A machine description that cannot be used, with the place of the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFileError {
    /// The file, if the description came from one.
    pub file: Option<PathBuf>,
    /// The path of the wrong key, such as `devices[1].link.to.bandwidth_gb_per_s`; `.` is the whole document.
    pub key: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl fmt::Display for MachineFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "machine description {}: ", file.display())?,
            None => write!(f, "machine description: ")?,
        }
        if self.key != "." {
            write!(f, "at `{}`: ", self.key)?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for MachineFileError {}

/// The phases of an offload, in the order in which a chunk goes through them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Compile, allocate, copy replicated arrays.
    Init,
    /// Copy a chunk's sections to the device.
    To,
    /// Run the kernel.
    Kernel,
    /// Exchange halo rows between devices.
    Exchange,
    /// Copy a chunk's owned rows back.
    From,
    /// Free what was allocated.
    Fini,
    /// Wait for other devices.
    Wait,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 7] = [Self::Init, Self::To, Self::Kernel, Self::Exchange, Self::From, Self::Fini, Self::Wait];

    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::To => "to",
            Self::Kernel => "kernel",
            Self::Exchange => "exchange",
            Self::From => "from",
            Self::Fini => "fini",
            Self::Wait => "wait",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A device that failed: its name, the phase, the chunk, and the driver's own message.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DeviceError {
    /// The device's name in the machine description.
    pub device: String,
    /// What it was doing.
    pub phase: Phase,
    /// The chunk that it was working on; none while it prepared or cleaned up.
    pub chunk: Option<IterRange>,
    /// The driver's message, and what might help.
    pub message: String,
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device `{}` failed in phase {}", self.device, self.phase)?;
        if let Some(chunk) = self.chunk {
            write!(f, " of iterations {chunk}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for DeviceError {}
