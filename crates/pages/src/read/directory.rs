//! A directory of HTML files, with all its folders; and one HTML file alone.
//!
//! The order is that of file names, folder by folder, byte by byte, so that it is the same on every machine. Links
//! are followed.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

use walkdir::{DirEntry, WalkDir};

use super::sniff;
use super::{Emit, Found, Origin, RawPage, ReadOptions, SkipReason, Stamp};

/// Extensions that name a page, in lower case.
const EXTENSIONS: [&str; 4] = ["html", "htm", "xhtml", "shtml"];

/// Whether the file's name says that it is a page; `None` if it says nothing.
pub(super) fn is_page_name(path: &Path) -> Option<bool> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    Some(EXTENSIONS.contains(&extension.as_str()))
}

/// Reads all pages below `root`.
pub(super) fn read(root: &Path, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name();
    for entry in walk {
        let found = match entry {
            Ok(entry) if entry.file_type().is_file() => read_entry(root, &entry, options),
            Ok(_) => None,
            Err(error) => {
                let path = error.path().unwrap_or(root);
                let detail = match error.loop_ancestor() {
                    Some(ancestor) => format!("a link back to {}", ancestor.display()),
                    None => error.io_error().map_or_else(|| error.to_string(), io::Error::to_string),
                };
                Some(unreadable(relative(root, path), path, detail))
            }
        };
        if let Some(found) = found {
            emit(found)?;
        }
    }
    ControlFlow::Continue(())
}

fn read_entry(root: &Path, entry: &DirEntry, options: &ReadOptions) -> Option<Found> {
    let sniffed = match is_page_name(entry.path()) {
        Some(true) => false,
        Some(false) => return None,
        None => true,
    };
    read_file(entry.path(), relative(root, entry.path()), sniffed, options)
}

/// Reads one file; `None` if it should look like HTML and does not.
pub(super) fn read_file(path: &Path, id: String, sniffed: bool, options: &ReadOptions) -> Option<Found> {
    if options.known.is_unchanged(&id, || stamp(&path.metadata().ok()?)) {
        return Some(Found::Unchanged { id });
    }
    let mut bytes = Vec::new();
    match read_bytes(path, sniffed, options.page_cap(), &mut bytes) {
        Ok(Some(metadata)) => Some(options.judge(RawPage {
            url: url(&id, options),
            id,
            bytes,
            content_type: None,
            origin: Origin::new(path, 0),
            stamp: stamp(&metadata),
        })),
        Ok(None) => None,
        Err(error) => Some(unreadable(id, path, error.to_string())),
    }
}

/// What a file looks like. A time without a fraction of a second may come from a file system that knows no fractions; two
/// changes within one second would look the same there.
fn stamp(metadata: &Metadata) -> Option<Stamp> {
    let changed = (metadata.mtime(), metadata.mtime_nsec());
    (changed.1 != 0).then_some(Stamp { size: metadata.len(), changed })
}

/// Reads at most `cap` bytes, with one read where the file is as long as it says. What the file looked like is noted
/// first: a change while it is read then shows the next time.
fn read_bytes(path: &Path, sniffed: bool, cap: u64, bytes: &mut Vec<u8>) -> io::Result<Option<Metadata>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if sniffed {
        file.by_ref().take(cap.min(sniff::SAMPLE as u64)).read_to_end(bytes)?;
        if !sniff::is_html(bytes) {
            return Ok(None);
        }
    }
    let left = cap - bytes.len() as u64;
    let size = metadata.len().saturating_add(1).min(left);
    bytes.reserve(usize::try_from(size).unwrap_or(0));
    file.take(left).read_to_end(bytes)?;
    Ok(Some(metadata))
}

fn unreadable(id: String, path: &Path, detail: String) -> Found {
    Found::Skipped { id, origin: Origin::new(path, 0), reason: SkipReason::Unreadable, detail }
}

/// The path below the root, with `/` on every system.
fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names = below.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

/// The id below the base URL, percent-encoded; without a base URL the id itself.
fn url(id: &str, options: &ReadOptions) -> String {
    let Some(mut url) = options.base_url.clone() else {
        return id.to_owned();
    };
    url.set_query(None);
    url.set_fragment(None);
    match url.path_segments_mut() {
        Ok(mut segments) => {
            segments.pop_if_empty().extend(id.split('/'));
        }
        // A URL such as `mailto:` has nothing below it.
        Err(()) => return id.to_owned(),
    }
    url.into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use url::Url;

    use super::super::tests::{collect, pages, skips};
    use super::*;

    fn site(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        dir
    }

    fn all(dir: &tempfile::TempDir, options: &ReadOptions) -> Vec<Found> {
        collect(|emit| read(dir.path(), options, emit))
    }

    fn ids(found: &[Found]) -> Vec<&str> {
        pages(found).iter().map(|page| page.id.as_str()).collect()
    }

    #[test]
    fn pages_come_in_the_order_of_names_folder_by_folder() {
        let dir = site(&[
            ("b/z.html", b"<p>1"),
            ("b/A.HTM", b"<p>2"),
            ("b-c.xhtml", b"<p>3"),
            ("a/x/y.shtml", b"<p>4"),
            ("a/about", b"<!doctype html><p>5"),
            ("a/LICENCE", b"no page"),
            ("a/style.css", b"<p>"),
            ("C.html", b"<p>6"),
        ]);
        let found = all(&dir, &ReadOptions::default());
        assert_eq!(ids(&found), ["C.html", "a/about", "a/x/y.shtml", "b/A.HTM", "b/z.html", "b-c.xhtml"]);
        assert_eq!(found.len(), 6);
        assert_eq!(pages(&found)[1].bytes, b"<!doctype html><p>5");
    }

    #[test]
    fn urls_are_below_the_base_and_percent_encoded() {
        let dir = site(&[("north pier/100% café?.html", b"<p>1")]);
        for base in ["https://harbour.example/docs", "https://harbour.example/docs/?q#f"] {
            let options = ReadOptions { base_url: Some(Url::parse(base).unwrap()), ..Default::default() };
            let found = all(&dir, &options);
            let expected = "https://harbour.example/docs/north%20pier/100%25%20caf%C3%A9%3F.html";
            assert_eq!(pages(&found)[0].url, expected);
            assert_eq!(pages(&found)[0].id, "north pier/100% café?.html");
        }
        let plain = all(&dir, &ReadOptions::default());
        assert_eq!(pages(&plain)[0].url, "north pier/100% café?.html");
    }

    #[test]
    fn pages_that_are_none_are_skipped_with_the_reason() {
        let dir = site(&[
            ("a.html", b""),
            ("b.html", b" \n"),
            ("c.html", b"%PDF-1.4"),
            ("d.html", &[b'x'; 101]),
            ("e.html", &[b'x'; 100]),
            ("f", b"<html>012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901"),
        ]);
        let found = all(&dir, &ReadOptions { max_page_size: 100, ..Default::default() });
        use SkipReason::{Binary, Empty, TooLarge};
        let expected =
            [("a.html", Empty), ("b.html", Empty), ("c.html", Binary), ("d.html", TooLarge), ("f", TooLarge)];
        assert_eq!(skips(&found), expected.map(|(id, reason)| (id.to_owned(), reason)));
        assert_eq!(ids(&found), ["e.html"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_loops_reported() {
        use std::os::unix::fs::symlink;
        let dir = site(&[("a/x.html", b"<p>1")]);
        symlink(dir.path(), dir.path().join("a/up")).unwrap();
        symlink(dir.path().join("a/x.html"), dir.path().join("b.html")).unwrap();
        symlink("nowhere", dir.path().join("c.html")).unwrap();
        let found = all(&dir, &ReadOptions::default());
        assert_eq!(ids(&found), ["a/x.html", "b.html"]);
        let expected = ["a/up", "c.html"].map(|id| (id.to_owned(), SkipReason::Unreadable));
        assert_eq!(skips(&found), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_may_not_be_read_is_skipped() {
        use std::os::unix::fs::PermissionsExt;
        let dir = site(&[("a.html", b"<p>1"), ("b.html", b"<p>2")]);
        let locked = dir.path().join("a.html");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        if File::open(&locked).is_ok() {
            return; // The superuser may read everything.
        }
        let found = all(&dir, &ReadOptions::default());
        assert_eq!(skips(&found), [("a.html".to_owned(), SkipReason::Unreadable)]);
        assert_eq!(ids(&found), ["b.html"]);
    }
}
