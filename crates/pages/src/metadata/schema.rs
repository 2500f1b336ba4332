//! Things with a type and properties, as schema.org has them: what JSON-LD, microdata and RDFa say.
//!
//! A page has many: the site, its owner, a path of crumbs, comments. The one it is about is looked for, and the page itself is asked for what that
//! one does not say.

use super::{Collector, LeftOut, folded, list, names};
use crate::field::Source;

/// A thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    /// Its types, without the vocabulary.
    pub(super) types: Vec<String>,
    /// Its properties in order, several of one name where it has several.
    pub(super) properties: Vec<(String, Property)>,
    /// The line it begins in.
    pub(super) line: u32,
}

/// What a property is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property {
    Text(String),
    Item(Item),
}

/// Property of things, field, and how it is read.
const TABLE: [(&str, &str, How); 26] = [
    ("headline", "title", How::First),
    ("name", "title", How::First),
    ("description", "description", How::First),
    ("author", "author", How::Names),
    ("creator", "author", How::Names),
    ("datePublished", "published", How::First),
    ("uploadDate", "published", How::First),
    ("datePosted", "published", How::First),
    ("dateCreated", "published", How::First),
    ("dateModified", "modified", How::First),
    ("image", "image", How::First),
    ("thumbnailUrl", "image", How::First),
    ("inLanguage", "language", How::First),
    ("articleSection", "section", How::All),
    ("recipeCategory", "section", How::All),
    ("category", "section", How::All),
    ("keywords", "tags", How::List),
    ("price", "price", How::First),
    ("lowPrice", "price", How::First),
    ("priceCurrency", "currency", How::First),
    ("brand", "brand", How::All),
    ("manufacturer", "brand", How::All),
    ("availability", "availability", How::Term),
    ("ratingValue", "rating", How::First),
    ("offers", "", How::Inside),
    ("aggregateRating", "", How::Inside),
];

/// How the values of a property become those of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The first.
    First,
    /// All.
    All,
    /// All, each a list of words with commas.
    List,
    /// All, as names of people.
    Names,
    /// A term of the vocabulary: `https://schema.org/InStock`.
    Term,
    /// The properties inside are read as if they were the thing's own.
    Inside,
}

/// Things that a page can be about.
const CONTENT: [&str; 40] = [
    "Article",
    "NewsArticle",
    "BlogPosting",
    "Report",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "BackgroundNewsArticle",
    "ReviewNewsArticle",
    "LiveBlogPosting",
    "TechArticle",
    "ScholarlyArticle",
    "SocialMediaPosting",
    "DiscussionForumPosting",
    "AdvertiserContentArticle",
    "SatiricalArticle",
    "MedicalScholarlyArticle",
    "Product",
    "ProductGroup",
    "IndividualProduct",
    "Vehicle",
    "Car",
    "Recipe",
    "HowTo",
    "Event",
    "Book",
    "Movie",
    "TVSeries",
    "TVEpisode",
    "MusicAlbum",
    "MusicRecording",
    "Course",
    "JobPosting",
    "SoftwareApplication",
    "VideoGame",
    "Question",
    "Podcast",
    "PodcastEpisode",
    "Dataset",
    "APIReference",
];
/// The page itself, which may say what the thing does not.
const PAGES: [&str; 9] = [
    "WebPage",
    "ItemPage",
    "AboutPage",
    "CollectionPage",
    "ProfilePage",
    "FAQPage",
    "QAPage",
    "MedicalWebPage",
    "VideoObject",
];

/// How likely it is that the page is about a thing of this type.
fn rank(item: &Item) -> u8 {
    let is_one_of = |types: &[&str]| item.types.iter().any(|of| types.contains(&of.as_str()));
    match () {
        () if is_one_of(&CONTENT) => 2,
        () if is_one_of(&PAGES) => 1,
        () => 0,
    }
}

/// Reads what things say of the page that is about one of them.
pub(super) fn read(items: &[Item], source: Source, collector: &mut Collector<'_>) {
    let mut candidates = Vec::new();
    for item in items {
        gather(item, &mut candidates, 0);
    }
    for item in about(&candidates, collector) {
        let mut reader = Reader { source, collector: &mut *collector };
        reader.item(item);
    }
    if let Some(site) = candidates
        .iter()
        .find(|item| item.types.iter().any(|of| of == "WebSite"))
        .and_then(|site| text_of(site, "name"))
    {
        collector.add(super::SITE_NAME, site, source, 0, || "WebSite.name".to_owned());
    }
    let publishers = candidates
        .iter()
        .flat_map(|item| &item.properties)
        .filter(|(name, _)| name == "publisher" || name == "isPartOf");
    for (name, publisher) in publishers {
        if let Property::Item(publisher) = publisher
            && let Some(text) = text_of(publisher, "name")
        {
            collector.add(super::SITE_NAME, text, source, publisher.line, || format!("{name}.name"));
        }
    }
}

/// The things a page may be about: those that stand for themselves, and what these are said to be mainly about.
fn gather<'i>(item: &'i Item, into: &mut Vec<&'i Item>, depth: usize) {
    into.push(item);
    for (name, property) in &item.properties {
        if let Property::Item(inside) = property
            && depth < 4
            && matches!(name.as_str(), "mainEntity" | "mainEntityOfPage" | "hasPart" | "workExample" | "hasVariant")
        {
            gather(inside, into, depth + 1);
        }
    }
}

/// The thing the page is about first, then the page itself.
fn about<'i>(candidates: &[&'i Item], collector: &Collector<'_>) -> Vec<&'i Item> {
    let of_rank = |wanted: u8| candidates.iter().copied().filter(move |item| rank(item) == wanted);
    let contents: Vec<&Item> = of_rank(2).collect();
    let main = match contents.as_slice() {
        [] => None,
        [only] => Some(*only),
        // A list of things is about none of them, unless one is what the page is called.
        several => {
            let called = |item: &&&Item| is_called(item, collector);
            let first = several
                .first()
                .filter(|_| several.len() <= 3 || several.iter().any(|item| item.types != several[0].types));
            several.iter().find(called).or(first).copied()
        }
    };
    main.into_iter().chain(of_rank(1).take(2)).collect()
}

/// Whether the page is called what the thing is, or the thing's address is the page's.
fn is_called(item: &Item, collector: &Collector<'_>) -> bool {
    let title = collector.page.title.to_lowercase();
    let name = text_of(item, "headline").or_else(|| text_of(item, "name"));
    let is_in_title = name.is_some_and(|name| name.len() > 3 && title.contains(&folded(name).to_lowercase()));
    let is_here = |name: &str| {
        text_of(item, name)
            .is_some_and(|url| !url.is_empty() && url.trim_end_matches('/') == collector.page.url.trim_end_matches('/'))
    };
    is_in_title || is_here("url") || is_here("@id") || is_here("mainEntityOfPage")
}

/// The first text of a property; of a thing its name.
fn text_of<'i>(item: &'i Item, name: &str) -> Option<&'i str> {
    item.properties.iter().filter(|(property, _)| property == name).find_map(|(_, property)| words(property))
}

/// A property in words: of a thing what it is called.
fn words(property: &Property) -> Option<&str> {
    match property {
        Property::Text(text) => Some(text),
        Property::Item(item) => {
            ["name", "headline", "url", "contentUrl", "@id", "text", "@value", "value"].iter().find_map(|name| {
                item.properties.iter().find_map(|(property, inside)| match inside {
                    Property::Text(text) if property == name && !text.trim().is_empty() => Some(text.as_str()),
                    _ => None,
                })
            })
        }
    }
}

struct Reader<'c, 'p> {
    source: Source,
    collector: &'c mut Collector<'p>,
}

impl Reader<'_, '_> {
    fn item(&mut self, item: &Item) {
        let kind = item.types.first().map_or("Thing", String::as_str);
        if rank(item) == 2 {
            for of in &item.types {
                self.add("type", of, item.line, || format!("{kind}.@type"));
            }
        }
        let mut done: Vec<&str> = Vec::new();
        self.properties(item, kind, &mut done, 0);
        if self.collector.all {
            self.others(item, kind);
        }
    }

    /// What the table names, in its order: of two properties that mean the same the first that is there counts.
    fn properties<'t>(&mut self, item: &Item, path: &str, done: &mut Vec<&'t str>, depth: usize)
    where
        'static: 't,
    {
        for (property, field, how) in TABLE {
            let mut values =
                item.properties.iter().filter(|(name, _)| name == property).map(|(_, value)| value).peekable();
            if values.peek().is_none() {
                continue;
            }
            let path = format!("{path}.{property}");
            if how == How::Inside {
                for inside in values.take(20) {
                    if let Property::Item(inside) = inside
                        && depth < 3
                    {
                        self.inside(inside, &path, done, depth + 1);
                    }
                }
            } else if (depth == 0 || is_of_offers(field)) && !done.contains(&field) && self.is_missing(field) {
                let before = self.collector.values;
                for value in values {
                    self.value(field, how, value, item.line, &path);
                    if how == How::First && self.collector.values > before {
                        break;
                    }
                }
                if self.collector.values > before {
                    done.push(field);
                }
            }
        }
    }

    /// Offers and ratings, and the prices inside of offers.
    fn inside<'t>(&mut self, item: &Item, path: &str, done: &mut Vec<&'t str>, depth: usize)
    where
        'static: 't,
    {
        self.properties(item, path, done, depth);
        for (name, property) in &item.properties {
            if let Property::Item(inside) = property
                && name == "priceSpecification"
                && depth < 3
            {
                self.properties(inside, &format!("{path}.{name}"), done, depth + 1);
            }
        }
    }

    /// Whether this source has not said it yet: what the page is about speaks first.
    fn is_missing(&self, field: &str) -> bool {
        !self.collector.fields.get(field).iter().any(|value| value.source == self.source)
    }

    fn value(&mut self, field: &str, how: How, value: &Property, line: u32, path: &str) {
        let line = if let Property::Item(item) = value { item.line } else { line };
        let place = || path.to_owned();
        if field == "image" {
            if let Some(address) = address(value) {
                self.add(field, address, line, place);
            }
            return;
        }
        let Some(text) = words(value) else { return };
        match how {
            How::List => list(text).for_each(|part| self.add(field, part, line, place)),
            How::Names => names(text).iter().for_each(|name| self.add(field, name, line, place)),
            How::Term => self.add(field, last_segment(text), line, place),
            _ => self.add(field, text, line, place),
        }
    }

    fn add(&mut self, field: &str, text: &str, line: u32, path: impl FnOnce() -> String) {
        if text.contains('<') || text.contains('&') {
            let plain = plain(text);
            return self.collector.add(field, &plain, self.source, line, path);
        }
        self.collector.add(field, text, self.source, line, path);
    }

    /// All properties under their own names.
    fn others(&mut self, item: &Item, kind: &str) {
        for (name, property) in &item.properties {
            if !is_name(name) {
                continue;
            }
            let path = || format!("{kind}.{name}");
            match property {
                Property::Text(text) => self.add(name, text, item.line, path),
                Property::Item(inside) => self.other(name, inside, kind, 0),
            }
        }
    }

    /// A thing inside under the name of its property: what it is called, or what its own properties say.
    fn other(&mut self, name: &str, item: &Item, kind: &str, depth: usize) {
        let path = || format!("{kind}.{name}");
        // A step's text says more than its name, and a section has steps.
        let steps = item.properties.iter().filter_map(|(of, inside)| match inside {
            Property::Item(inside) if of == "itemListElement" || of == "step" => Some(inside),
            _ => None,
        });
        let mut has_steps = false;
        for step in steps {
            has_steps = true;
            if depth < 3 {
                self.other(name, step, kind, depth + 1);
            }
        }
        let text = text_of(item, "text").or_else(|| words_of(item));
        match text {
            Some(text) if !has_steps => self.add(name, text, item.line, path),
            None if !has_steps => {
                for (of, inside) in &item.properties {
                    if let Some(text) = words(inside).filter(|_| is_name(of)) {
                        self.add(&format!("{name}_{of}"), text, item.line, path);
                    }
                }
            }
            _ => {}
        }
    }
}

fn words_of(item: &Item) -> Option<&str> {
    ["name", "headline", "url", "contentUrl", "@value", "value"].iter().find_map(|name| text_of(item, name))
}

/// Fields that offers and ratings tell, and not the thing.
fn is_of_offers(field: &str) -> bool {
    matches!(field, "price" | "currency" | "availability" | "rating")
}

/// Names that are a word: JSON-LD's own begin with a sign.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic())
        && name.len() <= 64
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':'))
}

/// The address of an image.
fn address(property: &Property) -> Option<&str> {
    match property {
        Property::Text(text) => Some(text),
        Property::Item(item) => ["url", "contentUrl", "@id", "thumbnailUrl"].iter().find_map(|name| {
            item.properties.iter().find_map(|(property, inside)| match inside {
                Property::Text(text) if property == name && text.contains(['/', '.']) => Some(text.as_str()),
                _ => None,
            })
        }),
    }
}

/// A term without its vocabulary.
pub(super) fn last_segment(text: &str) -> &str {
    text.trim().trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or(text)
}

/// The text of a value that holds markup or character references, as some pages write them into their data.
pub(super) fn plain(text: &str) -> String {
    let page = crate::parse::parse_html(text);
    let plain = page.text_where(|_| true);
    if plain.is_empty() && page.title.is_empty() { text.to_owned() } else { plain }
}

/// Says that a source had more than was read.
pub(super) fn too_large(collector: &mut Collector<'_>) {
    collector.count(LeftOut::TooMany);
}
