//! What threads of this process do, by the processor time that they use.

use std::time::{Duration, Instant};

/// The processor time of this process's threads whose names begin so.
fn worked(name: &str) -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let named = std::fs::read_to_string(thread.path().join("comm")).ok()?;
        let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        named.starts_with(name).then(|| times.split(' ').next()?.parse::<u64>().ok()).flatten()
    });
    Duration::from_nanos(nanoseconds.sum())
}

/// Whether `what` holds within half a minute.
pub fn becomes(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !what() {
        if start.elapsed() > Duration::from_secs(30) {
            return false;
        }
    }
    true
}

/// Whether threads whose names begin so have nothing to do: in some 50 ms they use hardly any time.
pub fn sleeps(name: &str) -> bool {
    let before = worked(name);
    std::thread::sleep(Duration::from_millis(50));
    worked(name).saturating_sub(before) < Duration::from_millis(5)
}

/// Whether they use much time, although there is no loop.
pub fn polls(name: &str) -> bool {
    let before = worked(name);
    std::thread::sleep(Duration::from_millis(50));
    worked(name).saturating_sub(before) > Duration::from_millis(10)
}
