//! JSON as pages have it: with comments, trailing commas, line ends inside of strings and half of a surrogate pair.
//!
//! The libraries that allow comments refuse the rest, and what one of them refuses is lost as a whole. Here a text is read as far as it can be
//! read; depth and number of values are bounded, so that it costs no more than its length.

use std::borrow::Cow;

/// Arrays and objects inside each other.
const DEPTH: usize = 64;
/// Values of one text.
const VALUES: usize = 20_000;

/// A value. Numbers stay as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'t> {
    /// `null`.
    Null,
    /// A number, `true` or `false`.
    Bare(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

/// Why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotJson {
    /// It is nested too deep, or has too many values.
    TooLarge,
    /// It is something else.
    Broken,
}

/// Reads a text. What stands behind the first value is left alone.
pub(super) fn parse(text: &str) -> Result<Json<'_>, NotJson> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, values: 0 };
    parser.skip();
    parser.value(0)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    values: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes behind white space, comments, and the marks that hide scripts from old browsers.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let space =
                rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0').len();
            self.at += space;
            let rest = &self.text[self.at..];
            let behind = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
            let length = if rest.starts_with("/*") {
                behind("*/")
            } else if rest.starts_with("//") {
                behind("\n")
            } else if rest.starts_with("<![CDATA[") {
                9
            } else if rest.starts_with("<!--") {
                4
            } else {
                return;
            };
            self.at += length;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, NotJson> {
        self.values += 1;
        if depth > DEPTH || self.values > VALUES {
            return Err(NotJson::TooLarge);
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.') => Ok(self.bare()),
            _ => Err(NotJson::Broken),
        }
    }

    fn bare(&mut self) -> Json<'t> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        match &rest[..end] {
            "null" | "undefined" => Json::Null,
            other => Json::Bare(other),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json<'t>, NotJson> {
        let mut items = Vec::new();
        self.at += 1;
        while self.is_more(b']')? {
            items.push(self.value(depth + 1)?);
        }
        Ok(Json::List(items))
    }

    fn object(&mut self, depth: usize) -> Result<Json<'t>, NotJson> {
        let mut entries = Vec::new();
        self.at += 1;
        while self.is_more(b'}')? {
            let key = match self.peek() {
                Some(b'"') => self.string()?,
                _ => match self.bare() {
                    Json::Bare(key) if !key.is_empty() => Cow::Borrowed(key),
                    _ => return Err(NotJson::Broken),
                },
            };
            self.skip();
            if self.peek() != Some(b':') {
                return Err(NotJson::Broken);
            }
            self.at += 1;
            self.skip();
            entries.push((key, self.value(depth + 1)?));
        }
        Ok(Json::Object(entries))
    }

    /// Whether there is one more in a list or object that ends so. Commas may be missing or too many.
    fn is_more(&mut self, end: u8) -> Result<bool, NotJson> {
        self.skip();
        while self.peek() == Some(b',') {
            self.at += 1;
            self.skip();
        }
        match self.peek() {
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => Ok(true),
            None => Err(NotJson::Broken),
        }
    }

    fn string(&mut self) -> Result<Cow<'t, str>, NotJson> {
        self.at += 1;
        let start = self.at;
        let Some(length) = memchr::memchr2(b'"', b'\\', &self.bytes[start..]) else { return Err(NotJson::Broken) };
        self.at = start + length;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        let mut out = self.text[start..self.at].to_owned();
        loop {
            match self.peek().ok_or(NotJson::Broken)? {
                b'"' => {
                    self.at += 1;
                    return Ok(Cow::Owned(out));
                }
                b'\\' => {
                    self.at += 1;
                    self.escape(&mut out)?;
                }
                _ => {
                    let rest = &self.text[self.at..];
                    let end = memchr::memchr2(b'"', b'\\', rest.as_bytes()).ok_or(NotJson::Broken)?;
                    out.push_str(&rest[..end]);
                    self.at += end;
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), NotJson> {
        let escaped = self.text[self.at..].chars().next().ok_or(NotJson::Broken)?;
        self.at += escaped.len_utf8();
        match escaped {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' | 'f' => out.push(' '),
            'u' => out.push(self.code_point()),
            other => out.push(other),
        }
        Ok(())
    }

    /// The character behind `\u`. Half of a pair is no character.
    fn code_point(&mut self) -> char {
        let Some(first) = self.four_digits() else { return char::REPLACEMENT_CHARACTER };
        let is_low = |unit: &u32| (0xdc00..0xe000).contains(unit);
        if !(0xd800..0xdc00).contains(&first) || !self.text[self.at..].starts_with("\\u") {
            return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let before = self.at;
        self.at += 2;
        match self.four_digits().filter(is_low) {
            Some(second) => char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
                .unwrap_or(char::REPLACEMENT_CHARACTER),
            None => {
                self.at = before;
                char::REPLACEMENT_CHARACTER
            }
        }
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit =
            digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())??;
        self.at += 4;
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn text(text: &str) -> Json<'_> {
        Json::Text(Cow::Borrowed(text))
    }

    #[test]
    fn what_real_pages_have_is_read() {
        let odd = "\n<!-- //<![CDATA[\n{ // note\n \"a\": \"b\nc\", /* more */ \"d\": [1, 2,,], e: null,\n} //]]>";
        let entries = vec![
            ("a".into(), text("b\nc")),
            ("d".into(), Json::List(vec![Json::Bare("1"), Json::Bare("2")])),
            ("e".into(), Json::Null),
        ];
        assert_eq!(parse(odd), Ok(Json::Object(entries)));
        assert_eq!(parse(r#""a\/\u00e9\ud83d\ude00\q""#), Ok(text("a/é😀q")));
    }

    #[test]
    fn half_of_a_surrogate_pair_is_a_replacement_character() {
        for escape in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\u0041""#, r#""\ud83dx""#, r#""\uzzzz""#, r#""\u12""#] {
            let Ok(Json::Text(text)) = parse(escape) else { panic!("{escape}") };
            assert!(text.contains('\u{fffd}'), "{escape}: {text}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_much_is_refused_and_what_is_cut_off_is_broken() {
        assert_eq!(parse(&"[".repeat(10_000)), Err(NotJson::TooLarge));
        assert_eq!(parse(&format!("[{}]", "{},".repeat(30_000))), Err(NotJson::TooLarge));
        for cut in ["", "{", "[1", "\"a", "\"a\\", "{\"a\" 1}", "<p>"] {
            assert_eq!(parse(cut), Err(NotJson::Broken), "{cut}");
        }
    }

    proptest! {
        #[test]
        fn what_serde_reads_is_read_as_serde_reads_it(texts in proptest::collection::vec("\\PC{0,12}", 0..6), numbers in proptest::collection::vec(any::<i32>(), 0..5)) {
            let value = serde_json::json!({ "t": texts, "n": [numbers, { "x": null }] });
            let written = value.to_string();
            prop_assert_eq!(as_serde(&parse(&written).unwrap()), value);
        }

        #[test]
        fn nothing_panics(text in r#"[\[\]{}",:\\/*u0-9a-d \n<!é-]{0,60}"#) {
            let _ = parse(&text);
        }
    }

    fn as_serde(json: &Json<'_>) -> serde_json::Value {
        match json {
            Json::Null => serde_json::Value::Null,
            Json::Bare(bare) => serde_json::from_str(bare).unwrap(),
            Json::Text(text) => text.as_ref().into(),
            Json::List(items) => items.iter().map(as_serde).collect(),
            Json::Object(entries) => entries
                .iter()
                .map(|(key, value)| (key.to_string(), as_serde(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}
