//! JSON-LD: things in scripts. `@graph` and arrays are things in a row; a thing that is only an `@id` is the one of that `@id`.

use std::collections::HashMap;

use super::json::{Json, NotJson, parse};
use super::schema::{self, Item, Property, last_segment};
use super::{Collector, LONGEST_SCRIPT, LeftOut};
use crate::field::Source;
use crate::parse::said::Said;

/// Things inside each other, references followed.
const DEPTH: usize = 8;
/// Things that are made, references followed: a circle of them would never end.
const ITEMS: usize = 5000;

/// Reads all scripts of a page: they may refer to each other.
pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    let mut parsed = Vec::new();
    for script in &said.scripts {
        if script.text.len() > LONGEST_SCRIPT {
            collector.count(LeftOut::TooLong);
            continue;
        }
        match parse(&script.text) {
            Ok(json) => parsed.push((json, script.line)),
            Err(NotJson::TooLarge) => collector.count(LeftOut::TooMany),
            Err(NotJson::Broken) => collector.count(LeftOut::Broken),
        }
    }
    let mut objects = Vec::new();
    for (json, line) in &parsed {
        flatten(json, *line, &mut objects, 0);
    }
    let mut reader = Reader { known: HashMap::new(), items: 0 };
    for (json, _) in &parsed {
        reader.know(json, 0);
    }
    let items: Vec<Item> = objects.iter().map(|(entries, line)| reader.item(entries, *line, 0)).collect();
    if reader.items > ITEMS {
        schema::too_large(collector);
    }
    schema::read(&items, Source::JsonLd, collector);
}

type Entries<'j> = [(std::borrow::Cow<'j, str>, Json<'j>)];

/// The things that stand for themselves.
fn flatten<'a, 'j>(json: &'a Json<'j>, line: u32, into: &mut Vec<(&'a Entries<'j>, u32)>, depth: usize) {
    match json {
        _ if depth > DEPTH => {}
        Json::List(items) => items.iter().for_each(|item| flatten(item, line, into, depth + 1)),
        Json::Object(entries) => {
            // Around a graph stands nothing but its context.
            match entries.iter().find(|(name, _)| name == "@graph") {
                Some((_, graph)) => flatten(graph, line, into, depth + 1),
                None => into.push((entries, line)),
            }
        }
        _ => {}
    }
}

struct Reader<'a, 'j> {
    /// The fullest thing of each `@id`.
    known: HashMap<&'a str, &'a Entries<'j>>,
    items: usize,
}

impl<'a, 'j> Reader<'a, 'j> {
    fn know(&mut self, json: &'a Json<'j>, depth: usize) {
        match json {
            _ if depth > 64 => {}
            Json::List(items) => items.iter().for_each(|item| self.know(item, depth + 1)),
            Json::Object(entries) => {
                if let Some((_, Json::Text(id))) = entries.iter().find(|(name, _)| name == "@id") {
                    let known = self.known.entry(id.as_ref()).or_insert(entries);
                    if known.len() < entries.len() {
                        *known = entries;
                    }
                }
                entries.iter().for_each(|(_, inside)| self.know(inside, depth + 1));
            }
            _ => {}
        }
    }

    fn item(&mut self, entries: &'a Entries<'j>, line: u32, depth: usize) -> Item {
        let mut item = Item { line, ..Item::default() };
        self.items += 1;
        if depth > DEPTH || self.items > ITEMS {
            return item;
        }
        for (name, value) in entries {
            match name.as_ref() {
                "@type" => item.types.extend(texts(value).map(|of| last_segment(of).to_owned())),
                "@context" => {}
                name => self.property(plain_name(name), value, line, depth, &mut item),
            }
        }
        item
    }

    fn property(&mut self, name: &str, value: &'a Json<'j>, line: u32, depth: usize, item: &mut Item) {
        match value {
            Json::Null => {}
            Json::Text(text) => item.properties.push((name.to_owned(), Property::Text(text.to_string()))),
            Json::Bare(bare) => item.properties.push((name.to_owned(), Property::Text((*bare).to_owned()))),
            Json::List(values) if depth <= DEPTH => {
                values.iter().for_each(|value| self.property(name, value, line, depth + 1, item))
            }
            Json::List(_) => {}
            Json::Object(entries) => {
                if let Some((_, value)) = entries.iter().find(|(name, _)| name == "@value" || name == "@list") {
                    return self.property(name, value, line, depth + 1, item);
                }
                let inside = self.item(self.meant(entries), line, depth + 1);
                item.properties.push((name.to_owned(), Property::Item(inside)));
            }
        }
    }

    /// What a thing that says little but its `@id` stands for.
    fn meant(&self, entries: &'a Entries<'j>) -> &'a Entries<'j> {
        match entries.iter().find(|(name, _)| name == "@id") {
            Some((_, Json::Text(id))) if entries.len() <= 2 => self.known.get(id.as_ref()).copied().unwrap_or(entries),
            _ => entries,
        }
    }
}

/// A property's name without its vocabulary.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("schema:").unwrap_or(if name.contains("://") { last_segment(name) } else { name })
}

fn texts<'a>(json: &'a Json<'_>) -> impl Iterator<Item = &'a str> {
    let several = if let Json::List(items) = json { items.as_slice() } else { std::slice::from_ref(json) };
    several.iter().filter_map(|item| match item {
        Json::Text(text) => Some(text.as_ref()),
        _ => None,
    })
}
