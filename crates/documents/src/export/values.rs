//! What is known of a page, as JSON: `{"author": ["Jane Doe"], "published": ["2024-05-01"], "price": [12.5]}`.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};

use unhusk_pages::field::{Content, Fields, Value};

/// Fields as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Values<'d> {
    /// The fields.
    pub fields: &'d Fields,
    /// How much is told of each value.
    pub detail: Detail,
}

/// How much is told of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The value; of a date the day.
    Plain,
    /// The value; of a date the moment, where there is one.
    Exact,
    /// Its type, who says so and where, with it.
    Explained,
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, values) in self.fields.iter() {
            let values: Vec<Json> = values.iter().map(|value| self.value(value)).collect();
            map.serialize_entry(name, &values)?;
        }
        map.end()
    }
}

impl Values<'_> {
    fn value(&self, value: &Value) -> Json {
        match self.detail {
            Detail::Plain => plain(&value.content),
            Detail::Exact => exact(&value.content),
            Detail::Explained => explained(value),
        }
    }
}

fn plain(content: &Content) -> Json {
    match content {
        Content::Number { amount, .. } => json!(amount.get()),
        other => json!(other.to_string()),
    }
}

fn exact(content: &Content) -> Json {
    match content {
        Content::Date(date) => json!(date.in_full()),
        other => plain(other),
    }
}

fn explained(value: &Value) -> Json {
    let mut told = json!({
        "value": plain(&value.content),
        "type": value.content.kind(),
        "source": value.source,
        "line": value.place.line,
        "place": value.place.path,
    });
    match &value.content {
        Content::Date(date) if date.has_time => told["time"] = json!(date.in_full()),
        Content::Number { unit: Some(unit), .. } => told["unit"] = json!(unit),
        _ => {}
    }
    told
}
