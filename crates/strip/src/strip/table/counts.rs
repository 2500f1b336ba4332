//! On how many pages each chunk is.
//!
//! Each thread counts by itself. A thread whose counts outgrow its share of the memory writes them to disk, sorted, and
//! starts afresh; in the end all that was written and all that is in memory is merged by key. Adding up is the same
//! in any order, so the result depends neither on threads nor on memory. Saved counts (`saved`) are merged the same way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::chunks::chunks;
use super::{Means, Pages, StripError, Table};
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// A chunk in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) scope: u64,
    pub(super) chunk: u64,
}

/// Where a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Pages that have it.
    pub(super) pages: u32,
    /// How often it is there, all pages together.
    pub(super) times: u32,
    /// Its words.
    pub(super) words: u32,
    /// The first page that has it.
    pub(super) first: PageNo,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.pages = self.pages.saturating_add(other.pages);
        self.times = self.times.saturating_add(other.times);
        self.words = self.words.max(other.words);
        self.first = self.first.min(other.first);
    }
}

/// What a chunk costs at most: 33 bytes a slot, and a hash map that has just grown has 7 slots in 16 taken. Before it
/// grows again it is 38.
const BYTES_PER_CHUNK: u64 = 76;
/// Chunks a thread counts before it thinks about writing them out, however small the budget.
const FEWEST_CHUNKS: u64 = 64;

/// What was counted, to be gone through once.
pub(super) struct Counts<'a> {
    /// Pages in each scope.
    pub(super) scopes: Scopes,
    /// Sorted runs that were written to disk.
    pub(super) spilled: u64,
    sources: Vec<Sorted<'a>>,
    spill: Spill<'a>,
}

/// Pages in each scope, in the order of scopes.
pub(super) type Scopes = BTreeMap<u64, u32>;

/// Counts in the order of their keys.
pub(super) type Sorted<'a> = Box<dyn Iterator<Item = Result<(Key, Count), StripError>> + 'a>;

/// Counts all chunks of all pages.
pub(super) fn count<'a>(table: &'a Table, pages: &Pages<'_>, means: Means<'a>) -> Result<Counts<'a>, StripError> {
    let limit = (table.memory / BYTES_PER_CHUNK / means.threads as u64).max(FEWEST_CHUNKS);
    let spill = Spill { folder: means.scratch, runs: AtomicU64::new(0) };
    let counters = pages.observe(
        means.threads,
        || Counter { table, limit, spill: &spill, chunks: HashMap::new(), scopes: HashMap::new() },
        |counter, number, page| counter.observe(number, page),
    )?;
    let mut scopes = Scopes::new();
    let mut in_memory = Vec::new();
    for counter in counters {
        add_scopes(&mut scopes, counter.scopes);
        in_memory.push(sorted(counter.chunks));
    }
    let mut sources = spill.open()?;
    let spilled = sources.len() as u64;
    sources.extend(in_memory.into_iter().map(|counts| Box::new(counts.into_iter().map(Ok)) as Sorted<'a>));
    Ok(Counts { scopes, spilled, sources, spill })
}

/// Adds pages in scopes to pages in scopes.
pub(super) fn add_scopes(scopes: &mut Scopes, more: impl IntoIterator<Item = (u64, u32)>) {
    for (scope, pages) in more {
        let sum = scopes.entry(scope).or_default();
        *sum = sum.saturating_add(pages);
    }
}

impl Counts<'_> {
    /// Shows each chunk once, in the order of the keys, and says how many there were.
    pub(super) fn for_each(self, each: impl FnMut(Key, Count) -> Result<(), StripError>) -> Result<u64, StripError> {
        let distinct = merge(self.sources, each)?;
        self.spill.clear()?;
        Ok(distinct)
    }
}

/// One thread's counts.
pub(super) struct Counter<'a> {
    table: &'a Table,
    limit: u64,
    spill: &'a Spill<'a>,
    chunks: HashMap<Key, Count>,
    scopes: HashMap<u64, u32>,
}

impl Counter<'_> {
    fn observe(&mut self, number: PageNo, page: &Page) -> Result<(), StripError> {
        let scope = self.table.scope.of(&page.url);
        *self.scopes.entry(scope).or_default() += 1;
        let mut found = chunks(page, self.table.delimiters);
        found.sort_unstable_by_key(|chunk| chunk.hash);
        for same in found.chunk_by(|a, b| a.hash == b.hash) {
            let key = Key { scope, chunk: same[0].hash };
            let count = Count { pages: 1, times: same.len() as u32, words: same[0].words, first: number };
            self.chunks.entry(key).and_modify(|sum| sum.add(&count)).or_insert(count);
        }
        if self.chunks.len() as u64 > self.limit {
            let chunks = std::mem::take(&mut self.chunks);
            self.spill.write(sorted(chunks))?;
        }
        Ok(())
    }
}

fn sorted(chunks: HashMap<Key, Count>) -> Vec<(Key, Count)> {
    let mut sorted: Vec<_> = chunks.into_iter().collect();
    sorted.sort_unstable_by_key(|(key, _)| *key);
    sorted
}

/// Adds up what several sources have of each key, in the order of the keys, and says how many keys there are.
pub(super) fn merge(
    mut sources: Vec<Sorted<'_>>,
    mut each: impl FnMut(Key, Count) -> Result<(), StripError>,
) -> Result<u64, StripError> {
    let mut heads: BinaryHeap<Reverse<(Key, usize)>> = BinaryHeap::new();
    let mut waiting: Vec<Option<Count>> = vec![None; sources.len()];
    let mut current: Option<(Key, Count)> = None;
    let mut distinct = 0;
    for (number, source) in sources.iter_mut().enumerate() {
        advance(number, source, &mut heads, &mut waiting)?;
    }
    while let Some(Reverse((key, number))) = heads.pop() {
        if let Some(count) = waiting[number].take() {
            match &mut current {
                Some((last, sum)) if *last == key => sum.add(&count),
                _ => {
                    if let Some((key, count)) = current.replace((key, count)) {
                        distinct += 1;
                        each(key, count)?;
                    }
                }
            }
        }
        advance(number, &mut sources[number], &mut heads, &mut waiting)?;
    }
    if let Some((key, count)) = current {
        distinct += 1;
        each(key, count)?;
    }
    Ok(distinct)
}

fn advance(
    number: usize,
    source: &mut Sorted<'_>,
    heads: &mut BinaryHeap<Reverse<(Key, usize)>>,
    waiting: &mut [Option<Count>],
) -> Result<(), StripError> {
    if let Some((key, count)) = source.next().transpose()? {
        heads.push(Reverse((key, number)));
        waiting[number] = Some(count);
    }
    Ok(())
}

const RECORD: usize = 8 + 8 + 4 * 4;

/// Reads a run on disk.
fn next(file: &mut impl Read) -> io::Result<Option<(Key, Count)>> {
    let mut record = [0; RECORD];
    match file.read_exact(&mut record) {
        Ok(()) => Ok(Some(unpack(&record))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn pack(key: &Key, count: &Count) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..8].copy_from_slice(&key.scope.to_le_bytes());
    record[8..16].copy_from_slice(&key.chunk.to_le_bytes());
    let numbers = [count.pages, count.times, count.words, count.first.0];
    for (place, number) in record[16..].chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    record
}

fn unpack(record: &[u8; RECORD]) -> (Key, Count) {
    let long = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
    let short = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().expect("four bytes"));
    let count = Count { pages: short(16), times: short(20), words: short(24), first: PageNo(short(28)) };
    (Key { scope: long(0), chunk: long(8) }, count)
}

/// Runs of sorted counts on disk.
struct Spill<'a> {
    folder: &'a Path,
    runs: AtomicU64,
}

impl<'a> Spill<'a> {
    fn write(&self, counts: Vec<(Key, Count)>) -> Result<(), StripError> {
        let write = || -> io::Result<()> {
            fs::create_dir_all(self.folder)?;
            let number = self.runs.fetch_add(1, Ordering::Relaxed);
            let mut file = BufWriter::with_capacity(1 << 18, File::create(self.run(number))?);
            for (key, count) in &counts {
                file.write_all(&pack(key, count))?;
            }
            file.flush()
        };
        write().map_err(|error| self.failed(error))
    }

    fn open(&self) -> Result<Vec<Sorted<'a>>, StripError> {
        let folder = self.folder;
        let failed = move |source| StripError::Scratch { folder: folder.to_owned(), source };
        let open = |number| -> io::Result<Sorted<'a>> {
            let mut file = BufReader::with_capacity(1 << 16, File::open(self.run(number))?);
            Ok(Box::new(std::iter::from_fn(move || next(&mut file).map_err(failed).transpose())))
        };
        (0..self.runs.load(Ordering::Relaxed)).map(open).collect::<io::Result<_>>().map_err(failed)
    }

    fn clear(&self) -> Result<(), StripError> {
        let mut runs = 0..self.runs.load(Ordering::Relaxed);
        runs.try_for_each(|number| fs::remove_file(self.run(number))).map_err(|error| self.failed(error))
    }

    fn run(&self, number: u64) -> PathBuf {
        self.folder.join(format!("counts-{number}"))
    }

    fn failed(&self, source: io::Error) -> StripError {
        StripError::Scratch { folder: self.folder.to_owned(), source }
    }
}
