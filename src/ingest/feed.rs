//! The second pass: pages are marked, extracted and indexed, a segment at a time.
//!
//! Segments are cut by the collection alone, so their number and content do not depend on the number of threads.
//! A thread takes the next segment and does all of it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Collected, IngestError, Work};
use crate::extract::extract;
use crate::index::Site;
use crate::index::kept::{KeptMarks, Part, PartWriter};
use crate::index::segments::{Layout, SEGMENT_TEXT, SegmentWriter};
use crate::index::vocabulary::LeftOut;
use crate::strip::{Mask, Model, Pages, for_each_page};

/// What the second pass leaves.
#[derive(Default)]
pub(super) struct Fed {
    /// The segments' folders, in the collection's order.
    pub(super) parts: Vec<PathBuf>,
    /// Bytes of visible text there were.
    pub(super) text_bytes: u64,
    /// Bytes of text that were kept.
    pub(super) kept_bytes: u64,
    /// Postings of the body that stripping saved; less than none where a text that was given has more than the page.
    pub(super) dropped_postings: i64,
    /// Kept pages, by the number of their segment.
    pub(super) kept: Vec<(usize, Part)>,
}

/// Indexes all pages.
pub(super) fn feed(
    collected: &Collected,
    pages: &Pages<'_>,
    model: &dyn Model,
    layout: &Layout,
    site: &Site,
    work: Work<'_>,
) -> Result<Fed, IngestError> {
    let stretches = stretches(pages);
    let parts: Vec<PathBuf> = (0..stretches.len()).map(|n| site.scratch(&format!("segment-{n}"))).collect();
    let feeder = Feeder { collected, pages, model, layout, work };
    let next = AtomicUsize::new(0);
    let feed_some = || -> Result<Fed, IngestError> {
        let mut fed = Fed::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(stretch) = stretches.get(number) else { return Ok(fed) };
            let kept = feeder.segment(stretch.clone(), &parts[number], &mut fed)?;
            fed.kept.extend(kept.map(|part| (number, part)));
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
    total.parts = parts;
    total.kept.sort_by_key(|(number, _)| *number);
    Ok(total)
}

impl Fed {
    fn and(mut self, other: Fed) -> Fed {
        self.kept.extend(other.kept);
        Fed {
            kept: self.kept,
            parts: self.parts,
            text_bytes: self.text_bytes + other.text_bytes,
            kept_bytes: self.kept_bytes + other.kept_bytes,
            dropped_postings: self.dropped_postings + other.dropped_postings,
        }
    }
}

struct Feeder<'a> {
    collected: &'a Collected,
    pages: &'a Pages<'a>,
    model: &'a dyn Model,
    layout: &'a Layout,
    work: Work<'a>,
}

impl Feeder<'_> {
    fn segment(&self, stretch: Range<usize>, part: &Path, fed: &mut Fed) -> Result<Option<Part>, IngestError> {
        let mut writer = SegmentWriter::create(part, self.layout)?;
        let sources = self.collected.sources.as_ref();
        let mut beside = sources.map(|_| PartWriter::create(&part.with_extension("pages"))).transpose()?;
        let spool = self.pages.spool();
        for_each_page(spool, &self.pages.numbers()[stretch], |number, page| {
            self.work.interrupt.check()?;
            let kept = self.model.kept(number, &page)?;
            fed.text_bytes += page.text_bytes() as u64;
            fed.kept_bytes += kept.bytes;
            if let (Some(beside), Some(sources)) = (&mut beside, sources) {
                let marks = kept
                    .mask
                    .as_ref()
                    .map_or_else(|| KeptMarks::new(&Mask::keep_all(page.piece_count())), KeptMarks::new);
                beside.add(&page.id, &sources.read(number)?, &marks)?;
            }
            let left_out = match &kept.mask {
                Some(mask) => LeftOut::of(&page, mask),
                None => Some(LeftOut::Glued { whole: page.text_where(|_| true) }),
            };
            let mut document = extract(page, kept.text);
            if let Some(copies) = self.collected.aliases.get(&number) {
                document.aliases.clone_from(&copies.aliases);
            }
            writer.add(&document)?;
            fed.dropped_postings += left_out.map_or(0, |left_out| writer.spared(&left_out));
            self.work.watch.advance(1);
            Ok::<(), IngestError>(())
        })?;
        writer.finish()?;
        Ok(beside.map(PartWriter::finish).transpose()?)
    }
}

/// Cuts the collection into stretches of about the same amount of text.
fn stretches(pages: &Pages<'_>) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    let numbers = pages.numbers();
    for (at, &number) in numbers.iter().enumerate() {
        bytes += u64::from(pages.spool().text_bytes(number));
        if bytes >= SEGMENT_TEXT || at + 1 == numbers.len() {
            stretches.push(from..at + 1);
            (from, bytes) = (at + 1, 0);
        }
    }
    stretches
}
