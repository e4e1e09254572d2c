//! The ways in which a command fails.

use apportion::Error;
use std::fmt;
use std::process::ExitCode;

/// Why a command failed, by its exit status.
#[derive(Debug)]
pub enum Failure {
    /// Status 2: an argument or an input is wrong. The text says which, where, and what would be right.
    Input(String),
    /// Status 1: the work failed.
    Work(String),
    /// Status 1: all messages were printed already.
    Told,
    /// Status 1: the user stopped it.
    Stopped,
    /// Status 0: the reader of standard output has closed it (`| head`).
    OutputClosed,
}

impl Failure {
    /// Prints the message on standard error, and gives the exit status.
    pub fn report(self) -> ExitCode {
        match &self {
            Self::Input(_) | Self::Work(_) | Self::Stopped => eprintln_quietly(&format!("apportion: {self}")),
            Self::Told | Self::OutputClosed => {}
        }
        match self {
            Self::Input(_) => ExitCode::from(2),
            Self::Work(_) | Self::Told | Self::Stopped => ExitCode::FAILURE,
            Self::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// A line on standard error, which may be closed.
pub fn eprintln_quietly(line: &str) {
    use std::io::Write as _;
    // If standard error is gone, there is nowhere to report it.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(text) | Self::Work(text) => f.write_str(text),
            Self::Stopped => f.write_str("stopped; nothing was written"),
            Self::Told | Self::OutputClosed => Ok(()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Call(_) | Error::Machine(_) | Error::TooLarge(_) => Self::Input(error.to_string()),
            Error::Cancelled(_) => Self::Stopped,
            _ => Self::Work(error.to_string()),
        }
    }
}

/// Writes to standard output.
///
/// # Errors
/// [`Failure::OutputClosed`] if its reader is gone, [`Failure::Work`] if it cannot be written for another reason.
pub fn output(text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| of_output(&error))
}

/// Why standard output could not be written.
pub fn of_output(error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Work(format!("cannot write to standard output: {error}")),
    }
}
