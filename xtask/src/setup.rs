//! Installs the libraries that are opened at run time, by the system's package manager.
//!
//! Nothing here is needed to build. What cannot be installed is reported, and the set-up goes on without it.

use crate::command::{Line, on_path};
use crate::{Failure, Outcome, nvrtc};
use std::path::{Path, PathBuf};

/// A package manager and how it is called.
struct Manager {
    /// The program.
    name: &'static str,
    /// Fetches the lists of packages, if that is a separate step.
    refresh: Option<&'static [&'static str]>,
    /// Installs without asking; packages follow.
    install: &'static [&'static str],
}

const MANAGERS: [Manager; 4] = [
    Manager {
        name: "apt-get",
        refresh: Some(&["-o", "Acquire::Retries=3", "update"]),
        install: &["-o", "Acquire::Retries=3", "install", "--yes", "--no-install-recommends"],
    },
    Manager { name: "dnf", refresh: None, install: &["install", "--assumeyes"] },
    // Without `-y`: package lists newer than the installed packages are a partial upgrade, which Arch forbids.
    Manager { name: "pacman", refresh: None, install: &["-S", "--needed", "--noconfirm"] },
    Manager { name: "zypper", refresh: None, install: &["--non-interactive", "install"] },
];

/// A library or program that is opened at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Loader,
    Driver,
    Hwloc,
    /// Only for the tests.
    Pip,
}

impl Need {
    const ALL: [Self; 4] = [Self::Loader, Self::Driver, Self::Hwloc, Self::Pip];

    /// What it is, and what it is for.
    const fn what(self) -> &'static str {
        match self {
            Self::Loader => "an OpenCL loader (libOpenCL.so.1), without which there are no OpenCL devices",
            Self::Driver => "an OpenCL driver, such as PoCL, which makes the CPU an OpenCL device",
            Self::Hwloc => "libhwloc (libhwloc.so.15), for the order of cores; /sys serves without it",
            Self::Pip => "pip, to fetch NVRTC, with which the tests compile the CUDA kernels",
        }
    }

    /// The packages, in the order of [`MANAGERS`].
    const fn packages(self) -> [&'static str; 4] {
        match self {
            Self::Loader => ["ocl-icd-libopencl1", "ocl-icd", "ocl-icd", "libOpenCL1"],
            Self::Driver => ["pocl-opencl-icd", "pocl", "pocl", "pocl"],
            Self::Hwloc => ["libhwloc15", "hwloc-libs", "hwloc", "libhwloc15"],
            Self::Pip => ["python3-pip", "python3-pip", "python-pip", "python3-pip"],
        }
    }

    fn is_there(self) -> bool {
        match self {
            Self::Loader => library_is_there("libOpenCL.so.1"),
            Self::Driver => !drivers().is_empty(),
            Self::Hwloc => library_is_there("libhwloc.so.15"),
            Self::Pip => !nvrtc::is_wanted() || Line::new("python3", ["-m", "pip", "--version"]).succeeds(),
        }
    }
}

/// Installs what is missing to run the program, if possible. Fails on Ctrl-C only.
pub fn install_missing() -> Outcome {
    install(&|need| need != Need::Pip)
}

/// Installs what is missing to run the tests, if possible. Fails on Ctrl-C only.
pub fn install_missing_for_tests() -> Outcome {
    install(&|_| true)?;
    if nvrtc::is_wanted()
        && let Err(failure) = nvrtc::install()
    {
        report(failure)?;
    }
    Ok(())
}

fn install(wanted: &dyn Fn(Need) -> bool) -> Outcome {
    let missing = || Need::ALL.into_iter().filter(|&need| wanted(need) && !need.is_there()).collect::<Vec<_>>();
    let needs = missing();
    if needs.is_empty() {
        eprintln!("set-up: OpenCL loader, OpenCL driver and libhwloc are there");
        return Ok(());
    }
    eprintln!("set-up: missing:");
    for need in &needs {
        eprintln!("  - {}", need.what());
    }
    let Some(index) = MANAGERS.iter().position(|manager| on_path(manager.name).is_some()) else {
        eprintln!("set-up: none of apt-get, dnf, pacman and zypper is here: install them by hand. Going on without.");
        return Ok(());
    };
    let manager = &MANAGERS[index];
    let packages: Vec<&str> = needs.iter().map(|need| need.packages()[index]).collect();
    let by_hand = format!("{} {} {}", manager.name, manager.install.join(" "), packages.join(" "));
    let Some(prefix) = privilege() else {
        eprintln!("set-up: this needs root, and `sudo` asks for a password or is not here. To install, run as root:");
        eprintln!("  {by_hand}");
        eprintln!("set-up: going on with what is there");
        return Ok(());
    };
    let command = |arguments: &[&str]| {
        // `env` carries the variable through `sudo`.
        let quiet: &[&str] = if manager.name == "apt-get" { &["env", "DEBIAN_FRONTEND=noninteractive"] } else { &[] };
        let words = [&prefix, quiet, &[manager.name], arguments].concat();
        Line::new(words[0], &words[1..])
    };
    if let Some(refresh) = manager.refresh
        && let Err(failure) = command(refresh).run("fetching the lists of packages")
    {
        // Old lists may still work.
        report(failure)?;
    }
    if let Err(failure) = command(&[manager.install, &packages].concat()).run("the installation") {
        report(failure)?;
        eprintln!("set-up: to try again by hand, as root: {by_hand}");
    }
    for need in missing() {
        eprintln!("set-up: still missing: {}", need.what());
    }
    Ok(())
}

/// Reports a failure to install, which stops nothing.
fn report(failure: Failure) -> Outcome {
    match failure {
        Failure::Interrupted => Err(Failure::Interrupted),
        Failure::Usage(what) | Failure::Failed(what) => {
            eprintln!("set-up: {what}. Going on with what is there.");
            Ok(())
        }
    }
}

/// The prefix that runs a command as root: none for root, `sudo -n` if that asks for no password.
fn privilege() -> Option<Vec<&'static str>> {
    if Line::new("id", ["-u"]).output().is_some_and(|id| id.trim() == "0") {
        Some(Vec::new())
    } else if on_path("sudo").is_some() && Line::new("sudo", ["-n", "true"]).succeeds() {
        Some(vec!["sudo", "-n"])
    } else {
        None
    }
}

/// Whether PoCL and a loader for it are installed.
pub fn pocl_is_there() -> bool {
    Need::Loader.is_there() && drivers().iter().any(|file| names_pocl(file))
}

/// Whether any OpenCL driver and a loader for it are installed.
pub fn opencl_is_there() -> bool {
    Need::Loader.is_there() && Need::Driver.is_there()
}

fn names_pocl(file: &Path) -> bool {
    let name = file.to_string_lossy().to_lowercase();
    name.contains("pocl") || std::fs::read_to_string(file).is_ok_and(|text| text.to_lowercase().contains("pocl"))
}

/// The files by which drivers register with the loader.
fn drivers() -> Vec<PathBuf> {
    // Two names of the same variable: ocl-icd's and Khronos'.
    let elsewhere = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"].into_iter().find_map(std::env::var_os);
    icd_files(&elsewhere.map_or_else(|| "/etc/OpenCL/vendors".into(), PathBuf::from))
}

fn icd_files(place: &Path) -> Vec<PathBuf> {
    let is_icd = |file: &PathBuf| file.extension().is_some_and(|end| end == "icd");
    if place.is_file() {
        return [place.to_path_buf()].into_iter().filter(is_icd).collect();
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_icd).collect()
}

/// Whether the system's loader finds a library: by `ldconfig`, then in the usual folders.
pub fn library_is_there(name: &str) -> bool {
    let in_cache = on_path("ldconfig")
        .and_then(|ldconfig| Line::new(ldconfig, ["-p"]).output())
        .is_some_and(|cache| cache.lines().any(|line| line.split_whitespace().next() == Some(name)));
    let folders = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/opt/homebrew/lib"].map(PathBuf::from);
    in_cache || std::env::split_paths(&folders).chain(usual).any(|folder| folder.join(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_manager_has_a_package_for_each_need() {
        for need in Need::ALL {
            assert_eq!(need.packages().len(), MANAGERS.len());
            assert!(need.packages().iter().all(|package| !package.is_empty()));
        }
    }

    #[test]
    fn drivers_are_the_icd_files_of_a_folder() {
        let folder = std::env::temp_dir().join(format!("xtask-icd-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("any.icd"), "libpocl.so.2\n").unwrap();
        std::fs::write(folder.join("readme.txt"), "").unwrap();
        let found = icd_files(&folder);
        assert_eq!(found, [folder.join("any.icd")]);
        assert!(names_pocl(&found[0]));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(icd_files(&folder).is_empty());
    }

    #[test]
    fn a_library_that_cannot_exist_is_not_there() {
        assert!(!library_is_there("libno-such-library-here.so.1"));
    }
}
