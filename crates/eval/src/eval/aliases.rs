//! Duplicates count as the page that was kept.
//!
//! Where duplicate pages are removed, one is kept and the others are its aliases. Judgements made on the
//! whole collection may name any of them. Fold run and judgements alike before judging, in every arm of a
//! comparison, and a page is found or judged whichever of its names is used.

use std::collections::HashMap;

use super::Qrels;
use unhusk_index::index::Manifest;
use unhusk_index::search::run::{Ranked, Run};

/// For each alias, the page that was kept in its place. A kept page is nobody's alias.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases(HashMap<String, String>);

impl<A: Into<String>, K: Into<String>> FromIterator<(A, K)> for Aliases {
    /// Pairs of alias and kept page.
    fn from_iter<I: IntoIterator<Item = (A, K)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        Self(pairs.map(|(alias, kept)| (alias.into(), kept.into())).collect())
    }
}

impl From<&Manifest> for Aliases {
    /// The duplicates that were left out of an index.
    fn from(manifest: &Manifest) -> Self {
        let copies = manifest.aliases.iter();
        copies.flat_map(|copies| copies.aliases.iter().map(|alias| (alias.clone(), copies.page.clone()))).collect()
    }
}

impl Aliases {
    /// The page that stands for `doc`: itself, unless it is an alias.
    pub fn kept<'a>(&'a self, doc: &'a str) -> &'a str {
        self.0.get(doc).map_or(doc, String::as_str)
    }

    /// The run over kept pages; of a page found under several names the best place counts.
    pub fn fold_run(&self, run: &Run) -> Run {
        let mut folded = Run::new(&run.tag);
        for (query, docs) in run.rankings() {
            let pages =
                docs.iter().map(|ranked| Ranked { doc: self.kept(&ranked.doc).to_owned(), score: ranked.score });
            folded.add(query, pages);
        }
        folded
    }

    /// The judgements over kept pages; of a page judged under several names the highest grade counts.
    pub fn fold_qrels(&self, qrels: &Qrels) -> Qrels {
        let mut folded = Qrels::default();
        for (query, grades) in qrels.queries() {
            for (doc, &grade) in grades {
                folded.add(query, self.kept(doc), grade);
            }
        }
        folded
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::{Measure, evaluate};
    use std::path::Path;

    fn aliases() -> Aliases {
        [("copy", "page"), ("print", "page")].into_iter().collect()
    }

    #[test]
    fn in_a_run_the_first_of_a_pages_names_counts() {
        let text = "1 Q0 copy 1 9 t\n1 Q0 x 2 8 t\n1 Q0 page 3 7 t\n1 Q0 print 4 6 t\n1 Q0 y 5 5 t\n";
        let run = aliases().fold_run(&Run::parse(text, Path::new("r")).unwrap());
        let docs: Vec<(&str, f64)> = run.ranking("1").iter().map(|r| (r.doc.as_str(), r.score)).collect();
        assert_eq!(docs, [("page", 9.0), ("x", 8.0), ("y", 5.0)]);
    }

    #[test]
    fn a_page_is_as_relevant_as_its_best_name() {
        let text = "1 0 page 0\n1 0 copy 2\n1 0 print 1\n2 0 copy 0\n";
        let qrels = aliases().fold_qrels(&Qrels::parse(text, Path::new("q")).unwrap());
        let expected = Qrels::parse("1 0 page 2\n2 0 page 0\n", Path::new("q")).unwrap();
        assert_eq!(qrels, expected);
    }

    #[test]
    fn finding_an_alias_is_finding_the_page() {
        let run = Run::parse("1 Q0 copy 1 9 t\n", Path::new("r")).unwrap();
        let qrels = Qrels::parse("1 0 print 1\n", Path::new("q")).unwrap();
        let before = evaluate(&run, &qrels, &[Measure::MeanAveragePrecision]);
        let after =
            evaluate(&aliases().fold_run(&run), &aliases().fold_qrels(&qrels), &[Measure::MeanAveragePrecision]);
        assert_eq!(before.mean(Measure::MeanAveragePrecision), Some(0.0));
        assert_eq!(after.mean(Measure::MeanAveragePrecision), Some(1.0));
    }
}
