//! A page as a tree whose leaves are texts and wanted attributes.
//!
//! Nodes lie in document order, so what is inside a node is a range, and a tree is a handful of allocations.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use unhusk_pages::parse::{Join, Page, Parsed, Sign};
use xxhash_rust::xxh3::xxh3_64;

/// The tag of text nodes.
pub const TEXT: &str = "#text";

/// Which attributes are leaves of trees. Only those that labels were found in are read, so that others do not weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Where links lead.
    pub href: bool,
    /// Where images are.
    pub src: bool,
    /// The times of `time` elements.
    pub datetime: bool,
    /// What `meta` elements say.
    pub content: bool,
}

impl Wanted {
    /// All of them.
    pub const ALL: Wanted = Wanted { href: true, src: true, datetime: true, content: true };

    /// Adds an attribute by its tag in trees.
    pub fn add(&mut self, tag: &str) {
        match tag {
            "@href" => self.href = true,
            "@src" => self.src = true,
            "@datetime" => self.datetime = true,
            "@content" => self.content = true,
            _ => {}
        }
    }

    /// Those that either wants.
    pub fn or(self, other: Wanted) -> Wanted {
        Wanted {
            href: self.href || other.href,
            src: self.src || other.src,
            datetime: self.datetime || other.datetime,
            content: self.content || other.content,
        }
    }

    fn carried(self, name: &str) -> Option<&'static str> {
        match name {
            "src" if self.src => Some("@src"),
            "datetime" if self.datetime => Some("@datetime"),
            "content" if self.content => Some("@content"),
            _ => None,
        }
    }
}

/// A node: an element, a text or an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The node around it; the root is its own parent.
    pub parent: u32,
    /// One past the last node inside it.
    pub end: u32,
    /// What it is called: a place in [`Tree::names`].
    pub name: u32,
    text: (u32, u32),
}

/// What a node is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The tag, `#text`, or the attribute behind an `@`.
    pub tag: String,
    /// Class and id, digits as `0`, as a selector would have them: `#main.wide`. Nothing where it has neither.
    pub mark: String,
    /// The tag's hash.
    pub tag_hash: u64,
    /// The mark's hash.
    pub mark_hash: u64,
}

impl Name {
    fn new(tag: &str, mark: String) -> Self {
        Name { tag: tag.to_owned(), tag_hash: hash(tag), mark_hash: hash(&mark), mark }
    }
}

/// The hash that names and texts are compared by.
pub fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// A page's nodes in document order, the root first.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The page's id.
    pub id: String,
    /// The page's URL.
    pub url: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Their names.
    pub names: Vec<Name>,
    text: String,
}

impl Tree {
    /// The tree of a page that was [parsed with what its elements carry](unhusk_pages::parse::parse_carried).
    pub fn new(parsed: &Parsed, wanted: Wanted) -> Self {
        Builder::new(&parsed.page).build(parsed, wanted)
    }

    /// The node's name.
    pub fn name(&self, node: u32) -> &Name {
        &self.names[self.nodes[node as usize].name as usize]
    }

    /// A leaf's text; nothing for elements.
    pub fn leaf_text(&self, node: u32) -> &str {
        let (start, end) = self.nodes[node as usize].text;
        &self.text[start as usize..end as usize]
    }

    /// The nodes inside a node.
    pub fn inside(&self, node: u32) -> Range<u32> {
        node + 1..self.nodes[node as usize].end
    }

    /// How many nodes a node is, with itself: its weight (definition 7).
    pub fn weight(&self, node: u32) -> u32 {
        self.nodes[node as usize].end - node
    }

    /// The children of a node.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        row(self.inside(node), |child| self.nodes[child as usize].end)
    }

    /// Whether it has nothing inside.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].end == node + 1
    }

    /// Whether it is a text.
    pub fn is_text(&self, node: u32) -> bool {
        self.name(node).tag == TEXT
    }

    /// Whether it is an attribute.
    pub fn is_attribute(&self, node: u32) -> bool {
        self.name(node).tag.starts_with('@')
    }

    /// The nodes around a node, itself first, the root last.
    pub fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = Some(node);
        std::iter::from_fn(move || {
            let current = next?;
            let parent = self.nodes[current as usize].parent;
            next = (parent != current).then_some(parent);
            Some(current)
        })
    }

    /// The tags from the root to a node: `html/body/td/#text`.
    pub fn path(&self, node: u32) -> String {
        let mut tags: Vec<&str> = self.ancestors(node).map(|node| self.name(node).tag.as_str()).collect();
        tags.reverse();
        tags.join("/")
    }

    /// All text inside a node, or a leaf's own, with single spaces between texts.
    pub fn text(&self, node: u32) -> String {
        if self.is_leaf(node) {
            return self.leaf_text(node).to_owned();
        }
        let mut text = String::new();
        for leaf in self.inside(node).filter(|&leaf| self.is_text(leaf)) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.leaf_text(leaf));
        }
        text
    }

    /// Bytes that [`text`](Self::text) would have, about.
    pub fn text_bytes(&self, node: u32) -> usize {
        let texts = (node..self.nodes[node as usize].end).map(|node| self.nodes[node as usize].text);
        texts.map(|(start, end)| (end - start) as usize).sum()
    }

    /// The lowest node around both.
    pub fn common(&self, a: u32, b: u32) -> u32 {
        let (low, high) = (a.min(b), a.max(b));
        self.ancestors(low).find(|&node| high < self.nodes[node as usize].end).unwrap_or(0)
    }
}

struct Builder<'p> {
    page: &'p Page,
    tree: Tree,
    /// Nodes of the page's elements.
    places: Vec<u32>,
    own: HashMap<&'static str, u32>,
}

impl<'p> Builder<'p> {
    fn new(page: &'p Page) -> Self {
        let names: Vec<Name> = page.signs().map(|sign| Name::new(sign.tag, mark(&sign))).collect();
        let tree = Tree { id: page.id.clone(), url: page.url.clone(), names, ..Tree::default() };
        Builder { page, tree, places: Vec::with_capacity(page.elements.len()), own: HashMap::new() }
    }

    fn build(mut self, parsed: &Parsed, wanted: Wanted) -> Tree {
        let page = self.page;
        let mut texts = page.nodes().peekable();
        let mut links = page.links.iter().peekable();
        let mut carried = parsed.carried.iter().peekable();
        for (number, element) in page.elements.iter().enumerate() {
            while let Some(pieces) = texts.next_if(|pieces| pieces.start < element.first_piece as usize) {
                self.text(pieces);
            }
            let parent = if number == 0 { 0 } else { self.places[element.parent as usize] };
            let place = self.push(parent, element.sign, "");
            self.places.push(place);
            if let Some(link) = links.next_if(|link| link.element as usize == number)
                && wanted.href
            {
                self.leaf(place, "@href", page.href(link));
            }
            while let Some(value) = carried.next_if(|value| value.element as usize <= number) {
                if let Some(tag) = wanted.carried(&value.name) {
                    self.leaf(place, tag, &value.value);
                }
            }
            if page.sign(number as u32).tag == "head" && !page.title.is_empty() {
                let title = self.leaf(place, "title", "");
                self.leaf(title, TEXT, &page.title);
            }
        }
        for pieces in texts {
            self.text(pieces);
        }
        self.finish()
    }

    fn push(&mut self, parent: u32, name: u32, text: &str) -> u32 {
        let node = self.tree.nodes.len() as u32;
        let start = self.tree.text.len() as u32;
        self.tree.text.push_str(text);
        let text = (start, self.tree.text.len() as u32);
        self.tree.nodes.push(Node { parent, end: node + 1, name, text });
        node
    }

    fn leaf(&mut self, parent: u32, tag: &'static str, text: &str) -> u32 {
        let names = &mut self.tree.names;
        let name = *self.own.entry(tag).or_insert_with(|| {
            names.push(Name::new(tag, String::new()));
            names.len() as u32 - 1
        });
        self.push(parent, name, text)
    }

    fn text(&mut self, pieces: Range<usize>) {
        let page = self.page;
        let parent = self.places.get(page.records(pieces.clone())[0].element as usize).copied().unwrap_or(0);
        if pieces.len() == 1 {
            self.leaf(parent, TEXT, page.text_of(pieces));
            return;
        }
        let mut text = String::new();
        for piece in pieces.clone() {
            let view = page.piece(piece);
            if piece > pieces.start && view.piece.join != Join::Glued {
                text.push(' ');
            }
            text.push_str(view.text);
        }
        self.leaf(parent, TEXT, &text);
    }

    fn finish(mut self) -> Tree {
        let nodes = &mut self.tree.nodes;
        for node in (1..nodes.len()).rev() {
            let Node { parent, end, .. } = nodes[node];
            let around = &mut nodes[parent as usize];
            around.end = around.end.max(end);
        }
        self.tree
    }
}

/// Class and id as a selector would have them. Numbers count things, and are not part of what a thing is.
fn mark(sign: &Sign<'_>) -> String {
    let mut mark = String::new();
    let mut push = |prefix: char, text: &str| {
        mark.push(prefix);
        let mut digits = false;
        for c in text.chars() {
            let digit = c.is_ascii_digit();
            if !(digit && digits) {
                mark.push(if digit { '0' } else { c });
            }
            digits = digit;
        }
    };
    if !sign.id.is_empty() {
        push('#', sign.id);
    }
    for class in sign.class.split(' ').filter(|class| !class.is_empty()) {
        push('.', class);
    }
    mark
}
/// Neighbours in a tree that lies in one row: each begins where the one before it ends.
pub(crate) fn row(inside: Range<u32>, end: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let mut next = inside.start;
    std::iter::from_fn(move || {
        let child = next;
        if child >= inside.end {
            return None;
        }
        next = end(child);
        Some(child)
    })
}
