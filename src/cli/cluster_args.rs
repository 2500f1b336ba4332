//! The parameters of `--strip cluster`.

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::strip::cluster::{Cluster, With};

/// How pages are clustered.
#[derive(Debug, Args)]
pub(super) struct ClusterArgs {
    /// How pairs of clusters are found and compared
    #[arg(long, value_enum, default_value_t, value_name = "WAY")]
    cluster_with: With,
    #[command(flatten)]
    signature: SignatureArgs,
}

/// What signatures are made by.
#[derive(Debug, Args)]
pub(super) struct SignatureArgs {
    /// Entries of a page's signature: more are slower and more exact
    #[arg(long, value_name = "N", default_value_t = Cluster::default().signature,
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=10_000))]
    signature: u32,
    /// What signatures and samples are drawn by
    #[arg(long, value_name = "SEED", default_value_t = Cluster::default().seed)]
    cluster_seed: u64,
}

impl ClusterArgs {
    pub(super) fn cluster(&self) -> Cluster {
        self.signature.with(self.cluster_with)
    }
}

impl SignatureArgs {
    pub(super) fn with(&self, with: With) -> Cluster {
        Cluster { with, signature: self.signature, seed: self.cluster_seed, ..Cluster::default() }
    }

    pub(super) fn seed(&self) -> u64 {
        self.cluster_seed
    }
}
