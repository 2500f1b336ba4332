//! What a generated site promises.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;

/// Elements without an end tag.
const VOID: [&str; 8] = ["area", "br", "hr", "img", "input", "link", "meta", "!doctype"];

pub(super) fn site(pages: u64, seed: u64, style: Style) -> Site {
    Site::new(Options { pages, seed, style, marks: true }).unwrap()
}

/// A plain reading of HTML: tags in order, and the trimmed text runs between them with their places, scripts and
/// styles left out.
pub(super) fn read(html: &str) -> (Vec<String>, Vec<(usize, usize)>) {
    let (mut tags, mut runs, mut at) = (Vec::new(), Vec::new(), 0);
    let mut raw = false;
    while at < html.len() {
        let open = html[at..].find('<').map_or(html.len(), |n| at + n);
        let text = &html[at..open];
        if !raw && !text.trim().is_empty() {
            let start = at + text.len() - text.trim_start().len();
            runs.push((start, start + text.trim().len()));
        }
        if open == html.len() {
            break;
        }
        let close = open + html[open..].find('>').unwrap();
        let name = html[open + 1..close].split([' ', '\n']).next().unwrap().to_lowercase();
        raw = name == "script" || name == "style";
        tags.push(name);
        at = close + 1;
    }
    (tags, runs)
}

fn unbalanced(tags: &[String]) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for tag in tags.iter().map(String::as_str).filter(|tag| !VOID.contains(tag)) {
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return Some(tag.to_owned()),
            Some(_) => {}
            None => open.push(tag),
        }
    }
    open.pop().map(str::to_owned)
}

/// The page's content, runs joined by a line end, as in the source.
fn content(page: &GeneratedPage) -> String {
    let pieces = page.marks.pieces.iter().filter(|p| !p.part.is_template());
    pieces.map(|p| &page.html[p.start..p.end]).collect::<Vec<_>>().join("\n")
}

/// Every text run is covered by its pieces, end to end, and nothing else is marked.
fn check_marks(page: &GeneratedPage) {
    let (_, runs) = read(&page.html);
    let mut pieces = page.marks.pieces.iter().filter(|p| !p.attribute).peekable();
    for (start, end) in runs {
        let mut reached = start;
        while let Some(piece) = pieces.next_if(|p| p.start < end) {
            assert!(piece.start >= reached && page.html[reached..piece.start].trim().is_empty(), "{}", page.id);
            assert!(piece.end <= end && piece.end > piece.start);
            reached = piece.end;
        }
        assert_eq!(reached, end, "{}: unmarked text {:?}", page.id, &page.html[start..end]);
    }
    assert!(pieces.next().is_none(), "{}: a mark outside of text", page.id);
    for piece in page.marks.pieces.iter().filter(|p| p.attribute) {
        assert!(page.html[..piece.start].ends_with(" alt=\"") && page.html[piece.end..].starts_with('"'));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_another_site() {
    let (a, b, c) = (site(60, 4, Style::Mixed), site(60, 4, Style::Mixed), site(60, 5, Style::Mixed));
    for index in 0..60 {
        assert_eq!(a.page(index), b.page(index));
        assert_ne!(a.page(index).html, c.page(index).html);
    }
    assert_eq!(a.queries(), b.queries());
    assert_eq!(a.judgements(), b.judgements());
}

#[test]
fn a_page_needs_no_page_before_it() {
    let whole: Vec<GeneratedPage> = site(80, 2, Style::Mixed).pages().collect();
    assert_eq!(site(80, 2, Style::Mixed).page(77), whole[77]);
}

#[test]
fn ids_are_unique() {
    let site = site(2_000, 3, Style::Mixed);
    let ids: HashSet<String> = (0..2_000).map(|i| site.id(&site.planner.plan(i))).collect();
    assert_eq!(ids.len(), 2_000);
}

#[test]
fn every_line_with_text_is_marked_and_no_other() {
    for page in site(120, 6, Style::Mixed).pages() {
        let (_, runs) = read(&page.html);
        let letters = page.marks.lines(&page.html);
        assert_eq!(letters.len(), page.html.lines().count());
        let mut start = 0;
        for (line, letter) in page.html.split_inclusive('\n').zip(letters.chars()) {
            let end = start + line.len();
            let bears_text = runs.iter().any(|(s, e)| *s < end && *e > start);
            assert_eq!(bears_text, letter != '-', "{}: {line}", page.id);
            start = end;
        }
    }
}

#[test]
fn each_query_has_a_relevant_page_and_every_judged_page_exists() {
    for pages in [24, 100, 900] {
        let site = site(pages, pages, Style::Block);
        let ids: HashSet<String> = site.pages().map(|page| page.id).collect();
        let judgements = site.judgements();
        assert!(judgements.iter().all(|j| ids.contains(&j.page)));
        let answered: HashSet<&str> = judgements.iter().filter(|j| j.grade > 0).map(|j| j.query.as_str()).collect();
        let queries = site.queries();
        assert!(queries.len() as u64 >= (pages / 4).min(40), "{} for {pages}", queries.len());
        for query in &queries {
            assert!(answered.contains(query.id.as_str()), "{query:?}");
        }
        let pairs: HashSet<(&str, &str)> = judgements.iter().map(|j| (j.query.as_str(), j.page.as_str())).collect();
        assert_eq!(pairs.len(), judgements.len(), "no page is judged twice for a query");
    }
}

#[test]
fn a_page_about_a_topic_has_the_querys_words_in_its_content() {
    let site = site(600, 8, Style::Mixed);
    let pages: HashMap<String, GeneratedPage> = site.pages().map(|page| (page.id.clone(), page)).collect();
    let queries: HashMap<String, String> = site.queries().into_iter().map(|q| (q.id, q.text)).collect();
    let best: Vec<Judgement> = site.judgements().into_iter().filter(|j| j.grade == 2).collect();
    let has_all = |j: &&Judgement| {
        let text = content(&pages[&j.page]).to_lowercase();
        queries[&j.query]
            .split(' ')
            .filter(|word| !["restaurant", "boat"].contains(word))
            .all(|word| text.contains(word))
    };
    let hits = best.iter().filter(has_all).count();
    assert!(hits * 100 > best.len() * 85, "{hits} of {}", best.len());
}

#[test]
fn facts_stand_in_the_content_and_their_values_recur() {
    let site = site(400, 9, Style::Mixed);
    let mut seen: HashMap<String, usize> = HashMap::new();
    for page in site.pages() {
        let text = content(&page);
        for fact in &page.facts {
            assert!(text.contains(&fact.value), "{}: {fact:?}", page.id);
            *seen.entry(format!("{} {}", fact.attribute, fact.value)).or_default() += 1;
        }
    }
    assert!(seen.iter().any(|(fact, pages)| fact.starts_with("harbour") && *pages > 5));
}

#[test]
fn a_print_version_has_its_articles_content_and_a_bare_page_no_template() {
    let site = site(1_000, 10, Style::Mixed);
    let kinds = |kind| (0..1_000).map(|i| site.planner.plan(i)).filter(move |plan| plan.kind == kind);
    for plan in kinds(PageKind::Print) {
        assert_eq!(content(&site.page(plan.index)).split_once('\n'), content(&site.page(plan.source)).split_once('\n'));
    }
    assert!(kinds(PageKind::Print).count() > 15);
    assert!(kinds(PageKind::Bare).all(|plan| site.page(plan.index).templates().is_empty()));
    assert!(kinds(PageKind::Bare).count() > 8);
}

#[test]
fn pages_have_the_promised_size_and_share_of_template() {
    for style in [Style::Table, Style::Block, Style::Mixed] {
        let pages: Vec<GeneratedPage> = site(300, 11, style).pages().collect();
        let size = pages.iter().map(|page| page.html.len()).sum::<usize>() / pages.len();
        let share = pages.iter().map(|page| page.marks.template_share()).sum::<f64>() / pages.len() as f64;
        assert!((6_000..12_000).contains(&size), "{style}: {size}");
        assert!((0.3..0.6).contains(&share), "{style}: {share}");
    }
}

#[test]
fn a_minified_section_has_pages_of_one_line() {
    let site = site(100, 12, Style::Mixed);
    let section = site.sections.iter().position(|s| s.minified).unwrap();
    let pages = (0..100).map(|i| site.planner.plan(i)).filter(|plan| plan.section == section);
    for plan in pages {
        assert_eq!(site.page(plan.index).html.lines().count(), 1);
    }
}

#[test]
fn too_few_pages_and_unknown_styles_are_refused_with_what_was_expected() {
    let error = Site::new(Options { pages: 3, ..Options::default() }).unwrap_err();
    assert_eq!(error.to_string(), "a site of 3 pages cannot be made: expected 24 to 5000000");
    assert!("frames".parse::<Style>().unwrap_err().to_string().contains("table, block or mixed"));
    assert_eq!("block".parse::<Style>().unwrap().to_string(), "block");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_page_is_balanced_and_fully_marked(
        seed in any::<u64>(),
        pages in FEWEST_PAGES..3_000,
        style in prop_oneof![Just(Style::Table), Just(Style::Block), Just(Style::Mixed)],
        at in any::<u64>(),
    ) {
        let site = site(pages, seed, style);
        for index in (0..8).map(|n| at.wrapping_add(n)) {
            let page = site.page(index);
            prop_assert_eq!(unbalanced(&read(&page.html).0), None);
            check_marks(&page);
        }
    }
}
