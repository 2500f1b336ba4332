//! Wrappers: trees whose nodes have signs, some of them labelled with attributes (section 8.2.2).
//!
//! Nodes lie in the order of the tree, each with the end of what is inside it. A wrapper is a forest: the head of a broom.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::sign::Sign;
use crate::tree::{Tree, hash, row};

/// The tag of parenthesis nodes.
pub const PARENTHESES: &str = "()";

/// A node of a wrapper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Nodes around it.
    pub depth: u32,
    /// Its tag, as in trees, or `()`.
    pub tag: String,
    /// How often it occurs.
    pub sign: Sign,
    /// Class and id, where all that it was learned of agree.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// The attributes whose value it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The text that is the same wherever it was seen: template text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether other records may share it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// One past the last node inside it.
    #[serde(skip)]
    pub end: u32,
    /// The tag's hash.
    #[serde(skip)]
    pub tag_hash: u64,
    /// What it weighs.
    #[serde(skip)]
    pub weight: u32,
}

/// A forest of nodes with signs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wrapper {
    /// The nodes, in order.
    pub nodes: Vec<Node>,
}

/// Nodes that a wrapper may have; a file with more is not read.
const MOST_NODES: usize = 5_000_000;

impl Wrapper {
    /// Computes what is not in the file. Fails where the depths are none of a forest.
    pub fn complete(mut self) -> Result<Self, String> {
        if self.nodes.len() > MOST_NODES {
            return Err(format!("a wrapper of {} nodes", self.nodes.len()));
        }
        let mut depth = None;
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if node.depth > depth.map_or(0, |depth: u32| depth + 1) {
                return Err(format!(
                    "node {number} of a wrapper is {} deep, and the one before it is not its parent",
                    node.depth
                ));
            }
            depth = Some(node.depth);
            (node.tag_hash, node.end) = (hash(&node.tag), number as u32 + 1);
        }
        self.measure();
        Ok(self)
    }

    /// Sets ends and weights by the depths.
    pub fn measure(&mut self) {
        let mut open: Vec<(u32, u32)> = Vec::new();
        for number in (0..self.nodes.len()).rev() {
            let depth = self.nodes[number].depth;
            let mut end = number as u32 + 1;
            let mut inner = 0u32;
            while let Some(&(child, child_end)) = open.last() {
                if self.nodes[child as usize].depth <= depth {
                    break;
                }
                open.pop();
                end = end.max(child_end);
                inner = inner.saturating_add(self.nodes[child as usize].weight);
            }
            open.push((number as u32, end));
            let node = &mut self.nodes[number];
            node.end = end;
            let once = if node.tag == PARENTHESES { inner } else { inner.saturating_add(1) };
            node.weight = node.sign.weight(once);
        }
    }

    /// What a node weighs where its sign is 1.
    pub fn weight_once(&self, node: u32) -> u32 {
        let own = u32::from(self.nodes[node as usize].tag != PARENTHESES);
        own + self.children(node).map(|child| self.nodes[child as usize].weight).sum::<u32>()
    }

    /// What the whole weighs (definition 11).
    pub fn weight(&self) -> u32 {
        self.tops().map(|top| self.nodes[top as usize].weight).sum()
    }

    /// The roots of the forest.
    pub fn tops(&self) -> impl Iterator<Item = u32> + '_ {
        self.row(0..self.nodes.len() as u32)
    }

    /// The children of a node.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.row(node + 1..self.nodes[node as usize].end)
    }

    fn row(&self, inside: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        row(inside, |child| self.nodes[child as usize].end)
    }

    /// Whether a node has nothing inside.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].end == node + 1
    }

    /// Appends a node of a page as it is.
    pub fn push(&mut self, tree: &Tree, node: u32, depth: u32, labels: Vec<String>) -> usize {
        let name = tree.name(node);
        let text = tree.is_text(node) && labels.is_empty();
        self.nodes.push(Node {
            depth,
            tag: name.tag.clone(),
            sign: Sign::One,
            mark: name.mark.clone(),
            labels,
            text: text.then(|| tree.leaf_text(node).to_owned()),
            shared: false,
            end: 0,
            tag_hash: name.tag_hash,
            weight: 0,
        });
        self.nodes.len() - 1
    }
}
