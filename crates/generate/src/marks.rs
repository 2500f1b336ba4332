//! What of a generated page is template and what is content, known because the page was made that way.
//!
//! A mark is a *piece*: a run of text with its byte range in the file and the part of the page it belongs to. The
//! part decides between template and content. Text in attributes (`alt`) is marked as well but kept apart: it makes
//! no line text-bearing.
//!
//! On disk, `marked/<id>.tsv` holds one line `lines<TAB>…` with one letter for each source line of the page (`T`
//! template text, `C` content text, `B` both, `-` no text), then a line for each piece in file order: `T` or `C`
//! (`t` or `c` for attribute text), first byte, byte after the last, part.

use std::fmt::Write as _;

use serde::Serialize;

/// The part of a page a piece of text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Part {
    /// The site's name at the end of each `<title>`.
    SiteName,
    /// The site's name and slogan on top.
    Banner,
    /// The image map of the sections.
    Map,
    /// Links to the sections and within the section.
    Nav,
    /// The way from the front page to this page.
    Crumbs,
    /// Links to the page before and after.
    Pager,
    /// Titles of other pages.
    Related,
    /// Advertisements for the site itself.
    Promo,
    /// The search form.
    Search,
    /// Copyright, legal text, contact.
    Footer,
    /// Dates and counts that differ on each page.
    Counter,
    /// A notice that only a few pages carry.
    Notice,
    /// The fixed words around a value: "Cuisine:", "By".
    Label,
    /// The page's own title.
    Title,
    /// Author, place and date of an article.
    Byline,
    /// Running text.
    Body,
    /// The value of an attribute.
    Value,
    /// An entry of an index page: a link that is content.
    Entry,
}

impl Part {
    /// All parts that are template.
    pub const TEMPLATE: [Part; 13] = [
        Part::SiteName,
        Part::Banner,
        Part::Map,
        Part::Nav,
        Part::Crumbs,
        Part::Pager,
        Part::Related,
        Part::Promo,
        Part::Search,
        Part::Footer,
        Part::Counter,
        Part::Notice,
        Part::Label,
    ];

    /// Whether text of this part is template.
    pub fn is_template(self) -> bool {
        !matches!(self, Part::Title | Part::Byline | Part::Body | Part::Value | Part::Entry)
    }

    /// The part's name in files.
    pub fn name(self) -> &'static str {
        match self {
            Part::SiteName => "site-name",
            Part::Banner => "banner",
            Part::Map => "map",
            Part::Nav => "nav",
            Part::Crumbs => "crumbs",
            Part::Pager => "pager",
            Part::Related => "related",
            Part::Promo => "promo",
            Part::Search => "search",
            Part::Footer => "footer",
            Part::Counter => "counter",
            Part::Notice => "notice",
            Part::Label => "label",
            Part::Title => "title",
            Part::Byline => "byline",
            Part::Body => "body",
            Part::Value => "value",
            Part::Entry => "entry",
        }
    }
}

/// A marked run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// What it belongs to.
    pub part: Part,
    /// Its first byte in the page's HTML.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Whether it is the value of an attribute and not text between tags.
    pub attribute: bool,
}

/// A table, or image map, that holds template text and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TemplateTable {
    /// `table` or `map`.
    pub element: &'static str,
    /// Its plain text, pieces joined by a space; of a map, the `alt` texts of its areas.
    pub text: String,
}

/// All marks of a page, in file order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The pieces; they do not overlap.
    pub pieces: Vec<Piece>,
}

impl Marks {
    /// One letter for each line of `html`: `T`, `C`, `B` or `-`.
    pub fn lines(&self, html: &str) -> String {
        let mut letters = String::new();
        let mut pieces = self.pieces.iter().filter(|p| !p.attribute).peekable();
        let mut end = 0;
        for line in html.split_inclusive('\n') {
            end += line.len();
            let (mut template, mut content) = (false, false);
            // No piece runs over a line's end, so a piece lies on the line it starts on.
            while let Some(piece) = pieces.next_if(|p| p.start < end) {
                template |= piece.part.is_template();
                content |= !piece.part.is_template();
            }
            letters.push(match (template, content) {
                (true, true) => 'B',
                (true, false) => 'T',
                (false, true) => 'C',
                (false, false) => '-',
            });
        }
        letters
    }

    /// The marks as written to `marked/<id>.tsv`.
    pub fn to_tsv(&self, html: &str) -> String {
        let mut out = format!("lines\t{}\n", self.lines(html));
        for piece in &self.pieces {
            let letter = match (piece.part.is_template(), piece.attribute) {
                (true, false) => 'T',
                (true, true) => 't',
                (false, false) => 'C',
                (false, true) => 'c',
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{letter}\t{}\t{}\t{}", piece.start, piece.end, piece.part.name());
        }
        out
    }

    /// Share of template in the text between tags, in bytes.
    pub fn template_share(&self) -> f64 {
        let bytes = |template: bool| -> usize {
            let pieces = self.pieces.iter().filter(|p| !p.attribute && p.part.is_template() == template);
            pieces.map(|p| p.end - p.start).sum()
        };
        let (template, content) = (bytes(true), bytes(false));
        template as f64 / (template + content).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_marked_by_what_stands_on_it() {
        let html = "<p>a</p>\n<b>\n<p>x</p><p>y</p>\n<i>z</i>";
        let piece = |part, start, attribute| Piece { part, start, end: start + 1, attribute };
        let marks = Marks {
            pieces: vec![
                piece(Part::Nav, 3, false),
                piece(Part::Map, 10, true),
                piece(Part::Label, 16, false),
                piece(Part::Value, 24, false),
                piece(Part::Body, 33, false),
            ],
        };
        assert_eq!(marks.lines(html), "T-BC");
        let tsv = marks.to_tsv(html);
        assert_eq!(tsv.lines().nth(2), Some("t\t10\t11\tmap"));
    }

    #[test]
    fn the_list_of_template_parts_is_complete_and_named_as_serialised() {
        for part in Part::TEMPLATE {
            assert!(part.is_template());
            assert_eq!(serde_json::to_value(part).expect("a unit variant"), part.name());
        }
        assert!(!Part::Entry.is_template());
    }
}
