//! Boosted trees: many small questions about a block, whose answers add up.
//!
//! They were fitted with `experiments/fit` on blocks whose part on their page is known, and lie beside this file, one tree a line: an inner node is a
//! number's name and a bound, a leaf an amount, and what is at most the bound goes to the first of the two nodes that follow.

use std::sync::LazyLock;

use super::features::{Features, NAMES};

/// The trees that tell content from what stands beside it.
pub(super) static BLOCKS: LazyLock<Trees> =
    LazyLock::new(|| Trees::read(include_str!("blocks.trees")).expect("the trees in the program are sound"));

/// A sum of trees.
pub(super) struct Trees {
    nodes: Vec<Node>,
    /// The root of each tree.
    roots: Vec<u32>,
    /// The least and the most that each tree and those behind it can add up to.
    rest: Vec<(f32, f32)>,
}

enum Node {
    /// What is at most the bound goes on to the next node, the rest to another.
    Inner {
        number: u8,
        bound: f32,
        above: u32,
    },
    Leaf(f32),
}

impl Trees {
    /// Reads trees; none where the text is something else.
    fn read(text: &str) -> Option<Self> {
        let mut trees = Trees { nodes: Vec::new(), roots: Vec::new(), rest: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            trees.roots.push(trees.nodes.len() as u32);
            let mut words = line.split(' ');
            trees.read_node(&mut words)?;
            if words.next().is_some() {
                return None;
            }
        }
        trees.add_up();
        Some(trees)
    }

    fn read_node<'t>(&mut self, words: &mut impl Iterator<Item = &'t str>) -> Option<()> {
        let word = words.next()?;
        let Some((name, bound)) = word.split_once(':') else {
            self.nodes.push(Node::Leaf(word.parse().ok()?));
            return Some(());
        };
        let number = NAMES.iter().position(|known| *known == name)? as u8;
        let at = self.nodes.len();
        self.nodes.push(Node::Leaf(0.0));
        self.read_node(words)?;
        let above = self.nodes.len() as u32;
        self.read_node(words)?;
        self.nodes[at] = Node::Inner { number, bound: bound.parse().ok()?, above };
        Some(())
    }

    /// Puts the trees that say most first, and works out what is left to add behind each.
    fn add_up(&mut self) {
        let ends = self.roots.iter().skip(1).copied().chain([self.nodes.len() as u32]);
        let mut trees: Vec<(f32, f32, u32)> =
            self.roots.iter().zip(ends).map(|(&root, end)| self.range(root, end)).collect();
        trees.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
        self.roots = trees.iter().map(|tree| tree.2).collect();
        let mut rest = (0.0, 0.0);
        for (least, most, _) in trees.into_iter().rev() {
            rest = (rest.0 + least, rest.1 + most);
            self.rest.push(rest);
        }
        self.rest.reverse();
    }

    /// The least and the most that a tree may say, with its root.
    fn range(&self, root: u32, end: u32) -> (f32, f32, u32) {
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for node in &self.nodes[root as usize..end as usize] {
            if let Node::Leaf(amount) = node {
                (least, most) = (least.min(*amount), most.max(*amount));
            }
        }
        (least, most, root)
    }

    /// Whether a block is less surely content than this: 0 to 1. Trees that cannot change the answer any more are not asked.
    pub(super) fn is_below(&self, features: &Features, surely: f32) -> bool {
        // Sums are rounded: what is this close is added up.
        const CLOSE: f32 = 1e-3;
        let bound = (surely / (1.0 - surely)).ln();
        let mut sum = 0.0;
        for (&root, (least, most)) in self.roots.iter().zip(&self.rest) {
            if sum + most < bound - CLOSE {
                return true;
            }
            if sum + least > bound + CLOSE {
                return false;
            }
            sum += self.leaf(root as usize, features);
        }
        sum < bound
    }

    fn leaf(&self, mut at: usize, features: &Features) -> f32 {
        loop {
            match self.nodes[at] {
                Node::Leaf(amount) => return amount,
                Node::Inner { number, bound, above } => {
                    at = if features[usize::from(number)] <= bound { at + 1 } else { above as usize };
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn answers_add_up() {
        let trees = Trees::read("# two trees\nwords:2 -1 link_share:0.5 2 -2\n0.25").unwrap();
        let is_below = |words, link_share, sum: f32| {
            let mut features = [0.0; NAMES.len()];
            (features[0], features[1]) = (words, link_share);
            trees.is_below(&features, 1.0 / (1.0 + (-sum).exp()))
        };
        for (words, link_share, sum) in [(2.0, 0.0, -0.75), (3.0, 0.5, 2.25), (3.0, 0.6, -1.75)] {
            assert!(is_below(words, link_share, sum + 0.01) && !is_below(words, link_share, sum - 0.01));
        }
    }

    proptest! {
        #[test]
        fn trees_that_are_not_asked_would_not_change_the_answer(
            features in prop::collection::vec(-1f32..8.0, NAMES.len()), surely in 0.05f32..0.95,
        ) {
            let features: Features = features.try_into().unwrap();
            let sum: f32 = BLOCKS.roots.iter().map(|&root| BLOCKS.leaf(root as usize, &features)).sum();
            prop_assert_eq!(BLOCKS.is_below(&features, surely), sum < (surely / (1.0 - surely)).ln());
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for text in ["words:2 1", "colour:1 1 2", "words:x 1 2", "words:1 1 2 3", "one"] {
            assert!(Trees::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_trees_in_the_program_are_sound_and_small() {
        assert!(BLOCKS.roots.len() >= 50);
        assert!(include_str!("blocks.trees").len() < 100_000);
    }
}
