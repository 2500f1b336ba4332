//! The second pass: pages are marked, extracted and indexed, a part of the index at a time.
//!
//! Parts are cut by the collection alone, so their number and content do not depend on the number of threads.
//! A thread takes the next part and does all of it; whoever ends the last of those that become one segment merges them. A page
//! that an updated index has already is taken from there.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::gather::Turn;
use super::prints::Print;
use super::{Building, Collected, IngestError, Old, Work};
use crate::index::segments::{self, Layout, PART_TEXT, SegmentWriter};
use crate::index::tally::Tally;
use crate::index::upkeep::{self, Entry, Text};
use crate::index::vocabulary::{self, LeftOut};
use crate::index::{Site, kept};
use unhusk_documents::extract::{Document, extract};
use unhusk_pages::metadata::site::Sites;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;
use unhusk_strip::strip::scope::Scope;
use unhusk_strip::strip::{Mask, Model};

/// Pages that are read through one window: what is mapped counts as memory.
const WINDOW: usize = 64;

/// What the second pass leaves.
#[derive(Default)]
pub(super) struct Fed {
    /// The segments' folders, in the collection's order.
    pub(super) segments: Vec<PathBuf>,
    /// Bytes of visible text there were.
    pub(super) text_bytes: u64,
    /// Bytes of text that were kept.
    pub(super) kept_bytes: u64,
    /// Bytes of text that were set aside.
    pub(super) aside_bytes: u64,
    /// Postings that stripping saved; less than none where a text that was given has more than the page, or words are in the body and
    /// aside too.
    pub(super) dropped_postings: i64,
    /// What its pages say about themselves.
    pub(super) tally: Tally,
    /// What goes beside the index, by the number of its part.
    pub(super) beside: Vec<(usize, Beside)>,
}

/// What goes beside a part, where it is wanted: pages to look at, and what an update needs.
pub(super) struct Beside {
    pub(super) kept: Option<kept::Part>,
    pub(super) upkeep: Option<upkeep::Part>,
}

/// Indexes all pages.
pub(super) fn feed(
    collected: &Collected,
    (model, sites): (&dyn Model, &Sites),
    layout: &Layout,
    building: &Building,
    site: &Site,
    work: Work<'_>,
) -> Result<Fed, IngestError> {
    let stretches = stretches(collected);
    let parts: Vec<PathBuf> = (0..stretches.len()).map(|n| site.scratch(&format!("part-{n}"))).collect();
    let groups: Vec<Group> = segments::groups(parts.len()).into_iter().map(|parts| Group::new(parts, site)).collect();
    let feeder = Feeder { collected, model, sites, layout, building, work };
    let next = AtomicUsize::new(0);
    let feed_some = || -> Result<Fed, IngestError> {
        let mut fed = Fed::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(stretch) = stretches.get(number) else { return Ok(fed) };
            let beside = feeder.part(stretch.clone(), &parts[number], &mut fed)?;
            fed.beside.push((number, beside));
            groups.iter().filter(|group| group.parts.contains(&number)).try_for_each(|group| group.end_one(&parts))?;
        }
    };
    let mut total = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..work.threads.min(stretches.len())).map(|_| scope.spawn(feed_some)).collect();
        let mut total = feed_some();
        for worker in workers {
            let fed = worker.join().expect("a worker does not panic");
            total = total.and_then(|total| Ok(total.and(fed?)));
        }
        total
    })?;
    total.segments = groups.into_iter().map(|group| group.segment).collect();
    total.beside.sort_by_key(|(number, _)| *number);
    Ok(total)
}

/// Parts that become one segment.
struct Group {
    parts: Range<usize>,
    left: AtomicUsize,
    segment: PathBuf,
}

impl Group {
    fn new(parts: Range<usize>, site: &Site) -> Self {
        let segment = site.scratch(&format!("segment-{}", parts.start));
        Group { left: AtomicUsize::new(parts.len()), segment, parts }
    }

    /// One of the parts is written: with the last of them, they are merged.
    fn end_one(&self, parts: &[PathBuf]) -> Result<(), IngestError> {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            segments::merge(&parts[self.parts.clone()], &self.segment)?;
        }
        Ok(())
    }
}

impl Fed {
    fn and(mut self, other: Fed) -> Fed {
        self.beside.extend(other.beside);
        self.tally.merge(other.tally);
        Fed {
            tally: self.tally,
            beside: self.beside,
            segments: self.segments,
            text_bytes: self.text_bytes + other.text_bytes,
            kept_bytes: self.kept_bytes + other.kept_bytes,
            aside_bytes: self.aside_bytes + other.aside_bytes,
            dropped_postings: self.dropped_postings + other.dropped_postings,
        }
    }

    fn count(&mut self, entry: &Entry) {
        self.text_bytes += u64::from(entry.text_bytes);
        self.kept_bytes += entry.kept_bytes;
        self.aside_bytes += entry.aside_bytes;
        self.dropped_postings += entry.spared;
    }
}

struct Feeder<'a> {
    collected: &'a Collected,
    model: &'a dyn Model,
    sites: &'a Sites,
    layout: &'a Layout,
    building: &'a Building,
    work: Work<'a>,
}

/// A part and what goes beside it, being written.
struct Part {
    writer: SegmentWriter,
    tally: Tally,
    kept: Option<kept::PartWriter>,
    upkeep: Option<upkeep::PartWriter>,
}

impl Feeder<'_> {
    /// Indexes the pages at places in a row. Copies are not indexed; but an update may need them.
    fn part(&self, places: Range<usize>, path: &Path, fed: &mut Fed) -> Result<Beside, IngestError> {
        let keeps = self.collected.gathering.keep_pages;
        let mut part = Part {
            writer: SegmentWriter::create(path, self.layout)?,
            tally: Tally::default(),
            kept: keeps.then(|| kept::PartWriter::create(&path.with_extension("pages"))).transpose()?,
            upkeep: self.building.updatable.then(|| upkeep::PartWriter::create(path)).transpose()?,
        };
        for start in places.clone().step_by(WINDOW) {
            self.stretch(start..places.end.min(start + WINDOW), &mut part, fed)?;
        }
        part.writer.finish()?;
        fed.tally.merge(part.tally);
        Ok(Beside {
            kept: part.kept.map(kept::PartWriter::finish).transpose()?,
            upkeep: part.upkeep.map(upkeep::PartWriter::finish).transpose()?,
        })
    }

    /// Indexes some of a part's pages.
    fn stretch(&self, places: Range<usize>, part: &mut Part, fed: &mut Fed) -> Result<(), IngestError> {
        let fresh = self.fresh_among(&places);
        let window = self.collected.spool.window(fresh.start, fresh.end)?;
        let prints = self.collected.prints.of(fresh.start.index()..fresh.end.index())?;
        for place in places.map(|place| PageNo(place as u32)) {
            self.work.interrupt.check()?;
            let is_original = self.collected.originals.binary_search(&place).is_ok();
            if !is_original && !self.building.updatable {
                continue;
            }
            let entry = match (self.collected.turns[place.index()], &self.collected.old) {
                (Turn::Fresh(number), _) => {
                    let print = prints[number.index() - fresh.start.index()];
                    self.fresh(place, number, window.page(number)?, print, is_original, part)?
                }
                (Turn::Old(number), Some(old)) => self.old(place, old, number, is_original, part)?,
                (Turn::Old(..), None) => continue,
            };
            if is_original {
                fed.count(&entry);
                self.work.watch.advance(1);
            }
        }
        Ok(())
    }

    /// The parsed pages among these.
    fn fresh_among(&self, places: &Range<usize>) -> Range<PageNo> {
        let mut fresh = self.collected.turns[places.clone()].iter().filter_map(|turn| match turn {
            Turn::Fresh(number) => Some(*number),
            Turn::Old(..) => None,
        });
        match (fresh.next(), fresh.next_back()) {
            (Some(first), last) => first..last.unwrap_or(first).next(),
            (None, _) => PageNo(0)..PageNo(0),
        }
    }

    /// A page that was parsed: it is marked.
    fn fresh(
        &self,
        place: PageNo,
        number: PageNo,
        page: Page,
        print: Print,
        is_original: bool,
        part: &mut Part,
    ) -> Result<Entry, IngestError> {
        let kept = self.model.kept(number, &page, self.building.aside)?;
        if let (Some(beside), Some(sources)) = (&mut part.kept, &self.collected.sources) {
            let mask = kept.mask.as_ref();
            let marks =
                mask.map_or_else(|| kept::KeptMarks::new(&Mask::keep_all(page.piece_count())), kept::KeptMarks::new);
            beside.add(&page.id, &sources.read(number)?, &marks)?;
        }
        let left_out = match &kept.mask {
            Some(mask) => LeftOut::of(&page, mask),
            None => Some(LeftOut::Glued { whole: page.text_where(|_| true) }),
        };
        let text_bytes = page.text_bytes() as u32;
        let mut entry = Entry::new(page.id.clone(), print.hash, print.stamp, print.source_bytes, text_bytes);
        entry.kept_bytes = kept.bytes;
        entry.aside_bytes = kept.aside_bytes;
        entry.learned = self.collected.old.is_none();
        let site = self.sites.of(Scope::Host.of(&page.url));
        let chosen = self.building.choice.of(&page, site);
        part.tally.left_out(&page.left_out, &chosen);
        let mut document = self.document(place, extract(page, chosen.fields, kept.text, kept.aside));
        document.unsearched = left_out.as_ref().map_or(0, |left_out| match is_original {
            true => part.writer.words_left_out(&document, left_out),
            false => vocabulary::words_left_out(self.layout, &document, left_out),
        });
        if is_original {
            part.writer.add(&document)?;
            part.tally.add(&document.fields);
            entry.spared = left_out.map_or(0, |left_out| part.writer.spared(&document, &left_out));
        } else if let Some(left_out) = left_out {
            entry.spared = vocabulary::spared(self.layout, &document, &left_out);
        }
        entry.unsearched = document.unsearched;
        self.keep_up(&entry, document, is_original, part)?;
        Ok(entry)
    }

    /// Notes what an update needs of a page.
    fn keep_up(
        &self,
        entry: &Entry,
        document: Document,
        is_original: bool,
        part: &mut Part,
    ) -> Result<(), IngestError> {
        let Some(upkeep) = &mut part.upkeep else { return Ok(()) };
        let mut entry = entry.clone();
        entry.is_copy = !is_original;
        let Document { url, title, body, aside, fields, .. } = document;
        let is_stored = is_original && self.layout.fields.stores_body();
        Ok(upkeep.add(entry, (!is_stored).then_some(&Text { url, title, body, aside, fields }))?)
    }

    /// A page that the updated index has: it is taken as it is.
    fn old(
        &self,
        place: PageNo,
        old: &Old,
        number: u32,
        is_original: bool,
        part: &mut Part,
    ) -> Result<Entry, IngestError> {
        let mut entry = old.entry(number).clone();
        entry.stamp = self.collected.stamps.get(&number).copied().or(entry.stamp);
        let document = self.document(place, old.document(number)?);
        let document = Document { unsearched: entry.unsearched, ..document };
        if is_original {
            part.writer.add(&document)?;
            part.tally.add(&document.fields);
        }
        if let (Some(beside), Some(pages)) = (&mut part.kept, old.kept()) {
            beside.add_again(&entry.id, pages)?;
        }
        self.keep_up(&entry, document, is_original, part)?;
        Ok(entry)
    }

    fn document(&self, place: PageNo, document: Document) -> Document {
        let copies = self.collected.aliases.get(&place);
        Document { aliases: copies.map(|copies| copies.aliases.clone()).unwrap_or_default(), ..document }
    }
}

/// Cuts the collection into stretches with about the same amount of text to be indexed. Copies go with the page before them.
fn stretches(collected: &Collected) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut bytes = 0;
    for pair in collected.originals.windows(2) {
        bytes += u64::from(collected.text_bytes(pair[0]));
        if bytes >= PART_TEXT {
            starts.push(pair[1].index());
            bytes = 0;
        }
    }
    let ends = starts.iter().skip(1).copied().chain([collected.turns.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| start..end).collect()
}
