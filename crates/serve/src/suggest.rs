//! What to try where nothing was found. Every suggestion finds something.

use std::sync::Arc;

use super::answers::Suggestion;
use super::state::Opened;
use unhusk_index::index::IndexError;
use unhusk_index::search::syntax::{Clause, Occur, Query};
use unhusk_index::search::{Scope, Within};

/// A question without an answer.
pub(super) struct Unanswered<'a> {
    pub(super) text: &'a str,
    pub(super) within: &'a Within,
    pub(super) index: &'a Opened,
    /// The other indexes that are open.
    pub(super) others: &'a [Arc<Opened>],
}

impl Unanswered<'_> {
    pub(super) fn suggestions(&self) -> Result<Vec<Suggestion>, IndexError> {
        let everywhere = Within::default();
        let mut suggestions = Vec::new();
        if !self.within.is_everywhere() {
            self.offer("in the whole site", self.text, self.index, &everywhere, &mut suggestions)?;
        }
        if let Some(spelled) = self.respelled()? {
            self.offer("did you mean", &spelled, self.index, self.within, &mut suggestions)?;
        }
        if let Some(plain) = plain_words(self.text) {
            self.offer("any of the words", &plain, self.index, self.within, &mut suggestions)?;
        }
        for other in self.others.iter().filter(|other| other.name != self.index.name) {
            let why = format!("in the index {}", other.name);
            self.offer(&why, self.text, other, self.within, &mut suggestions)?;
        }
        Ok(suggestions)
    }

    fn offer(
        &self,
        why: &str,
        text: &str,
        index: &Opened,
        within: &Within,
        suggestions: &mut Vec<Suggestion>,
    ) -> Result<(), IndexError> {
        let found = index.engine.search_within(&Query::parse(text), &Scope::default(), within, 1)?;
        if !found.is_empty() {
            suggestions.push(Suggestion {
                why: why.to_owned(),
                query: text.to_owned(),
                index: index.name.clone(),
                host: within.host.clone(),
                dir: within.directory.clone(),
            });
        }
        Ok(())
    }

    /// The query with words that no page has replaced by words that look like them.
    fn respelled(&self) -> Result<Option<String>, IndexError> {
        let engine = &self.index.engine;
        let mut text = self.text.to_owned();
        let mut changed = false;
        for term in engine.text_terms(&Query::parse(self.text)) {
            if engine.text_frequency(&term.term)? > 0 {
                continue;
            }
            if let Some(like) = engine.like(&term.word)? {
                text = text.replace(&term.word, &like);
                changed = true;
            }
        }
        Ok(changed.then_some(text))
    }
}

/// The words that were asked for, without signs, quotes and fields; none where there are none of these.
fn plain_words(text: &str) -> Option<String> {
    let query = Query::parse(text);
    let is_plain = |clause: &Clause| clause.occur == Occur::May && !clause.phrase && clause.field.is_none();
    if query.clauses.iter().all(is_plain) {
        return None;
    }
    let wanted = query.clauses.iter().filter(|clause| clause.occur != Occur::MustNot);
    let words: Vec<&str> = wanted.map(|clause| clause.text.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_quotes_and_fields_are_taken_off() {
        assert_eq!(plain_words("+oyster -recipe title:\"mooring fees\"").as_deref(), Some("oyster mooring fees"));
        assert_eq!(plain_words("oyster recipe"), None);
        assert_eq!(plain_words("-oyster"), None);
    }
}
