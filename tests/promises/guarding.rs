//! The server among hostile pages and clients: limits, headers, who may ask.

use std::fs;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::server::{Town, reply};
use crate::support::unhusk;

#[test]
fn what_asks_for_too_much_is_refused_in_words() {
    let server = Town::new().serve(&[]);
    let long = "x".repeat(1001);
    for (path, words) in [
        (format!("/?q={long}"), "longer than 1000 bytes"),
        ("/?q=law&k=101".to_owned(), "from 1 to 100"),
        ("/?q=law&k=0".to_owned(), "from 1 to 100"),
        ("/?q=law&k=-1".to_owned(), "from 1 to 100"),
        ("/?q=law&page=101".to_owned(), "from 1 to 100"),
        ("/?q=law&k=100&page=11".to_owned(), "from 1 to 10"),
        ("/page".to_owned(), "parameter id"),
        (format!("/page?id={}", "x".repeat(4097)), "longer than 4096"),
    ] {
        let reply = server.get(&path).status(400);
        assert!(reply.body.contains(words), "{path}: {}", reply.body);
    }
    server.get(&format!("/api/search?q={}", "x".repeat(1000))).status(200);
    server.get("/api/search?q=law&k=100&page=10").status(200);
    server.get(&format!("/api/search?q=law&index={}", "x".repeat(40_000))).status(400);
}

#[test]
fn no_path_leads_out_of_the_indexes() {
    let server = Town::new().serve(&[]);
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../Cargo.toml",
        "/assets/%00",
        "/assets/..%2fstyle.css",
        "//etc/passwd",
    ] {
        server.get(path).status(404);
    }
    for id in ["../../etc/passwd", "/etc/passwd", "%00", "news/p0.html%00", "....//p0.html", "..%5c..%5cx"] {
        server.get(&format!("/page?id={id}")).status(404);
        server.get(&format!("/source?id={id}")).status(404);
        server.get(&format!("/page?id=news/p0.html&index={id}")).status(404);
    }
    for method in ["DELETE", "PUT", "TRACE", "PROPFIND"] {
        let answer =
            server.send(format!("{method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes());
        assert_eq!(reply(&answer.unwrap()).status, 405, "{method}");
    }
}

#[test]
fn a_hostile_page_stays_text_everywhere() {
    let server = Town::new().judged();
    for path in [
        "/?q=harpoon",
        "/compare?q=harpoon",
        "/page?id=hostile/h.html&index=none",
        "/page?id=hostile/h.html&index=table",
        "/templates",
    ] {
        let reply = server.get(path).status(200);
        for bad in [
            "<script>d",
            "onerror=\"d",
            "onload=\"d",
            "</textarea>",
            "<link rel=preconnect",
            "http-equiv=refresh",
            "onmouseover=\"",
            "\u{202E}",
            "\u{2066}",
        ] {
            assert!(!reply.body.contains(bad), "{bad:?} in {path}");
        }
        assert!(reply.body.len() < 100_000, "an enormous title is cut: {} bytes for {path}", reply.body.len());
    }
    let hostile = "/?q=%3Cscript%3Ealert(1)%3C/script%3E%22%27&dir=%22%3E%3Cscript%3E&host=%27%3E%3Csvg";
    assert!(!server.get(hostile).status(200).body.contains("<script>alert"));
    assert!(!server.get("/page?id=%3Cscript%3Ealert(1)%3C/script%3E").status(404).body.contains("<script>alert"));
}

#[test]
fn every_answer_carries_a_strict_policy_and_a_pages_source_its_own() {
    let server = Town::new().judged();
    for path in [
        "/",
        "/?q=law",
        "/compare?q=law",
        "/page?id=news/p0.html",
        "/templates",
        "/report",
        "/nothing",
        "/api/health",
        "/assets/app.js",
        "/?k=0",
    ] {
        let reply = server.get(path);
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"), "{path}");
    }
    let source = server.get("/source?id=hostile/h.html").status(200);
    let policy = source.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox; default-src 'none'; style-src 'unsafe-inline'"), "{policy}");
    assert!(source.body.contains("<link rel=none  rel=preconnect"), "{}", source.body);
}

#[test]
fn only_this_machine_is_answered_unless_others_are_let_in() {
    let town = Town::new();
    unhusk(&["serve", &town.none, "--addr", "0.0.0.0:0"]).code(2).complains("--allow-remote");
    unhusk(&["serve", &town.none, "--addr", "[::]:0"]).code(2).complains("--allow-remote");
    let server = town.judged();
    server.get_as("/api/health", &[("Host", "evil.example")]).status(403);
    server.get_as("/api/health", &[("Host", "127.0.0.1.evil.example:80")]).status(403);
    server.get_as("/api/health", &[("Host", "localhost:1234")]).status(200);
    let body = json!({"query": "law court", "id": "news/p0.html", "grade": 0}).to_string();
    for header in [("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        server.post("/api/judge", "application/json", &body, &[header]).status(403);
        server
            .post("/judge", "application/x-www-form-urlencoded", "q=law&id=news/p0.html&grade=0", &[header])
            .status(403);
    }
    assert!(fs::read_to_string(&town.qrels).unwrap().starts_with("# by hand\nlaw 0 news/p0.html 1\n"));
}

#[test]
fn sixty_four_at_once_good_and_hostile_see_their_own_answers_and_health_stays_green() {
    let server = Town::new().judged();
    let huge = format!("GET /?q={} HTTP/1.1\r\nHost: localhost\r\n\r\n", "y".repeat(200_000));
    let headers = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-A: b\r\n".repeat(5000));
    let body = "POST /api/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{";
    let rude: [&[u8]; 8] = [
        huge.as_bytes(),
        headers.as_bytes(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"POST /judge HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzzzz\r\n",
        b"GET /page?id=%ff%fe%00../.. HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"\r\n\r\n\r\n\r\n",
    ];
    let round = |client: usize, round: usize| {
        match (client + round) % 4 {
            0 => {
                // A connection that is dropped in the middle, too.
                let mut stream = server.connect();
                let _ = stream.write_all(body.as_bytes());
            }
            1 => {
                let _ = server.send(rude[(client + round) % rude.len()]);
            }
            _ => {
                let item = (client * 7 + round) % 26 + 4;
                let answer = server.json(&format!("/api/search?q=%2Bitem+%2B{item}&index=none"));
                assert_eq!(answer["query"], format!("+item +{item}"));
                let title = answer["hits"][0]["title"].as_str().unwrap();
                assert_eq!(title, format!("Page {item} of the paper"));
            }
        }
    };
    let storm = |rounds: std::ops::Range<usize>| {
        std::thread::scope(|scope| {
            for client in 0..64 {
                let (rounds, round) = (rounds.clone(), &round);
                scope.spawn(move || rounds.for_each(|at| round(client, at)));
            }
        });
    };
    storm(0..8);
    let before = server.memory();
    storm(8..40);
    let after = server.memory();
    assert_eq!(server.json("/api/health")["status"], "ok");
    assert!(after < before + (32 << 20), "memory went from {before} to {after} bytes");
}

#[test]
fn slow_clients_are_cut_off_and_hold_up_nobody() {
    let server = Town::new().serve(&[]);
    let started = Instant::now();
    let mut slow: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    }
    let mut endless = server.connect();
    endless.write_all(b"POST /api/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{").unwrap();
    while started.elapsed() < Duration::from_secs(5) {
        for stream in &mut slow {
            stream.write_all(b"h").unwrap();
        }
        let asked = Instant::now();
        server.get("/api/search?q=choir").status(200);
        assert!(asked.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(500));
    }
    let mut answer = Vec::new();
    for stream in &mut slow {
        let _ = stream.read_to_end(&mut answer);
    }
    let took = started.elapsed();
    assert!(took < Duration::from_secs(40), "cut off after {took:?}");
    let mut said = String::new();
    let _ = endless.read_to_string(&mut said);
    assert!(said.is_empty() || reply(&said).status >= 400, "{said}");
    server.get("/api/health").status(200);
}
