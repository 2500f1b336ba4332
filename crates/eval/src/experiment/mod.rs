//! Experiments: comparisons written down, with the scores they must reach.
//!
//! An experiment is one TOML file: what is compared on which collections, and for each the figures that must not fall
//! below a floor. So a result can be had again by anybody, and a change that costs precision is seen before it is
//! kept. Floors only go up ([`raise`]), unless somebody says otherwise.

mod floors;
mod page;

pub use floors::{Check, Figure, UnknownFigure, check, raise};
pub use page::{floors, overview, page};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::eval::Measure;
use crate::report::Report;
use unhusk_index::index::words::Language;

/// A comparison written down.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// What it shows, and what to keep in mind.
    #[serde(default)]
    pub about: String,
    /// The methods as the command line takes them, the first as the baseline.
    pub methods: Vec<String>,
    /// The language words are stemmed for.
    #[serde(default)]
    pub language: Language,
    /// What is measured; the usual eight if nothing is said.
    #[serde(default)]
    pub measures: Vec<Measure>,
    /// Collections by name. Paths are relative to the experiment's file.
    #[serde(default)]
    pub sets: BTreeMap<String, Files>,
    /// Synthetic sites by name.
    #[serde(default)]
    pub generate: BTreeMap<String, Recipe>,
    /// Collections in a folder that an environment variable names.
    pub folder: Option<Folder>,
    /// What must be reached: by set, by index, by figure.
    #[serde(default)]
    pub floors: BTreeMap<String, BTreeMap<String, BTreeMap<String, f64>>>,
}

/// A collection with its queries and judgements.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The collection.
    pub collection: PathBuf,
    /// Its queries.
    pub queries: PathBuf,
    /// Their judgements.
    pub qrels: PathBuf,
    /// Its facts.
    pub facts: Option<PathBuf>,
}

/// A synthetic site.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// How many pages.
    pub pages: u64,
    /// Its seed.
    pub seed: u64,
}

/// Collections that do not come with the program. Each is a folder with `pages/`, `queries.tsv`, `qrels.txt` and, where there
/// are any, `facts.tsv`: what `unhusk generate` writes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    /// The environment variable that names the folder they are in.
    pub variable: String,
    /// Their paths below it.
    pub sets: Vec<String>,
}

/// Why an experiment could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read the experiment {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The file is not what an experiment looks like; the message names line and column.
    #[error("{} is not an experiment: {source}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: Box<toml::de::Error>,
    },
    /// There is nothing to compare.
    #[error("{}: expected at least two methods, and at least one collection in [sets], [generate] or [folder]", file.display())]
    Nothing {
        /// The file.
        file: PathBuf,
    },
    /// A floor speaks of something that is not there: it would never be checked.
    #[error("{}: a floor for {set}, {arm}, {figure}, and there is no such thing in this experiment", file.display())]
    NoSuchFloor {
        /// The file.
        file: PathBuf,
        /// The set.
        set: String,
        /// The index.
        arm: String,
        /// The figure.
        figure: String,
    },
}

/// What an experiment found on one collection.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The collection's name in the experiment.
    pub set: String,
    /// The report.
    pub report: Report,
}

impl Experiment {
    /// Reads an experiment's file.
    pub fn open(file: &Path) -> Result<Self, ExperimentError> {
        let text =
            std::fs::read_to_string(file).map_err(|source| ExperimentError::Read { file: file.into(), source })?;
        let experiment: Self = toml::from_str(&text)
            .map_err(|source| ExperimentError::Malformed { file: file.into(), source: Box::new(source) })?;
        if experiment.methods.len() < 2 || experiment.set_names().next().is_none() {
            return Err(ExperimentError::Nothing { file: file.into() });
        }
        Ok(experiment)
    }

    /// The names of all its collections.
    pub fn set_names(&self) -> impl Iterator<Item = &str> {
        let elsewhere = self.folder.iter().flat_map(|folder| &folder.sets);
        self.sets.keys().chain(self.generate.keys()).chain(elsewhere).map(String::as_str)
    }
}

impl Files {
    /// The files with their paths seen from `folder`.
    pub fn below(&self, folder: &Path) -> Self {
        Files {
            collection: folder.join(&self.collection),
            queries: folder.join(&self.queries),
            qrels: folder.join(&self.qrels),
            facts: self.facts.as_ref().map(|facts| folder.join(facts)),
        }
    }

    /// The files of a folder as `unhusk generate` writes it.
    pub fn in_folder(folder: &Path) -> Self {
        let facts = folder.join("facts.tsv");
        Files {
            collection: folder.join("pages"),
            queries: folder.join("queries.tsv"),
            qrels: folder.join("qrels.txt"),
            facts: facts.is_file().then_some(facts),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Experiment, String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.toml");
        std::fs::write(&file, text).unwrap();
        Experiment::open(&file).map_err(|error| error.to_string())
    }

    #[test]
    fn an_experiment_names_methods_collections_and_floors() {
        let text = "title = 'T'\nmethods = ['none', 'table']\n[generate.small]\npages = 100\nseed = 1\n[floors.small.table]\nMAP = 0.5\n";
        let experiment = read(text).unwrap();
        assert_eq!(experiment.set_names().collect::<Vec<_>>(), ["small"]);
        assert_eq!(experiment.floors["small"]["table"]["MAP"], 0.5);
    }

    #[test]
    fn a_misspelt_key_is_an_error_that_names_its_line() {
        let error = read("title = 'T'\nmethods = ['none', 'table']\nsett = 1\n").unwrap_err();
        assert!(error.contains("line 3") && error.contains("sett"), "{error}");
    }

    #[test]
    fn without_anything_to_compare_there_is_no_experiment() {
        assert!(read("title = 'T'\nmethods = ['none']\n").unwrap_err().contains("at least two methods"));
    }
}
