//! Whether results can be written to a place, found out before the work.

use crate::failure::Failure;
use std::path::Path;

/// Whether files can be written into the folder that -o names.
pub fn check_out(out: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let is_folder = out.to_string_lossy().ends_with(std::path::is_separator);
    // A folder `record.json` would be made without a word, and be noticed only later.
    let extension = out.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let seems = !is_folder && !out.exists() && ["json", "svg", "png", "pdf"].contains(&extension.as_str());
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
fn check_folder(flag: &str, folder: &Path, files: &[impl AsRef<Path>]) -> Result<(), Failure> {
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
    match files.iter().map(|file| folder.join(file)).find(|file| file.is_dir()) {
        Some(taken) => wrong(format!("{} is a folder", taken.display())),
        None => Ok(()),
    }
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    check_folder(flag, folder, &[name])
}

/// Whether a file that is there may be replaced by one of this kind, such as `apportion.machine`: not if it is one of the program's
/// files of another kind, which was named by mistake.
///
/// # Errors
/// [`Failure::Input`], with what the file is.
pub fn check_kind(flag: &str, path: &Path, kind: &str) -> Result<(), Failure> {
    let schema =
        |text: String| Some(serde_json::from_str::<serde_json::Value>(&text).ok()?.get("schema")?.as_str()?.to_owned());
    match std::fs::read_to_string(path).ok().and_then(schema) {
        Some(other)
            if other.starts_with("apportion.") && other.rsplit_once('/').is_none_or(|(name, _)| name != kind) =>
        {
            Err(Failure::Input(format!(
                "{flag} {}: is another file ({other}), and is not replaced: name a new one",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}
