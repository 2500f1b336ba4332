//! Progress on standard error: a line that moves on a terminal, nothing elsewhere; at the end what was left out, and why.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::printable;
use super::{Common, units};
use crate::ingest::{Stage, Watch};
use crate::read::{Origin, SkipReason};

/// Draws what the build says.
pub(super) struct Progress {
    verbose: bool,
    quiet: bool,
    bar: Mutex<ProgressBar>,
    left_out: Mutex<LeftOut>,
}

/// What was not read, or not in full.
#[derive(Default)]
struct LeftOut {
    skipped: BTreeMap<SkipReason, u64>,
    flattened: u64,
}

impl Progress {
    pub(super) fn new(common: &Common) -> Self {
        Progress {
            verbose: common.verbose,
            quiet: common.quiet,
            bar: Mutex::new(ProgressBar::hidden()),
            left_out: Mutex::default(),
        }
    }

    /// Takes the line away, and says what was left out.
    pub(super) fn finish(&self) {
        self.bar().finish_and_clear();
        let left_out = std::mem::take(&mut *lock(&self.left_out));
        if self.quiet {
            return;
        }
        if !left_out.skipped.is_empty() {
            self.say(&skipped_in_words(&left_out.skipped));
        }
        if left_out.flattened > 0 {
            self.say(&format!(
                "{} flattened: more nested than --max-depth or of more parts than --max-nodes allows; the text is whole",
                pages(left_out.flattened)
            ));
        }
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        lock(&self.bar)
    }

    fn say(&self, text: &str) {
        self.bar().suspend(|| eprintln!("unhusk: {}", printable(text)));
    }
}

impl Watch for Progress {
    fn begin(&self, stage: Stage, pages: Option<u64>) {
        if self.quiet || !std::io::stderr().is_terminal() {
            return;
        }
        let template = match pages {
            Some(_) => "{spinner} {msg}: {human_pos} of {human_len} pages, {per_sec}, {eta} left",
            None => "{spinner} {msg}: {human_pos} pages, {per_sec}",
        };
        let bar = match pages {
            Some(pages) => ProgressBar::new(pages),
            None => ProgressBar::no_length(),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(stage.name());
        bar.enable_steady_tick(Duration::from_millis(200));
        let mut current = self.bar();
        current.finish_and_clear();
        *current = bar;
    }

    fn advance(&self, pages: u64) {
        self.bar().inc(pages);
    }

    fn skipped(&self, id: &str, origin: &Origin, reason: SkipReason, detail: &str) {
        *lock(&self.left_out).skipped.entry(reason).or_default() += 1;
        if self.verbose {
            let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            self.say(&format!("skipped {id} in {origin}: {reason}{detail}"));
        }
    }

    fn flattened(&self, id: &str, origin: &Origin) {
        lock(&self.left_out).flattened += 1;
        if self.verbose {
            self.say(&format!("flattened {id} in {origin}"));
        }
    }

    fn damaged(&self, origin: &Origin, message: &str) {
        if !self.quiet {
            self.say(&format!("damaged: {origin}: {message}"));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pages(count: u64) -> String {
    format!("{} {}", units::count(count), if count == 1 { "page" } else { "pages" })
}

/// One line on the pages that were left out.
fn skipped_in_words(skipped: &BTreeMap<SkipReason, u64>) -> String {
    let reasons: Vec<String> =
        skipped.iter().map(|(reason, count)| format!("{} {reason}", units::count(*count))).collect();
    let total = pages(skipped.values().sum());
    format!("{total} skipped: {} (-v names each, --strict makes it an error)", reasons.join(", "))
}
