//! NVRTC, the compiler of CUDA C, with which the tests compile the kernels. It needs no GPU.

use crate::Outcome;
use crate::command::Line;
use crate::setup::library_is_there;
use std::path::{Path, PathBuf};

/// The variable that names the folder of the libraries for the tests.
pub const FOLDER: &str = "APPORTION_CUDA_LIBRARIES";
/// Where pip puts them.
const TARGET: &str = "target/nvrtc";
const PACKAGE: &str = "nvidia-cuda-nvrtc==13.0.88";
const LIBRARIES: [&str; 2] = ["libnvrtc.so.13", "libnvrtc.so.12"];

/// Whether there is none yet: fetched, named by the environment, or of the system.
pub fn is_wanted() -> bool {
    fetched().is_none() && std::env::var_os(FOLDER).is_none() && !LIBRARIES.into_iter().any(library_is_there)
}

/// The folder of the fetched libraries, unless the environment names another.
pub fn fetched() -> Option<PathBuf> {
    if std::env::var_os(FOLDER).is_some() {
        return None;
    }
    libraries_under(Path::new(TARGET))
}

/// Fetches the libraries, into a separate folder, as the system's Python may be closed to pip.
pub fn install() -> Outcome {
    let arguments = [
        "-m",
        "pip",
        "install",
        "--root-user-action=ignore",
        "--no-deps",
        "--upgrade",
        "--retries",
        "3",
        "--target",
        TARGET,
        PACKAGE,
    ];
    Line::new("python3", arguments).run("fetching NVRTC")
}

/// The folder that holds NVRTC and its built-in declarations: it differs between versions of the package.
fn libraries_under(target: &Path) -> Option<PathBuf> {
    let folders = ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"].map(|folder| target.join(folder));
    let complete = |folder: &PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.iter().any(|name| LIBRARIES.contains(&name.as_str()))
            && names.iter().any(|name| name.starts_with("libnvrtc-builtins.so"))
    };
    folders.into_iter().find(complete).and_then(|folder| folder.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_found_once_it_is_complete() {
        let target = std::env::temp_dir().join(format!("xtask-nvrtc-{}", std::process::id()));
        for place in ["nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"] {
            let folder = target.join(place);
            std::fs::create_dir_all(&folder).unwrap();
            assert_eq!(libraries_under(&target), None);
            std::fs::write(folder.join("libnvrtc.so.13"), "").unwrap();
            assert_eq!(libraries_under(&target), None);
            std::fs::write(folder.join("libnvrtc-builtins.so.13.0"), "").unwrap();
            assert_eq!(libraries_under(&target), folder.canonicalize().ok());
            std::fs::remove_dir_all(&target).unwrap();
        }
    }
}
