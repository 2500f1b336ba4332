//! `unhusk clusters`: which page has which layout.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{GatherArgs, collections};
use super::cluster_args::ClusterArgs;
use super::learned::collected;
use super::{Common, Outcome, output};
use crate::ingest::Interrupt;
use crate::strip::cluster::Layouts;
use crate::strip::{Pages, StripError};

/// Print which page belongs to which cluster: pages of one layout
///
/// Lines of page, tab, cluster. Clusters are counted from 1, the largest first; a page that is like no other is a cluster of its own. Copies of a page are left out unless --no-dedup is given.
#[derive(Debug, Args)]
pub(super) struct ClustersArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// How to print clusters
    #[arg(long, value_enum, default_value_t = ClustersFormat::Tsv, help_heading = "Common options")]
    format: ClustersFormat,
    #[command(flatten, next_help_heading = "Clustering")]
    cluster: ClusterArgs,
    #[command(flatten)]
    gather: GatherArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ClustersFormat {
    /// A line a page: id, tab, cluster
    Tsv,
    /// One JSON document: clusters and pages
    Json,
}

#[derive(Serialize)]
struct Answer {
    clusters: Vec<Cluster>,
    pages: Vec<Assigned>,
}

#[derive(Serialize)]
struct Cluster {
    cluster: usize,
    pages: u32,
    template_paths: usize,
}

#[derive(Serialize)]
struct Assigned {
    id: String,
    cluster: usize,
}

pub(super) fn run(args: &ClustersArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let collections = collections(&args.collections, interrupt)?;
    collected(&collections, &args.gather.gathering(), common, interrupt, |collected, means| {
        let pages = &collected.pages();
        let layouts = args.cluster.cluster().find(pages, means.threads)?;
        let assigned = assigned(pages, &layouts)?;
        match args.format {
            ClustersFormat::Tsv => output::print(&lines(&assigned)),
            ClustersFormat::Json => output::json(&Answer { clusters: clusters(&layouts), pages: assigned }),
        }
    })?;
    Ok(Outcome::Done)
}

fn assigned(pages: &Pages<'_>, layouts: &Layouts) -> Result<Vec<Assigned>, StripError> {
    let mut assigned = Vec::with_capacity(pages.numbers().len());
    pages.for_each_name(|number, name| {
        let cluster = layouts.of(number).map_or(0, |layout| layout + 1);
        assigned.push(Assigned { id: name.id, cluster });
    })?;
    Ok(assigned)
}

fn clusters(layouts: &Layouts) -> Vec<Cluster> {
    let cluster = |(number, layout): (usize, &crate::strip::cluster::Layout)| Cluster {
        cluster: number + 1,
        pages: layout.pages,
        template_paths: layout.template.len(),
    };
    layouts.layouts.iter().enumerate().map(cluster).collect()
}

fn lines(assigned: &[Assigned]) -> String {
    let mut text = String::new();
    for Assigned { id, cluster } in assigned {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\t{cluster}", output::printable(id).replace('\n', " "));
    }
    text
}
