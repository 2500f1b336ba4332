//! html5ever's tree, in an arena of our own.
//!
//! A tree is needed because HTML repairs itself: misplaced table text moves in front of the table, and
//! unclosed formatting is opened again further down. Nodes are records linked by number; text goes into one
//! buffer, with the place in the source it came from.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{Attribute, ExpandedName, LocalName, QualName, local_name, ns};
use memchr::memchr;
use typed_arena::Arena;

use super::Limits;
use super::tags;
use super::tokens::{Receive, is_compared, tokenise};

/// Past the depth limit one start tag in this many is let through, to learn whether the stack has shrunk.
const PROBE_EVERY: u32 = 64;

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
    parent: u32,
    previous: u32,
    last: u32,
    pub(super) next: u32,
    pub(super) first: u32,
    depth: u32,
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
    /// Its text is not shown.
    pub(super) invisible: bool,
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
    /// Runs html5ever over the page.
    pub(super) fn build(html: &str, limits: Limits) -> Tree {
        let names = Arena::new();
        let watcher = Watcher::new(&names, limits);
        tokenise(html, &watcher);
        watcher.finish()
    }

    fn push(&mut self, kind: Kind) -> u32 {
        let node = Node { parent: NONE, previous: NONE, next: NONE, first: NONE, last: NONE, depth: 0, kind };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn node(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    fn detach(&mut self, id: u32) {
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

    fn append_node(&mut self, parent: u32, child: u32) {
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

    fn insert_before(&mut self, sibling: u32, child: u32) {
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

    fn is_invisible(&self, id: u32) -> bool {
        matches!(self.nodes[id as usize].kind, Kind::Element(element) if self.elements[element as usize].invisible)
    }

    fn new_run(&mut self, text: &str, source: Range<u32>) -> u32 {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.runs.push(Run { text: start..self.text.len() as u32, source, next: NONE });
        self.runs.len() as u32 - 1
    }

    /// Adds to the text node `last` where it is one; otherwise makes a new one, for the caller to put into the tree.
    fn add_text(&mut self, last: u32, text: &str, source: Range<u32>) -> Option<u32> {
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

/// A node as html5ever holds it. The name travels along, so that asking for it costs no look-up.
#[derive(Clone, Copy)]
pub(super) struct Handle<'n> {
    id: u32,
    name: &'n QualName,
}

/// Where html5ever puts nodes.
struct Sink<'n> {
    tree: RefCell<Tree>,
    names: &'n Arena<QualName>,
    document_name: &'n QualName,
    /// Where the text being inserted stands in the source.
    source: Cell<(u32, u32)>,
    /// Depth of the innermost open element, as far as it can be seen from here.
    depth: Cell<u32>,
}

impl<'n> Sink<'n> {
    fn new(names: &'n Arena<QualName>) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(2048),
            elements: Vec::with_capacity(1024),
            runs: Vec::with_capacity(1024),
            text: String::new(),
            flattened: false,
        };
        tree.push(Kind::Other);
        let document_name = names.alloc(QualName::new(None, ns!(), local_name!("")));
        Sink { tree: RefCell::new(tree), names, document_name, source: Cell::new((0, 0)), depth: Cell::new(0) }
    }

    fn other(&self) -> Handle<'n> {
        Handle { id: self.tree.borrow_mut().push(Kind::Other), name: self.document_name }
    }
}

impl<'n> TreeSink for Sink<'n> {
    type Handle = Handle<'n>;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle<'n> {
        Handle { id: 0, name: self.document_name }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle<'n>) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Handle<'n> {
        let mut tree = self.tree.borrow_mut();
        tree.elements.push(Tagged::new(&name, attributes));
        let element = tree.elements.len() as u32 - 1;
        let id = tree.push(Kind::Element(element));
        Handle { id, name: self.names.alloc(name) }
    }

    fn create_comment(&self, _: StrTendril) -> Handle<'n> {
        self.other()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle<'n> {
        self.other()
    }

    fn append(&self, parent: &Handle<'n>, child: NodeOrText<Handle<'n>>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => {
                tree.append_node(parent.id, child.id);
                let open = !tags::is_void(&child.name.local);
                self.depth.set(tree.node(parent.id).depth + u32::from(open));
            }
            NodeOrText::AppendText(text) => {
                self.depth.set(tree.node(parent.id).depth);
                if tree.is_invisible(parent.id) {
                    return;
                }
                let (start, end) = self.source.get();
                let last = tree.node(parent.id).last;
                if let Some(node) = tree.add_text(last, &text, start..end) {
                    tree.append_node(parent.id, node);
                }
            }
        }
    }

    fn append_before_sibling(&self, sibling: &Handle<'n>, child: NodeOrText<Handle<'n>>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.insert_before(sibling.id, child.id),
            NodeOrText::AppendText(text) => {
                let (start, end) = self.source.get();
                let previous = tree.node(sibling.id).previous;
                if let Some(node) = tree.add_text(previous, &text, start..end) {
                    tree.insert_before(sibling.id, node);
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle<'n>, previous: &Handle<'n>, child: NodeOrText<Handle<'n>>) {
        let has_parent = self.tree.borrow_mut().node(element.id).parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What is inside a `template` is not part of the page: it goes to a node outside the tree.
    fn get_template_contents(&self, _: &Handle<'n>) -> Handle<'n> {
        self.other()
    }

    fn same_node(&self, x: &Handle<'n>, y: &Handle<'n>) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, _: &Handle<'n>, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle<'n>) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle<'n>, new_parent: &Handle<'n>) {
        let mut tree = self.tree.borrow_mut();
        loop {
            let child = tree.node(node.id).first;
            if child == NONE {
                break;
            }
            tree.append_node(new_parent.id, child);
        }
    }
}

impl Tagged {
    fn new(name: &QualName, attributes: Vec<Attribute>) -> Self {
        let html = name.ns == ns!(html);
        let mut element = Tagged {
            tag: name.local.clone(),
            id: None,
            class: None,
            href: None,
            invisible: tags::is_invisible(&name.local),
            html,
        };
        for Attribute { name, value } in attributes {
            match name.local {
                local_name!("id") => element.id = Some(value),
                local_name!("class") => element.class = Some(value),
                local_name!("href") => element.href = Some(value),
                local_name!("hidden") => element.invisible = true,
                _ => {}
            }
        }
        element
    }

    /// The page's `title`, and not that of a drawing in it.
    pub(super) fn is_title(&self) -> bool {
        self.html && self.tag == local_name!("title")
    }
}

/// Sees every token on its way to the tree builder. It keeps hostile pages affordable: html5ever walks its stack of
/// open elements for many tags, so a hundred thousand open tags would cost seconds.
pub(super) struct Watcher<'n> {
    builder: TreeBuilder<Handle<'n>, Sink<'n>>,
    limits: Limits,
    /// Start tags that were passed over and whose end tags are still to come.
    passed_over: RefCell<Vec<LocalName>>,
    since_probe: Cell<u32>,
    flattened: Cell<bool>,
}

impl<'n> Watcher<'n> {
    pub(super) fn new(names: &'n Arena<QualName>, limits: Limits) -> Self {
        Watcher {
            builder: TreeBuilder::new(Sink::new(names), Default::default()),
            limits,
            passed_over: RefCell::default(),
            since_probe: Cell::new(0),
            flattened: Cell::new(false),
        }
    }

    /// The tree, once all tokens have come.
    pub(super) fn finish(self) -> Tree {
        self.builder.end();
        Tree { flattened: self.flattened.get(), ..self.builder.sink.tree.into_inner() }
    }

    /// What the builder gets of a tag that is passed over: the words on both sides of a block stay two.
    fn instead_of(&self, tag: &Tag, source: Range<u32>) -> TokenSinkResult<Handle<'n>> {
        if !tags::is_block(&tag.name) {
            return TokenSinkResult::Continue;
        }
        self.receive(Token::CharacterTokens(StrTendril::from_char(' ')), source)
    }

    /// Whether a tag is left out to keep the page affordable.
    fn passes_over(&self, tag: &Tag) -> bool {
        let crowded = self.builder.sink.tree.borrow().nodes.len() > self.limits.nodes as usize;
        if crowded {
            let passes = !is_raw_text(&tag.name);
            self.flattened.set(self.flattened.get() | passes);
            return passes;
        }
        match tag.kind {
            TagKind::EndTag => {
                let mut passed_over = self.passed_over.borrow_mut();
                let matches = passed_over.last() == Some(&tag.name);
                if matches {
                    passed_over.pop();
                }
                matches
            }
            TagKind::StartTag => {
                if self.builder.sink.depth.get() < self.limits.depth
                    || tags::is_void(&tag.name)
                    || is_raw_text(&tag.name)
                {
                    return false;
                }
                // Formatting closes nothing, so it would tell nothing; and the builder compares it with all that is open.
                if !is_compared(&tag.name) && tag.name != local_name!("a") {
                    let since = self.since_probe.get() + 1;
                    self.since_probe.set(since % PROBE_EVERY);
                    if since == PROBE_EVERY {
                        return false;
                    }
                }
                self.passed_over.borrow_mut().push(tag.name.clone());
                self.flattened.set(true);
                true
            }
        }
    }
}

/// Elements whose inside is not markup: passing over their tags would turn scripts into text.
fn is_raw_text(tag: &LocalName) -> bool {
    tags::is_invisible(tag)
        || matches!(
            *tag,
            local_name!("textarea") | local_name!("title") | local_name!("xmp") | local_name!("plaintext")
        )
}

impl<'n> Receive for Watcher<'n> {
    type Handle = Handle<'n>;

    fn receive(&self, token: Token, source: Range<u32>) -> TokenSinkResult<Handle<'n>> {
        let mut is_end_tag = false;
        match &token {
            Token::TagToken(tag) if self.passes_over(tag) => return self.instead_of(tag, source),
            Token::TagToken(tag) => is_end_tag = tag.kind == TagKind::EndTag,
            // The tree builder holds text inside tables back until the next tag, so a tag leaves the place alone.
            Token::CharacterTokens(_) | Token::NullCharacterToken => {
                self.builder.sink.source.set((source.start, source.end));
            }
            _ => {}
        }
        // Lines are counted elsewhere.
        let result = self.builder.process_token(token, 0);
        // The builder does not tell of every element it closes. The next thing inserted puts the estimate right.
        if is_end_tag {
            let depth = &self.builder.sink.depth;
            depth.set(depth.get().saturating_sub(1));
        }
        result
    }

    fn is_in_foreign_content(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
