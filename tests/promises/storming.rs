//! The server under a storm: ten thousand requests, 64 at once, good and hostile, beside slow clients and bodies without an end.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::server::{Server, Town, reply};

const CLIENTS: usize = 64;
/// What every client does before memory is looked at for the first time, and in all.
const WARM: usize = 40;
const ROUNDS: usize = 160;
/// Memory may grow by this: buffers of connections that are open at the time.
const GROWTH: u64 = 32 << 20;
/// More than the longest of the server's own limits would be needed.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the clients share.
struct Storm<'a> {
    server: &'a Server,
    over: AtomicBool,
    requests: AtomicUsize,
    refused: AtomicUsize,
}

#[test]
fn ten_thousand_requests_good_and_hostile_leave_the_server_as_it_was() {
    let town = Town::new();
    let server = town.judged();
    let storm = Storm {
        server: &server,
        over: AtomicBool::new(false),
        requests: AtomicUsize::new(0),
        refused: AtomicUsize::new(0),
    };
    // Sampled when all clients are warm, and again when all are done.
    let warm = Barrier::new(CLIENTS + 1);
    let before = scope(|all| {
        let beside = [Storm::slow, Storm::endless, Storm::health].map(|beside| {
            let storm = &storm;
            all.spawn(move || beside(storm))
        });
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (storm, warm) = (&storm, &warm);
                all.spawn(move || {
                    (0..WARM).for_each(|round| storm.ask(client, round));
                    warm.wait();
                    (WARM..ROUNDS).for_each(|round| storm.ask(client, round));
                })
            })
            .collect();
        warm.wait();
        let before = server.memory();
        // The others end with the clients, whether these did well or not.
        let done: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        storm.over.store(true, Ordering::Relaxed);
        let beside = beside.map(|beside| beside.join());
        assert!(done.iter().chain(&beside).all(Result::is_ok), "a client was answered wrongly");
        before
    });
    let after = server.memory();
    assert!(storm.requests.load(Ordering::Relaxed) >= 10_000);
    assert!(storm.refused.load(Ordering::Relaxed) > 10, "bodies without an end are refused");
    assert!(after < before + GROWTH, "memory went from {before} to {after} bytes");
    assert_eq!(server.json("/api/health")["status"], "ok");
    written(&town);
}

/// Every judgement that was made is in the files, once, and nothing else.
fn written(town: &Town) {
    let queries = fs::read_to_string(&town.queries).unwrap();
    let mine = queries.lines().filter(|line| line.contains("\tstorm ")).count();
    let qrels = fs::read_to_string(&town.qrels).unwrap();
    let lines: BTreeSet<&str> = qrels.lines().collect();
    let wanted = CLIENTS * (0..ROUNDS).filter(|&round| judges(round)).count();
    assert_eq!((mine, lines.len(), qrels.lines().count()), (wanted, wanted + 3, wanted + 3));
}

fn judges(round: usize) -> bool {
    round % 80 == 7
}

/// A page of the town and where it is.
fn page(number: usize) -> String {
    format!("{}/p{number}.html", ["news", "law", "archive/old"][number % 3])
}

impl Storm<'_> {
    fn ask(&self, client: usize, round: usize) {
        // A page of its own for each client and round, so that an answer meant for another is seen.
        let number = (client * 7 + round * 11) % 26 + 4;
        match round % 8 {
            _ if judges(round) => self.judge(client, round, number),
            0 | 4 => self.search(number),
            1 => self.look(number),
            2 => self.pipelined(number),
            3 => self.escape(client + round),
            _ => self.rude(client * 3 + round),
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    fn search(&self, number: usize) {
        let answer = self.server.json(&format!("/api/search?q=%2Bitem+%2B{number}&index=none"));
        assert_eq!(answer["query"], format!("+item +{number}"));
        assert_eq!(answer["hits"][0]["title"], format!("Page {number} of the paper"));
    }

    fn look(&self, number: usize) {
        let id = page(number);
        assert_eq!(self.server.json(&format!("/api/page?index=table&id={id}"))["id"], *id);
        assert!(self.server.get(&format!("/source?id={id}")).body.contains(&format!("Item {number}.")));
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Two requests in one breath: the answers come in their order.
    fn pipelined(&self, number: usize) {
        let other = (number - 3) % 26 + 4;
        let get = |number: usize, connection: &str| {
            format!("GET /api/page?id={} HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n", page(number))
        };
        let both = get(number, "keep-alive") + &get(other, "close");
        let answer = self.server.send(both.as_bytes()).unwrap();
        let at = |number: usize| answer.find(&format!("\"id\":\"{}\"", page(number))).unwrap();
        assert!(at(number) < at(other), "{answer}");
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    fn judge(&self, client: usize, round: usize, number: usize) {
        let body = json!({"query": format!("storm {client} {round}"), "id": page(number), "grade": 1});
        let judged = self.server.post("/api/judge", "application/json", &body.to_string(), &[]).status(200).json();
        assert_eq!((&judged["query"], &judged["id"]), (&body["query"], &body["id"]));
    }

    /// Paths that want out.
    fn escape(&self, which: usize) {
        let paths = [
            "/../../etc/passwd",
            "/assets/..%2f..%2fCargo.toml",
            "/assets/%00",
            "/page?id=../../../etc/passwd",
            "/source?id=news/p0.html%00",
            "/source?id=%2Fetc%2Fpasswd&index=none",
            "/api/page?id=....//....//etc/passwd",
            "/page?id=news/p0.html&index=../none",
        ];
        let answer = self.server.get(paths[which % paths.len()]).status(404);
        assert!(!answer.body.contains("root:"), "{answer:?}");
    }

    /// What is no request at all, or more than one may ask for.
    fn rude(&self, which: usize) {
        let head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        let sent = match which % 10 {
            0 => format!("GET /?q={} {head}\r\n", "y".repeat(200_000)),
            1 => format!("GET / {head}{}\r\n", "X-A: b\r\n".repeat(5000)),
            2 => format!("GET / {head}X-A: {}\r\n\r\n", "b".repeat(100_000)),
            3 => "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0".to_owned(),
            4 => "GET / HTTP/9.9\r\n\r\n".to_owned(),
            5 => "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_owned(),
            6 => format!("POST /judge {head}Transfer-Encoding: chunked\r\n\r\nzzzz\r\n"),
            7 => format!("POST /api/judge {head}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{{"),
            8 => format!("GET /?q=%ff%fe%00&k=-1&page=%0d%0aX-Evil:1 {head}\r\n"),
            _ => format!("DELETE /api/judge {head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        };
        let mut stream = self.server.connect();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(sent.as_bytes());
        // Some go away before they are answered.
        if which.is_multiple_of(3) {
            return;
        }
        // A length that was promised is waited for; this client gives that up before the server does.
        if which % 10 == 7 {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || reply(&answer).status / 100 == 4, "{answer}");
        assert!(!answer.contains("X-Evil"), "{answer}");
    }

    /// Connections that send a byte a second.
    fn slow(&self) {
        let connect = || self.server.connect();
        let mut slow: Vec<TcpStream> = (0..32).map(|_| connect()).collect();
        for at in (0..).take_while(|_| !self.over.load(Ordering::Relaxed)) {
            for stream in &mut slow {
                let byte = b"GET /?q=slow HTTP/1.1\r\nHost: localhost\r\nX-Slow: "[..].get(at).unwrap_or(&b'x');
                if stream.write_all(&[*byte]).is_err() {
                    *stream = connect();
                }
            }
            sleep(Duration::from_secs(1));
        }
    }

    /// Bodies that never end; each is refused after a while.
    fn endless(&self) {
        let chunk = format!("400\r\n{}\r\n", "x".repeat(1024));
        for path in ["/api/judge", "/judge", "/api/search?q=law"].into_iter().cycle() {
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            let method = if path.contains("judge") { "POST" } else { "GET" };
            let kind = if path.contains("api") { "application/json" } else { "application/x-www-form-urlencoded" };
            let mut stream = self.server.connect();
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
            );
            let started = Instant::now();
            let mut sent = stream.write_all(head.as_bytes());
            while sent.is_ok() && !self.over.load(Ordering::Relaxed) {
                sent = stream.write_all(chunk.as_bytes());
                assert!(started.elapsed() < 2 * PATIENCE, "{path} takes a body without end");
            }
            self.refused.fetch_add(usize::from(sent.is_err()), Ordering::Relaxed);
        }
    }

    fn health(&self) {
        while !self.over.load(Ordering::Relaxed) {
            let asked = Instant::now();
            assert_eq!(self.server.json("/api/health")["status"], "ok");
            assert!(asked.elapsed() < PATIENCE, "health took {:?}", asked.elapsed());
            sleep(Duration::from_millis(50));
        }
    }
}
