//! What a site's people marked for Pagefind: `data-pagefind-meta`, `-filter` and `-sort`.
//!
//! An attribute holds names with commas between them. `name` is of the element's text, `name:value` of what stands there, and `name[attribute]` of an
//! attribute of the element.

use super::Collector;
use super::microdata::text;
use crate::field::Source;
use crate::parse::said::{Mark, Said};

const ATTRIBUTES: [&str; 3] = ["data-pagefind-meta", "data-pagefind-filter", "data-pagefind-sort"];

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    for mark in &said.marks {
        for attribute in ATTRIBUTES {
            for part in
                mark.get(attribute).unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty())
            {
                one(mark, attribute, part, collector);
            }
        }
    }
}

fn one(mark: &Mark, attribute: &str, part: &str, collector: &mut Collector<'_>) {
    let (name, value) = match (part.split_once(':'), part.split_once('[')) {
        (_, Some((name, of))) => (name, mark.get(of.trim_end_matches(']')).unwrap_or_default().to_owned()),
        (Some((name, value)), None) => (name, value.to_owned()),
        (None, None) => (part, text(mark, collector.page)),
    };
    let name = match name.trim() {
        "date" => "published",
        "tag" => "tags",
        name => name,
    };
    if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
        collector.add(name, &value, Source::Search, mark.line, || format!("[{attribute}={part}]"));
    }
}
