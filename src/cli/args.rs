//! Arguments that several commands share.

use clap::{Args, ValueEnum};
use url::Url;

use super::units;
use crate::dedup::Cut;
use crate::ingest::Gathering;
use crate::read::ReadOptions;
use crate::strip::Method;

/// How a collection is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct GatherArgs {
    /// The URL the collection's root had, for pages in folders
    #[arg(long, value_name = "URL")]
    base_url: Option<Url>,
    /// Pages larger than this many bytes are skipped; KiB, MiB and GiB are understood
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = units::size)]
    max_page_size: u64,
    /// Stop with an error at the first page that is skipped or damaged
    #[arg(long)]
    strict: bool,
    /// Keep pages that are the same as another page
    #[arg(long)]
    no_dedup: bool,
    /// Words on more than this share of the pages do not count when pages are compared
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = units::share, conflicts_with = "no_dedup")]
    dedup_df: f64,
}

impl GatherArgs {
    pub(super) fn gathering(&self) -> Gathering {
        Gathering {
            read: ReadOptions { base_url: self.base_url.clone(), max_page_size: self.max_page_size },
            dedup: (!self.no_dedup).then_some(Cut { share: self.dedup_df }),
            strict: self.strict,
        }
    }
}

/// What takes templates out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Template removal")]
pub(super) struct MethodArgs {
    /// What takes templates out
    #[arg(long, value_enum, default_value_t = MethodName::None, value_name = "METHOD")]
    strip: MethodName,
}

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// Keep everything
    None,
}

impl MethodArgs {
    pub(super) fn method(&self) -> Method {
        match self.strip {
            MethodName::None => Method::None,
        }
    }
}
