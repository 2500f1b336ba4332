//! Figures as people read them.

/// Bytes for a person: `1.2 MiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A count with a comma every three digits.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A score: three decimals, as many as a few dozen queries can tell apart.
pub fn score(value: f64) -> String {
    format!("{value:.3}")
}

/// A difference of scores with its sign: `+0.041`, `−0.007`, `0.000`.
pub fn difference(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    match text.as_str() {
        "0.000" => text,
        _ if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// A p-value: never 0, because none is.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// A p-value in a sentence: `p = 0.031`, `p < 0.001`.
pub fn p_in_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// A share: `61.5 %`.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// How much more or less something is than it was: `−38.5 %`, `+2.0 %`, `0.0 %`.
pub fn change(now: u64, before: u64) -> String {
    if before == 0 {
        return "–".to_owned();
    }
    let percent = 100.0 * (now as f64 - before as f64) / before as f64;
    match format!("{:.1}", percent.abs()).as_str() {
        "0.0" => "0.0 %".to_owned(),
        text if percent < 0.0 => format!("−{text} %"),
        text => format!("+{text} %"),
    }
}

/// Seconds for a person.
pub fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
}

/// `1 query`, `2 queries`.
pub fn queries(number: usize) -> String {
    let noun = if number == 1 { "query" } else { "queries" };
    format!("{} {noun}", count(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(u64::MAX), "16777216.0 TiB");
        assert_eq!(count(1234567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!((queries(1), queries(1200)), ("1 query".to_owned(), "1,200 queries".to_owned()));
    }

    #[test]
    fn a_difference_has_its_sign_unless_it_is_nothing() {
        assert_eq!(difference(0.0412), "+0.041");
        assert_eq!(difference(-0.0066), "−0.007");
        assert_eq!(difference(-0.0001), "0.000");
        assert_eq!((change(61, 100), change(102, 100), change(5, 0)), ("−39.0 %".into(), "+2.0 %".into(), "–".into()));
    }

    #[test]
    fn no_p_value_is_nothing() {
        assert_eq!((p_value(0.00002), p_value(0.0314)), ("< 0.001".to_owned(), "0.031".to_owned()));
    }
}
