//! This machine's CPU, as Apportion's host device and as a plain rayon pool of the same threads.

use apportion::devices::topology::{Topology, bind_current_thread};
use apportion::model::Machine;
use apportion::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The CPUs that both use: all that this process may use.
pub fn cpus() -> Vec<usize> {
    Topology::detect().cpus.iter().collect()
}

/// A runtime with the CPU alone, a thread bound to each of [`cpus`].
///
/// # Errors
/// When the threads cannot be had.
pub fn runtime() -> Result<Runtime> {
    Runtime::from_machine(Machine::from_json(
        r#"{"schema": "apportion.machine/1", "name": "cpu", "devices": [
            {"id": 0, "name": "host", "kind": "host", "type": "HOSTCPU", "memory": "shared",
             "f32_gflop_per_s": {"value": 20, "source": "assumed"},
             "f64_gflop_per_s": {"value": 20, "source": "assumed"},
             "memory_gb_per_s": {"value": 20, "source": "assumed"},
             "launch_us": {"value": 10, "source": "assumed"}, "host": {"leave_free": 0}}]}"#,
    )?)
}

/// A rayon pool with a thread bound to each of [`cpus`].
///
/// # Errors
/// When the threads cannot be had.
pub fn pool() -> Result<ThreadPool> {
    let cpus = cpus();
    ThreadPoolBuilder::new()
        .num_threads(cpus.len())
        .start_handler(move |i| {
            // As the host device does; where it is forbidden, it is for both.
            let _ = bind_current_thread(cpus[i]);
        })
        .build()
        .map_err(|e| Error::call(format!("no pool of bound threads: {e}")))
}
