//! Wrapper induction: two wrappers and their alignment give one that takes what either takes (section 8.4.1.3).

use std::collections::HashMap;

use crate::align::{Alignment, align};
use crate::wrapper::{Node, PARENTHESES, Wrapper};

/// Merges two wrappers: `a + b`.
pub fn induce(a: &Wrapper, b: &Wrapper) -> Wrapper {
    let tops: Vec<u32> = b.tops().collect();
    let Alignment { pairs, .. } = align(a, b, &tops, false);
    let merger = Merger { a, b, partner: pairs.into_iter().collect() };
    let mut out = Wrapper::default();
    merger.rows(&a.tops().collect::<Vec<_>>(), &tops, 0, &mut out);
    out.measure();
    out
}

struct Merger<'w> {
    a: &'w Wrapper,
    b: &'w Wrapper,
    partner: HashMap<u32, u32>,
}

impl Merger<'_> {
    /// Two rows of siblings in one, in the order of both.
    fn rows(&self, left: &[u32], right: &[u32], depth: u32, out: &mut Wrapper) {
        let (left, right) =
            (self.opened(self.a, left, |node| self.partner.contains_key(&node)), self.opened_right(right));
        let mut next = 0;
        for node in left {
            let Some(&other) = self.partner.get(&node).filter(|other| right[next..].contains(other)) else {
                self.alone(self.a, node, depth, out);
                continue;
            };
            while right[next] != other {
                self.alone(self.b, right[next], depth, out);
                next += 1;
            }
            next += 1;
            self.both(node, other, depth, out);
        }
        for &node in &right[next..] {
            self.alone(self.b, node, depth, out);
        }
    }

    fn opened_right(&self, row: &[u32]) -> Vec<u32> {
        let matched: std::collections::HashSet<u32> = self.partner.values().copied().collect();
        self.opened(self.b, row, |node| matched.contains(&node))
    }

    /// A row whose parentheses are opened where what is inside them, and not they themselves, was aligned.
    fn opened(&self, wrapper: &Wrapper, row: &[u32], is_matched: impl Fn(u32) -> bool + Copy) -> Vec<u32> {
        let mut out = Vec::with_capacity(row.len());
        for &node in row {
            let group = wrapper.nodes[node as usize].tag == PARENTHESES && !is_matched(node);
            if group && wrapper.children(node).any(is_matched) {
                let inside: Vec<u32> = wrapper.children(node).collect();
                out.extend(self.opened(wrapper, &inside, is_matched));
            } else {
                out.push(node);
            }
        }
        out
    }

    fn both(&self, node: u32, other: u32, depth: u32, out: &mut Wrapper) {
        let (a, b) = (&self.a.nodes[node as usize], &self.b.nodes[other as usize]);
        out.nodes.push(Node {
            depth,
            sign: a.sign.infer(b.sign),
            mark: if a.mark == b.mark { a.mark.clone() } else { String::new() },
            text: a.text.clone().filter(|text| b.text.as_ref() == Some(text)),
            labels: if a.labels.is_empty() { b.labels.clone() } else { a.labels.clone() },
            shared: a.shared || b.shared,
            ..a.clone()
        });
        let (left, right): (Vec<u32>, Vec<u32>) = (self.a.children(node).collect(), self.b.children(other).collect());
        self.rows(&left, &right, depth + 1, out);
    }

    /// A sub-tree that only one of them has may be missing.
    fn alone(&self, wrapper: &Wrapper, node: u32, depth: u32, out: &mut Wrapper) {
        let top = &wrapper.nodes[node as usize];
        for at in node..top.end {
            let mut copy = wrapper.nodes[at as usize].clone();
            copy.depth = depth + copy.depth - top.depth;
            if at == node {
                copy.sign = copy.sign.unmatched();
            }
            out.nodes.push(copy);
        }
    }
}
