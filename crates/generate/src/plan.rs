//! Which page is which: section, folder, kind, all from the page's number, so that nothing has to be held.
//!
//! Page i belongs to section i mod s. A section's pages fill folders in order: about four at small sizes, so that a
//! page has peers, and then as many as keep a folder below a thousand pages. The first page of a folder is its
//! index.

use serde::Serialize;

use super::words::mix;
use unhusk_pages::random::Rng;

/// The most pages in one folder.
const FOLDER: u64 = 800;

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PageKind {
    /// An article in its section's template.
    Article,
    /// A record with attributes and values.
    Record,
    /// The list of a folder's pages.
    Index,
    /// The article before it once more, in a bare layout.
    Print,
    /// An article with no template at all.
    Bare,
}

/// What is decided about a page before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) index: u64,
    pub(super) section: usize,
    /// Its number in its section.
    pub(super) ordinal: u64,
    pub(super) folder: u64,
    pub(super) kind: PageKind,
    /// The page whose text it carries: itself, but for a print version.
    pub(super) source: u64,
}

/// How pages are dealt to sections and folders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planner {
    pub(super) seed: u64,
    pub(super) pages: u64,
    pub(super) sections: u64,
    /// Whether the last section holds records.
    pub(super) records: bool,
    /// Whether there are articles and nothing else, in one folder.
    pub(super) articles_only: bool,
}

impl Planner {
    /// How many pages a section has.
    pub(super) fn section_pages(&self, section: usize) -> u64 {
        (self.pages + self.sections - 1 - section as u64) / self.sections
    }

    /// How many folders a section has.
    pub(super) fn folders(&self, section: usize) -> u64 {
        let pages = self.section_pages(section);
        if self.articles_only { 1 } else { (pages / 12).clamp(1, 4).max(pages.div_ceil(FOLDER)) }
    }

    /// How many pages each of the section's folders has, but the last, which may have fewer.
    pub(super) fn folder_pages(&self, section: usize) -> u64 {
        self.section_pages(section).div_ceil(self.folders(section)).max(1)
    }

    /// The page number of a section's page.
    pub(super) fn page(&self, section: usize, ordinal: u64) -> u64 {
        ordinal * self.sections + section as u64
    }

    /// The plan of a page.
    pub(super) fn plan(&self, index: u64) -> Plan {
        let section = (index % self.sections) as usize;
        let ordinal = index / self.sections;
        let kind = self.kind(section, ordinal);
        let source = if kind == PageKind::Print { index - self.sections } else { index };
        Plan { index, section, ordinal, folder: ordinal / self.folder_pages(section), kind, source }
    }

    fn kind(&self, section: usize, ordinal: u64) -> PageKind {
        match self.first_thought(section, ordinal) {
            // A print version needs an article before it.
            PageKind::Print if self.first_thought(section, ordinal - 1) != PageKind::Article => PageKind::Article,
            kind => kind,
        }
    }

    fn first_thought(&self, section: usize, ordinal: u64) -> PageKind {
        let records = self.records && section as u64 + 1 == self.sections;
        let chance = Rng::new(mix(self.seed, 20, self.page(section, ordinal))).unit();
        match chance {
            _ if self.articles_only => PageKind::Article,
            _ if ordinal.is_multiple_of(self.folder_pages(section)) => PageKind::Index,
            _ if records => PageKind::Record,
            c if c < 0.04 => PageKind::Print,
            c if c < 0.065 => PageKind::Bare,
            _ => PageKind::Article,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn planner(pages: u64) -> Planner {
        Planner { seed: 9, pages, sections: 6, records: true, articles_only: false }
    }

    #[test]
    fn no_folder_holds_a_thousand_pages_and_small_sites_have_few_folders() {
        for pages in [30, 300, 3_000, 60_000] {
            let planner = planner(pages);
            let mut folders: HashMap<(usize, u64), u64> = HashMap::new();
            for index in 0..pages {
                let plan = planner.plan(index);
                *folders.entry((plan.section, plan.folder)).or_default() += 1;
            }
            assert!(folders.values().all(|n| *n <= 1_000));
            if pages <= 3_000 {
                assert!(folders.len() <= 5 * 6);
            }
        }
    }

    #[test]
    fn the_kinds_come_in_the_promised_shares() {
        let planner = planner(30_000);
        let count = |kind| (0..30_000).filter(|i| planner.plan(*i).kind == kind).count();
        assert!((800..1_100).contains(&count(PageKind::Print)), "{}", count(PageKind::Print));
        assert!((500..800).contains(&count(PageKind::Bare)), "{}", count(PageKind::Bare));
    }

    #[test]
    fn a_print_version_repeats_an_article_of_its_folder() {
        let planner = planner(5_000);
        for plan in (0..5_000).map(|i| planner.plan(i)).filter(|p| p.kind == PageKind::Print) {
            let source = planner.plan(plan.source);
            assert_eq!((source.kind, source.section, source.folder), (PageKind::Article, plan.section, plan.folder));
        }
    }
}
