//! Of all that is said about a page, what its document has.
//!
//! What is the site's goes first ([`super::site`]). Then of each field the first source in the order counts that still says anything, with all its values.

use super::SITE_NAME;
use super::site::{Site, first_part, last_part, squashed};
use crate::field::{Content, Fields, Source, Value};
use crate::parse::Page;

/// How fields are chosen.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// Who is believed, first in front. Who is not there is not heard.
    pub order: Vec<Source>,
    /// All fields, and not only those people expect.
    pub all: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { order: Source::ALL.to_vec(), all: false }
    }
}

/// The fields of a document, and what is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The fields.
    pub fields: Fields,
    /// Values that the site says on its pages alike: field, value, and on how many of how many pages.
    pub sites: Vec<(String, Value, (u32, u32))>,
}

impl Choice {
    /// Chooses the fields of a page; what its site says is known where enough of it was seen.
    pub fn of(&self, page: &Page, site: Option<&Site>) -> Chosen {
        let mut chosen = Chosen::default();
        let called = Called::of(page, site);
        for (name, values) in page.fields.iter() {
            let is_wanted = self.all || name != SITE_NAME;
            if !is_wanted {
                continue;
            }
            let mut own: Vec<Value> = Vec::with_capacity(values.len());
            for value in values {
                match site.and_then(|site| site.says(name, &value.content)) {
                    Some(pages) => chosen.sites.push((name.to_owned(), value.clone(), pages)),
                    None => own.push(value.clone()),
                }
            }
            if name == "title" {
                own.iter_mut().for_each(|value| called.cut(&mut value.content));
            }
            let speaker = self.order.iter().find(|source| own.iter().any(|value| value.source == **source));
            if let Some(speaker) = speaker {
                own.retain(|value| value.source == *speaker);
                if name == "title" {
                    own.truncate(1);
                }
                own.into_iter().for_each(|value| chosen.fields.add(name, value));
            }
        }
        chosen
    }
}

/// What tells which parts of a title are the site's.
struct Called<'p> {
    site: Option<&'p Site>,
    /// What the site is called, squashed.
    names: Vec<String>,
    /// What the page is called by all who say it, squashed.
    titles: Vec<String>,
}

impl<'p> Called<'p> {
    fn of(page: &Page, site: Option<&'p Site>) -> Self {
        let texts = |name: &str| {
            page.fields
                .get(name)
                .iter()
                .map(|value| squashed(&value.content.to_string()))
                .filter(|text| !text.is_empty())
                .collect()
        };
        let mut names: Vec<String> = texts(SITE_NAME);
        names.extend(names_of_host(&page.url));
        Called { site, names, titles: texts("title") }
    }

    /// Cuts the site's parts off a title.
    fn cut(&self, title: &mut Content) {
        let Content::Text(text) = title else { return };
        let mut rest = text.as_str();
        // Few titles have more parts than this.
        for _ in 0..4 {
            let cut = [last_part(rest), first_part(rest)]
                .into_iter()
                .flatten()
                .find(|(left, part)| self.is_sites(left, part));
            let Some((left, _)) = cut else { break };
            rest = left;
        }
        if rest.len() < text.len() {
            *text = rest.to_owned();
        }
    }

    /// Whether a part of a title is the site's: its pages have it, it is what the site is called, or the page is called what is left.
    fn is_sites(&self, left: &str, part: &str) -> bool {
        let (left, squashed_part) = (squashed(left), squashed(part));
        if left.is_empty() || squashed_part.is_empty() {
            return false;
        }
        let is_name = |name: &String| {
            let (short, long) =
                if name.len() < squashed_part.len() { (name, &squashed_part) } else { (&squashed_part, name) };
            short == long || (short.len() >= 5 && long.contains(short.as_str()) && part.split(' ').count() <= 5)
        };
        self.site.is_some_and(|site| site.has_part(part))
            || self.names.iter().any(is_name)
            || self.titles.contains(&left)
    }
}

/// What a host may be called: `www.news.example.co.uk` is "news", "example" and "exampleuk".
fn names_of_host(url: &str) -> Vec<String> {
    let Some((_, rest)) = url.split_once("://") else { return Vec::new() };
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels: Vec<&str> = host.split('.').collect();
    let mut names: Vec<String> = vec![squashed(host)];
    // The last is the country or kind, and before it may be `co` or `com`.
    names.extend(
        labels[..labels.len().saturating_sub(1)].iter().filter(|label| label.len() > 3).map(|label| squashed(label)),
    );
    names
}
