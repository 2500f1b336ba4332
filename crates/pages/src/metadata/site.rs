//! What the pages of a site say all alike is the site's and not the page's: a logo is no page's image, and "admin" no author.
//!
//! A few facts of each page are drawn while pages are read: hashes of values, and the parts of titles. The pages of a host with the smallest id hashes are
//! drawn, so samples of parts of a collection can be put together in any order.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::field::{Content, Fields};
use crate::hashed::HashedMap;

/// Pages of a host that are drawn.
const PAGES: usize = 200;
/// Hosts that are drawn from.
const HOSTS: usize = 500;
/// Pages that prove something together.
const PROOF: u32 = 4;

/// Fields that are the page's own, and the share of a host's pages that may have one value of them. Somebody may well write nine of ten pages,
/// but no two pages have the same picture.
const OWN: [(&str, f64); 5] =
    [("description", 0.25), ("image", 0.25), ("author", 0.9), ("published", 0.9), ("modified", 0.9)];
/// The share of titles that a part which is the site's begins or ends.
const TITLES: f64 = 0.5;

/// Facts of some pages, by host and by the page's id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    hosts: BTreeMap<u64, BTreeMap<u64, Facts>>,
}

/// What is drawn of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Values of its own fields: which one, and a hash.
    values: Vec<(u8, u64)>,
    /// Hashes of what its titles begin and end with.
    ends: Vec<u64>,
}

impl Facts {
    /// The facts of a page with these fields.
    pub fn of(fields: &Fields) -> Self {
        let mut facts = Facts::default();
        for (number, (name, _)) in OWN.iter().enumerate() {
            facts.values.extend(fields.get(name).iter().map(|value| (number as u8, hash(&value.content))));
        }
        for value in fields.get("title") {
            if let Content::Text(title) = &value.content {
                facts.ends.extend(
                    [last_part(title), first_part(title)].into_iter().flatten().map(|(_, part)| part_hash(part)),
                );
            }
        }
        facts.values.sort_unstable();
        facts.values.dedup();
        facts.ends.sort_unstable();
        facts.ends.dedup();
        facts
    }
}

impl Sample {
    /// Draws a page, by the hash of its host and its id.
    pub fn add(&mut self, host: u64, id: &str, facts: Facts) {
        let pages = self.hosts.entry(host).or_default();
        pages.insert(xxh3_64(id.as_bytes()), facts);
        if pages.len() > PAGES {
            pages.pop_last();
        }
        if self.hosts.len() > HOSTS {
            self.hosts.pop_last();
        }
    }

    /// Takes a page out.
    pub fn remove(&mut self, host: u64, id: &str) {
        if let Some(pages) = self.hosts.get_mut(&host) {
            pages.remove(&xxh3_64(id.as_bytes()));
        }
    }

    /// Puts the sample of other pages to it. Of two pages of one id, which should not be, that with the smaller facts stays.
    pub fn merge(&mut self, other: &Sample) {
        for (host, pages) in &other.hosts {
            let mine = self.hosts.entry(*host).or_default();
            for (id, facts) in pages {
                let key = |facts: &Facts| (facts.values.clone(), facts.ends.clone());
                if mine.get(id).is_none_or(|known| key(facts) < key(known)) {
                    mine.insert(*id, facts.clone());
                }
            }
            while mine.len() > PAGES {
                mine.pop_last();
            }
        }
        while self.hosts.len() > HOSTS {
            self.hosts.pop_last();
        }
    }

    /// What is the sites' own.
    pub fn learn(&self) -> Sites {
        Sites { hosts: self.hosts.iter().map(|(host, pages)| (*host, learn(pages))).collect() }
    }
}

/// What each site says on its pages alike.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    hosts: HashedMap<Site>,
}

/// What a site says on its pages alike.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Values, with the pages that have them and those that have the field.
    values: HashMap<(u8, u64), (u32, u32)>,
    /// Parts of titles.
    parts: HashedMap<u32>,
}

fn learn(pages: &BTreeMap<u64, Facts>) -> Site {
    let mut values: HashMap<(u8, u64), u32> = HashMap::new();
    let mut having = [0_u32; OWN.len()];
    let mut parts: HashedMap<u32> = HashedMap::default();
    let mut titled = 0;
    for facts in pages.values() {
        for (number, having) in having.iter_mut().enumerate() {
            *having += u32::from(facts.values.iter().any(|(field, _)| usize::from(*field) == number));
        }
        for value in &facts.values {
            *values.entry(*value).or_default() += 1;
        }
        for part in &facts.ends {
            *parts.entry(*part).or_default() += 1;
        }
        titled += 1;
    }
    let is_sites = |(field, _): &(u8, u64), count: u32| {
        let (field, share) = (usize::from(*field), OWN.get(usize::from(*field)).map_or(1.0, |(_, share)| *share));
        count >= PROOF && f64::from(count) >= share * f64::from(having.get(field).copied().unwrap_or(u32::MAX))
    };
    let of = |field: u8| having.get(usize::from(field)).copied().unwrap_or(0);
    let values = values
        .into_iter()
        .filter(|(value, count)| is_sites(value, *count))
        .map(|(value, count)| (value, (count, of(value.0))));
    parts.retain(|_, count| *count >= PROOF && f64::from(*count) >= TITLES * f64::from(titled));
    Site { values: values.collect(), parts }
}

impl Sites {
    /// The site of a host.
    pub fn of(&self, host: u64) -> Option<&Site> {
        self.hosts.get(&host)
    }
}

impl Site {
    /// On how many of how many pages a field has this value, where it is the site's and not the page's.
    pub fn says(&self, name: &str, content: &Content) -> Option<(u32, u32)> {
        let field = OWN.iter().position(|(own, _)| *own == name)?;
        self.values.get(&(field as u8, hash(content))).copied()
    }

    /// Whether a part of a title is the site's.
    pub fn has_part(&self, part: &str) -> bool {
        self.parts.contains_key(&part_hash(part))
    }
}

/// Dates by their day, for a site that is built at once is so over a few seconds.
fn hash(content: &Content) -> u64 {
    xxh3_64(content.to_string().to_lowercase().as_bytes())
}

fn part_hash(part: &str) -> u64 {
    xxh3_64(squashed(part).as_bytes())
}

/// Letters and digits in lower case, and nothing else.
pub(super) fn squashed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What stands between parts of a title.
const BETWEEN: [&str; 15] =
    [" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " › ", "| ", " |", " / ", " ~ ", ": "];

/// Where something stands between two parts of a title. All that does begins in one of three ways.
fn between(title: &str) -> impl Iterator<Item = (usize, usize)> {
    let begins = title.bytes().enumerate().filter(|(_, byte)| matches!(byte, b' ' | b'|' | b':'));
    begins.flat_map(|(at, _)| {
        let rest = &title.as_bytes()[at..];
        let found = BETWEEN.iter().filter(move |between| rest.starts_with(between.as_bytes()));
        found.map(move |between| (at, at + between.len()))
    })
}

/// A title without its last part, and that part. A colon stands behind a first part only.
pub(super) fn last_part(title: &str) -> Option<(&str, &str)> {
    let at = between(title).filter(|&(at, _)| !title[at..].starts_with(':')).max_by_key(|(at, end)| (*end, *at))?;
    Some((title[..at.0].trim(), title[at.1..].trim())).filter(|(front, part)| !front.is_empty() && !part.is_empty())
}

/// A title without its first part, and that part.
pub(super) fn first_part(title: &str) -> Option<(&str, &str)> {
    let at = between(title).min_by_key(|(at, end)| (*at, usize::MAX - end))?;
    Some((title[at.1..].trim(), title[..at.0].trim())).filter(|(rest, part)| !rest.is_empty() && !part.is_empty())
}
