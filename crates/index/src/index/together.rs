//! Which templates go together: a whole menu, a whole footer.
//!
//! Methods find texts. People think of what the texts make up. Texts go together where they follow one another on the page
//! they were first found on, with no other word between them, and are on nearly the same number of pages.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use unhusk_pages::spool::{PageNo, SpoolError};
use unhusk_strip::strip::{Pages, Template};

/// Of two neighbours the rarer is on this share of the other's pages at least: an entry of a menu that is written in another
/// way on its own page still belongs to the menu.
const NEARLY: f64 = 0.9;
/// Templates that are looked at, those on most pages first: more than anybody reads, and cheap.
const LOOKED_AT: usize = 10_000;
/// Pages whose names are read through one window.
const WINDOW: usize = 1024;
/// Places of a text on a page that are considered.
const PLACES: usize = 32;

/// Groups of two templates and more, by their numbers, each in the order of reading. A template is in one group at most.
pub(super) fn together(templates: &[Template], pages: &Pages<'_>) -> Result<Vec<Vec<u32>>, SpoolError> {
    let mut by_example: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, template) in (0..).zip(templates).take(LOOKED_AT).filter(|(_, template)| template.layout.is_none()) {
        by_example.entry(&template.example).or_default().push(number);
    }
    by_example.retain(|_, numbers| numbers.len() > 1);
    let mut groups = Vec::new();
    for stretch in pages.numbers().chunks(WINDOW) {
        let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
        // An example is the first page that has a text, so most are found at once.
        if by_example.is_empty() {
            break;
        }
        let window = pages.spool().window(*first, PageNo(last.0 + 1))?;
        for &page in stretch {
            if let Some(numbers) = by_example.remove(window.name(page)?.id.as_str()) {
                groups.extend(on_page(&window.page(page)?.text_where(|_| true), templates, &numbers));
            }
        }
    }
    groups.sort_unstable();
    Ok(groups)
}

/// A template's place in the text of a page.
struct Placed {
    number: u32,
    at: Range<usize>,
}

fn on_page(text: &str, templates: &[Template], numbers: &[u32]) -> Vec<Vec<u32>> {
    let mut placed = place(text, templates, numbers);
    placed.sort_unstable_by_key(|one| one.at.start);
    let follows = |before: &Placed, next: &Placed| {
        similar(templates, before.number, next.number)
            && !text[before.at.end..next.at.start].contains(char::is_alphanumeric)
    };
    let groups = placed.chunk_by(follows).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|one| one.number).collect()).collect()
}

/// Gives each template a place of its own. Those that can be in one place only go first; the others go beside them.
fn place(text: &str, templates: &[Template], numbers: &[u32]) -> Vec<Placed> {
    let mut open: Vec<(u32, Vec<Range<usize>>)> =
        numbers.iter().map(|&number| (number, places(text, &templates[number as usize].text))).collect();
    open.sort_by_key(|(number, places)| (places.len(), Reverse(templates[*number as usize].text.len())));
    let mut placed: Vec<Placed> = Vec::new();
    for (number, places) in open {
        let free = places.into_iter().filter(|at| placed.iter().all(|other| apart(at, &other.at).is_some()));
        let to_neighbour = |at: &Range<usize>| {
            let alike = placed.iter().filter(|other| similar(templates, number, other.number));
            alike.filter_map(|other| apart(at, &other.at)).min()
        };
        if let Some(at) = free.min_by_key(|at| to_neighbour(at).unwrap_or(usize::MAX)) {
            placed.push(Placed { number, at });
        }
    }
    placed
}

/// Where a text stands in whole words.
fn places(page: &str, text: &str) -> Vec<Range<usize>> {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let found = page.match_indices(text).map(|(start, found)| start..start + found.len());
    let whole = found.filter(|at| {
        !at.is_empty() && !is_word(page[..at.start].chars().next_back()) && !is_word(page[at.end..].chars().next())
    });
    whole.take(PLACES).collect()
}

/// Bytes between two stretches; none where they overlap.
fn apart(one: &Range<usize>, other: &Range<usize>) -> Option<usize> {
    other.start.checked_sub(one.end).or_else(|| one.start.checked_sub(other.end))
}

fn similar(templates: &[Template], one: u32, other: u32) -> bool {
    let pages = |number: u32| f64::from(templates[number as usize].pages);
    pages(one).min(pages(other)) >= NEARLY * pages(one).max(pages(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(page: &str, texts: &[(&str, u32)]) -> Vec<Vec<u32>> {
        let template = |&(text, pages): &(&str, u32)| Template {
            text: text.to_owned(),
            pages,
            times: pages,
            bytes_saved: 0,
            example: "a".to_owned(),
            layout: None,
        };
        let templates: Vec<Template> = texts.iter().map(template).collect();
        let numbers: Vec<u32> = (0..templates.len() as u32).collect();
        on_page(page, &templates, &numbers)
    }

    #[test]
    fn a_menu_is_one_entry_in_the_order_of_reading() {
        let page = "Home · Law · Sport\nThe court sat on Monday.\nCopyright";
        assert_eq!(grouped(page, &[("Sport", 50), ("Copyright", 50), ("Law", 49), ("Home", 50)]), [vec![3, 2, 0]]);
    }

    #[test]
    fn a_word_between_or_other_pages_part_them() {
        assert!(grouped("Home today Law", &[("Home", 50), ("Law", 50)]).is_empty());
        assert!(grouped("Home\nLaw", &[("Home", 50), ("Law", 40)]).is_empty());
    }

    #[test]
    fn a_text_in_two_places_is_counted_where_its_neighbours_are() {
        let page = "Law and order\nLaw\nHome\nSport";
        assert_eq!(grouped(page, &[("Law", 9), ("Home", 9), ("Sport", 9)]), [vec![0, 1, 2]]);
        let twice = "Home\nLaw\ntext\nHome";
        assert_eq!(grouped(twice, &[("Home", 9), ("Home", 9), ("Law", 9)]).concat().len(), 2);
    }

    #[test]
    fn a_part_of_a_word_is_no_place() {
        assert_eq!(places("Lawyer outlaw Law", "Law").first(), Some(&(14..17)));
        assert!(places("any", "").is_empty());
    }
}
