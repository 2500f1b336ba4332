//! Alignment against every alignment there is, tried one by one on small trees.

use proptest::prelude::*;

use crate::align::align;
use crate::induce::induce;
use crate::repeat::combine;
use crate::sign::Sign;
use crate::tree::hash;
use crate::wpc::{TreeSide, distance};
use crate::wrapper::{Node, Wrapper};

/// A small tree: tag and children.
#[derive(Clone, Debug)]
struct Small {
    tag: u8,
    inside: Vec<Small>,
}

fn small() -> impl Strategy<Value = Vec<Small>> {
    let leaf = (0u8..3).prop_map(|tag| Small { tag, inside: Vec::new() });
    let node = leaf.prop_recursive(2, 8, 3, |inner| {
        ((0u8..3), prop::collection::vec(inner, 0..3)).prop_map(|(tag, inside)| Small { tag, inside })
    });
    prop::collection::vec(node, 1..4)
}

fn put(forest: &[Small], depth: u32, out: &mut Wrapper) {
    for node in forest {
        let tag = ["a", "b", "c"][node.tag as usize].to_owned();
        let tag_hash = hash(&tag);
        let (mark, labels) = (String::new(), Vec::new());
        out.nodes.push(Node {
            depth,
            tag,
            sign: Sign::One,
            mark,
            labels,
            text: None,
            shared: false,
            end: 0,
            tag_hash,
            weight: 0,
        });
        put(&node.inside, depth + 1, out);
    }
}

fn wrapper(forest: &[Small]) -> Wrapper {
    let mut wrapper = Wrapper::default();
    put(forest, 0, &mut wrapper);
    wrapper.measure();
    wrapper
}

fn weight(forest: &[Small]) -> u32 {
    forest.iter().map(|node| 1 + weight(&node.inside)).sum()
}

/// The least cost, by trying everything: skip the first on either side, or match them.
fn least(a: &[Small], b: &[Small]) -> u32 {
    match (a.split_first(), b.split_first()) {
        (None, _) => weight(b),
        (_, None) => weight(a),
        (Some((x, rest_a)), Some((y, rest_b))) => {
            let own = std::slice::from_ref(x);
            let other = std::slice::from_ref(y);
            let skip = (weight(own) + least(rest_a, b)).min(weight(other) + least(a, rest_b));
            let alike = x.tag == y.tag && x.inside.is_empty() == y.inside.is_empty();
            if alike { skip.min(least(&x.inside, &y.inside) + least(rest_a, rest_b)) } else { skip }
        }
    }
}

proptest! {
    #[test]
    fn two_wrappers_are_aligned_at_the_least_cost(a in small(), b in small()) {
        let (left, right) = (wrapper(&a), wrapper(&b));
        let tops: Vec<u32> = right.tops().collect();
        let found = align(&left, &right, &tops, false);
        prop_assert_eq!(found.wrapper_cost + found.other_cost, least(&a, &b));
        // Each node once, and parents with parents.
        for &(node, other) in &found.pairs {
            prop_assert_eq!(found.pairs.iter().filter(|pair| pair.0 == node || pair.1 == other).count(), 1);
            prop_assert_eq!(left.nodes[node as usize].depth, right.nodes[other as usize].depth);
        }
    }

    #[test]
    fn a_tree_fits_the_wrapper_it_became(a in small()) {
        let tree = wrapper(&a);
        prop_assert_eq!(distance(&combine(&tree), &tree), 0.0);
    }

    #[test]
    fn both_trees_fit_the_wrapper_of_both(a in small(), b in small()) {
        let (left, right) = (wrapper(&a), wrapper(&b));
        let both = induce(&left, &right);
        for tree in [&left, &right] {
            let tops: Vec<u32> = tree.tops().collect();
            let found = align(&both, &TreeSide(tree), &tops, false);
            prop_assert_eq!(found.other_cost, 0, "{:?}", found);
        }
    }

    #[test]
    fn distances_are_shares(a in small(), b in small()) {
        let distance = distance(&combine(&wrapper(&a)), &wrapper(&b));
        prop_assert!((0.0..=1.0).contains(&distance));
    }
}
