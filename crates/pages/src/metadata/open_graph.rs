//! OpenGraph, `article:…` and Twitter's cards: `<meta property="og:title" content="…">`. Some pages write `name` for `property`.

use super::{Collector, SITE_NAME, list, names};
use crate::field::Source;
use crate::parse::said::Said;

/// Property and field. Of properties for one field the first that is there counts.
const TABLE: [(&str, &str); 37] = [
    ("og:title", "title"),
    ("og:description", "description"),
    ("og:image", "image"),
    ("og:image:url", "image"),
    ("og:image:secure_url", "image"),
    ("og:locale", "language"),
    ("og:type", "type"),
    ("og:url", "url"),
    ("og:site_name", SITE_NAME),
    ("article:author", "author"),
    ("og:article:author", "author"),
    ("book:author", "author"),
    ("article:published_time", "published"),
    ("og:article:published_time", "published"),
    ("article:published", "published"),
    ("og:published_time", "published"),
    ("og:pubdate", "published"),
    ("book:release_date", "published"),
    ("article:modified_time", "modified"),
    ("og:article:modified_time", "modified"),
    ("article:modified", "modified"),
    ("og:updated_time", "modified"),
    ("article:section", "section"),
    ("og:article:section", "section"),
    ("article:tag", "tags"),
    ("og:article:tag", "tags"),
    ("product:price:amount", "price"),
    ("og:price:amount", "price"),
    ("product:price:currency", "currency"),
    ("og:price:currency", "currency"),
    ("product:brand", "brand"),
    ("og:brand", "brand"),
    ("product:availability", "availability"),
    ("og:availability", "availability"),
    ("og:rating", "rating"),
    ("product:category", "section"),
    ("og:product:price:amount", "price"),
];

/// The same of Twitter's cards.
const CARDS: [(&str, &str); 4] = [
    ("twitter:title", "title"),
    ("twitter:description", "description"),
    ("twitter:image", "image"),
    ("twitter:image:src", "image"),
];

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    from_table(&TABLE, Source::OpenGraph, said, collector);
    from_table(&CARDS, Source::Twitter, said, collector);
}

/// Reads what a table names of the page's `<meta>`.
pub(super) fn from_table(table: &[(&str, &str)], source: Source, said: &Said, collector: &mut Collector<'_>) {
    let mut done: Vec<&str> = Vec::new();
    for (property, field) in table {
        if done.contains(field) {
            continue;
        }
        let mut any = false;
        for mark in said.marks.iter().filter(|mark| &*mark.tag == "meta") {
            let mut called = ["property", "name", "http-equiv"].iter().filter_map(|attribute| mark.get(attribute));
            let Some(content) =
                mark.get("content").filter(|_| called.any(|name| name.trim().eq_ignore_ascii_case(property)))
            else {
                continue;
            };
            if content.trim().is_empty() {
                continue;
            }
            any |= add(field, content, source, mark.line, property, collector);
            // Only some fields have several values.
            if any && !matches!(*field, "author" | "tags" | "section") {
                break;
            }
        }
        if any {
            done.push(field);
        }
    }
}

/// Adds what a `<meta>` says; whether there was anything.
fn add(field: &str, content: &str, source: Source, line: u32, property: &str, collector: &mut Collector<'_>) -> bool {
    let path = || format!("meta[{property}]");
    let before = collector.values;
    let plain = if content.contains('&') { super::schema::plain(content) } else { content.to_owned() };
    match field {
        "author" => names(&plain).iter().for_each(|name| collector.add(field, name, source, line, path)),
        "tags" => list(&plain).for_each(|tag| collector.add(field, tag, source, line, path)),
        "language" => collector.add(field, &plain.replace('_', "-"), source, line, path),
        _ => collector.add(field, &plain, source, line, path),
    }
    collector.values > before
}
