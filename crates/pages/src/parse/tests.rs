#![allow(clippy::unwrap_used)]

use super::*;
use std::time::{Duration, Instant};

fn texts(page: &Page) -> Vec<&str> {
    page.pieces().map(|view| view.text).collect()
}

fn whole(html: &str) -> String {
    parse_html(html).text_where(|_| true)
}

#[test]
fn pieces_know_their_text_path_block_line_and_bytes() {
    let html = "<html><body>\n<div class=' a  b ' id=x><p>One <b>two</b></p>\n</div>";
    let page = parse_html(html);
    assert_eq!(texts(&page), ["One", "two"]);
    let two = page.piece(1);
    assert_eq!(page.path(two.piece.element), "html/body/div/p/b");
    assert_eq!(page.sign(page.block(two.piece.element)).tag, "p");
    assert_eq!(two.piece.line, 1);
    assert_eq!(&html[two.piece.start as usize..two.piece.end as usize], "two");
    assert_eq!(two.piece.join, Join::Space);
    let div = page.elements[page.block(two.piece.element) as usize].parent;
    assert_eq!(page.sign(div), Sign { tag: "div", id: "x", class: "a b" });
}

#[test]
fn elements_know_the_pieces_inside_them() {
    let page = parse_html("<p>a</p><ul><li>b<li>c</ul>d");
    let list = (0..page.elements.len() as u32).find(|&e| page.sign(e).tag == "ul").unwrap();
    let list = page.elements[list as usize];
    assert_eq!((list.first_piece, list.end_piece), (1, 3));
}

#[test]
fn words_split_by_inline_markup_stay_one_word() {
    assert_eq!(whole("un<b>husk</b> it<br>now<div>here</div>there"), "unhusk it\nnow\nhere\nthere");
}

#[test]
fn a_text_node_on_several_lines_is_a_piece_a_line() {
    let page = parse_html("<p>one\n two\r\nthree</p>");
    assert_eq!(texts(&page), ["one", "two", "three"]);
    assert_eq!(page.pieces().map(|v| v.piece.line).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(page.pieces().all(|v| v.piece.node == 0));
    assert_eq!(page.lines.len(), 3);
}

#[test]
fn carriage_returns_alone_end_lines_too() {
    assert_eq!(parse_html("<p>a\rb\r\nc\nd").lines.len(), 4);
}

#[test]
fn lines_with_crlf_and_lf_have_equal_hashes() {
    assert_eq!(parse_html("<p>a\r\nb\r\n").lines, parse_html("<p>a\nb\n").lines);
}

#[test]
fn the_bytes_of_all_lines_are_the_bytes_of_the_page() {
    let html = "<p>a\r\nlonger\n\nz";
    assert_eq!(parse_html(html).line_bytes, [6, 7, 1, 1]);
}

#[test]
fn entities_stay_in_their_piece_and_its_bytes() {
    let html = "<p>fish &amp; chips &bogus; &#x41;</p>";
    let page = parse_html(html);
    assert_eq!(texts(&page), ["fish & chips &bogus; A"]);
    let piece = page.piece(0).piece;
    assert_eq!(&html[piece.start as usize..piece.end as usize], "fish &amp; chips &bogus; &#x41;");
}

#[test]
fn what_is_not_shown_is_left_out() {
    let html = "<title>T</title><script>a<b></script><style>c</style><template>d<p>e</p></template><!-- f -->\
                <p hidden>g</p><noscript>h</noscript><iframe>i</iframe><p>seen<svg><title>drawn</title></svg>";
    let page = parse_html(html);
    assert_eq!(page.title, "T");
    assert_eq!(texts(&page), ["seen", "drawn"]);
}

#[test]
fn a_script_that_never_ends_is_no_text() {
    assert_eq!(whole("<p>a</p><script>var b = 1;"), "a");
}

#[test]
fn misplaced_table_text_keeps_its_place_in_the_source() {
    let html = "<table>\n<tr>stray\n<td>cell</td></tr></table>";
    let page = parse_html(html);
    assert_eq!(texts(&page), ["stray", "cell"]);
    assert_eq!(page.piece(0).piece.line, 1);
}

#[test]
fn links_are_kept_with_their_anchor_text() {
    let page = parse_html("<a href='/x?a=1&amp;b=2'>go <i>there</i></a><a name=n>no</a>");
    assert_eq!(page.links.len(), 1);
    assert_eq!(page.href(&page.links[0]), "/x?a=1&b=2");
    let element = page.elements[page.links[0].element as usize];
    assert_eq!(element.end_piece - element.first_piece, 2);
}

#[test]
fn text_after_the_end_of_the_page_is_still_text() {
    assert_eq!(whole("<html><body>a</body></html>b</html>c"), "abc");
}

#[test]
fn null_bytes_and_nothing_at_all_are_pages() {
    assert_eq!(whole("a\0b"), "ab");
    assert_eq!(parse_html("").piece_count(), 0);
    assert_eq!(parse_html("").lines.len(), 1);
}

/// Generous for a debug build on a busy machine; without the limits these take minutes.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn hostile_nesting_costs_seconds_at_most_and_keeps_the_text() {
    let started = Instant::now();
    for open in ["<div>", "<b>", "<table><tr><td>", "<p><i>", "<ul><li>", "<svg><g>", "<select><option>", "<a>"] {
        let html = open.repeat(100_000) + "needle";
        assert!(whole(&html).contains("needle"), "{open}");
    }
    assert!(started.elapsed() < PATIENCE * 2, "{:?}", started.elapsed());
}

#[test]
fn formatting_that_is_never_closed_stays_affordable() {
    let started = Instant::now();
    let html: String = (0..60_000).map(|n| format!("<p><b class=c{n}>")).collect::<String>() + "needle";
    let page = parse_html(&html);
    assert!(page.text_where(|_| true).contains("needle"));
    assert!(page.elements.len() < 1_100_000);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn words_stay_apart_where_the_tags_between_them_are_passed_over() {
    let limits = Limits { depth: 8, ..Limits::default() };
    let html = "<div>".repeat(20) + "one<p>two<li>three</li>four<b>five</b>six";
    let parsed = read_html(&html, limits);
    assert!(parsed.flattened);
    assert_eq!(parsed.page.text_where(|_| true), "one two three fourfivesix");
    assert!(!read_html(&html, Limits::default()).flattened);
}

#[test]
fn formatting_that_differs_each_time_costs_no_more_for_a_longer_page() {
    let page = |times: usize| (0..times).map(|n| format!("<p><b class=c{n}>")).collect::<String>();
    let time = |html: &str| {
        let started = Instant::now();
        parse_html(html);
        started.elapsed()
    };
    let (short, long) = (page(20_000), page(320_000));
    // Sixteen times the page: with the square of it, sixteen times that.
    let (short, long) = (time(&short).max(Duration::from_millis(100)), time(&long));
    assert!(long < short * 60, "{short:?} became {long:?}");
}

#[test]
fn the_page_after_a_deep_nest_is_read_as_usual() {
    let deep = format!("{}x{}<p id=after>y</p>", "<div>".repeat(5_000), "</div>".repeat(5_000));
    let page = parse_html(&deep);
    let last = page.piece(page.piece_count() - 1);
    assert_eq!(last.text, "y");
    assert_eq!(page.sign(last.piece.element).id, "after");
    assert!(page.ancestors(last.piece.element).count() < 20);
}

#[test]
fn ten_megabytes_on_one_line_are_one_piece() {
    let html = format!("<p>{}", "word ".repeat(2_000_000));
    let page = parse_html(&html);
    assert_eq!(page.piece_count(), 1);
    assert_eq!(page.text_bytes(), 9_999_999);
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_page_with_its_pieces_in_bounds(html in ".{0,400}") {
        check(&html);
    }

    #[test]
    fn any_soup_of_tags_is_a_page_with_its_pieces_in_bounds(parts in proptest::collection::vec(soup(), 0..60)) {
        check(&parts.concat());
    }
}

fn soup() -> impl proptest::strategy::Strategy<Value = String> {
    let tags = ["table", "tr", "td", "p", "b", "a", "div", "title", "script", "li", "select", "svg", "template"];
    let mut parts: Vec<String> = tags.iter().flat_map(|t| [format!("<{t}>"), format!("</{t}>")]).collect();
    parts.extend(["text ", "\n", "\r\n", "&amp;", "&bogus", "<3", "<!--", "-->", "\0", "<p hidden>"].map(String::from));
    proptest::sample::select(parts)
}

fn check(html: &str) {
    let page = parse_html(html);
    for view in page.pieces() {
        assert!(view.piece.start <= view.piece.end && view.piece.end as usize <= html.len());
        assert!((view.piece.line as usize) < page.lines.len());
        assert!(!view.text.trim().is_empty());
        let element = page.elements[view.piece.element as usize];
        assert!((element.first_piece..element.end_piece).contains(&(view.number as u32)));
    }
    for (number, element) in page.elements.iter().enumerate() {
        assert!(element.parent as usize <= number && element.end as usize > number);
    }
}
