//! `unhusk completions`: what a shell needs to complete commands and flags.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Outcome, output};

/// Print completions for a shell
///
/// For bash: unhusk completions bash > ~/.local/share/bash-completion/completions/unhusk
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "unhusk", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(Outcome::Done)
}
