//! The signed-rank test of Wilcoxon (1945): do the differences lie evenly around 0?
//!
//! Differences of 0 are dropped, as Wilcoxon did. Up to 25 differences whose sizes all differ, the p-value
//! is exact: it counts the ways to give signs to the ranks. Otherwise the normal approximation is taken,
//! its variance corrected for ties and without continuity correction. Both equal SciPy's
//! `wilcoxon(d, zero_method="wilcox", correction=False)`, the first with `method="exact"`, the second with
//! `method="asymptotic"`.

use serde::Serialize;

/// Beyond so many differences the normal approximation is good enough.
const EXACT_UP_TO: usize = 25;

/// What the test found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// How many differences are not 0.
    pub n: usize,
    /// The sum of the ranks of the differences above 0.
    pub above: f64,
    /// The sum of the ranks of the differences below 0.
    pub below: f64,
    /// The two-sided p-value; 1 when there is no difference.
    pub p: f64,
    /// Whether p is exact, not approximated.
    pub exact: bool,
}

/// Tests whether differences lie evenly around 0. What is not a number is dropped like a 0.
pub fn wilcoxon(differences: &[f64]) -> Wilcoxon {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| d.abs() > 0.0).collect();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = sorted.len();

    let (mut above, mut below, mut ties, mut ranked) = (0.0, 0.0, 0.0, 0);
    for equal in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        let size = equal.len();
        // Equal sizes share the mean of their ranks.
        let rank = ranked as f64 + (size + 1) as f64 / 2.0;
        let positive = equal.iter().filter(|d| **d > 0.0).count();
        above += rank * positive as f64;
        below += rank * (size - positive) as f64;
        ties += (size as f64).powi(3) - size as f64;
        ranked += size;
    }

    let exact = n <= EXACT_UP_TO && ties == 0.0;
    let p = if exact { exact_p(n, above.min(below) as usize) } else { approximate_p(n as f64, above, ties) };
    Wilcoxon { n, above, below, p, exact }
}

/// Twice the share of the 2ⁿ sign patterns whose smaller rank sum is at most `smaller`.
fn exact_p(n: usize, smaller: usize) -> f64 {
    let total = n * (n + 1) / 2;
    // ways[s]: how many sets of the ranks so far sum to s.
    let mut ways = vec![0u64; total + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=total).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let at_most: u64 = ways[..=smaller].iter().sum();
    (2.0 * at_most as f64 / (1u64 << n) as f64).min(1.0)
}

fn approximate_p(n: f64, above: f64, ties: f64) -> f64 {
    let mean = n * (n + 1.0) / 4.0;
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    let z = (above - mean) / variance.sqrt();
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Case {
        name: String,
        differences: Vec<f64>,
        n: usize,
        above: f64,
        below: f64,
        p: f64,
        exact: bool,
    }

    #[test]
    fn it_equals_scipy() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/wilcoxon/cases.json");
        let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert!(cases.len() > 20);
        for case in cases {
            let found = wilcoxon(&case.differences);
            let same = (found.n, found.exact, found.above, found.below) == (case.n, case.exact, case.above, case.below);
            assert!(same, "{}: {found:?}", case.name);
            assert!((found.p - case.p).abs() <= 1e-10 * case.p, "{}: {found:?}, SciPy {}", case.name, case.p);
        }
    }

    #[test]
    fn no_difference_has_p_1() {
        assert_eq!(wilcoxon(&[]).p, 1.0);
        assert_eq!(wilcoxon(&[0.0, -0.0, f64::NAN]).p, 1.0);
    }

    /// Every way to give signs to the ranks, one after the other.
    fn enumerated_p(differences: &[f64]) -> f64 {
        let n = differences.len();
        let rank = |d: &f64| differences.iter().filter(|other| other.abs() <= d.abs()).count();
        let sum = |positive: &dyn Fn(usize) -> bool| -> usize {
            (0..n).filter(|&i| positive(i)).map(|i| rank(&differences[i])).sum()
        };
        let observed = sum(&|i| differences[i] > 0.0);
        let sums: Vec<usize> = (0..1usize << n).map(|signs| sum(&|i| signs >> i & 1 == 1)).collect();
        let low = sums.iter().filter(|&&s| s <= observed).count();
        let high = sums.iter().filter(|&&s| s >= observed).count();
        (2.0 * low.min(high) as f64 / sums.len() as f64).min(1.0)
    }

    proptest! {
        #[test]
        fn the_exact_p_is_that_of_enumerating_all_signs(
            sizes in prop::collection::btree_set(1u32..1000, 0..=10),
            signs in prop::collection::vec(any::<bool>(), 10),
        ) {
            let differences: Vec<f64> = sizes.iter().zip(signs)
                .map(|(&size, positive)| if positive { f64::from(size) } else { -f64::from(size) })
                .collect();
            let found = wilcoxon(&differences);
            prop_assert!(found.exact);
            prop_assert!((found.p - enumerated_p(&differences)).abs() < 1e-12);
        }

        #[test]
        fn turning_all_signs_changes_nothing_but_the_side(differences in prop::collection::vec(-9i8..=9, 0..60)) {
            let there: Vec<f64> = differences.iter().map(|&d| f64::from(d)).collect();
            let back: Vec<f64> = there.iter().map(|d| -d).collect();
            let (there, back) = (wilcoxon(&there), wilcoxon(&back));
            prop_assert_eq!((there.above, there.below), (back.below, back.above));
            prop_assert!((there.p - back.p).abs() < 1e-12);
        }
    }
}
