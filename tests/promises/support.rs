//! Driving the program: a folder to work in, a command to run, what it said.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use unhusk::generate::{Options, Site, write_jsonl};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_unhusk");

/// How much of something is done: all of it where `UNHUSK_TESTS=all` asks for it, as `.ci/run` does; otherwise so much that
/// nobody waits for minutes.
pub(crate) fn all_or<T>(all: T, some: T) -> T {
    if std::env::var_os("UNHUSK_TESTS").is_some_and(|asked| asked == "all") { all } else { some }
}

/// How a command ended and what it printed.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless the command ended with that status.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Fails unless the command said this on standard error.
    #[track_caller]
    pub(crate) fn complains(self, of: &str) -> Self {
        assert!(self.err.contains(of), "expected {of:?} in {self:#?}");
        self
    }

    /// Ids of a JSON search's hits.
    pub(crate) fn ids(&self) -> Vec<String> {
        let json = self.json();
        json["hits"].as_array().unwrap().iter().map(|hit| text(&hit["id"])).collect()
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Runs the program in the project's folder.
pub(crate) fn unhusk(args: &[&str]) -> Said {
    said(&mut command(args))
}

pub(crate) fn command(args: &[&str]) -> assert_cmd::Command {
    skips();
    let mut command = assert_cmd::Command::new(PROGRAM);
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).timeout(Duration::from_secs(120));
    command.env_remove("COLUMNS").env("NO_COLOR", "1");
    command
}

pub(crate) fn said(command: &mut assert_cmd::Command) -> Said {
    let output = command.output().unwrap();
    let utf8 = |bytes| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code().unwrap_or(-1), out: utf8(output.stdout), err: utf8(output.stderr) }
}

/// Starts the program in the project's folder and does not wait for it.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something is there, for a build that has begun.
#[track_caller]
pub(crate) fn wait_for(path: impl AsRef<Path>) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !path.as_ref().exists() {
        assert!(Instant::now() < deadline, "{} does not come", path.as_ref().display());
        sleep(Duration::from_millis(2));
    }
}

pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status().unwrap();
    assert!(sent.success());
}

/// A copy of a folder, times and all.
pub(crate) fn copy(from: &str, to: &str) {
    assert!(Command::new("cp").args(["-a", from, to]).status().unwrap().success());
}

/// The ids that a search finds.
#[track_caller]
pub(crate) fn found(index: &str, query: &str) -> Vec<String> {
    let said = unhusk(&["search", index, "--format", "json", "-q", "--", query]);
    assert!(said.code < 2, "{said:?}");
    said.ids()
}

/// A temporary folder with what a test needs in it.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        Desk(TempDir::new().unwrap())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// A path on the desk.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, folders included, and says where it is.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = PathBuf::from(self.path(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.path(name)
    }

    /// Writes pages below the folder `site` and says where that is. A page is its id and its body's HTML.
    pub(crate) fn site(&self, pages: &[(&str, &str)]) -> String {
        for (id, body) in pages {
            self.write(&format!("site/{id}"), format!("<!DOCTYPE html><title>{id}</title><body>{body}"));
        }
        self.path("site")
    }

    /// Indexes something and says where the index is.
    #[track_caller]
    pub(crate) fn index(&self, collection: &str, more: &[&str]) -> String {
        let place = self.path(&format!("index-{}", fs::read_dir(self.folder()).unwrap().count()));
        let args = [&["index", collection, "--out", &place], more].concat();
        unhusk(&args).code(0);
        place
    }

    /// A generated site as JSON lines.
    pub(crate) fn generated(&self, pages: u64) -> String {
        let site = Site::new(Options { pages, seed: 5, ..Options::default() }).unwrap();
        let mut lines = Vec::new();
        write_jsonl(&site, &mut lines).unwrap();
        self.write("generated.jsonl", lines)
    }

    /// Names in the folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// One of the files in `tests/fixtures`.
pub(crate) fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// An index's manifest, without what differs from build to build: times, memory, threads.
pub(crate) fn manifest(index: &str) -> Value {
    let json = fs::read_to_string(Path::new(index).join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&json).unwrap();
    manifest["cost"] = Value::Null;
    manifest
}

/// A small file system that goes when it is dropped.
pub(crate) struct SmallDisk<'a>(&'a str);

impl<'a> SmallDisk<'a> {
    /// Mounts one of so many bytes in a new folder; none where this user may not.
    pub(crate) fn mount(place: &'a str, bytes: u64) -> Option<Self> {
        fs::create_dir_all(place).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "unhusk-test", place]).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(SmallDisk(place))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// Writes down why this test does not run here, and what would let it run; `tests/skipped` tells it when all tests are done.
pub(crate) fn skipped(missing: &str, remedy: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let mut list = skips().lock().unwrap();
    writeln!(list, "{missing}\t{remedy}\t{test}").unwrap();
}

/// The list of skipped tests, empty at the first use: what an earlier run has left is none of this one's.
fn skips() -> &'static Mutex<File> {
    static LIST: OnceLock<Mutex<File>> = OnceLock::new();
    LIST.get_or_init(|| Mutex::new(File::create(concat!(env!("CARGO_TARGET_TMPDIR"), "/skipped.tsv")).unwrap()))
}

/// A WARC response record with a page in it.
pub(crate) fn warc_response(url: &str, body: &[u8]) -> Vec<u8> {
    warc_record(url, &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", body].concat())
}

/// A WARC response record with an HTTP response in it.
pub(crate) fn warc_record(url: &str, http: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), http, b"\r\n\r\n"].concat()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
