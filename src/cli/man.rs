//! `unhusk man`: manual pages, made of the same words as the help texts.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::{Cli, Outcome};

/// Write the manual pages, one for each command
///
/// For one user: unhusk man --out ~/.local/share/man/man1
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Folder for the pages: unhusk.1, unhusk-index.1 and so on
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &ManArgs) -> anyhow::Result<Outcome> {
    let ManArgs { out } = args;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    clap_mangen::generate_to(Cli::command(), out)
        .with_context(|| format!("cannot write manual pages into {}", out.display()))?;
    Ok(Outcome::Done)
}
