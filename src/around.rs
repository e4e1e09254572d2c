//! Which runtimes' loops are around what a thread runs: a body may run loops of other runtimes, whose bodies may run loops again.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// How deep loops of different runtimes may be nested.
pub(crate) const DEPTH: usize = 8;

thread_local! {
    static HERE: Cell<Around> = const { Cell::new(Around([0; DEPTH])) };
}

/// A number for a runtime, of which no other has the same.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The numbers of runtimes whose loops are around, outermost first; 0 where there are no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around([u32; DEPTH]);

impl Around {
    /// Those around the calling thread.
    pub fn here() -> Self {
        HERE.get()
    }

    pub fn contains(self, runtime: u32) -> bool {
        self.0.contains(&runtime)
    }

    /// With a loop of that runtime within; `None` if there is no room for it.
    pub fn with(mut self, runtime: u32) -> Option<Self> {
        *self.0.iter_mut().find(|place| **place == 0)? = runtime;
        Some(self)
    }

    /// While the guard lives, these are around the calling thread.
    #[must_use]
    pub fn enter(self) -> Entered {
        Entered { before: HERE.replace(self), thread: PhantomData }
    }
}

/// Until it is dropped, other loops are around this thread than before.
pub struct Entered {
    before: Around,
    /// It belongs to its thread.
    thread: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        HERE.set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_knows_what_is_around_it_until_it_leaves() {
        let [a, b] = [next_number(), next_number()];
        assert_ne!(a, b);
        assert_eq!(Around::here(), Around::default());
        let outer = Around::here().with(a).unwrap();
        {
            let _outer = outer.enter();
            let _inner = Around::here().with(b).unwrap().enter();
            assert!(Around::here().contains(a) && Around::here().contains(b));
            assert!(!std::thread::spawn(move || Around::here().contains(a)).join().unwrap());
        }
        assert!(!Around::here().contains(a));
        let full = (0..DEPTH).try_fold(Around::default(), |around, _| around.with(next_number()));
        assert_eq!(full.and_then(|full| full.with(a)), None);
    }
}
