#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;
use unhusk_pages::parse::parse_html;
use unhusk_pages::spool::{Encoded, Spool, SpoolWriter};

fn spool(dir: &std::path::Path, pages: &[String]) -> Spool {
    let mut writer = SpoolWriter::create(&dir.join("spool")).unwrap();
    for (number, html) in pages.iter().enumerate() {
        let mut page = parse_html(html);
        page.id = format!("{number}");
        writer.append(&Encoded::new(&page).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn learn<T>(table: &Table, pages: &[String], threads: usize, read: impl Fn(&TableModel, &Pages<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let spool = spool(dir.path(), pages);
    let pages = Pages::new(&spool, (0..pages.len() as u32).map(PageNo).collect());
    let means = Means { threads, scratch: &dir.path().join("learn") };
    let model = table.learn(&pages, means, None).unwrap();
    read(&model, &pages)
}

fn kept(table: &Table, pages: &[String]) -> Vec<String> {
    learn(table, pages, 2, |model, pages| {
        let numbers = pages.numbers().iter();
        numbers
            .map(|&number| {
                let page = pages.spool().page(number).unwrap();
                let mask = model.mark(number, &page).unwrap();
                page.text_where(|piece| mask.keeps(piece))
            })
            .collect()
    })
}

fn at_least(pages: u32) -> Table {
    Table { min_df: Threshold::Pages(pages), short_words: 0, ..Table::default() }
}

#[test]
fn a_chunk_on_enough_pages_goes_and_one_on_fewer_stays() {
    let pages: Vec<String> = (0..4)
        .map(|n| format!("<nav>Home News</nav>{}<p>story {n}", if n < 3 { "<p>By staff</p>" } else { "" }))
        .collect();
    assert_eq!(kept(&at_least(4), &pages)[0], "By staff\nstory 0");
    assert_eq!(kept(&at_least(3), &pages)[0], "story 0");
}

#[test]
fn a_chunk_twice_on_a_page_counts_once() {
    let pages = vec!["<p>again</p><p>again</p><p>a</p>".to_owned(), "<p>again</p><p>b</p>".to_owned()];
    assert_eq!(kept(&at_least(3), &pages), ["again\nagain\na", "again\nb"]);
    assert_eq!(kept(&at_least(2), &pages), ["a", "b"]);
}

#[test]
fn a_site_of_one_page_has_no_template() {
    let table = Table { min_df: Threshold::Share(0.01), ..Table::default() };
    assert_eq!(kept(&table, &["<nav>Home</nav><p>text".to_owned()]), ["Home\ntext"]);
}

#[test]
fn a_short_chunk_needs_half_of_the_pages() {
    let pages: Vec<String> = (0..10)
        .map(|n| {
            format!("<p>page {n}</p>{}", if n < 4 { "<p>Italian</p><p>a sentence of several words</p>" } else { "" })
        })
        .collect();
    let table = Table { min_df: Threshold::Pages(3), short_words: 3, ..Table::default() };
    assert_eq!(kept(&table, &pages)[0], "page 0\nItalian");
}

#[test]
fn templates_are_listed_with_text_pages_savings_and_example() {
    let pages: Vec<String> = (0..5).map(|n| format!("<nav>Home | News</nav><p>story {n}")).collect();
    learn(&at_least(4), &pages, 1, |model, _| {
        let listed = model.templates();
        assert_eq!(listed.len(), 1);
        let Template { text, pages, times, bytes_saved, example, .. } = &listed[0];
        assert_eq!((text.as_str(), *pages, *times, *bytes_saved, example.as_str()), ("Home | News", 5, 5, 55, "0"));
    });
}

#[test]
fn a_sample_is_drawn_by_its_seed_and_strips_every_page() {
    let pages: Vec<String> = (0..30).map(|n| format!("<nav>Home News</nav><p>story {n}")).collect();
    let sample = |seed| Some(Sample { pages: 6, seed });
    let table = Table { sample: sample(1), ..at_least(4) };
    assert!(kept(&table, &pages).iter().all(|text| !text.contains("Home")));
    let numbers: Vec<PageNo> = (0..30).map(PageNo).collect();
    assert_eq!(draw(&numbers, sample(1).unwrap()), draw(&numbers, sample(1).unwrap()));
    assert_ne!(draw(&numbers, sample(1).unwrap()), draw(&numbers, sample(2).unwrap()));
}

#[test]
fn discovery_grows_with_the_sample() {
    // A section's box is on a third of the pages; the site's navigation is on all.
    let page = |n: usize| format!("<nav>Home News Sport</nav><aside>Box of section {}</aside><p>story {n}", n % 3);
    let pages: Vec<String> = (0..60).map(page).collect();
    let found = |size| {
        let table = Table { sample: Some(Sample { pages: size, seed: 7 }), ..at_least(4) };
        learn(&table, &pages, 1, |model, _| model.templates().len())
    };
    assert_eq!(found(3), 0);
    assert_eq!(found(6), 1);
    assert_eq!(found(60), 4);
    let curve: Vec<usize> = [3, 6, 12, 24, 60].map(found).to_vec();
    assert!(curve.is_sorted(), "{curve:?}");
}

#[test]
fn thresholds_are_read_and_written() {
    assert_eq!("4".parse(), Ok(Threshold::Pages(4)));
    assert_eq!("10%".parse(), Ok(Threshold::Share(0.1)));
    assert_eq!(Threshold::Share(0.1).to_string(), "10%");
    for bad in ["", "0", "1", "-3", "0%", "101%", "x%", "1.5"] {
        assert!(bad.parse::<Threshold>().is_err(), "{bad}");
    }
}

/// The method in a few lines, for pages of paragraphs only.
fn naive(pages: &[Vec<u8>], min: u32) -> Vec<Vec<u8>> {
    let on = |chunk: u8| pages.iter().filter(|page| page.contains(&chunk)).count() as u32;
    pages.iter().map(|page| page.iter().copied().filter(|&chunk| on(chunk) < min).collect()).collect()
}

proptest! {
    #[test]
    fn counting_is_exact_whatever_the_threads_and_the_memory(
        pages in proptest::collection::vec(proptest::collection::vec(0u8..200, 0..30), 1..20),
        min in 2u32..6,
        threads in 1usize..4,
        tiny in any::<bool>(),
    ) {
        let html = |page: &Vec<u8>| page.iter().map(|chunk| format!("<p>w{chunk}</p>")).collect::<String>();
        let sources: Vec<String> = pages.iter().map(html).collect();
        let table = Table { memory: if tiny { 1 } else { 1 << 20 }, ..at_least(min) };
        let expected: Vec<Vec<String>> = naive(&pages, min)
            .into_iter()
            .map(|page| page.into_iter().map(|chunk| format!("w{chunk}")).collect())
            .collect();
        let (found, distinct, spilled) = learn(&table, &sources, threads, |model, pages| {
            let texts = pages.numbers().iter().map(|&number| {
                let page = pages.spool().page(number).unwrap();
                let mask = model.mark(number, &page).unwrap();
                page.pieces().filter(|view| mask.keeps(view.number)).map(|view| view.text.to_owned()).collect::<Vec<_>>()
            });
            (texts.collect::<Vec<_>>(), model.distinct, model.spilled)
        });
        prop_assert_eq!(found, expected);
        let all: HashSet<u8> = pages.iter().flatten().copied().collect();
        prop_assert_eq!(distinct, all.len() as u64);
        if tiny && threads == 1 && all.len() > 100 {
            prop_assert!(spilled > 0);
        }
    }
}
