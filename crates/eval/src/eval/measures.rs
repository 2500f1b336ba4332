//! Retrieval measures, equal to those of `trec_eval`.
//!
//! What `trec_eval` does in the odd cases is done here too. A document without a judgement, or with a
//! negative grade, is not relevant, and `bpref` reads over it. A ranking shorter than the cut-off is filled up with
//! documents that are not relevant. A query without a relevant document scores 0 and counts. Grade 1 is the
//! lowest that is relevant; nDCG takes the grade itself as the gain (Järvelin & Kekäläinen 2002, with the
//! discount log₂(rank + 1)); bpref is that of Buckley & Voorhees 2004.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use unhusk_index::search::run::Ranked;

/// A measure of one ranking. Cut-offs are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Measure {
    /// Share of relevant documents among the first k.
    Precision(usize),
    /// Mean over the relevant documents of the precision where each is found (`map`).
    MeanAveragePrecision,
    /// One over the rank of the first relevant document (`recip_rank`).
    ReciprocalRank,
    /// Discounted gain of the first k over the best there could be (`ndcg_cut`).
    Ndcg(usize),
    /// Share of the relevant documents that are among the first k.
    Recall(usize),
    /// How rarely judged documents that are not relevant come before relevant ones.
    Bpref,
    /// Whether one of the first k is relevant.
    Success(usize),
}

/// A text that names no measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no measure is called `{name}`; expected P@k, MAP, MRR, nDCG@k, recall@k, success@k or bpref, where k is a whole number above 0"
)]
pub struct UnknownMeasure {
    /// The text.
    pub name: String,
}

impl Measure {
    /// The measures a comparison reports unless told otherwise.
    pub const STANDARD: [Self; 8] = [
        Self::Precision(1),
        Self::Precision(5),
        Self::Precision(10),
        Self::MeanAveragePrecision,
        Self::ReciprocalRank,
        Self::Ndcg(10),
        Self::Recall(100),
        Self::Bpref,
    ];
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    /// Upper and lower case are the same; `AP` is `MAP`, `RR` is `MRR`, `R@k` is `recall@k`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        let cut = lower.split_once('@').map(|(name, k)| (name, k.parse().unwrap_or(0)));
        match (lower.as_str(), cut) {
            ("map" | "ap", _) => Ok(Self::MeanAveragePrecision),
            ("mrr" | "rr", _) => Ok(Self::ReciprocalRank),
            ("bpref", _) => Ok(Self::Bpref),
            (_, Some(("p", k @ 1..))) => Ok(Self::Precision(k)),
            (_, Some(("ndcg", k @ 1..))) => Ok(Self::Ndcg(k)),
            (_, Some(("recall" | "r", k @ 1..))) => Ok(Self::Recall(k)),
            (_, Some(("success", k @ 1..))) => Ok(Self::Success(k)),
            _ => Err(UnknownMeasure { name: text.to_owned() }),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precision(k) => write!(f, "P@{k}"),
            Self::MeanAveragePrecision => f.write_str("MAP"),
            Self::ReciprocalRank => f.write_str("MRR"),
            Self::Ndcg(k) => write!(f, "nDCG@{k}"),
            Self::Recall(k) => write!(f, "recall@{k}"),
            Self::Bpref => f.write_str("bpref"),
            Self::Success(k) => write!(f, "success@{k}"),
        }
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.to_string()
    }
}

impl TryFrom<String> for Measure {
    type Error = UnknownMeasure;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// One ranking beside its judgements.
pub(super) struct Judged {
    /// The grade at each rank; `None` where there is no judgement.
    found: Vec<Option<u32>>,
    /// The grades of all relevant documents, highest first.
    relevant: Vec<u32>,
    /// How many documents are judged and not relevant.
    not_relevant: usize,
}

impl Judged {
    pub(super) fn new(ranking: &[Ranked], grades: &HashMap<String, i32>) -> Self {
        // What is negative is no judgement.
        let grade = |ranked: &Ranked| grades.get(&ranked.doc).and_then(|&g| u32::try_from(g).ok());
        let judged = grades.values().filter_map(|&g| u32::try_from(g).ok());
        let (mut relevant, rest): (Vec<u32>, Vec<u32>) = judged.partition(|&g| g >= 1);
        relevant.sort_unstable_by(|a, b| b.cmp(a));
        Self { found: ranking.iter().map(grade).collect(), relevant, not_relevant: rest.len() }
    }

    pub(super) fn measure(&self, measure: Measure) -> f64 {
        if self.relevant.is_empty() {
            return 0.0;
        }
        let all = self.relevant.len() as f64;
        match measure {
            Measure::Precision(k) => self.hits(k) / k.max(1) as f64,
            Measure::MeanAveragePrecision => self.sum_of_precisions() / all,
            Measure::ReciprocalRank => self.ranks().next().map_or(0.0, |rank| 1.0 / rank),
            Measure::Ndcg(k) => {
                let found = self.found.iter().map(|grade| grade.unwrap_or(0));
                let best = self.relevant.iter().copied();
                // No relevant document among the first 0: nothing over nothing is nothing.
                dcg(found.take(k)) / dcg(best.take(k.max(1)))
            }
            Measure::Recall(k) => self.hits(k) / all,
            Measure::Bpref => self.preferences() / all,
            Measure::Success(k) => self.hits(k).min(1.0),
        }
    }

    /// The ranks, from 1, of the relevant documents found.
    fn ranks(&self) -> impl Iterator<Item = f64> {
        let relevant = |(at, grade): (usize, &Option<u32>)| (*grade >= Some(1)).then_some((at + 1) as f64);
        self.found.iter().enumerate().filter_map(relevant)
    }

    fn hits(&self, k: usize) -> f64 {
        self.ranks().take_while(|&rank| rank <= k as f64).count() as f64
    }

    fn sum_of_precisions(&self) -> f64 {
        self.ranks().enumerate().map(|(before, rank)| (before + 1) as f64 / rank).sum()
    }

    /// The sum over relevant documents of the share of preferences they keep.
    fn preferences(&self) -> f64 {
        let all = self.relevant.len();
        let pairs = self.not_relevant.min(all) as f64;
        let (mut sum, mut above) = (0.0, 0);
        for grade in self.found.iter().flatten() {
            match (grade, above) {
                (0, _) => above += 1,
                (_, 0) => sum += 1.0,
                _ => sum += 1.0 - above.min(all) as f64 / pairs,
            }
        }
        sum
    }
}

fn dcg(grades: impl Iterator<Item = u32>) -> f64 {
    let gain = |(at, grade): (usize, u32)| f64::from(grade) / ((at + 2) as f64).log2();
    grades.enumerate().map(gain).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_read_from_its_name() {
        for (text, measure) in [
            ("P@20", Measure::Precision(20)),
            ("MAP", Measure::MeanAveragePrecision),
            ("AP", Measure::MeanAveragePrecision),
            ("mrr", Measure::ReciprocalRank),
            ("nDCG@10", Measure::Ndcg(10)),
            ("recall@100", Measure::Recall(100)),
            ("R@100", Measure::Recall(100)),
            (" bpref", Measure::Bpref),
            ("Success@5", Measure::Success(5)),
        ] {
            assert_eq!(text.parse(), Ok(measure));
            assert_eq!(measure.to_string().parse(), Ok(measure));
        }
    }

    #[test]
    fn what_names_no_measure_is_an_error() {
        for text in ["", "P", "P@", "P@0", "P@-1", "P@x", "MAP@", "nDCG", "F1@5"] {
            let error = text.parse::<Measure>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("no measure is called `{text}`")));
        }
    }

    #[test]
    fn a_measure_is_its_name_in_json() {
        assert_eq!(serde_json::to_string(&Measure::Ndcg(10)).unwrap(), "\"nDCG@10\"");
        assert_eq!(serde_json::from_str::<Measure>("\"P@5\"").unwrap(), Measure::Precision(5));
    }

    #[test]
    fn a_cut_off_of_nothing_finds_nothing() {
        let grades = HashMap::from([("a".to_owned(), 1)]);
        let judged = Judged::new(&[Ranked { doc: "a".into(), score: 1.0 }], &grades);
        for measure in [Measure::Precision(0), Measure::Ndcg(0), Measure::Recall(0), Measure::Success(0)] {
            assert_eq!(judged.measure(measure), 0.0);
        }
    }
}
