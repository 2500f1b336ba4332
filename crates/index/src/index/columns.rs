//! What is known of a page, in an index: stored as it is, and as columns.
//!
//! A column has one type, so a field whose values are partly dates and partly text is two columns of one name. One JSON field of Tantivy holds
//! all of them: names need not be known before the pages are.

use std::collections::BTreeMap;

use tantivy::schema::{OwnedValue, Value as _};
use tantivy::{DateTime, TantivyDocument};

use super::schema;
use unhusk_pages::field::{Content, Fields, Value};

/// Fields as they are stored.
pub(super) fn stored(fields: &Fields) -> Vec<u8> {
    serde_json::to_vec(fields).unwrap_or_default()
}

/// The fields of a stored document.
pub(crate) fn read(document: &TantivyDocument, schema: &schema::Fields) -> Fields {
    let bytes = document.get_first(schema.known).and_then(|value| value.as_bytes());
    bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
}

/// Fields as columns.
pub(super) fn of(fields: &Fields) -> BTreeMap<String, OwnedValue> {
    let column = |(name, values): (&str, &[Value])| {
        (name_of(name), OwnedValue::Array(values.iter().map(|value| cell(&value.content)).collect()))
    };
    fields.iter().map(column).collect()
}

/// A name as Tantivy takes it for one part of a path.
pub(crate) fn name_of(name: &str) -> String {
    name.replace(['.', '\u{1}', '\0'], "_")
}

fn cell(content: &Content) -> OwnedValue {
    match content {
        Content::Text(text) | Content::Keyword(text) | Content::Url(text) => OwnedValue::Str(text.clone()),
        Content::Number { amount, .. } => OwnedValue::F64(amount.get()),
        Content::Date(date) => OwnedValue::Date(DateTime::from_timestamp_secs(date.seconds)),
    }
}
