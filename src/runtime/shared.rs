//! What the proxies of one offload share: the hand-out of chunks under one lock, and failures.

use crate::cancel::Cancelling;
use crate::devices::crew::{Apart, Patience};
use crate::error::DeviceError;
use crate::sched::{Decision, Handout, Next};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Instant;

pub(super) struct Shared<'o, 'w> {
    /// Counts the changes that a waiting device may be waiting for; or [`OVER`].
    version: AtomicU64,
    cancelling: Cancelling<'o>,
    patience: Patience,
    changed: Condvar,
    state: Apart<Mutex<State<'w>>>,
}

/// How often a thread tries to take the lock before it sleeps, and how often it pauses after each: longer than all devices of a machine
/// need it one after another.
const TRIES: usize = 100;
const PAUSES: usize = 10;

/// Every iteration is finished: no device gets anything more.
const OVER: u64 = 1 << 63;

struct State<'w> {
    handout: Handout<'w>,
    waiting: usize,
    faults: Vec<DeviceError>,
    /// The fault after which the loop could not be finished.
    fatal: Option<DeviceError>,
    remarks: Vec<DeviceError>,
    panic: Option<Box<dyn Any + Send>>,
}

/// The outcome, when all proxies are done.
pub(super) struct Outcome {
    pub unfinished: u64,
    pub decision: Decision,
    pub faults: Vec<DeviceError>,
    /// The fault after which the loop could not be finished.
    pub fatal: Option<DeviceError>,
    /// Failures that cost no iteration.
    pub remarks: Vec<DeviceError>,
    pub panic: Option<Box<dyn Any + Send>>,
}

impl<'o, 'w> Shared<'o, 'w> {
    pub fn new(handout: Handout<'w>, cancelling: Cancelling<'o>, patience: Patience) -> Self {
        let state = State { handout, waiting: 0, faults: Vec::new(), fatal: None, remarks: Vec::new(), panic: None };
        Self {
            version: AtomicU64::new(0),
            cancelling,
            patience,
            changed: Condvar::new(),
            state: Apart(Mutex::new(state)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'w>> {
        // Devices that end at once would put one another to sleep, which takes many times as long as what is done under the lock.
        if self.patience == Patience::Awake {
            for _ in 0..TRIES {
                match self.state.0.try_lock() {
                    Ok(state) => return state,
                    Err(TryLockError::Poisoned(state)) => return state.into_inner(),
                    Err(TryLockError::WouldBlock) => (0..PAUSES).for_each(|_| std::hint::spin_loop()),
                }
            }
        }
        // Under the lock only policies can panic. A poisoned state is still consistent enough to stop the loop, and the panic
        // itself is passed on.
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes waiting proxies, once the lock is free.
    fn wake(&self, state: MutexGuard<'_, State<'w>>) {
        let sleeps = state.waiting > 0;
        let over = if state.handout.unfinished() == 0 { OVER } else { 0 };
        drop(state);
        if over == 0 {
            self.version.fetch_add(1, Ordering::Release);
        } else {
            self.version.store(OVER, Ordering::Release);
        }
        if sleeps {
            self.changed.notify_all();
        }
    }

    /// Whether every iteration is finished.
    pub fn is_over(&self) -> bool {
        self.version.load(Ordering::Acquire) & OVER != 0
    }

    /// Whether the loop was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelling.is_cancelled()
    }

    /// The device's next chunk, without waiting.
    pub fn next(&self, slot: Slot) -> Next {
        if self.is_over() {
            return Next::Done;
        }
        let mut state = self.lock();
        if self.is_cancelled() {
            state.handout.stop();
            let next = state.handout.next(slot);
            self.wake(state);
            return next;
        }
        self.ask(&mut state, slot)
    }

    /// The device's next chunk, if there is one now. Its answer may be what waiting devices wait for: that only those are left for
    /// whom the policy has nothing.
    fn ask(&self, state: &mut State<'w>, slot: Slot) -> Next {
        let epoch = state.handout.epoch();
        let next = state.handout.next(slot);
        if state.handout.epoch() != epoch {
            self.version.fetch_add(1, Ordering::Release);
            if state.waiting > 0 {
                self.changed.notify_all();
            }
        }
        next
    }

    /// The device's next chunk; waits while there is none yet.
    pub fn wait_for_next(&self, slot: Slot) -> Next {
        // Polls before it sleeps: to sleep and be woken takes longer than the rest of a short loop.
        let start = Instant::now();
        while start.elapsed() < self.patience.awake() {
            let version = self.version.load(Ordering::Acquire);
            if version & OVER != 0 {
                return Next::Done;
            }
            match self.ask(&mut self.lock(), slot) {
                Next::WaitForOthers => {}
                next => return next,
            }
            while self.version.load(Ordering::Acquire) == version && start.elapsed() < self.patience.awake() {
                self.patience.pause();
            }
        }
        let mut state = self.lock();
        loop {
            match self.ask(&mut state, slot) {
                Next::WaitForOthers => {
                    state.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                }
                next => return next,
            }
        }
    }

    pub fn finished(&self, slot: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        let mut state = self.lock();
        state.handout.finished(slot, chunk, times, pieces);
        self.wake(state);
    }

    /// The device has failed; its unfinished iterations go to the others.
    pub fn lost(&self, slot: Slot, unfinished: &[IterRange], error: DeviceError) {
        let mut state = self.lock();
        state.handout.lost(slot, unfinished);
        if state.handout.living() == 0 && state.handout.unfinished() > 0 {
            state.fatal.get_or_insert_with(|| error.clone());
            state.handout.stop();
        }
        state.faults.push(error);
        self.wake(state);
    }

    /// The device has failed and left rows half updated that its kernel also reads: no device can run them again.
    pub fn spoiled(&self, mut error: DeviceError) {
        error
            .message
            .push_str("; rows of a `tofrom` array may be half updated, so no other device could run them again");
        let mut state = self.lock();
        state.fatal.get_or_insert(error);
        state.handout.stop();
        self.wake(state);
    }

    /// The iterations reached outside of an array: the loop has no result, on whichever device they run.
    pub fn broken(&self, error: DeviceError) {
        let mut state = self.lock();
        state.fatal.get_or_insert(error);
        state.handout.stop();
        self.wake(state);
    }

    /// Something that did not cost any iteration, such as a failure while freeing.
    pub fn remark(&self, error: DeviceError) {
        self.lock().remarks.push(error);
    }

    /// A host body has panicked: no device gets another chunk.
    pub fn panicked(&self, payload: Box<dyn Any + Send>) {
        let mut state = self.lock();
        state.panic.get_or_insert(payload);
        state.handout.stop();
        self.wake(state);
    }

    /// The outcome; to be called when all proxies are done.
    pub fn outcome(&self) -> Outcome {
        let state = &mut *self.lock();
        Outcome {
            unfinished: state.handout.unfinished(),
            decision: state.handout.decision(),
            faults: std::mem::take(&mut state.faults),
            fatal: state.fatal.take(),
            remarks: std::mem::take(&mut state.remarks),
            panic: state.panic.take(),
        }
    }
}
