//! Time a page and peak memory of a build by the number of pages, for several methods: synthetic pages as JSON lines into
//! the program, its processor time (the middle of several builds where they are short), and the peak its manifest names. That peak is the process's high-water mark and has
//! mapped files in it, read or written.
//!
//! `UNHUSK_BENCH_PAGES` names the numbers of pages, `UNHUSK_BENCH_METHODS` the methods. See `docs/benchmarks.md`.

mod common;

use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::index::Manifest;

fn main() {
    let threads = common::setting("UNHUSK_BENCH_THREADS", 2).to_string();
    let numbers = common::listed("UNHUSK_BENCH_PAGES", "1000,10000,100000");
    let methods = common::listed("UNHUSK_BENCH_METHODS", "none,table,sandwich,auto");
    let numbers = numbers.iter().map(|number| number.parse().expect("numbers of pages, with commas"));
    println!("method\tpages\tCPU s\twall s\tCPU µs a page\t×\tpeak MB\t×\tindex MB\tstages");
    let mut first: Vec<Option<(f64, f64)>> = vec![None; methods.len()];
    for pages in numbers {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("pages.jsonl");
        let site = Site::new(Options { pages, marks: false, ..Options::default() }).expect("a site");
        let mut lines = BufWriter::new(std::fs::File::create(&file).expect("a file"));
        write_jsonl(&site, &mut lines).expect("pages are written");
        lines.flush().expect("pages are written");
        for (method, first) in methods.iter().zip(&mut first) {
            let out = dir.path().join("index");
            let mut rounds: Vec<_> = (0..rounds(pages)).map(|_| build(&file, method, &out, &threads)).collect();
            rounds.sort_by_key(|round| round.cpu);
            let Round { manifest, cpu, wall } = rounds.swap_remove(rounds.len() / 2);
            let peak = manifest.cost.peak_memory.expect("this benchmark needs Linux") as f64 / 1e6;
            let a_page = cpu.as_secs_f64() / pages as f64 * 1e6;
            let (first_page, first_peak) = *first.get_or_insert((a_page, peak));
            let stages: Vec<_> =
                manifest.cost.seconds.iter().map(|(name, took)| format!("{name} {took:.1} s")).collect();
            println!(
                "{method}\t{pages}\t{:.1}\t{wall:.1}\t{a_page:.0}\t{:.2}\t{peak:.0}\t{:.2}\t{:.1}\t{}",
                cpu.as_secs_f64(),
                a_page / first_page,
                peak / first_peak,
                manifest.sizes.total() as f64 / 1e6,
                stages.join(", "),
            );
        }
    }
}

/// What one build said and took.
struct Round {
    manifest: Manifest,
    cpu: Duration,
    wall: f64,
}

/// A small build takes half a second, and differs by a fifth from one to the next: the one in the middle of several counts.
fn rounds(pages: u64) -> u64 {
    (30_000 / pages).clamp(1, 9)
}

/// Builds an index from pages in a pipe, as a crawler would hand them over.
fn build(pages: &std::path::Path, method: &str, out: &std::path::Path, threads: &str) -> Round {
    let (started, before) = (Instant::now(), common::cpu_time_of_children());
    let mut program = Command::new(env!("CARGO_BIN_EXE_unhusk"))
        .args(["index", "-", "--quiet", "--threads", threads, "--strip", method, "--out"])
        .arg(out)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = program.stdin.take().expect("its input is ours");
    let mut pages = std::fs::File::open(pages).expect("the pages");
    std::io::copy(&mut pages, &mut input).expect("the program reads its input");
    drop(input);
    assert!(program.wait().expect("the program ends").success());
    let (cpu, wall) = (common::cpu_time_of_children() - before, started.elapsed().as_secs_f64());
    let manifest = Manifest::read(out).expect("a manifest");
    std::fs::remove_dir_all(out).expect("an index is removed");
    Round { manifest, cpu, wall }
}
