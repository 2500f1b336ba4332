//! Signs: how often a node of a wrapper occurs (definition 6, rule 1, and the sign-inference table of section 8.4.1.3).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many nodes of a page a wrapper's node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sign {
    /// One.
    One,
    /// This many, two or more.
    Count(u32),
    /// One or none.
    Optional,
    /// One or more.
    Plus,
    /// Any number.
    Star,
}

impl Sign {
    /// The sign of a node that was aligned with another. The table is symmetric.
    pub fn infer(self, other: Sign) -> Sign {
        use Sign::{Count, One, Optional, Plus, Star};
        match (self, other) {
            (a, b) if a == b => a,
            (Star, _) | (_, Star) => Star,
            (Optional, One) | (One, Optional) => Optional,
            (Optional, _) | (_, Optional) => Star,
            (One | Count(_) | Plus, One | Count(_) | Plus) => Plus,
        }
    }

    /// The sign of a node that nothing was aligned with: I(·, NULL).
    pub fn unmatched(self) -> Sign {
        match self {
            Sign::One | Sign::Optional => Sign::Optional,
            Sign::Count(_) | Sign::Plus | Sign::Star => Sign::Star,
        }
    }

    /// Whether it may stand for nothing.
    pub fn is_optional(self) -> bool {
        matches!(self, Sign::Optional | Sign::Star)
    }

    /// Whether it may stand for several.
    pub fn repeats(self) -> bool {
        !matches!(self, Sign::One | Sign::Optional)
    }

    /// A node's weight, of the weight it has where its sign is 1 (definition 8).
    pub fn weight(self, once: u32) -> u32 {
        match self {
            Sign::One | Sign::Plus => once,
            Sign::Count(n) => once.saturating_mul(n),
            Sign::Optional | Sign::Star => 0,
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sign::One => f.write_str("1"),
            Sign::Count(n) => write!(f, "{n}"),
            Sign::Optional => f.write_str("?"),
            Sign::Plus => f.write_str("+"),
            Sign::Star => f.write_str("*"),
        }
    }
}

impl FromStr for Sign {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "1" => Sign::One,
            "?" => Sign::Optional,
            "+" => Sign::Plus,
            "*" => Sign::Star,
            _ => match text.parse() {
                Ok(n) if n >= 2 => Sign::Count(n),
                _ => return Err(format!("{text:?} is no sign; signs are 1, a number from 2, ?, + and *")),
            },
        })
    }
}

impl TryFrom<String> for Sign {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Sign> for String {
    fn from(sign: Sign) -> String {
        sign.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Sign::{self, Count, One, Optional, Plus, Star};

    /// The table as printed.
    #[test]
    fn signs_are_inferred_as_in_the_table() {
        let table = [
            (Optional, Count(3), Star),
            (Optional, Plus, Star),
            (One, Star, Star),
            (Count(3), Star, Star),
            (Optional, Star, Star),
            (Plus, Star, Star),
            (One, One, One),
            (Count(3), Count(3), Count(3)),
            (One, Count(3), Plus),
            (Plus, Plus, Plus),
            (Count(3), Plus, Plus),
            (Optional, Optional, Optional),
            (One, Plus, Plus),
            (Star, Star, Star),
            (Count(2), Count(3), Plus),
            (One, Optional, Optional),
        ];
        for (a, b, both) in table {
            assert_eq!(a.infer(b), both, "I({a}, {b})");
            assert_eq!(b.infer(a), both, "I({b}, {a})");
        }
        for (sign, alone) in [(One, Optional), (Optional, Optional), (Count(2), Star), (Plus, Star), (Star, Star)] {
            assert_eq!(sign.unmatched(), alone, "I({sign}, NULL)");
        }
    }

    /// What two signs infer takes whatever either took: as sets of counts, by trying.
    #[test]
    fn an_inferred_sign_is_never_narrower() {
        let takes = |sign: Sign, n: u32| match sign {
            One => n == 1,
            Count(count) => n == count,
            Optional => n <= 1,
            Plus => n >= 1,
            Star => true,
        };
        let all = [One, Count(2), Count(3), Optional, Plus, Star];
        for a in all {
            for n in 0..5 {
                assert!(!takes(a, n) || takes(a.unmatched(), n));
                assert!(takes(a.unmatched(), 0));
                for b in all {
                    assert!(!(takes(a, n) || takes(b, n)) || takes(a.infer(b), n), "I({a}, {b}) takes {n}");
                }
            }
        }
    }

    #[test]
    fn a_sign_is_read_as_it_is_written() {
        for sign in [One, Count(7), Optional, Plus, Star] {
            assert_eq!(sign.to_string().parse(), Ok(sign));
        }
        assert!("0".parse::<Sign>().is_err() && "x".parse::<Sign>().is_err());
    }
}
