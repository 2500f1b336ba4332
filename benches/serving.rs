//! The server under load, beside the same queries through the library: requests a second, times, memory.
//!
//! The clients are threads of this program, so they take their share of the processors from the server.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::setting;
use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::search::syntax::Query;
use unhusk::search::{Engine, Scope};

const PROGRAM: &str = env!("CARGO_BIN_EXE_unhusk");

fn main() {
    let pages = setting("UNHUSK_BENCH_SERVED", 100_000);
    let seconds = setting("UNHUSK_BENCH_SECONDS", 20);
    let threads = setting("UNHUSK_BENCH_THREADS", 2);
    let rounds = setting("UNHUSK_BENCH_ROUNDS", 3);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = folder.path().join("index");
    let site = Site::new(Options { pages: pages as u64, seed: 3, ..Options::default() }).expect("a site");
    build(&site, &index);
    let queries: Vec<String> = site.queries().into_iter().map(|query| query.text).collect();
    println!("{pages} pages, {} queries, {threads} threads, {seconds} s each", queries.len());

    let engine = Engine::open(&index).expect("the index");
    let mut server = Server::start(&index, threads);
    let time = Duration::from_secs(seconds as u64);
    for round in 1..=rounds {
        let library = measure(threads, time, &queries, || |text: &str| search(&engine, text));
        report(&format!("round {round}: library, {threads} threads"), &library, None);
        for clients in [2, 16, 64] {
            let before = server.memory();
            let asked = measure(clients, time, &queries, || {
                let mut client = Client::connect(server.port);
                move |text: &str| client.ask(text)
            });
            let after = server.memory();
            report(&format!("round {round}: HTTP, {clients} connections"), &asked, Some(&library));
            println!("    server's own memory {:.1} MB, {:.1} MB after", mb(before), mb(after));
        }
    }
    server.child.kill().expect("the server is ended");
    server.child.wait().expect("the server has ended");
}

/// What the server does for a request, without the server.
fn search(engine: &Engine, text: &str) {
    let (query, scope) = (Query::parse(text), Scope::default());
    let mut hits = engine.search(&query, &scope, 11).expect("an answer");
    hits.truncate(10);
    std::hint::black_box(engine.show(&query, &scope, &hits).expect("snippets"));
}

/// Times of single queries, sorted, and how long all took.
struct Times {
    times: Vec<Duration>,
    all: Duration,
}

impl Times {
    fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.all.as_secs_f64()
    }

    fn share(&self, share: f64) -> f64 {
        let at = (self.times.len() as f64 * share) as usize;
        self.times[at.min(self.times.len() - 1)].as_secs_f64() * 1000.0
    }
}

/// Lets several threads ask one query after the other, each from a place of its own.
fn measure<A: FnMut(&str) + Send>(threads: usize, time: Duration, queries: &[String], asker: impl Fn() -> A) -> Times {
    let all = Mutex::new(Vec::new());
    let askers: Vec<A> = (0..threads).map(|_| asker()).collect();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for (number, mut ask) in askers.into_iter().enumerate() {
            let all = &all;
            scope.spawn(move || {
                let mut times = Vec::new();
                for text in queries.iter().cycle().skip(number * queries.len() / threads) {
                    let asked = Instant::now();
                    ask(text);
                    times.push(asked.elapsed());
                    if started.elapsed() > time {
                        break;
                    }
                }
                all.lock().expect("no asker panics").extend(times);
            });
        }
    });
    let mut times = all.into_inner().expect("no asker panics");
    times.sort_unstable();
    Times { times, all: started.elapsed() }
}

fn report(name: &str, times: &Times, library: Option<&Times>) {
    let ratio = library.map_or(String::new(), |library| {
        format!(", {:.0} % of the library's", 100.0 * times.per_second() / library.per_second())
    });
    let (p50, p99) = (times.share(0.5), times.share(0.99));
    println!("{name}: {:.0}/s{ratio}; p50 {p50:.2} ms, p99 {p99:.2} ms ({:.1} × p50)", times.per_second(), p99 / p50);
}

fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn build(site: &Site, index: &Path) {
    let mut child = Command::new(PROGRAM)
        .args(["index", "-", "--quiet", "--out"])
        .arg(index)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut pipe = std::io::BufWriter::new(child.stdin.take().expect("a pipe"));
    write_jsonl(site, &mut pipe).expect("pages are written");
    drop(pipe);
    assert!(child.wait().expect("the program ends").success());
}

struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(index: &Path, threads: usize) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--addr", "127.0.0.1:0", "--quiet", "--threads", &threads.to_string()])
            .arg(index)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("an address");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Server { child, port: port.expect("a port") }
    }

    /// Memory that is not mapped files.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or("0");
        line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Client(BufReader::new(stream))
    }

    fn ask(&mut self, text: &str) {
        let query: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let request = format!("GET /api/search?q={query}&k=10 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).expect("the request is sent");
        let (mut line, mut length, mut first) = (String::new(), 0, true);
        loop {
            line.clear();
            self.0.read_line(&mut line).expect("a head");
            if first {
                assert!(line.starts_with("HTTP/1.1 200"), "{line}");
                first = false;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("a body");
    }
}
