//! `<meta name="…">`: what pages have had for thirty years, Dublin Core, and what content systems and libraries write.

use super::open_graph::from_table;
use super::{Collector, SITE_NAME};
use crate::field::Source;
use crate::parse::said::Said;

/// Name and field. Of names for one field the first that is there counts.
const TABLE: [(&str, &str); 64] = [
    ("citation_title", "title"),
    ("dc.title", "title"),
    ("dcterms.title", "title"),
    ("dc:title", "title"),
    ("sailthru.title", "title"),
    ("parsely-title", "title"),
    ("title", "title"),
    ("description", "description"),
    ("dc.description", "description"),
    ("dcterms.description", "description"),
    ("dcterms.abstract", "description"),
    ("citation_author", "author"),
    ("dc.creator", "author"),
    ("dcterms.creator", "author"),
    ("dc:creator", "author"),
    ("author", "author"),
    ("parsely-author", "author"),
    ("sailthru.author", "author"),
    ("article.author", "author"),
    ("byl", "author"),
    ("citation_publication_date", "published"),
    ("citation_date", "published"),
    ("citation_online_date", "published"),
    ("dc.date.issued", "published"),
    ("dcterms.issued", "published"),
    ("dcterms.date", "published"),
    ("dcterms.created", "published"),
    ("dc.date.created", "published"),
    ("dc.date", "published"),
    ("dc:date", "published"),
    ("article.published", "published"),
    ("article:published_time", "published"),
    ("published_time", "published"),
    ("parsely-pub-date", "published"),
    ("sailthru.date", "published"),
    ("publish-date", "published"),
    ("publish_date", "published"),
    ("publication_date", "published"),
    ("pubdate", "published"),
    ("pub_date", "published"),
    ("publishdate", "published"),
    ("datepublished", "published"),
    ("date", "published"),
    ("cxenseparse:recs:publishtime", "published"),
    ("dcterms.modified", "modified"),
    ("dc.date.modified", "modified"),
    ("last-modified", "modified"),
    ("lastmod", "modified"),
    ("article.updated", "modified"),
    ("sailthru.image.full", "image"),
    ("thumbnail", "image"),
    ("dc.language", "language"),
    ("dcterms.language", "language"),
    ("language", "language"),
    ("content-language", "language"),
    ("parsely-section", "section"),
    ("citation_keywords", "tags"),
    ("news_keywords", "tags"),
    ("keywords", "tags"),
    ("parsely-tags", "tags"),
    ("dc.subject", "tags"),
    ("dcterms.type", "type"),
    ("dc.type", "type"),
    ("application-name", SITE_NAME),
];

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    from_table(&TABLE, Source::Meta, said, collector);
    // What a page tells DocSearch has names of its own: `docsearch:version`.
    for mark in said.marks.iter().filter(|mark| &*mark.tag == "meta") {
        let name = mark.get("name").and_then(|name| name.strip_prefix("docsearch:"));
        if let (Some(name), Some(content)) = (name, mark.get("content")) {
            for part in super::list(content) {
                collector.add(name, part, Source::Search, mark.line, || format!("meta[docsearch:{name}]"));
            }
        }
    }
}
