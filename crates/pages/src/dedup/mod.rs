//! I-Match: pages that are the same page under another address.
//!
//! A. Chowdhury, O. Frieder, D. Grossman and M. McCabe, *Collection statistics for fast duplicate document detection*,
//! ACM TOIS 20(2), 2002. A page's distinct words, less those that are frequent in the collection, are sorted and
//! hashed with SHA-1; pages with the same hash are duplicates. Template words are frequent, so they are left out
//! too, and the same article in two layouts still collides.
//!
//! One thing is added to the paper: copies have the same title. Where a sidebar names everything there is, a page's
//! own name is a frequent word, and pages that differ in nothing else would be taken for one.
//!
//! Duplicates must go before templates are counted: a page that is there ten times would make its own body look like a
//! template. They go for every method alike, or a comparison of methods would measure the wrong thing.

mod sketches;

pub use sketches::{Sketch, SketchFile};

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use crate::hashed::ShortHashedMap;
use crate::spool::{PackedError, PageNo};
use sketches::SketchWriter;

/// A page with fewer rare words than this is compared as a whole: a handful of words may meet by chance.
const ENOUGH_WORDS: usize = 8;

/// Up to this many pages may share a word before it can be frequent: on a site of ten pages, two copies of a page
/// are a fifth of it.
const NEVER_FREQUENT: u32 = 3;

/// When a word is frequent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Share of the pages above which a word is left out of the comparison, from 0 to 1.
    pub share: f64,
}

impl Default for Cut {
    fn default() -> Self {
        Cut { share: 0.1 }
    }
}

/// What can go wrong: sketches wait on disk for the end of the collection.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DedupError(#[from] pub PackedError);

/// Sketches of the pages so far, and how many pages each word is on.
pub struct Sketches {
    path: PathBuf,
    file: SketchWriter,
    pages: u32,
    frequencies: ShortHashedMap<u32>,
}

/// Which pages are duplicates of which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// For each page the page it is a copy of; itself where it is the first.
    originals: Vec<PageNo>,
}

impl Sketches {
    /// Starts collecting, with a file at `path` for the words.
    pub fn create(path: &Path) -> Result<Self, DedupError> {
        let file = SketchWriter::create(path)?;
        Ok(Sketches { path: path.to_owned(), file, pages: 0, frequencies: ShortHashedMap::default() })
    }

    /// Adds the next page of the collection.
    pub fn add(&mut self, sketch: &Sketch) -> Result<(), DedupError> {
        for &word in &sketch.words {
            *self.frequencies.entry(word).or_default() += 1;
        }
        self.pages += 1;
        self.file.add(sketch)
    }

    /// Compares all pages. The first in the collection's order is the original. The file stays: see [`SketchFile`].
    pub fn find(self, cut: Cut) -> Result<Duplicates, DedupError> {
        self.file.finish()?;
        let frequent = ((cut.share * f64::from(self.pages)) as u32).max(NEVER_FREQUENT);
        let is_rare = |word: u32| self.frequencies.get(&word).is_some_and(|&pages| pages <= frequent);
        let mut prints = Vec::with_capacity(self.pages as usize);
        sketches::for_each(&self.path, |sketch| {
            prints.push((fingerprint(sketch, is_rare), PageNo(prints.len() as u32)));
        })?;
        drop(self.frequencies);
        Ok(Duplicates::among(prints))
    }
}

/// What copies have in common: their rare words, or all of them where few are rare; and the title.
fn fingerprint(sketch: &Sketch, is_rare: impl Fn(u32) -> bool) -> [u8; 20] {
    let rare: Vec<u8> =
        sketch.words.iter().filter(|word| is_rare(**word)).flat_map(|word| word.to_le_bytes()).collect();
    let mut print = Sha1::new();
    if rare.len() >= ENOUGH_WORDS * size_of::<u32>() {
        print.update(&rare);
    } else {
        print.update(b"whole");
        print.update(sketch.whole.to_le_bytes());
    }
    print.update(sketch.title.to_le_bytes());
    print.finalize().into()
}

impl Duplicates {
    /// No duplicates among so many pages.
    pub fn none(pages: usize) -> Self {
        Duplicates { originals: (0..pages as u32).map(PageNo).collect() }
    }

    /// Pages with the same fingerprint. Sorted, they take half the memory of a map.
    fn among(mut prints: Vec<([u8; 20], PageNo)>) -> Self {
        prints.sort_unstable();
        let mut originals: Vec<PageNo> = (0..prints.len() as u32).map(PageNo).collect();
        for same in prints.chunk_by(|(one, _), (other, _)| one == other) {
            for (_, page) in same {
                originals[page.index()] = same[0].1;
            }
        }
        Duplicates { originals }
    }

    /// The pages that stay, in order.
    pub fn originals(&self) -> impl Iterator<Item = PageNo> + '_ {
        self.originals.iter().enumerate().filter(|(n, original)| original.index() == *n).map(|(_, &original)| original)
    }

    /// The pages that go, each with the page it is a copy of.
    pub fn copies(&self) -> impl Iterator<Item = (PageNo, PageNo)> + '_ {
        let pages = self.originals.iter().enumerate().map(|(n, &original)| (PageNo(n as u32), original));
        pages.filter(|(page, original)| page != original)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::parse::{Limits, Parsed, read_html};

    fn copies(pages: &[String], share: f64) -> Vec<(u32, u32)> {
        let dir = tempfile::tempdir().unwrap();
        let mut sketches = Sketches::create(&dir.path().join("words")).unwrap();
        for html in pages {
            let Parsed { page, words, .. } = read_html(html, Limits::default());
            sketches.add(&Sketch::new(&page, &words)).unwrap();
        }
        sketches.find(Cut { share }).unwrap().copies().map(|(page, original)| (page.0, original.0)).collect()
    }

    fn article(n: usize) -> String {
        (0..20).map(|word| format!("w{n}x{word} ")).collect()
    }

    fn site(articles: usize) -> Vec<String> {
        (0..articles).map(|n| format!("<nav>Home News Sport</nav><p>{}</p>", article(n))).collect()
    }

    #[test]
    fn the_same_article_in_two_layouts_is_one_page() {
        let mut pages = site(40);
        pages.push(format!("<b>{}</b>", article(7)));
        assert_eq!(copies(&pages, 0.1), [(40, 7)]);
    }

    #[test]
    fn pages_of_frequent_words_only_are_compared_as_a_whole() {
        let mut pages = site(40);
        pages.push("<nav>Home News Sport</nav>".to_owned());
        pages.push("<nav>Home Sport News</nav>".to_owned());
        pages.push("<p>home NEWS sport</p>".to_owned());
        assert_eq!(copies(&pages, 0.1), [(42, 40)]);
    }

    #[test]
    fn two_copies_on_a_tiny_site_are_found() {
        let pages = vec![article(1), article(2), article(1)];
        assert_eq!(copies(&pages, 0.1), [(2, 0)]);
    }

    #[test]
    fn pages_that_differ_in_a_frequent_word_have_titles_to_tell_them_apart() {
        let page = |title: &str| format!("<title>{title}</title><nav>Array Matrix</nav><p>{}", article(1));
        let mut pages: Vec<String> = site(40).iter().map(|page| format!("<nav>Array Matrix</nav>{page}")).collect();
        pages.extend([page("Array"), page("Matrix"), page("array")]);
        assert_eq!(copies(&pages, 0.1), [(42, 40)]);
    }

    #[test]
    fn one_differing_rare_word_makes_another_page() {
        let mut pages = site(40);
        pages.push(format!("{} another", article(3)));
        assert_eq!(copies(&pages, 0.1), []);
    }

    #[test]
    fn empty_pages_are_copies_of_the_first_empty_page() {
        let pages = vec!["<p></p>".to_owned(), article(1), "<div></div>".to_owned()];
        assert_eq!(copies(&pages, 0.1), [(2, 0)]);
    }
}
