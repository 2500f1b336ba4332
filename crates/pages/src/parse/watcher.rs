//! The way of a page's tokens to html5ever's tree builder, within limits.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, QualName, local_name};
use typed_arena::Arena;

use super::Limits;
use super::sink::{Handle, Sink};
use super::tags;
use super::tokens::{Receive, is_compared, tokenise};
use super::tree::Tree;

/// Past the depth limit one start tag in this many is let through, to learn whether the stack has shrunk.
const PROBE_EVERY: u32 = 64;

/// Runs html5ever over a page.
pub(super) fn build(html: &str, is_xml: bool, limits: Limits) -> Tree {
    let names = Arena::new();
    let watcher = Watcher::new(&names, limits);
    tokenise(html, is_xml, &watcher);
    watcher.finish()
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
            Token::TagToken(tag) => {
                is_end_tag = tag.kind == TagKind::EndTag;
                self.builder.sink.tag.set(source.start);
            }
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
