//! Values with types, for the index: what labelled values are, all others should be.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value as Json;
use unhusk_pages::field::{Amount, Content, Date, Kind, Place, Source, Value};
use unhusk_pages::parse::Parsed;

use crate::extract::extract;
use crate::fields::Fields;
use crate::tree::Tree;

/// Names are shorter than this; longer values are text.
const LONGEST_NAME: usize = 80;

/// The kind that all labelled values of an attribute have.
pub fn infer<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Kind {
    let all = |kind: Kind| values.clone().next().is_some() && values.clone().all(|value| read(kind, value).is_some());
    [Kind::Url, Kind::Date, Kind::Number, Kind::Keyword].into_iter().find(|&kind| all(kind)).unwrap_or(Kind::Text)
}

/// A value as its kind has it; none where it does not fit.
pub fn read(kind: Kind, text: &str) -> Option<Content> {
    match kind {
        Kind::Text => Some(Content::Text(text.to_owned())),
        Kind::Keyword => (text.len() <= LONGEST_NAME).then(|| Content::Keyword(text.to_owned())),
        Kind::Url => is_url(text).then(|| Content::Url(text.to_owned())),
        Kind::Date => day(text).map(Content::Date),
        Kind::Number => number(text),
    }
}

fn is_url(text: &str) -> bool {
    let absolute = ["http://", "https://", "//", "mailto:"].iter().any(|start| text.starts_with(start));
    (absolute || text.starts_with('/')) && !text.contains(' ') && text.len() > 1
}

/// A day as ISO 8601 writes it, whatever follows it.
fn day(text: &str) -> Option<Date> {
    let mut parts = text.get(..10)?.split('-');
    let mut next =
        |digits: usize| parts.next().filter(|part| part.len() == digits).and_then(|part| part.parse::<u32>().ok());
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    Date::day(year as i32, month, day)
}

/// A number with a sign of currency before it or a word behind it: `$1,234.50`, `210 lbs`.
fn number(text: &str) -> Option<Content> {
    let (sign, rest) = match text.chars().next()? {
        c @ ('$' | '€' | '£' | '¥') => (Some(c.to_string()), &text[c.len_utf8()..]),
        _ => (None, text),
    };
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
    let (digits, unit) = (rest[..end].replace(',', ""), rest[end..].trim());
    let word = unit.chars().all(char::is_alphabetic) && unit.len() <= 8;
    let amount = Amount::new(digits.parse().ok()?)?;
    let unit = sign.or_else(|| Some(unit.to_owned()).filter(|unit| !unit.is_empty()));
    word.then_some(Content::Number { amount, unit })
}

/// The values that wrappers find on a page, each typed, and how many did not fit their type.
pub fn values(parsed: &Parsed, fields: &Fields) -> (Vec<(String, Value)>, u32) {
    let Some(host) = fields.host(&parsed.page.url) else { return (Vec::new(), 0) };
    let tree = Tree::new(parsed, host.wanted);
    let mut left_out = 0;
    let mut out = Vec::new();
    for record in extract(&tree, fields) {
        for (name, values) in record.values {
            let kind = host.attributes.get(&name).map_or(Kind::Text, |facts| facts.kind);
            for value in values {
                let place = Place { line: 0, path: tree.path(value.node) };
                match read(kind, &value.text) {
                    Some(content) => out.push((name.clone(), Value { content, source: Source::Wrapper, place })),
                    None => left_out += 1,
                }
            }
        }
    }
    (out, left_out)
}

/// The kinds that a JSON Schema gives attributes: `{"properties": {"price": {"type": "number"}}}`.
pub fn schema(path: &Path) -> Result<BTreeMap<String, Kind>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let json: Json = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let Some(properties) = json["properties"].as_object() else {
        return Err(format!(
            "{}: no properties; write {{\"properties\": {{\"price\": {{\"type\": \"number\"}}}}}}",
            path.display()
        ));
    };
    let kind = |name: &String, of: &Json| match (of["type"].as_str(), of["format"].as_str()) {
        (Some("number" | "integer"), _) => Ok(Kind::Number),
        (Some("string"), Some("date" | "date-time")) => Ok(Kind::Date),
        (Some("string"), Some("uri" | "uri-reference" | "iri")) => Ok(Kind::Url),
        (Some("string"), _) if of.get("enum").is_some() => Ok(Kind::Keyword),
        (Some("string"), _) => Ok(Kind::Text),
        (other, _) => Err(format!(
            "{}: property {name} has the type {other:?}; number, integer and string are known",
            path.display()
        )),
    };
    properties.iter().map(|(name, of)| Ok((name.clone(), kind(name, of)?))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn kinds_are_those_of_all_labelled_values() {
        for (values, kind) in [
            (["$1,234.50", "$9"], Kind::Number),
            (["210 lbs", "98 lbs"], Kind::Number),
            (["2024-05-01", "2023-12-31"], Kind::Date),
            (["https://a.example/", "/b"], Kind::Url),
            (["Oak", "12"], Kind::Keyword),
        ] {
            assert_eq!(infer(values.into_iter()), kind, "{values:?}");
        }
        assert_eq!(infer(["x".repeat(200).as_str()].into_iter()), Kind::Text);
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert_eq!(read(Kind::Number, "call us"), None);
        assert_eq!(read(Kind::Date, "2024-02-30"), None);
        assert_eq!(read(Kind::Url, "a b"), None);
        assert_eq!(read(Kind::Number, "$1,234.50").unwrap().to_string(), "1234.5");
    }
}
