//! Ids and classes: which of them name places, and which of them name furniture.

use xxhash_rust::xxh3::xxh3_64;

use super::outline::Sight;
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::words::and_then;
use unhusk_pages::parse::{Page, Sign};

/// Share of the pages an id or class has to be on to name a place.
const SHARE: u32 = 10;
/// Pages it has to be on in any case.
const FEWEST: u32 = 2;

/// The ids and classes that name places. Others name a page (`post-slug`, a category), and with them in
/// its path no place would be on two pages.
#[derive(Default)]
pub(super) struct Vocabulary {
    known: HashedSet,
}

/// Counts pages by id and class.
#[derive(Default)]
pub(super) struct NameCounts {
    pages: u32,
    names: HashedMap<u32>,
}

impl NameCounts {
    /// Counts a page.
    pub(super) fn add(&mut self, page: &Sight) {
        self.pages += 1;
        let mut names = page.names().to_vec();
        names.sort_unstable();
        names.dedup();
        for name in names {
            *self.names.entry(name).or_default() += 1;
        }
    }

    /// The names that are on enough pages.
    pub(super) fn vocabulary(self) -> Vocabulary {
        let enough = FEWEST.max(self.pages / SHARE);
        Vocabulary {
            known: self.names.into_iter().filter(|&(_, pages)| pages >= enough).map(|(name, _)| name).collect(),
        }
    }
}

impl Vocabulary {
    /// A hash of an element's tag and of those of its names that name places.
    pub(super) fn hash(&self, tag: u64, names: &[u64]) -> u64 {
        let mut names: Vec<u64> = names.iter().copied().filter(|name| self.known.contains(name)).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().fold(tag, and_then)
    }
}

/// A hash of an element's tag.
pub(super) fn tag(sign: Sign<'_>) -> u64 {
    xxh3_64(sign.tag.as_bytes())
}

/// Hashes of an element's id and classes. Those of `html` and `body` tell pages apart, not places.
pub(super) fn of(sign: Sign<'_>) -> impl Iterator<Item = u64> {
    let names_page = matches!(sign.tag, "html" | "body");
    let id = (!sign.id.is_empty()).then(|| and_then(1, squeezed(sign.id)));
    let classes = sign.class.split(' ').filter(|class| !class.is_empty()).map(squeezed);
    id.into_iter().chain(classes).filter(move |_| !names_page)
}

/// A hash of a name in which one number is like another: `post-17` is `post-18`.
fn squeezed(name: &str) -> u64 {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return xxh3_64(name.as_bytes());
    }
    let mut squeezed = Vec::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'0'..=b'9' if squeezed.last() == Some(&b'0') => {}
            b'0'..=b'9' => squeezed.push(b'0'),
            _ => squeezed.push(byte),
        }
    }
    xxh3_64(&squeezed)
}

/// Words in ids and classes by which the people who make pages call what is not content. Class names are English wherever
/// a site is from.
const FURNITURE: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "breadcrumb",
    "breadcrumbs",
    "discussion",
    "disqus",
    "footer",
    "login",
    "menu",
    "nav",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "popular",
    "promo",
    "rating",
    "related",
    "share",
    "sharing",
    "sidebar",
    "social",
    "sponsor",
    "sponsored",
    "subscribe",
    "tags",
    "toolbar",
    "toolbox",
    "widget",
];

/// The names of furniture on a page. Few elements are asked for, and many look alike.
pub(super) struct Furniture<'p> {
    page: &'p Page,
    known: Vec<Option<Option<&'static str>>>,
}

impl<'p> Furniture<'p> {
    /// Nothing is looked at yet.
    pub(super) fn of(page: &'p Page) -> Self {
        Furniture { page, known: Vec::new() }
    }

    /// The name of furniture that an element has, or one around it; only names inside of `root` count, where the element is
    /// inside of it.
    pub(super) fn around(&mut self, element: u32, root: u32) -> Option<&'static str> {
        let page = self.page;
        page.ancestors(element).take_while(|&element| element != root).find_map(|element| self.name(element))
    }

    fn name(&mut self, element: u32) -> Option<&'static str> {
        let sign = self.page.elements[element as usize].sign as usize;
        if self.known.len() <= sign {
            self.known.resize(sign + 1, None);
        }
        *self.known[sign].get_or_insert_with(|| furniture(self.page.sign(element)))
    }
}

/// The name of furniture an element has, or is by its tag.
fn furniture(sign: Sign<'_>) -> Option<&'static str> {
    match sign.tag {
        "nav" => return Some("nav"),
        "aside" => return Some("aside"),
        "footer" => return Some("footer"),
        // Nobody calls a page's body furniture and means it.
        "html" | "body" => return None,
        _ => {}
    }
    let mut words = [sign.id, sign.class].into_iter().flat_map(|name| name.split(|c: char| !c.is_alphabetic()));
    words.find_map(|word| {
        let lower = word.to_ascii_lowercase();
        if lower.contains("comment") && !lower.contains("commentary") {
            return Some("comment");
        }
        FURNITURE.binary_search(&lower.as_str()).ok().map(|at| FURNITURE[at])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign<'a>(tag: &'a str, id: &'a str, class: &'a str) -> Sign<'a> {
        Sign { tag, id, class }
    }

    #[test]
    fn names_of_furniture_are_whole_words_in_any_spelling() {
        assert_eq!(furniture(sign("div", "RELATED-box", "")), Some("related"));
        assert_eq!(furniture(sign("div", "", "big postComments")), Some("comment"));
        assert_eq!(furniture(sign("div", "", "correlated")), None);
        assert_eq!(furniture(sign("div", "", "commentary")), None);
        assert_eq!(furniture(sign("body", "", "with-sidebar")), None);
        assert_eq!(furniture(sign("nav", "", "")), Some("nav"));
        assert!(FURNITURE.is_sorted());
    }

    #[test]
    fn numbers_in_names_do_not_tell_places_apart_and_rare_names_do_not_count() {
        let mut counts = NameCounts::default();
        for number in 0..3 {
            let html = format!("<div class='post post-{number} only-{}'>x", ["a", "b", "c"][number]);
            counts.add(&Sight::of(&unhusk_pages::parse::parse_html(&html)));
        }
        let vocabulary = counts.vocabulary();
        let hash = |class| vocabulary.hash(1, &of(sign("div", "", class)).collect::<Vec<_>>());
        assert_eq!(hash("post post-17"), hash("post-4 post"));
        assert_eq!(hash("post"), hash("post only-a"));
        assert_ne!(hash("post"), hash(""));
    }
}
