//! Arrays of workloads. Those that do not fit are refused, before the system kills the process.

use apportion::HostVec;
use apportion::error::{Error, Result};
use apportion::kernel::Element;
use rayon::prelude::*;
use std::path::Path;
use std::str::FromStr;
use std::{fmt, fs};

/// Kinds of host memory that a workload's arrays may lie in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Page-locked where a CUDA device is open, plain elsewhere.
    #[default]
    PageLocked,
    /// Never page-locked.
    Plain,
}

impl Memory {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::PageLocked, Self::Plain];

    /// The name on command lines and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PageLocked => "page-locked",
            Self::Plain => "plain",
        }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Memory {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|memory| memory.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::call(format!("there is no kind of memory `{text}`; there are {names}"))
        })
    }
}

/// A zeroed array for `workload` of size `n`. Ask [`require`] for all of them first: the system often grants more than it
/// has.
///
/// # Errors
/// [`Error::TooLarge`] when the system refuses it.
pub(crate) fn zeroed<T: Element>(workload: &str, n: usize, len: usize, memory: Memory) -> Result<HostVec<T>> {
    let array = match memory {
        Memory::PageLocked => HostVec::zeroed(len),
        Memory::Plain => HostVec::plain(len),
    };
    // The user chose the workload's size, not the lengths of its arrays.
    array.map_err(|_| {
        let wanted = len as f64 * size_of::<T>() as f64 / 1e9;
        Error::TooLarge(format!(
            "workload `{workload}` of size {n} has an array of {wanted:.1} GB, which the system refuses: choose a \
             smaller n"
        ))
    })
}

/// As [`zeroed`], filled with a value that no run leaves there.
pub(crate) fn poisoned<T: Element>(
    workload: &str,
    n: usize,
    len: usize,
    memory: Memory,
    value: T,
) -> Result<HostVec<T>> {
    let mut output = zeroed(workload, n, len, memory)?;
    poison(&mut output, value);
    Ok(output)
}

/// Fills an output with a value that no run leaves there.
pub(crate) fn poison<T: Copy + Send + Sync>(output: &mut [T], poison: T) {
    output.par_chunks_mut(1 << 20).for_each(|part| part.fill(poison));
}

/// Whether arrays of this many bytes in all fit. `bytes` is `None` if the number itself overflowed.
pub(crate) fn require(workload: &str, n: usize, bytes: Option<usize>) -> Result<()> {
    let available = available(Path::new("/"));
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

/// Bytes that this process can have without swapping: the least of what is left in the machine, in each limit of the process
/// itself, and in each control group that it is in. `None` if the system says nothing.
fn available(root: &Path) -> Option<u64> {
    let machine = read(&root.join("proc/meminfo")).and_then(|info| kilobytes(&info, "MemAvailable:"));
    machine.into_iter().chain(of_limits(root)).chain(of_groups(root)).min()
}

/// As `ulimit -v` and `ulimit -d` set them.
fn of_limits(root: &Path) -> impl Iterator<Item = u64> {
    let limits = read(&root.join("proc/self/limits")).unwrap_or_default();
    let status = read(&root.join("proc/self/status")).unwrap_or_default();
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].into_iter().filter_map(move |(limit, used)| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        let soft = line.split_whitespace().next()?.parse::<u64>().ok()?;
        Some(soft.saturating_sub(kilobytes(&status, used)?))
    })
}

/// The files in which one version of control groups describes memory.
struct GroupFiles {
    limits: &'static [&'static str],
    usage: &'static str,
    /// In `memory.stat`: file pages, which the system drops when memory is needed.
    reclaimable: [&'static str; 2],
}

const V1: GroupFiles = GroupFiles {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    reclaimable: ["total_inactive_file ", "total_active_file "],
};
const V2: GroupFiles = GroupFiles {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    reclaimable: ["inactive_file ", "active_file "],
};

/// Bytes left in the process's control groups and all groups around them: a limit holds for all groups below.
fn of_groups(root: &Path) -> Vec<u64> {
    let mut rooms = Vec::new();
    let groups = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    for line in groups.lines() {
        // `hierarchy:controllers:path`; version 2 names no controllers.
        let mut fields = line.splitn(3, ':');
        let (_, Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let (mounts, files): (&[&str], _) = if controllers.is_empty() {
            (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], &V2)
        } else if controllers.split(',').any(|controller| controller == "memory") {
            (&["sys/fs/cgroup/memory"], &V1)
        } else {
            continue;
        };
        // In a container the path may be the host's; then only the last ancestor exists, which is the container's own group.
        let path = Path::new(path.trim_start_matches('/'));
        let path = if path.starts_with("..") { Path::new("") } else { path };
        for mount in mounts {
            rooms.extend(path.ancestors().filter_map(|group| files.room(&root.join(mount).join(group))));
        }
    }
    rooms
}

impl GroupFiles {
    /// Bytes left in one group; `None` if it has no limit.
    fn room(&self, group: &Path) -> Option<u64> {
        let number = |file: &str| read(&group.join(file))?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|file| number(file)).min()?;
        let stat = read(&group.join("memory.stat")).unwrap_or_default();
        let reclaimable = |name: &&str| {
            stat.lines().find_map(|line| line.strip_prefix(*name)).and_then(|bytes| bytes.trim().parse::<u64>().ok())
        };
        let reclaimable = self.reclaimable.iter().filter_map(reclaimable).sum();
        let used = number(self.usage).unwrap_or(0).saturating_sub(reclaimable);
        Some(limit.saturating_sub(used))
    }
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The bytes of a line such as `VmSize:  5072 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
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

    #[test]
    fn an_array_that_the_system_refuses_is_an_error_that_says_how_much() {
        // Within what a vector may have and beyond every processor's address space; then beyond both.
        let locked = Memory::PageLocked;
        let text = zeroed::<f64>("sum", 9, 1 << 59, locked).unwrap_err().to_string();
        assert!(text.contains("sum") && text.contains("of size 9") && text.contains("4611686018.4 GB"), "{text}");
        assert!(matches!(zeroed::<f64>("sum", 9, usize::MAX, Memory::Plain), Err(Error::TooLarge(_))));
        assert!(matches!(poisoned("bm2d", 9, usize::MAX, locked, 1i32), Err(Error::TooLarge(_))));
        assert_eq!(*zeroed::<f64>("sum", 9, 3, locked).unwrap(), [0.0; 3]);
        assert_eq!(*poisoned("bm2d", 9, 3, Memory::Plain, -1i32).unwrap(), [-1; 3]);
    }

    #[test]
    fn kinds_of_memory_are_known_by_their_names() {
        for memory in Memory::ALL {
            assert_eq!(memory.to_string().parse::<Memory>().unwrap(), memory);
        }
        let text = "pinned".parse::<Memory>().unwrap_err().to_string();
        assert_eq!(text, "there is no kind of memory `pinned`; there are page-locked, plain");
    }

    /// What is available where there are these files.
    fn available_with(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        available(root.path())
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");

    #[test]
    fn the_machine_has_what_is_not_in_use() {
        assert_eq!(available_with(&[]), None);
        assert_eq!(available_with(&[MEMINFO]), Some(8000 * 1024));
        assert!(available(Path::new("/")).is_none_or(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn the_limits_of_the_process_count_with_what_it_has_already() {
        let status = ("proc/self/status", "VmSize:\t  1000 kB\nVmData:\t 200 kB\n");
        let with = |limits| available_with(&[MEMINFO, status, ("proc/self/limits", limits)]);
        let unlimited = "Max data size   unlimited  unlimited  bytes\nMax address space  unlimited  unlimited  bytes\n";
        assert_eq!(with(unlimited), Some(8000 * 1024));
        assert_eq!(with("Max address space     3072000       unlimited            bytes     \n"), Some(2000 * 1024));
        assert_eq!(with("Max data size     307200       unlimited            bytes     \n"), Some(100 * 1024));
        assert_eq!(with("Max address space     1024       1024            bytes     \n"), Some(0));
    }

    #[test]
    fn every_control_group_up_to_the_root_counts_without_what_can_be_reclaimed() {
        let own = ("proc/self/cgroup", "0::/a.slice/b.scope\n");
        let b_max = ("sys/fs/cgroup/a.slice/b.scope/memory.max", "max\n");
        let b_current = ("sys/fs/cgroup/a.slice/b.scope/memory.current", "5000\n");
        let b_high = ("sys/fs/cgroup/a.slice/b.scope/memory.high", "6000\n");
        let a_max = ("sys/fs/cgroup/a.slice/memory.max", "9000\n");
        let a_current = ("sys/fs/cgroup/a.slice/memory.current", "8500\n");
        let a_stat = ("sys/fs/cgroup/a.slice/memory.stat", "anon 1\ninactive_file 300\nactive_file 4\n");
        assert_eq!(available_with(&[MEMINFO, own, b_max, b_current]), Some(8000 * 1024));
        assert_eq!(available_with(&[MEMINFO, own, b_max, b_high, b_current]), Some(1000));
        assert_eq!(available_with(&[MEMINFO, own, b_max, b_high, b_current, a_max, a_current]), Some(500));
        assert_eq!(available_with(&[MEMINFO, own, b_high, b_current, a_max, a_current, a_stat]), Some(804));
    }

    #[test]
    fn a_container_that_sees_the_hosts_path_or_one_outside_has_its_limit_at_the_root() {
        let limit = ("sys/fs/cgroup/memory.max", "700\n");
        for path in ["0::/\n", "0::/docker/0123\n", "0::/../../other\n"] {
            assert_eq!(available_with(&[MEMINFO, ("proc/self/cgroup", path), limit]), Some(700));
        }
    }

    #[test]
    fn control_groups_of_version_1_count_too() {
        let own = ("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:hugetlb,memory:/job\n1:name=systemd:/a:b\n0::/\n");
        let limit = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4000\n");
        let usage = ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "3000\n");
        let stat = ("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 20\n");
        let none = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(available_with(&[MEMINFO, own, none]), Some(8000 * 1024));
        assert_eq!(available_with(&[MEMINFO, own, none, limit, usage, stat]), Some(1020));
    }
}
