//! RDFa Lite: `typeof` begins a thing, `property` names a property, `vocab` or the prefix `schema:` says whose words these are.

use super::Collector;
use super::microdata::{Reader, Spelling};
use super::schema::{self, last_segment};
use crate::field::Source;
use crate::parse::said::{Mark, Said};

/// The attributes that RDFa Lite is said in.
const RDFA: Spelling = Spelling { scope: "typeof", types: "typeof", property: "property", elsewhere: None, plain };

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    let is_schema = |mark: &Mark| mark.get("vocab").is_some_and(|vocab| vocab.contains("schema.org"));
    let has_vocab = said.marks.iter().any(is_schema);
    let reader = Reader { marks: &said.marks, page: collector.page, spelling: &RDFA };
    let items = reader.items(|of| has_vocab || of.starts_with("schema:"));
    schema::read(&items, Source::Rdfa, collector);
}

/// A name without its vocabulary.
fn plain(name: &str) -> &str {
    name.strip_prefix("schema:").unwrap_or_else(|| last_segment(name))
}
