//! What pages say about themselves: read, judged by the site, searched, counted, exported, and never too much.

use serde_json::{Value, json};

use crate::support::{Desk, unhusk};

const AUTHORS: [&str; 3] = ["Jane Doe", "Ann Roe", "Max Poe"];

/// A site of articles with a logo, a description and a name that all pages have.
fn articles(desk: &Desk, pages: usize) -> String {
    let page = |n: usize| {
        let (author, day) = (AUTHORS[n % 3], n % 28 + 1);
        let year = 2022 + n % 3;
        let html = format!(
            "<html lang=en><title>Tides of day {n} | The Packet</title><meta property=og:image content=/logo.png>\
             <meta name=description content='News of the harbour'><meta name=author content=admin>\
             <script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"headline\":\"Tides of day {n} | The Packet\",\
             \"author\":{{\"name\":\"{author}\"}},\"datePublished\":\"{year}-05-{day:02}T10:00:00+02:00\",\
             \"offers\":{{\"price\":{n}.5,\"priceCurrency\":\"EUR\"}},}}</script><p>High water number{n} at noon."
        );
        json!({ "url": format!("https://packet.test/{n}.html"), "html": html }).to_string() + "\n"
    };
    desk.write("site.jsonl", (0..pages).map(page).collect::<String>())
}

fn fields_of(collection: &str, more: &[&str]) -> Vec<Value> {
    let args = [&["strip", collection, "--strip", "none", "--no-dedup", "--format", "jsonl", "-q"], more].concat();
    let said = unhusk(&args).code(0);
    said.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["fields"].clone()).collect()
}

/// The fields of one page with this head.
fn fields_with(head: &str, more: &[&str]) -> Value {
    let desk = Desk::new();
    let page = desk.write(
        "page.html",
        format!("<!DOCTYPE html><html lang=de><title>A page of its own</title>{head}<body><p>text"),
    );
    fields_of(&page, more).remove(0)
}

#[test]
fn what_the_whole_site_says_alike_is_no_pages_own_and_its_name_is_cut_from_titles() {
    let desk = Desk::new();
    for fields in fields_of(&articles(&desk, 12), &[]) {
        assert!(fields["title"][0].as_str().unwrap().starts_with("Tides of day"), "{fields}");
        assert!(!fields["title"][0].as_str().unwrap().contains("Packet"), "{fields}");
        assert!(fields["image"].is_null() && fields["description"].is_null(), "{fields}");
        assert!(AUTHORS.contains(&fields["author"][0].as_str().unwrap()), "{fields}");
    }
    let explained = unhusk(&["strip", &desk.path("site.jsonl"), "--strip", "none", "--explain"]).code(0);
    assert!(explained.out.contains("fields, believing wrapper, search, json-ld,"), "{}", explained.out);
    assert!(explained.out.contains("the site says so on 12 of 12 pages"), "{}", explained.out);
    // Too few pages prove nothing.
    let few = Desk::new();
    assert_eq!(fields_of(&articles(&few, 3), &[])[0]["description"][0], "News of the harbour");
}

#[test]
fn every_source_is_read_and_the_order_can_be_changed() {
    let head = "<meta property=og:title content='By graph'><meta name=author content='By Meta'>\
        <link rel=canonical href=https://a.test/x><meta name=docsearch:version content=2.0>\
        <script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"By script\"}</script>\
        <body><div itemscope itemtype=https://schema.org/Product><b itemprop=name>By items</b>\
        <span itemprop=offers itemscope><i itemprop=price>12,50 €</i></span></div>\
        <time datetime=2024-05-01>May</time><i data-pagefind-filter=colour>red</i>";
    let fields = fields_with(head, &[]);
    let expected = json!({
        "title": ["By script"], "author": ["Meta"], "url": ["https://a.test/x"], "version": [2.0], "language": ["de"],
        "price": [12.5], "published": ["2024-05-01"], "colour": ["red"], "type": ["Article"],
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&fields[name], value, "{name} in {fields}");
    }
    assert_eq!(fields_with(head, &["--believe", "microdata,open-graph"])["title"], json!(["By items"]));
    assert_eq!(fields_with(head, &["--believe", "open-graph"])["title"], json!(["By graph"]));
    let explained = &fields_with(head, &["--explain"])["title"][0];
    assert_eq!((&explained["source"], &explained["place"]), (&json!("json-ld"), &json!("Article.headline")));
    assert_eq!(fields_with(head, &["--no-metadata"]), json!({}));
    unhusk(&["strip", "x", "--believe", "oracle"]).code(2).complains("there is no source 'oracle'");
}

#[test]
fn pages_are_filtered_sorted_and_counted_by_fields() {
    let desk = Desk::new();
    let index = desk.index(&articles(&desk, 30), &["--strip", "none"]);
    let ask = |more: &[&str]| unhusk(&[&["search", &index, "tides", "-k", "100", "--format", "json"], more].concat());
    let by_doe = ask(&["--filter", "author:\"jane doe\""]).code(0).ids();
    assert_eq!(by_doe.len(), 10);
    assert_eq!(ask(&["--filter", "author:doe"]).ids(), by_doe);
    assert_eq!(unhusk(&["search", &index, "tides author:doe", "-k", "100", "--format", "json"]).ids(), by_doe);
    assert_eq!(ask(&["--filter=-author:doe"]).ids().len(), 20);
    assert_eq!(ask(&["--filter", "published>=2024-01-01"]).ids().len(), 10);
    assert_eq!(ask(&["--filter", "published:2023", "--filter", "author:doe"]).code(1).ids().len(), 0);
    assert_eq!(ask(&["--filter", "price<3"]).ids().len(), 3);
    assert_eq!(unhusk(&["search", &index, "price:<3", "-k", "9", "--format", "json"]).ids().len(), 3);
    let dearest = ask(&["--sort=-price"]).ids();
    assert_eq!(
        (dearest[0].as_str(), dearest[29].as_str()),
        ("https://packet.test/29.html", "https://packet.test/0.html")
    );
    let counted = ask(&["--facet", "author,published", "--filter", "price<10"]).json();
    let values = |facet: usize| counted["facets"][facet]["values"].clone();
    assert_eq!(values(0)[0], json!({ "value": "Jane Doe", "pages": 4 }));
    assert_eq!(values(0).as_array().unwrap().iter().map(|value| value["pages"].as_u64().unwrap()).sum::<u64>(), 10);
    assert_eq!(values(1)[0], json!({ "value": "2022", "pages": 4 }));
    ask(&["--filter", "colour:red"])
        .code(2)
        .complains("there are author, currency, language, price, published, title, type");
    ask(&["--facet", "colour"]).code(2).complains("no page of the index has the field 'colour'");
    ask(&["--filter", "price<cheap"]).code(2).complains("is no condition");
    let queries = desk.write("queries.tsv", "1\ttides\n");
    let run = unhusk(&["run", &index, "--queries", &queries, "--filter", "author:doe", "-q"]).code(0);
    assert_eq!(run.out.lines().count(), 10);
}

#[test]
fn a_run_has_its_counts_beside_it() {
    let desk = Desk::new();
    let index = desk.index(&articles(&desk, 30), &["--strip", "none"]);
    let queries = desk.write("queries.tsv", "q1\ttides\nq2\ttides author:doe\n");
    let ask = |more: &[&str]| {
        unhusk(&[&["run", &index, "--queries", &queries, "--facet", "author", "-q"], more].concat()).code(0)
    };
    let run = ask(&[]);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("q1 Q0 ")).count(), 30);
    assert!(
        run.err.contains("q1\tauthor\tJane Doe\t10\n") && run.err.contains("q2\tauthor\tJane Doe\t10\n"),
        "{}",
        run.err
    );
    assert_eq!(run.err.lines().count(), 4, "{}", run.err);
    let facets = ask(&["--format", "json"]).json()["facets"].clone();
    assert_eq!(
        facets[1],
        json!({"query": "q2", "facets": [{"name": "author", "values": [{"value": "Jane Doe", "pages": 10}]}]})
    );
}

#[test]
fn fields_that_go_are_noticed() {
    let desk = Desk::new();
    let index = desk.index(&articles(&desk, 20), &["--strip", "none"]);
    unhusk(&["info", &index, "--require", "published=90%"]).code(0);
    unhusk(&["info", &index, "--require", "brand=1%"]).code(1).complains("0.0 % of the pages have the field brand");
    let info = unhusk(&["info", &index]).code(0);
    assert!(info.out.contains("author: 20 pages (100.0 %)") && info.out.contains("json-ld 20"), "{}", info.out);
    let bare = (0..20).map(|n| json!({ "url": format!("https://packet.test/{n}.html"), "html": format!("<title>T{n}</title><p>bare {n}") }));
    let bare = desk.write("bare.jsonl", bare.map(|line| line.to_string() + "\n").collect::<String>());
    unhusk(&["update", &index, &bare])
        .code(0)
        .complains("0 % of the pages have the field published, and 100 % had it before");
}

#[test]
fn an_index_a_model_and_an_export_agree_on_fields() {
    let desk = Desk::new();
    let site = articles(&desk, 12);
    let index = desk.index(&site, &["--strip", "table"]);
    let of_index = unhusk(&["export", &index, "--format", "jsonl"]).code(0).out;
    assert_eq!(unhusk(&["export", &site, "--strip", "table", "--format", "jsonl", "-q"]).code(0).out, of_index);
    let model = desk.path("model");
    unhusk(&["model", "learn", &site, "--strip", "table", "-o", &model]).code(0);
    let one = desk.write("one.jsonl", std::fs::read_to_string(&site).unwrap().lines().next().unwrap());
    let fields = |more: &[&str]| {
        let out = unhusk(&[&["export", &one, "-q"], more].concat()).code(0).out;
        serde_json::from_str::<Value>(&out).unwrap()["fields"].clone()
    };
    assert_eq!(fields(&[])["description"], json!(["News of the harbour"]));
    assert!(fields(&["--model", &model])["description"].is_null(), "the model knows the site");
    assert_eq!(fields(&["--no-metadata"]), json!({}));
}

#[test]
fn whatever_a_page_says_it_is_indexed_and_what_cannot_be_is_left_out_and_counted() {
    let nested = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let many: String = (0..10_000).map(|n| format!("\"p{n}\":\"v{n}\",")).collect();
    let article = |rest: &str| format!("{{\"@type\":\"Article\",\"headline\":\"Fine\",{rest}}}");
    let cases = [
        (format!("{{\"x\":\"{}\"}}", "y".repeat(1 << 20)), "too long"),
        (nested, "too many"),
        (article("\"@id\":\"#a\",\"isPartOf\":{\"@id\":\"#a\"},\"datePublished\":\"99999-01-01\""), "impossible"),
        (article("\"author\":\"\\ud800 Doe\",\"offers\":{\"price\":1e400}"), "impossible"),
        (article(&many), "too many"),
        (article("\"datePublished\":\"soon\""), "stayed text"),
        ("{\"@type\"".to_owned(), "broken"),
    ];
    for (script, why) in cases {
        let desk = Desk::new();
        let html = format!("<title>T</title><script type='application/ld+json'>{script}</script><p>findable");
        let site = desk.write("site/a.html", html);
        let index = desk.index(&site, &["--strip", "none", "--fields", "all"]);
        assert_eq!(crate::support::found(&index, "findable").len(), 1);
        let info = unhusk(&["info", &index]).code(0).out;
        assert!(info.contains(why), "{why} in {info}");
    }
}

#[test]
fn hostile_values_stay_text_in_the_terminal() {
    let desk = Desk::new();
    let page = "<title>T</title><meta name=author content='Eve \u{1b}[31mDoe'><meta property=article:published_time content=2024-05-01><p>word";
    let index = desk.index(&desk.write("site/a.html", page), &["--strip", "none"]);
    for args in
        [vec!["search", &index, "word"], vec!["info", &index], vec!["search", &index, "word", "--facet", "author"]]
    {
        let said = unhusk(&args).code(0);
        assert!(!said.out.contains('\u{1b}') && said.out.contains("Eve"), "{said:?}");
    }
}
