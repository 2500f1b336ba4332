//! dom_smoothie over pages: lines of id, tab, path come in on standard input; a line {"id", "text"} a page goes out, and at
//! the end on standard error one line with pages, bytes and seconds. All pages are read before the clock starts; one thread
//! works.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use dom_smoothie::{Config, Readability, ReadabilityError, TextMode};
use encoding_rs::Encoding;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

fn main() -> io::Result<()> {
    let mut pages = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some((id, path)) = line.split_once('\t') else { continue };
        pages.push((id.to_owned(), std::fs::read(path)?));
    }
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let mut failed = Vec::new();
    let mut texts = Vec::with_capacity(pages.len());
    for (id, bytes) in &pages {
        texts.push(text(bytes).unwrap_or_else(|error| {
            failed.push((id, error.to_string()));
            String::new()
        }));
    }
    let (cpu, wall) = (cpu_seconds() - cpu, wall.elapsed().as_secs_f64());
    let mut out = io::BufWriter::new(io::stdout().lock());
    for ((id, _), text) in pages.iter().zip(texts) {
        writeln!(out, "{}", json!({"id": id, "text": text}))?;
    }
    out.flush()?;
    let bytes: usize = pages.iter().map(|(_, bytes)| bytes.len()).sum();
    eprintln!("{}", json!({"pages": pages.len(), "bytes": bytes, "seconds": cpu, "wall": wall, "failed": failed}));
    Ok(())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn text(bytes: &[u8]) -> Result<String, ReadabilityError> {
    // Raw text would glue the last word of a block to the first of the next.
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let article = Readability::new(decoded(bytes).as_ref(), None, Some(config))?.parse()?;
    Ok(article.text_content.to_string())
}

/// It takes text, so its user decodes: by the byte order mark, what the page says, or a guess.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let declared = || {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_lowercase();
        let label = head.split_once("charset=")?.1.trim_start_matches(['"', '\'', ' ']).to_owned();
        Encoding::for_label(label.split(['"', '\'', ' ', ';', '>', '/']).next()?.as_bytes())
    };
    let guessed = || {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Allow)
    };
    declared().unwrap_or_else(guessed).decode(bytes).0
}
