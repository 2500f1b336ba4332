//! Progress on standard error: a line that moves on a terminal, nothing elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Common;
use super::output::printable;
use crate::ingest::{Stage, Watch};
use crate::read::{Origin, SkipReason};

/// Draws what the build says.
pub(super) struct Progress {
    verbose: bool,
    quiet: bool,
    bar: Mutex<ProgressBar>,
}

impl Progress {
    pub(super) fn new(common: &Common) -> Self {
        Progress { verbose: common.verbose, quiet: common.quiet, bar: Mutex::new(ProgressBar::hidden()) }
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        self.bar().finish_and_clear();
    }

    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
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
        if self.verbose {
            let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            self.say(&format!("skipped {id} in {origin}: {reason}{detail}"));
        }
    }

    fn damaged(&self, origin: &Origin, message: &str) {
        if !self.quiet {
            self.say(&format!("damaged: {origin}: {message}"));
        }
    }
}
