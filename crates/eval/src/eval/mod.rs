//! Evaluation: how good a run is, and whether one is better than another.
//!
//! A [`Run`] meets its judgements ([`Qrels`]) and becomes [`Scores`], a value for each query and
//! [`Measure`]; two of these become a [`Difference`]. Measures agree with `trec_eval`; what is told of a
//! difference follows the papers this program repeats: how many queries got better and worse, the mean, and
//! whether chance alone could do it.

mod agreement;
mod aliases;
pub mod clusters;
mod difference;
pub mod discovery;
pub mod lines;
mod measures;
mod qrels;
pub mod rtdm;
mod significance;
#[cfg(test)]
mod tests;
pub mod tokens;
mod wilcoxon;

pub use agreement::Agreement;
pub use aliases::Aliases;
pub use difference::{Difference, DifferenceError};
pub use measures::{Measure, UnknownMeasure};
pub use qrels::{Coverage, Qrels, QrelsError};
pub use significance::{ROUNDS, bootstrap_interval, randomisation_p};
pub use wilcoxon::{Wilcoxon, wilcoxon};

use serde::Serialize;

use unhusk_index::search::run::Run;

/// The values of a run: one for each judged query and measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The measures, in the order asked for.
    pub measures: Vec<Measure>,
    /// Every judged query, in the order of the judgements.
    pub queries: Vec<QueryScores>,
    /// Queries of the run that have no judgement: they are in no average.
    pub unjudged: Vec<String>,
}

/// The values of one query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryScores {
    /// The query's id.
    pub query: String,
    /// Whether the run found anything for it; if not, every value is 0.
    pub answered: bool,
    /// A value for each measure, in the order of [`Scores::measures`].
    pub values: Vec<f64>,
}

/// Judges a run. Fold duplicates into their pages first, where there are any ([`Aliases`]).
pub fn evaluate(run: &Run, qrels: &Qrels, measures: &[Measure]) -> Scores {
    let judge = |(query, grades): (&str, &_)| {
        let ranking = run.ranking(query);
        let judged = measures::Judged::new(ranking, grades);
        QueryScores {
            query: query.to_owned(),
            answered: !ranking.is_empty(),
            values: measures.iter().map(|&measure| judged.measure(measure)).collect(),
        }
    };
    let unjudged = run.rankings().map(|(query, _)| query).filter(|query| !qrels.judges(query));
    Scores {
        measures: measures.to_vec(),
        queries: qrels.queries().map(judge).collect(),
        unjudged: unjudged.map(str::to_owned).collect(),
    }
}

impl Scores {
    /// The mean over every judged query, 0 for one the run does not answer: `trec_eval -c`. This is the one to
    /// compare indexes by, for an index must not gain by finding nothing. `None` if the measure was not asked for.
    pub fn mean(&self, measure: Measure) -> Option<f64> {
        mean(self.values(measure)?)
    }

    /// The mean over the judged queries that the run answers: `trec_eval` without `-c`. `None` if there are none or
    /// the measure was not asked for.
    pub fn mean_of_answered(&self, measure: Measure) -> Option<f64> {
        let answered = self.queries.iter().map(|query| query.answered);
        let values = self.values(measure)?.zip(answered);
        mean(values.filter(|(_, answered)| *answered).map(|(value, _)| value))
    }

    /// The values of all judged queries, in order. `None` if the measure was not asked for.
    pub fn values(&self, measure: Measure) -> Option<impl Iterator<Item = f64> + '_> {
        let at = self.measures.iter().position(|&m| m == measure)?;
        Some(self.queries.iter().map(move |query| query.values[at]))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}
