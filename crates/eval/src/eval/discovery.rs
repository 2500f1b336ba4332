//! The template table discovery ratio: template tables found / template tables there.
//!
//! Table 2 of the table-text-chunk paper. 1 means that every template table was found; below 1, some were not; above 1,
//! content was taken for template as well.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use unhusk_pages::parse::Page;
use unhusk_pages::parse::words::Sequence;
use unhusk_strip::strip::Mask;
use unhusk_strip::strip::table::{Delimiters, chunks};

/// Name of the file with the marked tables beside a site's pages.
pub const FILE: &str = "templates.json";

/// The marked template tables of a site, as `unhusk generate` writes them.
#[derive(Clone, Debug, Deserialize)]
pub struct MarkedTables {
    pages: HashMap<String, MarkedPage>,
}

#[derive(Clone, Debug, Deserialize)]
struct MarkedPage {
    #[serde(default)]
    tables: Vec<MarkedTable>,
}

#[derive(Clone, Debug, Deserialize)]
struct MarkedTable {
    element: String,
    text: String,
}

/// What can be wrong with the marks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MarksError {
    /// The file cannot be read.
    #[error("cannot read the marked tables in {0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The file is not what `unhusk generate` writes.
    #[error("{0} has no marked tables: {1}; expected what `unhusk generate --table-samples` writes")]
    Malformed(PathBuf, serde_json::Error),
}

/// Tables counted over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Discovery {
    /// Template tables there.
    pub there: u64,
    /// Of these, found.
    pub found: u64,
    /// Other chunks that were taken for template.
    pub mistaken: u64,
}

impl MarkedTables {
    /// Reads the marks beside a site's pages.
    pub fn read(site: &Path) -> Result<Self, MarksError> {
        let path = site.join(FILE);
        let json = fs::read_to_string(&path).map_err(|error| MarksError::Io(path.clone(), error))?;
        serde_json::from_str(&json).map_err(|error| MarksError::Malformed(path, error))
    }

    /// Compares a page's mask with its marked tables. Image maps have no text to find, and are left out.
    pub fn compare(&self, page: &Page, mask: &Mask) -> Discovery {
        let tables = self.pages.get(&page.id).map_or(&[][..], |marked| &marked.tables);
        let marked: Vec<u64> = tables
            .iter()
            .filter(|table| table.element == "table")
            .map(|table| Sequence::of(&table.text))
            .filter_map(|text| (text.words > 0).then_some(text.hash))
            .collect();
        let dropped: Vec<u64> = chunks(page, Delimiters::Table)
            .into_iter()
            .filter(|chunk| chunk.pieces.clone().all(|piece| mask.drops(piece)))
            .map(|chunk| chunk.hash)
            .collect();
        let marked_set: HashSet<u64> = marked.iter().copied().collect();
        let dropped_set: HashSet<u64> = dropped.iter().copied().collect();
        Discovery {
            there: marked.len() as u64,
            found: marked.iter().filter(|hash| dropped_set.contains(hash)).count() as u64,
            mistaken: dropped.iter().filter(|hash| !marked_set.contains(hash)).count() as u64,
        }
    }
}

impl Discovery {
    /// Adds another page's tables.
    pub fn add(&mut self, other: Discovery) {
        self.there += other.there;
        self.found += other.found;
        self.mistaken += other.mistaken;
    }

    /// The ratio; none where there was nothing to find.
    pub fn ratio(&self) -> Option<f64> {
        (self.there > 0).then(|| (self.found + self.mistaken) as f64 / self.there as f64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use unhusk_pages::parse::parse_html;
    use unhusk_strip::strip::Reason;

    #[test]
    fn found_missed_and_mistaken_tables_are_told_apart() {
        let json = r#"{"pages":{"p":{"tables":[
            {"element":"table","text":"Home News"},{"element":"table","text":"Page 7"},{"element":"map","text":"x"}]}}}"#;
        let marked: MarkedTables = serde_json::from_str(json).unwrap();
        let cell = |text: &str| format!("<table><tr><td>{text}</td></tr></table>");
        let mut page = parse_html(&(cell("home | news") + &cell("Page 7") + &cell("a story")));
        page.id = "p".to_owned();
        let mut mask = Mask::keep_all(page.piece_count());
        mask.drop(0..1, Reason::Chunk { pages: 4, of: 5, threshold: 4 });
        let mut discovery = marked.compare(&page, &mask);
        assert_eq!(discovery, Discovery { there: 2, found: 1, mistaken: 0 });
        mask.drop(2..3, Reason::Chunk { pages: 4, of: 5, threshold: 4 });
        discovery.add(marked.compare(&page, &mask));
        assert_eq!(discovery, Discovery { there: 4, found: 2, mistaken: 1 });
        assert_eq!(discovery.ratio(), Some(0.75));
    }
}
