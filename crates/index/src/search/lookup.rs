//! A query becomes what Tantivy runs.

use tantivy::Term;
use tantivy::query::{BooleanQuery, BoostQuery, Occur as TantivyOccur, PhraseQuery, Query as TantivyQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use super::excluded::Excluded;
use super::syntax::{Clause, Occur, Query};
use super::{Scope, Searched};
use crate::index::schema::Fields;
use crate::index::words::{Kind, Lexeme, Words};

type Boxed = Box<dyn TantivyQuery>;

pub(super) struct Lookup<'a> {
    pub(super) fields: &'a Fields,
    pub(super) words: &'a Words,
    pub(super) scope: &'a Scope,
    /// Whether any page has words in the field `aside`.
    pub(super) has_aside: bool,
}

impl Lookup<'_> {
    /// The query, or nothing where it has no word.
    pub(super) fn build(&self, query: &Query) -> Option<Boxed> {
        let mut clauses = Vec::new();
        for clause in &query.clauses {
            let parts = self.clause(clause);
            match clause.occur {
                // Words that may match stand side by side: Tantivy then skips what cannot win.
                Occur::May => clauses.extend(parts.into_iter().map(|part| (TantivyOccur::Should, part))),
                _ if parts.is_empty() => {}
                Occur::Must => clauses.push((TantivyOccur::Must, any_of(parts))),
                Occur::MustNot => clauses.push((TantivyOccur::MustNot, Box::new(Excluded(any_of(parts))))),
            }
        }
        (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Boxed)
    }

    fn clause(&self, clause: &Clause) -> Vec<Boxed> {
        let terms = self.words.terms(&clause.text);
        // `+foo-bar` asks for both words, and side by side.
        let together = clause.phrase || clause.occur != Occur::May;
        let units = if together { vec![phrase(&terms)] } else { units(&terms) };
        let fields = clause.field.map_or_else(|| self.fields_of_all(), |field| vec![field]);
        let units = units.iter().filter(|unit| !unit.is_empty());
        units.flat_map(|unit| fields.iter().map(|&field| self.in_field(unit, field))).collect()
    }

    /// The fields of a word that names none. One without words would cost a look-up each time; unless nothing else is asked for,
    /// it is left out.
    fn fields_of_all(&self) -> Vec<Searched> {
        let fields = &self.scope.fields;
        let is_there = |field: &Searched| *field != Searched::Aside || self.has_aside;
        let some: Vec<Searched> = fields.iter().copied().filter(is_there).collect();
        if some.is_empty() { fields.clone() } else { some }
    }

    fn in_field(&self, unit: &[(usize, String)], searched: Searched) -> Boxed {
        let (field, boost) = match searched {
            Searched::Title => (self.fields.title, self.scope.title_boost),
            Searched::Body => (self.fields.body, 1.0),
            Searched::Aside => (self.fields.aside, self.scope.aside_boost),
        };
        let query = terms_in_field(unit, field);
        if boost == 1.0 { query } else { Box::new(BoostQuery::new(query, boost)) }
    }
}

/// A single term, or several with their places relative to each other.
fn terms_in_field(unit: &[(usize, String)], field: Field) -> Boxed {
    let term = |text: &String| Term::from_field_text(field, text);
    match unit {
        [(_, text)] => Box::new(TermQuery::new(term(text), IndexRecordOption::WithFreqs)),
        _ => Box::new(PhraseQuery::new_with_offset(unit.iter().map(|(at, text)| (*at, term(text))).collect())),
    }
}

fn any_of(parts: Vec<Boxed>) -> Boxed {
    Box::new(BooleanQuery::new(parts.into_iter().map(|part| (TantivyOccur::Should, part)).collect()))
}

/// All words, at their places. Whole names stand at the place of their first part and are left to it.
fn phrase(terms: &[(Lexeme, String)]) -> Vec<(usize, String)> {
    let words = terms.iter().filter(|(lexeme, _)| lexeme.kind != Kind::Name);
    words.map(|(lexeme, term)| (lexeme.position, term.clone())).collect()
}

/// Words and names each by itself; neighbouring characters of scripts without spaces in pairs.
fn units(terms: &[(Lexeme, String)]) -> Vec<Vec<(usize, String)>> {
    let is_character = |n: usize| terms.get(n).is_some_and(|(lexeme, _)| lexeme.kind == Kind::Character);
    let adjacent = |n: usize| is_character(n) && is_character(n + 1) && terms[n].0.end == terms[n + 1].0.start;
    let mut units = Vec::new();
    for (n, (_, term)) in terms.iter().enumerate() {
        if adjacent(n) {
            units.push(vec![(0, term.clone()), (1, terms[n + 1].1.clone())]);
        } else if !(n > 0 && adjacent(n - 1)) {
            units.push(vec![(0, term.clone())]);
        }
    }
    units
}
