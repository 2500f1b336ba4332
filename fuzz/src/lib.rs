//! What has to hold of any bytes, one function for each fuzz target.
//!
//! The targets run these under libFuzzer; `tests/promises/replaying.rs` runs them over `seeds/` and `regressions/`, so that what
//! was once found stays found. A broken promise is a panic.

mod files;
mod html;
mod packed;
mod read;
mod server;
mod text;

/// A target's name and what it runs.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 18] = [
    ("charset", html::charset),
    ("parse", html::parse),
    ("json_ld", html::json_ld),
    ("microdata", html::microdata),
    ("folder", read::folder),
    ("read_warc", read::warc),
    ("read_trec", read::trec),
    ("read_jsonl", read::jsonl),
    ("read_decompress", read::decompress),
    ("packed", packed::packed),
    ("files", files::files),
    ("queries", text::queries),
    ("qrels", text::qrels),
    ("run", text::run),
    ("syntax", text::syntax),
    ("labels", text::labels),
    ("fields", text::fields),
    ("http", server::http),
];

/// Runs the target of that name.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, body) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target of that name");
    body(bytes);
}

/// Cuts bytes at a line of nothing but `%%`: inputs of several parts stay readable.
fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(4).position(|four| four == b"\n%%\n") {
        parts.push(&rest[..at]);
        rest = &rest[at + 4..];
    }
    parts.push(rest);
    parts
}

/// A folder for files that are made of an input, in memory where the system has such a place.
fn scratch() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("a temporary folder")
}
