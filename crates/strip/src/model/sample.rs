//! The pages of each site that `auto` learns from.
//!
//! A site is learned from the pages whose ids have the smallest hashes. The smallest of a whole are among the smallest of its
//! parts, so samples can be put together and cut again, in any order. A record is the hash of the site, the hash of the id,
//! and the parsed page; records are in the order of these hashes.

use std::iter::Peekable;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::strip::auto::Auto;
use crate::strip::{self, Pages, StripError};
use unhusk_pages::spool::{Encoded, Packed, PackedError, PackedWriter, Spool, SpoolError, SpoolWriter};

/// What a record begins with: two hashes.
const KEY: usize = 8 + 8;

/// Site and page, by their hashes.
type Key = (u64, u64);

/// Writes the sample of some pages; how many sites and pages it has.
pub(super) fn draw(auto: &Auto, pages: &Pages<'_>, into: &mut PackedWriter) -> Result<(u64, u64), StripError> {
    let (mut sites, mut drawn) = (0, 0);
    for (site, sample) in strip::draw(pages, auto.sample)? {
        let mut ids = Vec::new();
        sample.for_each_name(|number, name| ids.push((xxh3_64(name.id.as_bytes()), number)))?;
        ids.sort_unstable();
        for (id, number) in &ids {
            let page = sample.spool().window(*number, number.next())?.encoded(*number)?;
            into.append(&record((site, *id), &page))?;
        }
        sites += 1;
        drawn += ids.len() as u64;
    }
    Ok((sites, drawn))
}

fn record((site, id): Key, page: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(KEY + page.len());
    record.extend_from_slice(&site.to_le_bytes());
    record.extend_from_slice(&id.to_le_bytes());
    record.extend_from_slice(page);
    record
}

/// A record and its key.
type Drawn = Result<(Key, Vec<u8>), PackedError>;

fn records(packed: &Packed) -> impl Iterator<Item = Drawn> + '_ {
    packed.records().map(|found| {
        let (place, record) = found?;
        let long = |at: usize| record.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
        let key = long(0).zip(long(8)).ok_or_else(|| packed.damaged(place, "no record of a page"))?;
        Ok((key, record))
    })
}

/// Puts samples together and cuts them to size; how many sites and pages there are. Of two pages with one id, which should
/// not be, the smaller is taken: the same in any order.
pub(super) fn merge(auto: &Auto, models: &[&Packed], into: &mut PackedWriter) -> Result<(u64, u64), StripError> {
    let mut sources: Vec<_> = models.iter().map(|packed| records(packed).peekable()).collect();
    let (mut sites, mut drawn) = (0, 0);
    let mut current: Option<(u64, usize)> = None;
    while let Some(key) = least(&mut sources)? {
        let record = take(&mut sources, key)?;
        let of_site = match current {
            Some((site, of_site)) if site == key.0 => of_site,
            _ => {
                sites += 1;
                0
            }
        };
        if of_site < auto.sample {
            into.append(&record)?;
            drawn += 1;
        }
        current = Some((key.0, of_site + 1));
    }
    Ok((sites, drawn))
}

/// The smallest key that is next in one of the sources.
fn least<I: Iterator<Item = Drawn>>(sources: &mut [Peekable<I>]) -> Result<Option<Key>, StripError> {
    let mut least: Option<Key> = None;
    for source in sources {
        match source.peek() {
            Some(Ok((key, _))) => least = Some(least.map_or(*key, |least| least.min(*key))),
            Some(Err(_)) => {
                if let Some(Err(error)) = source.next() {
                    return Err(error.into());
                }
            }
            None => {}
        }
    }
    Ok(least)
}

/// Takes the records of a key from all sources that have it, and returns the smallest.
fn take<I: Iterator<Item = Drawn>>(sources: &mut [Peekable<I>], key: Key) -> Result<Vec<u8>, StripError> {
    let mut smallest: Option<Vec<u8>> = None;
    for source in sources {
        while let Some(next) = source.next_if(|next| matches!(next, Ok((found, _)) if *found == key)) {
            let (_, record) = next?;
            smallest = Some(smallest.map_or_else(|| record.clone(), |other| other.min(record.clone())));
        }
    }
    Ok(smallest.unwrap_or_default())
}

/// The sampled pages as a spool in a new folder.
pub(super) fn spool(packed: &Packed, scratch: &Path) -> Result<Spool, StripError> {
    std::fs::create_dir_all(scratch).map_err(|source| StripError::Scratch { folder: scratch.to_owned(), source })?;
    let mut spool = SpoolWriter::create(&scratch.join("sample"))?;
    for found in records(packed) {
        let (_, record) = found?;
        let page = Encoded::again(&record[KEY..]).map_err(|source| SpoolError::Damaged {
            path: packed.path().to_owned(),
            offset: 0,
            source,
        })?;
        spool.append(&page)?;
    }
    Ok(spool.finish()?)
}
