//! Which pages of a site are built alike.
//!
//! Sites mix layouts: index pages, articles, records. Pages are alike when most of the places that either has are in both. The first page of
//! a layout stands for it, and a page goes to the layout that it is most like.

use super::outline::Outline;
use unhusk_pages::hashed::HashedSet;

/// Of the places that two pages have, the share that both must have.
const ALIKE: f64 = 0.5;
/// Pages that a layout has at least, and the share of the pages looked at. Odd pages go by the whole site.
const FEWEST: usize = 5;
const SMALLEST: f64 = 0.05;

/// The layouts of a site, each by the places of its first page, sorted. None where the site has but one.
#[derive(Default)]
pub(super) struct Layouts {
    places: Vec<Vec<u64>>,
}

impl Layouts {
    /// Looks at pages of a site; for each layout the numbers of its pages.
    pub(super) fn find(outlines: &[&Outline]) -> (Self, Vec<Vec<usize>>) {
        let mut found = Layouts::default();
        let mut pages: Vec<Vec<usize>> = Vec::new();
        for (number, outline) in outlines.iter().enumerate() {
            let places = places(outline);
            match found.most_like(&places) {
                Some(layout) => pages[layout].push(number),
                None => {
                    found.places.push(places);
                    pages.push(vec![number]);
                }
            }
        }
        let enough = FEWEST.max((SMALLEST * outlines.len() as f64).ceil() as usize);
        let (places, pages): (Vec<_>, Vec<_>) =
            found.places.into_iter().zip(pages).filter(|(_, pages)| pages.len() >= enough).unzip();
        if places.len() < 2 { Default::default() } else { (Layouts { places }, pages) }
    }

    /// The layout of a page.
    pub(super) fn of(&self, outline: &Outline) -> Option<usize> {
        if self.places.is_empty() { None } else { self.most_like(&places(outline)) }
    }

    fn most_like(&self, places: &[u64]) -> Option<usize> {
        let alike = self.places.iter().map(|layout| alike(layout, places)).enumerate();
        // Of several the first.
        let best = alike.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.filter(|(_, alike)| *alike >= ALIKE).map(|(layout, _)| layout)
    }
}

/// The places of a page that hold text, sorted.
fn places(outline: &Outline) -> Vec<u64> {
    let with_text = outline.spots.iter().filter(|spot| !spot.texts.is_empty());
    let different: HashedSet = with_text.map(|spot| spot.place).collect();
    let mut places: Vec<u64> = different.into_iter().collect();
    places.sort_unstable();
    places
}

/// Of the numbers that two sorted lists have, the share that is in both.
fn alike(a: &[u64], b: &[u64]) -> f64 {
    let (mut at, mut both) = (0, 0);
    for number in a {
        while b.get(at).is_some_and(|other| other < number) {
            at += 1;
        }
        both += usize::from(b.get(at) == Some(number));
    }
    let all = a.len() + b.len() - both;
    if all == 0 { 1.0 } else { both as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pages_are_as_alike_as_their_sets_of_places(
            a in prop::collection::btree_set(0u64..40, 0..30), b in prop::collection::btree_set(0u64..40, 0..30),
        ) {
            let union = a.union(&b).count();
            let expected = if union == 0 { 1.0 } else { a.intersection(&b).count() as f64 / union as f64 };
            let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert!((alike(&a, &b) - expected).abs() < 1e-12);
        }
    }
}
