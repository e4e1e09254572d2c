//! Files that are written completely or not at all.

use apportion::model::machine::files;
use std::io;
use std::path::Path;

/// Writes `bytes` to `path` by way of a temporary file in the same folder, which is then renamed. A symbolic link is followed, and a
/// file that is replaced keeps its permissions.
///
/// A reader of `path` sees the old file or the new one, even after a crash in between.
///
/// # Errors
///
/// The operating system's error, or that something else than a file is there; `path` is then unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    files::write_whole(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.json");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        // A folder of that name cannot be replaced by a file.
        let path = folder.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        assert!(write_atomically(&path, b"x").is_err());
        assert!(write_atomically(&folder.path().join("missing/file"), b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_kept_and_what_is_no_file_stays() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let there = |name: &str| folder.path().join(name);
        std::fs::write(there("real"), "old").unwrap();
        std::fs::set_permissions(there("real"), std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", there("link")).unwrap();
        symlink(there("link"), there("again")).unwrap();
        write_atomically(&there("again"), b"new").unwrap();
        assert_eq!(std::fs::read(there("real")).unwrap(), b"new");
        assert_eq!(std::fs::metadata(there("real")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(there("link").is_symlink() && there("again").is_symlink());
        // A link to a file that is yet to be.
        symlink("later", there("ahead")).unwrap();
        write_atomically(&there("ahead"), b"made").unwrap();
        assert_eq!(std::fs::read(there("later")).unwrap(), b"made");
        symlink("circle", there("circle")).unwrap();
        assert!(write_atomically(&there("circle"), b"x").is_err());
        let device = write_atomically(Path::new("/dev/null"), b"x").unwrap_err().to_string();
        assert_eq!(device, "it is a device, not a file");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6);
    }
}
