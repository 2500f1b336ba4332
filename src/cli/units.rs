//! Numbers with units, as people write them; how they are printed is the business of [`crate::report::figures`].

pub(super) use crate::report::figures::{bytes, count};

/// Reads a size in bytes: `4096`, `64KiB`, `16MiB`, `1GiB` (and `k`, `M`, `G` for the same).
pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.trim().parse().map_err(|_| format!("'{text}' is no size: write for example 16MiB"))?;
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        unit => return Err(format!("'{unit}' is no unit: use KiB, MiB or GiB")),
    };
    number.checked_shl(shift).filter(|bytes| bytes >> shift == number).ok_or_else(|| format!("'{text}' is too much"))
}

/// Reads a share: `10%` or `0.1`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=whole).contains(&number) => Ok(number / whole),
        _ => Err(format!("'{text}' is no share: write for example 10% or 0.1")),
    }
}

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("give a number from 1 to 1024".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("16MiB"), Ok(16 << 20));
        assert_eq!(size("1 g"), Ok(1 << 30));
        for bad in ["", "MiB", "1.5M", "3 parsecs", "99999999999GiB"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_are_read_as_percent_or_fraction() {
        assert_eq!(share("10%"), Ok(0.1));
        assert_eq!(share("0.25"), Ok(0.25));
        for bad in ["", "%", "101%", "1.5", "-1%", "x"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }
}
