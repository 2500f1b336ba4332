//! The server's pages in a real browser.

use serde_json::json;

use crate::browser::{Browser, Theme};
use crate::server::{Server, Town};
use crate::serving::made;
use crate::support::Desk;

/// A town, its server and a browser; none where there is no browser.
fn visit() -> Option<(Town, Server, Browser)> {
    let browser = Browser::start()?;
    let town = Town::new();
    let server = town.judged();
    Some((town, server, browser))
}

#[test]
fn a_search_is_typed_and_its_address_can_be_shared_and_gone_back_to() {
    let Some((_town, server, mut browser)) = visit() else { return };
    browser.open(&server.url("/"));
    browser.picture("welcome");
    assert_eq!(browser.text("document.activeElement.id"), "q");
    browser.type_in("haddock chowder");
    browser.leading(|browser| browser.key("Enter"));
    let first = browser.text("location.pathname + location.search");
    assert!(first.starts_with("/?q=haddock+chowder"), "{first}");
    assert_eq!(browser.text("document.querySelector('.result h2').innerText.slice(0, 19)"), "Page 2 of the paper");
    assert_eq!(browser.value("document.querySelectorAll('.result mark').length"), 2);
    browser.picture("search");
    browser.leading(|browser| browser.click(".result h2 a"));
    assert_eq!(browser.text("location.pathname"), "/page");
    let history = browser.call("Page.getNavigationHistory", json!({}));
    let current = history["currentIndex"].as_u64().unwrap() as usize;
    browser.call("Page.navigateToHistoryEntry", json!({"entryId": history["entries"][current - 1]["id"]}));
    browser.until(
        "location.search.startsWith('?q=haddock+chowder') && document.getElementById('q').value === 'haddock chowder'",
    );
    assert_eq!(browser.complaints(), [""; 0]);
    assert_eq!(browser.strangers(&server.url("/")), [""; 0]);
}

#[test]
fn keys_reach_the_box_and_move_through_results() {
    let Some((_town, server, mut browser)) = visit() else { return };
    browser.open(&server.url("/?q=choir"));
    browser.key("j");
    browser.key("j");
    assert_eq!(browser.value("[...document.querySelectorAll('.result')].findIndex(r => r.matches('.current'))"), 1);
    browser.key("k");
    assert_eq!(browser.value("document.activeElement === document.querySelector('.result h2 a')"), true);
    browser.key("/");
    assert_eq!(browser.text("document.activeElement.id"), "q");
    browser.key("Escape");
    browser.key("j");
    browser.leading(|browser| browser.key("Enter"));
    assert_eq!(browser.text("location.pathname"), "/page");
}

#[test]
fn everything_that_can_be_used_has_a_name_and_a_place_in_the_tab_order() {
    let Some((_town, server, mut browser)) = visit() else { return };
    for path in ["/?q=choir", "/compare?q=law+court", "/page?id=news/p0.html&index=table", "/templates"] {
        browser.open(&server.url(path));
        let nameless = "[...document.querySelectorAll('a, button, input:not([type=hidden]), select, iframe')].filter(e => \
            !(e.innerText || '').trim() && !e.getAttribute('aria-label') && !e.title && !(e.labels && e.labels.length)).map(e => e.outerHTML)";
        assert_eq!(browser.value(nameless), json!([]), "{path}");
        assert_eq!(browser.value("document.querySelectorAll('main, h1').length"), 2, "{path}");
        assert_eq!(browser.value("document.querySelectorAll('[tabindex]:not([tabindex=\"0\"])').length"), 0, "{path}");
        assert_eq!(browser.text("document.documentElement.lang"), "en");
    }
}

#[test]
fn a_menu_is_one_entry_of_the_templates_and_opens_to_its_texts() {
    let Some(mut browser) = Browser::start() else { return };
    let desk = Desk::new();
    let server = Server::start(&[&desk.index("collections/harbour", &[])]);
    browser.open(&server.url("/templates"));
    browser.picture("templates");
    let seen = "document.querySelector('.list details li').checkVisibility()";
    assert_eq!(browser.value(seen), false);
    browser.click(".list details summary");
    browser.until(seen);
    browser.picture("templates-open");
    let texts = browser.text("document.querySelector('.list details').innerText");
    assert!(["Obituaries", "Directory", "83 pages"].iter().all(|text| texts.contains(text)), "{texts}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn lines_join_the_places_of_a_document_in_both_rankings() {
    let Some((_town, server, mut browser)) = visit() else { return };
    browser.open(&server.url("/compare?q=law+court+choir+item"));
    browser.picture("side");
    // A line begins and ends at the middle of its two rows, as they are on the screen.
    let gaps = browser.value(
        "(() => { const svg = document.querySelector('.lines'); const box = svg.getBoundingClientRect(); \
         const scale = box.height / svg.viewBox.baseVal.height; const gaps = []; \
         for (const path of document.querySelectorAll('.lines path')) { \
           for (const [side, at] of [['left', 0], ['right', path.getTotalLength()]]) { \
             const row = path.dataset[side] && document.querySelector(`.result[data-${side}=\"${path.dataset[side]}\"]`); \
             if (!row) continue; const r = row.getBoundingClientRect(); \
             const y = box.top + path.getPointAtLength(at).y * scale; gaps.push(Math.abs(y - (r.top + r.height / 2))); } } \
         return gaps; })()",
    );
    let gaps: Vec<f64> = gaps.as_array().unwrap().iter().map(|gap| gap.as_f64().unwrap()).collect();
    assert!(gaps.len() >= 10 && gaps.iter().all(|gap| *gap < 4.0), "{gaps:?}");
    browser.key("j");
    assert!(browser.value("document.querySelectorAll('.result.lit').length").as_u64().unwrap() >= 1);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_click_judges_and_another_takes_it_back_with_and_without_script() {
    let Some((town, server, mut browser)) = visit() else { return };
    let qrels = || std::fs::read_to_string(&town.qrels).unwrap();
    let pressed = "document.querySelector('.after .judge button[data-grade=\"1\"]').getAttribute('aria-pressed')";
    browser.open(&server.url("/compare?q=gale"));
    browser.click(".after .judge button[data-grade=\"1\"]");
    browser.until(&format!("{pressed} === 'true'"));
    assert!(qrels().ends_with("q1 0 news/p3.html 1\n"), "{}", qrels());
    browser.picture("judge");
    browser.key("j");
    browser.key("n");
    browser.until("document.querySelector('.judge button[data-grade=\"0\"]').getAttribute('aria-pressed') === 'true'");
    assert!(qrels().ends_with("q1 0 news/p3.html 0\n"), "{}", qrels());
    browser.key("n");
    browser.until("document.querySelector('.judge button[data-grade=\"0\"]').getAttribute('aria-pressed') === 'false'");
    assert!(!qrels().contains("q1"), "{}", qrels());
    browser.without_script();
    browser.open(&server.url("/compare?q=gale"));
    browser.leading(|browser| browser.click(".after .judge button[data-grade=\"1\"]"));
    assert!(qrels().ends_with("q1 0 news/p3.html 1\n"), "{}", qrels());
    assert_eq!(browser.text(pressed), "true");
    assert!(browser.text("location.search").contains("a=none&b=table"));
}

#[test]
fn without_script_searching_comparing_and_looking_work() {
    let Some((_town, server, mut browser)) = visit() else { return };
    browser.without_script();
    browser.open(&server.url("/"));
    browser.click("#q");
    browser.type_in("choir");
    browser.leading(|browser| browser.click(".go"));
    assert_eq!(browser.value("document.querySelectorAll('.result').length"), 10);
    browser.leading(|browser| browser.click("a[rel=next]"));
    assert_eq!(browser.value("document.querySelector('ol.results').start"), 11);
    browser.leading(|browser| browser.click(".state a"));
    assert_eq!(browser.text("location.pathname"), "/compare");
    assert!(browser.value("document.querySelectorAll('.lines path').length").as_u64().unwrap() >= 10);
    browser.leading(|browser| browser.click(".after .result a"));
    assert!(browser.value("document.querySelectorAll('del').length").as_u64().unwrap() >= 1);
}

#[test]
fn a_page_is_shaded_by_reason_beside_itself_and_nothing_runs_or_leaves_the_frame() {
    let Some((_town, server, mut browser)) = visit() else { return };
    browser.open(&server.url("/page?id=news/p0.html&index=table"));
    browser.picture("page");
    let shades = "[...document.querySelectorAll('del, .swatch')].map(e => getComputedStyle(e).backgroundColor)";
    let shades = browser.value(shades);
    assert_eq!(shades[0], shades[1], "the legend has the colour of the text");
    assert_ne!(shades[0], "rgba(0, 0, 0, 0)");
    for index in ["none", "table"] {
        browser.open(&server.url(&format!("/page?id=hostile/h.html&index={index}")));
        pause();
        assert_eq!(browser.text("location.pathname"), "/page");
        assert!(
            !browser.text("document.title").contains("owned") || browser.text("document.title").contains("<script>")
        );
        assert_eq!(
            browser.value("document.querySelector('iframe').contentDocument"),
            json!(null),
            "an origin of its own"
        );
        browser.picture(&format!("hostile-{index}"));
    }
    // Opened by itself, it is as harmless.
    browser.open(&server.url("/source?id=hostile/h.html"));
    pause();
    assert_eq!(browser.text("location.pathname"), "/source");
    assert_eq!(browser.text("origin"), "null");
    assert_ne!(browser.text("document.title"), "owned");
    let asked = browser.strangers(&server.url("/"));
    assert_eq!(asked, [""; 0]);
}

/// Time for a page to do harm. Not waited for in the page: where no script runs, no timer does.
fn pause() {
    std::thread::sleep(std::time::Duration::from_millis(500));
}

#[test]
fn a_hostile_page_changes_nothing_in_lists() {
    let Some((_town, server, mut browser)) = visit() else { return };
    for path in
        ["/?q=harpoon", "/compare?q=harpoon", "/templates?index=table", "/?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E"]
    {
        browser.open(&server.url(path));
        assert_eq!(
            browser.value(
                "document.querySelectorAll('main script, main img, main form:not(.ask):not(.judge), main base').length"
            ),
            0
        );
        assert_ne!(browser.text("document.title"), "owned");
        assert!(browser.value("document.documentElement.scrollWidth <= innerWidth").as_bool().unwrap(), "{path}");
        browser.picture(&format!("hostile-list-{}", path.len()));
    }
    assert_eq!(browser.complaints(), [""; 0]);
    assert_eq!(browser.strangers(&server.url("/")), [""; 0]);
}

/// The least contrast of all text with what is behind it, as accessibility guidelines compute it, and where it is.
const LEAST_CONTRAST: &str = r"(() => {
    const part = x => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
    const light = c => .2126 * part(c[0]) + .7152 * part(c[1]) + .0722 * part(c[2]);
    const rgb = s => (s.match(/[\d.]+/g) || []).map(Number);
    const behind = e => {
        for (; e; e = e.parentElement) {
            const c = rgb(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    const said = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    let least = [99, ''];
    for (const e of document.querySelectorAll('body, body *')) {
        if (!said(e) || !e.getClientRects().length || e.closest('.hidden, .skip, script, option')) continue;
        const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
        const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (contrast < least[0]) least = [contrast, e.outerHTML.slice(0, 200)];
    }
    return least;
})()";

#[test]
fn on_a_phone_and_in_the_dark_nothing_is_cut_off_and_text_can_be_read() {
    let Some((_town, server, mut browser)) = visit() else { return };
    made(&server);
    for (width, name) in [(360, "phone"), (1280, "wide")] {
        browser.size(width, 780);
        for path in [
            "/",
            "/?q=choir",
            "/compare?q=law+court+choir",
            "/page?id=news/p0.html&index=table",
            "/templates?index=table",
            "/report",
            "/?q=choudwer",
        ] {
            browser.open(&server.url(path));
            let wide = browser.value("[document.documentElement.scrollWidth, innerWidth]");
            assert!(wide[0].as_u64() <= wide[1].as_u64(), "{path} is {wide} wide");
            browser.picture(&format!("{name}-{}", path.trim_matches('/').replace(['?', '&', '=', '/', '+'], "-")));
        }
    }
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        browser.theme(theme);
        for path in [
            "/?q=choir",
            "/?q=choudwer",
            "/compare?q=law+court+choir",
            "/page?id=news/p0.html&index=table",
            "/templates?index=table",
            "/report",
        ] {
            browser.open(&server.url(path));
            let least = browser.value(LEAST_CONTRAST);
            assert!(least[0].as_f64().unwrap() >= 4.5, "{name} {path}: {least}");
            browser.picture(&format!("{name}-{}", path.trim_matches('/').replace(['?', '&', '=', '/', '+'], "-")));
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
