//! Builds that are killed, interrupted or out of disk: the old index answers, or the new one does.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use unhusk::random::Rng;

use crate::support::{Desk, SmallDisk, all_or, copy, manifest, signal, skipped, start, unhusk};

/// Indexes in a folder `out`, and a command that replaces them.
struct Trial {
    desk: Desk,
    args: Vec<String>,
    /// Names of the indexes in the folder.
    names: Vec<&'static str>,
    /// What each index answers before and after.
    old: Vec<String>,
    new: Vec<String>,
    /// How long the command takes.
    takes: Duration,
    rng: Rng,
}

/// Which indexes answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Old,
    New,
    /// Each index is whole, some are old and some new.
    Both,
}

impl Trial {
    /// Makes the old indexes with one command, and finds out what the other does.
    fn new(names: &[&'static str], old: impl Fn(&Desk) -> Vec<String>, new: impl Fn(&Desk) -> Vec<String>) -> Self {
        let desk = Desk::new();
        let lines = fs::read_to_string(desk.generated(90)).unwrap();
        desk.write("first.jsonl", lines.lines().take(30).collect::<Vec<_>>().join("\n"));
        let queries = fs::read_to_string("queries/harbour.tsv").unwrap();
        desk.write("queries.tsv", queries.lines().take(8).collect::<Vec<_>>().join("\n"));
        let mut trial = Trial {
            args: new(&desk),
            names: names.to_vec(),
            old: Vec::new(),
            new: Vec::new(),
            takes: Duration::ZERO,
            rng: Rng::new(7),
            desk,
        };
        run(&old(&trial.desk)).code(0);
        copy(&trial.place(), &trial.desk.path("copy"));
        trial.old = trial.answers();
        let started = Instant::now();
        run(&trial.args).code(0);
        trial.takes = started.elapsed();
        trial.new = trial.answers();
        assert!(trial.old.iter().zip(&trial.new).all(|(old, new)| old != new));
        trial.reset();
        trial
    }

    fn index() -> Self {
        let build = |collection, desk: &Desk| {
            words(&["index", &desk.path(collection), "--out", &desk.path("out/one"), "--force", "-q"])
        };
        Self::new(&["one"], |desk| build("first.jsonl", desk), |desk| build("generated.jsonl", desk))
    }

    fn update() -> Self {
        let place = |desk: &Desk| desk.path("out/one");
        Self::new(
            &["one"],
            |desk| words(&["index", &desk.path("first.jsonl"), "--out", &place(desk), "--keep-pages", "-q"]),
            |desk| words(&["update", &place(desk), &desk.path("generated.jsonl"), "-q"]),
        )
    }

    fn compare() -> Self {
        let compare = |collection, desk: &Desk| {
            let [collection, out, queries] = [collection, "out", "queries.tsv"].map(|name| desk.path(name));
            let args = ["compare", &collection, "--out", &out, "--force", "--strip", "none,table", "-q"];
            words(&[&args[..], &["--queries", &queries, "--qrels", "qrels/harbour.txt"]].concat())
        };
        Self::new(&["none", "table"], |desk| compare("first.jsonl", desk), |desk| compare("generated.jsonl", desk))
    }

    /// The folder of the indexes.
    fn place(&self) -> String {
        self.desk.path("out")
    }

    fn start(&self) -> Child {
        start(&self.args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A moment of the command's time, or a little after.
    fn moment(&mut self) -> Duration {
        self.takes.mul_f64(self.rng.unit() * 1.2)
    }

    /// Puts the old indexes back.
    fn reset(&self) {
        fs::remove_dir_all(self.place()).unwrap();
        copy(&self.desk.path("copy"), &self.place());
    }

    /// What each index answers: rankings, templates, figures. An error of any fails the test.
    fn answers(&self) -> Vec<String> {
        self.names.iter().map(|name| self.answer(&format!("{}/{name}", self.place()))).collect()
    }

    fn answer(&self, index: &str) -> String {
        let run = unhusk(&["run", index, "--queries", &self.desk.path("queries.tsv"), "-q"]).code(0).out;
        let templates = unhusk(&["templates", index, "--format", "json"]);
        assert!(templates.code < 2, "{templates:?}");
        format!("{run}{}{}", templates.out, manifest(index))
    }

    fn state(&self) -> State {
        let answers = self.answers();
        for (at, answer) in answers.iter().enumerate() {
            assert!(*answer == self.old[at] || *answer == self.new[at], "{} is neither old nor new", self.names[at]);
        }
        match (answers == self.old, answers == self.new) {
            (true, _) => State::Old,
            (_, true) => State::New,
            _ => State::Both,
        }
    }

    fn assert_no_leftovers(&self) {
        let entries = fs::read_dir(self.place()).unwrap();
        let names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
    }
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|&arg| arg.to_owned()).collect()
}

fn run(args: &[String]) -> crate::support::Said {
    unhusk(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Kills the command at so many moments.
fn kill(mut trial: Trial, times: usize) {
    let (mut old, mut new) = (0, 0);
    for _ in 0..times {
        let mut child = trial.start();
        sleep(trial.moment());
        child.kill().unwrap();
        child.wait().unwrap();
        match trial.state() {
            State::Old => old += 1,
            _ => {
                new += 1;
                trial.reset();
            }
        }
    }
    assert!(old >= times / 4, "{old} old, {new} new");
    run(&trial.args).code(0);
    assert_eq!(trial.state(), State::New);
    trial.assert_no_leftovers();
}

#[test]
fn killed_at_many_moments_a_rebuild_leaves_the_old_index_or_the_new_one() {
    kill(Trial::index(), all_or(50, 8));
}

#[test]
fn killed_at_many_moments_a_comparison_leaves_each_index_old_or_new() {
    kill(Trial::compare(), all_or(50, 8));
}

#[test]
fn killed_at_any_moment_an_update_leaves_the_old_index_or_the_new_one() {
    kill(Trial::update(), all_or(15, 8));
}

/// Interrupts the command at so many moments: it says that nothing was changed, or is done.
fn interrupt(mut trial: Trial, times: usize) {
    let mut interrupted = 0;
    for time in 0..times {
        let child = trial.start();
        sleep(trial.moment());
        signal(&child, if time % 2 == 0 { "INT" } else { "TERM" });
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&stderr);
        let state = trial.state();
        match (status.code(), status.signal()) {
            (Some(0), _) => {
                assert_eq!(state, State::New);
                trial.reset();
            }
            (Some(130), _) => {
                assert!(complaint.contains("stopped: nothing was changed"), "{complaint}");
                assert_eq!(state, State::Old);
                interrupted += 1;
            }
            // Before the program listens.
            (None, Some(2 | 15)) => assert_eq!(state, State::Old),
            other => panic!("{other:?}: {complaint}"),
        }
        trial.assert_no_leftovers();
    }
    assert!(interrupted > 0);
}

#[test]
fn interrupted_at_any_moment_a_rebuild_changes_nothing_or_is_done() {
    interrupt(Trial::index(), all_or(20, 8));
}

#[test]
fn interrupted_at_any_moment_a_comparison_changes_nothing_or_is_done() {
    interrupt(Trial::compare(), all_or(20, 8));
}

#[test]
fn interrupted_at_any_moment_an_update_changes_nothing_or_is_done() {
    interrupt(Trial::update(), all_or(16, 8));
}

/// Runs the command on disks that are too small, each a little larger than the one before, until it has room.
fn fill(trial: Trial, step: u64) {
    let (place, mut full) = (trial.place(), 0);
    fs::remove_dir_all(&place).unwrap();
    for room in 1.. {
        let Some(_disk) = SmallDisk::mount(&place, size_of(&trial.desk.path("copy")) + room * step) else {
            return skipped("no small disk can be mounted", "run cargo test as root");
        };
        copy(&format!("{}/.", trial.desk.path("copy")), &place);
        let said = run(&trial.args);
        trial.assert_no_leftovers();
        if said.code == 0 {
            assert_eq!(trial.state(), State::New);
            break;
        }
        let said = said.code(2).complains("No space left on device").complains(&place);
        assert_eq!(trial.state(), State::Old, "{said:?}");
        full += 1;
    }
    assert!(full >= 4, "the disk was full {full} times");
}

/// Bytes of a folder as a file system counts them, in pages.
fn size_of(folder: &str) -> u64 {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().metadata().unwrap());
    entries.map(|file| file.len().div_ceil(4096) * 4096).sum()
}

#[test]
fn a_rebuild_that_fills_the_disk_at_any_stage_leaves_the_old_index() {
    fill(Trial::index(), 160 << 10);
}

#[test]
fn a_comparison_that_fills_the_disk_at_any_stage_leaves_the_old_indexes() {
    fill(Trial::compare(), 160 << 10);
}

#[test]
fn an_update_that_fills_the_disk_at_any_stage_leaves_the_old_index() {
    fill(Trial::update(), 160 << 10);
}
