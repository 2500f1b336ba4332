//! The part of a title that is the site's: "… | The Skerrow Packet".
//!
//! It stands at the same end of most of a host's titles, and a mark parts it from what is the page's own. A search in titles for the site's
//! name would find every page.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::scope::Scope;
use super::{Pages, StripError, draw};

/// Titles of a host that are looked at.
const SAMPLE: usize = 200;
/// Of a host's titles, the share that must have the part, as sure as can be.
const SHARE: f64 = 0.5;
/// What stands between a page's title and its site's.
const MARKS: &[char] = &['|', '-', '–', '—', ':', '·', '•', '»', '«', '/', '>', '<', '_', '~', '｜', '：'];

/// What the titles of each host share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Titles {
    hosts: BTreeMap<u64, Shared>,
}

/// What the titles of a host share at their ends, with the mark that parts it from the rest; nothing where they share nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Shared {
    start: String,
    end: String,
}

impl Titles {
    /// Looks at titles of each host.
    pub fn learn(pages: &Pages<'_>) -> Result<Self, StripError> {
        let mut hosts = BTreeMap::new();
        for (host, sample) in draw(pages, SAMPLE)? {
            let mut titles = Vec::new();
            for &number in sample.numbers() {
                titles.push(sample.spool().page(number)?.title);
            }
            let shared = Shared::of(&titles);
            if shared != Shared::default() {
                hosts.insert(host, shared);
            }
        }
        Ok(Titles { hosts })
    }

    /// How many bytes at a title's start and end are its site's. A title that is nothing else is the page's own.
    pub fn shared(&self, url: &str, title: &str) -> (u32, u32) {
        let Some(shared) = self.hosts.get(&Scope::Host.of(url)) else { return (0, 0) };
        let start = if title.starts_with(&shared.start) { shared.start.len() } else { 0 };
        let end = if title.ends_with(&shared.end) { shared.end.len() } else { 0 };
        let has_rest = start + end < title.len() && title[start..title.len() - end].contains(char::is_alphanumeric);
        if has_rest { (start as u32, end as u32) } else { (0, 0) }
    }
}

impl Shared {
    /// The longest parts that most of these titles have.
    fn of(titles: &[String]) -> Self {
        let common = |parts: fn(&str) -> Vec<&str>| {
            let mut counts: HashMap<&str, u32> = HashMap::new();
            titles.iter().flat_map(|title| parts(title)).for_each(|part| *counts.entry(part).or_default() += 1);
            let is_common = |count: u32| super::at_least(count, titles.len() as u32) >= SHARE;
            let common = counts.into_iter().filter(|(_, count)| is_common(*count)).map(|(part, _)| part);
            common.max_by_key(|part| (part.len(), *part)).unwrap_or_default().to_owned()
        };
        Shared { start: common(starts), end: common(ends) }
    }
}

/// What stands before each mark that is followed by a space, mark and space included.
fn starts(title: &str) -> Vec<&str> {
    let marks = title.match_indices(MARKS).map(|(at, mark)| at + mark.len());
    let parts = marks.filter(|&at| title[at..].starts_with(' ')).map(|at| &title[..at + 1]);
    parts.filter(|part| part.contains(char::is_alphanumeric)).collect()
}

/// What stands behind each mark that a space is before, mark and space included.
fn ends(title: &str) -> Vec<&str> {
    let marks = title.match_indices(MARKS).map(|(at, _)| at);
    let parts = marks.filter(|&at| title[..at].ends_with(' ')).map(|at| &title[at - 1..]);
    parts.filter(|part| part.contains(char::is_alphanumeric)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(titles: &[&str]) -> Shared {
        Shared::of(&titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_site_s_name_at_an_end_is_the_site_s() {
        let titles: Vec<String> = (0..20).map(|n| format!("Story {n} - part two | The Packet")).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        assert_eq!(shared(&titles).end, " - part two | The Packet");
        assert_eq!(shared(&["SFML: Text", "SFML: Font", "SFML: Image", "SFML: Clock", "SFML: Sound"]).start, "SFML: ");
    }

    #[test]
    fn what_few_titles_share_or_no_mark_parts_is_the_page_s() {
        assert_eq!(shared(&["One | The Packet", "Two | The Packet"]), Shared::default());
        let same = ["The harbour in spring"; 20];
        assert_eq!(shared(&same), Shared::default());
    }

    #[test]
    fn a_title_that_is_nothing_else_stays_whole() {
        let shared = Shared { start: String::new(), end: " | The Packet".into() };
        let titles = Titles { hosts: [(Scope::Host.of("https://a.example/x"), shared)].into() };
        assert_eq!(titles.shared("https://a.example/1", "One | The Packet"), (0, 13));
        assert_eq!(titles.shared("https://a.example/", " | The Packet"), (0, 0));
        assert_eq!(titles.shared("https://a.example/", "The Packet"), (0, 0));
        assert_eq!(titles.shared("https://b.example/1", "One | The Packet"), (0, 0));
    }
}
