//! Promises about sections, the way to a page, the way on, and counters.

#![allow(clippy::unwrap_used)]

use super::tests::{kept_at, letters, prose, reasons_at};
use crate::strip::Reason;

const SECTIONS: [&str; 5] = ["Harbour", "Health", "Law", "Sport", "Weather"];

/// The page of a section, and where it lies.
fn page(number: usize) -> (String, String) {
    let section = SECTIONS[number % SECTIONS.len()];
    let folder = section.to_lowercase();
    let url = format!("https://town.example/{folder}/1999/{}.html", letters(number));
    let html = format!(
        "<title>Story {n}</title><div><a href=/>Front page</a> &gt; <a href=/{folder}/>{section}</a> &gt; \
         <a href=index.html>1999</a> &gt; Story {n}</div><h1>Story {n}</h1><table><tr><td>Genre:</td><td>Drama and Romance of {section}</td></tr></table>\
         <p>{own}</p><p>{more}</p><div>Next: <a href=x.html>Story {after}</a></div>\
         <table><tr><td>Members read more</td></tr><tr><td>Whoever reads about {section} every day may like to have our letter, free of charge, each \
         morning at seven, and can leave it at any time.</td></tr></table>\
         <div>Last changed on {day} March 2003, and seen by readers so far {count} times.</div>",
        n = letters(number),
        own = prose(number, 30),
        more = prose(1000 + number, 14),
        after = letters(number + 1),
        day = 1 + number % 28,
        count = 100 + 7 * number,
    );
    (url, html)
}

fn site(pages: usize) -> Vec<(String, String)> {
    (0..pages).map(page).collect()
}

#[test]
fn what_a_section_repeats_word_for_word_is_dropped_with_its_heading() {
    let kept = kept_at(&site(80));
    assert!(kept.iter().all(|text| !text.contains("our letter") && !text.contains("Members read")), "{}", kept[3]);
    let reasons = reasons_at(&site(80), 3);
    assert!(reasons.iter().any(|reason| matches!(reason, Reason::Repeated { pages: 16, of: 80 })), "{reasons:?}");
}

#[test]
fn a_value_behind_its_label_stays_however_many_pages_share_it() {
    let kept = kept_at(&site(80));
    assert!(kept[3].contains("Drama and Romance of Sport"), "{}", kept[3]);
}

#[test]
fn a_post_that_a_small_site_shows_on_several_pages_stays() {
    let pages: Vec<(String, String)> = (0..20)
        .map(|number| {
            let post = prose(if number < 8 { 7 } else { number }, 40);
            let html = format!("<div><p>{post}</p></div><p>{}</p>", prose(100 + number, 30));
            (format!("https://town.example/{number}"), html)
        })
        .collect();
    assert!(!reasons_at(&pages, 0).iter().any(|reason| matches!(reason, Reason::Repeated { .. })));
}

#[test]
fn the_way_to_a_page_is_dropped_where_its_links_lead_up_the_address() {
    let kept = kept_at(&site(80));
    assert!(kept[3].starts_with("Story d / Drama and Romance"), "{}", kept[3]);
    assert!(reasons_at(&site(80), 3).contains(&Reason::Way));
}

#[test]
fn links_that_lead_elsewhere_are_no_way_to_the_page() {
    let elsewhere: Vec<(String, String)> = site(80)
        .into_iter()
        .map(|(url, html)| {
            (url, html.replace("href=/sport/>", "href=/find?sport>").replace("href=index.html", "href=year.html"))
        })
        .collect();
    assert!(kept_at(&elsewhere)[3].contains("Sport"), "{}", kept_at(&elsewhere)[3]);
}

#[test]
fn the_last_part_of_the_site_that_the_way_names_stays() {
    let two_steps: Vec<(String, String)> =
        site(80).into_iter().map(|(url, html)| (url, html.replace(" &gt; <a href=index.html>1999</a>", ""))).collect();
    let kept = kept_at(&two_steps);
    assert!(kept[3].starts_with("Sport"), "{}", kept[3]);
    assert!(!kept[3].contains("Front page"));
}

#[test]
fn a_link_to_the_next_page_goes_and_the_line_about_the_file_too() {
    let kept = kept_at(&site(80));
    assert!(!kept[3].contains("Next") && !kept[3].contains("Story e"), "{}", kept[3]);
    assert!(!kept[3].contains("Last changed"), "{}", kept[3]);
    assert!(reasons_at(&site(80), 3).contains(&Reason::Counter));
}

#[test]
fn numbers_in_fixed_words_stay_where_more_is_said_behind_them() {
    let inside: Vec<(String, String)> = (0..40)
        .map(|number| {
            let html = format!(
                "<div>It runs well in town for about {} miles a gallon here</div><p>{}</p><b>{}</b>",
                20 + number,
                prose(number, 9),
                prose(500 + number, 4)
            );
            (format!("https://town.example/{number}"), html)
        })
        .collect();
    assert!(kept_at(&inside)[5].contains("25 miles"), "{}", kept_at(&inside)[5]);
}

#[test]
fn signs_between_dropped_texts_go_with_them() {
    let pages: Vec<(String, String)> = (0..20)
        .map(|number| {
            let html = format!(
                "<div><a>Home</a> | <a>Help</a> | <a>Map</a></div><p>{} – {}</p>",
                prose(number, 9),
                letters(number)
            );
            (format!("https://town.example/{number}"), html)
        })
        .collect();
    let kept = kept_at(&pages);
    assert!(!kept[2].contains('|') && kept[2].contains('–'), "{}", kept[2]);
}
