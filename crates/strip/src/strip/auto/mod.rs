//! `auto`: what a site's pages share, and what their makers put around the content.
//!
//! The other methods each see one side: how often a text repeats, what a neighbour has, which layout a page follows. This one asks
//! of every text *how surely its place holds it*, and of every site *where its content is*:
//!
//! | what | file |
//! |---|---|
//! | is dropped: a text that its place holds on nearly every page that has the place | `certain` |
//! | is dropped: an element that the pages of a section have, word for word | `repeated` |
//! | is aside: the way to a page and from it: crumbs, previous and next, counters at the end | `ways` |
//! | is aside: what trees judge to stand beside the content, by numbers of each block | `features`, `trees` |
//! | is content: lists whose entries the pages they lead to do not have | `listing`, `told` |
//! | is learned by itself: the pages that are built alike | `layouts` |
//! | is taken back: a signal that takes too much of what only one page says | `check` |
//!
//! A *place* is the path of tags, ids and classes from the root, without numbers (`outline`). Sites are told apart by host. A
//! site is learned from a sample of its pages, drawn by their ids; every page is then marked by itself (`site`). When
//! in doubt, text is content. `docs/methods/auto.md` tells how each rule was found and what it brings.

mod certain;
mod check;
mod content;
mod features;
mod layouts;
mod listing;
mod names;
mod outline;
mod places;
mod repeated;
mod said;
mod site;
#[cfg(test)]
mod tests;
mod told;
mod trees;
mod ways;
#[cfg(test)]
mod ways_tests;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::scope::Scope;
use super::{Mask, Means, Model, Pages, StripError, Template, draw};
use check::Finding;
use names::NameCounts;
use outline::Sight;
use said::Said;
use site::{Site, Studied};
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Entries a list has at least.
const LIST: usize = 3;

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
    /// The way to a page and from it
    Ways,
    /// What stands beside the content, block by block
    Blocks,
}

impl Signal {
    const ALL: [Signal; 4] = [Signal::Certain, Signal::Repeated, Signal::Ways, Signal::Blocks];
}

/// The signals that are used.
#[derive(Clone, Copy, Debug, Default)]
struct Signals([bool; Signal::ALL.len()]);

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
        Signals(Signal::ALL.map(|signal| !self.without.contains(&signal)))
    }

    /// Learns each site by itself.
    pub(super) fn learn(&self, pages: &Pages<'_>, means: Means<'_>) -> Result<AutoModel, StripError> {
        let mut model = AutoModel::default();
        for (host, sample) in draw(pages, self.sample)? {
            model.learned_from += sample.numbers().len() as u64;
            let learned = self.learn_site(&sample, means)?;
            model.sites.insert(host, learned.site);
            model.listed.extend(learned.templates);
            model.findings.extend(learned.findings);
        }
        model.listed.sort_by(|a, b| {
            b.pages.cmp(&a.pages).then(b.bytes_saved.cmp(&a.bytes_saved)).then_with(|| a.text.cmp(&b.text))
        });
        Ok(model)
    }

    /// Writes down what the trees are fitted on: a line for each block that is not template, of the pages that are learned from.
    pub fn observe(
        &self,
        pages: &Pages<'_>,
        means: Means<'_>,
        out: &mut impl std::io::Write,
    ) -> Result<(), StripError> {
        let failed = |source| StripError::Scratch { folder: means.scratch.to_owned(), source };
        writeln!(out, "page\tblock\twords\tmain\t{}\tpath\ttext", features::NAMES.join("\t")).map_err(failed)?;
        for (_, sample) in draw(pages, self.sample)? {
            let site = self.learn_site(&sample, means)?.site;
            for &number in sample.numbers() {
                let page = sample.spool().page(number)?;
                let mut written = Ok(());
                site.rows(&page, |row| {
                    let numbers: Vec<String> = row.features.iter().map(|number| format!("{number:.5}")).collect();
                    let line = format!(
                        "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                        page.id,
                        row.block,
                        row.words,
                        row.main,
                        numbers.join("\t"),
                        row.path,
                        row.text
                    );
                    if written.is_ok() {
                        written = writeln!(out, "{line}");
                    }
                });
                written.map_err(failed)?;
            }
        }
        Ok(())
    }

    fn learn_site(&self, pages: &Pages<'_>, means: Means<'_>) -> Result<Learned, StripError> {
        let seen = pages.observe(means.threads, Vec::new, |seen, number, page| {
            let sight = Sight::of(page);
            let numbered = ways::numbered(page, sight.texts());
            let said = Said::of(page, sight.texts());
            seen.push((number, sight, numbered, said));
            Ok(())
        })?;
        let mut seen: Vec<_> = seen.into_iter().flatten().collect();
        seen.sort_unstable_by_key(|(number, ..)| *number);
        let mut names = NameCounts::default();
        for (_, sight, ..) in &seen {
            names.add(sight);
        }
        let vocabulary = names.vocabulary();
        let (mut numbers, mut studied) = (Vec::new(), Vec::new());
        for (number, sight, numbered, said) in seen {
            numbers.push(number);
            studied.push(Studied { outline: sight.outline(&vocabulary), numbered, said });
        }
        let (mut site, rarity) = Site::learn(vocabulary, &studied, self.signals());
        let findings = check::check(&mut site, &rarity, pages, &numbers, &studied)?;
        let templates = list(&site, pages, &numbers, &studied)?;
        Ok(Learned { site, templates, findings })
    }
}

/// What was learned of one site.
struct Learned {
    site: Site,
    templates: Vec<Template>,
    findings: Vec<Finding>,
}

/// What `auto` has learned: each site, by its host.
#[derive(Default)]
pub(super) struct AutoModel {
    sites: HashMap<u64, Site>,
    listed: Vec<Template>,
    learned_from: u64,
    /// What the method would do to the pages it learned from, by layout.
    findings: Vec<Finding>,
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
        findings.insert("layouts".to_owned(), self.findings.len().into());
        findings.insert("self_check".to_owned(), serde_json::json!(self.findings));
        findings
    }
}

/// The certain texts for people, each from the first page that has it.
fn list(site: &Site, pages: &Pages<'_>, numbers: &[PageNo], studied: &[Studied]) -> Result<Vec<Template>, StripError> {
    let mut listed = Vec::new();
    for (at, (&number, page)) in numbers.iter().zip(studied).enumerate() {
        let outline = &page.outline;
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
