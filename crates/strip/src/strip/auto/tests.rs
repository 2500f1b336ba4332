//! Promises of the method, on sites small enough to read.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;
use crate::strip::{Mark, Reason};
use unhusk_pages::parse::parse_html;
use unhusk_pages::spool::{Encoded, Spool, SpoolWriter};

fn spool(dir: &std::path::Path, pages: &[(String, String)]) -> Spool {
    let mut writer = SpoolWriter::create(&dir.join("spool")).unwrap();
    for (number, (url, html)) in pages.iter().enumerate() {
        let mut page = parse_html(html);
        page.id = format!("{number}");
        page.url.clone_from(url);
        writer.append(&Encoded::new(&page).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

/// Pages of one folder.
fn in_town(pages: &[String]) -> Vec<(String, String)> {
    pages.iter().enumerate().map(|(n, html)| (format!("https://town.example/{n}"), html.clone())).collect()
}

fn masks(auto: &Auto, pages: &[String], threads: usize) -> Vec<(Page, Mask)> {
    masks_at(auto, &in_town(pages), threads)
}

fn masks_at(auto: &Auto, pages: &[(String, String)], threads: usize) -> Vec<(Page, Mask)> {
    let dir = tempfile::tempdir().unwrap();
    let spool = spool(dir.path(), pages);
    let pages = Pages::new(&spool, (0..pages.len() as u32).map(PageNo).collect());
    let model = auto.learn(&pages, Means { threads, scratch: &dir.path().join("learn") }).unwrap();
    let marked = pages.numbers().iter().map(|&number| {
        let page = spool.page(number).unwrap();
        let mask = model.mark(number, &page).unwrap();
        (page, mask)
    });
    marked.collect()
}

fn kept(pages: &[String]) -> Vec<String> {
    kept_at(&in_town(pages))
}

/// What is kept of pages with these addresses.
pub(super) fn kept_at(pages: &[(String, String)]) -> Vec<String> {
    masks_at(&Auto::default(), pages, 2)
        .into_iter()
        .map(|(page, mask)| page.text_where(|piece| mask.keeps(piece)).replace('\n', " / "))
        .collect()
}

fn reasons(pages: &[String], number: usize) -> Vec<Reason> {
    reasons_at(&in_town(pages), number)
}

/// Why pieces of a page are dropped.
pub(super) fn reasons_at(pages: &[(String, String)], number: usize) -> Vec<Reason> {
    let (_, mask) = masks_at(&Auto::default(), pages, 1).swap_remove(number);
    let reason = |mark: &Mark| match mark {
        Mark::Kept => None,
        Mark::Aside(reason) | Mark::Dropped(reason) => Some(*reason),
    };
    mask.marks().iter().filter_map(reason).collect()
}

/// Words that no other page has.
pub(super) fn prose(number: usize, words: usize) -> String {
    (0..words).map(|word| format!("w{}x{word}", letters(number))).collect::<Vec<_>>().join(" ")
}

/// A number in letters, since numbers do not tell places apart.
pub(super) fn letters(number: usize) -> String {
    number.to_string().bytes().map(|digit| (digit - b'0' + b'a') as char).collect()
}

/// A product page: labels that all have, values that differ, a box of other products.
fn product(number: usize, maker: &str) -> String {
    let other = |away: usize| format!("<li><a href=x>Handy {} lamp</a> {away}0 crowns</li>", letters(number + away));
    format!(
        "<div class=menu><a href=/>Home</a> <a href=/l>Lamps</a></div><h1>Lamp {n}</h1>\
         <table><tr><td>Maker:</td><td>{maker}</td></tr><tr><td>Colour:</td><td>{n} red</td></tr>\
         <tr><td>About:</td><td>{about}</td></tr></table><ul>{}{}{}</ul><div>Our shop in Mill Lane</div>",
        other(1),
        other(2),
        other(3),
        n = letters(number),
        about = prose(number, 9)
            + " "
            + &(0..4).map(|row| format!("<p>{}</p>", prose(100 + 10 * number + row, 5))).collect::<String>(),
    )
}

/// A newspaper page.
fn article(number: usize, around: &str) -> String {
    let paragraphs: String = (0..4).map(|part| format!("<p>{}</p>", prose(10 * number + part, 30))).collect();
    format!(
        "<title>Bridge {n} opens again - Town News</title><body class='page-{n}'><div id=top><a href=/>Home</a></div>\
         <h1>Bridge {n} opens again</h1><div class=story>{paragraphs}</div>{around}",
        n = letters(number)
    )
}

#[test]
fn a_menu_goes_and_a_value_stays_though_most_pages_have_it() {
    let pages: Vec<String> =
        (0..20).map(|n| product(n, if n < 17 { "Unnamed" } else { ["Aho", "Berg", "Cole"][n - 17] })).collect();
    let kept = kept(&pages);
    assert!(kept[0].starts_with("Lamp a / Unnamed"), "{}", kept[0]);
    assert!(kept[19].contains("Cole"), "{}", kept[19]);
    assert!(!kept[0].contains("Home") && !kept[0].contains("Mill Lane") && !kept[0].contains("Maker"), "{}", kept[0]);
}

#[test]
fn a_list_of_other_pages_goes_though_every_page_has_another() {
    let list = |n: usize| (1..5).map(move |away| format!("<li><a href=x>{}</a></li>", prose(3000 + 7 * n + away, 5)));
    let pages: Vec<String> =
        (0..20).map(|n| article(n, &format!("<ul>{}</ul>", list(n).collect::<String>()))).collect();
    assert!(!kept(&pages)[0].contains(&prose(3001, 5)), "{}", kept(&pages)[0]);
    assert!(reasons(&pages, 0).contains(&Reason::Listing { entries: 4 }));
}

#[test]
fn links_behind_labels_are_values_and_no_list() {
    let page = |n: usize| {
        let rows = ["Director:", "Writer:", "Composer:"];
        let row = |(at, label): (usize, &&str)| {
            format!("<tr><td>{label}</td><td><a href=x>{}</a></td></tr>", prose(n + at, 2))
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        format!(
            "<div>Films of the town</div><h1>{}</h1><p>{}</p><p>{}</p><table>{rows}</table>",
            prose(500 + n, 8),
            prose(600 + n, 9),
            prose(700 + n, 9)
        )
    };
    let pages: Vec<String> = (0..10).map(|n| page(7 * n)).collect();
    assert!(kept(&pages)[0].contains(&prose(1, 2)), "{}", kept(&pages)[0]);
}

#[test]
fn around_an_article_everything_goes_but_its_headline() {
    let around = |n: usize| {
        format!(
            "<div class=box><p>{}</p></div><div class=reader-comments><p>{}</p></div>",
            prose(1000 + n, 6),
            prose(2000 + n, if n.is_multiple_of(3) { 40 } else { 0 })
        )
    };
    let pages: Vec<String> = (0..12).map(|n| article(n, &around(n))).collect();
    let kept = kept(&pages);
    assert!(kept[0].starts_with("Bridge a opens again / wax0 "), "{}", kept[0]);
    assert!(!kept[0].contains(&prose(1000, 6)) && !kept[0].contains(&prose(2000, 1)), "{}", kept[0]);
    assert!(reasons(&pages, 0).contains(&Reason::Furniture { name: "comment" }));
    assert!(reasons(&pages, 0).contains(&Reason::Outside));
}

#[test]
fn an_index_page_among_articles_keeps_its_links() {
    let mut pages: Vec<String> = (0..12).map(|n| article(n, "")).collect();
    let entries: String = (0..9).map(|n| format!("<li><a href=x>{}</a></li>", prose(3000 + n, 4))).collect();
    pages.push(format!(
        "<title>All</title><div id=top><a href=/>Home</a></div><div class=story><ul>{entries}</ul></div>"
    ));
    assert!(kept(&pages)[12].contains(&prose(3008, 4)), "{}", kept(&pages)[12]);
}

#[test]
fn one_page_and_two_pages_keep_all_their_text() {
    for count in 1..=2 {
        let pages: Vec<String> = (0..count).map(|n| product(n, "Aho")).collect();
        let kept = kept(&pages);
        assert!(kept[0].starts_with("Home Lamps / Lamp a / Maker: / Aho"), "{}", kept[0]);
    }
}

#[test]
fn a_text_is_certain_by_its_place_and_not_by_how_often_it_is_there() {
    // "Drama" is on most pages, here as a value and there in the menu.
    let page = |n: usize| {
        let genre = if n.is_multiple_of(4) { "War" } else { "Drama" };
        format!("<div class=nav2><i>Drama</i></div><h1>{}</h1><b>{genre}</b><p>{}", letters(n), prose(n, 4))
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    assert!(kept(&pages)[1].starts_with("b / Drama"), "{}", kept(&pages)[1]);
}

#[test]
fn a_signal_can_be_left_out() {
    let pages: Vec<String> =
        (0..20).map(|n| article(n, &format!("<ul><li><a href=x>{}", prose(3000 + n, 5)))).collect();
    let without = |signal| {
        let auto = Auto { without: vec![signal], ..Auto::default() };
        let (page, mask) = masks(&auto, &pages, 1).swap_remove(0);
        page.text_where(|piece| mask.keeps(piece))
    };
    assert!(without(Signal::Blocks).contains(&prose(3000, 5)) && !without(Signal::Ways).contains(&prose(3000, 5)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any markup at all, on any number of threads, in any order of ids.
    #[test]
    fn masks_depend_on_the_pages_alone(
        pages in prop::collection::vec("(<(div|p|a|ul|li|h1|table|tr|td)( class=[a-c])?>|</(div|p|a|ul|li)>|[a-d ]{1,12}){0,40}", 1..12),
        sample in 1usize..12,
    ) {
        let auto = Auto { sample, without: Vec::new() };
        let one: Vec<Mask> = masks(&auto, &pages, 1).into_iter().map(|(_, mask)| mask).collect();
        let three: Vec<Mask> = masks(&auto, &pages, 3).into_iter().map(|(_, mask)| mask).collect();
        prop_assert_eq!(one, three);
    }
}

/// A town's newspaper: a short story each, and below it what readers wrote.
fn discussed(comments: usize) -> Vec<String> {
    let page = |number: usize| {
        let story: String = (1..4).map(|part| format!("<p>{}.</p>", prose(100 * number + part, 25))).collect();
        let said =
            |comment| format!("<div class=reader-comment><p>{}</p></div>", prose(100 * number + 50 + comment, 30));
        format!(
            "<title>Bridge {n}</title><body><div id=top><a href=/>Home of the town</a></div><h1>Bridge {n}</h1>\
             <div class=story>{story}</div><div class=reader-comments>{}</div>",
            (0..comments).map(said).collect::<String>(),
            n = letters(number)
        )
    };
    (1..13).map(page).collect()
}

fn findings(pages: &[String]) -> serde_json::Map<String, serde_json::Value> {
    let dir = tempfile::tempdir().unwrap();
    let spool = spool(dir.path(), &in_town(pages));
    let means = Means { threads: 1, scratch: &dir.path().join("learn") };
    Auto::default().learn(&Pages::all(&spool), means).unwrap().findings()
}

#[test]
fn where_next_to_nothing_of_what_only_a_page_says_would_be_left_it_stays() {
    let backed_off = |pages: &[String]| {
        let checked = findings(pages)["self_check"][0]["leaving"].as_array().unwrap().clone();
        checked.into_iter().filter(|leaving| leaving["backed_off"] == true).collect::<Vec<_>>()
    };
    let few = discussed(1);
    assert!(backed_off(&few).is_empty(), "{:?}", findings(&few));
    assert!(!kept(&few)[0].contains(&prose(150, 30)), "one comment is aside");
    let many = discussed(40);
    let [blocks] = &backed_off(&many)[..] else { panic!("{:?}", findings(&many)) };
    assert_eq!(blocks["signal"], "blocks");
    assert!(kept(&many)[0].contains(&prose(150, 30)), "forty comments are what the page says");
}

#[test]
fn layouts_are_found_where_a_site_mixes_them() {
    let story = |number: usize| {
        format!("<title>S</title><main><h1>{}</h1><p>{}</p></main>", prose(number, 3), prose(number + 50, 30))
    };
    let record = |number: usize| {
        let row = |name: &str, at: usize| {
            format!("<tr><th>{name}</th><td class={name}>{}</td></tr>", prose(1000 + 10 * number + at, 2))
        };
        format!("<title>R</title><table>{}{}{}</table>", row("height", 1), row("weight", 2), row("age", 3))
    };
    let pages: Vec<String> = (0..8).map(story).chain((0..8).map(record)).collect();
    assert_eq!(findings(&pages)["layouts"], 2);
    assert_eq!(findings(&pages[..8])["layouts"], 1);
}

/// Articles with a box of four links below each. `entry` gives where a link of a page leads, and what is said there.
fn with_boxes(entry: impl Fn(usize, usize) -> (String, String)) -> Vec<String> {
    let page = |number: usize| {
        let story: String = (1..5).map(|part| format!("<p>{}.</p>", prose(100 * number + part, 30))).collect();
        let entries: String = (1..5)
            .map(|at| entry(number, at))
            .map(|(href, said)| format!("<div class=entry><a href={href}>{said}</a></div>"))
            .collect();
        format!("<title>T</title><main><h1>{}</h1>{story}</main><div class=box>{entries}</div>", prose(100 * number, 3))
    };
    (0..20).map(page).collect()
}

#[test]
fn entries_of_a_list_stay_where_the_pages_they_lead_to_do_not_say_the_same() {
    let other = |number: usize, at: usize| (number + 3 * at) % 20;
    let teaser = |number: usize, at: usize| prose(100 * other(number, at) + 1, 6);
    let variant = |number: usize, at: usize| prose(5000 + 10 * number + at, 6);
    let told = with_boxes(|number, at| (format!("/{}", other(number, at)), teaser(number, at)));
    assert!(!kept(&told)[0].contains(&teaser(0, 1)), "teasers of known pages are aside");
    let unknown = with_boxes(|number, at| (format!("/elsewhere/{number}/{at}"), variant(number, at)));
    assert!(!kept(&unknown)[0].contains(&variant(0, 1)), "nobody knows what the other pages say");
    let own = with_boxes(|number, at| (format!("/{}", other(number, at)), variant(number, at)));
    assert!(kept(&own)[0].contains(&variant(0, 1)), "what only this page says is its own: {}", kept(&own)[0]);
}
