//! What a method has seen, as a file: learned here, merged there, applied to pages that come later.
//!
//! A model file holds what is needed to go on learning, not what came of it: for `table` how many pages each chunk is on, for
//! `auto` the pages of each site with the smallest id hashes (`sample`). Both can be put together in any order, and then
//! are, byte for byte, the file that learning from all pages at once would have given. [`Unpacked::seal`] makes a model of it,
//! the same that the method would have learned. What sites say about their pages alike is learned from a sample of its own, whatever the method.
//!
//! Copies of pages are not taken out here, as they are before an index is built: which pages are copies only shows when all
//! are seen together.

mod sample;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::strip::table::{self, Table};
use crate::strip::{Means, Method, Model, Pages, StripError};
use unhusk_pages::metadata::site::Sample;
use unhusk_pages::spool::{Kind, Packed, PackedError, PackedWriter, Spool};

const KIND: Kind = Kind { magic: *b"unhuskMO", version: 2, name: "model" };

/// What can go wrong with a model file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is missing, something else, of another version, or damaged.
    #[error(transparent)]
    File(#[from] PackedError),
    /// The method failed.
    #[error(transparent)]
    Strip(#[from] StripError),
    /// The method cannot be saved.
    #[error("--strip {method} has no model file: {why}")]
    NoModel {
        /// The method's name.
        method: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// Models of two methods, or of one with different parameters.
    #[error("{a} and {b} cannot be merged: {difference}", a = a.display(), b = b.display())]
    Differ {
        /// One file.
        a: PathBuf,
        /// Another.
        b: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Nothing was given to be merged.
    #[error("there is no model to merge")]
    Nothing,
}

/// What a model file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The method and its parameters.
    pub method: Method,
    /// Pages it was learned from, or drawn from.
    pub pages: u64,
    /// Sites, or scopes in which chunks were counted.
    pub sites: u64,
    /// Chunks that were counted, or pages that were drawn.
    pub entries: u64,
}

/// A saved model.
#[derive(Debug)]
pub struct ModelFile {
    packed: Packed,
    head: Head,
    sites: Sample,
}

/// Says why a method cannot be saved.
pub fn check(method: &Method) -> Result<(), ModelError> {
    let why = match method {
        Method::Auto(_) | Method::Table(Table { sample: None, .. }) => return Ok(()),
        Method::Table(_) => "a random sample (--sample-pages) is drawn from all pages at once; leave the option out",
        Method::None => "it learns nothing",
        Method::Sandwich(_) => "it compares a page with its neighbour, which must be there",
        Method::Cluster(_) => "its layouts are found among all pages at once, and two sets of layouts do not add up",
        Method::Given(_) => "it learns nothing",
    };
    Err(ModelError::NoModel { method: method.name(), why })
}

/// The method without what changes how it is learned but not what is learned.
fn essence(method: &Method) -> Method {
    match method {
        Method::Table(table) => Method::Table(Table { memory: Table::default().memory, ..table.clone() }),
        other => other.clone(),
    }
}

/// Learns from pages into a new file. What is drawn of them to see what their sites say alike goes with it.
pub fn learn(
    method: &Method,
    pages: &Pages<'_>,
    sites: &Sample,
    means: Means<'_>,
    path: &Path,
) -> Result<Head, ModelError> {
    check(method)?;
    let mut packed = PackedWriter::create(path, KIND)?;
    let counts = match method {
        Method::Auto(auto) => sample::draw(auto, pages, &mut packed)?,
        Method::Table(table) => table.learn_counts(pages, means, &mut packed)?,
        _ => return Err(ModelError::Nothing),
    };
    finish(packed, method, pages.numbers().len() as u64, counts, sites)
}

/// Learns `table` from pages into a new file, and returns the model as well: counting twice would cost.
pub fn learn_table<'p>(
    table: &Table,
    pages: &Pages<'p>,
    sites: &Sample,
    means: Means<'_>,
    path: &Path,
) -> Result<Box<dyn Model + 'p>, ModelError> {
    let mut packed = PackedWriter::create(path, KIND)?;
    let (model, scopes, entries) = table.learn_saving(pages, means, &mut packed)?;
    finish(packed, &Method::Table(table.clone()), pages.numbers().len() as u64, (scopes, entries), sites)?;
    Ok(Box::new(model))
}

/// Puts models together into a new file.
pub fn merge(models: &[ModelFile], path: &Path) -> Result<Head, ModelError> {
    let (first, others) = models.split_first().ok_or(ModelError::Nothing)?;
    for other in others {
        if let Some(difference) = difference(&first.head.method, &other.head.method) {
            let (a, b) = (first.packed.path().to_owned(), other.packed.path().to_owned());
            return Err(ModelError::Differ { a, b, difference });
        }
    }
    let files: Vec<&Packed> = models.iter().map(|model| &model.packed).collect();
    let mut packed = PackedWriter::create(path, KIND)?;
    let counts = match &first.head.method {
        Method::Auto(auto) => sample::merge(auto, &files, &mut packed)?,
        _ => table::merge_saved(&files, &mut packed)?,
    };
    let mut sites = Sample::default();
    models.iter().for_each(|model| sites.merge(&model.sites));
    finish(packed, &first.head.method, models.iter().map(|model| model.head.pages).sum(), counts, &sites)
}

fn finish(
    packed: PackedWriter,
    method: &Method,
    pages: u64,
    (sites, entries): (u64, u64),
    drawn: &Sample,
) -> Result<Head, ModelError> {
    let head = Head { method: essence(method), pages, sites, entries };
    packed.finish(&(&head, drawn))?;
    Ok(head)
}

/// In which parameters two methods differ, in words.
fn difference(a: &Method, b: &Method) -> Option<String> {
    if a == b {
        return None;
    }
    if a.name() != b.name() {
        return Some(format!("the first is of {}, the second of {}", a.name(), b.name()));
    }
    let [a, b] = [a, b].map(|method| serde_json::to_value(method).unwrap_or_default());
    let names = a.as_object().into_iter().chain(b.as_object()).flat_map(serde_json::Map::keys);
    let names: std::collections::BTreeSet<&String> = names.collect();
    let differing = names.into_iter().filter(|name| a.get(name.as_str()) != b.get(name.as_str()));
    let value = |of: &serde_json::Value, name: &str| of.get(name).map_or("nothing".to_owned(), ToString::to_string);
    let words = differing
        .map(|name| format!("{name} is {} in the first and {} in the second", value(&a, name), value(&b, name)));
    Some(words.collect::<Vec<_>>().join(", "))
}

impl ModelFile {
    /// Opens a model file, mapped.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let packed = Packed::open(path, KIND)?;
        let (head, sites) = packed.head()?;
        Ok(ModelFile { packed, head, sites })
    }

    /// What it says of itself.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// What was drawn of pages to see what their sites say alike.
    pub fn sites(&self) -> &Sample {
        &self.sites
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.packed.path()
    }

    /// Its bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.packed.bytes()
    }

    /// Lays out in a new folder `scratch` what sealing needs; it must outlive what is returned.
    pub fn unpack(&self, scratch: &Path) -> Result<Unpacked<'_>, ModelError> {
        let sample = match &self.head.method {
            Method::Auto(_) => Some(sample::spool(&self.packed, scratch)?),
            _ => None,
        };
        Ok(Unpacked { file: self, sample })
    }
}

/// A saved model, laid out to be sealed.
#[derive(Debug)]
pub struct Unpacked<'f> {
    file: &'f ModelFile,
    sample: Option<Spool>,
}

impl Unpacked<'_> {
    /// Makes a model that marks pages. It lists templates that are on `pages`, where it does not know their text itself.
    pub fn seal(&self, pages: Option<&Pages<'_>>, means: Means<'_>) -> Result<Box<dyn Model + '_>, ModelError> {
        match (&self.file.head.method, &self.sample) {
            (Method::Table(table), _) => Ok(Box::new(table.seal(&self.file.packed, pages, means)?)),
            (method, Some(spool)) => Ok(method.learn(&Pages::all(spool), means)?),
            (method, None) => Err(check(method).err().unwrap_or(ModelError::Nothing)),
        }
    }
}

#[cfg(test)]
mod tests;
