//! `templates.json`: what was found to be template, for people to look at.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checksums::Checksums;
use super::together::together;
use super::{IndexError, Manifest, of_one_build};
use unhusk_pages::spool::SpoolError;
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
    /// Which of them go together, by their numbers from 0, in the order of reading. Those that are not here stand alone.
    #[serde(default)]
    pub together: Vec<Vec<u32>>,
}

/// Templates that go together on the same pages: a whole menu, a whole footer, or one text that stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'t> {
    /// Its texts in the order of reading, one at least.
    pub templates: Vec<&'t Template>,
}

impl<'t> Group<'t> {
    /// Bytes of text that leaving it out saves on the pages learned from.
    pub fn bytes_saved(&self) -> u64 {
        self.templates.iter().map(|template| template.bytes_saved).sum()
    }

    /// Pages that the text with the fewest pages is on, and the one with most.
    pub fn pages(&self) -> (u32, u32) {
        let pages = || self.templates.iter().map(|template| template.pages);
        (pages().min().unwrap_or(0), pages().max().unwrap_or(0))
    }

    /// The page its texts were first found on.
    pub fn example(&self) -> &'t str {
        self.templates.first().map_or("", |template| &template.example)
    }

    /// Its texts, one behind the other.
    pub fn text(&self) -> String {
        let lines = self.templates.iter().flat_map(|template| template.text.lines());
        lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

impl Templates {
    /// What a model found.
    pub fn new(model: &dyn Model, pages: &Pages<'_>) -> Result<Self, SpoolError> {
        let templates = model.templates().to_vec();
        Ok(Templates { pages: pages.numbers().len() as u64, together: together(&templates, pages)?, templates })
    }

    /// What people take for one template, the largest saving first.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut alone = vec![true; self.templates.len()];
        let mut groups = Vec::new();
        for numbers in &self.together {
            let mut templates = Vec::new();
            for &number in numbers {
                if let Some(template) = self.templates.get(number as usize) {
                    alone[number as usize] = false;
                    templates.push(template);
                }
            }
            if !templates.is_empty() {
                groups.push(Group { templates });
            }
        }
        let single = self.templates.iter().zip(alone).filter(|(_, alone)| *alone);
        groups.extend(single.map(|(template, _)| Group { templates: vec![template] }));
        groups.sort_by_key(|group| (std::cmp::Reverse(group.bytes_saved()), std::cmp::Reverse(group.pages())));
        groups
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_in_one_group_and_the_largest_saving_is_first() {
        let template = |text: &str, bytes_saved| Template {
            text: text.to_owned(),
            pages: 9,
            times: 9,
            bytes_saved,
            example: "a".to_owned(),
            layout: None,
        };
        let listed = vec![template("Law", 30), template("Copyright", 50), template("Home", 30)];
        // A number that no template has is passed over.
        let templates = Templates { pages: 10, templates: listed, together: vec![vec![2, 0, 7], vec![8]] };
        let groups: Vec<(String, u64)> =
            templates.groups().iter().map(|group| (group.text(), group.bytes_saved())).collect();
        assert_eq!(groups, [("Home · Law".to_owned(), 60), ("Copyright".to_owned(), 50)]);
    }
}
