//! Known items: queries whose answer nobody needs to judge.
//!
//! A page's rarest words are a query that this page answers, and so is the text of the links that lead to it. Whether an index still
//! finds the page for them says what leaving out templates did to it, on any site and without a person's work.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::eval::Qrels;
use unhusk_index::search::queries::{Query, QuerySet};
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::words::{Sequence, word_hash, words};
use unhusk_pages::parse::{Link, Page, address};
use unhusk_pages::spool::PageNo;
use unhusk_strip::strip::{Pages, StripError, for_each_page};

/// Pages that are asked for by their own words, and as many by the texts of links.
const ITEMS: usize = 200;
/// Words of a query.
const QUERY_WORDS: usize = 3;
/// Letters that a word of a query has at least, and bytes at most: what is shorter or longer nobody types.
const LETTERS: (usize, usize) = (3, 30);
/// Words that a link's text has at most.
const LINK_WORDS: u32 = 8;

/// What is asked for, with the answers.
#[derive(Debug, Clone, Default)]
pub struct KnownItems {
    /// Queries of pages' own rare words.
    pub own_words: Vec<Item>,
    /// Queries of texts of links.
    pub link_texts: Vec<Item>,
}

/// A query and the page that answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is asked.
    pub query: Query,
    /// The id of the page.
    pub page: String,
}

impl KnownItems {
    /// Looks for items in a collection. The same pages give the same items, in whatever order they come.
    pub fn find(pages: &Pages<'_>, threads: usize) -> Result<Self, StripError> {
        let mut names = Names::default();
        pages.for_each_name(|number, name| names.add(number, &name.id, &name.url))?;
        let names = names.drawn();
        let seen = pages.observe(threads, Seen::default, |seen, number, page| {
            seen.add(number, page, &names);
            Ok(())
        })?;
        let seen = seen.into_iter().fold(Seen::default(), Seen::and);
        let mut own_words = Vec::new();
        let mut drawn: Vec<PageNo> = names.drawn.keys().copied().collect();
        drawn.sort_unstable();
        for number in drawn {
            for_each_page(pages.spool(), &[number], |_, page| -> Result<(), StripError> {
                own_words.extend(seen.rarest(&page).map(|text| (text, page.id)));
                Ok(())
            })?;
        }
        let link_texts = seen.unambiguous(&names);
        Ok(KnownItems { own_words: items("words", own_words), link_texts: items("link", link_texts) })
    }

    /// All of them as queries with judgements.
    pub fn questions(&self) -> (QuerySet, Qrels) {
        let mut qrels = Qrels::default();
        let all = || self.own_words.iter().chain(&self.link_texts);
        all().for_each(|item| qrels.add(&item.query.id, &item.page, 1));
        (QuerySet { queries: all().map(|item| item.query.clone()).collect() }, qrels)
    }
}

fn items(kind: &str, found: Vec<(String, String)>) -> Vec<Item> {
    let item = |(at, (text, page))| Item { query: Query { id: format!("{kind}-{:03}", at + 1), text }, page };
    found.into_iter().enumerate().map(item).collect()
}

/// The pages by their addresses, and those that are asked for.
#[derive(Default)]
struct Names {
    places: HashMap<String, PageNo>,
    ids: Vec<(u64, PageNo, String)>,
    drawn: HashMap<PageNo, String>,
}

impl Names {
    fn add(&mut self, number: PageNo, id: &str, url: &str) {
        if let Some(address) = address(url, "") {
            self.places.insert(address, number);
        }
        self.ids.push((xxh3_64(id.as_bytes()), number, id.to_owned()));
    }

    /// Draws the pages to ask for: those whose ids have the smallest hashes.
    fn drawn(mut self) -> Self {
        self.ids.sort_unstable();
        self.ids.truncate(ITEMS);
        self.drawn = self.ids.drain(..).map(|(_, number, id)| (number, id)).collect();
        self
    }
}

/// What was seen of the pages.
#[derive(Default)]
struct Seen {
    /// On how many pages each word is.
    words: HashedMap<u32>,
    /// Where the links of each text lead.
    targets: HashedMap<Target>,
    /// Texts of links to the pages that are asked for.
    texts: HashedMap<String>,
}

/// Where the links of a text lead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Page(PageNo),
    /// Out of the collection, or to several pages.
    Elsewhere,
}

impl Seen {
    fn add(&mut self, number: PageNo, page: &Page, names: &Names) {
        let mut here = HashedSet::default();
        for word in page.pieces().flat_map(|piece| words(piece.text)).map(word_hash) {
            if here.insert(word) {
                *self.words.entry(word).or_default() += 1;
            }
        }
        for link in &page.links {
            let text = text_of(page, link);
            let sequence = Sequence::of(&text);
            if sequence.words == 0 || sequence.words > LINK_WORDS {
                continue;
            }
            let target = address(&page.url, page.href(link)).and_then(|address| names.places.get(&address));
            if target == Some(&number) {
                continue;
            }
            let target = target.map_or(Target::Elsewhere, |target| Target::Page(*target));
            self.leads(sequence.hash, target);
            if let Target::Page(target) = target
                && names.drawn.contains_key(&target)
            {
                // Of several spellings one is taken whatever order pages come in.
                let known = self.texts.entry(sequence.hash).or_insert_with(|| text.clone());
                if text < *known {
                    *known = text;
                }
            }
        }
    }

    fn leads(&mut self, text: u64, target: Target) {
        let known = self.targets.entry(text).or_insert(target);
        if *known != target {
            *known = Target::Elsewhere;
        }
    }

    fn and(mut self, other: Seen) -> Seen {
        for (word, pages) in other.words {
            *self.words.entry(word).or_default() += pages;
        }
        for (text, target) in other.targets {
            self.leads(text, target);
        }
        for (hash, text) in other.texts {
            let known = self.texts.entry(hash).or_insert_with(|| text.clone());
            if text < *known {
                *known = text;
            }
        }
        self
    }

    /// The rarest words of a page, as a query; none where it has too few.
    fn rarest(&self, page: &Page) -> Option<String> {
        let is_usual = |word: &&str| {
            (LETTERS.0..=LETTERS.1).contains(&word.len())
                && word.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS.0
        };
        let mut known = HashedSet::default();
        let mut rarest: Vec<(u32, String)> = page
            .pieces()
            .flat_map(|piece| words(piece.text))
            .filter(is_usual)
            .filter(|word| known.insert(word_hash(word)))
            .map(|word| (self.words.get(&word_hash(word)).copied().unwrap_or_default(), word.to_lowercase()))
            .collect();
        rarest.sort_unstable();
        rarest.truncate(QUERY_WORDS);
        let text = rarest.into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        (text.len() == QUERY_WORDS).then(|| text.join(" "))
    }

    /// Texts of links that lead to one page, and nowhere else; as many as are wanted, by their hashes.
    fn unambiguous(&self, names: &Names) -> Vec<(String, String)> {
        let mut texts: Vec<(&u64, &String)> = self.texts.iter().collect();
        texts.sort_unstable();
        let page = |(hash, text): (&u64, &String)| match self.targets.get(hash) {
            Some(Target::Page(page)) => Some((text.clone(), names.drawn.get(page)?.clone())),
            _ => None,
        };
        texts.into_iter().filter_map(page).take(ITEMS).collect()
    }
}

/// The words of a link.
fn text_of(page: &Page, link: &Link) -> String {
    let element = &page.elements[link.element as usize];
    let pieces = element.first_piece as usize..element.end_piece as usize;
    let said = pieces.flat_map(|piece| words(page.piece(piece).text));
    said.take(LINK_WORDS as usize + 1).collect::<Vec<_>>().join(" ")
}
