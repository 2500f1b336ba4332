//! Files that unhusk wrote once and anybody may have changed since: with checksums that are right, whatever they say.
//!
//! The first part of an input is a letter, the others are what that kind of file holds.

use std::fs;
use std::path::Path;

use unhusk::index::kept::{self, KeptMarks, KeptPages};
use unhusk::index::upkeep::{self, Upkeep};
use unhusk::model::{ModelFile, merge};
use unhusk::parse::{Page, parse_html};
use unhusk::spool::{Encoded, Kind, PackedWriter, PageNo, from_bytes, to_bytes};
use unhusk::strip::Means;

/// Any bytes are a record, a model, what an update needs or kept pages, or an error.
pub(super) fn packed(bytes: &[u8]) {
    let parts = super::parts(bytes);
    let (kind, rest) = (parts[0], &parts[1..]);
    match kind.first() {
        Some(b'p') => rest.iter().for_each(|payload| page(payload)),
        Some(b'r') => raw(&kind[1..]),
        Some(b'm') => model(rest),
        Some(b'u') => list_and_texts(rest),
        Some(b'k') => kept_page(rest),
        _ => {}
    }
}

/// What decodes to a page encodes to the same bytes, and all of it can be looked at.
fn page(payload: &[u8]) {
    let Some(page) = decode_page(payload) else { return };
    assert_eq!(encode_page(&page), payload);
    look_at(&page);
}

fn look_at(page: &Page) {
    let text: usize = page.pieces().map(|view| view.text.len()).sum();
    assert_eq!(text, page.text_bytes());
    assert!(page.text_where(|_| true).len() >= text);
    for element in 0..page.elements.len() as u32 {
        assert!(page.ancestors(element).count() <= page.elements.len());
        page.sign(element);
        page.block(element);
    }
    page.links.iter().for_each(|link| assert!(page.href(link).len() <= 1 << 30));
}

/// Bytes as they come, checksums and all.
fn raw(bytes: &[u8]) {
    let scratch = super::scratch();
    let path = scratch.path().join("model");
    fs::write(&path, bytes).expect("a file");
    use_model(&path, scratch.path());
}

/// A head and records; the numbers in a record may be anything.
fn model(parts: &[&[u8]]) {
    let Some((head, records)) = parts.split_first() else { return };
    let scratch = super::scratch();
    let path = scratch.path().join("model");
    let head = serde_json::from_slice(head).unwrap_or_default();
    if write_packed(&path, *b"unhuskMO", records, &head) {
        use_model(&path, scratch.path());
    }
}

/// A model marks pages or is refused, and what it merges to is a model again.
fn use_model(path: &Path, scratch: &Path) {
    let Ok(file) = ModelFile::open(path) else { return };
    let page =
        parse_html("<title>T</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><p>High water at noon.</p>");
    let means = Means { threads: 1, scratch: &scratch.join("learn") };
    fs::create_dir(means.scratch).expect("a folder");
    if let Ok(unpacked) = file.unpack(&scratch.join("sample"))
        && let Ok(model) = unpacked.seal(None, means)
        && let Ok(mask) = model.mark(PageNo(u32::MAX), &page)
    {
        assert_eq!(mask.marks().len(), page.piece_count());
    }
    let merged = scratch.join("merged");
    if let Ok(head) = merge(&[file], &merged) {
        assert_eq!(ModelFile::open(&merged).expect("what was merged").head(), &head);
    }
}

/// Half of the records are of the list, the others texts.
fn list_and_texts(parts: &[&[u8]]) {
    let Some((head, records)) = parts.split_first() else { return };
    let scratch = super::scratch();
    let folder = scratch.path().join(upkeep::FOLDER);
    fs::create_dir(&folder).expect("a folder");
    let head = serde_json::from_slice(head).unwrap_or_default();
    let (list, texts) = records.split_at(records.len() / 2);
    if !write_packed(&folder.join("list"), *b"unhuskUL", list, &head)
        || !write_packed(&folder.join("texts"), *b"unhuskUT", texts, &serde_json::Value::Null)
    {
        return;
    }
    let Ok(upkeep) = Upkeep::open(scratch.path()) else { return };
    let _ = (upkeep.head(), upkeep.explained_since());
    upkeep.entries().iter().for_each(|entry| _ = upkeep.text(entry));
}

/// Marks and the source they belong to: they come back, or are refused where they speak of more pieces than there can be.
fn kept_page(parts: &[&[u8]]) {
    let [marks, source, ..] = parts else { return };
    let Ok(marks) = serde_json::from_slice::<KeptMarks>(marks) else { return };
    let source = String::from_utf8_lossy(source);
    let scratch = super::scratch();
    let mut part = kept::PartWriter::create(&scratch.path().join("part")).expect("a part");
    part.add("id", &kept::pack(&source).expect("memory"), &marks).expect("a page");
    kept::merge(vec![part.finish().expect("a part")], scratch.path()).expect("pages");
    let pages = KeptPages::open(scratch.path()).expect("pages").expect("pages");
    if let Ok(page) = pages.page("id") {
        let page = page.expect("the page");
        assert_eq!((&page.html[..], &page.marks), (&*source, &marks));
        assert!(page.marks.pieces().len() <= source.len());
    }
}

/// The page of a record's payload, where it is one and sound.
pub(super) fn decode_page(payload: &[u8]) -> Option<Page> {
    Encoded::again(payload).ok()?;
    from_bytes(payload).ok()
}

/// A page as the payload of a record.
pub(super) fn encode_page(page: &Page) -> Vec<u8> {
    to_bytes(page).unwrap_or_default()
}

/// Writes a packed file whose checksums are right, whatever it says: a fuzzer does not guess them.
fn write_packed(path: &Path, magic: [u8; 8], records: &[&[u8]], head: &serde_json::Value) -> bool {
    let write = || {
        let mut packed = PackedWriter::create(path, Kind { magic, version: 1, name: "file" })?;
        for record in records {
            packed.append(record)?;
        }
        packed.finish(head)
    };
    write().is_ok()
}
