//! What html5ever's tree builder does to the [`Tree`].

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, local_name, ns};
use typed_arena::Arena;

use super::tags;
use super::tree::{Kind, NONE, Tagged, Tree};

/// A node as html5ever holds it. The name travels along, so that asking for it costs no look-up.
#[derive(Clone, Copy)]
pub(super) struct Handle<'n> {
    id: u32,
    name: &'n QualName,
}

/// Where html5ever puts nodes.
pub(super) struct Sink<'n> {
    pub(super) tree: RefCell<Tree>,
    names: &'n Arena<QualName>,
    document_name: &'n QualName,
    /// Where the text being inserted stands in the source.
    pub(super) source: Cell<(u32, u32)>,
    /// Where the tag at hand begins in the source.
    pub(super) tag: Cell<u32>,
    /// Depth of the innermost open element, as far as it can be seen from here.
    pub(super) depth: Cell<u32>,
}

impl<'n> Sink<'n> {
    pub(super) fn new(names: &'n Arena<QualName>) -> Self {
        let document_name = names.alloc(QualName::new(None, ns!(), local_name!("")));
        Sink {
            tree: RefCell::new(Tree::new()),
            names,
            document_name,
            source: Cell::new((0, 0)),
            tag: Cell::new(0),
            depth: Cell::new(0),
        }
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
        tree.elements.push(Tagged::new(&name, attributes, self.tag.get()));
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
                if tree.is_unread(parent.id) {
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
