//! Pages that somebody has damaged on purpose, through every method: nothing panics, no page takes more than its time and
//! memory, and every page is accounted for.
//!
//! `UNHUSK_SOAK_PAGES` says how many pages, `UNHUSK_SOAK_METHODS` which methods; by hand, with a release build:
//! `UNHUSK_SOAK_PAGES=100000 cargo test --release --test promises soaking -- --nocapture`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use serde_json::Value;
use unhusk::generate::{Options, Site};
use unhusk::parse::parse_html;
use unhusk::parse::reference::outlines;
use unhusk::random::Rng;

use crate::support::{Desk, PROGRAM, all_or, manifest, warc_response};

/// What parsing one page may take. Honest pages take a millisecond; this is for a debug build on a busy machine.
const PAGE_TIME: Duration = Duration::from_secs(20);
/// What a build may hold, with pages of a million elements under way on two threads.
const MEMORY: u64 = 2 << 30;
/// One page in so many is enormous.
const ENORMOUS: u64 = 2_000;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Damages pages; the same seed gives the same damage.
struct Mutator(Rng);

impl Mutator {
    fn mutate(&mut self, page: Vec<u8>) -> Vec<u8> {
        let times = 1 + self.0.below(3);
        (0..times).fold(page, |page, _| self.once(page))
    }

    fn once(&mut self, mut page: Vec<u8>) -> Vec<u8> {
        match self.0.below(9) {
            0 => self.flip_bits(&mut page),
            1 => page.truncate(self.0.below(page.len() + 1)),
            2 => self.cut_tags(&mut page),
            3 => self.double(&mut page),
            4 => self.nest(&mut page),
            5 => self.wrong_charset(&mut page),
            6 => self.swell_attribute(&mut page),
            7 => self.shuffle_tags(&mut page),
            _ => self.sprinkle(&mut page),
        }
        page
    }

    fn place(&mut self, page: &[u8]) -> usize {
        self.0.below(page.len() + 1)
    }

    fn range(&mut self, page: &[u8], longest: usize) -> std::ops::Range<usize> {
        let start = self.place(page);
        start..(start + self.0.below(longest)).min(page.len())
    }

    fn insert(&mut self, page: &mut Vec<u8>, bytes: &[u8]) {
        let at = self.place(page);
        page.splice(at..at, bytes.iter().copied());
    }

    fn flip_bits(&mut self, page: &mut [u8]) {
        for _ in 0..1 + self.0.below(20) {
            let at = self.0.below(page.len());
            if let Some(byte) = page.get_mut(at) {
                *byte ^= 1 << self.0.below(8);
            }
        }
    }

    /// Tags lose their ends, or everything.
    fn cut_tags(&mut self, page: &mut Vec<u8>) {
        let half = self.0.below(2) == 0;
        let mut inside = false;
        let mut cut = false;
        let rng = &mut self.0;
        page.retain(|&byte| {
            if byte == b'<' {
                (inside, cut) = (true, rng.below(10) == 0);
            }
            let goes = inside && cut && (!half || byte == b'>');
            inside &= byte != b'>';
            !goes
        });
    }

    fn double(&mut self, page: &mut Vec<u8>) {
        let range = self.range(page, 4000);
        let copy = page[range].repeat(1 + self.0.below(5));
        self.insert(page, &copy);
    }

    fn nest(&mut self, page: &mut Vec<u8>) {
        let tags = [
            "<div>",
            "<table><tr><td>",
            "<b>",
            "<p><i>",
            "<ul><li>",
            "<svg><g>",
            "<a href=x>",
            "<select>",
            "<template>",
        ];
        let deep = tags[self.0.below(tags.len())].repeat(self.0.below(600));
        self.insert(page, deep.as_bytes());
    }

    /// The page says one thing about its bytes and is another.
    fn wrong_charset(&mut self, page: &mut Vec<u8>) {
        let names = ["utf-16", "shift_jis", "iso-2022-jp", "koi8-r", "gb18030", "big5", "x-user-defined", "nonsense"];
        let meta = format!("<meta charset={}>", names[self.0.below(names.len())]);
        match self.0.below(3) {
            0 => *page = String::from_utf8_lossy(page).encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => page.iter_mut().filter(|byte| **byte == b'e').for_each(|byte| *byte = 0xE9),
            _ => {}
        }
        page.splice(0..0, meta.into_bytes());
    }

    fn swell_attribute(&mut self, page: &mut Vec<u8>) {
        let size = self.0.below(200_000);
        let tag = match self.0.below(3) {
            0 => format!("<p class=\"{}\">", "x ".repeat(size / 2)),
            1 => format!("<a href='{}'>", "&amp;".repeat(size / 5)),
            _ => (0..size / 50).fold("<b".to_owned(), |tag, n| tag + &format!(" a{n}={n}")) + ">",
        };
        self.insert(page, tag.as_bytes());
    }

    fn shuffle_tags(&mut self, page: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(page).into_owned();
        let mut tags: Vec<&str> = text.split_inclusive('>').collect();
        self.0.shuffle(&mut tags);
        *page = tags.concat().into_bytes();
    }

    fn sprinkle(&mut self, page: &mut Vec<u8>) {
        let odd: [&[u8]; 10] = [
            b"<!--",
            b"<script>",
            b"\0",
            b"\r",
            b"</",
            b"<![CDATA[",
            b"&#x110000;",
            b"\xFF\xFE",
            b"<plaintext>",
            b"<title>",
        ];
        for _ in 0..1 + self.0.below(5) {
            let piece = odd[self.0.below(odd.len())];
            self.insert(page, piece);
        }
    }

    /// So many elements, so many lines, formatting that is never closed and never the same, or one tag that never ends.
    fn enormous(kind: u64, many: usize) -> Vec<u8> {
        let page = match kind % 5 {
            0 => "<p>x".repeat(many),
            1 => "<i>\n".repeat(many),
            2 => "word\n".repeat(many),
            3 => (0..many / 2).map(|n| format!("<p><b class={n}>")).collect(),
            _ => format!("<p id=a>{}<td title='", "<table>".repeat(many)),
        };
        page.into_bytes()
    }
}

/// Writes the pages as one WARC and says how long the slowest took to parse.
fn write_pages(desk: &Desk, pages: u64) -> (String, Duration) {
    let site = Site::new(Options { pages, seed: 11, ..Options::default() }).unwrap();
    let path = desk.path("soak.warc");
    let mut warc = BufWriter::new(File::create(&path).unwrap());
    let mut slowest = Duration::ZERO;
    // A million in a long run; a short one is to be short.
    let many = (pages as usize * 300).min(1_000_000);
    for (n, page) in site.pages().enumerate() {
        let n = n as u64;
        let mut mutator = Mutator(Rng::new(n));
        let bytes = match n % ENORMOUS {
            7 => Mutator::enormous(n / ENORMOUS, many),
            _ => mutator.mutate(page.html.into_bytes()),
        };
        let html = String::from_utf8_lossy(&bytes);
        let started = Instant::now();
        parse_html(&html);
        let took = started.elapsed();
        assert!(took < PAGE_TIME, "page {n} takes {took:?} to parse");
        slowest = slowest.max(took);
        if n.is_multiple_of(8) {
            let same = outlines(&html).is_none_or(|[ours, theirs]| ours == theirs);
            assert!(same, "page {n} is not read as html5ever reads it");
        }
        warc.write_all(&warc_response(&format!("http://soak.example/{}", page.id), &bytes)).unwrap();
    }
    warc.into_inner().unwrap();
    (path, slowest)
}

/// Everything that was found has one end: read is the sum of indexed, duplicates and what was skipped, by reason.
#[track_caller]
pub(crate) fn assert_adds_up(pages: &Value) {
    let count = |value: &Value| value.as_u64().unwrap();
    let skipped: u64 = pages["skipped"].as_object().unwrap().values().map(count).sum();
    assert_eq!(count(&pages["read"]), count(&pages["indexed"]) + count(&pages["duplicates"]) + skipped, "{pages}");
}

#[test]
fn damaged_pages_go_through_every_method_and_each_is_accounted_for() {
    let pages = number("UNHUSK_SOAK_PAGES", all_or(200, 50));
    let methods = std::env::var("UNHUSK_SOAK_METHODS").unwrap_or("none,table,sandwich,cluster,auto".to_owned());
    let desk = Desk::new();
    let (warc, slowest) = write_pages(&desk, pages);
    println!("{pages} pages; the slowest took {slowest:?} to parse");
    for method in methods.split(',') {
        let place = desk.path(method);
        let started = Instant::now();
        let output = std::process::Command::new(PROGRAM)
            .args(["index", &warc, "--strip", method, "--out", &place, "--threads", "2"])
            .output()
            .unwrap();
        let took = started.elapsed();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !err.contains("panicked"), "{method}: {err}");
        let made = manifest(&place);
        let counts = &made["pages"];
        assert_adds_up(counts);
        // Damage inside a page is no damage of the file around it.
        assert_eq!((&counts["read"], &counts["damaged"], &counts["ignored"]), (&pages.into(), &0.into(), &0.into()));
        let json: Value = serde_json::from_slice(&std::fs::read(format!("{place}/manifest.json")).unwrap()).unwrap();
        let peak = json["cost"]["peak_memory"].as_u64().unwrap_or(0);
        assert!(peak < MEMORY, "{method} held {peak} bytes");
        println!("{method}: {took:.0?}, {} MiB, {counts}", peak >> 20);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
