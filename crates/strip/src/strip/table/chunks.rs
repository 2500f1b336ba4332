//! A page, cut at the tags of delimiting elements.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use unhusk_pages::parse::Page;
use unhusk_pages::parse::words::Sequence;

/// The elements whose start and end tags cut a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delimiters {
    /// The paper's: tables and image maps.
    Table,
    /// Block elements as well, for pages without layout tables.
    #[default]
    Block,
}

impl Delimiters {
    /// Below how many words a chunk is short. Between table tags even a short chunk is seldom content, and the paper
    /// makes no difference; between block tags a value such as a genre stands alone.
    pub fn short_words(self) -> u32 {
        match self {
            Delimiters::Table => 0,
            Delimiters::Block => 5,
        }
    }

    fn cuts(self, tag: &str) -> bool {
        match self {
            Delimiters::Table => matches!(tag, "table" | "map"),
            Delimiters::Block => matches!(
                tag,
                "table"
                    | "map"
                    | "address"
                    | "article"
                    | "aside"
                    | "blockquote"
                    | "center"
                    | "details"
                    | "dialog"
                    | "dir"
                    | "div"
                    | "dl"
                    | "fieldset"
                    | "figure"
                    | "footer"
                    | "form"
                    | "h1"
                    | "h2"
                    | "h3"
                    | "h4"
                    | "h5"
                    | "h6"
                    | "header"
                    | "hgroup"
                    | "main"
                    | "menu"
                    | "nav"
                    | "ol"
                    | "p"
                    | "pre"
                    | "search"
                    | "section"
                    | "select"
                    | "ul"
            ),
        }
    }
}

/// The text between two neighbouring delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its pieces.
    pub pieces: Range<usize>,
    /// A hash of its words in order. White space, punctuation and case do not count.
    pub hash: u64,
    /// How many words it has: at least one.
    pub words: u32,
}

/// The chunks of a page that have words, in its order.
pub fn chunks(page: &Page, delimiters: Delimiters) -> Vec<Chunk> {
    let mut cuts = vec![false; page.piece_count() + 1];
    let cutting: Vec<bool> = page.signs().map(|sign| delimiters.cuts(sign.tag)).collect();
    for element in &page.elements {
        if cutting[element.sign as usize] {
            cuts[element.first_piece as usize] = true;
            cuts[element.end_piece as usize] = true;
        }
    }
    let mut chunks = Vec::new();
    let mut start = 0;
    let last = page.piece_count();
    for (end, cut) in cuts.into_iter().enumerate().skip(1) {
        if cut || end == last {
            chunks.extend(chunk(page, start..end));
            start = end;
        }
    }
    chunks
}

fn chunk(page: &Page, pieces: Range<usize>) -> Option<Chunk> {
    let sequences = pieces.clone().map(|piece| page.piece(piece).piece.words);
    let Sequence { hash, words } = sequences.fold(Sequence::default(), Sequence::then);
    (words > 0).then_some(Chunk { pieces, hash, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use unhusk_pages::parse::parse_html;

    fn texts(html: &str, delimiters: Delimiters) -> Vec<String> {
        let page = parse_html(html);
        let text = |chunk: Chunk| page.text_where(|piece| chunk.pieces.contains(&piece)).replace('\n', " ");
        chunks(&page, delimiters).into_iter().map(text).collect()
    }

    #[test]
    fn nested_tables_are_cut_before_inside_and_after() {
        let html = "a<table><tr><td>b<table><tr><td>c</td></tr></table>d</td></tr></table>e";
        assert_eq!(texts(html, Delimiters::Table), ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn rows_and_cells_do_not_cut() {
        let html = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>";
        assert_eq!(texts(html, Delimiters::Block), ["a b c"]);
    }

    #[test]
    fn image_maps_cut() {
        assert_eq!(texts("a<map>b</map>c<p>d", Delimiters::Table), ["a", "b", "c d"]);
    }

    #[test]
    fn blocks_cut_in_the_profile_of_today() {
        let html = "<nav>a <b>b</b><ul><li>c<li>d</ul></nav><p>e<p>f";
        assert_eq!(texts(html, Delimiters::Block), ["a b", "c d", "e", "f"]);
        assert_eq!(texts(html, Delimiters::Table), ["a b c d e f"]);
    }

    #[test]
    fn white_space_case_entities_and_punctuation_do_not_tell_chunks_apart() {
        let hash = |html: &str| chunks(&parse_html(html), Delimiters::Block)[0].hash;
        assert_eq!(hash("<p>Fish\n and  CHIPS!"), hash("<p>fish &#97;nd <b>chips</b>"));
        assert_ne!(hash("<p>fish chips"), hash("<p>chips fish"));
    }

    #[test]
    fn chunks_without_words_are_none() {
        assert_eq!(texts("<p>|</p><p>a</p>", Delimiters::Block), ["a"]);
    }
}
