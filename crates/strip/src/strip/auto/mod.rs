//! `auto`: what a site's pages share, and what their makers put around the content.
//!
//! The other methods each see one side: how often a text repeats, what a neighbour has, which layout a page follows. This one asks
//! of every text *how surely its place holds it*, and of every site *where its content is*:
//!
//! | what is dropped | file |
//! |---|---|
//! | a text that its place holds on nearly every page that has the place | `certain` |
//! | an element that the pages of a section have, word for word | `repeated` |
//! | lists of what is on other pages, each entry headed by a link | `listing` |
//! | the way to a page and from it: crumbs, previous and next, counters at the end | `ways` |
//! | on sites of articles, what is outside of the article | `content` |
//! | there, what its makers call furniture: "comments", "related", "share" | `names` |
//!
//! A *place* is the path of tags, ids and classes from the root, without numbers (`outline`). Sites are told apart by host. A
//! site is learned from a sample of its pages, drawn by their ids; every page is then marked by itself (`site`). When
//! in doubt, text is kept. `docs/methods/auto.md` tells how each rule was found and what it brings.

mod certain;
mod content;
mod listing;
mod names;
mod outline;
mod repeated;
mod site;
#[cfg(test)]
mod tests;
mod ways;
#[cfg(test)]
mod ways_tests;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::scope::Scope;
use super::{Mask, Means, Model, Pages, StripError, Template};
use names::NameCounts;
use outline::{Outline, Sight};
use site::Site;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Entries a list has at least.
const LIST: usize = 3;
/// And around an article, which is somewhere else anyway.
const ARTICLE_LIST: usize = 2;

/// Parameters of the method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Auto {
    /// Pages of each site to learn from, at most.
    pub sample: usize,
    /// Signals that are not used, to find out what they bring.
    pub without: Vec<Signal>,
}

/// What the method goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// Texts that their place holds for certain
    Certain,
    /// Elements that the pages of a section have, word for word
    Repeated,
    /// Lists of what is on other pages
    Listings,
    /// The way to a page and from it
    Ways,
    /// The place where a site's articles are
    Content,
    /// Names of furniture in ids and classes
    Names,
}

/// The signals that are used.
#[derive(Clone, Copy, Debug)]
struct Signals([bool; 6]);

impl Signals {
    fn has(self, signal: Signal) -> bool {
        self.0[signal as usize]
    }
}

impl Default for Auto {
    fn default() -> Self {
        Auto { sample: 200, without: Vec::new() }
    }
}

impl Auto {
    fn signals(&self) -> Signals {
        let all = [Signal::Certain, Signal::Repeated, Signal::Listings, Signal::Ways, Signal::Content, Signal::Names];
        Signals(all.map(|signal| !self.without.contains(&signal)))
    }

    /// Learns each site by itself.
    pub(super) fn learn(&self, pages: &Pages<'_>, means: Means<'_>) -> Result<AutoModel, StripError> {
        let mut model = AutoModel { sites: HashMap::new(), listed: Vec::new(), learned_from: 0 };
        for (host, sample) in self.draw(pages)? {
            model.learned_from += sample.numbers().len() as u64;
            let (site, templates) = self.learn_site(&sample, means)?;
            model.sites.insert(host, site);
            model.listed.extend(templates);
        }
        model.listed.sort_by(|a, b| {
            b.pages.cmp(&a.pages).then(b.bytes_saved.cmp(&a.bytes_saved)).then_with(|| a.text.cmp(&b.text))
        });
        Ok(model)
    }

    /// The pages of each site to learn from: those whose ids have the smallest hashes, whatever order they come in.
    pub(crate) fn draw<'p>(&self, pages: &Pages<'p>) -> Result<Vec<(u64, Pages<'p>)>, StripError> {
        let mut hosts: BTreeMap<u64, Vec<(u64, PageNo)>> = BTreeMap::new();
        pages.for_each_name(|number, name| {
            hosts.entry(Scope::Host.of(&name.url)).or_default().push((xxh3_64(name.id.as_bytes()), number));
        })?;
        let drawn = hosts.into_iter().map(|(host, mut ids)| {
            ids.sort_unstable();
            ids.truncate(self.sample);
            let mut numbers: Vec<PageNo> = ids.into_iter().map(|(_, number)| number).collect();
            numbers.sort_unstable();
            (host, pages.only(numbers))
        });
        Ok(drawn.collect())
    }

    fn learn_site(&self, pages: &Pages<'_>, means: Means<'_>) -> Result<(Site, Vec<Template>), StripError> {
        let seen = pages.observe(means.threads, Vec::new, |seen, number, page| {
            let sight = Sight::of(page);
            let numbered = ways::numbered(page, sight.texts());
            seen.push((number, sight, numbered));
            Ok(())
        })?;
        let mut seen: Vec<_> = seen.into_iter().flatten().collect();
        seen.sort_unstable_by_key(|(number, ..)| *number);
        let mut names = NameCounts::default();
        for (_, sight, _) in &seen {
            names.add(sight);
        }
        let vocabulary = names.vocabulary();
        let (mut numbers, mut outlines, mut numbered) = (Vec::new(), Vec::new(), Vec::new());
        for (number, sight, lines) in seen {
            numbers.push(number);
            outlines.push(sight.outline(&vocabulary));
            numbered.push(lines);
        }
        let site = Site::learn(vocabulary, &outlines, &numbered, self.signals());
        let templates = list(&site, pages, &numbers, &outlines)?;
        Ok((site, templates))
    }
}

/// What `auto` has learned: each site, by its host.
pub(super) struct AutoModel {
    sites: HashMap<u64, Site>,
    listed: Vec<Template>,
    learned_from: u64,
}

impl Model for AutoModel {
    fn mark(&self, _: PageNo, page: &Page) -> Result<Mask, StripError> {
        let site = self.sites.get(&Scope::Host.of(&page.url));
        Ok(site.map_or_else(|| Mask::keep_all(page.piece_count()), |site| site.mark(page)))
    }

    fn templates(&self) -> &[Template] {
        &self.listed
    }

    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        let articles = self.sites.values().filter(|site| site.has_articles()).count();
        let certain: usize = self.sites.values().map(|site| site.certain.len()).sum();
        let mut findings = serde_json::Map::new();
        findings.insert("sites".to_owned(), self.sites.len().into());
        findings.insert("sites_of_articles".to_owned(), articles.into());
        findings.insert("pages_learned_from".to_owned(), self.learned_from.into());
        findings.insert("certain_texts".to_owned(), certain.into());
        findings
    }
}

/// The certain texts for people, each from the first page that has it.
fn list(site: &Site, pages: &Pages<'_>, numbers: &[PageNo], outlines: &[Outline]) -> Result<Vec<Template>, StripError> {
    let mut listed = Vec::new();
    for (at, (&number, outline)) in numbers.iter().zip(outlines).enumerate() {
        let mut first: Vec<_> = outline
            .texts
            .iter()
            .filter_map(|text| Some((text, site.certain.get(text)?)))
            .filter(|(_, count)| count.first == at as u32)
            .collect();
        first.sort_by_key(|(text, _)| (text.place, text.hash));
        first.dedup_by_key(|(text, _)| (text.place, text.hash));
        if first.is_empty() {
            continue;
        }
        let page = pages.spool().page(number)?;
        listed.extend(first.into_iter().map(|(text, count)| {
            let words = page.text_where(|piece| text.pieces.contains(&(piece as u32)));
            let bytes_saved = words.len() as u64 * u64::from(count.times);
            Template {
                text: words,
                pages: count.pages,
                times: count.times,
                bytes_saved,
                example: page.id.clone(),
                layout: None,
            }
        }));
    }
    Ok(listed)
}
