//! What was found, in words.
//!
//! Sentences for somebody who does not read p-values: what got better, worse and smaller, and how sure that is. Both tests
//! must agree before a difference is called one; where they do not, the sentence says so.

use super::figures::{bytes, count, difference, p_in_words, percent, queries, score};
use super::{Arm, Group, GroupName, Pair, Report, View};
use crate::eval::Difference;

/// Below this, chance is an unlikely explanation.
const LEVEL: f64 = 0.05;
/// With fewer queries only large differences can be told from chance.
const FEW: usize = 25;
/// Template terms that are named.
const NAMED: usize = 8;

/// How sure a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No query changed.
    Same,
    /// Chance alone could do this.
    NotSignificant,
    /// One test says so, the other does not.
    Disputed,
    /// Both tests say so: better.
    Better,
    /// Both tests say so: worse.
    Worse,
}

impl Verdict {
    /// Judges a difference by both tests.
    pub fn of(d: &Difference) -> Self {
        match (d.wilcoxon.p < LEVEL, d.randomisation_p < LEVEL) {
            _ if d.changed == 0 => Verdict::Same,
            (false, false) => Verdict::NotSignificant,
            (true, true) if d.mean > 0.0 => Verdict::Better,
            (true, true) if d.mean < 0.0 => Verdict::Worse,
            _ => Verdict::Disputed,
        }
    }

    /// One or two words, for a table.
    pub fn short(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::NotSignificant => "not significant",
            Verdict::Disputed => "tests disagree",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
        }
    }
}

/// What is said about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The bottom line.
    pub heading: String,
    /// What it rests on.
    pub sentences: Vec<String>,
}

/// The whole report in words: each index that is compared to the first, and what to keep in mind.
pub fn summary(report: &Report) -> Vec<Said> {
    let (Some(baseline), Some(view)) = (report.arms.first(), report.views.first()) else { return Vec::new() };
    let mut said: Vec<Said> = report
        .arms
        .iter()
        .skip(1)
        .zip(view.to_baseline())
        .map(|(arm, pair)| {
            let mut sentences = vec![found(report, view, pair)];
            sentences.extend(groups(report, pair));
            sentences.extend(body_only(report, pair));
            sentences.push(sizes(report, baseline, arm));
            sentences.extend(facts(report, arm));
            Said { heading: heading(report, pair, baseline, arm), sentences }
        })
        .collect();
    let caveats = caveats(report, view);
    if !caveats.is_empty() {
        said.push(Said { heading: "Keep in mind".to_owned(), sentences: caveats });
    }
    said
}

fn heading(report: &Report, pair: &Pair, baseline: &Arm, arm: &Arm) -> String {
    format!("“{}” against “{}”: {}", arm.name, baseline.name, bottom_line(report, pair, baseline, arm))
}

/// The verdict on a method in half a sentence: precision, size.
pub(super) fn bottom_line(report: &Report, pair: &Pair, baseline: &Arm, arm: &Arm) -> String {
    let precision = match main_difference(report, pair, GroupName::All).map(Verdict::of) {
        None | Some(Verdict::Same) => "no query changed",
        Some(Verdict::NotSignificant) => "no significant difference in precision",
        Some(Verdict::Disputed) => "no clear difference in precision",
        Some(Verdict::Better) => "significantly better",
        Some(Verdict::Worse) => "significantly worse",
    };
    format!("{precision}, the index {}", smaller(arm.sizes.total(), baseline.sizes.total()))
}

fn sizes(report: &Report, baseline: &Arm, arm: &Arm) -> String {
    let share = |bytes| percent(bytes, report.collection.text_bytes);
    let text = match arm.aside_bytes {
        0 => format!("keeps {} of the text", share(arm.kept_bytes)),
        aside => format!("keeps {} of the text and sets {} aside", share(arm.kept_bytes), share(aside)),
    };
    let (before, after) = (baseline.statistics().postings, arm.statistics().postings);
    let (disk_before, disk_after) = (baseline.sizes.total(), arm.sizes.total());
    format!(
        "It {text}. The index has {} and takes {} on disk instead of {} ({}).",
        fewer(after, before, "postings"),
        bytes(disk_after),
        bytes(disk_before),
        smaller(disk_after, disk_before),
    )
}

fn fewer(now: u64, before: u64, noun: &str) -> String {
    match now.cmp(&before) {
        std::cmp::Ordering::Equal => format!("as many {noun}"),
        std::cmp::Ordering::Less => format!("{} fewer {noun}", percent(before - now, before)),
        std::cmp::Ordering::Greater => format!("{} more {noun}", percent(now - before, before)),
    }
}

fn smaller(now: u64, before: u64) -> String {
    match now.cmp(&before) {
        std::cmp::Ordering::Equal => "as large".to_owned(),
        std::cmp::Ordering::Less => format!("{} smaller", percent(before - now, before)),
        std::cmp::Ordering::Greater => format!("{} larger", percent(now - before, before)),
    }
}

fn found(report: &Report, view: &View, pair: &Pair) -> String {
    let Some(d) = main_difference(report, pair, GroupName::All) else { return String::new() };
    let measure = report.settings.measures[report.main_measure()];
    let asked = format!("Searching {}, of {}", view.name(), queries(d.queries));
    let verdict = Verdict::of(d);
    if verdict == Verdict::Same {
        return format!("{asked} none changed: {measure} stays {}.", score(d.first));
    }
    let moved = format!(
        "{asked} {} got better, {} worse and {} stayed the same; {measure} goes from {} to {} ({}, 95 % interval {} to {}).",
        d.better,
        d.worse,
        d.queries - d.changed,
        score(d.first),
        score(d.second),
        difference(d.mean),
        difference(d.interval.0),
        difference(d.interval.1),
    );
    format!("{moved} {}", sureness(verdict, d))
}

fn sureness(verdict: Verdict, d: &Difference) -> String {
    let tests = format!("Wilcoxon {}, randomisation {}", p_in_words(d.wilcoxon.p), p_in_words(d.randomisation_p));
    match verdict {
        Verdict::Same => String::new(),
        Verdict::NotSignificant => format!("That is no significant difference: chance alone could do it ({tests})."),
        Verdict::Disputed => format!("The two tests disagree ({tests}): take it as a hint, not as a result."),
        Verdict::Better => format!("That is significantly better: chance alone hardly does it ({tests})."),
        Verdict::Worse => format!("That is significantly worse: chance alone hardly does it ({tests})."),
    }
}

fn groups(report: &Report, pair: &Pair) -> Option<String> {
    let with = main_difference(report, pair, GroupName::TemplateTerms)?;
    let words: Vec<&str> = pair.template_terms.iter().take(NAMED).map(|term| term.word.as_str()).collect();
    let more = if pair.template_terms.len() > NAMED { ", …" } else { "" };
    let measure = report.settings.measures[report.main_measure()];
    let mut text = format!(
        "{} a word that mostly stood in the template ({}{more}): there {measure} goes from {} to {} ({}).",
        holds(with.queries),
        words.join(", "),
        score(with.first),
        score(with.second),
        Verdict::of(with).short(),
    );
    if let Some(without) = main_difference(report, pair, GroupName::NoTemplateTerms) {
        text += &format!(
            " In the other {} it goes from {} to {} ({}).",
            queries(without.queries),
            score(without.first),
            score(without.second),
            Verdict::of(without).short(),
        );
    }
    Some(text)
}

fn holds(number: usize) -> String {
    format!("{} {}", queries(number), if number == 1 { "holds" } else { "hold" })
}

fn body_only(report: &Report, pair: &Pair) -> Option<String> {
    let view = report.views.get(1)?;
    let same = view.pairs.iter().find(|other| other.first == pair.first && other.second == pair.second)?;
    let d = main_difference(report, same, GroupName::All)?;
    let measure = report.settings.measures[report.main_measure()];
    Some(format!(
        "Searching the {}, {measure} goes from {} to {} ({}).",
        view.name(),
        score(d.first),
        score(d.second),
        Verdict::of(d).short()
    ))
}

fn facts(report: &Report, arm: &Arm) -> Option<String> {
    let (given, kept) = (report.facts?, arm.facts.as_ref()?);
    let number = |facts: usize| format!("{} ({})", count(facts as u64), percent(facts as u64, given.visible as u64));
    let still = match kept.kept_anywhere {
        all if all == kept.kept => format!("{} are still in the text it indexes", number(all)),
        all => format!("{} are still in the content, and {} in the text it indexes", number(kept.kept), number(all)),
    };
    Some(format!("Of {} facts that are visible on the pages, {still}.", count(given.visible as u64)))
}

/// What to keep in mind, where it applies.
pub(super) fn caveats(report: &Report, view: &View) -> Vec<String> {
    let mut notes = Vec::new();
    if view.queries.len() < FEW {
        notes.push(format!("With {} only large differences can be told from chance.", queries(view.queries.len())));
    }
    if report.arms.len() > 2 {
        notes.push(
            "The p-values are not corrected for the number of comparisons: the more methods, the likelier one looks better by chance."
                .to_owned(),
        );
    }
    notes
}

/// The difference of a pair by the main measure.
pub(super) fn main_difference<'p>(report: &Report, pair: &'p Pair, group: GroupName) -> Option<&'p Difference> {
    pair.group(group).and_then(|group: &Group| group.differences.get(report.main_measure()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn verdict(first: &[f64], second: &[f64]) -> Verdict {
        Verdict::of(&Difference::between(first, second, 1).unwrap())
    }

    #[test]
    fn a_difference_is_one_when_both_tests_say_so() {
        let before: Vec<f64> = (0..20).map(|n| f64::from(n) / 100.0).collect();
        let after: Vec<f64> = (0..20).map(|n| f64::from(n) / 50.0 + 0.1).collect();
        assert_eq!(verdict(&before, &after), Verdict::Better);
        assert_eq!(verdict(&after, &before), Verdict::Worse);
    }

    #[test]
    fn few_changes_are_not_significant_and_none_are_the_same() {
        assert_eq!(verdict(&[0.1, 0.2, 0.3], &[0.2, 0.4, 0.3]), Verdict::NotSignificant);
        assert_eq!(verdict(&[0.1, 0.2], &[0.1, 0.2]), Verdict::Same);
    }

    #[test]
    fn where_one_test_says_so_and_the_other_does_not_they_disagree() {
        // Four gains of one size and no loss: Wilcoxon's approximation says 0.046, randomisation 0.125.
        let before = [0.0; 8];
        let after = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(verdict(&before, &after), Verdict::Disputed);
    }

    #[test]
    fn sizes_are_told_either_way() {
        assert_eq!(smaller(75, 100), "25.0 % smaller");
        assert_eq!(smaller(110, 100), "10.0 % larger");
        assert_eq!(fewer(100, 100, "postings"), "as many postings");
    }
}
