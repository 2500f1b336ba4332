//! Values that are part of a text: what stands before and behind them.

use serde::{Deserialize, Serialize};

use crate::labels::{Place, folded};

/// How a value is cut out of its node's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cut {
    /// What stands right before the value; nothing where it starts the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// What stands right behind it; nothing where it ends the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
}

impl Cut {
    /// What all places have in common. Nothing where most values are whole texts.
    pub fn learn(places: &[&Place]) -> Option<Cut> {
        let parts: Vec<&&Place> =
            places.iter().filter(|place| !(place.before.is_empty() && place.after.is_empty())).collect();
        // Most values must be parts: a few that are not labelled whole do not change what a value is.
        if parts.len() * 3 < places.len() * 2 || parts.is_empty() {
            return None;
        }
        let before = common(
            parts.iter().map(|place| place.before.chars().rev().collect()).filter(|text: &String| !text.is_empty()),
        );
        let after = common(parts.iter().map(|place| place.after.clone()).filter(|text| !text.is_empty()));
        Some(Cut { before: before.chars().rev().collect(), after })
    }

    /// The value in a text; the whole text where what should stand around it does not.
    pub fn apply<'t>(&self, text: &'t str) -> &'t str {
        let start =
            if self.before.is_empty() { Some(0) } else { text.find(&self.before).map(|at| at + self.before.len()) };
        let rest = start.map_or(text, |start| &text[start..]);
        let end = if self.after.is_empty() { None } else { rest.find(&self.after).filter(|&end| end > 0) };
        end.map_or(rest, |end| &rest[..end]).trim()
    }
}

/// The beginning that all texts share. Where there is but one text, what follows its first words may be anything.
fn common(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.collect();
    let Some(first) = texts.first() else { return String::new() };
    let shared = |text: &String| {
        first
            .char_indices()
            .zip(text.chars())
            .find(|((_, a), b)| a != b)
            .map_or(first.len().min(text.len()), |((at, _), _)| at)
    };
    let mut end = texts.iter().map(shared).min().unwrap_or(0);
    if texts.len() == 1 {
        end = first_words(first);
    }
    while !first.is_char_boundary(end) {
        end -= 1;
    }
    first[..end].to_owned()
}

/// Where the second word of a text ends.
fn first_words(text: &str) -> usize {
    let mut words = 0;
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric();
        if inside && !word {
            words += 1;
            if words == 2 {
                return at;
            }
        }
        inside = word;
    }
    text.len()
}

/// How values are read from their nodes' texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// What stands around values that are part of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// Whether labelled values begin or end with what otherwise parts two values.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keeps_ends: bool,
}

impl Reading {
    /// What labelled values and their places tell.
    pub fn learn<'v>(places: &[&Place], mut values: impl Iterator<Item = &'v str>) -> Self {
        let keeps_ends = values.any(|value| value.starts_with(parts) || value.ends_with(parts));
        Reading { cut: Cut::learn(places), keeps_ends }
    }

    /// The value of a text.
    pub fn value(&self, text: &str) -> String {
        let text = folded(text);
        let value = self.cut.as_ref().map_or(text.as_str(), |cut| cut.apply(&text));
        if self.keeps_ends { value.to_owned() } else { value.trim_matches(parts).to_owned() }
    }
}

/// What parts two values and belongs to neither.
fn parts(c: char) -> bool {
    c.is_whitespace() || matches!(c, '|' | '•' | '·' | '»')
}
