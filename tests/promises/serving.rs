//! `unhusk serve`, asked over HTTP.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{Interface, Server, Town};
use crate::support::{Desk, PROGRAM, unhusk};

#[test]
fn a_search_has_title_address_snippet_and_time_and_needs_no_script() {
    let server = Town::new().serve(&[]);
    let html = server.get("/?q=haddock+chowder").status(200).body;
    for part in [
        "Page 2 of the paper",
        "http://town.example/archive/old/p2.html",
        "<mark>haddock</mark>",
        " ms",
        "Results 1 to 1",
    ] {
        assert!(html.contains(part), "no {part:?} in {html}");
    }
    assert!(html.contains("value=\"haddock chowder\""), "the box keeps what was asked");
}

#[test]
fn every_answer_is_as_the_interface_describes_it() {
    let town = Town::new();
    let server = town.judged();
    let interface = Interface::read();
    let asked = [
        ("Search", "/api/search?q=law&k=3"),
        ("Search", "/api/search?q=law&k=3&page=2&index=table&host=town.example&dir=/news/"),
        ("Search", "/api/search?q=haddok"),
        ("Search", "/api/search"),
        ("Compare", "/api/compare?q=law+court"),
        ("Compare", "/api/compare?q=nothing-at-all&a=table&b=none&k=50"),
        ("Page", "/api/page?id=news/p0.html&index=table"),
        ("Page", "/api/page?id=hostile/h.html"),
        ("Templates", "/api/templates?index=table"),
        ("Templates", "/api/templates?index=none"),
        ("Report", "/api/report"),
        ("Health", "/api/health"),
    ];
    made(&server);
    for (kind, path) in asked {
        let value = server.json(path);
        assert_eq!(interface.wrong(kind, &value), None, "{path}: {value:#}");
    }
    let judged = json!({"query": "law court", "id": "news/p3.html", "grade": 0}).to_string();
    let judged = server.post("/api/judge", "application/json", &judged, &[]).status(200).json();
    assert_eq!(interface.wrong("Judged", &judged), None);
    for (status, path) in
        [(400, "/api/search?k=0"), (404, "/api/page?id=gone"), (404, "/api/nothing"), (404, "/api/search?index=x")]
    {
        assert_eq!(interface.wrong("Problem", &server.get(path).status(status).json()), None, "{path}");
    }
    for path in interface.paths() {
        let is_asked = asked.iter().any(|(_, asked)| asked.split('?').next() == Some(&path)) || path == "/api/judge";
        assert!(is_asked, "{path} is described and not asked for");
    }
    assert_eq!(server.json("/api/openapi.json")["openapi"], "3.1.0");
}

#[test]
fn the_description_of_the_interface_refuses_other_answers() {
    let interface = Interface::read();
    let good = json!({"error": "x"});
    assert_eq!(interface.wrong("Problem", &good), None);
    for bad in [json!({}), json!({"error": 1}), json!({"error": "x", "more": 1})] {
        assert!(interface.wrong("Problem", &bad).is_some(), "{bad}");
    }
}

#[test]
fn results_are_paged_to_the_end_and_each_page_comes_once() {
    let server = Town::new().serve(&[]);
    let mut seen = Vec::new();
    for page in 1.. {
        let answer = server.json(&format!("/api/search?q=choir&k=7&page={page}"));
        seen.extend(answer["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()));
        if !answer["more"].as_bool().unwrap() {
            break;
        }
    }
    let total = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((total, seen.len()), (26, 26));
    let html = server.get("/?q=choir&page=2").status(200).body;
    assert!(html.contains("rel=\"prev\" href=\"/?q=choir&#38;index=none\"") && html.contains("page=3"), "{html}");
}

#[test]
fn host_and_directory_narrow_the_search() {
    let server = Town::new().serve(&[]);
    let ids = |path: &str| -> Vec<String> {
        let answer = server.json(path);
        answer["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    let old = ids("/api/search?q=choir&k=100&dir=/archive/");
    assert_eq!(old.len(), 9);
    assert!(old.iter().all(|id| id.starts_with("archive/old/")));
    assert_eq!(ids("/api/search?q=choir&host=town.example&k=100").len(), 26);
    assert!(ids("/api/search?q=choir&host=elsewhere.example").is_empty());
    let html = server.get("/?q=choir&dir=/law/").status(200).body;
    assert!(html.contains("<option value=\"/law/\" selected>/law/ (10)</option>"), "{html}");
}

#[test]
fn an_empty_result_offers_what_does_find_something() {
    let server = Town::new().serve(&[]);
    let offered = |path: &str| -> Vec<(String, String)> {
        let answer = server.json(path);
        let list = answer["suggestions"].as_array().unwrap().clone();
        let pair = |s: Value| (s["why"].as_str().unwrap().to_owned(), s["query"].as_str().unwrap().to_owned());
        list.into_iter().map(pair).collect()
    };
    let pair = |why: &str, query: &str| (why.to_owned(), query.to_owned());
    assert_eq!(offered("/api/search?q=choudwer"), [pair("did you mean", "chowder")]);
    assert!(offered("/api/search?q=chowder&dir=/law/").contains(&pair("in the whole site", "chowder")));
    assert!(offered("/api/search?q=%22chowder+haddock%22").contains(&pair("any of the words", "chowder haddock")));
    assert!(offered("/api/search?q=technology&index=table").contains(&pair("in the index none", "technology")));
    assert!(server.get("/?q=choudwer").body.contains(">chowder</bdi>"));
    assert!(offered("/api/search?q=zzzzzzzz").is_empty());
}

#[test]
fn side_by_side_tells_what_rose_fell_came_and_went() {
    let server = Town::new().judged();
    let answer = server.json("/api/compare?q=law+court&k=5");
    assert_eq!((&answer["before"]["index"], &answer["after"]["index"]), (&json!("none"), &json!("table")));
    assert_eq!(answer["query_id"], "law");
    // The menu says "law" on every page; without it one page has the word.
    assert_eq!(answer["before"]["hits"].as_array().unwrap().len(), 5);
    assert_eq!(answer["after"]["hits"].as_array().unwrap().len(), 1);
    assert_eq!(answer["after"]["hits"][0]["id"], "news/p0.html");
    assert_eq!(answer["after"]["hits"][0]["change"], "same");
    assert_eq!(answer["after"]["hits"][0]["grade"], 1);
    assert_eq!(answer["before"]["hits"][4]["change"], "went");
    let html = server.get("/compare?q=law+court").status(200).body;
    assert_eq!(html.matches("<path class=").count(), 10);
    assert!(html.contains("relevant: 1 before, 1 after"), "{html}");
}

#[test]
fn a_page_shows_what_was_dropped_and_why_and_which_templates_are_on_it() {
    let server = Town::new().serve(&[]);
    let view = server.json("/api/page?id=news/p0.html&index=table");
    let dropped: Vec<&Value> =
        view["stretches"].as_array().unwrap().iter().filter(|s| !s["reason"].is_null()).collect();
    assert!(dropped[0]["text"].as_str().unwrap().contains("every other part of the town paper"));
    assert!(view["reasons"][0]["text"].as_str().unwrap().contains("31 of 31 pages"), "{view:#}");
    assert_eq!(view["templates"][0]["pages"], 31);
    assert!(view["kept_bytes"].as_u64() < view["text_bytes"].as_u64());
    let html = server.get("/page?id=news/p0.html&index=table").status(200).body;
    assert!(html.contains("<del class=\"why-0\"") && html.contains("<iframe sandbox=\"\""), "{html}");
    let plain = server.get("/source?id=news/p0.html&index=table").status(200);
    assert!(plain.body.contains("<nav><a href=/a>Health</a>"), "{}", plain.body);
    let shaded = server.get("/source?id=news/p0.html&index=table&shade=1").status(200).body;
    // The first reason of the legend has the first shade in the frame.
    let reason = view["reasons"][0]["text"].as_str().unwrap();
    assert!(
        shaded.contains(&format!("<span class=\"unhusk-dropped unhusk-why-0\" title=\"dropped: {reason}\">")),
        "{shaded}"
    );
}

#[test]
fn without_kept_pages_the_view_shows_what_was_indexed_and_says_what_is_missing() {
    let server = Town::with(&[]).serve(&[]);
    let view = server.json("/api/page?id=news/p0.html&index=table");
    assert_eq!(view["has_source"], false);
    assert!(view["missing"].as_str().unwrap().contains("--keep-pages"));
    assert!(view["stretches"][0]["text"].as_str().unwrap().starts_with("Mooring fees"));
    server.get("/page?id=news/p0.html").status(200);
    server.get("/source?id=news/p0.html").status(404);
    let server = Town::with(&["--no-store"]).serve(&[]);
    assert!(server.json("/api/page?id=news/p0.html")["missing"].as_str().unwrap().contains("--no-store"));
    server.get("/?q=law").status(200);
}

#[test]
fn kept_pages_are_no_part_of_the_index_and_the_same_on_any_number_of_threads() {
    let desk = Desk::new();
    let site = desk.generated(200);
    let place = |name: &str| std::path::PathBuf::from(desk.path(name));
    for (name, more) in
        [("one", &["--keep-pages", "--threads", "1"][..]), ("two", &["--keep-pages", "--threads", "3"]), ("bare", &[])]
    {
        let out = desk.path(name);
        let args = ["index", &site, "--strip", "table", "--out", &out];
        unhusk(&[&args, more].concat()).code(0);
    }
    let manifest = |name: &str| crate::support::manifest(place(name).to_str().unwrap());
    assert_eq!(manifest("one"), manifest("bare"));
    for file in ["pages/records", "pages/places"] {
        assert_eq!(fs::read(place("one").join(file)).unwrap(), fs::read(place("two").join(file)).unwrap(), "{file}");
    }
    assert!(!place("bare").join("pages").exists());
}

#[test]
fn templates_come_with_the_largest_saving_first() {
    let server = Town::new().serve(&[]);
    let list = server.json("/api/templates");
    assert_eq!(list["index"], "table", "the first index that has some");
    let saved: Vec<u64> =
        list["templates"].as_array().unwrap().iter().map(|t| t["bytes_saved"].as_u64().unwrap()).collect();
    assert!(!saved.is_empty() && saved.is_sorted_by(|a, b| a >= b), "{saved:?}");
    let html = server.get("/templates").status(200).body;
    assert!(html.contains("every other part of the town paper") && html.contains("31</strong> pages"), "{html}");
    assert!(server.get("/templates?index=none").status(200).body.contains("keeps everything"));
}

#[test]
fn the_report_of_the_open_indexes_is_there_with_a_query_set_only() {
    let town = Town::new();
    let server = town.judged();
    made(&server);
    let html = server.get("/report").status(200).body;
    assert!(html.contains("With and without templates") && html.contains("<svg"), "{html}");
    assert!(!html.contains("<style") && !html.contains("style="), "the policy allows no inline style");
    let server = town.serve(&[]);
    assert!(server.get("/report").status(404).body.contains("--queries"));
    assert!(!server.get("/").body.contains("href=\"/report\""));
}

/// Waits until the report is made.
pub(crate) fn made(server: &Server) {
    let started = Instant::now();
    while server.get("/api/report").status == 202 {
        assert!(started.elapsed() < Duration::from_secs(100), "the report is never made");
    }
}

#[test]
fn judging_writes_files_that_compare_reads() {
    let town = Town::new();
    let (queries, qrels) = (town.desk.path("new/q.tsv"), town.desk.path("new/q.txt"));
    fs::create_dir(town.desk.path("new")).unwrap();
    let server = town.serve(&["--queries", &queries, "--qrels", &qrels, "--judge"]);
    let judge = |query: &str, id: &str, grade: Value| {
        let body = json!({"query": query, "id": id, "grade": grade}).to_string();
        server.post("/api/judge", "application/json", &body, &[])
    };
    assert_eq!(judge("law  court", "news/p0.html", json!(1)).status(200).json()["query_id"], "q1");
    judge("law court", "law/p1.html", json!(0)).status(200);
    judge("gale", "news/p3.html", json!(1)).status(200);
    judge("gale", "law/p1.html", json!(1)).status(200);
    judge("gale", "law/p1.html", Value::Null).status(200);
    judge("gale", "gone.html", json!(1)).status(404);
    judge("gale", "news/p3.html", json!(10)).status(400);
    judge("", "news/p3.html", json!(1)).status(400);
    assert_eq!(fs::read_to_string(&queries).unwrap(), "q1\tlaw court\nq2\tgale\n");
    assert_eq!(fs::read_to_string(&qrels).unwrap(), "q1 0 news/p0.html 1\nq1 0 law/p1.html 0\nq2 0 news/p3.html 1\n");
    let form = "q=gale&id=law%2Fp1.html&grade=0&a=none&b=table&k=5";
    let back = server.post("/judge", "application/x-www-form-urlencoded", form, &[]).status(303);
    assert_eq!(back.header("location"), Some("/compare?q=gale&a=none&b=table&k=5"));
    let site = town.desk.path("site");
    unhusk(&["compare", &site, "--queries", &queries, "--qrels", &qrels, "--strip", "none,table", "--no-dedup"])
        .code(0);
    assert_eq!(town.desk.names().iter().filter(|name| name.starts_with(".unhusk")).count(), 0);
}

#[test]
fn nobody_judges_unless_that_was_asked_for() {
    let town = Town::new();
    let server = town.serve(&["--queries", &town.queries, "--qrels", &town.qrels]);
    let body = json!({"query": "law court", "id": "news/p0.html", "grade": 0}).to_string();
    server.post("/api/judge", "application/json", &body, &[]).status(403);
    assert!(!server.get("/?q=law").body.contains("class=\"judge\""));
    unhusk(&["serve", &town.none, "--judge"]).code(2).complains("--queries");
}

#[test]
fn an_index_that_is_built_again_is_reopened_and_no_request_fails() {
    let town = Town::new();
    let server = town.serve(&[]);
    let site = town.desk.path("site");
    let (done, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    server.get("/api/search?q=choir&index=table").status(200);
                    server.get("/api/page?id=news/p0.html&index=table").status(200);
                    asked.fetch_add(2, Ordering::Relaxed);
                }
            });
        }
        for round in 0..4 {
            town.desk.write("site/news/p0.html", format!("<title>Anew</title><p>Rebuilt in round{round} of many."));
            unhusk(&[
                "index",
                &site,
                "--out",
                &town.table,
                "--strip",
                "table",
                "--no-dedup",
                "--keep-pages",
                "--force",
            ])
            .code(0);
            let found = || {
                !server.json(&format!("/api/search?q=round{round}&index=table"))["hits"].as_array().unwrap().is_empty()
            };
            let started = Instant::now();
            while !found() {
                assert!(started.elapsed() < Duration::from_secs(20), "the new index does not answer");
                std::thread::sleep(Duration::from_millis(50));
            }
            let source = server.get("/source?id=news/p0.html&index=table").status(200).body;
            assert!(source.contains(&format!("round{round}")), "{source}");
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(asked.load(Ordering::Relaxed) > 10);
}

#[test]
fn an_index_that_cannot_be_reopened_leaves_the_old_one_answering() {
    let town = Town::new();
    let server = town.serve(&[]);
    fs::write(format!("{}/manifest.json", town.table), "{\"format\": 99}").unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(server.json("/api/search?q=choir&index=table")["hits"].as_array().unwrap().len(), 10);
    fs::remove_dir_all(&town.table).unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    server.get("/page?id=news/p0.html&index=table").status(200);
}

#[test]
fn a_signal_ends_the_server_well() {
    let mut server = Town::new().serve(&[]);
    let idle = server.connect();
    let killed = std::process::Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(killed.success());
    let started = Instant::now();
    assert_eq!(server.wait(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(8));
    drop(idle);
}

#[test]
fn the_search_page_is_opened_on_request() {
    let town = Town::new();
    let opened = town.desk.path("opened");
    let opener = town
        .desk
        .write("programs/xdg-open", format!("#!/bin/sh\nprintf %s \"$1\" >{opened}.new\nmv {opened}.new {opened}\n"));
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", town.desk.path("programs"), std::env::var("PATH").unwrap());
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--addr", "127.0.0.1:0", "--quiet", "--open", &town.none]).env("PATH", path);
    let server = Server::spawn(&mut command);
    let started = Instant::now();
    while !fs::exists(&opened).unwrap() {
        assert!(started.elapsed() < Duration::from_secs(20), "nothing is opened");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_to_string(&opened).unwrap(), server.url("/"));
}

#[test]
fn what_cannot_be_served_is_told_at_once() {
    let town = Town::new();
    unhusk(&["serve", &town.desk.path("gone")]).code(2).complains("there is no index at");
    unhusk(&["serve", &town.none, "--queries", "gone.tsv"]).code(2).complains("gone.tsv");
    let server = town.serve(&[]);
    unhusk(&["serve", &town.none, "--addr", &server.addr.to_string()]).code(2).complains("cannot listen on");
}
