//! One COLLECTION argument, resolved: what it is and how it is read.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::decompress::Stream;
use super::stdin::Stdin;
use super::{Emit, Found, ReadError, ReadOptions, directory, jsonl, sniff, trec, warc};

/// Extensions that are no part of a collection's name.
const EXTENSIONS: [&str; 14] =
    ["gz", "zst", "warc", "trec", "sgml", "sgm", "txt", "jsonl", "ndjson", "json", "html", "htm", "xhtml", "shtml"];

/// A collection of pages: a directory, a file, or standard input.
#[derive(Debug, Clone)]
pub struct Collection {
    path: PathBuf,
    kind: Kind,
    stop: Arc<AtomicBool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directory,
    Page,
    Warc,
    Trec,
    JsonLines,
    Stdin,
}

impl Collection {
    /// Resolves a path, or `-` for JSON lines on standard input.
    ///
    /// What kind of file it is shows in its content; the name decides only for HTML and where the content tells nothing.
    pub fn open(argument: impl AsRef<OsStr>) -> Result<Self, ReadError> {
        let path = PathBuf::from(argument.as_ref());
        let kind = if path.as_os_str() == "-" { Kind::Stdin } else { Kind::of(&path)? };
        Ok(Self { path, kind, stop: Arc::default() })
    }

    /// Ends standard input once the flag is set, though nothing comes: whoever asks to stop is not to wait for a line.
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// The collection's name: the directory's, the file's without its extensions, or "stdin".
    pub fn name(&self) -> String {
        if self.kind == Kind::Stdin {
            return "stdin".to_owned();
        }
        // A directory may be named `.` or `..`.
        let absolute = fs::canonicalize(&self.path);
        let path = match (self.path.file_name(), &absolute) {
            (None, Ok(absolute)) => absolute.as_path(),
            _ => self.path.as_path(),
        };
        let full = path.file_name().unwrap_or_default().to_string_lossy();
        let mut name = full.as_ref();
        if self.kind != Kind::Directory {
            while let Some((stem, extension)) = name.rsplit_once('.')
                && EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
            {
                name = stem;
            }
        }
        if name.is_empty() { "collection".to_owned() } else { name.to_owned() }
    }

    /// Reads everything there is, in a fixed order, until `emit` breaks off.
    pub fn read(&self, options: &ReadOptions, emit: &mut dyn FnMut(Found) -> ControlFlow<()>) -> Result<(), ReadError> {
        // Both ways to end are fine: the caller knows whether it broke off.
        let _ended = match self.kind {
            Kind::Directory => {
                fs::read_dir(&self.path).map_err(|error| ReadError::new(&self.path, error))?;
                directory::read(&self.path, options, emit)
            }
            Kind::Page => self.read_page(options, emit),
            Kind::Warc => warc::read(self.file()?, &self.path, options, emit),
            Kind::Trec => trec::read(self.file()?, &self.path, options, emit),
            Kind::JsonLines => jsonl::read(self.file()?, &self.path, options, emit),
            Kind::Stdin => jsonl::read(Stdin::new(&self.stop), Path::new("-"), options, emit),
        };
        Ok(())
    }

    fn file(&self) -> Result<File, ReadError> {
        File::open(&self.path).map_err(|error| ReadError::new(&self.path, error))
    }

    fn read_page(&self, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        match directory::read_file(&self.path, name.into_owned(), false, options) {
            Some(found) => emit(found),
            None => ControlFlow::Continue(()),
        }
    }
}

/// As it was named.
impl std::fmt::Display for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.path.display().fmt(f)
    }
}

impl Kind {
    fn of(path: &Path) -> Result<Self, ReadError> {
        let failed = |error| ReadError::new(path, error);
        let metadata = fs::metadata(path).map_err(failed)?;
        if metadata.is_dir() {
            fs::read_dir(path).map_err(failed)?;
            return Ok(Self::Directory);
        }
        if !metadata.is_file() {
            return Err(ReadError::NotAFile { path: path.to_path_buf() });
        }
        let file = File::open(path).map_err(failed)?;
        if directory::is_page_name(path) == Some(true) {
            return Ok(Self::Page);
        }
        Self::of_content(file)
            .or_else(|| Self::of_name(path))
            .ok_or_else(|| ReadError::UnknownKind { path: path.to_path_buf() })
    }

    fn of_content(mut file: impl Read) -> Option<Self> {
        let mut first = Vec::new();
        file.by_ref().take(sniff::SAMPLE as u64).read_to_end(&mut first).ok()?;
        if sniff::is_html(&first) {
            return Some(Self::Page);
        }
        let mut stream = Stream::new(first.as_slice().chain(file));
        let start = stream.fill_buf().ok()?;
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        if warc::is_warc(start) {
            Some(Self::Warc)
        } else if trec::is_trec(start) {
            Some(Self::Trec)
        } else if start.starts_with(b"{") {
            Some(Self::JsonLines)
        } else {
            None
        }
    }

    /// For files that are empty or whose start is damaged.
    fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
        match Path::new(name).extension()?.to_str()? {
            "warc" => Some(Self::Warc),
            "trec" => Some(Self::Trec),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{gzip, pages, response, zstd_frame};
    use super::*;

    fn kind_of(name: &str, bytes: &[u8]) -> Result<Kind, ReadError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        Collection::open(&path).map(|collection| collection.kind)
    }

    #[test]
    fn the_content_tells_the_kind() {
        let trec = b"\n<DOC>\n<DOCNO>1</DOCNO></DOC>";
        for name in ["B01", "B01.gz", "B01.txt", "B01.sgml", "B01.trec"] {
            assert_eq!(kind_of(name, trec).unwrap(), Kind::Trec);
            assert_eq!(kind_of(name, &gzip(trec)).unwrap(), Kind::Trec);
        }
        assert_eq!(kind_of("x.gz", &gzip(&response("u", b""))).unwrap(), Kind::Warc);
        assert_eq!(kind_of("x", &zstd_frame(b"{\"url\":1}")).unwrap(), Kind::JsonLines);
        assert_eq!(kind_of("x", b"<!doctype html><p>").unwrap(), Kind::Page);
        assert_eq!(kind_of("x.HTM", b"anything").unwrap(), Kind::Page);
    }

    #[test]
    fn the_name_tells_the_kind_where_the_content_is_damaged() {
        assert_eq!(kind_of("x.warc.gz", b"\x1f\x8b\x08\x00torn").unwrap(), Kind::Warc);
        assert_eq!(kind_of("x.jsonl", b"").unwrap(), Kind::JsonLines);
        assert!(matches!(kind_of("x.txt", b"some text"), Err(ReadError::UnknownKind { .. })));
    }

    #[test]
    fn a_name_is_without_what_says_only_the_format() {
        let dir = tempfile::tempdir().unwrap();
        let name = |file: &str| {
            let path = dir.path().join(file);
            fs::write(&path, "{}").unwrap();
            Collection::open(&path).unwrap().name()
        };
        assert_eq!(name("site.warc.gz"), "site");
        assert_eq!(name("harbour.example.org.jsonl.zst"), "harbour.example.org");
        assert_eq!(name(".jsonl"), "collection");
        fs::create_dir(dir.path().join("site.txt")).unwrap();
        assert_eq!(Collection::open(dir.path().join("site.txt")).unwrap().name(), "site.txt");
        let parent = dir.path().join("site.txt/..");
        assert_eq!(Collection::open(parent).unwrap().name(), dir.path().file_name().unwrap().to_string_lossy());
        assert_eq!(Collection::open("-").unwrap().name(), "stdin");
    }

    #[test]
    fn an_error_is_one_line_that_names_the_path() {
        let error = Collection::open("no/such/site").unwrap_err();
        assert!(matches!(error, ReadError::NotFound { .. }));
        let text = error.to_string();
        assert!(text.starts_with("no/such/site: ") && !text.contains('\n'), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        assert!(matches!(Collection::open("/dev/null"), Err(ReadError::NotAFile { .. })));
    }

    #[test]
    fn one_html_file_has_its_name_as_id() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ferry.html");
        fs::write(&path, "<p>ferry").unwrap();
        let mut found = Vec::new();
        let collection = Collection::open(&path).unwrap();
        let mut emit = |item| {
            found.push(item);
            ControlFlow::Continue(())
        };
        collection.read(&ReadOptions::default(), &mut emit).unwrap();
        assert_eq!(pages(&found)[0].id, "ferry.html");
        assert_eq!(collection.name(), "ferry");
    }

    #[test]
    fn a_directory_without_pages_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        let mut emit = |_| ControlFlow::Continue(());
        assert!(Collection::open(dir.path()).unwrap().read(&ReadOptions::default(), &mut emit).is_ok());
    }

    #[test]
    fn the_same_site_is_read_from_every_format() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
        let options = ReadOptions { base_url: Some("https://harbour.example".parse().unwrap()), ..Default::default() };
        let site = |name: &str| {
            let mut found = Vec::new();
            let mut emit = |item| {
                found.push(item);
                ControlFlow::Continue(())
            };
            let collection = Collection::open(fixtures.join(name)).unwrap();
            collection.read(&options, &mut emit).unwrap();
            let pages = pages(&found).into_iter().map(|page| (page.url.clone(), page.bytes.clone()));
            pages.collect::<Vec<_>>()
        };
        let expected = site("site");
        assert_eq!(expected.len(), 4);
        for format in ["warc", "warc.gz", "warc.zst", "trec", "trec.gz", "jsonl", "jsonl.gz", "jsonl.zst"] {
            assert_eq!(site(&format!("site.{format}")), expected, "{format}");
        }
        assert_eq!(site("truncated.warc.gz"), expected[..3]);
    }
}
