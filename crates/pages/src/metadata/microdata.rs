//! Microdata: `itemscope` begins a thing, `itemprop` names a property of the thing around it, `itemref` takes in what stands elsewhere.

use super::Collector;
use super::schema::{self, Item, Property, last_segment};
use crate::field::Source;
use crate::parse::Page;
use crate::parse::said::{Mark, Said};

/// Things inside each other.
const DEPTH: usize = 32;

/// The attributes that microdata is said in.
const MICRODATA: Spelling = Spelling {
    scope: "itemscope",
    types: "itemtype",
    property: "itemprop",
    elsewhere: Some("itemref"),
    plain: last_segment,
};

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    let reader = Reader { marks: &said.marks, page: collector.page, spelling: &MICRODATA };
    schema::read(&reader.items(|_| true), Source::Microdata, collector);
}

/// Which attributes say what, and how a name is told from its vocabulary.
pub(super) struct Spelling {
    /// Begins a thing.
    pub(super) scope: &'static str,
    /// What kind of thing it is.
    pub(super) types: &'static str,
    /// Names a property of the thing around it.
    pub(super) property: &'static str,
    /// Names ids of what else is the thing's.
    pub(super) elsewhere: Option<&'static str>,
    pub(super) plain: fn(&str) -> &str,
}

/// Reads things off the marks of a page.
pub(super) struct Reader<'s> {
    pub(super) marks: &'s [Mark],
    pub(super) page: &'s Page,
    pub(super) spelling: &'s Spelling,
}

impl Reader<'_> {
    /// The outermost things, of those that are `wanted`.
    pub(super) fn items(&self, wanted: impl Fn(&str) -> bool) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = 0;
        while let Some(mark) = self.marks.get(at) {
            if mark.get(self.spelling.scope).is_some_and(&wanted) {
                items.push(self.item(at, 0));
                at = mark.end as usize;
            } else {
                at += 1;
            }
        }
        items
    }

    fn item(&self, at: usize, depth: usize) -> Item {
        let mark = &self.marks[at];
        let words = |attribute: &'static str| mark.get(attribute).unwrap_or_default().split_whitespace();
        let types = words(self.spelling.types).map(|of| (self.spelling.plain)(of).to_owned());
        let mut item = Item { types: types.collect(), line: mark.line, ..Item::default() };
        if depth > DEPTH {
            return item;
        }
        self.properties(at + 1..mark.end as usize, &mut item, depth);
        for id in self.spelling.elsewhere.into_iter().flat_map(words).take(16) {
            if let Some(range) = self.marks_in(id).filter(|range| !range.contains(&at)) {
                self.properties(range, &mut item, depth);
            }
        }
        item
    }

    fn properties(&self, range: std::ops::Range<usize>, item: &mut Item, depth: usize) {
        let mut at = range.start;
        while at < range.end {
            let mark = &self.marks[at];
            let is_item = mark.get(self.spelling.scope).is_some();
            for name in mark.get(self.spelling.property).unwrap_or_default().split_whitespace().take(8) {
                let property = match is_item {
                    true => Property::Item(self.item(at, depth + 1)),
                    false => Property::Text(value(mark, self.page)),
                };
                item.properties.push(((self.spelling.plain)(name).to_owned(), property));
            }
            // What is inside a thing is that thing's.
            at = if is_item { mark.end as usize } else { at + 1 };
        }
    }

    /// The marks inside the element of an id, itself with them.
    fn marks_in(&self, id: &str) -> Option<std::ops::Range<usize>> {
        let number = (0..self.page.elements.len() as u32).find(|&element| self.page.sign(element).id == id)?;
        let end = self.page.elements[number as usize].end;
        let start = self.marks.partition_point(|mark| mark.element.is_some_and(|element| element < number));
        let marks = self.marks[start..].iter().take_while(|mark| mark.element.is_none_or(|element| element < end));
        Some(start..start + marks.count())
    }
}

/// What an element with a property says.
fn value(mark: &Mark, page: &Page) -> String {
    let attribute = match &*mark.tag {
        _ if mark.get("content").is_some() => "content",
        "a" | "area" | "link" => "href",
        "img" | "audio" | "video" | "source" | "embed" | "iframe" | "track" => "src",
        "object" => "data",
        "data" | "meter" => "value",
        "time" if mark.get("datetime").is_some() => "datetime",
        _ => return text(mark, page),
    };
    mark.get(attribute).unwrap_or_default().to_owned()
}

/// The text of an element, up to what a value may be long.
pub(super) fn text(mark: &Mark, page: &Page) -> String {
    let Some(element) = mark.element.map(|element| page.elements[element as usize]) else {
        return mark.hidden_text.clone();
    };
    let mut text = String::new();
    for piece in element.first_piece..element.end_piece {
        let view = page.piece(piece as usize);
        if !text.is_empty() {
            text.push_str(view.piece.join.as_str());
        }
        text.push_str(view.text);
        // More would be left out.
        if text.len() > 5000 {
            break;
        }
    }
    text
}
