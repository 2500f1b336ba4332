//! Where a build's model comes from: learned, or read from a file; and kept with the index, where that is wanted.

use std::fs;
use std::path::Path;

use super::{Building, IngestError};
use crate::index::{IndexError, upkeep};
use unhusk_pages::metadata::site::Sample;
use unhusk_strip::model::{self, ModelFile};
use unhusk_strip::strip::{Means, Method, Model, Pages};

/// A model that lies in a file, or is ready with it; neither where nothing is saved.
pub(super) struct Saved<'p> {
    pub(super) file: Option<ModelFile>,
    pub(super) model: Option<Box<dyn Model + 'p>>,
}

/// Takes the model that was named, or learns one, into the folder of the index. Pages that come later are then marked by the
/// same model as those that are there now.
pub(super) fn save<'p>(
    building: &Building,
    pages: &Pages<'p>,
    sites: &Sample,
    means: Means<'_>,
    index: &Path,
) -> Result<Saved<'p>, IngestError> {
    let place = upkeep::model_of(index);
    if building.updatable {
        let folder = place.parent().unwrap_or(index);
        fs::create_dir_all(folder).map_err(IndexError::io("create", folder))?;
    }
    let mut saved = Saved { file: None, model: None };
    match (&building.model, &building.method) {
        (Some(path), _) if building.updatable => {
            // Read from where it was named, so that a complaint names it too.
            saved.file = Some(ModelFile::open(path)?);
            fs::copy(path, &place).map_err(IndexError::io("copy the model to", &place))?;
        }
        (Some(path), _) => saved.file = Some(ModelFile::open(path)?),
        (None, method) if !building.updatable || model::check(method).is_err() => {}
        (None, Method::Table(table)) => saved.model = Some(model::learn_table(table, pages, sites, means, &place)?),
        (None, method) => {
            // The pages are at hand, so that nothing need be read back from the file.
            model::learn(method, pages, sites, means, &place)?;
            saved.model = Some(method.learn(pages, means)?);
        }
    }
    Ok(saved)
}
