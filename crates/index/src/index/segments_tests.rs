//! Segments are written to a directory that fails: at its first step, at its second, at every one.
#![allow(clippy::unwrap_used)]

use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use proptest::prelude::*;
use tantivy::collector::TopDocs;
use tantivy::directory::error::{DeleteError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, FileHandle, MmapDirectory, TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::query::QueryParser;
use tantivy::{Directory, DocAddress};

use super::*;
use crate::index::documents::Documents;
use crate::index::schema::analysers;
use crate::index::{Site, manifest, statistics};

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// Steps that go well before one fails, over all directories of a build.
#[derive(Clone, Debug)]
struct Fate {
    left: Arc<AtomicUsize>,
    struck: Arc<AtomicBool>,
    error: i32,
}

impl Fate {
    fn new(steps: usize, error: i32) -> Self {
        Fate { left: Arc::new(AtomicUsize::new(steps)), struck: Arc::default(), error }
    }

    /// From the step that fails on all fail: a full disk stays full.
    fn step(&self) -> io::Result<()> {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        if left > 0 {
            return Ok(());
        }
        self.struck.store(true, Ordering::Relaxed);
        Err(io::Error::from_raw_os_error(self.error))
    }
}

/// A directory that does as its fate is: when a file is opened, written, flushed, written out, replaced; when the folder is.
#[derive(Clone, Debug)]
struct Faulty {
    directory: MmapDirectory,
    fate: Fate,
}

impl Faulty {
    fn folder(path: &Path, fate: &Fate) -> Folder {
        fs::create_dir_all(path).unwrap();
        Folder::over(path, Faulty { directory: MmapDirectory::open(path).unwrap(), fate: fate.clone() })
    }
}

impl Directory for Faulty {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.fate.step().map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        self.directory.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.directory.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.directory.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.fate.step().map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        let writer = self.directory.open_write(path)?;
        Ok(BufWriter::with_capacity(256, Box::new(FaultyWriter { writer, fate: self.fate.clone() })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.directory.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.fate.step()?;
        self.directory.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.fate.step()?;
        self.directory.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.directory.watch(callback)
    }
}

struct FaultyWriter {
    writer: WritePtr,
    fate: Fate,
}

impl Write for FaultyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.fate.step()?;
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.fate.step()?;
        self.writer.flush()
    }
}

impl TerminatingWrite for FaultyWriter {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.fate.step()?;
        self.writer.terminate_ref(token)
    }
}

fn document(number: usize) -> Document {
    Document {
        id: format!("page-{number}"),
        url: format!("https://x.example/{number}"),
        title: format!("Page {number}"),
        body: (0..40).map(|word| format!("word{} ", number * word % 97)).collect(),
        aside: format!("more of {number}"),
        ..Document::default()
    }
}

fn layout() -> Layout {
    Layout { fields: Fields::new(true, Aside::Demote), language: Language::default(), aside: Aside::Demote }
}

/// Two parts and their merge, in place of the index at `target`.
fn build(target: &Path, fate: &Fate) -> Result<(), IndexError> {
    let site = Site::open(target, true)?;
    let layout = layout();
    let parts = [0, 1].map(|part| site.scratch(&format!("segment-{part}")));
    for (number, part) in parts.iter().enumerate() {
        let mut segment = SegmentWriter::create_in(Faulty::folder(part, fate), &layout)?;
        for page in 0..20 {
            segment.add(&document(20 * number + page))?;
        }
        segment.finish()?;
    }
    merge_into(&parts, Faulty::folder(&site.index().join("tantivy"), fate))?;
    fs::write(site.index().join(manifest::FILE), "{}").unwrap();
    site.finish()
}

/// Every file below a folder with what is in it.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn a_write_that_fails_at_any_step_is_an_error_that_names_its_file_and_the_old_index_stays() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("index");
    build(&target, &Fate::new(usize::MAX, EIO)).unwrap();
    let before = contents(dir.path());
    for steps in 0.. {
        let error = if steps % 2 == 0 { ENOSPC } else { EIO };
        let fate = Fate::new(steps, error);
        let Err(failed) = build(&target, &fate) else {
            assert!(!fate.struck.load(Ordering::Relaxed), "step {steps} failed, and nobody heard of it");
            assert!(steps > 50, "{steps} steps");
            break;
        };
        let said = failed.to_string();
        assert!(said.contains(".index.building/"), "step {steps} names no file: {said}");
        assert!(said.contains(&io::Error::from_raw_os_error(error).to_string()), "step {steps}: {said}");
        assert!(contents(dir.path()) == before, "step {steps} left something: {said}");
    }
}

proptest! {
    #[test]
    fn parts_become_segments_in_order_and_none_is_wide(parts in 0usize..5000) {
        let groups = groups(parts);
        prop_assert_eq!(groups.iter().flat_map(Clone::clone).collect::<Vec<_>>(), (0..parts).collect::<Vec<_>>());
        let most = MERGED.max(parts.isqrt());
        prop_assert!(groups.iter().all(|group| !group.is_empty() && group.len() <= most));
        prop_assert!(groups.len() <= parts.div_ceil(most));
    }
}

/// Each case builds a dozen indexes: fewer of them, unless all are asked for.
fn few() -> ProptestConfig {
    let all = std::env::var_os("UNHUSK_TESTS").is_some_and(|asked| asked == "all");
    let cases = ProptestConfig::default().cases;
    ProptestConfig { cases: if all { cases } else { cases / 16 }, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn however_parts_are_merged_documents_counts_and_rankings_are_the_same(
        lengths in prop::collection::vec(1usize..6, 1..9),
        width in 1usize..9,
    ) {
        prop_assert_eq!(merged(&lengths, width), merged(&lengths, lengths.len()));
    }
}

/// What there is in an index of parts of so many pages, when so many parts become a segment.
fn merged(lengths: &[usize], width: usize) -> (Vec<Document>, String, Vec<(u32, u32)>) {
    let dir = tempfile::tempdir().unwrap();
    let mut pages = 0..;
    let parts: Vec<PathBuf> = (0..lengths.len()).map(|n| dir.path().join(format!("part-{n}"))).collect();
    for (part, length) in parts.iter().zip(lengths) {
        let mut writer = SegmentWriter::create(part, &layout()).unwrap();
        pages.by_ref().take(*length).for_each(|page| writer.add(&document(page)).unwrap());
        writer.finish().unwrap();
    }
    let segments: Vec<PathBuf> =
        (0..parts.len().div_ceil(width)).map(|n| dir.path().join(format!("segment-{n}"))).collect();
    for (parts, segment) in parts.chunks(width).zip(&segments) {
        merge(parts, segment).unwrap();
    }
    let target = dir.path().join("index");
    join(&segments, &target).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");

    let mut index = Index::open_in_dir(&target).unwrap();
    index.set_tokenizers(analysers(Language::default()));
    assert_eq!(index.searchable_segments().unwrap().len(), segments.len());
    let files = fs::read_dir(&target).unwrap().count();
    assert_eq!(index.directory().list_managed_files().len(), files - 1, "all but the list itself");
    let fields = layout().fields;
    let documents = Documents::of(&index, fields.clone()).unwrap();
    let number = lengths.iter().sum::<usize>() as u32;
    assert!(documents.get(number).is_err());
    let counts = format!("{:?}", statistics::count(&index, &fields).unwrap());
    let documents: Vec<Document> = (0..number).map(|n| documents.get(n).unwrap()).collect();
    let query = QueryParser::for_index(&index, vec![fields.body]).parse_query("word1 word6").unwrap();
    let searcher = index.reader().unwrap().searcher();
    let starts: Vec<u32> = searcher
        .segment_readers()
        .iter()
        .scan(0, |start, segment| Some(std::mem::replace(start, *start + segment.max_doc())))
        .collect();
    let found = searcher.search(&query, &TopDocs::with_limit(50).order_by_score()).unwrap();
    let place = |at: DocAddress| starts[at.segment_ord as usize] + at.doc_id;
    (documents, counts, found.into_iter().map(|(score, at)| (score.to_bits(), place(at))).collect())
}
