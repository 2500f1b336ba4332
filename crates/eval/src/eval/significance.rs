//! What resampling says about a mean difference.
//!
//! Neither method assumes that differences follow any distribution, which per-query differences never do:
//! most are 0 and a few are large. The randomisation test is the one that Smucker, Allan & Carterette (*A
//! comparison of statistical significance tests for information retrieval evaluation*, CIKM 2007) recommend.
//! Both take a seed and give the same answer for it for ever.

use unhusk_pages::random::Rng;

/// How often both methods draw.
pub const ROUNDS: usize = 10_000;

/// The paired randomisation test: if the two systems were one, each difference could as well have the other
/// sign. The two-sided p-value is the share of random sign patterns whose mean is at least as far from 0 as
/// the observed one; the observed pattern is counted among them, so p is never 0 (Phipson & Smyth 2010).
pub fn randomisation_p(differences: &[f64], seed: u64) -> f64 {
    // A difference of 0 has no sign to turn.
    let differences: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    let observed = differences.iter().sum::<f64>().abs();
    // Sums that are equal on paper may differ in the last bits.
    let reached = observed - 1e-9 * differences.iter().map(|d| d.abs()).sum::<f64>();
    let mut rng = Rng::new(seed);
    let as_far = (0..ROUNDS).filter(|_| signed_sum(&differences, &mut rng).abs() >= reached).count();
    (as_far + 1) as f64 / (ROUNDS + 1) as f64
}

fn signed_sum(differences: &[f64], rng: &mut Rng) -> f64 {
    let mut sum = 0.0;
    for chunk in differences.chunks(64) {
        let mut signs = rng.bits();
        for difference in chunk {
            sum += if signs & 1 == 1 { *difference } else { -difference };
            signs >>= 1;
        }
    }
    sum
}

/// The 95 % confidence interval of the mean, by the percentile bootstrap (Efron 1979): queries are drawn
/// with replacement, and the middle 95 % of the means so drawn are the interval. 0 and 0 for no values.
pub fn bootstrap_interval(values: &[f64], seed: u64) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mut rng = Rng::new(seed);
    let mut mean = || {
        let drawn = (0..values.len()).map(|_| values[rng.below(values.len())]);
        drawn.sum::<f64>() / values.len() as f64
    };
    let mut means: Vec<f64> = (0..ROUNDS).map(|_| mean()).collect();
    means.sort_unstable_by(f64::total_cmp);
    (quantile(&means, 0.025), quantile(&means, 0.975))
}

/// The value at a share of the way through sorted values, between two of them if need be.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of all sign patterns whose sum is as far from 0 as the observed one.
    fn enumerated_p(differences: &[f64]) -> f64 {
        let observed = differences.iter().sum::<f64>().abs();
        let all = 1usize << differences.len();
        let sum = |signs: usize| -> f64 {
            let signed = differences.iter().enumerate();
            signed.map(|(i, d)| if signs >> i & 1 == 1 { *d } else { -d }).sum()
        };
        (0..all).filter(|&signs| sum(signs).abs() >= observed - 1e-9).count() as f64 / all as f64
    }

    #[test]
    fn randomisation_comes_near_the_share_of_all_sign_patterns() {
        let samples: [&[f64]; 4] = [
            &[0.1, 0.2, -0.05, 0.3, 0.0, 0.12, 0.4, -0.02],
            &[0.1, -0.1, 0.1, -0.1, 0.1],
            &[0.5],
            &[0.3, 0.1, 0.2, 0.25, 0.15, 0.05, 0.35, 0.4, 0.45, 0.5],
        ];
        for differences in samples {
            let (found, expected) = (randomisation_p(differences, 1), enumerated_p(differences));
            assert!((found - expected).abs() < 0.02, "{found} {expected}");
        }
    }

    #[test]
    fn no_difference_has_p_1_and_an_interval_of_nothing() {
        assert_eq!(randomisation_p(&[], 1), 1.0);
        assert_eq!(randomisation_p(&[0.0; 9], 1), 1.0);
        assert_eq!(bootstrap_interval(&[0.0; 9], 1), (0.0, 0.0));
        assert_eq!(bootstrap_interval(&[], 1), (0.0, 0.0));
    }

    #[test]
    fn p_is_never_0() {
        assert_eq!(randomisation_p(&[1.0; 100], 1), 1.0 / 10_001.0);
    }

    #[test]
    fn the_interval_is_that_of_the_normal_law_where_that_holds() {
        // 400 values, mean 0.5, standard deviation 0.5: the mean has a standard error of 0.025.
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let (low, high) = bootstrap_interval(&values, 2);
        assert!((low - 0.451).abs() < 0.004 && (high - 0.549).abs() < 0.004, "{low} {high}");
    }

    #[test]
    fn the_same_seed_gives_the_same_answer_and_another_seed_another() {
        let values: Vec<f64> = (1..50).map(|i| f64::from(i).sin()).collect();
        assert_eq!(bootstrap_interval(&values, 3), bootstrap_interval(&values, 3));
        assert_ne!(bootstrap_interval(&values, 3), bootstrap_interval(&values, 4));
        assert_eq!(randomisation_p(&values, 3), randomisation_p(&values, 3));
    }

    #[test]
    fn a_quantile_lies_between_its_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[1.0], 0.975), 1.0);
    }
}
