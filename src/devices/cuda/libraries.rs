//! CUDA's libraries, which lie in many places.
//!
//! NVRTC and cuBLAS are searched for in the folders of `APPORTION_CUDA_LIBRARIES` (as `PATH`), in those that toolkits
//! name or use, and where the system's loader looks. A library that is loaded by its full path is then found by its name.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Where CUDA's libraries may lie, besides where the system's loader looks.
const FOLDERS: &str = "APPORTION_CUDA_LIBRARIES";
/// Another file to be used as the CUDA driver, for tests.
const DRIVER: &str = "APPORTION_LIBCUDA";

fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::var_os(FOLDERS).iter().flat_map(env::split_paths).collect();
    for root in ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from) {
        folders.extend([root.join("lib64"), root.join("lib")]);
    }
    folders.push("/usr/local/cuda/lib64".into());
    folders
}

/// Loads the newest of these files that there is, which then serves whoever asks for it by name.
#[allow(unsafe_code, reason = "opens libraries")]
fn preload(names: &[&str]) {
    for folder in folders() {
        for file in names.iter().map(|name| folder.join(name)).filter(|file| file.is_file()) {
            // SAFETY: NVIDIA's libraries do nothing but register themselves when they are loaded.
            if let Ok(library) = unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_GLOBAL) } {
                // Kept for the process: its functions are called through pointers.
                std::mem::forget(library);
                return;
            }
        }
    }
}

/// The file that a test wants to be used as the driver.
#[allow(unsafe_code, reason = "opens a library")]
pub fn preload_driver() {
    let Some(file) = env::var_os(DRIVER) else { return };
    // SAFETY: who names a library answers for it.
    match unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_GLOBAL) } {
        Ok(library) => std::mem::forget(library),
        Err(error) => eprintln!("{DRIVER}={}: {error}", file.to_string_lossy()),
    }
}

/// The compiler, once.
pub fn preload_nvrtc() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // NVRTC 13 finds its second half by name only, so that is loaded first.
        for (builtins, nvrtc) in [
            ("libnvrtc-builtins.so.13.0", "libnvrtc.so.13"),
            ("libnvrtc-builtins.so.12.9", "libnvrtc.so.12"),
            ("libnvrtc-builtins.so.12.8", "libnvrtc.so.12"),
        ] {
            if folders().iter().any(|folder| folder.join(nvrtc).is_file() && folder.join(builtins).is_file()) {
                preload(&[builtins]);
                preload(&[nvrtc]);
                return;
            }
        }
        preload(&["libnvrtc.so.13", "libnvrtc.so.12"]);
    });
}

/// cuBLAS, once.
pub fn preload_cublas() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        preload(&["libcublasLt.so.13", "libcublasLt.so.12"]);
        preload(&["libcublas.so.13", "libcublas.so.12"]);
    });
}
