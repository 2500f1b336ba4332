//! The parameters of `--strip sandwich`.

use clap::Args;

use crate::strip::sandwich::{Group, PeerRule, Sandwich, UnitRule};

/// How `sandwich` compares pages.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --strip sandwich")]
pub(super) struct SandwichArgs {
    /// The page that a page is compared with
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    peer: PeerRule,
    /// What they are compared by
    #[arg(long, value_enum, default_value_t, value_name = "UNIT")]
    unit: UnitRule,
    /// Which pages belong together
    #[arg(long, value_enum, default_value_t, value_name = "GROUP")]
    group: Group,
}

impl SandwichArgs {
    pub(super) fn sandwich(&self) -> Sandwich {
        Sandwich { peer: self.peer, unit: self.unit, group: self.group }
    }
}
