//! Where an index is built, and how it takes its place.
//!
//! A build works in `.NAME.building` beside the target `NAME`, under a lock, and moves the finished index into place
//! with one rename. Killed at any moment, it leaves the old index as it was, or the new one; what it leaves
//! behind is cleared by the next build.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::{IndexError, checksums, manifest};

/// A building site: a temporary folder, removed when the build ends however it ends.
#[derive(Debug)]
pub struct Site {
    target: PathBuf,
    folder: PathBuf,
    _lock: File,
}

impl Site {
    /// Opens a site for an index at `target`. An index that is there already is replaced only with `force`, and
    /// a folder that is no index never.
    pub fn open(target: &Path, force: bool) -> Result<Self, IndexError> {
        let folder = beside(target)?;
        let lock = lock(&folder, target)?;
        let site = Site { target: target.to_owned(), folder, _lock: lock };
        site.recover()?;
        site.clear()?;
        site.check_target(force)?;
        fs::create_dir(site.index()).map_err(IndexError::io("create", site.index()))?;
        Ok(site)
    }

    /// The folder that will become the index.
    pub fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    /// A name for a file or folder that is needed during the build only.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes down what the files of the index are, once all are there: only then it can be opened.
    pub fn seal(&self) -> Result<(), IndexError> {
        checksums::write(&self.index())
    }

    /// Moves the sealed index into place, after everything is safely on disk.
    pub fn finish(self) -> Result<(), IndexError> {
        let index = self.index();
        sync_tree(&index).map_err(IndexError::io("write out", &index))?;
        let parent = parent_of(&self.target);
        if self.target.exists() {
            self.exchange(&index)?;
        } else {
            fs::rename(&index, &self.target).map_err(IndexError::io("put in place", &self.target))?;
        }
        sync_folder(parent).map_err(IndexError::io("write out", parent))
    }

    /// Swaps old and new at once; where the file system cannot, one after the other.
    fn exchange(&self, index: &Path) -> Result<(), IndexError> {
        match renameat_with(CWD, index, CWD, &self.target, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(()),
            Err(_) => {
                let old = self.old();
                fs::rename(&self.target, &old).map_err(IndexError::io("set aside", &self.target))?;
                fs::rename(index, &self.target).map_err(IndexError::io("put in place", &self.target))
            }
        }
    }

    fn old(&self) -> PathBuf {
        self.folder.join("old")
    }

    /// A build killed between the two renames of a file system without exchange left the old index aside.
    fn recover(&self) -> Result<(), IndexError> {
        let old = self.old();
        if old.exists() && !self.target.exists() {
            fs::rename(&old, &self.target).map_err(IndexError::io("put back", &self.target))?;
        }
        Ok(())
    }

    fn clear(&self) -> Result<(), IndexError> {
        let clear = || -> io::Result<()> {
            for entry in fs::read_dir(&self.folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    fs::remove_dir_all(entry.path())?;
                } else if entry.file_name() != LOCK {
                    fs::remove_file(entry.path())?;
                }
            }
            Ok(())
        };
        clear().map_err(IndexError::io("clear", &self.folder))
    }

    fn check_target(&self, force: bool) -> Result<(), IndexError> {
        if !self.target.exists() {
            return Ok(());
        }
        let is_empty_folder = fs::read_dir(&self.target).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty_folder {
            return Ok(());
        }
        if !self.target.join(manifest::FILE).is_file() {
            return Err(IndexError::NotOurs(self.target.clone()));
        }
        if !force {
            return Err(IndexError::Exists(self.target.clone()));
        }
        Ok(())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // The lock goes last: from then on the folder may be another build's, and is removed only if it is empty.
        // Nothing can be done about a failure here, and the next build clears the folder.
        let _ = self.clear();
        let _ = fs::remove_file(self.folder.join(LOCK));
        let _ = fs::remove_dir(&self.folder);
    }
}

const LOCK: &str = "lock";

fn beside(target: &Path) -> Result<PathBuf, IndexError> {
    let name = target.file_name().ok_or_else(|| IndexError::NotOurs(target.to_owned()))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".building");
    Ok(parent_of(target).join(hidden))
}

fn parent_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn lock(folder: &Path, target: &Path) -> Result<File, IndexError> {
    let path = folder.join(LOCK);
    loop {
        match fs::create_dir_all(folder) {
            // Somebody else removed the folder while we looked at it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !folder.is_file() => continue,
            created => created.map_err(IndexError::io("create", folder))?,
        }
        let file = match File::create(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(IndexError::io("create", &path)(error)),
        };
        match file.try_lock() {
            // A build that ends removes its folder. Where that happened between our steps, the lock is on a file that
            // nobody else can find, and the next build would not be kept out by it.
            Ok(()) if !is_at(&file, &path) => continue,
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => return Err(IndexError::Busy(target.to_owned())),
            Err(TryLockError::Error(source)) => return Err(IndexError::io("lock", &path)(source)),
        }
    }
}

/// Whether the open file is still the one of that name.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, named) = (file.metadata().map(identity), fs::metadata(path).map(identity));
    matches!((open, named), (Ok(open), Ok(named)) if open == named)
}

fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry.map_err(|error| error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into()))?;
        File::open(entry.path())?.sync_all()?;
    }
    Ok(())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn build(target: &Path, force: bool, text: &str) -> Result<(), IndexError> {
        let site = Site::open(target, force)?;
        fs::write(site.scratch("spool"), "x").unwrap();
        fs::write(site.index().join(manifest::FILE), text).unwrap();
        site.finish()
    }

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_finished_build_leaves_the_index_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        build(&dir.path().join("a/b/out"), false, "one").unwrap();
        assert_eq!(entries(&dir.path().join("a/b")), ["out"]);
    }

    #[test]
    fn an_index_is_replaced_only_by_force() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        build(&target, false, "one").unwrap();
        assert!(matches!(build(&target, false, "two"), Err(IndexError::Exists(_))));
        assert_eq!(fs::read_to_string(target.join(manifest::FILE)).unwrap(), "one");
        build(&target, true, "two").unwrap();
        assert_eq!(fs::read_to_string(target.join(manifest::FILE)).unwrap(), "two");
        assert_eq!(entries(dir.path()), ["out"]);
    }

    #[test]
    fn a_folder_that_is_no_index_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("precious");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("letter.txt"), "dear").unwrap();
        assert!(matches!(build(&target, true, "x"), Err(IndexError::NotOurs(_))));
        assert_eq!(entries(&target), ["letter.txt"]);
    }

    #[test]
    fn an_abandoned_build_leaves_the_old_index_and_no_leftovers() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        build(&target, false, "one").unwrap();
        drop(Site::open(&target, true).unwrap());
        assert_eq!(fs::read_to_string(target.join(manifest::FILE)).unwrap(), "one");
        assert_eq!(entries(dir.path()), ["out"]);
    }

    #[test]
    fn leftovers_of_a_killed_build_are_cleared_and_an_index_set_aside_is_put_back() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let left = dir.path().join(".out.building");
        fs::create_dir_all(left.join("old")).unwrap();
        fs::write(left.join("old").join(manifest::FILE), "one").unwrap();
        fs::write(left.join("spool"), "half").unwrap();
        assert!(matches!(build(&target, false, "two"), Err(IndexError::Exists(_))));
        assert_eq!(fs::read_to_string(target.join(manifest::FILE)).unwrap(), "one");
        assert_eq!(entries(dir.path()), ["out"]);
    }

    #[test]
    fn builds_that_come_and_go_at_once_never_share_a_site() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let inside = std::sync::atomic::AtomicUsize::new(0);
        let come_and_go = || {
            for _ in 0..300 {
                match Site::open(&target, true) {
                    Ok(site) => {
                        assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        assert!(site.index().is_dir());
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    }
                    Err(error) => assert!(matches!(error, IndexError::Busy(_)), "{error}"),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(come_and_go);
            }
        });
    }

    #[test]
    fn two_builds_of_one_index_do_not_meet() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let site = Site::open(&target, false).unwrap();
        assert!(matches!(Site::open(&target, false), Err(IndexError::Busy(_))));
        fs::write(site.index().join(manifest::FILE), "one").unwrap();
        site.finish().unwrap();
        assert!(target.join(manifest::FILE).is_file());
    }
}
