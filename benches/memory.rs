//! Peak memory of a build by the number of pages: synthetic pages as JSON lines into the program, and what its
//! manifest says. That figure is the process's high-water mark and has mapped files in it, read or written.
//!
//! `UNHUSK_BENCH_PAGES` names the numbers of pages, 10000 and 100000 by default. See `docs/benchmarks.md`.

mod common;

use std::io::BufWriter;
use std::process::{Command, Stdio};
use std::time::Instant;

use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::index::Manifest;

fn main() {
    let threads = common::setting("UNHUSK_BENCH_THREADS", 2).to_string();
    let numbers = std::env::var("UNHUSK_BENCH_PAGES").unwrap_or_else(|_| "10000,100000".to_owned());
    println!("{:>9}{:>9}{:>12}{:>10}{:>11}{:>9}", "pages", "wall s", "µs a page", "MB index", "peak MB", "ratio");
    let mut first = None;
    for pages in numbers.split(',').map(|number| number.trim().parse().expect("numbers of pages, with commas")) {
        let started = Instant::now();
        let dir = tempfile::tempdir().expect("a temporary folder");
        let manifest = build(pages, &dir.path().join("index"), &threads);
        let wall = started.elapsed().as_secs_f64();
        let peak = manifest.cost.peak_memory.expect("this benchmark needs Linux") as f64 / 1e6;
        let ratio = peak / *first.get_or_insert(peak);
        let index = manifest.sizes.total() as f64 / 1e6;
        println!("{pages:>9}{wall:>9.1}{:>12.0}{index:>10.1}{peak:>11.1}{ratio:>9.2}", wall / pages as f64 * 1e6);
        let stages: Vec<_> = manifest.cost.seconds.iter().map(|(name, took)| format!("{name} {took:.1} s")).collect();
        println!("          {}", stages.join(", "));
    }
}

fn build(pages: u64, out: &std::path::Path, threads: &str) -> Manifest {
    let site = Site::new(Options { pages, marks: false, ..Options::default() }).expect("a site");
    let mut program = Command::new(env!("CARGO_BIN_EXE_unhusk"))
        .args(["index", "-", "--quiet", "--threads", threads, "--out"])
        .arg(out)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = BufWriter::new(program.stdin.take().expect("its input is ours"));
    write_jsonl(&site, &mut input).expect("the program reads its input");
    drop(input);
    assert!(program.wait().expect("the program ends").success());
    Manifest::read(out).expect("a manifest")
}
