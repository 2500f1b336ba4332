//! What a user types becomes a query.
//!
//! Words may match (any of them), `+word` must, `-word` must not, `"two words"` is a phrase and `title:word` looks in
//! one field. Everything else is text: `C++ "unclosed` is a query. [`Query::parse`] never fails;
//! [`Query::parse_strict`] says what it does not understand.

use super::{Condition, Searched};

/// A query: clauses in the order they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// Conditions on fields of the index: all must hold.
    pub conditions: Vec<Condition>,
}

/// One word or phrase of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether it may, must or must not match.
    pub occur: Occur,
    /// The one field it is looked up in; none for the fields of the search.
    pub field: Option<Searched>,
    /// The text as it was typed.
    pub text: String,
    /// Whether it stood in quotes.
    pub phrase: bool,
}

/// Whether a clause has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occur {
    /// It counts where it matches.
    May,
    /// `+`: nothing is found without it.
    Must,
    /// `-`: nothing is found with it.
    MustNot,
}

/// What a strict reading does not understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// A quote is not closed.
    #[error("the quote at character {0} is not closed: add a \" or leave it out")]
    OpenQuote(usize),
    /// A sign or a field without a word.
    #[error("'{0}' at character {1} is followed by no word")]
    NoWord(String, usize),
    /// A field there is none of.
    #[error("there is no field '{0}' (character {1}): the fields are {2}")]
    NoField(String, usize, String),
    /// A condition that cannot be read.
    #[error(
        "'{0}' at character {1} is no condition: write name:value, name:\"whole value\", name:>=value, name:<value"
    )]
    NoCondition(String, usize),
}

impl Query {
    /// Reads whatever was typed.
    pub fn parse(text: &str) -> Self {
        Self::parse_with(text, &[])
    }

    /// The same for an index with these fields: `price:<20` is a condition where there is a field price, and text where there is none.
    pub fn parse_with(text: &str, fields: &[String]) -> Self {
        Parser { text, at: 0, strict: false, fields }.parse().unwrap_or_default()
    }

    /// Reads what was typed and refuses what looks like a mistake.
    pub fn parse_strict(text: &str) -> Result<Self, SyntaxError> {
        Self::parse_strict_with(text, &[])
    }

    /// The same for an index with these fields.
    pub fn parse_strict_with(text: &str, fields: &[String]) -> Result<Self, SyntaxError> {
        Parser { text, at: 0, strict: true, fields }.parse()
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    strict: bool,
    /// The fields of the index, beside those of text.
    fields: &'a [String],
}

impl<'a> Parser<'a> {
    fn parse(mut self) -> Result<Query, SyntaxError> {
        let mut query = Query::default();
        while self.skip_space() {
            if let Some(condition) = self.condition()? {
                query.conditions.push(condition);
            } else if let Some(clause) = self.clause()? {
                query.clauses.push(clause);
            }
        }
        Ok(query)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Characters from 1, as people count.
    fn column(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn skip_space(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        !self.rest().is_empty()
    }

    fn clause(&mut self) -> Result<Option<Clause>, SyntaxError> {
        let start = self.at;
        let occur = self.occur();
        let field = self.field()?;
        let quote = self.at;
        if self.rest().starts_with('"') {
            if let Some(text) = self.quoted() {
                return Ok(Some(Clause { occur, field, text, phrase: true }));
            }
            if self.strict {
                return Err(SyntaxError::OpenQuote(self.column(quote)));
            }
        }
        let text = self.word();
        if text.is_empty() && self.strict {
            let sign = self.text[start..self.at].to_owned();
            return Err(SyntaxError::NoWord(sign, self.column(start)));
        }
        Ok((!text.is_empty()).then_some(Clause { occur, field, text, phrase: false }))
    }

    /// `author:doe`, `-author:"Jane Doe"`, `price:<20`: a field of the index, and what its value must be.
    fn condition(&mut self) -> Result<Option<Condition>, SyntaxError> {
        let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
        let (negated, plain) = match word.strip_prefix(['-', '+']) {
            Some(plain) => (word.starts_with('-'), plain),
            None => (false, word),
        };
        let Some((name, after)) = plain.split_once(':') else { return Ok(None) };
        // Words of titles are looked up like those of text.
        if name.parse::<Searched>().is_ok() || after.is_empty() || !self.fields.iter().any(|field| field == name) {
            return Ok(None);
        }
        let start = self.at;
        self.at += word.len() - after.len();
        let quote = self.at;
        let quoted = if self.rest().starts_with('"') { self.quoted() } else { None };
        if quoted.is_none() && self.rest().starts_with('"') && self.strict {
            return Err(SyntaxError::OpenQuote(self.column(quote)));
        }
        let condition = match quoted {
            Some(text) => Condition::read(name, &format!("\"{text}\""), negated),
            None => {
                self.at += after.len();
                Condition::read(name, after, negated)
            }
        };
        if condition.is_none() {
            if self.strict {
                return Err(SyntaxError::NoCondition(word.to_owned(), self.column(start)));
            }
            self.at = start;
        }
        Ok(condition)
    }

    fn occur(&mut self) -> Occur {
        let occur = match self.rest().as_bytes() {
            [b'+', ..] => Occur::Must,
            [b'-', ..] => Occur::MustNot,
            _ => return Occur::May,
        };
        self.at += 1;
        occur
    }

    fn field(&mut self) -> Result<Option<Searched>, SyntaxError> {
        let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
        // `std::vector` is a name, and `12:30` a time; a field is letters and one colon.
        let Some((name, after)) = word.split_once(':') else { return Ok(None) };
        let looks_like_field =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic()) && !after.starts_with(':');
        match name.parse() {
            Ok(field) if looks_like_field => {
                self.at += name.len() + 1;
                Ok(Some(field))
            }
            _ if looks_like_field && self.strict => {
                let fields = ["title", "body", "aside"].iter().copied().chain(self.fields.iter().map(String::as_str));
                let mut fields: Vec<&str> = fields.collect();
                fields.dedup();
                Err(SyntaxError::NoField(name.to_owned(), self.column(self.at), fields.join(", ")))
            }
            _ => Ok(None),
        }
    }

    fn quoted(&mut self) -> Option<String> {
        let inside = &self.rest()[1..];
        let end = inside.find('"')?;
        self.at += end + 2;
        Some(inside[..end].to_owned())
    }

    fn word(&mut self) -> String {
        let rest = self.rest();
        // A quote that was never closed is passed over; one inside a word starts a phrase of its own.
        let skip = usize::from(rest.starts_with('"'));
        let end = rest[skip..].find(|c: char| c.is_whitespace() || c == '"').map_or(rest.len(), |end| skip + end);
        self.at += end;
        rest[skip..end].to_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn clause(occur: Occur, field: Option<Searched>, text: &str, phrase: bool) -> Clause {
        Clause { occur, field, text: text.to_owned(), phrase }
    }

    fn texts(query: &str) -> Vec<String> {
        Query::parse(query).clauses.into_iter().map(|clause| clause.text).collect()
    }

    #[test]
    fn words_phrases_signs_and_fields_are_read() {
        let query = Query::parse_strict(r#"tide +"north channel" -title:sport body:"ice rink" aside:x"#).unwrap();
        assert_eq!(
            query.clauses,
            [
                clause(Occur::May, None, "tide", false),
                clause(Occur::Must, None, "north channel", true),
                clause(Occur::MustNot, Some(Searched::Title), "sport", false),
                clause(Occur::May, Some(Searched::Body), "ice rink", true),
                clause(Occur::May, Some(Searched::Aside), "x", false),
            ]
        );
    }

    #[test]
    fn free_text_is_a_query_whatever_it_is() {
        assert_eq!(texts(r#"C++ "unclosed phrase"#), ["C++", "unclosed", "phrase"]);
        assert_eq!(
            texts("std::vector 12:30 http://x.org foo:bar"),
            ["std::vector", "12:30", "http://x.org", "foo:bar"]
        );
        assert_eq!(texts(" + - \" title: "), [""; 0]);
        assert_eq!(texts(r#"a"b c"d"#), ["a", "b c", "d"]);
    }

    #[test]
    fn strict_reading_says_what_is_wrong_and_where() {
        assert_eq!(Query::parse_strict(r#"é "open"#), Err(SyntaxError::OpenQuote(3)));
        assert_eq!(Query::parse_strict("a + b"), Err(SyntaxError::NoWord("+".to_owned(), 3)));
        assert_eq!(
            Query::parse_strict("colour:red"),
            Err(SyntaxError::NoField("colour".to_owned(), 1, "title, body, aside".to_owned()))
        );
    }

    proptest::proptest! {
        #[test]
        fn anything_typed_is_read_without_panic(text in r#"[a-zé:+" -]{0,40}"#) {
            let _ = Query::parse(&text);
            let _ = Query::parse_strict(&text);
        }
    }
}
