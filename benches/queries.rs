//! Queries a second: an index of everything, one that was stripped, and plain Tantivy on the same text.
//!
//! *Plain Tantivy* is an index of the as-is text with our fields, written by Tantivy's own writer with its default
//! analyser, asked through its query parser. All answer the same queries in turn, on one thread, with the ids of the
//! documents found. See `docs/benchmarks.md`.

mod common;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{STORED, STRING, Schema, TEXT};
use tantivy::{Index, Searcher, SegmentReader, TantivyDocument};

use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::index::words::Language;
use unhusk::ingest::{Building, Gathering, Interrupt, Unwatched, Work, build};
use unhusk::parse::parse;
use unhusk::read::{Collection, Found, ReadOptions};
use unhusk::search::queries::{Query, QuerySet};
use unhusk::search::{Engine, Scope, run_batch};
use unhusk::strip::auto::Auto;
use unhusk::strip::table::Table;
use unhusk::strip::{Aside, Method};

/// Documents asked for, and how often the batch is run in a round: the clock ticks in hundredths of a second.
const DEPTHS: [(usize, usize); 2] = [(10, 50), (1_000, 5)];

fn main() {
    let pages = common::setting("UNHUSK_BENCH_PAGES", 100_000);
    let rounds = common::setting("UNHUSK_BENCH_ROUNDS", 5);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let site = Site::new(Options { pages: pages as u64, marks: false, ..Options::default() }).expect("a site");
    let file = dir.path().join("pages.jsonl");
    let mut lines = BufWriter::new(File::create(&file).expect("a file"));
    write_jsonl(&site, &mut lines).expect("pages are written");
    lines.flush().expect("pages are written");
    let texts: Vec<Query> = site.queries().into_iter().map(|q| Query { id: q.id, text: q.text }).collect();
    let queries = QuerySet { queries: texts };

    let methods =
        [("none", Method::None), ("table", Method::Table(Table::default())), ("auto", Method::Auto(Auto::default()))];
    let engines: Vec<_> =
        methods.into_iter().map(|(name, method)| (name, engine(&file, method, &dir.path().join(name)))).collect();
    let plain = Plain::build(&file, &dir.path().join("plain"));
    println!("{pages} pages, {} queries, one thread, medians of {rounds} rounds", queries.queries.len());
    for (depth, times) in DEPTHS {
        let mut seconds = vec![Vec::new(); engines.len() + 1];
        // One round more, whose figures are dropped: it warms the page cache.
        for round in 0..=rounds {
            let mut taken: Vec<f64> = engines
                .iter()
                .map(|(_, engine)| {
                    let batch = || drop(run_batch(engine, &queries, &Scope::default(), depth, "b", 1).expect("a run"));
                    seconds_of(times, batch)
                })
                .collect();
            taken.push(seconds_of(times, || plain.run(&queries, depth)));
            if round > 0 {
                seconds.iter_mut().zip(taken).for_each(|(all, taken)| all.push(taken));
            }
        }
        let names = engines.iter().map(|(name, _)| *name).chain(["plain Tantivy"]);
        let rates: Vec<f64> = seconds.into_iter().map(|s| queries.queries.len() as f64 / median(s)).collect();
        for (name, rate) in names.zip(&rates) {
            println!("{depth:>5} best: {name:<14}{rate:>8.0} queries a second, {:.2} × none", rate / rates[0]);
        }
    }
}

/// Processor seconds of one of several times: other programs hardly change them.
fn seconds_of(times: usize, work: impl Fn()) -> f64 {
    let before = common::cpu_time();
    (0..times).for_each(|_| work());
    (common::cpu_time() - before).as_secs_f64() / times as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn engine(pages: &Path, method: Method, out: &Path) -> Engine {
    let gathering = Gathering::default();
    let building = Building {
        method,
        aside: Aside::default(),
        language: Language::NONE,
        choice: Default::default(),
        store: true,
        model: None,
        updatable: false,
    };
    let work = Work { threads: 2, watch: &Unwatched, interrupt: &Interrupt::default() };
    let collection = Collection::open(pages).expect("a collection");
    build(&[collection], out, false, &gathering, &building, work).expect("an index");
    Engine::open(out).expect("an index")
}

/// What one has who follows Tantivy's example.
struct Plain {
    searcher: Searcher,
    parser: QueryParser,
    ids: Vec<Vec<String>>,
}

impl Plain {
    fn build(pages: &Path, out: &Path) -> Self {
        std::fs::create_dir_all(out).expect("a folder");
        let mut schema = Schema::builder();
        let id = schema.add_text_field("id", (STRING | STORED).set_fast("raw"));
        let title = schema.add_text_field("title", TEXT | STORED);
        let body = schema.add_text_field("body", TEXT | STORED);
        let index = Index::create_in_dir(out, schema.build()).expect("an index");
        let mut writer = index.writer_with_num_threads(1, 256 << 20).expect("a writer");
        let mut add = |found| {
            if let Found::Page(raw) = found {
                let page = parse(&raw);
                let mut document = TantivyDocument::new();
                document.add_text(id, &page.id);
                document.add_text(title, &page.title);
                document.add_text(body, page.text_where(|_| true));
                writer.add_document(document).expect("a document is added");
            }
            std::ops::ControlFlow::Continue(())
        };
        Collection::open(pages).expect("a collection").read(&ReadOptions::default(), &mut add).expect("pages are read");
        writer.commit().expect("a commit");
        // One segment, as ours have.
        let segments = index.searchable_segment_ids().expect("segments");
        if segments.len() > 1 {
            writer.merge(&segments).wait().expect("a merge");
        }
        writer.wait_merging_threads().expect("merges end");
        let parser = QueryParser::for_index(&index, vec![title, body]);
        let searcher = index.reader().expect("a reader").searcher();
        let ids = searcher.segment_readers().iter().map(ids).collect();
        Plain { searcher, parser, ids }
    }

    fn run(&self, queries: &QuerySet, depth: usize) {
        for query in &queries.queries {
            let (query, _) = self.parser.parse_query_lenient(&query.text);
            let found = self.searcher.search(&query, &TopDocs::with_limit(depth).order_by_score()).expect("an answer");
            let ids = found.iter().map(|(_, at)| self.ids[at.segment_ord as usize][at.doc_id as usize].clone());
            std::hint::black_box(ids.collect::<Vec<String>>());
        }
    }
}

/// The ids of all documents of a segment. Looking each up in the index would cost more than the search.
fn ids(segment: &SegmentReader) -> Vec<String> {
    let column = segment.fast_fields().str("id").expect("a column").expect("a column");
    let id = |document| {
        let mut id = String::new();
        let ord = column.term_ords(document).next().expect("an id");
        column.ord_to_str(ord, &mut id).expect("an id");
        id
    };
    (0..segment.max_doc()).map(id).collect()
}
