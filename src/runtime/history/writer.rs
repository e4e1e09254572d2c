//! Writing what a runtime learns: between loops on a thread, and when the runtime is dropped.

use super::samples::State;
use super::{Keeper, not_kept};
use crate::error::{Error, Result};
use crate::model::History;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The file is written at most this often; the last write does not wait.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A thread that adds samples to the file.
pub(super) struct Writer {
    thread: JoinHandle<Result<()>>,
    samples: Arc<History>,
}

/// Why the file could not be written between loops, until a report has said so.
#[derive(Default)]
pub(super) struct Unwritten {
    why: OnceLock<String>,
    told: AtomicBool,
}

impl Unwritten {
    /// A note of the runtime says it already.
    pub fn is_told(&self) {
        self.told.store(true, Ordering::Relaxed);
    }
}

impl State {
    /// Whether the file is to be written; from now on it counts as written.
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.written.get_or_insert_with(Instant::now).elapsed() >= WRITE_EVERY;
        if due {
            self.written = Some(Instant::now());
        }
        due
    }
}

impl Keeper {
    fn take_fresh(&self) -> History {
        let mut state = self.state();
        state.add_pending(self.frozen());
        state.fresh.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Writes the file on a thread of its own, unless the last such thread is still writing.
    pub(super) fn write_beside(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.damaged.is_some() || writer.as_ref().is_some_and(|writer| !writer.thread.is_finished()) {
            return;
        }
        let Some(file) = self.file.clone() else { return };
        self.end(writer.take());
        let samples = Arc::new(self.take_fresh());
        let (thread, fresh) = (std::thread::Builder::new().name("history".to_owned()), Arc::clone(&samples));
        let unwritten = Arc::clone(&self.unwritten);
        let add = move || {
            file.add(&fresh).inspect_err(|error| {
                unwritten.why.get_or_init(|| not_kept(error));
            })
        };
        match thread.spawn(add) {
            Ok(thread) => *writer = Some(Writer { thread, samples }),
            Err(_) => self.lacks(&samples),
        }
    }

    /// A note for the next report if the file could not be written between loops: the first time only.
    pub fn unwritten(&self) -> Option<String> {
        let why = self.unwritten.why.get()?;
        (!self.unwritten.told.swap(true, Ordering::Relaxed)).then(|| why.clone())
    }

    /// Joins a writer. Samples that it could not write are left to the next write, which returns the error if it fails too.
    fn end(&self, writer: Option<Writer>) {
        if let Some(Writer { thread, samples }) = writer
            && !matches!(thread.join(), Ok(Ok(())))
        {
            self.lacks(&samples);
        }
    }

    /// Puts back samples that did not get into the file.
    fn lacks(&self, samples: &History) {
        if let Some(lacking) = &mut self.state().fresh {
            lacking.merge(samples);
        }
    }

    /// Writes what the file lacks.
    pub fn write(&self) -> Result<()> {
        // Held to the end: otherwise another thread could write a loop's samples meanwhile, and this write would overwrite
        // them.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.end(writer.take());
        if let Some(trouble) = &self.damaged {
            return Err(Error::call(trouble.clone()));
        }
        let Some(file) = &self.file else { return Ok(()) };
        self.wait_for_lessons();
        let fresh = self.take_fresh();
        let added = file.add(&fresh);
        if added.is_err() {
            self.lacks(&fresh);
        }
        added
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // No caller is left to receive an error.
        if let Err(error) = self.write() {
            log::warn!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Machine;
    use crate::model::history::Observation;
    use crate::runtime::HistoryFile;
    use crate::runtime::history::samples::tests::key;
    use crate::units::Seconds;

    #[test]
    fn what_could_not_be_written_is_written_when_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        // A file where a folder has to be.
        let obstacle = folder.path().join("folder");
        std::fs::write(&obstacle, "").unwrap();
        let file = HistoryFile::at(obstacle.join("history.json"));
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let keeper = Keeper::new(std::iter::empty(), &machine, Some(file.clone()), History::default(), None);
        let seen = Observation { iterations: 1, once: Some(Seconds(1.0)), ..Observation::default() };
        for kernel in ["a", "b", "c"] {
            keeper.state().fresh.as_mut().unwrap().record(&key(kernel), &seen);
            keeper.write_beside();
            while keeper.writer.lock().unwrap().as_ref().is_some_and(|writer| !writer.thread.is_finished()) {
                std::thread::yield_now();
            }
        }
        let note = keeper.unwritten().unwrap();
        assert!(note.contains("history.json: cannot be") && note.contains("not kept"), "{note}");
        assert_eq!(keeper.unwritten(), None, "a note is given once");
        assert!(keeper.write().is_err());
        std::fs::remove_file(&obstacle).unwrap();
        keeper.write().unwrap();
        assert_eq!(file.load().unwrap().keys().count(), 3);
        keeper.write().unwrap();
    }
}
