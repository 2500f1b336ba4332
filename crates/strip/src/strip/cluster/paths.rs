//! Paths: where an element stands, by the tags around it; and where a text stands, the text included.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use unhusk_pages::parse::Page;

/// Distinct paths of a page that are looked at. A page with more is known by those with the smallest hashes, which are the
/// same ones on every page that has them; so no page, however long, takes more memory than this.
pub(super) const MOST: usize = 1 << 14;

/// Tells a text from an element of that name.
const TEXT: u64 = 0x7465_7874_7465_7874;

/// A text node: its path, and the pieces it is cut into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) path: u64,
    pub(super) element: u32,
    pub(super) pieces: Range<usize>,
}

/// The path of each element, by its number.
pub(super) fn of_elements(page: &Page) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(page.elements.len());
    for (number, element) in page.elements.iter().enumerate() {
        // The root is its own parent, and has no path yet.
        let parent = paths.get(element.parent as usize).copied().unwrap_or(0);
        paths.push(xxh3_64_with_seed(page.sign(number as u32).tag.as_bytes(), parent));
    }
    paths
}

/// The elements that count. The parser makes a `head` for every page: one with nothing in it was not written by anybody.
pub(super) fn counted(page: &Page) -> impl Iterator<Item = usize> + '_ {
    let empty = |number: usize| page.elements[number].end as usize == number + 1;
    (0..page.elements.len()).filter(move |&number| !(empty(number) && page.sign(number as u32).tag == "head"))
}

/// The text nodes in document order.
pub(super) fn of_texts(page: &Page, elements: &[u64]) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut first = 0;
    while first < page.piece_count() {
        let node = page.piece(first).piece.node;
        let same = (first..page.piece_count()).take_while(|&piece| page.piece(piece).piece.node == node).count();
        let pieces = first..first + same;
        first = pieces.end;
        let element = page.piece(pieces.start).piece.element;
        let seed = elements.get(element as usize).copied().unwrap_or(0) ^ TEXT;
        let path = match same {
            1 => xxh3_64_with_seed(page.piece(pieces.start).text.as_bytes(), seed),
            _ => xxh3_64_with_seed(text(page, &pieces).as_bytes(), seed),
        };
        texts.push(Text { path, element, pieces });
    }
    texts
}

/// The text of a node: where its source lines were cut does not matter.
pub(super) fn text(page: &Page, pieces: &Range<usize>) -> String {
    pieces.clone().map(|piece| page.piece(piece).text).collect::<Vec<_>>().join(" ")
}

/// A page as the set of its paths: distinct, in the order of their hashes.
pub(super) fn distinct(page: &Page) -> Vec<u64> {
    let elements = of_elements(page);
    let mut paths: Vec<u64> = counted(page).map(|number| elements[number]).collect();
    paths.extend(of_texts(page, &elements).iter().map(|text| text.path));
    paths.sort_unstable();
    paths.dedup();
    paths.truncate(MOST);
    paths.shrink_to_fit();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use unhusk_pages::parse::parse_html;

    fn shared(one: &str, other: &str) -> usize {
        let (one, other) = (distinct(&parse_html(one)), distinct(&parse_html(other)));
        one.iter().filter(|path| other.contains(path)).count()
    }

    #[test]
    fn a_page_is_the_set_of_its_elements_and_texts() {
        // html, body, p, its text, b, its text.
        assert_eq!(distinct(&parse_html("<p>Tides</p><p>Tides <b>now</b></p>")).len(), 6);
    }

    #[test]
    fn a_text_is_no_element_of_that_name_and_another_place_is_another_path() {
        assert_eq!(shared("<p>b</p>", "<p><b></b></p>"), 3);
        assert_eq!(shared("<p>Tides</p>", "<div>Tides</div>"), 2);
    }

    #[test]
    fn lines_in_the_source_do_not_tell_texts_apart() {
        assert_eq!(shared("<p>High\n water</p>", "<p>High water</p>"), 4);
    }

    #[test]
    fn a_head_that_nobody_wrote_is_no_path() {
        assert_eq!(distinct(&parse_html("<p>")).len(), 3);
        assert_eq!(distinct(&parse_html("<head><meta name=a></head><p>")).len(), 5);
    }

    #[test]
    fn a_page_of_very_many_texts_has_a_bounded_number_of_paths() {
        let html: String = (0..3 * MOST).map(|n| format!("<p>{n}")).collect();
        assert_eq!(distinct(&parse_html(&html)).len(), MOST);
    }
}
