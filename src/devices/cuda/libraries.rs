//! Finds CUDA's libraries, which may be in many places.
//!
//! NVRTC and cuBLAS are searched for in the folders of `APPORTION_CUDA_LIBRARIES` (written as `PATH`), in the toolkit's usual
//! folders, and where the system's loader looks. Once a library is loaded by its full path, it is found by its name.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The variable that names folders of CUDA's libraries, searched before the others.
const FOLDERS: &str = "APPORTION_CUDA_LIBRARIES";
/// The variable that names another file to use as the CUDA driver, for tests.
const DRIVER: &str = "APPORTION_LIBCUDA";

fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::var_os(FOLDERS).iter().flat_map(env::split_paths).collect();
    for root in ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from) {
        folders.extend([root.join("lib64"), root.join("lib")]);
    }
    folders.push("/usr/local/cuda/lib64".into());
    folders
}

/// The version of CUDA that the driver reports (12040 is 12.4); `None` without a driver.
#[allow(unsafe_code, reason = "asks the CUDA driver")]
pub fn driver_version() -> Option<i32> {
    use cudarc::driver::sys;
    static VERSION: OnceLock<Option<i32>> = OnceLock::new();
    *VERSION.get_or_init(|| {
        preload_driver();
        // SAFETY: opens the library of that name, if there is one.
        let library = unsafe { sys::is_culib_present().then(|| sys::culib()) }?;
        // SAFETY: the symbol is only looked up; where it is missing, calls of it would panic.
        unsafe { library.get::<*const std::ffi::c_void>(b"cuDriverGetVersion\0") }.ok()?;
        let mut version = 0;
        // SAFETY: `version` is written by the call, which needs nothing to be started before.
        unsafe { sys::cuDriverGetVersion(&mut version) }.result().ok().map(|()| version)
    })
}

/// A library of a major version of CUDA. It may need another file, which is loaded first.
struct Candidate {
    major: i32,
    needs: Option<&'static str>,
    name: &'static str,
}

const fn of(major: i32, needs: Option<&'static str>, name: &'static str) -> Candidate {
    Candidate { major, needs, name }
}

/// Folders of these libraries, best first; `candidates` has the newest first. The driver refuses code of a newer major version than
/// its own, so such libraries come after all others. Otherwise an earlier folder comes first.
fn choose<'c>(
    candidates: &'c [Candidate],
    folders: &[PathBuf],
    driver: Option<i32>,
) -> impl Iterator<Item = (&'c Candidate, PathBuf)> {
    let suits = |candidate: &Candidate| driver.is_none_or(|version| candidate.major <= version / 1000);
    let there = |folder: &PathBuf, candidate: &Candidate| {
        let is = |name: &str| folder.join(name).is_file();
        is(candidate.name) && candidate.needs.is_none_or(is)
    };
    let mut found = Vec::new();
    for suiting in [true, false] {
        for folder in folders {
            let here = candidates.iter().filter(|candidate| suits(candidate) == suiting && there(folder, candidate));
            found.extend(here.map(|candidate| (candidate, folder.clone())));
        }
    }
    found.into_iter()
}

/// Loads the best of these libraries; afterwards it is found by its name. Where none is in the known folders, the system's loader
/// is asked for those that suit the driver.
fn preload(candidates: &[Candidate]) {
    let driver = driver_version();
    for (candidate, folder) in choose(candidates, &folders(), driver) {
        if candidate.needs.is_none_or(|needs| load(&folder.join(needs))) && load(&folder.join(candidate.name)) {
            return;
        }
    }
    let suiting = candidates.iter().filter(|candidate| driver.is_some_and(|version| candidate.major <= version / 1000));
    suiting.map(|candidate| Path::new(candidate.name)).any(load);
}

/// Loads a library for the rest of the process, as its functions are called through pointers.
#[allow(unsafe_code, reason = "opens libraries")]
fn load(file: &Path) -> bool {
    // SAFETY: NVIDIA's libraries do nothing but register themselves when they are loaded.
    unsafe { Library::open(Some(file), RTLD_NOW | RTLD_GLOBAL) }.map(std::mem::forget).is_ok()
}

/// Loads the file that a test names as the driver, once.
#[allow(unsafe_code, reason = "opens a library")]
pub fn preload_driver() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let Some(file) = env::var_os(DRIVER) else { return };
        // SAFETY: the user who names a library answers for it.
        match unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => std::mem::forget(library),
            Err(error) => eprintln!("{DRIVER}={}: {error}", file.to_string_lossy()),
        }
    });
}

/// Loads NVRTC, once.
pub fn preload_nvrtc() {
    static ONCE: OnceLock<()> = OnceLock::new();
    // NVRTC finds its builtins library by name only, so that is loaded first, from the same folder.
    ONCE.get_or_init(|| {
        preload(&[
            of(13, Some("libnvrtc-builtins.so.13.0"), "libnvrtc.so.13"),
            of(12, Some("libnvrtc-builtins.so.12.9"), "libnvrtc.so.12"),
            of(12, Some("libnvrtc-builtins.so.12.8"), "libnvrtc.so.12"),
            of(13, None, "libnvrtc.so.13"),
            of(12, None, "libnvrtc.so.12"),
        ]);
    });
}

/// Loads cuBLAS, once.
pub fn preload_cublas() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        preload(&[
            of(13, Some("libcublasLt.so.13"), "libcublas.so.13"),
            of(12, Some("libcublasLt.so.12"), "libcublas.so.12"),
            of(13, None, "libcublas.so.13"),
            of(12, None, "libcublas.so.12"),
        ]);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_not_newer_than_the_driver_where_there_is_another() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str, files: &[&str]| {
            let folder = root.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            files.iter().for_each(|file| std::fs::write(folder.join(file), "").unwrap());
            folder
        };
        let newer = folder("newer", &["second.13", "first.13"]);
        let both = folder("both", &["first.13", "first.12", "second.12"]);
        let candidates = [
            of(13, Some("second.13"), "first.13"),
            of(12, Some("second.12"), "first.12"),
            of(13, None, "first.13"),
            of(12, None, "first.12"),
        ];
        let chosen = |folders: &[&PathBuf], driver: Option<i32>| -> Vec<(i32, bool, String)> {
            let folders: Vec<PathBuf> = folders.iter().map(|folder| (*folder).clone()).collect();
            let said = |(candidate, folder): (&Candidate, PathBuf)| {
                let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
                (candidate.major, candidate.needs.is_some(), name)
            };
            choose(&candidates, &folders, driver).map(said).collect()
        };
        // The newest, in the first folder, if the driver accepts it or is unknown.
        for driver in [None, Some(13000), Some(13010)] {
            assert_eq!(chosen(&[&newer, &both], driver)[0], (13, true, "newer".into()), "{driver:?}");
        }
        for driver in [12000, 12040, 12090] {
            let order = chosen(&[&newer, &both], Some(driver));
            assert_eq!(order[0], (12, true, "both".into()), "{driver}");
            assert_eq!(order.len(), 5, "the others come behind: {order:?}");
            assert!(order[2..].iter().all(|(major, ..)| *major == 13), "{order:?}");
            // Better than nothing: the error then says what is wrong.
            assert_eq!(chosen(&[&newer], Some(driver))[0].0, 13);
        }
    }
}
