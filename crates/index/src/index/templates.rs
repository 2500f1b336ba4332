//! `templates.json`: what was found to be template, for people to look at.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checksums::Checksums;
use super::{IndexError, Manifest, of_one_build};
use unhusk_strip::strip::{Model, Pages, Template};

/// Name of the file.
pub const FILE: &str = "templates.json";

/// The templates an index was built without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Templates {
    /// Pages in the index: what a template's share is of.
    pub pages: u64,
    /// The templates, on most pages first.
    pub templates: Vec<Template>,
}

impl Templates {
    /// What a model found.
    pub fn new(model: &dyn Model, pages: &Pages<'_>) -> Self {
        Templates { pages: pages.numbers().len() as u64, templates: model.templates().to_vec() }
    }

    /// Writes the file into an index's folder.
    pub fn write(&self, folder: &Path) -> Result<(), IndexError> {
        let path = folder.join(FILE);
        let json = serde_json::to_string(self).expect("templates have only string keys");
        fs::write(&path, json).map_err(IndexError::io("write", &path))
    }

    /// Reads the templates of the index in `folder`.
    pub fn read(folder: &Path) -> Result<Self, IndexError> {
        Manifest::read(folder)?;
        let (json, _) = of_one_build(folder, || Checksums::read(folder)?.read_file(FILE))?;
        serde_json::from_slice(&json)
            .map_err(|error| IndexError::NotAnIndex { path: folder.to_owned(), why: format!("{FILE}: {error}") })
    }
}
