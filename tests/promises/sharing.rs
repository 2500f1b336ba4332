//! One place, several programs: builds that meet there, and readers while builds come and go.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Desk, all_or, fixture, found, start, unhusk};

/// Waits until all builds but one have ended, and takes that one out.
fn last_standing(builds: &mut Vec<Child>) -> Child {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let running = |build: &mut Child| build.try_wait().unwrap().is_none();
        let at: Vec<usize> = (0..builds.len()).filter(|&at| running(&mut builds[at])).collect();
        if let [only] = at[..] {
            return builds.remove(only);
        }
        assert!(!at.is_empty() && Instant::now() < deadline, "{} builds go on", at.len());
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn of_builds_that_start_at_once_one_wins_and_the_others_say_so() {
    let desk = Desk::new();
    let place = desk.path("none");
    let lines = fs::read(fixture("site.jsonl")).unwrap();
    let index = ["index", "-", "--strip", "none", "--out", &place, "--force", "-q"];
    let update = ["update", &place, "-", "-q"];
    let out = desk.path("");
    let questions = ["--queries", "queries/harbour.tsv", "--qrels", "qrels/harbour.txt", "--strip", "none"];
    let compare = [&["compare", "-", "--out", &out, "--force", "-q"], &questions[..]].concat();
    for round in 0..6 {
        // What a comparison has left there cannot be updated.
        unhusk(&["index", &fixture("site"), "--strip", "none", "--out", &place, "--force"]).code(0);
        // They read from standard input, so that whoever has the place keeps it until all have tried.
        let mut commands = [&index[..], &update, &compare, &index];
        commands.rotate_left(round % 4);
        let mut builds: Vec<Child> = commands.map(start).into();
        let mut winner = last_standing(&mut builds);
        for build in builds {
            let output = build.wait_with_output().unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{complaint}");
            assert!(complaint.contains("is being built by another process"), "{complaint}");
        }
        assert!(!found(&place, "lens").is_empty(), "the old index answers meanwhile");
        winner.stdin.take().unwrap().write_all(&lines).unwrap();
        let output = winner.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!found(&place, "lens").is_empty());
        assert!(!desk.names().iter().any(|name| name.starts_with('.')), "{:?}", desk.names());
    }
}

#[test]
fn readers_see_the_old_index_or_the_new_one_while_builds_come_and_go() {
    let desk = Desk::new();
    let lines = fs::read_to_string(desk.generated(90)).unwrap();
    let half = desk.write("half.jsonl", lines.lines().take(45).collect::<Vec<_>>().join("\n"));
    let (all, place) = (desk.path("generated.jsonl"), desk.path("index"));
    let build = |collection: &str| unhusk(&["index", collection, "--out", &place, "--force", "-q"]).code(0);
    let readers: [&[&str]; 5] = [
        &["search", &place, "the health of the law", "-q"],
        &["run", &place, "--queries", "queries/harbour.tsv", "-k", "20", "-q"],
        &["templates", &place, "--format", "json"],
        &["export", &place, "--format", "jsonl", "-q"],
        &["info", &place],
    ];
    let answers = |reader: &[&str]| {
        let out = unhusk(reader).code(0).out;
        // Times and memory differ from build to build.
        let lasting = |line: &&str| !["time", "peak memory", "elapsed"].iter().any(|name| line.contains(name));
        if reader[0] == "info" { out.lines().filter(lasting).collect() } else { out }
    };
    let mut known: Vec<HashSet<String>> = vec![HashSet::new(); readers.len()];
    for collection in [&half, &all] {
        build(collection);
        known.iter_mut().zip(readers).for_each(|(known, reader)| assert!(known.insert(answers(reader))));
    }
    let done = AtomicBool::new(false);
    let mut seen: Vec<HashSet<String>> = vec![HashSet::new(); readers.len()];
    let mut rounds = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..all_or(24, 8) {
                build(if round % 2 == 0 { &half } else { &all });
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            for ((seen, known), reader) in seen.iter_mut().zip(&known).zip(readers) {
                let answer = answers(reader);
                assert!(known.contains(&answer), "{reader:?} says {answer}");
                seen.insert(answer);
            }
            rounds += 1;
        }
    });
    assert!(rounds > 3 && seen.iter().any(|seen| seen.len() == 2), "{rounds} rounds");
}
