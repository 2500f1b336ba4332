//! Fields files: what was learned, by host; versioned, readable JSON with a checksum.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unhusk_pages::field::Kind;
use xxhash_rust::xxh3::xxh3_64;

use crate::cut::Reading;
use crate::library::Entry;
use crate::neighbours::Profile;
use crate::texts::Texts;
use crate::tree::Wanted;

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

/// What a wrapper is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A record.
    #[default]
    Record,
    /// A whole page.
    Page,
}

/// What was learned, by host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fields {
    /// Hosts; the empty one is that of pages whose URL is not known.
    pub hosts: BTreeMap<String, Host>,
}

/// What was learned of a host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Ids of the labelled pages.
    pub pages: Vec<String>,
    /// Pages that were looked at, labelled or not.
    pub seen: u64,
    /// Labelled records.
    pub records: u64,
    /// What wrappers are of.
    pub level: Level,
    /// The attributes that are leaves.
    pub wanted: Wanted,
    /// What is known of each attribute.
    pub attributes: BTreeMap<String, AttributeFacts>,
    /// The wrappers.
    pub wrappers: Vec<Entry>,
    /// What tells the values of each attribute, where a page is a record.
    pub profiles: BTreeMap<String, Profile>,
    /// What places of the site say.
    pub texts: Texts,
}

/// What is known of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeFacts {
    /// Labelled records that have it.
    pub records: u64,
    /// Labelled records that have several values.
    pub several: u64,
    /// Labelled values that stand in several places of their page, so that another may be meant.
    pub ambiguous: u64,
    /// What its values are.
    pub kind: Kind,
    /// How its values are read.
    #[serde(default)]
    pub reading: Reading,
}

impl Host {
    /// Labelled records a page, on average.
    pub fn mean_records(&self) -> f64 {
        if self.pages.is_empty() { 0.0 } else { self.records as f64 / self.pages.len() as f64 }
    }

    /// How the values of each attribute are read.
    pub fn readings(&self) -> BTreeMap<String, Reading> {
        self.attributes.iter().map(|(name, facts)| (name.clone(), facts.reading.clone())).collect()
    }

    fn join(&mut self, other: Host) {
        for page in other.pages {
            if !self.pages.contains(&page) {
                self.pages.push(page);
            }
        }
        self.seen += other.seen;
        self.records += other.records;
        self.wanted = self.wanted.or(other.wanted);
        for (name, facts) in other.attributes {
            let Some(own) = self.attributes.get_mut(&name) else {
                self.attributes.insert(name, facts);
                continue;
            };
            own.records += facts.records;
            own.several += facts.several;
            own.ambiguous += facts.ambiguous;
            if own.kind != facts.kind {
                own.kind = Kind::Text;
            }
            if own.reading.cut != facts.reading.cut {
                own.reading.cut = None;
            }
            own.reading.keeps_ends |= facts.reading.keeps_ends;
        }
        for wrapper in other.wrappers {
            if !self.wrappers.contains(&wrapper) {
                self.wrappers.push(wrapper);
            }
        }
        for (name, profile) in other.profiles {
            match self.profiles.get_mut(&name) {
                Some(own) => own.join(&profile),
                None => {
                    self.profiles.insert(name, profile);
                }
            }
        }
        self.texts.join(&other.texts);
    }
}

/// Why a fields file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldsError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("{}: not a fields file: {problem}; `unhusk fields learn` writes one", path.display())]
    NotFields {
        /// The file.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// Another program wrote it.
    #[error("{}: version {found} of the format, and this program reads version {VERSION}; learn the fields anew from their labels", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// Its bytes are not those that were written.
    #[error("{}: the file was changed after it was written: its checksum is {found}, and its content has {is}; restore it or learn it anew", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The checksum in it.
        found: String,
        /// The checksum it should be.
        is: String,
    },
}

/// The file around [`Fields`].
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    checksum: String,
    hosts: BTreeMap<String, Host>,
}

const FORMAT: &str = "unhusk fields";
const CHECKSUM: &str = "\"checksum\": \"";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 16;

/// What every file says of itself, whatever its version.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

impl Fields {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let file = File {
            format: FORMAT.to_owned(),
            version: u64::from(VERSION),
            checksum: "0".repeat(DIGITS),
            hosts: self.hosts.clone(),
        };
        let mut bytes = serde_json::to_vec_pretty(&file).unwrap_or_default();
        bytes.push(b'\n');
        let sum = checksum(&bytes);
        if let Some(at) = checksum_at(&bytes) {
            bytes[at..at + DIGITS].copy_from_slice(sum.as_bytes());
        }
        bytes
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FieldsError> {
        let bytes = std::fs::read(path).map_err(|source| FieldsError::Io { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads a file's bytes; `path` is what errors call it.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, FieldsError> {
        let not = |problem: String| FieldsError::NotFields { path: path.to_owned(), problem };
        let head: Head = serde_json::from_slice(bytes).map_err(|error| not(error.to_string()))?;
        if head.format != FORMAT {
            return Err(not(format!("its format is {:?}", head.format)));
        }
        if head.version != u64::from(VERSION) {
            return Err(FieldsError::Version { path: path.to_owned(), found: head.version });
        }
        let at = checksum_at(bytes).ok_or_else(|| not("it has no checksum".to_owned()))?;
        let mut blank = bytes.to_vec();
        let found = String::from_utf8_lossy(&blank[at..at + DIGITS]).into_owned();
        blank[at..at + DIGITS].fill(b'0');
        let is = checksum(&blank);
        if found != is {
            return Err(FieldsError::Changed { path: path.to_owned(), found, is });
        }
        let mut file: File = serde_json::from_slice(bytes).map_err(|error| not(error.to_string()))?;
        for host in file.hosts.values_mut() {
            for entry in &mut host.wrappers {
                entry.head = std::mem::take(&mut entry.head).complete().map_err(not)?;
            }
        }
        Ok(Fields { hosts: file.hosts })
    }

    /// Adds what another file knows.
    pub fn join(&mut self, other: Fields) {
        for (name, host) in other.hosts {
            match self.hosts.get_mut(&name) {
                Some(own) => own.join(host),
                None => {
                    self.hosts.insert(name, host);
                }
            }
        }
    }

    /// What is known of a page's host.
    pub fn host(&self, url: &str) -> Option<&Host> {
        self.hosts.get(&host_of(url))
    }

    /// The attributes that are leaves for any host.
    pub fn wanted(&self) -> Wanted {
        self.hosts.values().fold(Wanted::default(), |wanted, host| wanted.or(host.wanted))
    }

    /// All attributes, in the order of their names.
    pub fn attributes(&self) -> std::collections::BTreeSet<&str> {
        self.hosts.values().flat_map(|host| host.attributes.keys().map(String::as_str)).collect()
    }
}

/// The host of a URL without `www.`; nothing where it is no URL.
pub fn host_of(url: &str) -> String {
    let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Where the digits of the checksum are.
fn checksum_at(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(512)];
    let at = head.windows(CHECKSUM.len()).position(|part| part == CHECKSUM.as_bytes())? + CHECKSUM.len();
    (at + DIGITS <= bytes.len()).then_some(at)
}
