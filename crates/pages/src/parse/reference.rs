//! The page as html5ever's own tokenizer has it: what our tokens are held against.
//!
//! The same tree builder, the same limits and the same arena stand behind both, so that nothing can differ but the tokens. For
//! tests and fuzzing.

use std::cell::Cell;
use std::fmt::Write;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use typed_arena::Arena;

use super::Limits;
use super::sink::Handle;
use super::tokens::{MAX_ATTRIBUTES, Receive};
use super::tree::{Step, Tree};
use super::watcher::{self, Watcher};
use super::xml;

/// The outline of a page as we read it, and as html5ever does. None where the two cannot agree: where a tag has more attributes than
/// we look at, and where an XML page has a `<![CDATA[` that never ends. We take that for a comment, but html5ever's tokenizer asks what
/// it means without telling where it is, so there is no answer that depends on the end.
pub fn outlines(html: &str) -> Option<[String; 2]> {
    let is_xml = xml::is_declared(html);
    if is_xml && html.rfind("<![CDATA[") > html.rfind("]]>") {
        return None;
    }
    let theirs = theirs(html, is_xml)?;
    Some([outline(&watcher::build(html, is_xml, Limits::default())), outline(&theirs)])
}

/// html5ever's tokens go where ours go.
struct Slow<'n> {
    watcher: Watcher<'n>,
    too_many: Cell<bool>,
    is_xml: bool,
}

impl<'n> TokenSink for Slow<'n> {
    type Handle = Handle<'n>;

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<Handle<'n>> {
        if let Token::TagToken(tag) = &token
            && tag.attrs.len() > MAX_ATTRIBUTES
        {
            self.too_many.set(true);
        }
        let closed = match &token {
            Token::TagToken(tag) if self.is_xml => xml::closed(tag),
            _ => None,
        };
        let result = self.watcher.receive(token, 0..0);
        match closed {
            Some(name) if !self.watcher.is_in_foreign_content() => {
                let _ = self.watcher.receive(Token::TagToken(xml::end_tag(name)), 0..0);
                TokenSinkResult::Continue
            }
            _ => result,
        }
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.is_xml || self.watcher.is_in_foreign_content()
    }
}

fn theirs(html: &str, is_xml: bool) -> Option<Tree> {
    let names = Arena::new();
    let watcher = Watcher::new(&names, Limits::default());
    let queue = BufferQueue::default();
    // It would leave out a byte order mark behind each script as it does at the start of the page, where alone it is none of the text.
    queue.push_back(StrTendril::from_slice(html.strip_prefix('\u{feff}').unwrap_or(html)));
    let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(Slow { watcher, too_many: Cell::new(false), is_xml }, options);
    // It stops at each script to let it run.
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    let Slow { watcher, too_many, .. } = tokenizer.sink;
    let tree = watcher.finish();
    (!too_many.get()).then_some(tree)
}

/// A tree in words: all that later stages read of it, but for places in the source.
fn outline(tree: &Tree) -> String {
    let mut out = String::new();
    for step in tree.walk() {
        match step {
            Step::Enter(element, _) => {
                let attributes = [&element.id, &element.class, &element.href].map(|value| value.as_deref());
                let _ = write!(out, "<{} {attributes:?} {}>", element.tag, element.invisible);
            }
            Step::Leave => out += "</>",
            Step::Text(first) => {
                let mut run = first;
                while let Some(text) = tree.runs.get(run as usize) {
                    out += &tree.text[text.text.start as usize..text.text.end as usize];
                    run = text.next;
                }
                out.push('|');
            }
            Step::Other => out.push('!'),
        }
    }
    out
}
