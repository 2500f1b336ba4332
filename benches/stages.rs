//! The stages one by one: parse, spool write and read, a batch of queries.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use unhusk::generate::Site;
use unhusk::index::words::Language;
use unhusk::ingest::{Building, Gathering, Interrupt, Unwatched, Work, build};
use unhusk::parse::{Page, parse};
use unhusk::read::RawPage;
use unhusk::search::queries::{Query, QuerySet};
use unhusk::search::{Engine, Scope, run_batch};
use unhusk::spool::{Encoded, PageNo, Spool, SpoolWriter};
use unhusk::strip::{Aside, Method};

/// Pages a stage is shown: few enough for many rounds.
const PAGES: usize = 200;
/// Documents a query asks for, as many as runs usually hold.
const DEPTH: usize = 1_000;

fn stages(criterion: &mut Criterion) {
    let mut raw = common::Pages::find().read();
    let step = raw.len().div_ceil(PAGES).max(1);
    raw = raw.into_iter().step_by(step).collect();
    let bytes = raw.iter().map(|page| page.bytes.len() as u64).sum();
    let pages: Vec<Page> = raw.iter().map(parse).collect();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let spool = write_spool(&pages, &dir.path().join("spool"));

    let mut group = criterion.benchmark_group("stages");
    group.sample_size(20).throughput(Throughput::Bytes(bytes));
    group.bench_function("parse", |bencher| bencher.iter(|| raw.iter().map(parse_pieces).sum::<usize>()));
    group.bench_function("spool write", |bencher| {
        let path = dir.path().join("again");
        bencher.iter(|| {
            let _ = std::fs::remove_file(&path);
            write_spool(&pages, &path)
        });
    });
    group.bench_function("spool read", |bencher| bencher.iter(|| read_spool(&spool)));
    group.finish();
}

fn parse_pieces(raw: &RawPage) -> usize {
    parse(raw).piece_count()
}

fn write_spool(pages: &[Page], path: &std::path::Path) -> Spool {
    let mut writer = SpoolWriter::create(path).expect("a spool");
    for page in pages {
        writer.append(&Encoded::new(page).expect("a page is encoded")).expect("a page is written");
    }
    writer.finish().expect("a spool")
}

fn read_spool(spool: &Spool) -> usize {
    let window = spool.window(PageNo(0), PageNo(spool.len() as u32)).expect("a window");
    (0..spool.len() as u32).map(|page| window.page(PageNo(page)).expect("a page").piece_count()).sum()
}

/// All of a generated site's queries against its index, on one thread.
fn queries(criterion: &mut Criterion) {
    let site = common::generated();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let engine = engine(&site, dir.path());
    let queries = site.queries().into_iter().map(|query| Query { id: query.id, text: query.text }).collect();
    let queries = QuerySet { queries };
    let mut group = criterion.benchmark_group("queries");
    group.sample_size(20).throughput(Throughput::Elements(queries.queries.len() as u64));
    group.bench_function("batch", |bencher| {
        bencher.iter(|| run_batch(&engine, &queries, &Scope::default(), DEPTH, "bench", 1).expect("a run"));
    });
    group.finish();
}

fn engine(site: &Site, folder: &std::path::Path) -> Engine {
    unhusk::generate::write_site(site, &folder.join("site")).expect("a site");
    let collection = unhusk::read::Collection::open(folder.join("site/pages")).expect("a collection");
    let gathering = Gathering::default();
    let building = Building {
        method: Method::None,
        aside: Aside::default(),
        language: Language::NONE,
        choice: Default::default(),
        store: false,
        model: None,
        updatable: false,
    };
    let work = Work { threads: 1, watch: &Unwatched, interrupt: &Interrupt::default() };
    let index = folder.join("index");
    build(&[collection], &index, false, &gathering, &building, work).expect("an index");
    Engine::open(&index).expect("an index")
}

criterion_group!(benches, stages, queries);
criterion_main!(benches);
