use super::choose::Choice;
use super::site::{Facts, Sample};
use super::*;
use crate::parse::{Limits, read_html};

/// The page with what it says.
fn page(html: &str) -> Page {
    let mut parsed = read_html(html, Limits::default());
    read(&mut parsed.page, &parsed.said, &Reading::default());
    parsed.page
}

fn texts(fields: &Fields, name: &str) -> Vec<String> {
    fields.get(name).iter().map(|value| value.content.to_string()).collect()
}

/// What the document of a page alone says.
fn chosen(html: &str, name: &str) -> Vec<String> {
    texts(&Choice::default().of(&page(html), None).fields, name)
}

fn script(json: &str) -> String {
    format!("<title>T</title><script type=application/ld+json>{json}</script><p>x")
}

#[test]
fn a_reference_is_the_thing_of_its_id_and_a_circle_ends() {
    let graph = r##"{"@graph":[{"@type":"WebSite","name":"S"},{"@type":"Article","headline":"H","author":{"@id":"#p"}},
        {"@id":"#p","@type":"Person","name":"Jane Doe","worksFor":{"@id":"#o"}},{"@id":"#o","employee":{"@id":"#p"}}]}"##;
    assert_eq!(chosen(&script(graph), "author"), ["Jane Doe"]);
    assert_eq!(chosen(&script(graph), "title"), ["H"]);
}

#[test]
fn a_list_of_things_is_about_none_of_them() {
    let list: Vec<String> =
        (0..6).map(|n| format!(r#"{{"@type":"Product","name":"N{n}","offers":{{"price":{n}}}}}"#)).collect();
    assert!(chosen(&script(&format!("[{}]", list.join(","))), "price").is_empty());
    let called = format!("<title>N4 - Shop</title><script type=application/ld+json>[{}]</script>", list.join(","));
    assert!(chosen(&called, "price").is_empty(), "a name of two letters says nothing");
    let called = called.replace("N4", "Number 4");
    assert_eq!(chosen(&called, "price"), ["4"]);
}

#[test]
fn hidden_things_are_heard_and_do_not_become_text() {
    let html = "<p>a</p><div hidden itemscope itemtype=http://schema.org/Product><b itemprop=name>Net</b>\
        <span itemprop=brand>Skerrow</span><meta itemprop=price content=4></div><p>b</p>";
    assert_eq!(chosen(html, "brand"), ["Skerrow"]);
    assert_eq!(page(html).text_where(|_| true), "a\nb");
}

#[test]
fn titles_lose_what_the_site_is_called_and_keep_their_own_colons() {
    let named =
        "<title>Ships: a history | Skerrow Packet</title><meta property=og:site_name content='The Skerrow Packet'>";
    assert_eq!(chosen(named, "title"), ["Ships: a history"]);
    assert_eq!(chosen("<title>Ships - a history</title>", "title"), ["Ships - a history"]);
}

#[test]
fn samples_of_parts_are_the_sample_of_the_whole() {
    let facts = |n: u32| {
        Facts::of(&page(&format!("<title>P{n} | S</title><meta name=description content='d{}'>", n % 3)).fields)
    };
    let (mut whole, mut parts) = (Sample::default(), [Sample::default(), Sample::default()]);
    for n in 0..500 {
        whole.add(7, &n.to_string(), facts(n));
        parts[n as usize % 2].add(7, &n.to_string(), facts(n));
    }
    let [mut first, second] = parts;
    first.merge(&second);
    assert_eq!(first, whole);
    let sites = whole.learn();
    let site = sites.of(7).expect("the host");
    assert!(site.has_part("S") && !site.has_part("P1"));
    assert!(site.says("description", &Content::Text("d1".to_owned())).is_some());
    assert!(site.says("section", &Content::Text("d1".to_owned())).is_none());
}

#[test]
fn names_are_taken_apart_only_where_all_parts_are_names() {
    assert_eq!(names("By Jane Doe and Ann Roe"), ["Jane Doe", "Ann Roe"]);
    assert_eq!(names("Doe, Jane"), ["Doe, Jane"]);
    assert_eq!(names("https://facebook.com/x"), Vec::<String>::new());
}

#[test]
fn addresses_that_are_no_place_are_left_out() {
    let html =
        "<meta property=og:image content='data:image/png;base64,xx'><meta name=twitter:image content='javascript:x'>";
    assert!(chosen(html, "image").is_empty());
}
