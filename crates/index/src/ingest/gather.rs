//! The first pass: pages are read, parsed and written to the spool, in the collection's order.
//!
//! One thread reads, several parse and encode, one puts the results back in order and writes. What is under way is
//! bounded in bytes, so a fast reader cannot fill the memory, nor a slow page pile up those behind it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use crossbeam_channel::{Receiver, Sender, unbounded};
use xxhash_rust::xxh3::xxh3_128;

use super::gate::Gate;
use super::prints::{Print, PrintWriter, Prints};
use super::sources::{Sources, SourcesWriter};
use super::{Gathering, IngestError, Watch, Work};
use crate::index::IndexError;
use crate::index::kept;
use crate::index::manifest::PageCounts;
use unhusk_pages::dedup::{Sketch, Sketches};
use unhusk_pages::field::LeftOut;
use unhusk_pages::metadata;
use unhusk_pages::metadata::site::{Facts, Sample};
use unhusk_pages::parse::{self, parse_carried, parse_within};
use unhusk_pages::read::{Collection, Found, Origin, RawPage, SkipReason, Stamp, one_word};
use unhusk_pages::spool::{Encoded, PageNo, Spool, SpoolWriter};
use unhusk_strip::strip::Pages;
use unhusk_strip::strip::scope::Scope;

/// Bytes of HTML under way between reader and writer: what a processor's cache may hold. Two threads take 6.8 s with this for what takes
/// 7.3 s with four times as much, and 7.2 s with a quarter.
const UNDER_WAY: u64 = 4 << 20;
/// The file of sketches in the folder of the first pass.
pub(super) const SKETCHES: &str = "sketches";
/// Bytes of HTML that are handed on at once: to wake another thread for each page would cost a tenth of its parsing.
const PARCEL: u64 = 128 << 10;
/// What a page weighs beside its HTML.
const PAGE_WEIGHT: u64 = 4096;

/// What the first pass leaves.
pub(super) struct Gathered {
    pub(super) spool: Spool,
    /// Sketches to find duplicates by, unless they stay.
    pub(super) sketches: Option<Sketches>,
    /// Packed sources, where pages are kept.
    pub(super) sources: Option<Sources>,
    /// All pages that were found, in the collection's order.
    pub(super) turns: Vec<Turn>,
    /// What the pages in the spool were parsed from.
    pub(super) prints: Prints,
    /// Their bytes of HTML.
    pub(super) source_bytes: u64,
    /// What the files of pages look like now that the updated index has as they are, where that was looked at.
    pub(super) stamps: HashMap<u32, Stamp>,
    /// What is drawn of pages to see what is the site's.
    pub(super) sites: Sample,
    read: u64,
    skipped: BTreeMap<SkipReason, u64>,
    ignored: u64,
    damaged: u64,
    flattened: u64,
}

/// A page in the collection's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It was parsed and is in the spool.
    Fresh(PageNo),
    /// The index that is updated has it, under this number.
    Old(u32),
}

impl Gathered {
    /// The pages that were parsed.
    pub(super) fn pages(&self) -> Pages<'_> {
        Pages::all(&self.spool)
    }

    pub(super) fn counts(&self) -> PageCounts {
        PageCounts {
            read: self.read,
            indexed: 0,
            duplicates: 0,
            skipped: self.skipped.clone(),
            ignored: self.ignored,
            damaged: self.damaged,
            flattened: self.flattened,
        }
    }
}

/// The error for a collection without a page.
pub(super) fn nothing_found(collections: &[Collection], gathered: &Gathered) -> IngestError {
    let names: Vec<String> = collections.iter().map(ToString::to_string).collect();
    let why = if gathered.read > 0 {
        let reasons: Vec<String> = gathered.skipped.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
        format!("all {} pages were skipped ({})", gathered.read, reasons.join(", "))
    } else {
        "name a folder with .html files, or a WARC, TREC web or JSON lines file".to_owned()
    };
    IngestError::Empty(names.join(", "), why)
}

/// Reads all collections into a spool in `folder`.
pub(super) fn gather(
    collections: &[Collection],
    folder: &Path,
    options: &Gathering,
    work: Work<'_>,
) -> Result<Gathered, IngestError> {
    let mut writer = Writer::new(folder, options, work.watch)?;
    if work.threads == 1 {
        gather_alone(collections, options, &mut writer, work)?;
    } else {
        gather_together(collections, options, &mut writer, work)?;
    }
    work.interrupt.check()?;
    writer.finish()
}

fn gather_alone(
    collections: &[Collection],
    options: &Gathering,
    writer: &mut Writer<'_>,
    work: Work<'_>,
) -> Result<(), IngestError> {
    let mut result = Ok(());
    read_all(collections, options, &mut |found| {
        result = writer.write(digest(found, options));
        if result.is_err() || work.interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    result
}

fn gather_together(
    collections: &[Collection],
    options: &Gathering,
    writer: &mut Writer<'_>,
    work: Work<'_>,
) -> Result<(), IngestError> {
    let gate = Gate::new(UNDER_WAY);
    // The gate bounds both queues, in bytes.
    let (to_workers, raw) = unbounded();
    let (to_writer, done) = unbounded();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| read_into(collections, options, to_workers, &gate, work.interrupt));
        for _ in 0..work.threads {
            let (raw, to_writer) = (raw.clone(), to_writer.clone());
            scope.spawn(move || work_through(&raw, &to_writer, options));
        }
        drop((raw, to_writer));
        let written = write_in_order(&done, writer, &gate);
        // After a failure the others must not wait for a writer that is gone.
        gate.close();
        drop(done);
        let read = reader.join().expect("the reader does not panic");
        written.and(read)
    })
}

/// Some things found, on their way: their place in the collection's order and their weight at the gate.
struct Parcel<T> {
    number: u64,
    weight: u64,
    items: Vec<T>,
}

fn read_into(
    collections: &[Collection],
    options: &Gathering,
    to_workers: Sender<Parcel<Found>>,
    gate: &Gate,
    interrupt: &super::Interrupt,
) -> Result<(), IngestError> {
    let mut parcel = Parcel { number: 0, weight: 0, items: Vec::new() };
    let send = |parcel: &mut Parcel<Found>| {
        let next = Parcel { number: parcel.number + 1, weight: 0, items: Vec::with_capacity(parcel.items.len()) };
        let full = std::mem::replace(parcel, next);
        if !gate.enter(full.weight) || to_workers.send(full).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    read_all(collections, options, &mut |item| {
        parcel.weight += weight(&item);
        parcel.items.push(item);
        if interrupt.is_set() {
            return ControlFlow::Break(());
        }
        if parcel.weight >= PARCEL { send(&mut parcel) } else { ControlFlow::Continue(()) }
    })?;
    // Whoever could not take the last has said why.
    let _ = send(&mut parcel);
    Ok(())
}

fn read_all(
    collections: &[Collection],
    options: &Gathering,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Result<(), IngestError> {
    let mut stopped = false;
    for collection in collections {
        collection.read(&options.read, &mut |found| {
            let flow = emit(found);
            stopped |= flow.is_break();
            flow
        })?;
        if stopped {
            break;
        }
    }
    Ok(())
}

fn weight(found: &Found) -> u64 {
    match found {
        Found::Page(page) => page.bytes.len() as u64 + PAGE_WEIGHT,
        _ => PAGE_WEIGHT,
    }
}

/// What a worker makes of something found.
enum Done {
    Page(Box<Parsed>),
    /// The index that is updated has it as it is.
    Same {
        id: String,
        origin: Origin,
        number: u32,
        stamp: Option<Stamp>,
    },
    Other(Found),
}

struct Parsed {
    id: String,
    origin: Origin,
    print: Print,
    encoded: Encoded,
    flattened: bool,
    /// What is drawn of it to see what is the site's, with the hash of its host.
    facts: Option<(u64, Facts)>,
    sketch: Option<Sketch>,
    /// The packed source, where pages are kept.
    source: Option<std::io::Result<Vec<u8>>>,
}

fn digest(found: Found, options: &Gathering) -> Done {
    match found {
        Found::Page(mut raw) => {
            raw.id = one_word(&raw.id).into_owned();
            let old = options.old.as_deref();
            let print = Print::of(&raw);
            match old.and_then(|old| old.same(&raw.id, print.hash)) {
                Some(number) => Done::Same { id: raw.id, origin: raw.origin, number, stamp: raw.stamp },
                None => parse_and_encode(raw, print, options),
            }
        }
        Found::Unchanged { id } => {
            let id = one_word(&id).into_owned();
            let origin = Origin { file: id.clone().into(), offset: 0 };
            match options.old.as_ref().and_then(|old| old.number(&id)) {
                Some(number) => Done::Same { id, origin, number, stamp: None },
                None => Done::Other(Found::Ignored),
            }
        }
        other => Done::Other(other),
    }
}

fn parse_and_encode(raw: RawPage, print: Print, options: &Gathering) -> Done {
    let most = options.limits.pieces;
    let parsed = match &options.wrappers {
        Some(_) => parse_carried(&raw, options.limits),
        None => parse_within(&raw, options.limits),
    };
    let found = options.wrappers.as_ref().map(|wrappers| unhusk_wrap::typed::values(&parsed, wrappers));
    let parse::Parsed { mut page, words, said, flattened, .. } = parsed;
    if let Some(reading) = &options.metadata {
        metadata::read(&mut page, &said, reading);
    }
    if let Some((values, unread)) = found {
        page.fields.extend(values);
        if unread > 0 {
            *page.left_out.entry(LeftOut::Unread).or_default() += unread;
        }
    }
    if page.piece_count() > most as usize {
        return too_large(raw, format!("more than {most} pieces of text (--max-pieces)"));
    }
    let encoded = match Encoded::new(&page) {
        Ok(encoded) => encoded,
        // Nothing within the usual limits is so long.
        Err(error) => return too_large(raw, format!("{error}; lower --max-pieces or --max-page-size")),
    };
    Done::Page(Box::new(Parsed {
        encoded,
        flattened,
        facts: options.metadata.as_ref().map(|_| (Scope::Host.of(&page.url), Facts::of(&page.fields))),
        sketch: options.sketches().then(|| Sketch::new(&page, &words)),
        source: options.keep_pages.then(|| kept::pack(&parse::source(&raw))),
        print,
        id: raw.id,
        origin: raw.origin,
    }))
}

fn too_large(raw: RawPage, detail: String) -> Done {
    Done::Other(Found::Skipped { id: raw.id, origin: raw.origin, reason: SkipReason::TooLarge, detail })
}

fn work_through(raw: &Receiver<Parcel<Found>>, to_writer: &Sender<Parcel<Done>>, options: &Gathering) {
    for Parcel { number, weight, items } in raw {
        let items = items.into_iter().map(|item| digest(item, options)).collect();
        if to_writer.send(Parcel { number, weight, items }).is_err() {
            return;
        }
    }
}

fn write_in_order(done: &Receiver<Parcel<Done>>, writer: &mut Writer<'_>, gate: &Gate) -> Result<(), IngestError> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for parcel in done {
        waiting.insert(parcel.number, parcel);
        while let Some(parcel) = waiting.remove(&next) {
            parcel.items.into_iter().try_for_each(|item| writer.write(item))?;
            gate.leave(parcel.weight);
            next += 1;
        }
    }
    Ok(())
}

/// The end of the first pass: pages in order, ids checked, everything counted.
struct Writer<'w> {
    spool: SpoolWriter,
    sketches: Option<Sketches>,
    sources: Option<SourcesWriter>,
    watch: &'w dyn Watch,
    strict: bool,
    seen: HashSet<u128>,
    turns: Vec<Turn>,
    prints: PrintWriter,
    source_bytes: u64,
    stamps: HashMap<u32, Stamp>,
    sites: Sample,
    read: u64,
    skipped: BTreeMap<SkipReason, u64>,
    ignored: u64,
    damaged: u64,
    flattened: u64,
}

impl<'w> Writer<'w> {
    fn new(folder: &Path, options: &Gathering, watch: &'w dyn Watch) -> Result<Self, IngestError> {
        Ok(Writer {
            spool: SpoolWriter::create(&folder.join("spool"))?,
            sketches: options.sketches().then(|| Sketches::create(&folder.join(SKETCHES))).transpose()?,
            sources: options.keep_pages.then(|| SourcesWriter::create(&folder.join("sources"))).transpose()?,
            watch,
            strict: options.strict,
            seen: HashSet::new(),
            turns: Vec::new(),
            prints: PrintWriter::create(&folder.join("prints"))?,
            source_bytes: 0,
            stamps: HashMap::new(),
            sites: Sample::default(),
            read: 0,
            skipped: BTreeMap::new(),
            ignored: 0,
            damaged: 0,
            flattened: 0,
        })
    }

    fn write(&mut self, done: Done) -> Result<(), IngestError> {
        match done {
            Done::Page(page) => self.page(*page)?,
            Done::Same { id, origin, number, stamp } => self.same(&id, &origin, number, stamp)?,
            Done::Other(Found::Skipped { id, origin, reason, detail }) => self.skip(&id, &origin, reason, &detail)?,
            Done::Other(Found::Damaged { origin, message }) => self.damage(&origin, &message)?,
            Done::Other(_) => self.ignored += 1,
        }
        Ok(())
    }

    fn page(&mut self, page: Parsed) -> Result<(), IngestError> {
        if !self.seen.insert(xxh3_128(page.id.as_bytes())) {
            return self.skip(&page.id, &page.origin, SkipReason::DuplicateId, "a page before it has the same id");
        }
        self.turns.push(Turn::Fresh(self.spool.append(&page.encoded)?));
        if page.flattened {
            self.flattened += 1;
            self.watch.flattened(&page.id, &page.origin);
        }
        if let Some((sources, source)) = self.sources.as_mut().zip(page.source) {
            sources.append(&source.map_err(IndexError::io("pack pages into", "sources"))?)?;
        }
        if let Some((sketches, sketch)) = self.sketches.as_mut().zip(page.sketch) {
            sketches.add(&sketch)?;
        }
        if let Some((host, facts)) = page.facts {
            self.sites.add(host, &page.id, facts);
        }
        self.source_bytes += page.print.source_bytes;
        self.prints.add(page.print)?;
        self.read += 1;
        self.watch.advance(1);
        Ok(())
    }

    fn same(&mut self, id: &str, origin: &Origin, number: u32, stamp: Option<Stamp>) -> Result<(), IngestError> {
        if !self.seen.insert(xxh3_128(id.as_bytes())) {
            return self.skip(id, origin, SkipReason::DuplicateId, "a page before it has the same id");
        }
        self.turns.push(Turn::Old(number));
        self.stamps.extend(stamp.map(|stamp| (number, stamp)));
        self.read += 1;
        self.watch.advance(1);
        Ok(())
    }

    fn skip(&mut self, id: &str, origin: &Origin, reason: SkipReason, detail: &str) -> Result<(), IngestError> {
        if self.strict {
            return Err(IngestError::Strict(format!("{id} in {origin}: {reason} ({detail})")));
        }
        self.read += 1;
        *self.skipped.entry(reason).or_default() += 1;
        self.watch.skipped(id, origin, reason, detail);
        Ok(())
    }

    fn damage(&mut self, origin: &Origin, message: &str) -> Result<(), IngestError> {
        if self.strict {
            return Err(IngestError::Strict(format!("{origin} is damaged: {message}")));
        }
        self.damaged += 1;
        self.watch.damaged(origin, message);
        Ok(())
    }

    fn finish(self) -> Result<Gathered, IngestError> {
        Ok(Gathered {
            spool: self.spool.finish()?,
            sketches: self.sketches,
            sources: self.sources.map(SourcesWriter::finish).transpose()?,
            turns: self.turns,
            prints: self.prints.finish()?,
            source_bytes: self.source_bytes,
            stamps: self.stamps,
            sites: self.sites,
            read: self.read,
            skipped: self.skipped,
            ignored: self.ignored,
            damaged: self.damaged,
            flattened: self.flattened,
        })
    }
}
