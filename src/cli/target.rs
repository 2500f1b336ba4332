//! A file that a command leaves: `--out`, and `--force` to replace one.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

/// Where a file goes.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
}

impl TargetArgs {
    /// An error where something is there that is not to be replaced.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.force || !self.out.exists(),
            "{} exists already: name another file with --out, or replace it with --force",
            self.out.display()
        );
        Ok(())
    }

    /// Writes beside the place and renames: whoever has the old file open goes on reading the old one.
    pub(super) fn write<T>(&self, write: impl FnOnce(&Path) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let cannot = || format!("cannot write {}", self.out.display());
        let parent = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent).with_context(cannot)?;
        let folder = tempfile::Builder::new().prefix(".unhusk-file").tempdir_in(parent).with_context(cannot)?;
        let path = folder.path().join("file");
        let written = write(&path)?;
        std::fs::File::open(&path).and_then(|file| file.sync_all()).with_context(cannot)?;
        std::fs::rename(&path, &self.out).with_context(cannot)?;
        Ok(written)
    }
}
