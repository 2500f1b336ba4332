//! Our tokens against those of html5ever's tokenizer.

use std::cell::RefCell;

use super::*;
use proptest::prelude::*;

/// A token as far as both tokenizers must agree on it.
#[derive(Debug, PartialEq)]
enum Seen {
    Text(String),
    Null,
    Tag { end: bool, name: String, closing: bool, attributes: Vec<(String, String)> },
    Comment,
    Doctype(Doctype),
    End,
}

#[derive(Default)]
struct Recorder {
    seen: RefCell<Vec<Seen>>,
    places: RefCell<Vec<Range<u32>>>,
    foreign: bool,
}

impl Recorder {
    fn record(&self, token: Token) -> TokenSinkResult<()> {
        let mut seen = self.seen.borrow_mut();
        match token {
            // html5ever has empty texts, which mean nothing.
            Token::CharacterTokens(more) if more.is_empty() => {}
            Token::CharacterTokens(more) => match seen.last_mut() {
                Some(Seen::Text(text)) => text.push_str(&more),
                _ => seen.push(Seen::Text(more.to_string())),
            },
            Token::NullCharacterToken => seen.push(Seen::Null),
            Token::CommentToken(_) => seen.push(Seen::Comment),
            Token::DoctypeToken(doctype) => seen.push(Seen::Doctype(doctype)),
            Token::EOFToken => seen.push(Seen::End),
            Token::ParseError(_) => {}
            Token::TagToken(tag) => {
                let end = tag.kind == TagKind::EndTag;
                let attributes = tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string()));
                let kept = attributes.filter(|(name, _)| !end && (is_compared(&tag.name) || is_read(name.as_bytes())));
                seen.push(Seen::Tag {
                    end,
                    name: tag.name.to_string(),
                    closing: tag.self_closing,
                    attributes: kept.collect(),
                });
                if !end {
                    return after(&tag.name);
                }
            }
        }
        TokenSinkResult::Continue
    }
}

/// What a tree builder would answer.
fn after(tag: &str) -> TokenSinkResult<()> {
    match tag {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" => TokenSinkResult::RawData(RawKind::Rawtext),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

impl TokenSink for Recorder {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        self.record(token)
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.foreign
    }
}

impl Receive for Recorder {
    type Handle = ();

    fn receive(&self, token: Token, source: Range<u32>) -> TokenSinkResult<()> {
        self.places.borrow_mut().push(source);
        self.record(token)
    }

    fn is_in_foreign_content(&self) -> bool {
        self.foreign
    }
}

fn ours(html: &str, foreign: bool) -> Recorder {
    let recorder = Recorder { foreign, ..Recorder::default() };
    tokenise(html, false, &recorder);
    recorder
}

fn theirs(html: &str, foreign: bool) -> Vec<Seen> {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Recorder { foreign, ..Recorder::default() }, Default::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.seen.take()
}

fn assert_same(html: &str) {
    for foreign in [false, true] {
        assert_eq!(ours(html, foreign).seen.take(), theirs(html, foreign), "{html:?}");
    }
}

#[test]
fn odd_markup_is_read_as_html5ever_reads_it() {
    for html in [
        "<a href=x/><br/><p / class=a id='b'c=d>",
        "<a href=\"a&amp;b&copy=1&notit;\" id=&lt class='\r\n'>",
        "<p =a==b id id=2 ID=3 class\n=\n'x'",
        "<p id='ä",
        "a < b </> </ x> <?php x> <!x> <!",
        "<!--><!---><!----><!--a--!>b<!--a--!-->c<!-- <!-- --> <!-->d<!--<!->e-->f",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\"><!doctype><!DOCTYPE html",
        "<title>a &amp; b</titles></TITLE x>c<title></title",
        "<script><!-- <script> </script> --> </script >x<script><!--></script>y",
        "<script>a<!--b<script/c</script/d</script>e",
        "<style></styl></style\n>x<xmp>&amp;</xmp><textarea>&amp;\0",
        "<svg><![CDATA[a&amp;]]b]]>c<![CDATA[ \0",
        "<plaintext>a</plaintext>\r\n\0&amp;",
        "a\r\nb\rc\0d&#0;&#x80;&#xD800;&#;&#x;&;& &noti &notin; &amp",
        "<div a=1 A=2 hidden TYPE=hidden><b x=1 X=2 y><b/>",
    ] {
        assert_same(html);
    }
}

#[test]
fn tokens_tile_the_source() {
    let html = "<p id=a>b &amp; c\r\n<i>d</i>";
    let places = ours(html, false).places.take();
    let mut at = 0;
    for place in places {
        assert_eq!(place.start, at);
        at = place.end;
    }
    assert_eq!(at as usize, html.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn anything_made_of_markup_is_read_as_html5ever_reads_it(
        parts in proptest::collection::vec(
            prop::sample::select(vec![
                "<", ">", "/", "</", "!", "<!--", "--", "-", "-->", "--!>", "[CDATA[", "<![CDATA[", "]]>", "]", "?", "=", "'", "\"",
                " ", "\n", "\r", "\r\n", "\0", "\t", "&", "&amp;", "&amp", "&#65;", "&#x", "&notit;", ";", "#",
                "a", "B", "x y", "é", "script", "<script>", "</script>", "<title", "</title>", "<style>", "</style ", "<p ",
                "<b ", "id=", "class='", "href=\"", "type", "<!doctype", "<!DOCTYPE html>", "<plaintext>", "<textarea>",
            ]),
            0..14,
        ),
    ) {
        assert_same(&parts.concat());
    }

    #[test]
    fn any_text_is_read_as_html5ever_reads_it(html in "\\PC{0,60}") {
        assert_same(&html);
    }
}
