//! Thread pools that end with their last thread.
//!
//! A pool of rayon's tells its threads to end and does not wait for them. Threads that have used a driver must be gone when the
//! program returns from `main`: they would clean up in the driver while it does so itself, and the process may crash.

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::ops::Deref;
use std::thread::JoinHandle;

/// A pool whose drop waits until its threads have ended, and so for all jobs that were left to it: none may wait for what comes
/// after the drop. If one of its own threads drops it, nobody waits, as its job would wait for itself.
pub struct JoinedPool {
    /// Present until the drop.
    pool: Option<ThreadPool>,
    threads: Vec<JoinHandle<()>>,
}

impl JoinedPool {
    /// Starts a pool's threads.
    ///
    /// # Errors
    /// When the system cannot start a thread. Those that it has started end by themselves.
    pub fn start(builder: ThreadPoolBuilder) -> Result<Self, ThreadPoolBuildError> {
        let mut threads = Vec::new();
        let spawn = |thread: ThreadBuilder| {
            let mut one = std::thread::Builder::new();
            if let Some(name) = thread.name() {
                one = one.name(name.to_owned());
            }
            if let Some(bytes) = thread.stack_size() {
                one = one.stack_size(bytes);
            }
            threads.push(one.spawn(|| thread.run())?);
            Ok(())
        };
        let pool = builder.spawn_handler(spawn).build()?;
        Ok(Self { pool: Some(pool), threads })
    }
}

impl Deref for JoinedPool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        self.pool.as_ref().unwrap_or_else(|| unreachable!("only its drop takes the pool"))
    }
}

impl Drop for JoinedPool {
    fn drop(&mut self) {
        self.pool = None;
        let own = std::thread::current().id();
        // The threads end only after the job that drops the pool.
        if self.threads.iter().any(|thread| thread.thread().id() == own) {
            return;
        }
        for thread in self.threads.drain(..) {
            // A panic of the thread was told to whoever waited for its work.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    struct Counted(Arc<AtomicUsize>);

    impl Drop for Counted {
        fn drop(&mut self) {
            std::thread::sleep(Duration::from_millis(5));
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    thread_local! {
        static OWN: std::cell::RefCell<Option<Counted>> = const { std::cell::RefCell::new(None) };
    }

    #[test]
    fn a_pools_threads_have_cleaned_up_when_it_is_dropped() {
        for round in 0..5 {
            let ended = Arc::new(AtomicUsize::new(0));
            let pool = JoinedPool::start(ThreadPoolBuilder::new().num_threads(3)).unwrap();
            pool.broadcast(|_| OWN.set(Some(Counted(Arc::clone(&ended)))));
            drop(pool);
            assert_eq!(ended.load(Ordering::Relaxed), 3, "round {round}");
        }
    }

    #[test]
    fn a_thread_may_drop_its_own_pool() {
        let pool = Arc::new(JoinedPool::start(ThreadPoolBuilder::new().num_threads(2)).unwrap());
        let (again, (tell, told)) = (Arc::clone(&pool), std::sync::mpsc::channel());
        pool.spawn(move || {
            while Arc::strong_count(&again) > 1 {
                std::thread::yield_now();
            }
            drop(again);
            tell.send(()).unwrap();
        });
        drop(pool);
        told.recv_timeout(Duration::from_secs(10)).unwrap();
    }
}
