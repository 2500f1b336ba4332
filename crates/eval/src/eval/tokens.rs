//! Token scores: of the words that were kept, how many are content, and how much of the content was kept.
//!
//! A page's content is a text that a person cut out of it. Words are those of the index (`index::words`): runs of letters and digits in
//! lower case, and each character of a script without spaces; a name such as `max_connections` counts by its parts alone.
//! Order does not count: a word that is three times in the text and twice in what was kept has been found twice.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::agreement::{Agreement, AgreementSum};
use unhusk_index::index::words::{Kind, Language, Words};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::parse_html;

/// How often each word is in a text.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    words: HashedMap<u64>,
    size: u64,
}

impl Bag {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let mut bag = Bag::default();
        // A name's parts follow it and are counted themselves.
        let terms = Words::new(Language::NONE).terms(text).into_iter().filter(|(lexeme, _)| lexeme.kind != Kind::Name);
        for (_, term) in terms {
            *bag.words.entry(xxh3_64(term.as_bytes())).or_default() += 1;
            bag.size += 1;
        }
        bag
    }

    /// How many words two texts share, each as often as both have it.
    pub fn shared(&self, other: &Bag) -> u64 {
        self.words.iter().map(|(word, &times)| times.min(other.words.get(word).copied().unwrap_or(0))).sum()
    }
}

/// Counts of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TokenCounts {
    /// Words of the content.
    pub content: u64,
    /// Words that were kept.
    pub kept: u64,
    /// Words of the content that were kept.
    pub content_kept: u64,
}

impl TokenCounts {
    /// Compares what was kept of a page with its content.
    pub fn of(kept: &Bag, content: &Bag) -> Self {
        TokenCounts { content: content.size, kept: kept.size, content_kept: kept.shared(content) }
    }

    /// The scores of these counts.
    pub fn scores(&self) -> Agreement {
        Agreement::of(self.content_kept, self.kept, self.content)
    }
}

/// A page that was scored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TokenPage {
    /// Its id.
    pub id: String,
    /// The page it is a copy of, whose text was scored in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<String>,
    /// What was counted.
    #[serde(flatten)]
    pub counts: TokenCounts,
    /// What that comes to.
    #[serde(flatten)]
    pub scores: Agreement,
}

/// The scores of many pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TokenReport {
    /// All words together.
    pub counts: TokenCounts,
    /// Scores of all words together.
    pub all: Agreement,
    /// Means of the pages' scores, each over the pages that have it.
    pub mean: Agreement,
    /// Each page, in the collection's order; a copy stands behind its original.
    pub pages: Vec<TokenPage>,
}

/// Gathers the counts of pages.
#[derive(Clone, Debug, Default)]
pub struct TokenSum {
    counts: TokenCounts,
    sum: AgreementSum,
    pages: Vec<TokenPage>,
}

impl TokenSum {
    /// Adds a page; `copy_of` where it was scored by the text of another.
    pub fn add(&mut self, id: &str, copy_of: Option<&str>, counts: TokenCounts) {
        let scores = counts.scores();
        self.counts.content += counts.content;
        self.counts.kept += counts.kept;
        self.counts.content_kept += counts.content_kept;
        self.sum.add(scores);
        self.pages.push(TokenPage { id: id.to_owned(), copy_of: copy_of.map(str::to_owned), counts, scores });
    }

    /// What it comes to.
    pub fn report(self) -> TokenReport {
        TokenReport { counts: self.counts, all: self.counts.scores(), mean: self.sum.mean(), pages: self.pages }
    }
}

/// Why a page's content cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the content {path} as UTF-8 text: {source}", path = path.display())]
pub struct GoldError {
    path: PathBuf,
    source: io::Error,
}

/// Reads the content of the page with this id, `NAME.html`, from `NAME.html.txt` or `NAME.txt`; none where the folder has neither.
///
/// Tags and character references are read as HTML, since some sets have them, and a first line `URL: …` is left out, which is how those
/// made with CleanEval's rules begin.
pub fn read_gold(folder: &Path, id: &str) -> Result<Option<String>, GoldError> {
    let id = id.trim_start_matches('/');
    for name in [PathBuf::from(format!("{id}.txt")), Path::new(id).with_extension("txt")] {
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => return Ok(Some(content(&text))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(GoldError { path, source }),
        }
    }
    Ok(None)
}

fn content(gold: &str) -> String {
    let gold = gold.trim_start();
    let gold = if gold.starts_with("URL:") { gold.split_once('\n').map_or("", |(_, rest)| rest) } else { gold };
    parse_html(gold).text_where(|_| true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn counts(kept: &str, content: &str) -> TokenCounts {
        TokenCounts::of(&Bag::of(kept), &Bag::of(content))
    }

    #[test]
    fn a_word_is_found_as_often_as_both_texts_have_it() {
        assert_eq!(counts("a a a B", "b A a c"), TokenCounts { content: 4, kept: 4, content_kept: 3 });
    }

    #[test]
    fn order_and_punctuation_do_not_count_and_names_count_by_their_parts() {
        assert_eq!(
            counts("max_connections: 3", "3 connections, max"),
            TokenCounts { content: 3, kept: 3, content_kept: 3 }
        );
    }

    #[test]
    fn characters_of_scripts_without_spaces_are_words() {
        assert_eq!(counts("李娜领衔", "李娜 2"), TokenCounts { content: 3, kept: 4, content_kept: 2 });
    }

    #[test]
    fn totals_weigh_words_and_means_weigh_pages() {
        let mut sum = TokenSum::default();
        sum.add("long", None, counts("a b c d e f", "a b c d e f"));
        sum.add("short", None, counts("", "a b"));
        sum.add("copy", Some("long"), counts("a b c d e f", "a b c"));
        let report = sum.report();
        assert_eq!(report.counts, TokenCounts { content: 11, kept: 12, content_kept: 9 });
        assert_eq!((report.all.precision, report.all.recall), (Some(0.75), Some(9.0 / 11.0)));
        // Of the page nothing was kept of, precision means nothing; recall and F1 are 0.
        assert_eq!(report.mean.precision, Some(0.75));
        assert!((report.mean.f1.unwrap() - (1.0 + 0.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
        assert_eq!(report.pages[2].copy_of.as_deref(), Some("long"));
    }

    proptest::proptest! {
        #[test]
        fn the_overlap_is_that_of_crossing_words_out(kept in "[abc ]{0,30}", content in "[abc ]{0,30}") {
            let mut left: Vec<&str> = content.split_whitespace().collect();
            let crossed = kept.split_whitespace().filter(|word| {
                let at = left.iter().position(|other| other == word);
                at.map(|at| left.swap_remove(at)).is_some()
            });
            let crossed = crossed.count() as u64;
            proptest::prop_assert_eq!(counts(&kept, &content).content_kept, crossed);
        }
    }

    #[test]
    fn content_is_found_by_id_with_or_without_the_extension() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        fs::write(dir.path().join("a/b.txt"), "plain").unwrap();
        fs::write(dir.path().join("a/c.html.txt"), "whole").unwrap();
        fs::write(dir.path().join("bad.txt"), b"\xff").unwrap();
        let read = |id: &str| read_gold(dir.path(), id);
        assert_eq!(read("/a/b.html").unwrap().unwrap(), "plain");
        assert_eq!(read("a/c.html").unwrap().unwrap(), "whole");
        assert!(read("a/d.html").unwrap().is_none());
        assert!(read("bad.html").unwrap_err().to_string().contains("bad.txt"));
    }

    #[test]
    fn tags_references_and_the_first_line_with_the_address_are_no_words() {
        assert_eq!(content("<p>Fish &amp; chips</p>\n<p>x &lt; y</p>"), "Fish & chips\nx < y");
        assert_eq!(content("\nURL: http://a.example/b\nDon&#8217;t"), "Don’t");
        assert_eq!(content("URL: http://a.example/b"), "");
        assert_eq!(content("The URL: here"), "The URL: here");
    }
}
