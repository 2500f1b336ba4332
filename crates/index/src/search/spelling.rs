//! Words that look like a word no page has.

use std::ops::ControlFlow;

use tantivy::Term;
use tantivy::collector::TopDocs;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use super::Engine;
use crate::index::{IndexError, for_each_term};

/// Terms that are looked at, at most: a bound on the time, whatever the size of the dictionary.
const LOOKED_AT: usize = 2_000_000;

impl Engine {
    /// The word of the index that is most like `word`, as a page writes it; none where nothing is near.
    pub fn like(&self, word: &str) -> Result<Option<String>, IndexError> {
        let Some((_, term)) = self.words.terms(word).pop() else { return Ok(None) };
        match self.nearest_term(&term)? {
            Some(near) => self.as_written(&near),
            None => Ok(None),
        }
    }

    fn nearest_term(&self, term: &str) -> Result<Option<String>, IndexError> {
        let wanted: Vec<char> = term.chars().collect();
        let allowed = match wanted.len() {
            0..=3 => return Ok(None),
            4..=6 => 1,
            _ => 2,
        };
        // Nearest first, and of those equally near the most common.
        let mut best: Option<(usize, std::cmp::Reverse<u32>, String)> = None;
        let mut left = LOOKED_AT;
        for_each_term(&self.searcher, self.fields.body, |other, documents| {
            left -= 1;
            if let Ok(other) = std::str::from_utf8(other)
                && other.len().abs_diff(term.len()) <= allowed * 4
                && let Some(distance) = distance(&wanted, other, allowed)
            {
                let found = (distance, std::cmp::Reverse(documents), other.to_owned());
                if best.as_ref().is_none_or(|best| found < *best) {
                    best = Some(found);
                }
            }
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(best.map(|(_, _, term)| term))
    }

    /// A word that has this term, from the first page that has it; the term itself where the text is not stored.
    fn as_written(&self, term: &str) -> Result<Option<String>, IndexError> {
        let query = TermQuery::new(Term::from_field_text(self.fields.body, term), IndexRecordOption::Basic);
        let found = self.searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
        let Some((_, address)) = found.first() else { return Ok(None) };
        let body = self.read_stored(*address)?.body.unwrap_or_default();
        let written = self.words.terms(&body).into_iter().find(|(_, other)| other == term);
        Ok(Some(written.map_or_else(|| term.to_owned(), |(at, _)| body[at.start..at.end].to_lowercase())))
    }
}

/// Letters to change, add or leave out to get from one word to the other; none where it is more than allowed.
fn distance(word: &[char], other: &str, allowed: usize) -> Option<usize> {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (at, letter) in other.chars().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (n, &mine) in word.iter().enumerate() {
            let change = corner + usize::from(mine != letter);
            corner = row[n + 1];
            row[n + 1] = change.min(corner + 1).min(row[n] + 1);
        }
        if row.iter().all(|&cost| cost > allowed) {
            return None;
        }
    }
    row.last().copied().filter(|&cost| cost <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str, allowed: usize) -> Option<usize> {
        distance(&a.chars().collect::<Vec<_>>(), b, allowed)
    }

    #[test]
    fn the_distance_counts_letters_up_to_what_is_allowed() {
        assert_eq!(between("lifeboat", "lifeboat", 2), Some(0));
        assert_eq!(between("lifebaot", "lifeboat", 2), Some(2));
        assert_eq!(between("lifebot", "lifeboat", 2), Some(1));
        assert_eq!(between("lifeboat", "lighthouse", 2), None);
        assert_eq!(between("größe", "grösse", 2), Some(2));
    }
}
