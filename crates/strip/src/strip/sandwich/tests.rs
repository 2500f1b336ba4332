#![allow(clippy::unwrap_used)]

use super::*;
use crate::strip::Mark;
use unhusk_pages::parse::{parse, parse_html};
use unhusk_pages::read::{Origin, RawPage};
use unhusk_pages::spool::{Encoded, SpoolWriter};

/// A page and its peer, and what is left of the page.
struct Case {
    name: &'static str,
    page: &'static str,
    peer: &'static str,
    by_line: &'static str,
    by_token: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "content between slices of bread",
        page: "<div>Home</div>\n<p>Tides</p>\n<div>Imprint</div>\n",
        peer: "<div>Home</div>\n<p>Ferries</p>\n<div>Imprint</div>\n",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "template between two parts of the content",
        page: "<div>Home</div>\n<p>Tides</p>\n<div>Advertisement</div>\n<p>High water</p>\n<div>Imprint</div>",
        peer: "<div>Home</div>\n<p>Ferries</p>\n<div>Advertisement</div>\n<p>At noon</p>\n<div>Imprint</div>",
        by_line: "Tides\nHigh water",
        by_token: "Tides\nHigh water",
    },
    Case {
        name: "a script whose opening line is shared and whose body is not",
        page: "<script>\nvar page = 'tides';\n</script>\n<p>Tides</p>",
        peer: "<script>\nvar page = 'ferries';\n</script>\n<p>Ferries</p>",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "a script whose closing line is shared",
        page: "<script>var a = 1;\n</script>\n<p>Tides</p>",
        peer: "<p>Ferries</p>\n</script>\n",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "a tag that spans lines, one of them shared",
        page: "<div id=a\n class='box'\n>Tides</div>\n<p>Home</p>",
        peer: "<div id=b\n class='box'\n>Ferries</div>\n<p>Home</p>",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "a tag whose last line is shared with its text",
        page: "<a href='/tides'\n>Read more</a>\n<p>Tides</p>",
        peer: "<a href='/ferries'\n>Read more</a>\n<p>Ferries</p>",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "a comment that spans shared lines",
        page: "<p>Home</p>\n<!-- tides\n<p>Imprint</p>\n-->\n<p>Tides</p>",
        peer: "<p>Home</p>\n<p>Imprint</p>\n-->\n<p>Ferries</p>",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "text on lines that are in a comment on the other page only",
        page: "<p>Home</p>\n<p>Old news</p>\n<p>Tides</p>",
        peer: "<p>Home</p>\n<!--\n<p>Old news</p>\n-->\n<p>Ferries</p>",
        by_line: "Tides",
        by_token: "Old news\nTides",
    },
    Case {
        name: "CRLF against LF",
        page: "<div>Home</div>\r\n<p>Tides</p>\r\n<div>Imprint</div>\r\n",
        peer: "<div>Home</div>\n<p>Ferries</p>\n<div>Imprint</div>\n",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "a byte order mark on one of the two",
        page: "\u{feff}<div>Home</div>\n<p>Tides</p>",
        peer: "<div>Home</div>\n<p>Ferries</p>",
        by_line: "Tides",
        by_token: "Tides",
    },
    Case {
        name: "pages that are equal",
        page: "<div>Home</div>\n<p>Tides</p>",
        peer: "<div>Home</div>\n<p>Tides</p>",
        by_line: "",
        by_token: "",
    },
    Case {
        name: "a page that is contained in its peer",
        page: "<div>Home</div>\n<p>Tides</p>",
        peer: "<div>Home</div>\n<p>Ferries</p>\n<p>Tides</p>\n<p>Weather</p>",
        by_line: "",
        by_token: "",
    },
    Case {
        name: "a page that contains its peer",
        page: "<div>Home</div>\n<p>Ferries</p>\n<p>Tides</p>",
        peer: "<div>Home</div>\n<p>Tides</p>",
        by_line: "Ferries",
        by_token: "Ferries",
    },
    Case {
        name: "one line for the whole page",
        page: "<div>Home</div><p>Tides</p><div>Imprint</div>",
        peer: "<div>Home</div><p>Ferries</p><div>Imprint</div>",
        by_line: "Home\nTides\nImprint",
        by_token: "Tides",
    },
    Case {
        name: "lines in another order",
        page: "<p>One</p>\n<p>Two</p>\n<p>Three</p>",
        peer: "<p>Three</p>\n<p>One</p>\n<p>Two</p>",
        by_line: "Three",
        // Six tags in order are as long as four tags and two words.
        by_token: "One\nTwo\nThree",
    },
    Case {
        name: "a word that is shared in a sentence that is not",
        page: "<p>The tides of May</p>",
        peer: "<p>The ferries of June</p>",
        by_line: "The tides of May",
        by_token: "The tides of May",
    },
    Case { name: "an empty peer", page: "<p>Tides</p>", peer: "", by_line: "Tides", by_token: "Tides" },
    Case { name: "an empty page", page: "", peer: "<p>Tides</p>", by_line: "", by_token: "" },
];

fn page(url: &str, html: &str) -> Page {
    parse(&RawPage {
        stamp: None,
        id: url.to_owned(),
        url: url.to_owned(),
        bytes: html.as_bytes().to_vec(),
        content_type: Some("text/html; charset=utf-8".to_owned()),
        origin: Origin { file: "test".into(), offset: 0 },
    })
}

/// What is kept of each page, as the model sees a collection.
fn kept(sandwich: Sandwich, pages: &[(&str, &str)]) -> (Vec<String>, serde_json::Map<String, serde_json::Value>) {
    let dir = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = pages.iter().map(|(url, html)| page(url, html)).collect();
    let mut writer = SpoolWriter::create(&dir.path().join("spool")).unwrap();
    for page in &pages {
        writer.append(&Encoded::new(page).unwrap()).unwrap();
    }
    let spool = writer.finish().unwrap();
    let numbers: Vec<PageNo> = (0..spool.len() as u32).map(PageNo).collect();
    let means = Means { threads: 2, scratch: dir.path() };
    let model = sandwich.learn(&Pages::new(&spool, numbers.clone()), means).unwrap();
    let texts = numbers.iter().zip(&pages).map(|(&number, page)| {
        let mask = model.mark(number, page).unwrap();
        page.text_where(|piece| mask.keeps(piece))
    });
    (texts.collect(), model.findings())
}

fn sandwich(peer: PeerRule, unit: UnitRule) -> Sandwich {
    Sandwich { peer, unit, group: Group::Directory }
}

#[test]
fn each_case_keeps_what_it_should() {
    for case in CASES {
        let pages = [("d/a", case.peer), ("d/b", case.page)];
        for (unit, expected) in [(UnitRule::Line, case.by_line), (UnitRule::Token, case.by_token)] {
            for peer in [PeerRule::Closest, PeerRule::Previous] {
                let (texts, _) = kept(sandwich(peer, unit), &pages);
                assert_eq!(texts[1], expected, "{}, {unit:?}, {peer:?}", case.name);
            }
        }
    }
}

#[test]
fn a_page_without_a_peer_is_kept_whole() {
    let pages = [("a/1", "<p>Home</p>\n<p>Tides</p>"), ("b/1", "<p>Home</p>\n<p>Ferries</p>")];
    let (texts, findings) = kept(Sandwich::default(), &pages);
    assert_eq!(texts, ["Home\nTides", "Home\nFerries"]);
    assert_eq!((findings["pages_with_peer"].as_u64(), findings["groups"].as_u64()), (Some(0), Some(2)));
    let host = Sandwich { group: Group::Host, ..Sandwich::default() };
    assert_eq!(kept(host, &pages).0, ["Tides", "Ferries"]);
}

#[test]
fn the_previous_page_is_that_of_the_same_directory() {
    let pages = [
        ("a/1", "<p>Home</p>\n<p>One</p>"),
        ("b/1", "<p>Shop</p>\n<p>Two</p>"),
        ("a/2", "<p>Home</p>\n<p>Two</p>"),
        ("b/2", "<p>Shop</p>\n<p>One</p>"),
    ];
    let (texts, findings) = kept(sandwich(PeerRule::Previous, UnitRule::Line), &pages);
    assert_eq!(texts, ["Home\nOne", "Shop\nTwo", "Two", "One"]);
    assert_eq!(findings["pages_with_peer"], 2);
}

#[test]
fn the_closest_page_is_found_by_name_and_not_by_place() {
    let pages = [
        ("d/article-1", "<p>News</p>\n<p>One</p>"),
        ("d/shop-1", "<p>Shop</p>\n<p>Net</p>"),
        ("d/article-2", "<p>News</p>\n<p>Two</p>"),
        ("d/shop-2", "<p>Shop</p>\n<p>Line</p>"),
    ];
    let (texts, findings) = kept(sandwich(PeerRule::Closest, UnitRule::Line), &pages);
    assert_eq!(texts, ["One", "Net", "Two", "Line"]);
    assert_eq!(findings["pages_with_peer"], 4);
}

#[test]
fn a_running_crawl_marks_as_the_index_does() {
    let pages: Vec<(String, String)> = (0..40)
        .map(|n| {
            let content: String = (0..12).map(|k| format!("<li>item {}</li>", (n * 7 + k * k) % 30)).collect();
            let content = if n % 3 == 0 { content } else { content.replace("<li>", "\n<li>") };
            (format!("d{}/{n}", n % 4), format!("<p>Home</p>\n<p>Menu</p>\n<ul>{content}</ul>\n<p>Imprint</p>"))
        })
        .collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, html)| (url.as_str(), html.as_str())).collect();
    for unit in [UnitRule::Line, UnitRule::Token, UnitRule::Auto] {
        let (expected, _) = kept(sandwich(PeerRule::Previous, unit), &pages);
        let mut crawl = Crawl::new(unit, Group::Directory);
        let texts: Vec<String> = pages
            .iter()
            .map(|(url, html)| {
                let page = page(url, html);
                let mask = crawl.next(&page);
                page.text_where(|piece| mask.keeps(piece))
            })
            .collect();
        assert_eq!(texts, expected, "{unit:?}");
    }
}

#[test]
fn a_dropped_piece_names_the_peer_and_the_unit() {
    let many: String = (0..10).map(|n| format!("<p>{n}</p>")).collect();
    let mut crawl = Crawl::default();
    crawl.next(&parse_html(&many));
    let mask = crawl.next(&parse_html(&format!("{many}<p>new</p>")));
    assert_eq!(mask.marks()[0], Mark::Dropped(Reason::Common { peer: PageNo(0), unit: Unit::Token }));
    assert_eq!(mask.marks()[10], Mark::Kept);
}

#[test]
fn the_manifest_tells_units_bytes_and_pages_with_nothing_left() {
    let one_line: String = (0..20).map(|n| format!("<p>{n}</p>")).collect();
    let pages = [
        ("d/1", "<p>Home</p>\n<p>Tides</p>\n"),
        ("d/2", "<p>Home</p>\n<p>Tides</p>\n"),
        ("d/3", "<p>Home</p>\n<p>Ferries</p>\n"),
        ("d/4", one_line.as_str()),
    ];
    let (_, findings) = kept(sandwich(PeerRule::Previous, UnitRule::Auto), &pages);
    assert_eq!(findings["compared_by_line"], 2);
    assert_eq!(findings["compared_by_token"], 1);
    assert_eq!(findings["pages_emptied"], 1);
    let all: usize = pages.iter().map(|(_, html)| html.len()).sum();
    assert_eq!(findings["html_bytes"], all);
    // All of the second page, and the first line of the third.
    assert_eq!(findings["html_bytes_kept"], all - pages[1].1.len() - "<p>Home</p>\n".len());
    assert_eq!(findings["bounds"]["lcs_not_exact"], 0);
}
