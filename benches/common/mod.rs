//! The pages all benchmarks work on.

#![allow(dead_code)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use unhusk::generate::{Options, Site, write_site};
use unhusk::read::{Collection, Found, RawPage, ReadOptions};

/// Pages of the site that is made where no collection is named.
const GENERATED: u64 = 2_000;

/// A folder of pages: the one in `UNHUSK_BENCH_COLLECTION`, or a generated site.
pub(crate) struct Pages {
    pub(crate) folder: PathBuf,
    _generated: Option<tempfile::TempDir>,
}

impl Pages {
    pub(crate) fn find() -> Self {
        if let Some(folder) = std::env::var_os("UNHUSK_BENCH_COLLECTION") {
            return Pages { folder: folder.into(), _generated: None };
        }
        let dir = tempfile::tempdir().expect("a temporary folder");
        let site = generated();
        write_site(&site, &dir.path().join("site")).expect("the generated site is written");
        Pages { folder: dir.path().join("site/pages"), _generated: Some(dir) }
    }

    pub(crate) fn collection(&self) -> Collection {
        Collection::open(&self.folder).expect("a collection")
    }

    /// All pages, in memory.
    pub(crate) fn read(&self) -> Vec<RawPage> {
        let mut pages = Vec::new();
        let mut keep = |found| {
            if let Found::Page(page) = found {
                pages.push(page);
            }
            ControlFlow::Continue(())
        };
        self.collection().read(&ReadOptions::default(), &mut keep).expect("the collection is read");
        pages
    }
}

/// The site that stands in for a collection.
pub(crate) fn generated() -> Site {
    Site::new(Options { pages: GENERATED, marks: false, ..Options::default() }).expect("a site")
}

/// A whole number from the environment.
pub(crate) fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Words from the environment, with commas between.
pub(crate) fn listed(name: &str, default: &str) -> Vec<String> {
    let value = std::env::var(name).unwrap_or_else(|_| default.to_owned());
    value.split(',').map(|word| word.trim().to_owned()).collect()
}

/// User and system time of all threads of this process. Linux counts it in hundredths of a second.
pub(crate) fn cpu_time() -> Duration {
    ticks(11)
}

/// The same of the programs this process has started, once they have ended.
pub(crate) fn cpu_time_of_children() -> Duration {
    ticks(13)
}

fn ticks(field: usize) -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this benchmark needs Linux");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(field).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// Bytes of the files in a folder.
pub(crate) fn size(folder: &Path) -> u64 {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    entries.flat_map(|entry| entry.metadata()).filter(std::fs::Metadata::is_file).map(|file| file.len()).sum()
}
