//! RTDM: clusters by the distance of trees. The rival that `cluster` is measured against, and nothing else.
//!
//! D. de Castro Reis et al. (*Automatic web news extraction using tree edit distance*, WWW 2004) cluster pages by a
//! restricted top-down mapping between their trees: nodes are inserted and removed with all that is below them, so two
//! lists of children are aligned, and only children that stand for each other are looked into. K. Vieira et al. (CIKM 2006) learn
//! templates so from a sample of the pages. Here half of the pages are clustered by average linkage, and each of the others
//! goes to the cluster that it is most like, or stays alone.

use xxhash_rust::xxh3::xxh3_64;

use unhusk_pages::parse::Page;
use unhusk_pages::random::Rng;

/// Pages that are compared in pairs: more take hours.
pub const MOST_PAGES: usize = 2000;

/// Levels below which two subtrees are not looked into: as deep as a thread's stack bears.
const DEPTH: u32 = 400;

/// A page as a tree: elements by their tag, texts by what they say.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The children of all nodes, those of one side by side.
    children: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    label: u64,
    /// The same for equal subtrees.
    class: u64,
    /// Nodes in the subtree.
    size: u32,
    first: u32,
    end: u32,
}

impl Tree {
    /// The tree of a page.
    pub fn new(page: &Page) -> Self {
        let elements = page.elements.len();
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); elements];
        let mut labels: Vec<u64> =
            (0..elements).map(|element| xxh3_64(page.sign(element as u32).tag.as_bytes())).collect();
        // Elements and texts in the order of reading: an element comes before the pieces inside it.
        let mut element = 1;
        let mut enter = |below: &mut Vec<Vec<u32>>, before: u32| {
            while element < elements && page.elements[element].first_piece <= before {
                below[page.elements[element].parent as usize].push(element as u32);
                element += 1;
            }
        };
        let mut last = None;
        for view in page.pieces() {
            enter(&mut below, view.number as u32);
            if last != Some(view.piece.node) {
                below[view.piece.element as usize].push(labels.len() as u32);
                labels.push(0);
                last = Some(view.piece.node);
            }
            if let Some(label) = labels.last_mut() {
                *label = label.rotate_left(7) ^ xxh3_64(view.text.as_bytes());
            }
        }
        enter(&mut below, u32::MAX);
        Tree::with(&labels, below)
    }

    /// Children have higher numbers than their parent, so going backwards meets them first.
    fn with(labels: &[u64], mut below: Vec<Vec<u32>>) -> Self {
        below.resize(labels.len(), Vec::new());
        let mut tree = Tree { nodes: Vec::with_capacity(labels.len()), children: Vec::with_capacity(labels.len()) };
        for (&label, children) in labels.iter().zip(&below) {
            let first = tree.children.len() as u32;
            tree.children.extend(children);
            tree.nodes.push(Node { label, class: 0, size: 1, first, end: tree.children.len() as u32 });
        }
        for node in (0..tree.nodes.len()).rev() {
            let mut hash = tree.nodes[node].label;
            let mut size = 1;
            for &child in tree.children(node as u32) {
                let child = tree.nodes[child as usize];
                hash = (hash.rotate_left(5) ^ child.class).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                size += child.size;
            }
            tree.nodes[node].class = hash ^ u64::from(size);
            tree.nodes[node].size = size;
        }
        tree
    }

    fn children(&self, node: u32) -> &[u32] {
        let node = self.nodes[node as usize];
        &self.children[node.first as usize..node.end as usize]
    }

    /// How alike two pages are, from 0 to 1: the nodes that stay, of all nodes of both.
    pub fn similarity(&self, other: &Tree) -> f64 {
        let (Some(a), Some(b)) = (self.nodes.first(), other.nodes.first()) else { return 0.0 };
        let distance = u64::from(a.label != b.label) + mapped(self, 0, other, 0, DEPTH);
        1.0 - distance as f64 / (u64::from(a.size) + u64::from(b.size)) as f64
    }
}

/// What it takes to turn the children of one node into those of another.
fn mapped(left: &Tree, one: u32, right: &Tree, other: u32, depth: u32) -> u64 {
    let (mut a, mut b) = (left.children(one), right.children(other));
    let same = |x: u32, y: u32| left.nodes[x as usize].class == right.nodes[y as usize].class;
    while let (Some((&x, rest)), Some((&y, more))) = (a.split_first(), b.split_first())
        && same(x, y)
    {
        (a, b) = (rest, more);
    }
    while let (Some((&x, rest)), Some((&y, more))) = (a.split_last(), b.split_last())
        && same(x, y)
    {
        (a, b) = (rest, more);
    }
    let size = |tree: &Tree, node: u32| u64::from(tree.nodes[node as usize].size);
    let mut row: Vec<u64> = std::iter::once(0)
        .chain(b.iter().scan(0, |sum, &y| {
            *sum += size(right, y);
            Some(*sum)
        }))
        .collect();
    for &x in a {
        let mut diagonal = row[0];
        row[0] += size(left, x);
        for (at, &y) in b.iter().enumerate() {
            let replaced = diagonal + if same(x, y) { 0 } else { replaced(left, x, right, y, depth) };
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at + 1] + size(left, x)).min(row[at] + size(right, y));
        }
    }
    row.last().copied().unwrap_or(0)
}

/// What it takes to turn one subtree into another that differs.
fn replaced(left: &Tree, one: u32, right: &Tree, other: u32, depth: u32) -> u64 {
    let (a, b) = (left.nodes[one as usize], right.nodes[other as usize]);
    let root = u64::from(a.label != b.label);
    if depth == 0 {
        return u64::from(a.size) + u64::from(b.size);
    }
    if a.size == 1 || b.size == 1 {
        return root + u64::from(a.size.max(b.size) - 1);
    }
    root + mapped(left, one, right, other, depth - 1)
}

/// Clusters pages by their trees: which cluster each is in.
pub fn cluster(trees: &[Tree], similar: f64, seed: u64) -> Vec<u32> {
    let mut order: Vec<usize> = (0..trees.len()).collect();
    Rng::new(seed).shuffle(&mut order);
    let (sample, rest) = order.split_at(trees.len().div_ceil(2));
    let clusters = average_linkage(trees, sample, similar);
    let mut of = vec![0; trees.len()];
    for (number, members) in clusters.iter().enumerate() {
        members.iter().for_each(|&page| of[page] = number as u32);
    }
    let mut next = clusters.len() as u32;
    for &page in rest {
        let likeness = |members: &Vec<usize>| {
            members.iter().map(|&member| trees[page].similarity(&trees[member])).sum::<f64>() / members.len() as f64
        };
        let best = (0..).zip(clusters.iter().map(likeness)).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        of[page] = match best {
            Some((cluster, likeness)) if likeness >= similar => cluster,
            _ => {
                next += 1;
                next - 1
            }
        };
    }
    of
}

/// Merges the two clusters whose pages are most alike on average, as long as they are alike enough.
fn average_linkage(trees: &[Tree], pages: &[usize], similar: f64) -> Vec<Vec<usize>> {
    let number = pages.len();
    let mut likeness = vec![0.0; number * number];
    for one in 0..number {
        for other in 0..one {
            let similarity = trees[pages[one]].similarity(&trees[pages[other]]);
            likeness[one * number + other] = similarity;
            likeness[other * number + one] = similarity;
        }
    }
    let mut clusters: Vec<Vec<usize>> = pages.iter().map(|&page| vec![page]).collect();
    loop {
        let live: Vec<usize> = (0..number).filter(|&cluster| !clusters[cluster].is_empty()).collect();
        let pairs =
            live.iter().flat_map(|&one| live.iter().take_while(move |&&other| other < one).map(move |&o| (one, o)));
        let best = pairs.max_by(|&(a, b), &(c, d)| likeness[a * number + b].total_cmp(&likeness[c * number + d]));
        let Some((one, other)) = best.filter(|&(one, other)| likeness[one * number + other] >= similar) else { break };
        let (ours, theirs) = (clusters[one].len() as f64, clusters[other].len() as f64);
        for &third in live.iter().filter(|&&third| third != one && third != other) {
            let (a, b) = (likeness[one * number + third], likeness[other * number + third]);
            let mean = (ours * a + theirs * b) / (ours + theirs);
            likeness[one * number + third] = mean;
            likeness[third * number + one] = mean;
        }
        let moved = std::mem::take(&mut clusters[other]);
        clusters[one].extend(moved);
    }
    clusters.retain(|members| !members.is_empty());
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;
    use unhusk_pages::parse::parse_html;

    fn tree(html: &str) -> Tree {
        Tree::new(&parse_html(html))
    }

    #[test]
    fn a_page_is_like_itself_and_a_changed_text_is_one_node() {
        // html, head, body, p, b, text, text.
        let page = tree("<p><b>Tides</b>now</p>");
        assert_eq!(page.similarity(&page), 1.0);
        assert_eq!(page.similarity(&tree("<p><b>Tides</b>later</p>")), 1.0 - 1.0 / 14.0);
    }

    #[test]
    fn what_is_inserted_counts_with_all_below_it() {
        // html, head, body, p, text; and div, ul, li, text.
        let (small, large) = (tree("<p>Tides</p>"), tree("<div><ul><li>Home</ul></div><p>Tides</p>"));
        assert_eq!(small.similarity(&large), 1.0 - 4.0 / 14.0);
        assert_eq!(large.similarity(&small), 1.0 - 4.0 / 14.0);
    }

    #[test]
    fn pages_of_two_layouts_are_told_apart_and_an_odd_one_stays_alone() {
        let lists = (0..6).map(|n| tree(&format!("<ul><li>a<li>b<li>c<li>{n}</ul>")));
        let tables = (0..6).map(|n| tree(&format!("<table><tr><td>x<td>y<td>z<td>{n}</table>")));
        let trees: Vec<Tree> = lists.chain(tables).chain([tree("<h1><i><b><s><u>odd")]).collect();
        let of = cluster(&trees, 0.8, 1);
        assert!(of[..6].iter().all(|&cluster| cluster == of[0]), "{of:?}");
        assert!(of[6..12].iter().all(|&cluster| cluster == of[6]), "{of:?}");
        assert!(of[0] != of[6] && of[12] != of[0] && of[12] != of[6], "{of:?}");
    }

    #[test]
    fn a_page_deeper_than_the_stack_is_compared_all_the_same() {
        let deep = |n: usize| tree(&("<div><i>".repeat(20_000) + &n.to_string()));
        assert!(deep(1).similarity(&deep(2)) < 1.0);
    }
}
