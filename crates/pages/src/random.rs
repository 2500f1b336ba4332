//! Random numbers that are the same on every machine and in every release.
//!
//! Samples, shuffles and resampling tests end up in reports, and a report must come out again from its
//! seed. So the generator is our own twenty lines, SplitMix64 (Steele, Lea & Flood, *Fast splittable
//! pseudorandom number generators*, OOPSLA 2014), and never changes. It is not fit for secrets.

/// A seeded generator of random numbers; the same seed gives the same numbers for ever.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts from `seed`. Any seed is a good one, 0 included.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` − 1, each equally likely. Below 0 there is nothing: `below(0)` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // Lemire's multiply-and-shift; the few low products that would favour some numbers are thrown again.
        let n = n as u64;
        let rest = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= rest {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        // The upper 53 bits: as many as the fraction of an f64 holds.
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts `items` into a random order, each order equally likely (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut rng = Rng::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| rng.bits()).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn below_reaches_every_number_about_equally_often() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6)] += 1;
        }
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
    }

    #[test]
    fn below_nothing_is_nothing() {
        assert_eq!((Rng::new(1).below(0), Rng::new(1).below(1)), (0, 0));
    }

    #[test]
    fn unit_stays_inside_and_averages_a_half() {
        let mut rng = Rng::new(3);
        let numbers: Vec<f64> = (0..10_000).map(|_| rng.unit()).collect();
        assert!(numbers.iter().all(|u| (0.0..1.0).contains(u)));
        assert!((numbers.iter().sum::<f64>() / 10_000.0 - 0.5).abs() < 0.01);
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_moves_some() {
        let mut items: Vec<u32> = (0..100).collect();
        Rng::new(5).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
