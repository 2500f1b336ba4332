//! What changed between two indexes, query by query.

use serde::Serialize;

use super::significance::{bootstrap_interval, randomisation_p};
use super::wilcoxon::{Wilcoxon, wilcoxon};
use super::{Measure, Scores, mean};

/// The difference of two sets of values for the same queries: the second less the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// How many queries there are.
    pub queries: usize,
    /// Queries whose value changed: better and worse together.
    pub changed: usize,
    /// Queries whose value rose.
    pub better: usize,
    /// Queries whose value fell.
    pub worse: usize,
    /// The mean of the first.
    pub first: f64,
    /// The mean of the second.
    pub second: f64,
    /// The mean difference.
    pub mean: f64,
    /// The 95 % bootstrap confidence interval of the mean difference: lower and upper end.
    pub interval: (f64, f64),
    /// Wilcoxon's signed-rank test.
    pub wilcoxon: Wilcoxon,
    /// The two-sided p-value of the paired randomisation test.
    pub randomisation_p: f64,
    /// The mean if each query went to the index that answers it better ("oracle"): what a perfect switch would reach.
    pub oracle: f64,
}

/// Why two sets of values cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// The values are not of the same queries.
    #[error("the two runs were not judged on the same queries; judge both with the same judgements")]
    Queries,
    /// There is nothing to compare.
    #[error("there are no judged queries to compare on")]
    Empty,
    /// The measure is missing.
    #[error("{0} was not measured for both runs; add it to the measures of each")]
    Measure(Measure),
}

impl Difference {
    /// Compares `second` to `first`, value by value. The seed makes the two resampling methods repeatable.
    pub fn between(first: &[f64], second: &[f64], seed: u64) -> Result<Self, DifferenceError> {
        if first.len() != second.len() {
            return Err(DifferenceError::Queries);
        }
        let pairs = || first.iter().zip(second);
        let differences: Vec<f64> = pairs().map(|(a, b)| rounded(b - a)).collect();
        let average = |values: &mut dyn Iterator<Item = f64>| mean(values).ok_or(DifferenceError::Empty);
        let better = differences.iter().filter(|&&d| d > 0.0).count();
        let worse = differences.iter().filter(|&&d| d < 0.0).count();
        Ok(Self {
            queries: differences.len(),
            changed: better + worse,
            better,
            worse,
            first: average(&mut first.iter().copied())?,
            second: average(&mut second.iter().copied())?,
            mean: average(&mut differences.iter().copied())?,
            interval: bootstrap_interval(&differences, seed),
            wilcoxon: wilcoxon(&differences),
            randomisation_p: randomisation_p(&differences, seed),
            oracle: average(&mut pairs().map(|(a, b)| a.max(*b)))?,
        })
    }
}

impl Scores {
    /// Compares `other` to these scores by one measure, over every judged query.
    pub fn difference(&self, other: &Self, measure: Measure, seed: u64) -> Result<Difference, DifferenceError> {
        let queries = |scores: &Self| scores.queries.iter().map(|q| q.query.clone()).collect::<Vec<_>>();
        if queries(self) != queries(other) {
            return Err(DifferenceError::Queries);
        }
        let values = |scores: &Self| -> Result<Vec<f64>, DifferenceError> {
            let values = scores.values(measure).ok_or(DifferenceError::Measure(measure))?;
            Ok(values.collect())
        };
        Difference::between(&values(self)?, &values(other)?, seed)
    }
}

/// Ten decimals: 0.3 − 0.2 and 0.2 − 0.1 are the same change, and a last bit is none.
fn rounded(difference: f64) -> f64 {
    (difference * 1e10).round() / 1e10
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn changes_are_counted_and_averaged() {
        let d = Difference::between(&[0.5, 0.2, 0.0, 1.0], &[0.75, 0.1, 0.0, 1.0], 1).unwrap();
        assert_eq!((d.queries, d.changed, d.better, d.worse), (4, 2, 1, 1));
        assert!((d.mean - 0.0375).abs() < 1e-12 && (d.second - d.first - d.mean).abs() < 1e-9);
        assert!((d.oracle - 1.95 / 4.0).abs() < 1e-12);
        assert!(d.interval.0 <= d.mean && d.mean <= d.interval.1);
        assert_eq!(d.wilcoxon.n, 2);
    }

    #[test]
    fn equal_changes_are_ties_whatever_their_last_bits() {
        let d = Difference::between(&[0.2, 0.1, 0.3], &[0.3, 0.2, 0.1 + 0.2], 1).unwrap();
        assert_eq!((d.changed, d.worse, d.wilcoxon.above), (2, 0, 3.0));
        assert!(!d.wilcoxon.exact);
    }

    #[test]
    fn values_of_other_queries_are_not_compared() {
        assert_eq!(Difference::between(&[0.1], &[], 1), Err(DifferenceError::Queries));
        assert_eq!(Difference::between(&[], &[], 1), Err(DifferenceError::Empty));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn nothing_differs_from_itself(values in prop::collection::vec(0.0..1.0f64, 1..40), seed: u64) {
            let d = Difference::between(&values, &values, seed).unwrap();
            prop_assert_eq!((d.changed, d.better, d.worse), (0, 0, 0));
            prop_assert_eq!((d.wilcoxon.p, d.randomisation_p), (1.0, 1.0));
            prop_assert_eq!((d.mean, d.interval), (0.0, (0.0, 0.0)));
            prop_assert_eq!(d.oracle, d.first);
        }

        #[test]
        fn the_other_way_round_better_is_worse(pairs in prop::collection::vec((0u8..10, 0u8..10), 1..40)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let (there, back) = (Difference::between(&a, &b, 1).unwrap(), Difference::between(&b, &a, 1).unwrap());
            prop_assert_eq!((there.better, there.worse, there.oracle), (back.worse, back.better, back.oracle));
            prop_assert!((there.wilcoxon.p - back.wilcoxon.p).abs() < 1e-12);
            prop_assert_eq!(there.randomisation_p, back.randomisation_p);
        }
    }
}
