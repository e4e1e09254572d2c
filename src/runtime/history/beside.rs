//! Loops of many pieces, worked out on a thread of its own: that takes milliseconds, in which the caller would wait.

use super::Keeper;
use super::lesson::Ended;
use crate::model::history::{Key, Observation};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

type Observations = Vec<(Key, Observation)>;

/// The thread, and what it has done.
#[derive(Default)]
pub(super) struct Beside {
    thread: Option<JoinHandle<()>>,
    done: Arc<Mutex<Observations>>,
}

impl Beside {
    /// Has the thread work out what these loops tell of their devices.
    ///
    /// # Errors
    /// Gives them back if the thread is still at work on others, or there is none to be had.
    pub fn begin(&mut self, ended: Vec<Ended>) -> Result<(), Vec<Ended>> {
        if self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Err(ended);
        }
        self.thread().into_iter().for_each(wait_for);
        let ended = Arc::new(Mutex::new(ended));
        let (work, done) = (Arc::clone(&ended), Arc::clone(&self.done));
        let spawned = std::thread::Builder::new().name("lessons".to_owned()).spawn(move || {
            let work = std::mem::take(&mut *work.lock().unwrap_or_else(PoisonError::into_inner));
            let seen: Observations = work.iter().flat_map(Ended::of_devices).collect();
            done.lock().unwrap_or_else(PoisonError::into_inner).extend(seen);
        });
        match spawned {
            Ok(thread) => {
                self.thread = Some(thread);
                Ok(())
            }
            Err(_) => Err(std::mem::take(&mut *ended.lock().unwrap_or_else(PoisonError::into_inner))),
        }
    }

    /// What was done since the last call.
    pub fn take(&self) -> Observations {
        std::mem::take(&mut *self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether somebody has to wait.
    #[cfg(test)]
    pub fn is_at_work(&self) -> bool {
        self.thread.is_some()
    }

    /// The thread, to be waited for.
    pub fn thread(&mut self) -> Option<JoinHandle<()>> {
        self.thread.take()
    }
}

impl Keeper {
    /// Waits until all is worked out. Others may ask the history meanwhile.
    pub(super) fn wait_for_lessons(&self) {
        // Held to the end, for others that wait for the same.
        let _waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = self.state().beside.thread();
        thread.into_iter().for_each(wait_for);
    }
}

fn wait_for(thread: JoinHandle<()>) {
    // A panic there leaves its loops untold, and no more.
    let _ = thread.join();
}
