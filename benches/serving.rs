//! The server under load, beside the same queries through the library: requests a second, times, memory.
//!
//! The requests come from `wrk`, which takes its share of the same processors. What an answer costs is told in CPU time too: the
//! server has more threads than the library's callers, so on a busy machine it gets more of the processors.

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::setting;
use unhusk::generate::{Options, Site, write_jsonl};
use unhusk::search::syntax::Query;
use unhusk::search::{Engine, Scope};

const PROGRAM: &str = env!("CARGO_BIN_EXE_unhusk");
/// Connections that ask at once.
const CONNECTIONS: [usize; 3] = [2, 16, 64];

fn main() {
    if Command::new("wrk").arg("--version").output().is_err() {
        println!("skipped: wrk is not installed");
        return;
    }
    let pages = setting("UNHUSK_BENCH_SERVED", 100_000);
    let seconds = setting("UNHUSK_BENCH_SECONDS", 5);
    let threads = setting("UNHUSK_BENCH_THREADS", 2);
    let rounds = setting("UNHUSK_BENCH_ROUNDS", 5);
    let steady = setting("UNHUSK_BENCH_STEADY", 60);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (index, script) = (folder.path().join("index"), folder.path().join("queries.lua"));
    let site = Site::new(Options { pages: pages as u64, seed: 3, ..Options::default() }).expect("a site");
    build(&site, &index);
    let queries: Vec<String> = site.queries().into_iter().map(|query| query.text).collect();
    write_script(&queries, &script);
    println!("{pages} pages, {} queries, {threads} threads, {seconds} s each", queries.len());

    let engine = Engine::open(&index).expect("the index");
    let server = Server::start(&index, threads);
    let ask = |connections, seconds| wrk(&script, &server, connections, seconds);
    ask(16, seconds);
    let mut shares = [const { Vec::new() }; CONNECTIONS.len()];
    for round in 1..=rounds {
        let library = measure(&engine, threads, Duration::from_secs(seconds as u64), &queries);
        println!("round {round}: library {:.0}/s, {:.2} ms of CPU each", library.per_second, library.cpu);
        for (shares, connections) in shares.iter_mut().zip(CONNECTIONS) {
            let load = ask(connections, seconds);
            let Load { per_second, p50, p99, server, client } = load;
            println!(
                "    {connections} connections: {per_second:.0}/s; CPU each {server:.2} ms, wrk {client:.2} ms; \
                 p50 {p50:.2} ms, p99 {p99:.2} ms ({:.1} x)",
                p99 / p50
            );
            shares.push((100.0 * library.cpu / server, 100.0 * library.cpu / (server + client)));
        }
    }
    for (connections, shares) in CONNECTIONS.iter().zip(&mut shares) {
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (server, all) = shares[rounds / 2];
        println!(
            "{connections} connections: {server:.0} % of the library's queries for the same CPU time, {all:.0} % with wrk's \
             own counted; the median of {rounds} rounds"
        );
    }
    memory(&server, steady, || ask(64, 1));
    let Server { mut child, .. } = server;
    child.kill().expect("the server is ended");
    child.wait().expect("the server has ended");
}

/// The server's memory while it is asked, once in ten seconds.
fn memory(server: &Server, seconds: usize, ask: impl Fn() -> Load) {
    let started = Instant::now();
    print!("memory under load, MB:");
    for at in (0..=seconds as u64).step_by(10) {
        while started.elapsed() < Duration::from_secs(at) {
            ask();
        }
        print!(" {:.1}", mb(server.memory()));
    }
    println!();
}

/// What the server does for a request, without the server.
fn search(engine: &Engine, text: &str) {
    let (query, scope) = (Query::parse(text), Scope::default());
    let mut hits = engine.search(&query, &scope, 11).expect("an answer");
    hits.truncate(10);
    std::hint::black_box(engine.show(&query, &scope, &hits).expect("snippets"));
}

/// How fast questions are answered.
#[derive(Clone, Copy)]
struct Speed {
    /// Answers a second.
    per_second: f64,
    /// Milliseconds of the processors for an answer.
    cpu: f64,
}

/// The speed of the library: several threads ask one query after the other, each from a place of its own.
fn measure(engine: &Engine, threads: usize, time: Duration, queries: &[String]) -> Speed {
    let (started, before) = (Instant::now(), cpu_seconds("self").own);
    let asked: usize = std::thread::scope(|scope| {
        let ask = |number: usize| {
            move || {
                let mine = queries.iter().cycle().skip(number * queries.len() / threads);
                mine.take_while(|_| started.elapsed() < time).map(|text| search(engine, text)).count()
            }
        };
        let askers: Vec<_> = (0..threads).map(|number| scope.spawn(ask(number))).collect();
        askers.into_iter().map(|asker| asker.join().expect("no asker panics")).sum()
    });
    let cpu = cpu_seconds("self").own - before;
    Speed { per_second: asked as f64 / started.elapsed().as_secs_f64(), cpu: 1000.0 * cpu / asked as f64 }
}

/// Seconds of the processors a process has used.
struct CpuSeconds {
    own: f64,
    /// Of children that have ended.
    children: f64,
}

fn cpu_seconds(process: &str) -> CpuSeconds {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may hold anything: user, system, and both of the children, in hundredths.
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or_default().split(' ').map(|n| n.parse().unwrap_or(0.0)).collect();
    let sum = |from: usize| fields.iter().skip(from).take(2).sum::<f64>() / 100.0;
    CpuSeconds { own: sum(12), children: sum(14) }
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

/// What one run of `wrk` says.
struct Load {
    per_second: f64,
    /// Milliseconds.
    p50: f64,
    p99: f64,
    /// Milliseconds of the processors for an answer, the server's and `wrk`'s.
    server: f64,
    client: f64,
}

/// Asks for so long over so many connections, every query in turn.
fn wrk(script: &Path, server: &Server, connections: usize, seconds: usize) -> Load {
    let process = server.child.id().to_string();
    let before = (cpu_seconds(&process).own, cpu_seconds("self").children);
    let output = Command::new("wrk")
        .args(["--latency", "--timeout", "20s", "--threads", "1"])
        .args(["--connections", &connections.to_string(), "--duration", &format!("{seconds}s"), "--script"])
        .arg(script)
        .arg(format!("http://127.0.0.1:{}", server.port))
        .output()
        .expect("wrk runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && !said.contains("Non-2xx") && !said.contains("Socket errors"), "{said}");
    let after = (cpu_seconds(&process).own, cpu_seconds("self").children);
    let value = |name: &str| {
        let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
        line.map(str::trim).unwrap_or_else(|| panic!("no {name} in {said}"))
    };
    let count = said.lines().find_map(|line| line.trim().split_once(" requests in ")).expect("a count").0;
    let asked: f64 = count.parse().expect("a number");
    Load {
        per_second: value("Requests/sec:").parse().expect("a number"),
        p50: milliseconds(value("50%")),
        p99: milliseconds(value("99%")),
        server: 1000.0 * (after.0 - before.0) / asked,
        client: 1000.0 * (after.1 - before.1) / asked,
    }
}

fn milliseconds(text: &str) -> f64 {
    let (digits, unit) = text.split_at(text.find(char::is_alphabetic).expect("a unit"));
    let factor = match unit {
        "us" => 0.001,
        "ms" => 1.0,
        _ => 1000.0,
    };
    digits.parse::<f64>().expect("a number") * factor
}

/// A script for `wrk`: one query after the other.
fn write_script(queries: &[String], place: &Path) {
    let path = |text: &String| {
        let query: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        format!("'/api/search?k=10&q={query}',\n")
    };
    let paths: String = queries.iter().map(path).collect();
    let script = format!(
        "local paths = {{\n{paths}}}\nlocal at = 0\n\
         request = function()\n  at = at % #paths + 1\n  return wrk.format('GET', paths[at])\nend\n"
    );
    std::fs::write(place, script).expect("a script");
}
