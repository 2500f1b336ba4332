//! The server among hostile pages and clients: limits, headers, who may ask.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream, UdpSocket};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::server::{Server, Town, reply};
use crate::support::{PROGRAM, skipped, unhusk};

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
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"), "{path}");
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
fn unless_told_otherwise_only_the_loopback_interface_is_listened_on() {
    // Connecting a datagram socket sends nothing: it only asks which address would be used.
    let own = || -> std::io::Result<IpAddr> {
        let socket = UdpSocket::bind("0.0.0.0:0")?;
        socket.connect("192.0.2.1:9")?;
        Ok(socket.local_addr()?.ip())
    };
    let Some(own) = own().ok().filter(|own| !own.is_loopback()) else {
        return skipped("no address but the loopback's", "connect this machine to a network");
    };
    if TcpListener::bind("127.0.0.1:7700").is_err() {
        return skipped("somebody else listens on port 7700", "stop what listens there");
    }
    let town = Town::new();
    let server = Server::spawn(Command::new(PROGRAM).args(["serve", "--quiet", &town.none]));
    assert_eq!(server.addr.to_string(), "127.0.0.1:7700");
    server.get("/api/health").status(200);
    let refused = TcpStream::connect_timeout(&(own, 7700).into(), Duration::from_secs(5)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
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
