//! The report's tables, and the report for a terminal.

use super::figures::{bytes, change, count, difference, p_value, percent, queries, score, seconds};
use super::words::{Verdict, summary};
use super::{Arm, Group, GroupName, Pair, Report, Table, View};
use crate::eval::Difference;

impl Report {
    /// All of it for a terminal: what was compared, the tables, the summary in words. [`Report::screen`] is the short form.
    pub fn terminal(&self) -> String {
        let mut text = format!("{}\n\n", self.opening());
        for table in self.tables() {
            text += &table.terminal();
            text.push('\n');
        }
        for note in self.notes() {
            text += &format!("{note}\n");
        }
        text += "\nIn words\n";
        for said in summary(self) {
            text += &format!("\n{}\n", said.heading);
            for sentence in said.sentences {
                text += &format!("  • {}\n", wrapped(&sentence, 100).replace('\n', "\n    "));
            }
        }
        text
    }

    /// What was compared, in a sentence.
    pub fn opening(&self) -> String {
        let names: Vec<&str> = self.arms.iter().map(|arm| arm.name.as_str()).collect();
        let pages = &self.collection.pages;
        let mut text = format!(
            "{}: {} pages, {} of HTML; {}; methods {}",
            self.collection.name,
            count(pages.indexed),
            bytes(self.collection.corpus_bytes),
            queries(self.views.first().map_or(0, |view| view.queries.len())),
            names.join(", ")
        );
        if pages.duplicates > 0 {
            text += &format!(
                " ({} more pages are the same as another and left out of each index)",
                count(pages.duplicates)
            );
        }
        text
    }

    /// Every table, in reading order.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.sizes(), self.costs()];
        tables.extend(self.facts_kept());
        for (at, view) in self.views.iter().enumerate() {
            tables.push(self.means(view));
            if at == 0 {
                tables.extend(view.to_baseline().map(|pair| self.differences(view, pair)));
            }
            tables.push(self.by_group(view));
        }
        tables
    }

    /// What a reader of the figures must know about judgements and facts.
    pub fn notes(&self) -> Vec<String> {
        let j = &self.judgements;
        let mut notes = Vec::new();
        if let Some(items) = &self.settings.known_items {
            notes.push(format!(
                "Note: no queries were given, so pages are asked for by what is known of them: {} by their rarest words, {} by the text \
                 of links to them",
                count(items.own_words as u64),
                count(items.link_texts as u64)
            ));
        }
        let mut note = |number: usize, words: &str| {
            if number > 0 {
                notes.push(format!("Note: {} {words}", count(number as u64)));
            }
        };
        note(j.unknown_queries.len(), "judged queries are not in the query set; their judgements are not used");
        note(j.judgements_of_unknown_docs, "judgements are of documents that are not in the collection");
        note(j.relevant_unknown_docs, "of those are relevant: no index can find them, and recall is lower for it");
        note(j.unjudged_queries.len(), "queries have no judgement and are in no average");
        if let Some(facts) = &self.facts {
            note(facts.unknown_pages, "facts are of pages that are not in the collection");
            note(facts.not_visible, "facts are not in the visible text of their page, with any method");
        }
        for arm in &self.arms {
            let missing = arm.findings.get("pages_without_text").and_then(serde_json::Value::as_u64).unwrap_or(0);
            note(
                missing as usize,
                &format!("pages have no text in what was given as {}; their body is empty", arm.name),
            );
        }
        notes
    }

    fn sizes(&self) -> Table {
        let mut table = Table::new("Size", self.head("what is measured"));
        let mut row = |name: &str, figure: &dyn Fn(&Arm) -> u64, shown: fn(u64) -> String| {
            let before = self.arms.first().map_or(0, figure);
            let cell = |(at, arm): (usize, &Arm)| match (at, figure(arm)) {
                (0, now) => shown(now),
                (_, now) => format!("{} ({})", shown(now), change(now, before)),
            };
            table.row(std::iter::once(name.to_owned()).chain(self.arms.iter().enumerate().map(cell)));
        };
        row("text that is indexed", &Arm::indexed_bytes, bytes);
        if self.sets_aside() {
            row("  content", &|arm| arm.kept_bytes, bytes);
            row("  aside", &|arm| arm.aside_bytes, bytes);
        }
        row("tokens", &|arm| arm.statistics().tokens, count);
        row("postings", &|arm| arm.statistics().postings, count);
        row("distinct terms", &|arm| arm.statistics().terms, count);
        row("on disk, all of it", &|arm| arm.sizes.total(), bytes);
        row("  terms", &|arm| arm.sizes.terms, bytes);
        row("  postings", &|arm| arm.sizes.postings, bytes);
        row("  positions", &|arm| arm.sizes.positions, bytes);
        row("  stored text", &|arm| arm.sizes.store, bytes);
        row("  other", &|arm| arm.sizes.other, bytes);
        table
    }

    fn costs(&self) -> Table {
        let mut table = Table::new("Cost (read and dedup are done once for all)", self.head("stage"));
        let stages = self.arms.first().map_or(&[][..], |arm| &arm.seconds);
        for (at, (stage, _)) in stages.iter().enumerate() {
            let cells = self.arms.iter().map(|arm| arm.seconds.get(at).map_or(String::new(), |(_, s)| seconds(*s)));
            table.row(std::iter::once(stage.clone()).chain(cells));
        }
        let speed = self.arms.iter().map(|arm| format!("{:.0}", arm.queries_per_second));
        table.row(std::iter::once("queries a second".to_owned()).chain(speed));
        table
    }

    fn facts_kept(&self) -> Option<Table> {
        let given = self.facts?;
        let anywhere = if self.sets_aside() { " (with what is set aside)" } else { "" };
        let title = format!("Facts kept, of {} visible on the pages{anywhere}", count(given.visible as u64));
        let mut table = Table::new(title, self.head("attribute"));
        let kept: Vec<_> = self.arms.iter().filter_map(|arm| arm.facts.as_ref()).collect();
        let all = kept.iter().map(|kept| kept_share(given.visible, kept.kept, kept.kept_anywhere));
        table.row(std::iter::once("all".to_owned()).chain(all));
        for (attribute, (visible, _)) in kept.first().map(|kept| kept.attributes.iter()).into_iter().flatten() {
            let share = kept.iter().map(|kept| {
                let (visible, in_content) = kept.attributes.get(attribute).copied().unwrap_or_default();
                let anywhere = kept.attributes_anywhere.get(attribute).copied().unwrap_or_default();
                kept_share(visible, in_content, anywhere)
            });
            let share: Vec<String> = share.collect();
            // Attributes that nothing was lost of need no row of their own.
            if share.iter().any(|share| share != "100.0 %") {
                table.row(std::iter::once(format!("{attribute} ({visible})")).chain(share));
            }
        }
        Some(table)
    }

    fn means(&self, view: &View) -> Table {
        let number = view.queries.len();
        let title = format!("Precision, searching {} (means over {})", view.name(), queries(number));
        let mut table = Table::new(title, self.head("measure"));
        for (at, measure) in self.settings.measures.iter().enumerate() {
            let cells = view.means.iter().map(|means| score(means[at]));
            table.row(std::iter::once(measure.to_string()).chain(cells));
        }
        table
    }

    fn differences(&self, view: &View, pair: &Pair) -> Table {
        let title = format!("“{}” against “{}”, searching {}", pair.second, pair.first, view.name());
        let mut table = Table::new(title, std::iter::once("measure").chain(DIFFERENCE_HEAD));
        if let Some(all) = pair.group(GroupName::All) {
            for (measure, difference) in self.settings.measures.iter().zip(&all.differences) {
                table.row(std::iter::once(measure.to_string()).chain(difference_cells(difference)));
            }
        }
        table
    }

    fn by_group(&self, view: &View) -> Table {
        let measure = self.settings.measures[self.main_measure()];
        let title = format!("{measure} by kind of query, searching {}", view.name());
        let mut table = Table::new(title, ["queries", "number"].into_iter().chain(DIFFERENCE_HEAD));
        for pair in &view.pairs {
            for group in &pair.groups {
                table.row(group_cells(self, pair, group));
            }
        }
        table
    }

    fn head(&self, first: &str) -> Vec<String> {
        std::iter::once(first.to_owned()).chain(self.arms.iter().map(|arm| arm.name.clone())).collect()
    }
}

/// The share of facts that are in the content, and behind it the share in all that is indexed, where that is more.
pub(super) fn kept_share(visible: usize, kept: usize, anywhere: usize) -> String {
    let share = |facts: usize| percent(facts as u64, visible as u64);
    if anywhere > kept { format!("{} ({})", share(kept), share(anywhere)) } else { share(kept) }
}

fn group_cells(report: &Report, pair: &Pair, group: &Group) -> Vec<String> {
    let d = &group.differences[report.main_measure()];
    let name = format!("{} → {}, {}", pair.first, pair.second, group.name.words());
    [name, d.queries.to_string()].into_iter().chain(difference_cells(d)).collect()
}

/// The columns of [`difference_cells`].
pub const DIFFERENCE_HEAD: [&str; 11] = [
    "before",
    "after",
    "change",
    "95 % interval",
    "changed",
    "better",
    "worse",
    "Wilcoxon p",
    "random. p",
    "switch",
    "verdict",
];

/// The figures of a difference.
pub fn difference_cells(d: &Difference) -> [String; 11] {
    [
        score(d.first),
        score(d.second),
        difference(d.mean),
        format!("{} to {}", difference(d.interval.0), difference(d.interval.1)),
        d.changed.to_string(),
        d.better.to_string(),
        d.worse.to_string(),
        p_value(d.wilcoxon.p),
        p_value(d.randomisation_p),
        score(d.oracle),
        Verdict::of(d).short().to_owned(),
    ]
}

/// Text in lines of at most so many characters.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
