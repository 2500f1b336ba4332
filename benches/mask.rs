//! From bytes to masks, by method and stage, on one thread: what extractors that look at one page at a time are held against.
//!
//! Pages are in memory when the clock starts. Counted are parsing, the spool between the two passes, learning, and marking every
//! page; not counted are reading files, duplicates, and putting the kept text together. A JSON document a method goes to standard
//! output, with the seconds of the best of several rounds.

mod common;

use std::time::Instant;

use unhusk::parse::{Page, parse};
use unhusk::read::RawPage;
use unhusk::spool::{Encoded, PageNo, SpoolWriter};
use unhusk::strip::auto::Auto;
use unhusk::strip::cluster::Cluster;
use unhusk::strip::sandwich::Sandwich;
use unhusk::strip::table::Table;
use unhusk::strip::{Means, Method, Pages};

const STAGES: [&str; 4] = ["parse", "spool", "learn", "mark"];

fn main() {
    let methods = [
        Method::None,
        Method::Table(Table::default()),
        Method::Sandwich(Sandwich::default()),
        Method::Cluster(Cluster::default()),
        Method::Auto(Auto::default()),
    ];
    let raw = common::Pages::find().read();
    let bytes: usize = raw.iter().map(|page| page.bytes.len()).sum();
    // In turn, so that what else the machine does hits all methods alike.
    let mut best = vec![[f64::INFINITY; STAGES.len()]; methods.len()];
    for _ in 0..common::setting("UNHUSK_BENCH_ROUNDS", 3) {
        for (method, best) in methods.iter().zip(&mut best) {
            let seconds = round(&raw, method);
            if seconds.iter().sum::<f64>() < best.iter().sum() {
                *best = seconds;
            }
        }
    }
    for (method, seconds) in methods.iter().zip(best) {
        let stages: serde_json::Map<_, _> =
            STAGES.iter().zip(seconds).map(|(stage, seconds)| ((*stage).to_owned(), seconds.into())).collect();
        let (name, total) = (method.name(), seconds.iter().sum::<f64>());
        let line = serde_json::json!({
            "method": name, "pages": raw.len(), "bytes": bytes, "seconds": total, "stages": stages
        });
        println!("{line}");
    }
}

/// Seconds of each stage.
fn round(raw: &[RawPage], method: &Method) -> [f64; STAGES.len()] {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut clock = Clock::start();
    let parsed: Vec<Page> = raw.iter().map(parse).collect();
    let parsing = clock.lap();

    let mut writer = SpoolWriter::create(&dir.path().join("spool")).expect("a spool");
    for page in &parsed {
        writer.append(&Encoded::new(page).expect("a page is encoded")).expect("a page is written");
    }
    let spool = writer.finish().expect("a spool");
    let pages = Pages::new(&spool, (0..spool.len() as u32).map(PageNo).collect());
    let writing = clock.lap();

    let scratch = dir.path().join("learn");
    let model = method.learn(&pages, Means { threads: 1, scratch: &scratch }).expect("a model");
    let learning = clock.lap();

    let window = spool.window(PageNo(0), PageNo(spool.len() as u32)).expect("a window");
    let again: Vec<Page> = pages.numbers().iter().map(|&number| window.page(number).expect("a page")).collect();
    let reading = clock.lap();

    for (&number, page) in pages.numbers().iter().zip(&again) {
        std::hint::black_box(model.mark(number, page).expect("a mask"));
    }
    [parsing, writing + reading, learning, clock.lap()]
}

/// Seconds this thread has worked, which other programs on the machine hardly change; where the system does not tell, seconds
/// that have passed.
struct Clock {
    start: Instant,
    last: f64,
}

impl Clock {
    fn start() -> Self {
        let start = Instant::now();
        Clock { start, last: seconds(start) }
    }

    /// Seconds since the last call.
    fn lap(&mut self) -> f64 {
        let now = seconds(self.start);
        now - std::mem::replace(&mut self.last, now)
    }
}

fn seconds(start: Instant) -> f64 {
    // Linux brings the figure up to date when the thread lets go.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    worked.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
