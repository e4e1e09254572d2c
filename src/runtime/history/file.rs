//! The file of a history.

use crate::error::{Error, Result};
use crate::model::machine::{files, words};
use crate::model::{History, history};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The environment variable that names a history's file, or says `off`.
pub const VARIABLE: &str = "APPORTION_HISTORY";

/// The file of a history, and how it is used; see [`Runtime::with_history`](crate::runtime::Runtime::with_history).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    path: PathBuf,
    pub(super) frozen: bool,
}

impl HistoryFile {
    /// The history in this file, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), frozen: false }
    }

    /// Divides all loops of a runtime by the rates known when it was opened; what it learns counts from the next runtime on.
    /// For measurements, whose repetitions should be alike.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self { frozen: true, ..self }
    }

    /// The file that [`VARIABLE`] names; `Some(None)` if it says `off`, in any case; `None` if it is unset or empty.
    pub fn from_environment() -> Option<Option<Self>> {
        let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
        Some((!value.eq_ignore_ascii_case("off")).then(|| Self::at(value)))
    }

    /// The program's default: `$XDG_DATA_HOME/apportion/history.json`, or the same in `~/.local/share`. `None` without either
    /// folder.
    pub fn default_place() -> Option<Self> {
        let absolute = |path: PathBuf| path.is_absolute().then_some(path);
        let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).and_then(absolute);
        let home = || std::env::home_dir().and_then(absolute).map(|home| home.join(".local").join("share"));
        Some(Self::at(data.or_else(home)?.join("apportion").join("history.json")))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the history; it is empty if there is no such file.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, the key and what would be right.
    pub fn load(&self) -> Result<History> {
        match files::read_whole(&self.path) {
            Ok(bytes) => {
                let wrong = |why: String| {
                    let path = self.path.display();
                    let why = words::plainly(&why);
                    Error::call(match words::foreign(&bytes, kind()) {
                        Some(what) => format!("history {path}: {why}; it {what}, no history: give another file"),
                        None => format!(
                            "history {path}: {why}; `apportion history clear --history {path}` or removing the file starts \
                             it anew"
                        ),
                    })
                };
                let text = std::str::from_utf8(&bytes)
                    .map_err(|error| wrong(format!("is not text: byte {} is not UTF-8", error.valid_up_to())))?;
                let mut history = History::from_json(text).map_err(wrong)?;
                // Written elsewhere, or here before the clock was set back.
                history.until(now());
                Ok(history)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(History::default()),
            Err(error) => Err(Error::call(format!("history {}: cannot be read: {error}", self.path.display()))),
        }
    }

    /// What the file is, if it is certainly no history, not even a damaged one: `is a machine description
    /// (apportion.machine/1)`, `is a device`.
    pub fn foreign(&self) -> Option<String> {
        if let Some(what) = files::oddity(&self.path) {
            return Some(format!("is {what}"));
        }
        match files::read_whole(&self.path) {
            Ok(bytes) => words::foreign(&bytes, kind()),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                Some(format!("is larger than {} MiB", files::LARGEST_MIB))
            }
            Err(_) => None,
        }
    }

    /// Replaces the file with `history`, through symbolic links. Creates its folder if it is missing.
    ///
    /// # Errors
    /// [`Error::Call`] naming the file, with the system's message.
    pub fn save(&self, history: &History) -> Result<()> {
        let write = || {
            if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder)?;
            }
            files::write_whole(&self.path, history.to_json().as_bytes())
        };
        write().map_err(|error| self.not_written(&error))
    }

    /// Whether the file could be written, as far as that is known before.
    pub(super) fn check_place(&self) -> Result<()> {
        files::check_place(&self.path).map_err(|error| self.not_written(&error))
    }

    fn not_written(&self, error: &std::io::Error) -> Error {
        Error::call(format!("history {}: cannot be written: {error}", self.path.display()))
    }

    /// Adds samples to the file as it is now.
    pub(super) fn add(&self, fresh: &History) -> Result<()> {
        if fresh.is_empty() {
            return Ok(());
        }
        let mut history = self.load()?;
        history.merge(fresh);
        self.save(&history)
    }
}

/// Microseconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

/// The schema of all versions.
fn kind() -> &'static str {
    history::SCHEMA.rsplit_once('/').map_or(history::SCHEMA, |(kind, _)| kind)
}

impl<P: Into<PathBuf>> From<P> for HistoryFile {
    fn from(path: P) -> Self {
        Self::at(path)
    }
}
