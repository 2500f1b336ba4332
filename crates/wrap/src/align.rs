//! Cost-driven tree alignment (sections 8.4.1.2 and 8.4.2.2): a wrapper with a wrapper, or a wrapper with a page.
//!
//! Forests are aligned layer by layer from the top; only nodes whose parents are aligned are looked at. A node that nothing is aligned
//! with costs its weight. Among alignments of one cost the one wins whose class names and template texts agree more.

use std::collections::HashMap;

use crate::tree::Tree;
use crate::wrapper::{PARENTHESES, Wrapper};

/// Cells of tables that one alignment may fill; beyond, siblings are matched in order without looking for the best way.
pub const MOST_CELLS: u64 = 20_000_000;

/// Cost above, what breaks ties below.
type Cost = u64;
const UNIT: Cost = 1 << 32;
const NEVER: Cost = u64::MAX / 4;

/// What a wrapper is aligned with.
pub trait Other {
    /// The children of a node.
    fn row(&self, node: u32) -> Vec<u32>;
    /// What a node costs that nothing is aligned with.
    fn weight(&self, node: u32) -> u32;
    /// Whether the wrapper's node may be aligned with this node, and how badly what is no tag agrees.
    fn match_with(&self, wrapper: &Wrapper, node: u32, own: u32) -> Option<u32>;
    /// Whether a node is a parenthesis.
    fn is_parentheses(&self, node: u32) -> bool;
    /// Whether nodes of the wrapper take several neighbours.
    const REPEATS: bool;
}

/// A page, some of whose nodes are taken and no longer there.
#[derive(Clone, Copy)]
pub struct PageSide<'t> {
    /// The page.
    pub tree: &'t Tree,
    /// Nodes that are taken.
    pub taken: &'t [bool],
}

impl Other for PageSide<'_> {
    fn row(&self, node: u32) -> Vec<u32> {
        self.tree.children(node).filter(|&child| !self.is_taken(child)).collect()
    }

    fn weight(&self, node: u32) -> u32 {
        self.tree.weight(node)
    }

    fn match_with(&self, wrapper: &Wrapper, node: u32, own: u32) -> Option<u32> {
        let (of, name) = (&wrapper.nodes[node as usize], self.tree.name(own));
        if of.tag_hash != name.tag_hash || wrapper.is_leaf(node) != self.tree.is_leaf(own) {
            return None;
        }
        // What a place says for certain is part of what it is, like its tag.
        if of.text.as_deref().is_some_and(|text| text != self.tree.leaf_text(own)) {
            return None;
        }
        Some(u32::from(!of.mark.is_empty() && of.mark != name.mark))
    }

    fn is_parentheses(&self, _: u32) -> bool {
        false
    }

    const REPEATS: bool = true;
}

impl PageSide<'_> {
    fn is_taken(&self, node: u32) -> bool {
        self.taken.get(node as usize).copied().unwrap_or(false)
    }
}

impl Other for Wrapper {
    fn row(&self, node: u32) -> Vec<u32> {
        self.children(node).collect()
    }

    fn weight(&self, node: u32) -> u32 {
        self.nodes[node as usize].weight
    }

    fn match_with(&self, wrapper: &Wrapper, node: u32, own: u32) -> Option<u32> {
        let (a, b) = (&wrapper.nodes[node as usize], &self.nodes[own as usize]);
        let (leaf, other_leaf) = (wrapper.is_leaf(node), self.is_leaf(own));
        // A node without a label is unknown rather than another one: people label what they need.
        let labels = a.labels == b.labels || a.labels.is_empty() || b.labels.is_empty();
        let same = a.tag_hash == b.tag_hash && leaf == other_leaf && labels;
        same.then(|| {
            u32::from(a.mark != b.mark) + 2 * u32::from(a.text != b.text) + 8 * u32::from(a.labels != b.labels)
        })
    }

    fn is_parentheses(&self, node: u32) -> bool {
        self.nodes[node as usize].tag == PARENTHESES
    }

    const REPEATS: bool = false;
}

/// What was aligned with what, and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Nodes of the wrapper and of the other side, parents before children. With a page, a node of the wrapper may come several times.
    pub pairs: Vec<(u32, u32)>,
    /// Cost of the wrapper's nodes that are not in a pair.
    pub wrapper_cost: u32,
    /// Cost of the other side's.
    pub other_cost: u32,
    /// Weight of the other side, as far as it was looked at.
    pub other_weight: u32,
    /// One past the last root on the other side that was looked at, where the tail is free.
    pub consumed: usize,
    /// Whether the bound was hit.
    pub bounded: bool,
}

impl Alignment {
    /// The distance Ψ (definition 9).
    pub fn distance(&self, wrapper_weight: u32) -> f64 {
        let share = |cost: u32, weight: u32| {
            if cost == 0 { 0.0 } else { (f64::from(cost) / f64::from(weight.max(1))).min(1.0) }
        };
        (share(self.wrapper_cost, wrapper_weight) + share(self.other_cost, self.other_weight)) / 2.0
    }
}

/// Aligns a wrapper with nodes of the other side. With a free tail, roots behind the last that is matched cost nothing.
pub fn align<O: Other>(wrapper: &Wrapper, other: &O, roots: &[u32], free_tail: bool) -> Alignment {
    let mut aligner =
        Aligner { wrapper, other, known: HashMap::new(), cells: 0, bounded: false, out: Alignment::default() };
    let tops: Vec<u32> = wrapper.tops().collect();
    let consumed = aligner.trace(&tops, roots, free_tail);
    let mut out = aligner.out;
    out.consumed = consumed;
    out.other_weight = roots[..consumed].iter().map(|&root| other.weight(root)).sum();
    out.bounded = aligner.bounded;
    out
}

struct Aligner<'a, O> {
    wrapper: &'a Wrapper,
    other: &'a O,
    /// Cost of aligning what is inside two nodes.
    known: HashMap<(u32, u32), Cost>,
    cells: u64,
    bounded: bool,
    out: Alignment,
}

/// A step of the best way through two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    SkipOwn,
    SkipOther,
    /// One with one.
    Pair,
    /// One with this many neighbours.
    Run(u32),
    /// What is inside a parenthesis of the wrapper with this many neighbours.
    Open(u32),
    /// This many neighbours with what is inside a parenthesis of the other side.
    OpenOther(u32),
}

impl<O: Other> Aligner<'_, O> {
    fn pair(&mut self, node: u32, own: u32) -> Cost {
        let Some(tie) = self.other.match_with(self.wrapper, node, own) else { return NEVER };
        Cost::from(tie) + self.inside(node, own)
    }

    fn inside(&mut self, node: u32, own: u32) -> Cost {
        if self.wrapper.is_leaf(node) {
            return 0;
        }
        if let Some(&known) = self.known.get(&(node, own)) {
            return known;
        }
        let row: Vec<u32> = self.wrapper.children(node).collect();
        let cost = self.table(&row, &self.other.row(own), false).cost();
        self.known.insert((node, own), cost);
        cost
    }

    fn weight(&self, node: u32) -> Cost {
        Cost::from(self.wrapper.nodes[node as usize].weight) * UNIT
    }

    fn table(&mut self, row: &[u32], others: &[u32], free_tail: bool) -> Table {
        let (rows, columns) = (row.len() + 1, others.len() + 1);
        self.cells += (rows * columns) as u64;
        if self.cells > MOST_CELLS {
            self.bounded = true;
            return Table::in_order(self.wrapper, self.other, row, others, free_tail);
        }
        let mut table = Table { columns, cost: vec![0; rows * columns], steps: vec![Step::SkipOther; rows * columns] };
        for column in (0..columns).rev() {
            let skipped: u32 = others[column..].iter().map(|&other| self.other.weight(other)).sum();
            table.cost[row.len() * columns + column] = if free_tail { 0 } else { Cost::from(skipped) * UNIT };
        }
        for at in (0..row.len()).rev() {
            self.fill(&mut table, row, others, at);
        }
        table
    }

    fn fill(&mut self, table: &mut Table, row: &[u32], others: &[u32], at: usize) {
        let node = row[at];
        let sign = self.wrapper.nodes[node as usize].sign;
        let is_group = self.wrapper.nodes[node as usize].tag == PARENTHESES;
        let repeats = O::REPEATS && sign.repeats();
        let pairs: Vec<Cost> = if is_group && O::REPEATS {
            vec![NEVER; others.len()]
        } else {
            others.iter().map(|&other| self.pair(node, other)).collect()
        };
        for column in (0..=others.len()).rev() {
            let mut best = (self.weight(node) + table.at(at + 1, column), Step::SkipOwn);
            let mut offer = |cost: Cost, step: Step| {
                if cost < best.0 {
                    best = (cost, step);
                }
            };
            if column < others.len() {
                let skip = Cost::from(self.other.weight(others[column])) * UNIT;
                offer(skip + table.at(at, column + 1), Step::SkipOther);
                if pairs[column] < NEVER && !repeats {
                    offer(pairs[column] + table.at(at + 1, column + 1), Step::Pair);
                }
            }
            if repeats && !is_group {
                let short = Cost::from(self.wrapper.weight_once(node)) * UNIT;
                let (mut cost, mut length) = (0, 0);
                while let Some(&pair) = pairs.get(column + length).filter(|&&pair| pair < NEVER) {
                    (cost, length) = (cost + pair, length + 1);
                    let missing = match sign {
                        crate::sign::Sign::Count(n) if length as u32 > n => break,
                        crate::sign::Sign::Count(n) => Cost::from(n - length as u32) * short,
                        _ => 0,
                    };
                    offer(cost + missing + table.at(at + 1, column + length), Step::Run(length as u32));
                    if length >= LONGEST_RUN && sign == crate::sign::Sign::Plus {
                        break;
                    }
                }
            }
            if is_group && column < others.len() {
                let inside: Vec<u32> = self.wrapper.children(node).collect();
                for length in 1..=(2 * inside.len() + 1).min(others.len() - column) {
                    let cost = self.table(&inside, &others[column..column + length], false).cost();
                    // One more time round, where the sign allows it, is tried from behind the first.
                    let again = if repeats { table.group(at, column + length) } else { NEVER };
                    let then = table.at(at + 1, column + length).min(again);
                    offer(cost + then, Step::Open(length as u32));
                }
            }
            if column < others.len() && self.other.is_parentheses(others[column]) && !is_group {
                let inside = self.other.row(others[column]);
                for length in 1..=(2 * inside.len() + 1).min(row.len() - at) {
                    let cost = self.table(&row[at..at + length], &inside, false).cost();
                    offer(cost + table.at(at + length, column + 1), Step::OpenOther(length as u32));
                }
            }
            table.set(at, column, best);
        }
    }

    /// Follows the best way and writes down pairs and costs. Returns how many of the others were looked at.
    fn trace(&mut self, row: &[u32], others: &[u32], free_tail: bool) -> usize {
        let table = self.table(row, others, free_tail);
        let (mut at, mut column, mut last) = (0, 0, 0);
        while at < row.len() {
            match table.step(at, column) {
                Step::SkipOwn => {
                    self.out.wrapper_cost += self.wrapper.nodes[row[at] as usize].weight;
                    at += 1;
                }
                Step::SkipOther => {
                    self.out.other_cost += self.other.weight(others[column]);
                    column += 1;
                }
                Step::Pair => {
                    self.follow(row[at], others[column]);
                    (at, column) = (at + 1, column + 1);
                    last = column;
                }
                Step::Run(length) => {
                    let sign = self.wrapper.nodes[row[at] as usize].sign;
                    if let crate::sign::Sign::Count(n) = sign {
                        self.out.wrapper_cost += n.saturating_sub(length) * self.wrapper.weight_once(row[at]);
                    }
                    for _ in 0..length {
                        self.follow(row[at], others[column]);
                        column += 1;
                    }
                    at += 1;
                    last = column;
                }
                Step::Open(length) => {
                    let inside: Vec<u32> = self.wrapper.children(row[at]).collect();
                    let next = column + length as usize;
                    self.trace(&inside, &others[column..next], false);
                    let again = O::REPEATS
                        && self.wrapper.nodes[row[at] as usize].sign.repeats()
                        && table.group(at, next) < table.at(at + 1, next);
                    column = next;
                    last = column;
                    at += usize::from(!again);
                }
                Step::OpenOther(length) => {
                    let inside = self.other.row(others[column]);
                    self.trace(&row[at..at + length as usize], &inside, false);
                    (at, column) = (at + length as usize, column + 1);
                    last = column;
                }
            }
        }
        if !free_tail {
            self.out.other_cost += others[column..].iter().map(|&other| self.other.weight(other)).sum::<u32>();
            return others.len();
        }
        // What was skipped behind the last match is tail as well.
        self.out.other_cost -= others[last..column].iter().map(|&other| self.other.weight(other)).sum::<u32>();
        last
    }

    fn follow(&mut self, node: u32, own: u32) {
        self.out.pairs.push((node, own));
        if !self.wrapper.is_leaf(node) {
            let row: Vec<u32> = self.wrapper.children(node).collect();
            let others = self.other.row(own);
            self.trace(&row, &others, false);
        }
    }
}

/// Neighbours that one node of a wrapper takes in one go.
const LONGEST_RUN: usize = 100_000;

/// Costs of aligning the rests of two rows, and the best steps.
struct Table {
    columns: usize,
    cost: Vec<Cost>,
    steps: Vec<Step>,
}

impl Table {
    fn cost(&self) -> Cost {
        self.cost[0]
    }

    fn at(&self, row: usize, column: usize) -> Cost {
        self.cost[row * self.columns + column]
    }

    fn step(&self, row: usize, column: usize) -> Step {
        self.steps[row * self.columns + column]
    }

    /// The cost from here where the parenthesis of this row is opened once more.
    fn group(&self, row: usize, column: usize) -> Cost {
        if column < self.columns && matches!(self.step(row, column), Step::Open(_)) {
            self.at(row, column)
        } else {
            NEVER
        }
    }

    fn set(&mut self, row: usize, column: usize, (cost, step): (Cost, Step)) {
        self.cost[row * self.columns + column] = cost;
        self.steps[row * self.columns + column] = step;
    }

    /// Without looking for the best way: each node takes the next that has its tag, and all that follow where it repeats.
    fn in_order<O: Other>(wrapper: &Wrapper, other: &O, row: &[u32], others: &[u32], free_tail: bool) -> Table {
        // The steps are found once, along one way; each row of the table is one column wide where it is not on it.
        let mut way = Vec::new();
        let mut column = 0;
        for &node in row {
            let fits = |at: usize| {
                others.get(at).is_some_and(|&other_node| other.match_with(wrapper, node, other_node).is_some())
            };
            let near = (column..others.len().min(column + 64)).find(|&at| fits(at));
            let Some(found) = near else {
                way.push((column, 0));
                continue;
            };
            let most = if O::REPEATS && wrapper.nodes[node as usize].sign.repeats() { others.len() } else { found + 1 };
            let end = (found..most).find(|&at| !fits(at)).unwrap_or(most);
            way.push((found, (end - found) as u32));
            column = end;
        }
        Table::along(wrapper, other, row, others, &way, free_tail)
    }

    fn along<O: Other>(
        wrapper: &Wrapper,
        other: &O,
        row: &[u32],
        others: &[u32],
        way: &[(usize, u32)],
        free_tail: bool,
    ) -> Table {
        let columns = others.len() + 1;
        // Too large for a full table: rows are folded into steps of the way, which trace follows in the same manner.
        let mut cost = 0;
        let mut steps = HashMap::new();
        let mut column = 0;
        for (at, &(found, length)) in way.iter().enumerate() {
            if length == 0 {
                cost += Cost::from(wrapper.nodes[row[at] as usize].weight) * UNIT;
                steps.insert((at, column), Step::SkipOwn);
                continue;
            }
            while column < found {
                cost += Cost::from(other.weight(others[column])) * UNIT;
                steps.insert((at, column), Step::SkipOther);
                column += 1;
            }
            let repeats = O::REPEATS && wrapper.nodes[row[at] as usize].sign.repeats();
            steps.insert((at, column), if repeats { Step::Run(length) } else { Step::Pair });
            column += length as usize;
        }
        if !free_tail {
            cost += others[column..].iter().map(|&node| Cost::from(other.weight(node)) * UNIT).sum::<Cost>();
        }
        let mut table = Table { columns, cost: vec![cost], steps: Vec::new() };
        let size = (row.len() + 1) * columns;
        // Memory is bounded by the page and the wrapper: a byte-sized step each, and only where the bound was hit.
        table.steps = vec![Step::SkipOwn; size.min(MOST_CELLS as usize * 2)];
        for ((at, column), step) in steps {
            if let Some(place) = table.steps.get_mut(at * columns + column) {
                *place = step;
            }
        }
        table
    }
}
