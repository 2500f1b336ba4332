//! Floors: figures that must not get worse.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;

use super::{Experiment, ExperimentError, Found};
use crate::eval::Measure;
use crate::report::{Arm, Report};

/// A figure that can have a floor. More is better for each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The mean of a measure, title and body searched.
    Mean(Measure),
    /// The share of visible facts that are kept.
    FactsKept,
    /// The share of the baseline's text that is not indexed.
    TextSaved,
    /// The share of the baseline's postings that is saved.
    PostingsSaved,
    /// The share of the baseline's bytes on disk that is saved.
    DiskSaved,
}

/// A text that names no figure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no figure is called `{0}`; expected a measure, facts_kept, text_saved, postings_saved or disk_saved")]
pub struct UnknownFigure(String);

impl FromStr for Figure {
    type Err = UnknownFigure;

    fn from_str(name: &str) -> Result<Self, UnknownFigure> {
        match name {
            "facts_kept" => Ok(Figure::FactsKept),
            "text_saved" => Ok(Figure::TextSaved),
            "postings_saved" => Ok(Figure::PostingsSaved),
            "disk_saved" => Ok(Figure::DiskSaved),
            _ => name.parse().map(Figure::Mean).map_err(|_| UnknownFigure(name.to_owned())),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Mean(measure) => measure.fmt(f),
            Figure::FactsKept => f.write_str("facts_kept"),
            Figure::TextSaved => f.write_str("text_saved"),
            Figure::PostingsSaved => f.write_str("postings_saved"),
            Figure::DiskSaved => f.write_str("disk_saved"),
        }
    }
}

impl Figure {
    /// The figure of one index of a report; none where it was not measured.
    pub fn of(self, report: &Report, arm: usize) -> Option<f64> {
        let (baseline, this) = (report.arms.first()?, report.arms.get(arm)?);
        let saved = |size: &dyn Fn(&Arm) -> u64| 1.0 - size(this) as f64 / size(baseline).max(1) as f64;
        match self {
            Figure::Mean(measure) => {
                let at = report.settings.measures.iter().position(|&m| m == measure)?;
                report.views.first()?.means.get(arm)?.get(at).copied()
            }
            Figure::FactsKept => {
                let visible = report.facts?.visible;
                this.facts.as_ref().map(|facts| facts.kept as f64 / visible.max(1) as f64)
            }
            Figure::TextSaved => Some(saved(&Arm::indexed_bytes)),
            Figure::PostingsSaved => Some(saved(&|arm| arm.statistics().postings)),
            Figure::DiskSaved => Some(saved(&|arm| arm.sizes.total())),
        }
    }
}

/// A floor and what was reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// The collection.
    pub set: String,
    /// The index.
    pub arm: String,
    /// The figure's name.
    pub figure: String,
    /// What must be reached.
    pub floor: f64,
    /// What was reached.
    pub reached: f64,
    /// Whether that is enough.
    pub passed: bool,
}

/// Holds what was found against the floors. Collections that were not there are not checked; a floor for something
/// that no run of the experiment can have is an error.
pub fn check(experiment: &Experiment, found: &[Found], file: &Path) -> Result<Vec<Check>, ExperimentError> {
    let mut checks = Vec::new();
    for (set, arms) in &experiment.floors {
        for (arm, floors) in arms {
            for (figure, &floor) in floors {
                let missing = || ExperimentError::NoSuchFloor {
                    file: file.into(),
                    set: set.clone(),
                    arm: arm.clone(),
                    figure: figure.clone(),
                };
                if !experiment.set_names().any(|name| name == set) {
                    return Err(missing());
                }
                let Some(found) = found.iter().find(|found| found.set == *set) else { continue };
                let place = found.report.arms.iter().position(|a| a.name == *arm).ok_or_else(missing)?;
                let known: Figure = figure.parse().map_err(|_| missing())?;
                let reached = known.of(&found.report, place).ok_or_else(missing)?;
                // The last bit of a mean is no reason to fail.
                let passed = reached >= floor - 1e-9;
                let (set, arm, figure) = (set.clone(), arm.clone(), figure.clone());
                checks.push(Check { set, arm, figure, floor, reached, passed });
            }
        }
    }
    Ok(checks)
}

/// The experiment's text with each floor raised to what was reached, cut to three decimals; with `lower`, lowered too.
/// Everything else stays as it was written.
pub fn raise(text: &str, checks: &[Check], lower: bool) -> String {
    let mut place: Vec<String> = Vec::new();
    let mut raised = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            place = header(line);
        }
        let floor = match place.as_slice() {
            [floors, set, arm] if floors == "floors" => new_floor(line, (set, arm), checks, lower),
            _ => None,
        };
        match floor {
            Some((name, floor)) => raised += &format!("{name}= {floor:.3}\n"),
            None => raised += line,
        }
    }
    raised
}

/// The path of a table's header line: `[a."b/c".d]` is a, b/c, d.
fn header(line: &str) -> Vec<String> {
    let mut table: toml::Table = toml::from_str(line).unwrap_or_default();
    let mut path = Vec::new();
    while let Some((name, inner)) = table.into_iter().next() {
        path.push(name);
        table = match inner {
            toml::Value::Table(inner) => inner,
            _ => break,
        };
    }
    path
}

/// What stands before the equals sign, and the floor that should stand after it; none where the line stays.
fn new_floor<'l>(line: &'l str, place: (&String, &String), checks: &[Check], lower: bool) -> Option<(&'l str, f64)> {
    let (name, _) = line.split_once('=')?;
    let entry: BTreeMap<String, f64> = toml::from_str(line).ok()?;
    let figure = entry.keys().next()?;
    let check = checks.iter().find(|c| (&c.set, &c.arm) == place && c.figure == *figure)?;
    let floor = (check.reached * 1000.0 + 1e-6).floor() / 1000.0;
    (floor > check.floor || lower && floor < check.floor).then_some((name, floor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(reached: f64, floor: f64) -> Check {
        let (set, arm, figure) = ("a/b".to_owned(), "table".to_owned(), "P@10".to_owned());
        Check { set, arm, figure, floor, reached, passed: reached >= floor }
    }

    const TEXT: &str = "# why\n[floors.\"a/b\".table]\n\"P@10\" = 0.500 # measured\nMAP = 0.1\n\n[floors.other.table]\n\"P@10\" = 0.5\n";

    #[test]
    fn a_floor_goes_up_and_the_rest_stays() {
        let raised = raise(TEXT, &[reached(0.61299, 0.5)], false);
        assert_eq!(raised, TEXT.replacen("\"P@10\" = 0.500 # measured", "\"P@10\" = 0.612", 1));
    }

    #[test]
    fn a_floor_goes_down_only_when_told() {
        assert_eq!(raise(TEXT, &[reached(0.4, 0.5)], false), TEXT);
        assert!(raise(TEXT, &[reached(0.4, 0.5)], true).contains("\"P@10\" = 0.400\n"));
    }

    #[test]
    fn a_figure_is_read_from_its_name() {
        for name in ["MAP", "P@10", "facts_kept", "text_saved", "postings_saved", "disk_saved"] {
            assert_eq!(name.parse::<Figure>().map(|figure| figure.to_string()), Ok(name.to_owned()));
        }
        assert!("postings".parse::<Figure>().is_err());
    }
}
