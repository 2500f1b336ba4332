//! Collections of any bytes are read to their end, within the limits, and read the same however the bytes come.

use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use unhusk::read::decompress::Stream;
use unhusk::read::{self, Collection, Emit, Found, ReadOptions};

/// Small enough for a fuzzer to go beyond.
const LIMIT: u64 = 4096;

fn options() -> ReadOptions {
    ReadOptions { max_page_size: LIMIT, ..ReadOptions::default() }
}

/// Bytes that come a few at a time.
struct Steps<'b> {
    rest: &'b [u8],
    step: usize,
}

impl<'b> Steps<'b> {
    /// The last byte says in how many steps: the first ones are a format's magic. Few, since each costs a reader a block.
    fn new(bytes: &'b [u8]) -> Self {
        let steps = usize::from(bytes.last().copied().unwrap_or(0) % 8) + 1;
        Steps { rest: bytes, step: bytes.len() / steps + 1 }
    }
}

impl Read for Steps<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.step.min(into.len());
        (&self.rest[..count.min(self.rest.len())]).read(into).inspect(|&read| self.rest = &self.rest[read..])
    }
}

/// Everything that is found, once it is known to be as promised.
fn found(read: impl FnOnce(&mut Emit<'_>) -> ControlFlow<()>) -> Vec<Found> {
    let mut all = Vec::new();
    let ended = read(&mut |found| {
        if let Found::Page(page) = &found {
            assert!(!page.id.is_empty() && !page.url.is_empty());
            assert!(page.bytes.len() as u64 <= LIMIT);
        }
        all.push(found);
        ControlFlow::Continue(())
    });
    assert!(ended.is_continue());
    all
}

/// Any bytes are a WARC.
pub(super) fn warc(bytes: &[u8]) {
    let file = Path::new("fuzz");
    found(|emit| read::warc::read(bytes, file, &options(), emit));
    found(|emit| read::warc::read(Steps::new(bytes), file, &options(), emit));
}

/// Any bytes are TREC web documents.
pub(super) fn trec(bytes: &[u8]) {
    let file = Path::new("fuzz");
    found(|emit| read::trec::read(bytes, file, &options(), emit));
    found(|emit| read::trec::read(Steps::new(bytes), file, &options(), emit));
}

/// Any bytes are JSON lines: each line that is not blank is a page, a page left out, or damage, however the bytes come.
pub(super) fn jsonl(bytes: &[u8]) {
    let file = Path::new("fuzz");
    let all = found(|emit| read::jsonl::read(bytes, file, &options(), emit));
    let magic = bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"\x28\xb5") || bytes.get(1) == Some(&0x2a);
    if !magic && bytes.len() < LIMIT as usize {
        assert_eq!(all, found(|emit| read::jsonl::read(Steps::new(bytes), file, &options(), emit)));
        let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line));
        assert_eq!(all.len(), lines.filter(|line| !line.trim_ascii().is_empty()).count());
    }
}

/// No bytes make decompression go on for ever, those without a magic number come out as they are, and those without damage the
/// same however they come.
pub(super) fn decompress(bytes: &[u8]) {
    let (whole, faults, packed) = drained(Stream::new(bytes));
    assert!(faults <= bytes.len());
    if !packed {
        assert!(faults == 0 && whole == bytes);
    }
    let (stepwise, again, _) = drained(Stream::new(Steps::new(bytes)));
    if faults == 0 {
        assert!(again == 0 && stepwise == whole);
    }
}

fn drained<R: Read>(mut stream: Stream<R>) -> (Vec<u8>, usize, bool) {
    let (mut out, mut faults) = (Vec::new(), 0);
    loop {
        let filled = stream.fill();
        let count = filled.len();
        out.extend_from_slice(&filled[..count.min((1 << 20) - out.len().min(1 << 20))]);
        stream.consume(count);
        if count == 0 && stream.resume().is_none() {
            return (out, faults, stream.is_compressed());
        }
        faults += usize::from(count == 0);
    }
}

/// Any files make a folder: each that is named as a page comes out once, as a page or left out, in the same order each time.
pub(super) fn folder(bytes: &[u8]) {
    let scratch = super::scratch();
    let parts = super::parts(bytes);
    let mut named = BTreeSet::new();
    for pair in parts.chunks(2) {
        let (name, content) = (pair[0], pair.get(1).copied().unwrap_or_default());
        let name = Path::new(std::ffi::OsStr::from_bytes(name));
        // Only names that lie in the folder: what the folder is made with is not what is tested.
        let inside = name.components().all(|part| matches!(part, Component::Normal(part) if part.len() < 256));
        let path = scratch.path().join(name);
        if !inside || name.as_os_str().len() > 1000 || path.exists() {
            continue;
        }
        if let Some(parent) = path.parent()
            && std::fs::create_dir_all(parent).is_ok()
            && std::fs::write(&path, content).is_ok()
        {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if ["html", "htm", "xhtml", "shtml"].contains(&extension.as_str()) {
                named.insert(path);
            }
        }
    }
    let read = || {
        let collection = Collection::open(scratch.path()).expect("a folder");
        found(|emit| collection.read(&options(), emit).map_or(ControlFlow::Break(()), |()| ControlFlow::Continue(())))
    };
    let all = read();
    assert_eq!(all, read());
    let files: Vec<_> = all.iter().filter_map(file_of).collect();
    let unique: BTreeSet<_> = files.iter().cloned().collect();
    assert_eq!(files.len(), unique.len());
    assert!(named.iter().all(|path| unique.contains(path)));
}

fn file_of(found: &Found) -> Option<std::path::PathBuf> {
    match found {
        Found::Page(page) => Some(page.origin.file.clone()),
        Found::Skipped { origin, .. } => Some(origin.file.clone()),
        _ => None,
    }
}
