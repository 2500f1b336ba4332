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
        let mut trees = Trees { nodes: Vec::new(), roots: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            trees.roots.push(trees.nodes.len() as u32);
            let mut words = line.split(' ');
            trees.read_node(&mut words)?;
            if words.next().is_some() {
                return None;
            }
        }
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

    /// How surely a block is content: 0 to 1.
    pub(super) fn judge(&self, features: &Features) -> f32 {
        let sum: f32 = self.roots.iter().map(|&root| self.leaf(root as usize, features)).sum();
        1.0 / (1.0 + (-sum).exp())
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

    #[test]
    fn answers_add_up() {
        let trees = Trees::read("# two trees\nwords:2 -1 link_share:0.5 2 -2\n0.25").unwrap();
        let judge = |words, link_share| {
            let mut features = [0.0; NAMES.len()];
            (features[0], features[1]) = (words, link_share);
            trees.judge(&features)
        };
        let of = |sum: f32| 1.0 / (1.0 + (-sum).exp());
        assert_eq!(judge(2.0, 0.0), of(-0.75));
        assert_eq!(judge(3.0, 0.5), of(2.25));
        assert_eq!(judge(3.0, 0.6), of(-1.75));
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
