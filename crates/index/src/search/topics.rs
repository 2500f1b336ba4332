//! TREC topics: `<top> <num> Number: 451 <title> … <desc> … <narr> … </top>`.
//!
//! They look like SGML and are not: tags need not be closed, a field ends where the next begins, and a line break is a
//! space. Number and title are taken, the labels `Number:` and `Topic:` dropped, the rest is read over.

use super::queries::{Found, Query, Wrong, is_skipped, numbered, one_word};

/// A topic whose end has not come yet.
#[derive(Default)]
struct Topic {
    line: usize,
    number: Option<String>,
    title: Option<String>,
    /// The tag whose text is being read.
    field: &'static str,
}

impl Topic {
    fn take(&mut self, text: &str) {
        let field = match self.field {
            "num" => &mut self.number,
            "title" => &mut self.title,
            _ => return,
        };
        let field = field.get_or_insert_default();
        for word in text.split_whitespace() {
            if !field.is_empty() {
                field.push(' ');
            }
            field.push_str(word);
        }
    }

    fn finish(self) -> Result<(usize, Query), Wrong> {
        let id = self
            .number
            .and_then(|number| one_word(without_label(&number, "Number:")))
            .ok_or((self.line, "a topic with `<num> Number: id`, the id without white space"))?;
        let title = self.title.ok_or((self.line, "a topic with a `<title>`"))?;
        let text = without_label(&title, "Topic:").to_owned();
        Ok((self.line, Query { id, text }))
    }
}

/// Whether a file whose first line this is holds topics.
pub(super) fn begin(line: &str) -> bool {
    next_tag(line.trim_start()).is_some_and(|tag| tag.start == 0)
}

pub(super) fn parse(text: &str) -> Found {
    let mut found = Vec::new();
    let mut open: Option<Topic> = None;
    for (number, line) in numbered(text) {
        if open.is_none() && is_skipped(line) {
            continue;
        }
        let mut rest = line;
        while let Some(tag) = next_tag(rest) {
            read(&mut open, &rest[..tag.start], number)?;
            rest = &rest[tag.end..];
            if let Some(whole) = turn(&mut open, &tag, number)? {
                found.push(whole.finish()?);
            }
        }
        read(&mut open, rest, number)?;
    }
    match open {
        Some(topic) => Err((topic.line, "`</top>` at the end of the topic that begins here")),
        None => Ok(found),
    }
}

/// Reads text between two tags.
fn read(open: &mut Option<Topic>, text: &str, line: usize) -> Result<(), Wrong> {
    match open {
        Some(topic) => topic.take(text),
        None if text.trim().is_empty() => {}
        None => return Err((line, OUTSIDE)),
    }
    Ok(())
}

/// Begins a topic or a field, or ends a topic and returns it.
fn turn(open: &mut Option<Topic>, tag: &Tag, line: usize) -> Result<Option<Topic>, Wrong> {
    match (tag.name, tag.closes, open.as_mut()) {
        ("top", false, None) => {
            *open = Some(Topic { line, ..Topic::default() });
        }
        ("top", true, Some(_)) => return Ok(open.take()),
        ("top", false, Some(_)) => return Err((line, "`</top>` before the next `<top>`")),
        (_, _, None) => return Err((line, OUTSIDE)),
        (name, closes, Some(topic)) => {
            topic.field = if closes { "" } else { name };
            // A field without text is there all the same.
            topic.take("");
        }
    }
    Ok(None)
}

const OUTSIDE: &str = "`<top>` before anything else of a topic";

/// The tags of topic files from TREC-1 on. Others are text: a query may well ask about `<div>`.
const TAGS: [&str; 10] = ["top", "num", "dom", "title", "desc", "smry", "narr", "con", "fac", "def"];

struct Tag {
    start: usize,
    end: usize,
    name: &'static str,
    closes: bool,
}

fn next_tag(text: &str) -> Option<Tag> {
    text.match_indices('<').find_map(|(start, _)| {
        let inner = &text[start + 1..];
        let bare = inner.strip_prefix('/').unwrap_or(inner);
        TAGS.into_iter().find_map(|name| {
            let rest = without_prefix(bare, name)?.strip_prefix('>')?;
            Some(Tag { start, end: text.len() - rest.len(), name, closes: bare.len() < inner.len() })
        })
    })
}

fn without_label<'a>(text: &'a str, label: &str) -> &'a str {
    without_prefix(text, label).unwrap_or(text).trim()
}

/// `text` after `prefix`, in whatever case that is written.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::queries::QuerySet;
    use std::path::Path;

    fn parse(text: &str) -> Result<Vec<(String, String)>, String> {
        QuerySet::parse(text, Path::new("q.txt"))
            .map(|set| set.queries.into_iter().map(|q| (q.id, q.text)).collect())
            .map_err(|error| error.to_string())
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    }

    #[test]
    fn trec_topics_give_number_and_title() {
        let text = "\n<top>\n\n<num> Number: 451 \n<title> What is a Bengals cat? \n\n<desc> Description: \n\
            Cats.\n\n<narr> Narrative: \nNot tigers.\n</top>\n\n<top>\n<num> Number: 452\n<title> Topic:\n  do\n  \
            beavers   swim\n<desc> x\n</top>\n";
        let expected = pairs(&[("451", "What is a Bengals cat?"), ("452", "do beavers swim")]);
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn a_topic_may_lie_on_one_line_and_close_its_tags() {
        let text = "<TOP><num>9</num> <title>the <div> element</title><desc>D</desc></TOP>";
        assert_eq!(parse(text).unwrap(), pairs(&[("9", "the <div> element")]));
    }

    #[test]
    fn a_topic_may_have_an_empty_title_but_not_none() {
        assert_eq!(parse("<top><num>9<title></top>").unwrap(), pairs(&[("9", "")]));
        assert_eq!(parse("<top><num>9</top>").unwrap_err(), "q.txt:1: expected a topic with a `<title>`");
    }

    #[test]
    fn a_broken_topic_names_its_place() {
        assert!(parse("<top>\n<title> x\n</top>").unwrap_err().starts_with("q.txt:1: expected a topic with `<num>"));
        assert!(parse("<top><num>1<title>x\n<top>").unwrap_err().starts_with("q.txt:2: expected `</top>`"));
        assert!(parse("\n<top><num>1<title>x").unwrap_err().starts_with("q.txt:2: expected `</top>` at the end"));
        assert!(parse("<top><num>1<title>x</top>\nstray").unwrap_err().starts_with("q.txt:2: expected `<top>`"));
    }
}
