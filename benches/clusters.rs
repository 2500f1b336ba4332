//! Seconds and cost of the three ways to cluster, by the number of pages and by the length of signatures; as lines of tab
//! separated values, from which `experiments/clusters.py` draws its figures.
//!
//! `UNHUSK_BENCH_COLLECTION` names a folder of pages; `UNHUSK_BENCH_PAGES` the numbers of pages that are taken from it, or
//! from a synthetic site where there is none. See `docs/benchmarks.md`.

mod common;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::ingest::{Collected, Gathering, Interrupt, Unwatched, Work};
use unhusk::read::Collection;
use unhusk::spool::PageNo;
use unhusk::strip::Pages;
use unhusk::strip::cluster::{Cluster, With};

/// The ways, and the most pages that each is given: two of them look at all pairs.
const WAYS: [(&str, With, usize); 3] =
    [("mdl", With::Mdl, 1_000), ("hash", With::Hash, 3_000), ("max", With::Max, usize::MAX)];

/// Pages of the runs with signatures of several lengths.
const PAGES: usize = 1_000;

const LENGTHS: [u32; 8] = [5, 10, 20, 30, 50, 70, 100, 200];

/// Runs of which the quickest counts.
const ROUNDS: usize = 3;

fn main() {
    let numbers = std::env::var("UNHUSK_BENCH_PAGES").unwrap_or_else(|_| "100,300,1000,3000,10000".to_owned());
    let numbers: Vec<usize> =
        numbers.split(',').map(|number| number.trim().parse().expect("numbers of pages, with commas")).collect();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let collected = collected(dir.path(), numbers.iter().max().copied().unwrap_or(PAGES));
    let all = collected.pages();
    println!("way\tpages\tsignature\tseconds\tcost_estimated\tcost\tclusters\twhole_seconds");
    for &number in &numbers {
        let pages = some(&all, number);
        for (name, with, _) in WAYS.iter().filter(|way| number <= way.2) {
            measure(name, &Cluster { with: *with, sample: u32::MAX, ..Cluster::default() }, &pages);
        }
        measure("sampled", &Cluster::default(), &pages);
    }
    let pages = some(&all, PAGES);
    for (name, with) in [("hash", With::Hash), ("max", With::Max)] {
        for signature in LENGTHS {
            measure(name, &Cluster { with, signature, sample: u32::MAX, ..Cluster::default() }, &pages);
        }
    }
}

/// Prints a line: the seconds of clustering alone, and those of all from the spool to the templates.
fn measure(name: &str, cluster: &Cluster, pages: &Pages<'_>) {
    let rounds = if pages.numbers().len() > 3_000 { 1 } else { ROUNDS };
    let threads = common::setting("UNHUSK_BENCH_THREADS", 1);
    let run = |_| {
        let started = Instant::now();
        let layouts = cluster.find(pages, threads).expect("the spool is read");
        (layouts, started.elapsed().as_secs_f64())
    };
    let best = (0..rounds).map(run).min_by(|a, b| a.0.costs.seconds.total_cmp(&b.0.costs.seconds));
    let (layouts, whole) = best.expect("a round");
    println!(
        "{name}\t{}\t{}\t{:.6}\t{:.0}\t{}\t{}\t{whole:.6}",
        pages.numbers().len(),
        cluster.signature,
        layouts.costs.seconds,
        layouts.costs.estimated,
        layouts.costs.clustered,
        layouts.layouts.len(),
    );
}

/// So many pages from all over the collection.
fn some<'s>(all: &Pages<'s>, number: usize) -> Pages<'s> {
    let pages = all.numbers().len();
    let number = number.min(pages);
    let numbers: Vec<PageNo> = (0..number).map(|n| all.numbers()[n * pages / number]).collect();
    Pages::new(all.spool(), numbers)
}

fn collected(dir: &Path, pages: usize) -> Collected {
    let collection = match std::env::var_os("UNHUSK_BENCH_COLLECTION") {
        Some(folder) => Collection::open(Path::new(&folder)).expect("a collection"),
        None => {
            let site = Site::new(Options { pages: pages as u64, marks: false, ..Options::default() }).expect("a site");
            let file = dir.join("pages.jsonl");
            let mut lines = BufWriter::new(File::create(&file).expect("a file for the pages"));
            write_jsonl(&site, &mut lines).expect("the pages are written");
            lines.flush().expect("the pages are written");
            Collection::open(&file).expect("a collection")
        }
    };
    let gathering = Gathering::default();
    let interrupt = Interrupt::default();
    let work = Work { threads: 2, watch: &Unwatched, interrupt: &interrupt };
    Collected::gather(&[collection], &dir.join("spool"), &gathering, work).expect("the pages are read")
}
