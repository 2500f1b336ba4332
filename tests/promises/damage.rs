//! Files that are not as they were written: an error that names the file, never a panic, never a wrong answer.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use unhusk::random::Rng;

use crate::server::Server;
use crate::support::{Desk, PROGRAM, Said, all_or, copy, found, start, text, unhusk, wait_for};

/// What happens to a file.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Flip(u64),
    Cut(u64),
    Remove,
}

impl Harm {
    /// Bytes that are changed at the ends, in the middle and anywhere; tails that are cut off.
    fn of(path: &Path, anywhere: usize, rng: &mut Rng) -> Vec<Self> {
        let length = fs::metadata(path).unwrap().len();
        let mut harms = vec![Harm::Flip(0), Harm::Flip(length / 2), Harm::Flip(length - 1)];
        harms.extend((0..anywhere).map(|_| Harm::Flip(rng.below(length as usize) as u64)));
        harms.extend([Harm::Cut(length - 1), Harm::Cut(length / 2), Harm::Cut(0), Harm::Remove]);
        harms
    }

    fn do_to(self, path: &Path) {
        let open = || File::options().read(true).write(true).open(path).unwrap();
        match self {
            Harm::Flip(at) => {
                let (file, mut byte) = (open(), [0]);
                file.read_exact_at(&mut byte, at).unwrap();
                file.write_all_at(&[byte[0] ^ 0x10], at).unwrap();
            }
            Harm::Cut(length) => open().set_len(length).unwrap(),
            Harm::Remove => fs::remove_file(path).unwrap(),
        }
    }
}

/// A file that is harmed, and made good again when this is dropped.
struct Harmed<'a> {
    path: &'a Path,
    good: Vec<u8>,
}

impl<'a> Harmed<'a> {
    fn new(path: &'a Path, harm: Harm) -> Self {
        let good = fs::read(path).unwrap();
        harm.do_to(path);
        Harmed { path, good }
    }
}

impl Drop for Harmed<'_> {
    fn drop(&mut self) {
        fs::write(self.path, &self.good).unwrap();
    }
}

/// Whether the damage was noticed. What is said is as it was before, or an error that names the file.
#[track_caller]
fn noticed(said: &Said, good: &str, file: &str, harm: Harm) -> bool {
    assert!(!said.err.contains("panicked"), "{file} {harm:?}: {said:?}");
    if said.code < 2 {
        assert!(said.out == good, "{file} {harm:?}: a wrong answer: {said:?}");
        return false;
    }
    assert_eq!(said.code, 2, "{file} {harm:?}: {said:?}");
    // A changed digit of the format cannot be told from another format, and a folder without a manifest is no index.
    let other = ["has index format", "no page to index in"].iter().any(|words| said.err.contains(words));
    let named = said.err.contains(file) || file == "manifest.json" && other;
    assert!(named, "{file} {harm:?} is not named: {said:?}");
    assert!(said.out.is_empty() || good.starts_with(&said.out), "{file} {harm:?}: a wrong answer: {said:?}");
    true
}

/// Every file of a folder, by its path below it.
fn files(folder: &str) -> Vec<(String, PathBuf)> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path());
    files.map(|path| (path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), path)).collect()
}

/// An index with everything beside it, and what was indexed.
fn index(desk: &Desk) -> (String, String) {
    let site = desk.generated(60);
    let index = desk.index(&site, &["--keep-pages", "--strip", "table", "-q"]);
    (site, index)
}

/// Two words that stand side by side on a page.
fn phrase(index: &str) -> String {
    let first = unhusk(&["export", index, "-q"]).code(0).out;
    let document: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let body = text(&document["body"]);
    let words: Vec<&str> = body.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)).collect();
    format!("\"{} {}\"", words[0], words[1])
}

#[test]
fn an_index_with_a_damaged_file_gives_the_right_answer_or_an_error_that_names_the_file() {
    let desk = Desk::new();
    let (_, index) = index(&desk);
    let phrase = phrase(&index);
    let queries = ["the health of law", "health -law", "+health title:the", &phrase];
    let mut readers: Vec<_> = queries.iter().map(|query| vec!["search", &index, "-q", "--", query]).collect();
    readers.push(vec!["run", &index, "--queries", "queries/harbour.tsv", "-k", "20", "-q"]);
    readers.push(vec!["export", &index, "-q"]);
    readers.push(vec!["templates", &index, "--format", "json"]);
    readers.push(vec!["info", &index]);
    let good: Vec<String> = readers.iter().map(|reader| unhusk(reader).code(0).out).collect();
    let mut rng = Rng::new(3);
    for (file, path) in files(&index).iter().filter(|(file, _)| !file.contains("upkeep/") && !file.contains("pages/")) {
        for harm in Harm::of(path, all_or(2, 0), &mut rng) {
            let _harmed = Harmed::new(path, harm);
            let noticed = readers.iter().zip(&good).filter(|(reader, good)| noticed(&unhusk(reader), good, file, harm));
            assert!(noticed.count() > 0, "{file} {harm:?} is not noticed by anybody");
        }
    }
}

#[test]
fn an_update_of_a_damaged_index_is_the_right_one_or_an_error_that_names_the_file() {
    let desk = Desk::new();
    let (site, index) = index(&desk);
    let changed = fs::read_to_string(&site).unwrap().replacen("<p>", "<p>Something new. ", 1);
    fs::write(&site, changed).unwrap();
    let work = desk.path("work");
    let page = format!("/api/page?id={}", found(&index, "the health of law")[0]);
    let update = || {
        let said = unhusk(&["update", &work, &site, "-q"]);
        if said.code > 0 {
            return said;
        }
        let answers = unhusk(&["run", &work, "--queries", "queries/harbour.tsv", "-k", "20", "-q"]).code(0);
        let served = Server::start(&[&work]).get(&page).status(200).body;
        Said { out: answers.out + &served, ..said }
    };
    copy(&index, &work);
    let good = update().code(0).out;
    let mut rng = Rng::new(4);
    for (file, path) in files(&index).iter().filter(|(file, _)| !file.contains("tantivy/") || file.ends_with(".store"))
    {
        let mut count = 0;
        for harm in Harm::of(path, 1, &mut rng) {
            fs::remove_dir_all(&work).unwrap();
            copy(&index, &work);
            harm.do_to(&Path::new(&work).join(file));
            let before = files(&work).into_iter().map(|(file, path)| (file, fs::read(path).unwrap()));
            let before: Vec<(String, Vec<u8>)> = before.collect();
            if noticed(&update(), &good, file, harm) {
                count += 1;
                let after = files(&work).into_iter().map(|(file, path)| (file, fs::read(path).unwrap()));
                assert!(after.collect::<Vec<_>>() == before, "{file} {harm:?}: nothing is changed");
            }
        }
        assert!(count > 0, "no damage of {file} is noticed");
    }
}

#[test]
fn a_server_of_a_damaged_index_names_the_file_and_goes_on() {
    let desk = Desk::new();
    let (_, index) = index(&desk);
    let ids: Vec<String> = found(&index, "the health of law");
    let pages: Vec<String> =
        ids.iter().take(3).map(|id| format!("/api/page?id={id}&index={}", name_of(&index))).collect();
    let ask = |server: &Server| pages.iter().map(|page| server.get(page)).collect::<Vec<_>>();
    let good: Vec<String> = ask(&Server::start(&[&index])).into_iter().map(|reply| reply.status(200).body).collect();
    let mut rng = Rng::new(5);
    let mut refused = 0;
    for (file, path) in files(&index).iter().filter(|(file, _)| file.contains("pages/") || file.contains(".store")) {
        for harm in Harm::of(path, all_or(2, 0), &mut rng) {
            let _harmed = Harmed::new(path, harm);
            let Some(server) = serve(&index, file) else { continue };
            for (reply, good) in ask(&server).into_iter().zip(&good) {
                match reply.status {
                    200 => assert!(reply.body == *good, "{file} {harm:?}: a wrong answer"),
                    _ => {
                        assert!(reply.status(500).body.contains(file), "{file} {harm:?} is not named");
                        refused += 1;
                    }
                }
            }
            server.get("/api/health").status(200);
        }
    }
    assert!(refused > 0);
}

fn name_of(index: &str) -> &str {
    index.rsplit('/').next().unwrap()
}

/// A server of an index; none where it says that it cannot open a file.
fn serve(index: &str, file: &str) -> Option<Server> {
    let args = ["serve", "--addr", "127.0.0.1:0", "--quiet", index];
    let mut child = Command::new(PROGRAM).args(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(150));
    if child.try_wait().unwrap().is_some() {
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(file), "{file} is not named: {complaint}");
        return None;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    Some(Server::start(&[index]))
}

#[test]
fn a_damaged_model_strips_as_before_or_is_an_error_that_names_it() {
    let desk = Desk::new();
    let site = desk.generated(60);
    let mut rng = Rng::new(6);
    for method in ["auto", "table"] {
        let [model, other, merged] = ["a.model", "b.model", "merged.model"].map(|name| desk.path(name));
        for place in [&model, &other] {
            unhusk(&["model", "learn", &site, "--strip", method, "--out", place, "--force", "-q"]).code(0);
        }
        let users = [
            vec!["model", "show", &model],
            vec!["model", "apply", &model, &site, "--format", "jsonl", "-q"],
            vec!["model", "merge", &model, &other, "--out", &merged, "--force", "-q"],
        ];
        let outcome = |args: &[&str]| {
            let said = unhusk(args);
            let merged = if said.code == 0 && args[1] == "merge" { fs::read(&merged).unwrap() } else { Vec::new() };
            Said { out: format!("{}{merged:?}", said.out), ..said }
        };
        let good: Vec<String> = users.iter().map(|user| outcome(user).code(0).out).collect();
        let path = Path::new(&model);
        for harm in Harm::of(path, 10, &mut rng) {
            let _harmed = Harmed::new(path, harm);
            for (user, good) in users.iter().zip(&good) {
                let said = outcome(user);
                let out = if said.code == 2 { String::new() } else { said.out };
                noticed(&Said { out, ..said }, good, "a.model", harm);
            }
        }
    }
}

/// A build that has written most of its spool and waits for more pages.
fn build_up_to_the_spool(desk: &Desk, lines: &[u8]) -> (Child, PathBuf) {
    let mut child = start(&["index", "-", "--out", &desk.path("index"), "--force", "-q"]);
    child.stdin.as_mut().unwrap().write_all(lines).unwrap();
    let spool = PathBuf::from(desk.path(".index.building/pages/spool"));
    wait_for(&spool);
    let deadline = Instant::now() + Duration::from_secs(20);
    while fs::metadata(&spool).unwrap().len() < 20_000 {
        assert!(Instant::now() < deadline, "nothing is written");
        sleep(Duration::from_millis(5));
    }
    (child, spool)
}

#[test]
fn a_damaged_spool_ends_the_build_with_an_error_that_names_it() {
    let desk = Desk::new();
    let lines = fs::read(desk.generated(200)).unwrap();
    let mut rng = Rng::new(8);
    for round in 0..8 {
        let (mut child, spool) = build_up_to_the_spool(&desk, &lines);
        let at = 12 + rng.below(19_000) as u64;
        let harm = if round < 6 { Harm::Flip(at) } else { Harm::Cut(at) };
        harm.do_to(&spool);
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{harm:?}: {complaint}");
        assert!(complaint.contains("spool") && complaint.contains("damaged at byte"), "{harm:?}: {complaint}");
        assert!(!complaint.contains("panicked"), "{complaint}");
        assert_eq!(desk.names(), ["generated.jsonl"]);
    }
}
