//! What is known of a page beside its text: named values with their types, and where they come from.
//!
//! Several stages put values on pages and documents, and the index, searches and exports
//! read them. None of them knows the others.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Fields by name, each with its values in the order they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fields {
    values: BTreeMap<String, Vec<Value>>,
}

/// One value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The value as its type has it.
    pub content: Content,
    /// Who says so.
    pub source: Source,
    /// Where on the page it was found.
    pub place: Place,
}

/// A value, as what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Words for people.
    Text(String),
    /// A name that other pages have too, to filter and count by.
    Keyword(String),
    /// A number, with its unit or currency where it has one.
    Number {
        /// The number.
        amount: Amount,
        /// `EUR`, `kg`.
        unit: Option<String>,
    },
    /// A day, or a moment.
    Date(Date),
    /// An address.
    Url(String),
}

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Amount(f64);

impl Eq for Amount {}

impl Amount {
    /// A number; none for infinities and what is no number.
    pub fn new(number: f64) -> Option<Self> {
        // Both zeros are one.
        number.is_finite().then_some(Amount(number + 0.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// A day in the calendar of the place it was written at, and the moment where one was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Date {
    /// Seconds since 1970 in UTC. A day without a time begins at midnight, and a time without a zone is taken for UTC.
    pub seconds: i64,
    /// Minutes the clock it was written by is ahead of UTC; none where no zone was given.
    pub offset: Option<i16>,
    /// Whether a time of day was given.
    pub has_time: bool,
}

/// Who says what a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// What the author of a page marked for search: `data-pagefind-*`, `docsearch:*`.
    Search,
    /// `<script type="application/ld+json">`.
    JsonLd,
    /// `itemprop` and its like.
    Microdata,
    /// `property` with `vocab` and `typeof`.
    Rdfa,
    /// `<meta property="og:…">` and `article:…`.
    OpenGraph,
    /// `<meta name="twitter:…">`.
    Twitter,
    /// `<meta name="…">`, Dublin Core with it.
    Meta,
    /// What tags and their classes tell: `<time>`, `lang`, `rel`, `<h1>`, `<title>`.
    Markup,
    /// A wrapper that was learned.
    Wrapper,
}

/// Where on a page a value was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line in the page's source, counted from 1; 0 where it is not known.
    pub line: u32,
    /// What stands there: `meta[og:title]`, `NewsArticle.author.name`, `time.published`.
    pub path: String,
}

/// Why something that a page says is not among its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Its type has no such value: a day of the year 99999.
    Impossible,
    /// It is not of its type, and stayed text.
    Unread,
    /// It is too long.
    TooLong,
    /// The page has too many.
    TooMany,
    /// A script is no JSON.
    Broken,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOut::Impossible => "impossible",
            LeftOut::Unread => "stayed text",
            LeftOut::TooLong => "too long",
            LeftOut::TooMany => "too many",
            LeftOut::Broken => "broken",
        })
    }
}

/// How much was left out, by reason.
pub type Counts = BTreeMap<LeftOut, u32>;

impl Fields {
    /// Adds a value, unless it is there already: of two that say the same the first stays.
    pub fn add(&mut self, name: &str, value: Value) {
        match self.values.get_mut(name) {
            Some(values) if values.iter().any(|known| known.content == value.content) => {}
            Some(values) => values.push(value),
            None => {
                self.values.insert(name.to_owned(), vec![value]);
            }
        }
    }

    /// Puts values in the place of those a field had; none takes the field away.
    pub fn set(&mut self, name: &str, values: Vec<Value>) {
        match values.is_empty() {
            true => self.values.remove(name),
            false => self.values.insert(name.to_owned(), values),
        };
    }

    /// The values of a field.
    pub fn get(&self, name: &str) -> &[Value] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    /// All fields, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[Value])> {
        self.values.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Extend<(String, Value)> for Fields {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, values: I) {
        for (name, value) in values {
            self.add(&name, value);
        }
    }
}

impl Content {
    /// What kind of value it is.
    pub fn kind(&self) -> Kind {
        match self {
            Content::Text(_) => Kind::Text,
            Content::Keyword(_) => Kind::Keyword,
            Content::Number { .. } => Kind::Number,
            Content::Date(_) => Kind::Date,
            Content::Url(_) => Kind::Url,
        }
    }
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Words for people.
    Text,
    /// A name to filter and count by.
    Keyword,
    /// A number.
    Number,
    /// A day or a moment.
    Date,
    /// An address.
    Url,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Text => "text",
            Kind::Keyword => "keyword",
            Kind::Number => "number",
            Kind::Date => "date",
            Kind::Url => "url",
        })
    }
}

/// As people and other programs read it: dates as ISO 8601 has days, numbers without their unit.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Text(text) | Content::Keyword(text) | Content::Url(text) => f.write_str(text),
            Content::Number { amount, .. } => write!(f, "{}", amount.get()),
            Content::Date(date) => write!(f, "{date}"),
        }
    }
}

/// The day.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.local().div_euclid(DAY));
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

const DAY: i64 = 86_400;

impl Date {
    /// The day of a date in the calendar; none where there is no such day, or it is not in the years 1000 to 9999.
    pub fn day(year: i32, month: u32, day: u32) -> Option<Self> {
        let is_there =
            (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
        is_there.then(|| Date { seconds: days_before(year, month, day) * DAY, offset: None, has_time: false })
    }

    /// The same day at a time of it, by a clock that is so many minutes ahead of UTC.
    pub fn at(self, seconds_of_day: u32, offset: Option<i16>) -> Self {
        let seconds = self.seconds + i64::from(seconds_of_day) - i64::from(offset.unwrap_or(0)) * 60;
        Date { seconds, offset, has_time: true }
    }

    fn local(&self) -> i64 {
        self.seconds + i64::from(self.offset.unwrap_or(0)) * 60
    }

    /// Year, month and day where it was written.
    pub fn ymd(&self) -> (i32, u32, u32) {
        civil(self.local().div_euclid(DAY))
    }

    /// In full, as RFC 3339 has it; the day alone where no time was given.
    pub fn in_full(&self) -> String {
        if !self.has_time {
            return self.to_string();
        }
        let seconds = self.local().rem_euclid(DAY);
        let zone = match self.offset {
            None | Some(0) => "Z".to_owned(),
            Some(minutes) => {
                let sign = if minutes < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        };
        format!("{self}T{:02}:{:02}:{:02}{zone}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// Days in a month.
fn days_in(year: i32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970, counted in eras of 400 years from the first of March (Howard Hinnant, `days_from_civil`).
fn days_before(year: i32, month: u32, day: u32) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (i64::from(month) + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The other way round (`civil_from_days`).
fn civil(days: i64) -> (i32, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    ((year + era * 400 + i64::from(month <= 2)) as i32, month as u32, day as u32)
}

impl Source {
    /// All of them, the one that is believed first in front.
    pub const ALL: [Source; 9] = [
        Source::Wrapper,
        Source::Search,
        Source::JsonLd,
        Source::Microdata,
        Source::Rdfa,
        Source::OpenGraph,
        Source::Meta,
        Source::Twitter,
        Source::Markup,
    ];

    /// The name the command line knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Source::Search => "search",
            Source::JsonLd => "json-ld",
            Source::Microdata => "microdata",
            Source::Rdfa => "rdfa",
            Source::OpenGraph => "open-graph",
            Source::Twitter => "twitter",
            Source::Meta => "meta",
            Source::Markup => "markup",
            Source::Wrapper => "wrapper",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Source::ALL.into_iter().find(|source| source.name() == name).ok_or_else(|| {
            let names = Source::ALL.map(Source::name).join(", ");
            format!("there is no source '{name}': choose from {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_date_is_written_as_the_page_has_it() {
        let day = Date::day(2024, 5, 1).unwrap();
        assert_eq!(day.to_string(), "2024-05-01");
        assert_eq!(day.in_full(), "2024-05-01");
        let moment = day.at(23 * 3600 + 59 * 60 + 1, Some(-330));
        assert_eq!(moment.in_full(), "2024-05-01T23:59:01-05:30");
        assert_eq!(moment.seconds, day.seconds + 86_341 + 330 * 60);
        assert_eq!(day.at(0, None).in_full(), "2024-05-01T00:00:00Z");
    }

    #[test]
    fn days_that_are_not_in_the_calendar_are_none() {
        for (year, month, day) in
            [(2023, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (99_999, 1, 1), (24, 1, 1)]
        {
            assert_eq!(Date::day(year, month, day), None, "{year}-{month}-{day}");
        }
        assert!(
            Date::day(2024, 2, 29).is_some() && Date::day(2000, 2, 29).is_some() && Date::day(1900, 2, 29).is_none()
        );
    }

    #[test]
    fn infinite_numbers_are_none() {
        assert_eq!(Amount::new(f64::INFINITY), None);
        assert_eq!(Amount::new(f64::NAN), None);
        assert_eq!(Amount::new(-0.0), Amount::new(0.0));
    }

    proptest! {
        #[test]
        fn every_day_is_read_back(days in -354_285_i64..2_932_896) {
            let (year, month, day) = civil(days);
            prop_assert_eq!(days_before(year, month, day), days);
            prop_assert_eq!(Date::day(year, month, day).map(|date| date.ymd()), Some((year, month, day)));
        }
    }
}
