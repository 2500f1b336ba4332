//! The report on one screen: the verdict on each method in a sentence, one table, and how to see more.

use super::figures::{bytes, count, score};
use super::text::{kept_share, wrapped};
use super::words::{Verdict, bottom_line, caveats, main_difference};
use super::{Arm, FactsGiven, GroupName, Pair, Report, Table, View};

/// Characters in a line.
const WIDTH: usize = 100;
/// Measures in the table; the other tables have the rest.
const MEASURES: usize = 4;

impl Report {
    /// What a person wants to know first.
    pub fn screen(&self) -> String {
        let (Some(baseline), Some(view)) = (self.arms.first(), self.views.first()) else { return String::new() };
        let mut text = format!("{}\n\n", wrapped(&self.opening(), WIDTH));
        for (arm, pair) in self.arms.iter().skip(1).zip(view.to_baseline()) {
            text += &format!("{}\n", wrapped(&self.verdict(pair, baseline, arm), WIDTH));
        }
        text += &format!("\n{}\n", self.overview(view).terminal());
        for note in self.notes().into_iter().chain(caveats(self, view)) {
            text += &format!("{}\n", wrapped(&note, WIDTH));
        }
        text + "More: --full for all tables, tests and reasons, --html FILE for a web page, --format json.\n"
    }

    fn verdict(&self, pair: &Pair, baseline: &Arm, arm: &Arm) -> String {
        let lost = self.facts.map_or(String::new(), |facts| lost(&facts, arm));
        format!("“{}”: {}{lost}.", arm.name, bottom_line(self, pair, baseline, arm))
    }

    /// A row for each method.
    fn overview(&self, view: &View) -> Table {
        let measures: Vec<usize> = (0..self.settings.measures.len().min(MEASURES)).collect();
        let names = measures.iter().map(|&at| self.settings.measures[at].to_string());
        let verdict = format!("verdict\n(by {})", self.settings.measures[self.main_measure()]);
        let head = ["postings", "on disk", "facts\nkept", "better /\nworse / same", &verdict];
        let head = std::iter::once("method".to_owned()).chain(names).chain(head.map(str::to_owned));
        let mut table = Table::new("", head);
        for (at, arm) in self.arms.iter().enumerate() {
            let scores = measures.iter().map(|&measure| score(view.means[at][measure]));
            let pair = view.to_baseline().find(|pair| at > 0 && pair.second == arm.name);
            table.row(std::iter::once(arm.name.clone()).chain(scores).chain(self.sizes_and_verdict(arm, pair)));
        }
        table
    }

    fn sizes_and_verdict(&self, arm: &Arm, pair: Option<&Pair>) -> [String; 5] {
        let facts = match (&self.facts, &arm.facts) {
            (Some(given), Some(kept)) => kept_share(given.visible, kept.kept, kept.kept_anywhere),
            _ => "–".to_owned(),
        };
        let difference = pair.and_then(|pair| main_difference(self, pair, GroupName::All));
        let (moved, verdict) = match difference {
            Some(d) => (format!("{} / {} / {}", d.better, d.worse, d.queries - d.changed), Verdict::of(d).short()),
            None => ("–".to_owned(), "–"),
        };
        [count(arm.statistics().postings), bytes(arm.sizes.total()), facts, moved, verdict.to_owned()]
    }
}

/// What became of the facts, behind a verdict.
fn lost(given: &FactsGiven, arm: &Arm) -> String {
    match arm.facts.as_ref().map(|facts| given.visible - facts.kept_anywhere) {
        None => String::new(),
        Some(0) => "; no fact lost".to_owned(),
        Some(lost) => format!("; {} of {} facts lost", count(lost as u64), count(given.visible as u64)),
    }
}
