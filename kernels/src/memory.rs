//! Arrays of workloads, refused where they do not fit rather than killed half way.

use apportion::error::{Error, Result};
use rayon::prelude::*;
use std::fs;

/// A zeroed array; ask [`require`] first.
pub(crate) fn zeroed<T: bytemuck::Zeroable + Clone>(len: usize) -> Vec<T> {
    // `vec!` of zeros takes untouched pages from the system, so that the first write, which is parallel, places them.
    vec![T::zeroed(); len]
}

/// Fills an output with what no run leaves there.
pub(crate) fn poison<T: Copy + Send + Sync>(output: &mut [T], poison: T) {
    output.par_chunks_mut(1 << 20).for_each(|part| part.fill(poison));
}

/// Whether arrays of that many bytes in all fit. `bytes` is `None` where the number itself overflowed.
pub(crate) fn require(workload: &str, n: usize, bytes: Option<usize>) -> Result<()> {
    let available = available();
    match bytes {
        Some(bytes) if bytes as u64 <= available.unwrap_or(i64::MAX as u64) => Ok(()),
        _ => {
            let wanted = bytes.map_or("more than the address space".into(), |b| format!("{:.1} GB", b as f64 / 1e9));
            let have = available.map_or("less".into(), |b| format!("{:.1} GB", b as f64 / 1e9));
            Err(Error::TooLarge(format!(
                "workload `{workload}` of size {n} needs {wanted} of host memory, there is {have}: choose a smaller n"
            )))
        }
    }
}

/// Bytes that can be had without swapping, where the system says so.
fn available() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024;
    // In a container the control group's limit counts as well.
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|max| max.trim().parse().ok());
    Some(free.min(limit.unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_fit_is_refused_with_both_figures() {
        assert!(require("axpy", 1, Some(8)).is_ok());
        let text = require("axpy", 9, Some(1 << 62)).unwrap_err().to_string();
        assert!(text.contains("axpy") && text.contains("4611686018.4 GB"), "{text}");
        assert!(matches!(require("axpy", 9, None), Err(Error::TooLarge(_))));
    }
}
