//! Days and moments as pages write them.
//!
//! Machines write ISO 8601 or the date of a mail. People write their months, and no library that is kept up reads those of many languages, so the
//! names stand here: facts, in a table. A date that could be two is none: `05/06/2024` is one only where the page's language tells the order.

use crate::field::Date;

/// What a text that should be a date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dated {
    /// A date.
    Read(Date),
    /// Numbers in the form of a date that no calendar has.
    Impossible,
    /// No date, or one that could be two.
    Unread,
}

/// The order of day and month in a date of numbers with slashes, as far as the page's language tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
    Unknown,
}

impl Order {
    /// The order that pages of a language use.
    pub(super) fn of(language: &str) -> Self {
        let lower = language.to_ascii_lowercase().replace('_', "-");
        match lower.as_str() {
            "" | "en" => Order::Unknown,
            "en-us" | "en-ph" => Order::MonthFirst,
            _ => Order::DayFirst,
        }
    }
}

/// Reads a text that is a date and nothing else.
pub(super) fn read(text: &str, order: Order) -> Dated {
    let text = text.trim();
    if let Some(dated) = iso(text) {
        return dated;
    }
    find(text, order).map_or(Dated::Unread, Dated::Read)
}

/// `2024-05-01`, `2024-05-01T10:00:00.000+02:00`, `20240501`, `2024-05-01 10:00`. None where it looks otherwise.
fn iso(text: &str) -> Option<Dated> {
    let (digits, rest) = cut_digits(text);
    let (year, month, day, rest) = match digits.len() {
        8 => (&digits[..4], &digits[4..6], &digits[6..], rest),
        4.. => {
            let (month, rest) = cut_digits(rest.strip_prefix(['-', '/', '.'])?);
            let (day, rest) = cut_digits(rest.strip_prefix(['-', '/', '.'])?);
            (digits, month, day, rest)
        }
        _ => return None,
    };
    if !(1..=2).contains(&month.len()) || !(1..=2).contains(&day.len()) {
        return None;
    }
    let date = match (year.parse(), month.parse(), day.parse()) {
        (Ok(year), Ok(month), Ok(day)) => Date::day(year, month, day),
        _ => None,
    };
    let Some(date) = date else { return Some(Dated::Impossible) };
    let rest = rest.trim_start_matches(['T', 't', ',', ' ']);
    Some(Dated::Read(time(rest).map_or(date, |(seconds, offset)| date.at(seconds, offset))))
}

/// The time a text begins with: seconds of the day, and minutes ahead of UTC.
fn time(text: &str) -> Option<(u32, Option<i16>)> {
    let (hour, rest) = cut_digits(text);
    let (minute, mut rest) = cut_digits(rest.strip_prefix(':')?);
    let mut seconds = hour.parse::<u32>().ok().filter(|hour| *hour < 24)? * 3600;
    seconds += minute.parse::<u32>().ok().filter(|minute| *minute < 60)? * 60;
    if let Some(after) = rest.strip_prefix(':') {
        let (second, after) = cut_digits(after);
        seconds += second.parse::<u32>().ok()?.min(59);
        rest = after.strip_prefix(['.', ',']).map_or(after, |fraction| cut_digits(fraction).1);
    }
    let upper = rest.trim_start().to_ascii_uppercase();
    if upper.starts_with("PM") && seconds < 12 * 3600 {
        seconds += 12 * 3600;
    }
    Some((seconds, zone(&upper)))
}

fn zone(text: &str) -> Option<i16> {
    if ["Z", "UTC", "GMT"].iter().any(|name| text.starts_with(name)) {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, rest) = cut_digits(&text[1..]);
    let (hours, minutes) = match hours.len() {
        4 => (&hours[..2], &hours[2..]),
        1 | 2 => (hours, rest.strip_prefix(':').map_or("0", |rest| cut_digits(rest).0)),
        _ => return None,
    };
    let (hours, minutes): (i16, i16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// The ASCII digits a text begins with, and what is behind them.
fn cut_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// Characters of a text that are looked at.
const LOOKED_AT: usize = 200;

/// The first date in a text of people.
pub(super) fn find(text: &str, order: Order) -> Option<Date> {
    // Most texts have no number, and no date either.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let end = text.char_indices().nth(LOOKED_AT).map_or(text.len(), |(at, _)| at);
    let parts = parts(&text[..end]);
    (0..parts.len()).find_map(|at| date_at(&parts[at..], order))
}

/// A number, a month or another word, and what stands in front of it.
#[derive(Clone, Copy, Debug)]
enum Part<'t> {
    Number {
        digits: &'t str,
        before: &'t str,
    },
    Month(u32),
    Word,
    /// 年, 月, 日 and their like, behind their number.
    Unit(char),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut between = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        if c.is_ascii_digit() {
            let mut end = start + 1;
            while let Some((at, _)) = rest.next_if(|(_, c)| c.is_ascii_digit()) {
                end = at + 1;
            }
            parts.push(Part::Number { digits: &text[start..end], before: &text[between..start] });
            between = end;
        } else if matches!(c, '年' | '月' | '日' | '년' | '월' | '일') {
            parts.push(Part::Unit(c));
            between = start + c.len_utf8();
        } else if c.is_alphabetic() {
            let mut end = start + c.len_utf8();
            while let Some((at, c)) = rest.next_if(|(_, c)| c.is_alphabetic() || is_mark(*c)) {
                end = at + c.len_utf8();
            }
            parts.push(month(&text[start..end]).map_or(Part::Word, Part::Month));
            between = end;
        }
    }
    parts
}

/// Signs inside of words of Indian and Thai scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{980}'..='\u{983}' | '\u{9bc}'..='\u{9cd}' | '\u{e31}'..='\u{e4e}')
}

fn date_at(parts: &[Part<'_>], order: Order) -> Option<Date> {
    use Part::{Month, Number, Unit, Word};
    match *parts {
        // 2024 May 1; 2024. május 1.
        [Number { digits: year, .. }, Month(month), Number { digits: day, .. }, ..] if year.len() == 4 => {
            of(year, month, day)
        }
        // 1 May 2024; 1. Mai 2024; 1 de mayo de 2024; 1st of May, 2024.
        [Number { digits: day, .. }, Month(month), ref rest @ ..] => with_year(day, month, rest),
        [Number { digits: day, .. }, Word, Month(month), ref rest @ ..] => with_year(day, month, rest),
        // Fri Apr 28 19:20:36 CEST 2023.
        [Month(month), Number { digits: day, .. }, Number { .. }, Number { .. }, Number { .. }, ref rest @ ..]
            if with_year(day, month, rest).is_some() =>
        {
            with_year(day, month, rest)
        }
        // May 1, 2024; May 1st, 2024.
        [Month(month), Number { digits: day, .. }, ref rest @ ..] if day.len() < 3 => with_year(day, month, rest),
        // 2024年5月1日.
        [
            Number { digits: year, .. },
            Unit('年' | '년'),
            Number { digits: month, .. },
            Unit(_),
            Number { digits: day, .. },
            Unit(_),
            ..,
        ] => of(year, month.parse().ok()?, day),
        [Number { digits: a, .. }, Number { digits: b, before: first }, Number { digits: c, before: second }, ..]
            if first.trim() == second.trim() || (first.trim() == "." && second.trim() == ".") =>
        {
            numbers(a, b, c, first.trim(), order)
        }
        _ => None,
    }
}

fn with_year(day: &str, month: u32, rest: &[Part<'_>]) -> Option<Date> {
    match rest {
        [Part::Number { digits, .. }, ..] | [Part::Word, Part::Number { digits, .. }, ..] if digits.len() == 4 => {
            of(digits, month, day)
        }
        _ => None,
    }
}

fn of(year: &str, month: u32, day: &str) -> Option<Date> {
    let year: i32 = year.parse().ok()?;
    // Pages are younger than the printing press. Thai pages count from the Buddha.
    let year = if (2500..2643).contains(&year) { year - 543 } else { year };
    (1400..2200).contains(&year).then(|| Date::day(year, month, day.parse().ok()?))?
}

/// Three numbers with the same sign between them.
fn numbers(a: &str, b: &str, c: &str, between: &str, order: Order) -> Option<Date> {
    let (first, second): (u32, u32) = (a.parse().ok()?, b.parse().ok()?);
    match (a.len(), c.len(), between) {
        (4, 1..=2, "-" | "/" | ".") => of(a, second, c),
        (1..=2, 4, ".") => of(c, second, a),
        (1..=2, 4, "/" | "-") if first > 12 => of(c, second, a),
        (1..=2, 4, "/" | "-") if second > 12 => of(c, first, b),
        (1..=2, 4, "/" | "-") if first == second => of(c, first, b),
        (1..=2, 4, "/" | "-") => match order {
            Order::DayFirst => of(c, second, a),
            Order::MonthFirst => of(c, first, b),
            Order::Unknown => None,
        },
        _ => None,
    }
}

/// The month of a name in any of the languages below: in full, or shortened to at least three letters.
fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    // Two letters of a script without signs for vowels can be a whole name.
    if word.len() < 3 {
        return None;
    }
    // Names that are the beginning of another month's in another language come first.
    let exact = MONTHS.iter().position(|names| names.split(' ').any(|name| name == word));
    let begun = || MONTHS.iter().position(|names| names.split(' ').any(|name| is_short_for(&word, name)));
    exact.or_else(begun).map(|at| at as u32 + 1)
}

fn is_short_for(short: &str, name: &str) -> bool {
    let length = short.chars().count();
    name.starts_with(short) && (3..=5).contains(&length) && length < name.chars().count()
}

/// Names of months: English, German, French, Spanish, Italian, Portuguese, Dutch, Danish, Norwegian, Swedish, Polish, Czech, Hungarian, Finnish,
/// Turkish, Romanian, Indonesian, Greek, Russian, Ukrainian, Hindi.
const MONTHS: [&str; 12] = [
    "january januar jänner janvier enero gennaio janeiro januari januar january stycznia styczeń ledna leden január tammikuu tammikuuta ocak ianuarie ιανουαρίου ιανουάριος января январь січня січень जनवरी",
    "february februar février febrero febbraio fevereiro februari lutego luty února únor február helmikuu helmikuuta şubat februarie φεβρουαρίου φεβρουάριος февраля февраль лютого лютий फरवरी feb",
    "march märz mars marzo março maart marts marca marzec března březen március maaliskuu maaliskuuta mart martie maret μαρτίου μάρτιος марта март березня березень मार्च mar mrt mär",
    "april avril abril aprile kwietnia kwiecień dubna duben április huhtikuu huhtikuuta nisan aprilie απριλίου απρίλιος апреля апрель квітня квітень अप्रैल abr avr apr",
    "may mai mayo maggio maio mei maj maja května květen május toukokuu toukokuuta mayıs μαΐου μάιος мая май травня травень मई",
    "june juni juin junio giugno junho czerwca czerwiec června červen június kesäkuu kesäkuuta haziran iunie ιουνίου ιούνιος июня июнь червня червень जून jun giu",
    "july juli juillet julio luglio julho lipca lipiec července červenec július heinäkuu heinäkuuta temmuz iulie ιουλίου ιούλιος июля июль липня липень जुलाई jul lug",
    "august août agosto augustus augusti sierpnia sierpień srpna srpen augusztus elokuu elokuuta ağustos agustus αυγούστου αύγουστος августа август серпня серпень अगस्त aug ago",
    "september septembre septiembre settembre setembro września wrzesień září szeptember syyskuu syyskuuta eylül septembrie σεπτεμβρίου σεπτέμβριος сентября сентябрь вересня вересень सितंबर सितम्बर sept sep set",
    "october oktober octobre octubre ottobre outubro października październik října říjen október lokakuu lokakuuta ekim octombrie οκτωβρίου οκτώβριος октября октябрь жовтня жовтень अक्टूबर oct okt ott out",
    "november novembre noviembre novembro listopada listopad listopadu marraskuu marraskuuta kasım noiembrie νοεμβρίου νοέμβριος ноября ноябрь листопада листопад नवंबर नवम्बर nov",
    "december dezember décembre diciembre dicembre dezembro desember grudnia grudzień prosince prosinec joulukuu joulukuuta aralık decembrie δεκεμβρίου δεκέμβριος декабря декабрь грудня грудень दिसंबर दिसम्बर dec dez dic",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> String {
        match read(text, Order::Unknown) {
            Dated::Read(date) => date.in_full(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_machines_write_is_read() {
        assert_eq!(day("2024-05-01"), "2024-05-01");
        assert_eq!(day(" 2024-05-01T10:30:05.123+02:00 "), "2024-05-01T10:30:05+02:00");
        assert_eq!(day("2024-05-01T10:30:05+0200"), "2024-05-01T10:30:05+02:00");
        assert_eq!(day("2024-05-01 10:30"), "2024-05-01T10:30:00Z");
        assert_eq!(day("20240501"), "2024-05-01");
        assert_eq!(day("2024/5/1"), "2024-05-01");
        assert_eq!(day("Wed, 01 May 2024 10:00:00 GMT"), "2024-05-01");
    }

    #[test]
    fn what_people_write_in_many_languages_is_read() {
        for text in [
            "1 May 2024",
            "May 1, 2024",
            "Wednesday, May 1st, 2024",
            "1. Mai 2024",
            "1 mai 2024",
            "1 de mayo de 2024",
            "1 maggio 2024",
            "1 de maio de 2024",
            "1 mei 2024",
            "1. maj 2024",
            "1 maja 2024",
            "1. května 2024",
            "2024. május 1.",
            "1. toukokuuta 2024",
            "1 Mayıs 2024",
            "1 Μαΐου 2024",
            "1 мая 2024 г.",
            "1 травня 2024",
            "1 मई 2024",
            "2024年5月1日",
            "2024년 5월 1일",
            "01.05.2024",
            "Published: 01 May 2024, 10:15",
            "Stand: 1.5.2024",
            "Wed May 01 10:15:36 CEST 2024",
            "Mittwoch, 01. Mai 2024 um 12 Uhr",
            "1 พฤษภาคม 2024 2024-05-01",
        ] {
            assert_eq!(
                find(text, Order::Unknown).map(|date| date.to_string()).as_deref(),
                Some("2024-05-01"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_date_that_could_be_two_is_read_only_where_the_language_tells() {
        assert_eq!(find("05/06/2024", Order::Unknown), None);
        assert_eq!(find("05/06/2024", Order::of("en-US")).map(|date| date.to_string()).as_deref(), Some("2024-05-06"));
        assert_eq!(find("05/06/2024", Order::of("en-GB")).map(|date| date.to_string()).as_deref(), Some("2024-06-05"));
        assert_eq!(find("25/06/2024", Order::Unknown).map(|date| date.to_string()).as_deref(), Some("2024-06-25"));
    }

    #[test]
    fn years_and_days_that_are_none_are_impossible_and_words_are_unread() {
        assert_eq!(read("99999-01-01", Order::Unknown), Dated::Impossible);
        assert_eq!(read("2024-02-31", Order::Unknown), Dated::Impossible);
        for text in ["", "yesterday", "2 hours ago", "12:30", "+49 30 123456", "version 1.2.3", "5", "2024"] {
            assert_eq!(read(text, Order::Unknown), Dated::Unread, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[0-9a-zäя年月日 :./T+-]{0,40}") {
            let _ = read(&text, Order::DayFirst);
        }
    }
}
