//! What tags and their classes tell: `<title>`, `<h1>`, `<time>`, `lang`, `rel`, and what a class calls author or date.
//!
//! It is asked last, and by the page alone, so it says little: a date or a name stands close to the heading, is short, and is nothing else.

use std::ops::Range;

use super::microdata::text;
use super::{Collector, dates, folded, names};
use crate::field::{Content, Source};
use crate::parse::said::{Mark, Said};

/// Words in classes and ids of elements that hold a name, or a date.
const CALLED_AUTHOR: [&str; 6] = ["author", "byline", "autor", "auteur", "writer", "creator"];
const CALLED_DATE: [&str; 11] =
    ["date", "time", "publish", "posted", "datum", "fecha", "meta", "timestamp", "byline", "dateline", "created"];
/// Classes of what is about something else than the page, or is not when it came about.
const OF_OTHERS: [&str; 13] = [
    "comment",
    "related",
    "sidebar",
    "footer",
    "widget",
    "teaser",
    "popular",
    "recommend",
    "reply",
    "menu",
    "newsletter",
    "bio",
    "avatar",
];
/// The longest text that holds a name, or a date.
const SHORT: usize = 120;
/// Pieces in front of and behind the heading among which a date may stand that nothing calls so.
const NEAR: (u32, u32) = (8, 14);

pub(super) fn read(said: &Said, collector: &mut Collector<'_>) {
    let heading = heading(collector);
    titles(heading, collector);
    let language = super::language(said);
    collector.add("language", language, Source::Markup, 1, || "html[lang]".to_owned());
    links(said, collector);
    if !collector.has("published") {
        times(said, heading, collector);
    }
    if !collector.has("published") || !collector.has("author") {
        called(heading, collector);
    }
    if !collector.has("published") {
        beside(heading, collector);
    }
    if !collector.has("published") {
        in_address(collector);
    }
}

/// The first `h1` that has text.
fn heading(collector: &Collector<'_>) -> Option<u32> {
    let page = collector.page;
    let signs: Vec<bool> = page.signs().map(|sign| sign.tag == "h1").collect();
    let mut headings =
        (0..page.elements.len() as u32).filter(|&element| signs[page.elements[element as usize].sign as usize]);
    headings.find(|&element| page.elements[element as usize].first_piece < page.elements[element as usize].end_piece)
}

fn text_in(collector: &Collector<'_>, element: u32) -> String {
    let element = &collector.page.elements[element as usize];
    words(collector, element.first_piece..element.end_piece)
}

/// The text of some pieces, up to more than is looked at.
fn words(collector: &Collector<'_>, pieces: Range<u32>) -> String {
    let mut text = String::new();
    for piece in pieces {
        let view = collector.page.piece(piece as usize);
        if !text.is_empty() && view.piece.join != crate::parse::Join::Glued {
            text.push(' ');
        }
        text.push_str(view.text);
        if text.len() > 1000 {
            break;
        }
    }
    text
}

/// What the page is called. A heading that others call nearly the same is what its readers see, and has nothing of the site in it.
fn titles(heading: Option<u32>, collector: &mut Collector<'_>) {
    let title = collector.page.title.clone();
    let heading = heading.map(|element| folded(&text_in(collector, element))).filter(|heading| heading.len() <= 300);
    let heading = heading.unwrap_or_default();
    let others = collector.fields.get("title").iter().map(|value| value.content.to_string());
    let is_confirmed = others.chain([title.clone()]).any(|other| is_nearly(&heading, &other));
    let source = if is_confirmed { Source::Heading } else { Source::Markup };
    if is_confirmed {
        collector.push("title", Content::Text(heading.clone()), source, 0, || "h1".to_owned());
    }
    for (path, text) in [("title", title), ("h1", heading)] {
        collector.add("title", &text, Source::Markup, 0, || path.to_owned());
    }
}

/// Whether most words of a heading are in a title.
fn is_nearly(heading: &str, title: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (heading, title) = (words(heading), words(title));
    let shared = heading.iter().filter(|word| title.contains(word)).count();
    // One word is what the site is called.
    heading.len() > 1 && 2 * shared >= heading.len() && 3 * shared >= title.len()
}

/// What links say by their `rel`.
fn links(said: &Said, collector: &mut Collector<'_>) {
    for mark in &said.marks {
        let Some(rel) = mark.get("rel") else { continue };
        let mut words = rel.split_ascii_whitespace();
        let path = || format!("{}[rel={rel}]", &*mark.tag);
        match (&*mark.tag, words.next().map(str::to_ascii_lowercase).as_deref()) {
            ("link", Some("canonical")) => {
                collector.add("url", mark.get("href").unwrap_or_default(), Source::Markup, mark.line, path)
            }
            ("a", Some("author")) if is_own(mark, collector) => {
                let name = text(mark, collector.page);
                if name.len() <= SHORT {
                    names(&name).iter().for_each(|name| collector.add("author", name, Source::Markup, mark.line, path));
                }
            }
            ("a", _)
                if rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("tag"))
                    && is_own(mark, collector) =>
            {
                let tag = text(mark, collector.page);
                collector.add("tags", tag.trim_start_matches('#'), Source::Markup, mark.line, path);
            }
            _ => {}
        }
    }
}

/// Whether an element is part of what the page is about, as far as what is around it is called.
fn is_own(mark: &Mark, collector: &Collector<'_>) -> bool {
    mark.element.is_some_and(|element| is_of_page(element, collector))
}

fn is_of_page(element: u32, collector: &Collector<'_>) -> bool {
    let page = collector.page;
    !page.ancestors(element).any(|around| {
        let sign = page.sign(around);
        // What all of the page is in says nothing of its parts.
        matches!(sign.tag, "aside" | "nav" | "footer")
            || (sign.tag != "body" && sign.tag != "html" && has_word(sign, &OF_OTHERS))
    })
}

/// Whether the class or id of an element has one of these words in it.
fn has_word(sign: crate::parse::Sign<'_>, words: &[&str]) -> bool {
    let has = |text: &str| !text.is_empty() && words.iter().any(|word| contains(text, word));
    has(sign.class) || has(sign.id)
}

/// Whether a word, in small letters, is in a text, in whatever letters.
fn contains(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(last) = text.len().checked_sub(word.len()) else { return false };
    (0..=last).any(|at| text[at] | 0x20 == word[0] && text[at..at + word.len()].eq_ignore_ascii_case(word))
}

/// The first `<time>` behind the heading, or else the first.
fn times(said: &Said, heading: Option<u32>, collector: &mut Collector<'_>) {
    let times: Vec<&Mark> = said.marks.iter().filter(|mark| &*mark.tag == "time" && is_own(mark, collector)).collect();
    let is_changed = |mark: &&&Mark| {
        mark.get("class").is_some_and(|class| contains(class, "updated") || contains(class, "modified"))
    };
    let is_behind =
        |mark: &&&Mark| heading.is_some_and(|heading| mark.element.is_some_and(|element| element > heading));
    let published = times
        .iter()
        .filter(|mark| !is_changed(mark))
        .find(is_behind)
        .or_else(|| times.iter().find(|mark| !is_changed(mark)));
    let published = published.or_else(|| times.first());
    for (field, mark) in [("published", published), ("modified", times.iter().find(is_changed))] {
        let Some(mark) = mark else { continue };
        let said = mark.get("datetime").map_or_else(|| text(mark, collector.page), str::to_owned);
        if let dates::Dated::Read(date) = dates::read(&said, collector.order) {
            let class =
                mark.get("class").map(|class| format!(".{}", class.split_whitespace().next().unwrap_or_default()));
            let path = || format!("time{}", class.unwrap_or_default());
            collector.push(field, Content::Date(date), Source::Markup, mark.line, path);
        }
    }
}

/// What classes call author or date.
fn called(heading: Option<u32>, collector: &mut Collector<'_>) {
    let page = collector.page;
    let says: Vec<(bool, bool)> = page
        .signs()
        .map(|sign| match sign.tag {
            "body" | "html" | "article" | "main" => (false, false),
            _ => (has_word(sign, &CALLED_AUTHOR), has_word(sign, &CALLED_DATE)),
        })
        .collect();
    let (wants_author, wants_date) = (!collector.has("author"), !collector.has("published"));
    // What is close to the heading is looked at first, and in front of it little stands.
    let mut found: Vec<u32> = (0..page.elements.len() as u32)
        .filter(|&element| {
            let (author, date) = says[page.elements[element as usize].sign as usize];
            (author && wants_author) || (date && wants_date)
        })
        .collect();
    if let Some(heading) = heading {
        let behind = found.partition_point(|&element| element < heading);
        found.rotate_left(behind);
    }
    for element in found {
        let pieces = page.elements[element as usize].first_piece..page.elements[element as usize].end_piece;
        if pieces.is_empty() || pieces.len() > 24 || !is_of_page(element, collector) {
            continue;
        }
        let (author, date) = says[page.elements[element as usize].sign as usize];
        let text = folded(&words(collector, pieces.clone()));
        if text.len() > SHORT {
            continue;
        }
        let line = page.piece(pieces.start as usize).piece.line + 1;
        let path =
            || format!("{}.{}", page.sign(element).tag, page.sign(element).class.split(' ').next().unwrap_or_default());
        if date
            && !collector.has("published")
            && let Some(date) = dates::find(&text, collector.order)
        {
            collector.push("published", Content::Date(date), Source::Markup, line, path);
        }
        if author && !collector.has("author") {
            for name in byline(&text) {
                collector.add("author", &name, Source::Markup, line, path);
            }
        }
        if collector.has("author") && collector.has("published") {
            return;
        }
    }
}

/// The names in a line that a class calls author: two to four words each, all but a few of which begin with a capital.
fn byline(text: &str) -> Vec<String> {
    let behind = ["By ", "by ", "BY ", "Von ", "von ", "Par ", "par ", "Por ", "por ", "Author: ", "Autor: ", "Text: "];
    let text = behind
        .iter()
        .find_map(|by| text.split_once(by).filter(|(before, _)| before.len() < 12))
        .map_or(text, |(_, name)| name);
    let end = text.find(['|', '•', '·', '(', '/', '–', '—']).unwrap_or(text.len());
    let is_name = |name: &String| {
        let words: Vec<&str> = name.split(' ').collect();
        let capital =
            |word: &&&str| word.starts_with(|c: char| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()));
        (2..=4).contains(&words.len())
            && words.iter().filter(capital).count() >= words.len().saturating_sub(1).max(2)
            && !name.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | '@' | '!' | '?'))
    };
    let names = names(text[..end].trim());
    if names.iter().all(is_name) { names } else { Vec::new() }
}

/// A short text near the heading that is a date.
fn beside(heading: Option<u32>, collector: &mut Collector<'_>) {
    let Some(heading) = heading else { return };
    let page = collector.page;
    let element = page.elements[heading as usize];
    let near = element.first_piece.saturating_sub(NEAR.0)..(element.end_piece + NEAR.1).min(page.piece_count() as u32);
    let around = (element.end_piece..near.end).chain((near.start..element.first_piece).rev());
    for piece in around {
        let view = page.piece(piece as usize);
        if view.text.len() > 60 || !view.text.bytes().any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        if let Some(date) = dates::find(view.text, collector.order) {
            let line = view.piece.line + 1;
            let path = || page.path(view.piece.element);
            return collector.push("published", Content::Date(date), Source::Markup, line, path);
        }
    }
}

/// A day in the page's address: `/2024/05/01/`.
fn in_address(collector: &mut Collector<'_>) {
    let url = collector.page.url.clone();
    let parts: Vec<&str> = url.split(['/', '-', '_', '.']).collect();
    let number = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let dated = parts.windows(3).find(|part| number(part[0], 4) && number(part[1], 2) && number(part[2], 2));
    let dated = dated
        .map(|part| part.join("-"))
        .or_else(|| parts.iter().find(|part| number(part, 8) && part.starts_with("20")).map(|part| (*part).to_owned()));
    if let Some(dates::Dated::Read(date)) = dated.map(|text| dates::read(&text, collector.order)) {
        collector.push("published", Content::Date(date), Source::Markup, 0, || "url".to_owned());
    }
}
