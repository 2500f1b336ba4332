#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use tantivy::schema::Value;

use super::*;
use crate::index::words::Language;
use crate::ingest::{Interrupt, Unwatched, build};
use unhusk_pages::dedup::Cut;
use unhusk_strip::strip::Aside;
use unhusk_strip::strip::auto::Auto;
use unhusk_strip::strip::table::Table;

/// Pages of a site by name: the number of the text each has.
type Site = BTreeMap<u8, u8>;

/// A text that is a page's own, under a menu that all share. Some pages are copies of others.
fn html(text: u8) -> String {
    let words: Vec<String> =
        (0..12).map(|word| format!("w{}x{}", text % 6, word * usize::from(1 + text % 3))).collect();
    format!(
        "<title>T{}</title><nav><a href=/>home page of the site</a> <a href=/n>news of the day</a></nav><p>{}</p>",
        text % 6,
        words.join(" ")
    )
}

fn write(folder: &Path, site: &Site) {
    fs::remove_dir_all(folder).ok();
    fs::create_dir_all(folder).unwrap();
    for (name, text) in site {
        fs::write(folder.join(format!("p{name}.html")), html(*text)).unwrap();
    }
}

/// A site's pages in the order of their files' names.
fn in_order(site: &Site) -> Vec<(u8, u8)> {
    let mut pages: Vec<(u8, u8)> = site.iter().map(|(name, text)| (*name, *text)).collect();
    pages.sort_by_key(|(name, _)| format!("p{name}.html"));
    pages
}

/// Everything an answer can depend on: the documents, and what BM25 counts.
#[derive(Debug, PartialEq)]
struct Answers {
    documents: Vec<Vec<(String, String)>>,
    counts: String,
}

fn answers(index: &Path) -> Answers {
    let manifest = Manifest::read(index).unwrap();
    let (tantivy, _) = manifest.open_index(index).unwrap();
    let schema = tantivy.schema();
    let searcher = tantivy.reader().unwrap().searcher();
    let mut documents: Vec<Vec<(String, String)>> = Vec::new();
    for segment in searcher.segment_readers() {
        for document in segment.get_store_reader(8).unwrap().iter::<tantivy::TantivyDocument>(segment.alive_bitset()) {
            let document = document.unwrap();
            let values = document.field_values().map(|(field, value)| {
                (schema.get_field_name(field).to_owned(), value.as_str().unwrap_or_default().to_owned())
            });
            documents.push(values.collect());
        }
    }
    let counts = serde_json::json!([
        manifest.pages,
        manifest.aliases,
        manifest.corpus_bytes,
        manifest.text_bytes,
        manifest.kept_bytes,
        manifest.aside_bytes,
        manifest.unstripped_postings,
        manifest.fields,
        manifest.sizes,
    ]);
    Answers { documents, counts: counts.to_string() }
}

fn reading(dedup: bool) -> Gathering {
    let dedup = dedup.then(Cut::default);
    Gathering { dedup, keep_pages: true, ..Gathering::default() }
}

fn making(method: &Method, model: Option<PathBuf>) -> Building {
    Building {
        method: method.clone(),
        aside: Aside::default(),
        language: Language::default(),
        choice: Default::default(),
        store: true,
        model,
        updatable: true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn after_any_series_of_updates_an_index_is_as_one_built_from_scratch_with_its_model(
        first in proptest::collection::btree_map(0_u8..16, any::<u8>(), 2..12),
        changes in proptest::collection::vec((proptest::collection::btree_map(0_u8..16, any::<u8>(), 1..12), any::<bool>()), 1..4),
        dedup in any::<bool>(),
    ) {
        for method in [Method::None, Method::Table(Table::default()), Method::Auto(Auto::default())] {
            let dir = tempfile::tempdir().unwrap();
            let (folder, target, scratch) = (dir.path().join("site"), dir.path().join("index"), dir.path().join("scratch"));
            let interrupt = Interrupt::default();
            let work = Work { threads: 2, watch: &Unwatched, interrupt: &interrupt };
            write(&folder, &first);
            let open = |path: &Path| Collection::open(path).unwrap();
            build(&[open(&folder)], &target, false, &reading(dedup), &making(&method, None), work).unwrap();
            let mut there: Vec<(u8, u8)> = in_order(&first);
            for (site, prune) in &changes {
                write(&folder, site);
                let updating = Updating { prune: *prune, ..Updating::default() };
                let updated = update(&[open(&folder)], &target, updating, work).unwrap();
                if !updated.is_nothing() {
                    // What the collection does not have any more comes first, in the order it had.
                    there.retain(|(name, _)| !prune && !site.contains_key(name));
                    there.extend(in_order(site));
                }
                let all = dir.path().join("all.jsonl");
                let line = |&(name, text): &(u8, u8)| {
                    serde_json::json!({ "url": format!("p{name}.html"), "html": html(text) }).to_string() + "\n"
                };
                fs::write(&all, there.iter().map(line).collect::<String>()).unwrap();
                let model = (method != Method::None).then(|| upkeep::model_of(&target));
                build(&[open(&all)], &scratch, true, &reading(dedup), &making(&method, model), work).unwrap();
                prop_assert_eq!(answers(&target), answers(&scratch));
                let twice = update(&[open(&folder)], &target, Updating::default(), work).unwrap();
                prop_assert_eq!((twice.added, twice.changed, twice.unchanged), (0, 0, site.len() as u64));
            }
        }
    }
}
