#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::parse::reference::outlines;
use crate::parse::{Limits, Page, parse, parse_html, read_html, source};
use crate::read::Origin;

const DOCTYPE: &str = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"xhtml1-strict.dtd\">\n";

fn text(page: &Page) -> String {
    page.text_where(|_| true)
}

/// The text of a page that is XML by its declaration, where both ways to read it agree on its tree.
fn declared(html: &str) -> String {
    let html = format!("{DECLARATION}{html}");
    let [ours, theirs] = outlines(&html).unwrap();
    assert_eq!(ours, theirs, "{html}");
    text(&parse_html(&html))
}

fn raw(id: &str, content_type: Option<&str>, html: &str) -> RawPage {
    RawPage {
        id: id.to_owned(),
        url: id.to_owned(),
        bytes: html.as_bytes().to_vec(),
        content_type: content_type.map(str::to_owned),
        origin: Origin { file: PathBuf::from("x"), offset: 0 },
        stamp: None,
    }
}

#[test]
fn a_script_that_closes_itself_leaves_the_page_its_text() {
    let html = format!(
        "{DOCTYPE}<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>Tides</title>\n\
         <script type=\"text/javascript\" src=\"a.js\"/><style type=\"text/css\" /></head>\n\
         <body><p>High water</p><script src=\"b.js\" /><p>at noon</p></body></html>"
    );
    assert_eq!(declared(&html), "High water\nat noon");
    let page = parse_html(&format!("\u{feff}\n <?xml\nversion='1.0'?>{html}"));
    assert_eq!((page.title.as_str(), text(&page).as_str()), ("Tides", "High water\nat noon"));
}

#[test]
fn without_a_declaration_the_slash_means_nothing() {
    for start in ["", "<?xml-stylesheet href='a'?>", "x<?xml version='1.0'?>"] {
        let page = parse_html(&format!("{start}{DOCTYPE}<p>one</p><script src='a.js'/><p>two</p>"));
        assert!(text(&page).ends_with("one"), "{start}");
    }
    assert_eq!(text(&parse_html("<textarea/>a<p>b")), "a<p>b");
    let page = parse_html("<div id=a /><p>b<![CDATA[c]]></p>");
    assert_eq!(page.path(page.piece(0).piece.element), "html/body/div/p");
    assert_eq!(text(&page), "b");
}

#[test]
fn no_element_swallows_what_follows_it() {
    for tag in [
        "script",
        "style",
        "title",
        "textarea",
        "iframe",
        "noscript",
        "xmp",
        "noembed",
        "noframes",
        "plaintext",
        "template",
        "object",
        "select",
        "button",
        "SCRIPT",
    ] {
        assert_eq!(declared(&format!("<body><p>one</p><{tag} class='a'/><p>two</p>")), "one\ntwo", "{tag}");
    }
    for tag in ["script", "style", "title", "noscript", "noframes", "template"] {
        let page = parse_html(&format!("{DECLARATION}<head><{tag}/><title>T</title></head><body>one"));
        assert_eq!(text(&page), "one", "{tag}");
        assert_eq!(page.title, "T", "{tag}");
    }
}

#[test]
fn elements_that_close_themselves_are_empty() {
    for tag in ["div", "p", "span", "a", "b", "li", "h2", "pre", "section", "o:p"] {
        let page = parse_html(&format!("{DECLARATION}<body><div><{tag} id='x'/>text</div>"));
        assert_eq!(page.path(page.piece(0).piece.element), "html/body/div", "{tag}");
    }
    let page = parse_html(&format!("{DECLARATION}<table><tr/><tr><td/><td>cell</td></tr></table>"));
    assert_eq!(page.path(page.piece(0).piece.element), "html/body/table/tbody/tr/td");
    assert_eq!(page.elements.iter().filter(|element| element.first_piece == element.end_piece).count(), 3);
    let page = parse_html(&format!("{DECLARATION}<a href='/a'/>one <a href=/b/>two</a>"));
    let of = |link: usize| page.elements[page.links[link].element as usize];
    assert_eq!(of(0).first_piece, of(0).end_piece);
    assert_eq!(of(1).end_piece - of(1).first_piece, 1);
}

#[test]
fn elements_without_content_and_pages_with_mistakes_stay_as_they_are() {
    assert_eq!(declared("<p>one<br/>two<hr />three<img src='a'/>four<br>five"), "one\ntwo\nthreefour\nfive");
    assert_eq!(declared("<p/>one<p/>two<P>three<ul><li>four<li>five</ul>"), "one\ntwo\nthree\nfour\nfive");
    assert_eq!(declared("<body><script src='a.js'></script>one<script>b < c</script>two"), "onetwo");
}

#[test]
fn drawings_close_their_elements_by_themselves() {
    let inside = |html: &str| {
        assert!(!declared(html).is_empty());
        let page = parse_html(&format!("{DECLARATION}{html}"));
        page.path(page.piece(0).piece.element)
    };
    assert_eq!(inside("<svg><g><g/><text>a</text></g></svg>"), "html/body/svg/g/text");
    assert_eq!(inside("<svg><g><script/><title/><text>a</text></g></svg>"), "html/body/svg/g/text");
    assert_eq!(inside("<p><svg/><math/>a</p>"), "html/body/p");
    assert_eq!(inside("<svg><foreignObject><div/><p>a</p></foreignObject></svg>"), "html/body/svg/foreignObject/p");
}

#[test]
fn what_a_cdata_section_encloses_is_text() {
    assert_eq!(declared("<p>a <![CDATA[<b> &amp; c > d]]> e</p>"), "a <b> &amp; c > d e");
    assert_eq!(declared("<p>a</p><script><![CDATA[ x ]]></script><p>b<![CDATA[]]></p>"), "a\nb");
    // One that never ends is what it is to HTML: a comment to the next bracket.
    let page = parse_html(&format!("{DECLARATION}<p>a<![CDATA[b]]>c</p><p>d<![CDATA[e>f</p>"));
    assert_eq!(text(&page), "abc\ndf");
}

#[test]
fn names_and_headers_tell_that_a_page_is_xml() {
    let html = "<p>one</p><script src='a.js'/><p>two</p>";
    let read = |id: &str, content_type: Option<&str>| text(&parse(&raw(id, content_type, html)));
    for id in ["a/b.xhtml", "B.XHTML", "c.xht", "https://a.example/b.xhtml?c=d.html#e"] {
        assert_eq!(read(id, None), "one\ntwo", "{id}");
    }
    for id in ["a.html", "xhtml", "https://a.example/go?to=b.xhtml", "a.xhtml/b", "a.xhtml.html"] {
        assert_eq!(read(id, Some("text/html")), "one", "{id}");
    }
    assert_eq!(read("a", Some("Application/XHTML+XML; charset=utf-8")), "one\ntwo");
    let by_url = RawPage { url: "https://a.example/b.xhtml".to_owned(), ..raw("7", None, html) };
    assert_eq!(text(&parse(&by_url)), "one\ntwo");
}

#[test]
fn the_source_alone_is_read_as_the_page_was() {
    let html = "<p>one</p>\n<script src='a.js'/><p>two</p>";
    for raw in [
        raw("a.xhtml", None, html),
        raw("a.html", None, html),
        raw("a", Some("application/xhtml+xml"), html),
        raw("a.xhtml", None, &format!("{DECLARATION}\n{html}")),
    ] {
        let (page, again) = (parse(&raw), read_html(&source(&raw), Limits::default()).page);
        let lines = |page: &Page| page.pieces().map(|view| view.piece.line).collect::<Vec<_>>();
        assert_eq!((text(&page), lines(&page)), (text(&again), lines(&again)), "{}", raw.id);
    }
    assert_eq!(source(&raw("a.html", None, html)), html);
}

#[test]
fn many_sections_without_an_end_cost_no_more_than_their_length() {
    let started = Instant::now();
    parse_html(&(format!("{DECLARATION}<p>a<![CDATA[b]]>") + &"<![CDATA[>".repeat(300_000)));
    parse_html(&(DECLARATION.to_owned() + &"<div/><script/><b/>".repeat(100_000)));
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_xml_page_has_the_tree_that_html5ever_makes_of_it(
        parts in proptest::collection::vec(
            prop::sample::select(vec![
                "<script/>", "<script>", "</script>", "<title />", "<textarea/>", "<textarea>", "</textarea>", "<style/>", "<iframe/>",
                "<noscript/>", "<plaintext/>", "<div/>", "<div>", "</div>", "<p/>", "<a id='x'/>", "<a href=y>", "</a>", "<b/>", "<b>",
                "<table>", "<table/>", "<tr/>", "<td/>", "<td>", "</table>", "<li/>", "<select>", "<select/>", "<option/>", "<form/>",
                "<form>", "<template/>", "<template>", "</template>", "<svg>", "<svg/>", "<g/>", "<g>", "<foreignObject>", "</svg>",
                "<math>", "<mi/>", "<br/>", "<image/>", "<frameset/>", "<head/>", "<body/>", "<html/>", "<h1/>", "<h2>", "<pre/>",
                "\n", "text", " ", "&amp;", "\0", "<![CDATA[", "]]>", "<", ">", "/>",
            ]),
            0..16,
        ),
    ) {
        if let Some([ours, theirs]) = outlines(&(DECLARATION.to_owned() + &parts.concat())) {
            prop_assert_eq!(ours, theirs);
        }
    }
}
