//! The best documents of a query, all that tie with the last of them included.
//!
//! Tantivy's own collector skips blocks of documents that cannot be among the best. What it skips by was worked out for the lengths
//! of the segment when it was written; with another length pivot it is no bound, and good documents would be lost. So every match is scored here.

use crate::index::schema::Fields;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{DocAddress, DocId, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

/// Matches that are held before those that cannot be among the best are let go.
const ROOM: usize = 4096;

/// Collects the best documents: `limit` of them, and all that score the same as the last one.
pub(super) struct Best {
    pub(super) limit: usize,
}

/// The best of one segment.
pub(super) struct BestOfSegment {
    segment: SegmentOrdinal,
    held: Held<DocId>,
}

impl Collector for Best {
    type Fruit = Vec<(Score, DocAddress)>;
    type Child = BestOfSegment;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<BestOfSegment> {
        Ok(BestOfSegment { segment, held: Held::new(self.limit) })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        let mut held = Held::new(self.limit);
        for (score, document) in fruits.into_iter().flatten() {
            held.add(score, document);
        }
        Ok(held.finish())
    }
}

impl SegmentCollector for BestOfSegment {
    type Fruit = Vec<(Score, DocAddress)>;

    fn collect(&mut self, document: DocId, score: Score) {
        self.held.add(score, document);
    }

    fn harvest(self) -> Self::Fruit {
        let address = |(score, document)| (score, DocAddress::new(self.segment, document));
        self.held.finish().into_iter().map(address).collect()
    }
}

/// Documents that may be among the best.
struct Held<D> {
    limit: usize,
    room: usize,
    least: Score,
    documents: Vec<(Score, D)>,
}

impl<D> Held<D> {
    fn new(limit: usize) -> Self {
        Held { limit, room: ROOM.max(limit.saturating_mul(2)), least: Score::NEG_INFINITY, documents: Vec::new() }
    }

    fn add(&mut self, score: Score, document: D) {
        if score < self.least {
            return;
        }
        self.documents.push((score, document));
        if self.documents.len() >= self.room {
            self.let_go();
            // Where very many tie, none of them can go.
            self.room = self.room.max(2 * self.documents.len());
        }
    }

    /// Lets all go that score less than the last of the best.
    fn let_go(&mut self) {
        if self.documents.len() <= self.limit || self.limit == 0 {
            return;
        }
        let by_score = |a: &(Score, D), b: &(Score, D)| b.0.total_cmp(&a.0);
        let (_, last, _) = self.documents.select_nth_unstable_by(self.limit - 1, by_score);
        self.least = last.0;
        self.documents.retain(|(score, _)| *score >= self.least);
    }

    fn finish(mut self) -> Vec<(Score, D)> {
        self.let_go();
        self.documents
    }
}

/// The statistics of an index in which an average text is so many times as long as it is.
pub(super) struct Pivoted<'s> {
    pub(super) searcher: &'s Searcher,
    pub(super) fields: &'s Fields,
    pub(super) pivot: f32,
}

impl Bm25StatisticsProvider for Pivoted<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Ok((self.searcher.total_num_tokens(field)? as f64 * f64::from(self.pivot)) as u64)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.searcher.total_num_docs()
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let documents = Bm25StatisticsProvider::doc_freq(self.searcher, term)?;
        match term.value().as_str() {
            // How rare a word is does not depend on where it stands: a word of most bodies that few asides have is no rare word.
            Some(word) if term.field() == self.fields.aside => {
                let in_bodies = Term::from_field_text(self.fields.body, word);
                Ok(documents.max(Bm25StatisticsProvider::doc_freq(self.searcher, &in_bodies)?))
            }
            _ => Ok(documents),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_and_all_that_tie_with_the_last_are_held(
            scores in prop::collection::vec(0u8..40, 0..9000), limit in 1usize..60,
        ) {
            let mut held = Held::new(limit);
            for (number, score) in scores.iter().enumerate() {
                held.add(f32::from(*score), number);
            }
            let mut sorted = scores.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let least = sorted.get(limit - 1).copied().unwrap_or(0);
            let mut found: Vec<usize> = held.finish().into_iter().map(|(_, number)| number).collect();
            found.sort_unstable();
            let expected: Vec<usize> = (0..scores.len()).filter(|&n| scores[n] >= least).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
