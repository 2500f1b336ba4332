//! Repeat-pattern combination: identical consecutive sub-trees become one with a count, identical consecutive sub-forests one in
//! parentheses (section 8.4.1.1).

use xxhash_rust::xxh3::xxh3_64;

use crate::sign::Sign;
use crate::tree::hash;
use crate::wrapper::{Node, PARENTHESES, Wrapper};

/// The longest sub-forest that is looked for.
const LONGEST: usize = 12;

/// A run of a sequence: `length` items, `times` over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Items of the pattern.
    pub length: usize,
    /// How often it occurs.
    pub times: usize,
}

/// Cuts a sequence into runs, from left to right: of the patterns that repeat here the one that covers most, the shortest of equals.
pub fn runs(items: &[u64]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let rest = &items[at..];
        let mut best = Run { length: 1, times: 1 };
        for length in 1..=LONGEST.min(rest.len() / 2) {
            let times = 1 + rest.chunks_exact(length).skip(1).take_while(|next| *next == &rest[..length]).count();
            if times > 1 && times * length > best.times * best.length {
                best = Run { length, times };
            }
        }
        at += best.length * best.times;
        runs.push(best);
    }
    runs
}

/// A wrapper in which what repeats stands once. What every repetition says stays as template text.
pub fn combine(wrapper: &Wrapper) -> Wrapper {
    let mut out = Wrapper::default();
    let tops: Vec<u32> = wrapper.tops().collect();
    let hashes = hashes(wrapper);
    row(wrapper, &hashes, &tops, 0, &mut out);
    out.measure();
    out
}

/// The hash of each sub-tree: tags, signs and labels, not texts.
fn hashes(wrapper: &Wrapper) -> Vec<u64> {
    let mut hashes = vec![0u64; wrapper.nodes.len()];
    let mut bytes = Vec::new();
    for number in (0..wrapper.nodes.len() as u32).rev() {
        let node = &wrapper.nodes[number as usize];
        bytes.clear();
        bytes.extend(node.tag_hash.to_le_bytes());
        bytes.extend(node.sign.to_string().bytes());
        node.labels.iter().for_each(|label| bytes.extend(hash(label).to_le_bytes()));
        for child in wrapper.children(number) {
            bytes.extend(hashes[child as usize].to_le_bytes());
        }
        hashes[number as usize] = xxh3_64(&bytes);
    }
    hashes
}

fn row(wrapper: &Wrapper, hashes: &[u64], siblings: &[u32], depth: u32, out: &mut Wrapper) {
    let items: Vec<u64> = siblings.iter().map(|&node| hashes[node as usize]).collect();
    let mut at = 0;
    for Run { length, times } in runs(&items) {
        let of = |place: usize| (0..times).map(|time| siblings[at + time * length + place]).collect::<Vec<_>>();
        let sign = if times == 1 { Sign::One } else { Sign::Count(times as u32) };
        let depth = if times > 1 && length > 1 {
            out.nodes.push(parentheses(depth, sign));
            depth + 1
        } else {
            depth
        };
        for place in 0..length {
            let own = if length == 1 { sign } else { Sign::One };
            put(wrapper, hashes, &of(place), own, depth, out);
        }
        at += length * times;
    }
}

/// One sub-tree for several that are identical but for their texts.
fn put(wrapper: &Wrapper, hashes: &[u64], same: &[u32], sign: Sign, depth: u32, out: &mut Wrapper) {
    let nodes: Vec<&Node> = same.iter().map(|&node| &wrapper.nodes[node as usize]).collect();
    let Some(&first) = nodes.first() else { return };
    let agree = |other: &&Node| other.mark == first.mark;
    out.nodes.push(Node {
        depth,
        sign: if sign == Sign::One { first.sign } else { sign },
        mark: if nodes.iter().all(agree) { first.mark.clone() } else { String::new() },
        text: first.text.clone().filter(|text| nodes.iter().all(|node| node.text.as_ref() == Some(text))),
        shared: nodes.iter().any(|node| node.shared),
        ..first.clone()
    });
    // Inside, the first stands for all: they are identical. Its texts are template text only where all of them agree.
    let inside: Vec<Vec<u32>> = same.iter().map(|&node| wrapper.children(node).collect()).collect();
    if same.len() == 1 {
        row(wrapper, hashes, &inside[0], depth + 1, out);
        return;
    }
    let mut merged = Wrapper::default();
    common(wrapper, same[0], same, &mut merged);
    let tops: Vec<u32> = merged.children(0).collect();
    let inner = self::hashes(&merged);
    row(&merged, &inner, &tops, depth + 1, out);
}

/// The first of identical sub-trees, with the texts and marks that all of them have.
fn common(wrapper: &Wrapper, first: u32, same: &[u32], out: &mut Wrapper) {
    let range = first..wrapper.nodes[first as usize].end;
    for at in range {
        let mut node = wrapper.nodes[at as usize].clone();
        for &other in same {
            let other = &wrapper.nodes[(other + (at - first)) as usize];
            if other.text != node.text {
                node.text = None;
            }
            if other.mark != node.mark {
                node.mark = String::new();
            }
            node.shared |= other.shared;
        }
        node.depth -= wrapper.nodes[first as usize].depth;
        out.nodes.push(node);
    }
    out.measure();
}

/// A parenthesis node.
pub(crate) fn parentheses(depth: u32, sign: Sign) -> Node {
    Node {
        depth,
        tag: PARENTHESES.to_owned(),
        sign,
        mark: String::new(),
        labels: Vec::new(),
        text: None,
        shared: false,
        end: 0,
        tag_hash: hash(PARENTHESES),
        weight: 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written_out(items: &[u64], runs: &[Run]) -> Vec<u64> {
        let mut at = 0;
        let mut out = Vec::new();
        for run in runs {
            for _ in 0..run.times {
                out.extend(&items[at..at + run.length]);
            }
            at += run.length * run.times;
        }
        out
    }

    proptest! {
        /// Written out again, the runs are the sequence.
        #[test]
        fn nothing_is_lost(items in prop::collection::vec(0u64..3, 0..40)) {
            prop_assert_eq!(written_out(&items, &runs(&items)), items);
        }

        /// Against all ways to repeat a pattern here, tried one by one: no other covers more.
        #[test]
        fn the_first_run_covers_most(items in prop::collection::vec(0u64..3, 2..16)) {
            let first = runs(&items)[0];
            for length in 1..=items.len() / 2 {
                for times in 2..=items.len() / length {
                    let repeats = (1..times).all(|time| items[time * length..(time + 1) * length] == items[..length]);
                    if repeats && length <= LONGEST {
                        let covers = first.length * first.times;
                        prop_assert!(covers > length * times || (covers == length * times && first.length <= length));
                    }
                }
            }
        }
    }
}
