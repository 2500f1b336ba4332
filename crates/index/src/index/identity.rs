//! Which build of an index is in a place.
//!
//! A build may take an index's place at any moment, also between two files that somebody opens. What is opened must be of one
//! build; once it is open it stays readable.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::{IndexError, manifest};

/// What differs between two builds: the manifest's file and when it was written.
pub type Identity = (u64, u64, i64, i64, u64);

/// How often an index is opened anew when a build replaces it meanwhile.
const TRIES: usize = 5;
/// Between two tries: on a file system that cannot exchange folders there is no index for a moment.
const PAUSE: Duration = Duration::from_millis(2);

/// Which build is in `folder`.
pub fn identity(folder: &Path) -> Result<Identity, IndexError> {
    let path = folder.join(manifest::FILE);
    let file = fs::metadata(&path).map_err(IndexError::io("read", &path))?;
    Ok((file.dev(), file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
}

/// Opens something of the index in `folder` and says of which build it is: again, where another build takes the place meanwhile.
pub fn of_one_build<T>(folder: &Path, open: impl Fn() -> Result<T, IndexError>) -> Result<(T, Identity), IndexError> {
    let mut refused = None;
    for _ in 0..TRIES {
        // A folder that is no index is told best by what opens indexes.
        let before = identity(folder).ok();
        let opened = open();
        match (before, identity(folder).ok()) {
            (Some(before), Some(after)) if before == after => return opened.map(|opened| (opened, after)),
            _ => refused = opened.err(),
        }
        sleep(PAUSE);
    }
    Err(refused.unwrap_or_else(|| IndexError::Busy(folder.to_owned())))
}
