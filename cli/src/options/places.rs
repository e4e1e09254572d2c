//! Whether results can be written to a place, found out before the work.

use crate::failure::Failure;
use apportion::model::machine::{files, words};
use std::io::ErrorKind;
use std::path::Path;

/// Whether files can be written into the folder that -o names.
pub fn check_out(out: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let is_folder = out.to_string_lossy().ends_with(std::path::is_separator);
    // A folder `record.json` would be made without a word, and be noticed only later.
    let extension = out.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let seems = !is_folder && !out.exists() && ["json", "csv", "svg", "png", "pdf"].contains(&extension.as_str());
    if seems || out.is_file() {
        let (what, instead) = if seems {
            ("looks like", format!("name it without .{extension}"))
        } else {
            ("is no folder but", "give another name".to_owned())
        };
        return Err(Failure::Input(format!(
            "--out {}: {what} a file, and a folder is needed, into which all results are written: {instead}",
            out.display()
        )));
    }
    check_folder("--out", out, files)
}

/// Whether files can be written into a folder that may not exist yet.
fn check_folder(flag: &str, folder: &Path, names: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let wrong = |problem: String| {
        Err(Failure::Input(format!("{flag} {}: {problem}; give a place that can be written", folder.display())))
    };
    if folder.as_os_str().is_empty() {
        return wrong("is empty".to_owned());
    }
    let mut there = folder;
    // The nearest existing ancestor; a broken link exists, but is no folder.
    while there.symlink_metadata().is_err() {
        there = match there.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => return wrong("has no parent folder".to_owned()),
        };
    }
    if !there.is_dir() {
        return wrong(format!("{} is no folder", there.display()));
    }
    // Checking the permissions is not enough: they do not show read-only file systems.
    if let Err(error) =
        tempfile::tempfile_in(there).and_then(|_| tempfile::Builder::new().prefix(".apportion-").tempfile_in(there))
    {
        return wrong(format!("cannot write into {}: {error}", there.display()));
    }
    for file in names.iter().map(|name| folder.join(name)) {
        if let Some(what) = files::oddity(&file) {
            return wrong(format!("{} is {what}", file.display()));
        }
        // A link is written through.
        if file.is_symlink() {
            match files::resolved(&file) {
                Ok(place) => check_folder(flag, folder_of(&place), &[] as &[&Path])?,
                Err(error) => return wrong(format!("{}: {error}", file.display())),
            }
        }
    }
    Ok(())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a file can be written into a folder that may not exist yet. `usual` is a name for it, to suggest for a path that
/// names a folder, as -o does in other commands.
pub fn check_file(flag: &str, path: &Path, usual: &str) -> Result<(), Failure> {
    // `Path` drops a slash at the end, which the system does not.
    let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
    let name = path.file_name().filter(|_| !is_folder);
    let Some(name) = name else {
        return Err(Failure::Input(format!(
            "{flag} {}: names no file, but a folder, and one file is to be written: name it too, such as {}",
            path.display(),
            path.join(usual).display()
        )));
    };
    if let Some(what) = files::oddity(path) {
        let or_none = if flag.starts_with('-') { format!(", or leave {flag} out") } else { String::new() };
        return Err(Failure::Input(format!("{flag} {} is {what}, not a file: name a file{or_none}", path.display())));
    }
    // A link is written through.
    let place = files::resolved(path).map_err(|error| Failure::Input(format!("{flag} {}: {error}", path.display())))?;
    check_folder(flag, folder_of(&place), &[place.file_name().unwrap_or(name)])
}

/// Whether a file that is there may be replaced by one of this kind, such as `apportion.machine`: not if it is certainly of another
/// kind, and was named by mistake. A damaged file, and one of another version, may.
///
/// # Errors
/// [`Failure::Input`], with what the file is.
pub fn check_kind(flag: &str, path: &Path, kind: &str) -> Result<(), Failure> {
    let what = match files::read_whole(path) {
        Ok(bytes) => words::foreign(&bytes, kind),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => {
            Some(format!("is larger than {} MiB", files::LARGEST_MIB))
        }
        // It is not there, or only its owner may read it.
        Err(_) => None,
    };
    match what {
        Some(what) => Err(Failure::Input(format!(
            "{flag} {}: is another file (it {what}), and is not replaced: name a new one",
            path.display()
        ))),
        None => Ok(()),
    }
}
