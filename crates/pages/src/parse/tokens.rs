//! HTML becomes tokens for html5ever's tree builder.
//!
//! html5ever's own tokenizer is made for input that trickles in: it takes its characters one by one from a queue, and
//! cost more than all the rest of indexing a page. It also tells lines but not bytes. Here the whole page is there, so
//! stretches are found by their ends and handed on without a copy, and every token's place is known.
//!
//! The rules are those of the HTML standard. What is rare and intricate (character references, document types) is
//! cut out and given to html5ever's tokenizer; the tests hold all of it against that. Left out is what no tree and no
//! later stage asks for: the text of comments and attributes that nobody reads: those of tags that tell something of the
//! page are all read ([`said`]).

use std::borrow::Cow;
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr_iter, memmem};

use super::{said, xml};

/// Attributes of one tag past which more are passed over: each is compared with all before it.
pub(super) const MAX_ATTRIBUTES: usize = 256;

/// Takes tokens and tells how to read on.
pub(super) trait Receive {
    /// A node, for which there is no use here.
    type Handle;

    /// The next token and its place in the source.
    fn receive(&self, token: Token, source: Range<u32>) -> TokenSinkResult<Self::Handle>;

    /// Whether the innermost open element is not HTML, so that `<![CDATA[` means something.
    fn is_in_foreign_content(&self) -> bool;
}

/// Gives a page's tokens to `receiver`, the end of the file last. The page is shorter than 4 GiB. What XML changes is told in [`xml`].
pub(super) fn tokenise(html: &str, is_xml: bool, receiver: &impl Receive) {
    let start = if html.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut scanner = Scanner {
        html,
        bytes: html.as_bytes(),
        page: StrTendril::from_slice(html),
        at: start,
        mode: Mode::Data,
        last_start: LocalName::default(),
        is_xml,
        tells: false,
        last_cdata_end: if is_xml { memmem::rfind(html.as_bytes(), b"]]>").unwrap_or(0) } else { 0 },
        has_odd: memchr::memchr2(b'\r', 0, html.as_bytes()).is_some(),
        receiver,
    };
    scanner.run();
}

/// What the text at hand is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Text and markup.
    Data,
    /// Text with character references up to the element's end tag.
    Rcdata,
    /// Text up to the element's end tag.
    Rawtext,
    /// A script.
    Script,
    /// Text up to the page's end.
    Plaintext,
}

struct Scanner<'h, R> {
    html: &'h str,
    bytes: &'h [u8],
    /// The page once more, for tokens to share.
    page: StrTendril,
    at: usize,
    mode: Mode,
    /// The last start tag: what ends its text.
    last_start: LocalName,
    is_xml: bool,
    /// Whether the tag at hand has an attribute that tells something of the page.
    tells: bool,
    /// Where the last `]]>` of an XML page is. A `<![CDATA[` behind it never ends: to take the rest of the page for text, tags and
    /// all, would help nobody, so there the rule of HTML holds.
    last_cdata_end: usize,
    /// Whether there is a CR or a NUL anywhere: most pages have none.
    has_odd: bool,
    receiver: &'h R,
}

impl<R: Receive> Scanner<'_, R> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            match self.mode {
                Mode::Data => self.data(),
                Mode::Plaintext => self.text(self.bytes.len()),
                Mode::Rcdata | Mode::Rawtext => self.raw(self.raw_end()),
                Mode::Script => self.raw(self.script_end()),
            }
        }
        self.emit(Token::EOFToken, self.at);
    }

    fn emit(&mut self, token: Token, start: usize) {
        match self.receiver.receive(token, start as u32..self.at as u32) {
            TokenSinkResult::RawData(RawKind::Rcdata) => self.mode = Mode::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => self.mode = Mode::Rawtext,
            TokenSinkResult::RawData(_) => self.mode = Mode::Script,
            TokenSinkResult::Plaintext => self.mode = Mode::Plaintext,
            // Neither running scripts nor changing the encoding means anything here.
            TokenSinkResult::Continue | TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    fn emit_text(&mut self, text: &str, start: usize) {
        self.emit(Token::CharacterTokens(StrTendril::from_slice(text)), start);
    }

    fn data(&mut self) {
        let start = self.at;
        let end = memchr(b'<', &self.bytes[start..]).map_or(self.bytes.len(), |offset| start + offset);
        self.text(end);
        match &self.bytes[end..] {
            [] => {}
            [b'<', first, ..] if first.is_ascii_alphabetic() => self.tag(TagKind::StartTag, end + 1),
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => self.tag(TagKind::EndTag, end + 2),
            [b'<', b'/', b'>', ..] => self.at = end + 3,
            [b'<', b'/'] => {
                self.at = end + 2;
                self.emit_text("</", end);
            }
            [b'<', b'!', rest @ ..] => self.declaration(end, rest),
            [b'<', b'/' | b'?', ..] => self.bogus_comment(end),
            _ => {
                self.at = end + 1;
                self.emit_text("<", end);
            }
        }
    }

    /// Text up to `end`, which is not inside a character reference.
    fn text(&mut self, end: usize) {
        let references = matches!(self.mode, Mode::Data | Mode::Rcdata);
        while self.at < end {
            let start = self.at;
            let rest = &self.bytes[start..end];
            let stop = if self.has_odd {
                rest.iter().position(|&byte| matches!(byte, b'\r' | 0) || (references && byte == b'&'))
            } else if references {
                memchr(b'&', rest)
            } else {
                None
            };
            self.at = stop.map_or(end, |offset| start + offset);
            if self.at > start {
                let text = self.page.subtendril(start as u32, (self.at - start) as u32);
                self.emit(Token::CharacterTokens(text), start);
            }
            if stop.is_some() {
                self.odd_character();
            }
        }
    }

    fn odd_character(&mut self) {
        let start = self.at;
        match &self.bytes[start..] {
            [b'\r', b'\n', ..] => self.at += 2,
            [b'&', ..] => return self.reference(),
            _ => self.at += 1,
        }
        match (self.bytes[start], self.mode) {
            (0, Mode::Data) => self.emit(Token::NullCharacterToken, start),
            (0, _) => self.emit_text("\u{fffd}", start),
            _ => self.emit_text("\n", start),
        }
    }

    fn reference(&mut self) {
        let start = self.at;
        let name = self.bytes[start + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#');
        self.at = start + 1 + name.count();
        self.at += usize::from(self.bytes.get(self.at) == Some(&b';'));
        match &self.html[start..self.at] {
            "&" => self.emit_text("&", start),
            "&amp;" => self.emit_text("&", start),
            "&lt;" => self.emit_text("<", start),
            "&gt;" => self.emit_text(">", start),
            "&quot;" => self.emit_text("\"", start),
            "&nbsp;" => self.emit_text("\u{a0}", start),
            other => {
                let text = Slow::read(other).text.take();
                self.emit_text(&text, start);
            }
        }
    }

    fn declaration(&mut self, start: usize, rest: &[u8]) {
        if rest.starts_with(b"--") {
            self.at = self.comment_end(start + 4);
            self.emit(Token::CommentToken(StrTendril::new()), start);
        } else if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            self.at = self.after(start, b'>');
            if let Some(doctype) = Slow::read(&self.html[start..self.at]).doctype.take() {
                self.emit(Token::DoctypeToken(doctype), start);
            }
        } else if rest.starts_with(b"[CDATA[") && (start < self.last_cdata_end || self.receiver.is_in_foreign_content())
        {
            self.at = start + 9;
            self.cdata();
        } else {
            self.bogus_comment(start);
        }
    }

    fn cdata(&mut self) {
        let found = memmem::find(&self.bytes[self.at..], b"]]>");
        let end = found.map_or(self.bytes.len(), |offset| self.at + offset);
        while self.at < end {
            // An ampersand is text here. Text is taken up to one, and then the ampersand.
            let stop = memchr(b'&', &self.bytes[self.at..end]).map_or(end, |offset| self.at + offset);
            self.text(stop);
            if self.at < end {
                self.at += 1;
                self.emit_text("&", stop);
            }
        }
        self.at = (end + 3).min(self.bytes.len());
    }

    fn bogus_comment(&mut self, start: usize) {
        self.at = self.after(start, b'>');
        self.emit(Token::CommentToken(StrTendril::new()), start);
    }

    /// The place after the next `byte`, or the end.
    fn after(&self, from: usize, byte: u8) -> usize {
        memchr(byte, &self.bytes[from..]).map_or(self.bytes.len(), |offset| from + offset + 1)
    }

    /// The end of a comment whose `<!--` ends at `from`.
    fn comment_end(&self, from: usize) -> usize {
        let inside = &self.bytes[from..];
        if inside.starts_with(b">") {
            return from + 1;
        }
        if inside.starts_with(b"->") {
            return from + 2;
        }
        let ends = |&end: &usize| inside[..end].ends_with(b"--") || inside[..end].ends_with(b"--!");
        memchr_iter(b'>', inside).find(ends).map_or(self.bytes.len(), |offset| from + offset + 1)
    }

    /// Text up to `end`, where the end tag of the last start tag is, or nothing.
    fn raw(&mut self, end: usize) {
        self.text(end);
        if end < self.bytes.len() {
            self.mode = Mode::Data;
            self.tag(TagKind::EndTag, end + 2);
        }
    }

    fn raw_end(&self) -> usize {
        let from = self.at;
        let mut candidates = memchr_iter(b'<', &self.bytes[from..]).map(|offset| from + offset);
        candidates.find(|&at| self.is_tag(at, b"</", &self.last_start)).unwrap_or(self.bytes.len())
    }

    /// Where a script ends. In what looks like a comment, scripts may be nested once.
    fn script_end(&self) -> usize {
        let (mut escaped, mut nested) = (false, false);
        let mut at = self.at;
        while let Some(offset) = memchr::memchr2(b'<', b'-', &self.bytes[at..]) {
            at += offset;
            let rest = &self.bytes[at..];
            if escaped && rest.starts_with(b"-->") {
                (escaped, nested) = (false, false);
            } else if !escaped && rest.starts_with(b"<!--") {
                escaped = true;
                // Its dashes may be those of the end.
                at += 1;
            } else if self.is_tag(at, b"</", "script") {
                if !nested {
                    return at;
                }
                nested = false;
            } else if escaped && self.is_tag(at, b"<", "script") {
                nested = true;
            }
            at += 1;
        }
        self.bytes.len()
    }

    /// Whether a tag of that name starts at `at`.
    fn is_tag(&self, at: usize, opening: &[u8], name: &str) -> bool {
        let Some(rest) = self.bytes[at..].strip_prefix(opening) else { return false };
        rest.len() > name.len()
            && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes())
            && (is_space(rest[name.len()]) || matches!(rest[name.len()], b'/' | b'>'))
    }

    /// A tag whose name starts at `from`. One that the page ends in is none.
    fn tag(&mut self, kind: TagKind, from: usize) {
        let start = self.at;
        let end = self.find(from, |byte| is_space(byte) || matches!(byte, b'/' | b'>'));
        let name = LocalName::from(self.lower(from..end));
        self.at = end;
        let mut tag = Tag { kind, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false };
        let keeps_all = kind == TagKind::StartTag && (is_compared(&tag.name) || said::is_telling_tag(&tag.name));
        self.tells = false;
        if !self.attributes(&mut tag, keeps_all) {
            return;
        }
        // Which of the others matter is seen from one that may be the last, and few tags have one.
        if self.tells && !keeps_all {
            self.at = end;
            tag.attrs.clear();
            self.attributes(&mut tag, true);
        }
        if kind == TagKind::StartTag {
            self.last_start.clone_from(&tag.name);
        }
        let closed = if self.is_xml { xml::closed(&tag) } else { None };
        self.emit(Token::TagToken(tag), start);
        // Drawings and formulas close what is inside them by themselves: an end tag would close what is around it.
        if let Some(name) = closed
            && !self.receiver.is_in_foreign_content()
        {
            self.mode = Mode::Data;
            self.emit(Token::TagToken(xml::end_tag(name)), self.at);
        }
    }

    /// The attributes of a tag, and its end; whether it has one.
    fn attributes(&mut self, tag: &mut Tag, keeps_all: bool) -> bool {
        loop {
            self.at = self.find(self.at, |byte| !is_space(byte));
            match &self.bytes[self.at..] {
                [] => return false,
                [b'>', ..] => {
                    self.at += 1;
                    return true;
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    tag.self_closing = true;
                    return true;
                }
                [b'/', ..] => self.at += 1,
                _ => self.attribute(tag, keeps_all),
            }
        }
    }

    fn attribute(&mut self, tag: &mut Tag, keeps_all: bool) {
        let from = self.at;
        // An equals sign that comes first belongs to the name.
        let end = self.find(from + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let value = self.value(end);
        if tag.kind == TagKind::EndTag || tag.attrs.len() >= MAX_ATTRIBUTES {
            return;
        }
        if !keeps_all && !is_read(&self.bytes[from..end]) {
            self.tells |= said::is_telling(&self.bytes[from..end], &self.bytes[value]);
            return;
        }
        let name = LocalName::from(self.lower(from..end));
        if tag.attrs.iter().any(|attribute| attribute.name.local == name) {
            tag.had_duplicate_attributes = true;
            return;
        }
        let value = self.attribute_text(value);
        tag.attrs.push(Attribute { name: QualName::new(None, ns!(), name), value });
    }

    /// Finds the value of the attribute whose name ends at `end`, and goes after it.
    fn value(&mut self, end: usize) -> Range<usize> {
        self.at = self.find(end, |byte| !is_space(byte));
        if self.bytes.get(self.at) != Some(&b'=') {
            return self.at..self.at;
        }
        let from = self.find(self.at + 1, |byte| !is_space(byte));
        match self.bytes.get(from) {
            Some(&quote @ (b'"' | b'\'')) => {
                let found = memchr(quote, &self.bytes[from + 1..]).map(|length| from + 1 + length);
                // Without its end there is neither value nor tag.
                self.at = found.map_or(self.bytes.len(), |end| end + 1);
                found.map_or(0..0, |end| from + 1..end)
            }
            _ => {
                self.at = self.find(from, |byte| is_space(byte) || byte == b'>');
                from..self.at
            }
        }
    }

    fn attribute_text(&self, value: Range<usize>) -> StrTendril {
        let bytes = &self.bytes[value.clone()];
        if memchr(b'&', bytes).is_some() {
            let quote = match self.bytes[value.start - 1] {
                b'"' => "\"",
                b'\'' => "'",
                _ => "",
            };
            let tag = format!("<a a={quote}{}{quote}>", &self.html[value]);
            return Slow::read(&tag).value.take();
        }
        if self.has_odd && memchr::memchr2(b'\r', 0, bytes).is_some() {
            let text = self.html[value].replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
            return StrTendril::from_slice(&text);
        }
        self.page.subtendril(value.start as u32, (value.end - value.start) as u32)
    }

    /// The first place from `from` on whose byte is as asked, or the end.
    fn find(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter().position(|&byte| is(byte)).map_or(self.bytes.len(), |offset| from + offset)
    }

    /// A name in lower case.
    fn lower(&self, name: Range<usize>) -> Cow<'_, str> {
        let name = &self.html[name];
        if name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0) {
            Cow::Owned(name.to_ascii_lowercase().replace('\0', "\u{fffd}"))
        } else {
            Cow::Borrowed(name)
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// Attributes that the tree builder or a later stage reads.
fn is_read(name: &[u8]) -> bool {
    const READ: [&[u8]; 8] = [b"id", b"class", b"href", b"src", b"xlink:href", b"hidden", b"type", b"encoding"];
    READ.iter().any(|read| name.eq_ignore_ascii_case(read))
}

/// Elements that the tree builder opens again after a misplaced end tag, but not those that are the same thrice: for
/// these all attributes count.
pub(super) fn is_compared(tag: &str) -> bool {
    matches!(
        tag,
        "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike" | "strong" | "tt" | "u"
    )
}

/// What html5ever's tokenizer makes of a short stretch.
#[derive(Default)]
struct Slow {
    text: std::cell::RefCell<String>,
    doctype: std::cell::Cell<Option<Doctype>>,
    /// The value of the first attribute of a tag.
    value: std::cell::Cell<StrTendril>,
}

impl Slow {
    fn read(html: &str) -> Self {
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(html));
        let tokenizer = Tokenizer::new(Slow::default(), Default::default());
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink
    }
}

impl TokenSink for Slow {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.text.borrow_mut().push_str(&text),
            Token::DoctypeToken(doctype) => self.doctype.set(Some(doctype)),
            Token::TagToken(mut tag) => {
                if let Some(attribute) = tag.attrs.pop() {
                    self.value.set(attribute.value);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
