//! Parameters of `--strip auto`.

use clap::Args;

use crate::strip::auto::{Auto, Signal};

#[derive(Debug, Args)]
#[command(next_help_heading = "With --strip auto")]
pub(super) struct AutoArgs {
    /// Learn from this many pages of each site, chosen by their ids
    #[arg(long, value_name = "N", default_value_t = Auto::default().sample, value_parser = pages)]
    learn_from: usize,
    /// Do without a signal, to see what it brings. Can be given several times
    #[arg(long, value_enum, value_name = "SIGNAL")]
    without: Vec<Signal>,
}

impl AutoArgs {
    pub(super) fn auto(&self) -> Auto {
        Auto { sample: self.learn_from, without: self.without.clone() }
    }
}

fn pages(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(pages @ 1..) => Ok(pages),
        _ => Err("write a number of pages from 1".to_owned()),
    }
}
