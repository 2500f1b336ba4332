//! A page's nodes, in an arena of our own.
//!
//! A tree is needed because HTML repairs itself: misplaced table text moves in front of the table, and
//! unclosed formatting is opened again further down. Nodes are records linked by number; text goes into one
//! buffer, with the place in the source it came from.

use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use memchr::memchr;

use super::{said, tags};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A page's nodes, as the tree builder left them.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) elements: Vec<Tagged>,
    pub(super) runs: Vec<Run>,
    /// All runs' text, white space as in the source.
    pub(super) text: String,
    /// Whether tags were passed over because of a limit.
    pub(super) flattened: bool,
}

/// A node and its place in the tree.
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) previous: u32,
    pub(super) last: u32,
    next: u32,
    pub(super) first: u32,
    pub(super) depth: u32,
    pub(super) kind: Kind,
}

/// What a node is.
pub(super) enum Kind {
    /// The document, a comment, the inside of a `template`: nothing to read.
    Other,
    /// An element, by its place in [`Tree::elements`].
    Element(u32),
    /// A text node: its runs, first and last, linked by [`Run::next`].
    Text { first: u32, last: u32 },
}

/// An element's tag and the attributes that are kept.
pub(super) struct Tagged {
    pub(super) tag: LocalName,
    pub(super) id: Option<StrTendril>,
    pub(super) class: Option<StrTendril>,
    pub(super) href: Option<StrTendril>,
    /// What it shows or says otherwise than by text: `src`, `datetime` or `content`, of which an element has one.
    pub(super) carried: Option<(LocalName, StrTendril)>,
    /// Its text is not shown.
    pub(super) invisible: bool,
    /// Where its tag begins and all its attributes, where it tells something of the page.
    pub(super) said: Option<Box<(u32, Vec<Attribute>)>>,
    html: bool,
}

/// Text of one node on one source line.
pub(super) struct Run {
    /// Place in [`Tree::text`].
    pub(super) text: Range<u32>,
    /// Place in the decoded source.
    pub(super) source: Range<u32>,
    pub(super) next: u32,
}

impl Tree {
    /// A tree of nothing but the document.
    pub(super) fn new() -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(2048),
            elements: Vec::with_capacity(1024),
            runs: Vec::with_capacity(1024),
            text: String::new(),
            flattened: false,
        };
        tree.push(Kind::Other);
        tree
    }

    /// The nodes in the order of the page.
    pub(super) fn walk(&self) -> Walk<'_> {
        Walk { tree: self, open: Vec::new(), next: self.nodes[0].first }
    }

    pub(super) fn push(&mut self, kind: Kind) -> u32 {
        let node = Node { parent: NONE, previous: NONE, next: NONE, first: NONE, last: NONE, depth: 0, kind };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    pub(super) fn node(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(super) fn detach(&mut self, id: u32) {
        let Node { parent, previous, next, .. } = *self.node(id);
        match previous {
            NONE if parent != NONE => self.node(parent).first = next,
            NONE => {}
            _ => self.node(previous).next = next,
        }
        match next {
            NONE if parent != NONE => self.node(parent).last = previous,
            NONE => {}
            _ => self.node(next).previous = previous,
        }
        let node = self.node(id);
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    pub(super) fn append_node(&mut self, parent: u32, child: u32) {
        self.detach(child);
        let last = self.node(parent).last;
        let depth = self.node(parent).depth + 1;
        let node = self.node(child);
        (node.parent, node.previous, node.depth) = (parent, last, depth);
        match last {
            NONE => self.node(parent).first = child,
            _ => self.node(last).next = child,
        }
        self.node(parent).last = child;
    }

    pub(super) fn insert_before(&mut self, sibling: u32, child: u32) {
        self.detach(child);
        let Node { parent, previous, depth, .. } = *self.node(sibling);
        let node = self.node(child);
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, sibling, depth);
        self.node(sibling).previous = child;
        match previous {
            NONE if parent != NONE => self.node(parent).first = child,
            NONE => {}
            _ => self.node(previous).next = child,
        }
    }

    fn is_text(&self, id: u32) -> bool {
        id != NONE && matches!(self.nodes[id as usize].kind, Kind::Text { .. })
    }

    /// Whether nobody reads the text of a node. That of scripts is read where they are data.
    pub(super) fn is_unread(&self, id: u32) -> bool {
        let is_unread = |element: &Tagged| element.invisible && element.said.is_none();
        matches!(self.nodes[id as usize].kind, Kind::Element(element) if is_unread(&self.elements[element as usize]))
    }

    fn new_run(&mut self, text: &str, source: Range<u32>) -> u32 {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.runs.push(Run { text: start..self.text.len() as u32, source, next: NONE });
        self.runs.len() as u32 - 1
    }

    /// Adds to the text node `last` where it is one; otherwise makes a new one, for the caller to put into the tree.
    pub(super) fn add_text(&mut self, last: u32, text: &str, source: Range<u32>) -> Option<u32> {
        let is_source = (source.end - source.start) as usize == text.len();
        let mut at = source.start;
        let (mut node, mut new) = (last, None);
        let mut rest = text;
        while !rest.is_empty() {
            let line;
            (line, rest) = rest.split_at(memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1));
            let place = if is_source { at..at + line.len() as u32 } else { source.clone() };
            at = place.end;
            if self.is_text(node) {
                self.extend_text(node, line, place);
            } else {
                let run = self.new_run(line, place);
                node = self.push(Kind::Text { first: run, last: run });
                new = Some(node);
            }
        }
        new
    }

    /// Adds to a text node. Text of the same source line stays one run: `a&amp;b` is three tokens.
    fn extend_text(&mut self, node: u32, text: &str, source: Range<u32>) {
        let Kind::Text { last, .. } = self.node(node).kind else { return };
        let tail = &self.runs[last as usize];
        let contiguous = last as usize + 1 == self.runs.len() && tail.source.end <= source.start;
        let line_ended = self.text.as_bytes()[tail.text.start as usize..tail.text.end as usize].last() == Some(&b'\n');
        if contiguous && !line_ended {
            self.text.push_str(text);
            let end = self.text.len() as u32;
            let tail = &mut self.runs[last as usize];
            (tail.text.end, tail.source.end) = (end, source.end);
            return;
        }
        let run = self.new_run(text, source);
        self.runs[last as usize].next = run;
        if let Kind::Text { last, .. } = &mut self.node(node).kind {
            *last = run;
        }
    }
}

impl Tagged {
    pub(super) fn new(name: &QualName, attributes: Vec<Attribute>, at: u32) -> Self {
        let html = name.ns == ns!(html);
        let mut element = Tagged {
            tag: name.local.clone(),
            id: None,
            class: None,
            href: None,
            carried: None,
            invisible: tags::is_invisible(&name.local),
            said: None,
            html,
        };
        let mut has_others = false;
        for Attribute { name, value } in &attributes {
            match name.local {
                local_name!("id") => element.id = Some(value.clone()),
                local_name!("class") => element.class = Some(value.clone()),
                local_name!("href") => element.href = Some(value.clone()),
                local_name!("hidden") => element.invisible = true,
                local_name!("src") | local_name!("datetime") | local_name!("content") => {
                    element.carried = Some((name.local.clone(), value.clone()));
                    has_others = true;
                }
                _ => has_others = true,
            }
        }
        if has_others && said::tells(&element.tag, &attributes) {
            element.said = Some(Box::new((at, attributes)));
        }
        element
    }

    /// Nothing in it is the page's, unlike what has the attribute `hidden`.
    pub(super) fn is_passed_by(&self) -> bool {
        self.invisible && tags::is_invisible(&self.tag)
    }

    /// The page's `title`, and not that of a drawing in it.
    pub(super) fn is_title(&self) -> bool {
        self.html && self.tag == local_name!("title")
    }
}

/// A step through a tree.
pub(super) enum Step<'t> {
    /// An element begins; it has this first child. What is in it comes next, unless it is [passed by](Walk::pass_by).
    Enter(&'t Tagged, u32),
    /// The element that was entered last and not left ends.
    Leave,
    /// A text, by its first run.
    Text(u32),
    /// A comment, or the inside of a `template`.
    Other,
}

/// A way through a tree, without recursion: pages may be nested deeper than a stack is long.
pub(super) struct Walk<'t> {
    tree: &'t Tree,
    open: Vec<u32>,
    next: u32,
}

impl Walk<'_> {
    /// Leaves out what is in the element that was just entered, and its end.
    pub(super) fn pass_by(&mut self) {
        if let Some(element) = self.open.pop() {
            self.next = self.tree.nodes[element as usize].next;
        }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Step<'t>;

    fn next(&mut self) -> Option<Step<'t>> {
        let Some(here) = self.tree.nodes.get(self.next as usize) else {
            let parent = self.open.pop()?;
            self.next = self.tree.nodes[parent as usize].next;
            return Some(Step::Leave);
        };
        Some(match here.kind {
            Kind::Element(element) => {
                self.open.push(self.next);
                self.next = here.first;
                Step::Enter(&self.tree.elements[element as usize], here.first)
            }
            Kind::Text { first, .. } => {
                self.next = here.next;
                Step::Text(first)
            }
            Kind::Other => {
                self.next = here.next;
                Step::Other
            }
        })
    }
}
