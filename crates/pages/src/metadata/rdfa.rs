//! RDFa Lite: `typeof` begins a thing, `property` names a property, `vocab` or the prefix `schema:` says whose words these are.

use super::Collector;
use super::microdata::value;
use super::schema::{self, Item, Property, last_segment};
use crate::field::Source;
use crate::parse::Page;
use crate::parse::said::{Mark, Said};

/// Things inside each other.
const DEPTH: usize = 32;

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    if !said.marks.iter().any(|mark| mark.get("typeof").is_some()) {
        return;
    }
    let reader = Reader { marks: &said.marks, page: collector.page };
    let is_schema = |mark: &Mark| mark.get("vocab").is_some_and(|vocab| vocab.contains("schema.org"));
    let has_vocab = said.marks.iter().any(is_schema);
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(mark) = said.marks.get(at) {
        match mark.get("typeof") {
            Some(of) if has_vocab || of.starts_with("schema:") => {
                items.push(reader.item(at, 0));
                at = mark.end as usize;
            }
            _ => at += 1,
        }
    }
    schema::read(&items, Source::Rdfa, collector);
}

struct Reader<'s> {
    marks: &'s [Mark],
    page: &'s Page,
}

impl Reader<'_> {
    fn item(&self, at: usize, depth: usize) -> Item {
        let mark = &self.marks[at];
        let types = mark.get("typeof").unwrap_or_default().split_whitespace().map(|of| plain(of).to_owned());
        let mut item = Item { types: types.collect(), line: mark.line, ..Item::default() };
        if depth > DEPTH {
            return item;
        }
        let mut inside = at + 1;
        while inside < mark.end as usize {
            let mark = &self.marks[inside];
            let is_item = mark.get("typeof").is_some();
            for name in mark.get("property").unwrap_or_default().split_whitespace().take(8) {
                let property = match is_item {
                    true => Property::Item(self.item(inside, depth + 1)),
                    false => Property::Text(value(mark, self.page)),
                };
                item.properties.push((plain(name).to_owned(), property));
            }
            inside = if is_item { mark.end as usize } else { inside + 1 };
        }
        item
    }
}

/// A name without its vocabulary.
fn plain(name: &str) -> &str {
    name.strip_prefix("schema:").unwrap_or_else(|| last_segment(name))
}
