//! The bulk format: for each document a line that says where it goes, and a line with the document.
//!
//! Elasticsearch, OpenSearch and Quickwit take it. They bound the size of a request, so documents go in chunks; one that is
//! larger than a chunk goes alone. The same documents give the same chunks.

use serde_json::json;

use super::{Detail, line};
use crate::extract::Document;

/// Documents that are sent together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The documents' ids, in order.
    pub ids: Vec<String>,
    /// Two lines for each.
    pub bytes: Vec<u8>,
    /// Where the lines of each end.
    ends: Vec<usize>,
}

impl Chunk {
    /// The chunk of some of the documents, by their places.
    pub fn only(&self, places: &[usize]) -> Chunk {
        let mut some = Chunk::default();
        for &place in places {
            let start = if place == 0 { 0 } else { self.ends[place - 1] };
            some.push(self.ids[place].clone(), &self.bytes[start..self.ends[place]]);
        }
        some
    }

    fn push(&mut self, id: String, lines: &[u8]) {
        self.bytes.extend_from_slice(lines);
        self.ends.push(self.bytes.len());
        self.ids.push(id);
    }
}

/// Documents on their way into chunks.
#[derive(Debug)]
pub struct Chunks {
    index: String,
    size: usize,
    chunk: Chunk,
}

impl Chunks {
    /// Chunks of at most so many bytes, for an index of that name.
    pub fn new(index: &str, size: u64) -> Self {
        Chunks { index: index.to_owned(), size: usize::try_from(size).unwrap_or(usize::MAX), chunk: Chunk::default() }
    }

    /// Adds a document; a chunk that is full comes back.
    pub fn add(&mut self, document: &Document) -> Option<Chunk> {
        let action = json!({ "index": { "_index": self.index, "_id": document.id } });
        let lines = format!("{action}\n{}", line(document, Detail::Exact));
        let is_full = !self.chunk.ids.is_empty() && self.chunk.bytes.len() + lines.len() > self.size;
        let full = is_full.then(|| std::mem::take(&mut self.chunk));
        self.chunk.push(document.id.clone(), lines.as_bytes());
        full
    }

    /// The last chunk.
    pub fn finish(self) -> Option<Chunk> {
        (!self.chunk.ids.is_empty()).then_some(self.chunk)
    }
}

/// The name of an index as all three engines take it: lower case, and nothing but letters, digits, `-` and `_`.
pub fn index_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let plain = lower.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' });
    let plain: String = plain.collect();
    let plain = plain.trim_matches(['-', '_']);
    // Quickwit wants a letter first, and at least three characters.
    if plain.len() > 2 && plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        plain.to_owned()
    } else {
        format!("unhusk-{plain}")
    }
}

/// Settings of an index in Elasticsearch or OpenSearch that takes the documents.
pub fn mapping() -> String {
    let keyword = json!({ "type": "keyword" });
    let text = json!({ "type": "text" });
    let properties =
        json!({ "id": keyword, "url": keyword, "title": text, "body": text, "aside": text, "aliases": keyword });
    let mapping = json!({ "mappings": { "dynamic": "strict", "properties": properties } });
    serde_json::to_string_pretty(&mapping).unwrap_or_default() + "\n"
}

/// Settings of an index in Quickwit that takes the documents. Frequencies are recorded and not positions: with those, queries of
/// several words sorted by score failed in Quickwit 0.9.
pub fn quickwit(index: &str) -> String {
    format!(
        "version: 0.8
index_id: {index}
doc_mapping:
  mode: strict
  store_source: false
  field_mappings:
    - {{ name: id, type: text, tokenizer: raw, fast: true }}
    - {{ name: url, type: text, tokenizer: raw }}
    - {{ name: title, type: text, tokenizer: default, record: freq, fieldnorms: true }}
    - {{ name: body, type: text, tokenizer: default, record: freq, fieldnorms: true }}
    - {{ name: aside, type: text, tokenizer: default, record: freq, fieldnorms: true }}
    - {{ name: aliases, type: array<text>, tokenizer: raw }}
search_settings:
  default_search_fields: [title, body]
indexing_settings:
  commit_timeout_secs: 10
"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn document(id: &str, body: &str) -> Document {
        let text = |text: &str| text.to_owned();
        let aliases = vec![text("x")];
        Document {
            id: text(id),
            url: text("u"),
            title: text("t"),
            body: text(body),
            aside: text("s"),
            aliases,
            ..Document::default()
        }
    }

    fn chunks(bodies: &[&str], size: u64) -> Vec<Chunk> {
        let mut chunks = Chunks::new("site", size);
        let documents = bodies.iter().enumerate().map(|(n, body)| document(&n.to_string(), body));
        let mut all: Vec<Chunk> = documents.filter_map(|document| chunks.add(&document)).collect();
        all.extend(chunks.finish());
        all
    }

    #[test]
    fn a_document_is_two_lines() {
        let all = chunks(&["a\n\"b\""], 1000);
        let text = String::from_utf8(all[0].bytes.clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            r#"{"index":{"_index":"site","_id":"0"}}"#.replace("\"_index\":\"site\",\"_id\":\"0\"", &order(lines[0]))
        );
        assert_eq!(
            lines[1],
            r#"{"id":"0","url":"u","title":"t","body":"a\n\"b\"","aside":"s","aliases":["x"],"fields":{}}"#
        );
        assert!(text.ends_with('\n'));
    }

    /// Maps of JSON may be in either order.
    fn order(line: &str) -> String {
        line.trim_start_matches("{\"index\":{").trim_end_matches("}}").to_owned()
    }

    #[test]
    fn chunks_are_bounded_and_hold_all_documents_in_order() {
        let bodies: Vec<String> = (0..50).map(|n| "x".repeat(n * 7 % 90)).collect();
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        for size in [1, 150, 400, 100_000] {
            let all = chunks(&bodies, size);
            assert!(all.iter().all(|chunk| chunk.bytes.len() as u64 <= size || chunk.ids.len() == 1));
            let ids: Vec<String> = all.iter().flat_map(|chunk| chunk.ids.clone()).collect();
            assert_eq!(ids, (0..50).map(|n| n.to_string()).collect::<Vec<_>>());
            let lines: usize = all.iter().map(|chunk| chunk.bytes.iter().filter(|&&byte| byte == b'\n').count()).sum();
            assert_eq!(lines, 100);
        }
    }

    #[test]
    fn some_documents_of_a_chunk_are_their_lines() {
        let all = chunks(&["a", "b", "c"], 10_000);
        let some = all[0].only(&[0, 2]);
        assert_eq!(some.ids, ["0", "2"]);
        let alone: Vec<u8> = [all[0].only(&[0]).bytes, all[0].only(&[2]).bytes].concat();
        assert_eq!(some.bytes, alone);
    }

    #[test]
    fn names_are_what_engines_take() {
        assert_eq!(index_name("Harbour News.2"), "harbour-news-2");
        assert_eq!(index_name("_x"), "unhusk-x");
        assert_eq!(index_name("2024"), "unhusk-2024");
    }
}
