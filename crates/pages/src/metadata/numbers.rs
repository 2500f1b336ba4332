//! Numbers as pages write them: `12.50`, `1.299,00 €`, `$1,299.00`.

use crate::field::Amount;

/// What a text that should be a number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Counted {
    /// A number.
    Read(Amount),
    /// Larger than any number.
    Impossible,
    /// No number, or one that could be two: `1,299`.
    Unread,
}

/// Reads a text that is one number, with a currency or unit around it.
pub(super) fn read(text: &str) -> Counted {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        let is_number = text.bytes().any(|byte| byte.is_ascii_digit());
        return match Amount::new(number) {
            Some(amount) => Counted::Read(amount),
            None if is_number => Counted::Impossible,
            None => Counted::Unread,
        };
    }
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let end = text.rfind(|c: char| c.is_ascii_digit()).map_or(start, |end| end + 1);
    let digits: String =
        text[start.min(end)..end].chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')).collect();
    let is_negative = text[..start].ends_with(['-', '−']);
    let number = plain(&digits).and_then(|plain| plain.parse::<f64>().ok()).and_then(Amount::new);
    let signed = number.and_then(|number| Amount::new(if is_negative { -number.get() } else { number.get() }));
    signed.map_or(Counted::Unread, Counted::Read)
}

/// Digits with a point for the fraction and nothing else; none where it is not sure which sign is for the fraction.
fn plain(digits: &str) -> Option<String> {
    if digits.is_empty() || digits.bytes().any(|byte| !byte.is_ascii_digit() && byte != b'.' && byte != b',') {
        return None;
    }
    let last = digits.rfind(['.', ',']);
    let Some(last) = last else { return Some(digits.to_owned()) };
    let sign = digits.as_bytes()[last] as char;
    let other = if sign == '.' { ',' } else { '.' };
    let (whole, fraction) = (&digits[..last], &digits[last + 1..]);
    let groups = |sign: char| {
        let mut groups = whole.split(sign);
        groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
    };
    match (whole.contains(sign), whole.contains(other)) {
        // 1,299.00
        (false, true) if groups(other) => Some(format!("{}.{fraction}", whole.replace(other, ""))),
        // 1.299.000
        (true, false) if fraction.len() == 3 && groups(sign) => Some(digits.replace(sign, "")),
        // 12,50: what has three digits behind it may be a thousand.
        (false, false) if fraction.len() != 3 || sign == '.' => Some(format!("{whole}.{fraction}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_of_many_countries_are_read() {
        for (text, number) in [
            ("12.50", 12.5),
            ("12,50 €", 12.5),
            ("$1,299.00", 1299.0),
            ("1.299,00 €", 1299.0),
            ("1 299,95 kr", 1299.95),
            ("CHF 1'299.50", 1299.5),
            ("1.299.000 Ft", 1_299_000.0),
            ("-3", -3.0),
            ("4", 4.0),
            ("USD 5", 5.0),
            ("1e3", 1000.0),
        ] {
            assert_eq!(read(text), Counted::Read(Amount::new(number).expect("a number")), "{text}");
        }
    }

    #[test]
    fn what_could_be_two_numbers_is_none_and_what_no_number_is_large_enough_for_is_impossible() {
        for text in ["", "free", "1,299", "10-20", "5 of 7", "inf", "nan", "1,2,3"] {
            assert_eq!(read(text), Counted::Unread, "{text}");
        }
        assert_eq!(read("1e400"), Counted::Impossible);
    }
}
