//! What each page shares with the others is marked, piece by piece.
//!
//! Every method answers the same question with a [`Mask`]: for each piece, kept, or set aside or dropped and why. Nothing is
//! rewritten: the index, explanations, highlighted pages and scores all read the same marks.
//!
//! A method that learns sees the pages twice: what it gathers on the first pass is sealed into a [`Model`], and
//! the model marks pages on the second.

pub mod auto;
pub mod cluster;
pub mod explain;
pub mod given;
mod mask;
mod none;
mod pages;
pub mod sandwich;
pub mod scope;
pub mod table;

pub use mask::{Aside, Mark, Mask, Reason};
use pages::at_least;
pub(crate) use pages::draw;
pub use pages::{Pages, for_each_page};

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use unhusk_pages::parse::Page;
use unhusk_pages::spool::{PackedError, PageNo, SpoolError};

/// A method and its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// Keeps everything: the baseline of every comparison.
    None,
    /// Drops what its place holds for certain, sets aside lists of other pages and what is around a site's articles.
    Auto(auto::Auto),
    /// Drops chunks that many pages share.
    Table(table::Table),
    /// Drops what a page has in common with one other page of its directory.
    Sandwich(sandwich::Sandwich),
    /// Drops what most pages of a layout have in the same place.
    Cluster(cluster::Cluster),
    /// Takes the text that another program has cut out.
    Given(given::Given),
}

/// What a method may use while it learns.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Threads, at least one. The result never depends on them.
    pub threads: usize,
    /// A folder for temporary files.
    pub scratch: &'a Path,
}

/// What a method has learned from a collection.
pub trait Model: Send + Sync {
    /// Marks a page of the collection.
    fn mark(&self, number: PageNo, page: &Page) -> Result<Mask, StripError>;

    /// What is left of a page of the collection: the pieces that are kept, joined as a reader sees them, and those that are set
    /// aside, treated so.
    fn kept(&self, number: PageNo, page: &Page, aside: Aside) -> Result<Kept, StripError> {
        let mask = self.mark(number, page)?.treating(aside);
        Ok(Kept {
            text: page.text_where(|piece| mask.keeps(piece)),
            bytes: mask.kept_bytes(page),
            aside: page.text_where(|piece| mask.is_aside(piece)),
            aside_bytes: mask.aside_bytes(page),
            mask: Some(mask),
        })
    }

    /// The templates it found, on most pages first.
    fn templates(&self) -> &[Template] {
        &[]
    }

    /// What the manifest tells about the model, once all pages are marked: names and values.
    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }
}

/// What is left of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The text, blocks on lines of their own.
    pub text: String,
    /// Bytes of the pieces, without what joins them: to be compared with [`Page::text_bytes`].
    pub bytes: u64,
    /// What is set aside, made like the text.
    pub aside: String,
    /// Bytes of its pieces.
    pub aside_bytes: u64,
    /// What it was made with; none where the text does not come from the page's pieces.
    pub mask: Option<Mask>,
}

/// A template that was found, for people to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// Its text as it stands on the example page.
    pub text: String,
    /// Pages it was found on while learning.
    pub pages: u32,
    /// How often it was found, all pages together.
    pub times: u32,
    /// Bytes of text that leaving it out saves on the pages learned from.
    pub bytes_saved: u64,
    /// The id of the first page that has it.
    pub example: String,
    /// Where it is the template of a whole layout: what the layout looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutListing>,
}

/// A layout that pages share (`cluster`), for people to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutListing {
    /// The paths of its template in the order of reading: `html/body/nav`, and where there is text, `html/body/nav/"Home"`.
    pub paths: Vec<String>,
    /// The ids of its first pages.
    pub examples: Vec<String>,
}

/// What can go wrong while learning or marking.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StripError {
    /// The pages cannot be read.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// A saved model cannot be written or read.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// Temporary files cannot be written or read.
    #[error("cannot use the temporary folder {folder}: {source}")]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The texts of `given` cannot be read.
    #[error("cannot read texts from {path} (named with --texts): {source}", path = path.display())]
    Texts {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of the texts of `given` is not one.
    #[error("{path}, line {line}: {why} (expected a JSON object with \"id\" and \"text\", each id once)", path = path.display())]
    BadText {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl Method {
    /// The name the command line knows it by.
    pub fn name(&self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Auto(_) => "auto",
            Method::Table(_) => "table",
            Method::Sandwich(_) => "sandwich",
            Method::Cluster(_) => "cluster",
            Method::Given(_) => "given",
        }
    }

    /// Learns what the pages share.
    pub fn learn<'p>(&self, pages: &Pages<'p>, means: Means<'_>) -> Result<Box<dyn Model + 'p>, StripError> {
        match self {
            Method::None => Ok(Box::new(none::KeepAll)),
            Method::Auto(auto) => Ok(Box::new(auto.learn(pages, means)?)),
            Method::Table(table) => Ok(Box::new(table.learn(pages, means, None)?)),
            Method::Sandwich(sandwich) => Ok(Box::new(sandwich.learn(pages, means)?)),
            Method::Cluster(cluster) => Ok(Box::new(cluster.learn(pages, means)?)),
            Method::Given(given) => Ok(Box::new(given.read()?)),
        }
    }
}
