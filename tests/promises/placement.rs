//! Where an index goes, and that it gets there whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{
    Desk, SmallDisk, command, fixture, found, manifest, said, signal, skipped, start, unhusk, wait_for,
};

#[test]
fn an_index_goes_to_a_folder_named_after_collection_and_method() {
    let desk = Desk::new();
    for (collection, place) in [("site", "index/site/auto"), ("site.warc.gz", "index/site/auto")] {
        said(command(&["index", &fixture(collection), "--force"]).current_dir(desk.folder())).code(0);
        assert!(desk.folder().join(place).join("manifest.json").is_file(), "{collection}");
    }
    let lines = fs::read(fixture("site.jsonl")).unwrap();
    said(command(&["index", "-"]).current_dir(desk.folder()).write_stdin(lines)).code(0);
    assert!(desk.folder().join("index/stdin/auto/manifest.json").is_file());
}

#[test]
fn an_index_is_replaced_only_by_force() {
    let desk = Desk::new();
    let place = desk.index(&desk.site(&[("a.html", "<p>old")]), &[]);
    desk.write("site/a.html", "<p>new");
    unhusk(&["index", &desk.path("site"), "--out", &place]).code(2).complains("exists already").complains("--force");
    assert_eq!(found(&place, "old"), ["a.html"]);
    unhusk(&["index", &desk.path("site"), "--out", &place, "--force"]).code(0);
    assert_eq!(found(&place, "old"), [""; 0]);
    assert_eq!(found(&place, "new"), ["a.html"]);
}

#[test]
fn a_folder_that_is_no_index_is_never_replaced() {
    let desk = Desk::new();
    let precious = desk.write("precious/letter.txt", "dear");
    let place = desk.path("precious");
    unhusk(&["index", &fixture("site"), "--out", &place, "--force"]).code(2).complains("is not an unhusk index");
    unhusk(&["index", &fixture("site"), "--out", &precious, "--force"]).code(2).complains("is not an unhusk index");
    assert_eq!(fs::read_to_string(precious).unwrap(), "dear");
    fs::create_dir(desk.path("vacant")).unwrap();
    unhusk(&["index", &fixture("site"), "--out", &desk.path("vacant")]).code(0);
}

/// A build of `collection` at `place`, under way.
fn build(collection: &str, place: &str) -> Child {
    start(&["index", collection, "--out", place, "--force", "--format", "json"])
}

#[test]
fn an_interrupted_build_changes_nothing_and_leaves_nothing() {
    let desk = Desk::new();
    let site = desk.generated(1500);
    let place = desk.index(&fixture("site"), &[]);
    let before = manifest(&place);
    for name in ["INT", "TERM"] {
        let child = build(&site, &place);
        wait_for(format!(
            "{}/.{}.building/pages/spool",
            desk.path(""),
            Path::new(&place).file_name().unwrap().display()
        ));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{name}: {complaint}");
        assert!(complaint.contains("stopped: nothing was changed"), "{name}: {complaint}");
        assert_eq!(manifest(&place), before);
        assert_eq!(desk.names().len(), 2, "{:?}", desk.names());
    }
}

#[test]
fn an_interrupt_is_heard_while_standard_input_is_silent() {
    let desk = Desk::new();
    let mut child = build("-", &desk.path("index"));
    writeln!(child.stdin.as_mut().unwrap(), "{{\"url\":\"a\",\"html\":\"<p>a\"}}").unwrap();
    wait_for(desk.path(".index.building/pages/spool"));
    sleep(Duration::from_millis(50));
    signal(&child, "TERM");
    let deadline = Instant::now() + Duration::from_secs(10);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("still waiting for input");
        }
        sleep(Duration::from_millis(10));
    };
    assert_eq!(status.code(), Some(130));
    assert_eq!(desk.names(), [""; 0]);
}

#[test]
fn of_two_builds_of_one_index_the_second_is_turned_away() {
    let desk = Desk::new();
    let place = desk.path("index");
    let mut first = build("-", &place);
    wait_for(desk.path(".index.building/pages/spool"));
    unhusk(&["index", &fixture("site"), "--out", &place, "--force"])
        .code(2)
        .complains("is being built by another process");
    let mut input = first.stdin.take().unwrap();
    input.write_all(&fs::read(fixture("site.jsonl")).unwrap()).unwrap();
    drop(input);
    assert!(first.wait().unwrap().success());
    assert_eq!(manifest(&place)["pages"]["indexed"], 4);
    assert_eq!(desk.names(), ["index"]);
}

#[test]
fn a_full_disk_is_an_error_and_the_old_index_stays() {
    let desk = Desk::new();
    let site = desk.generated(1000);
    let disk_place = desk.path("disk");
    let Some(_disk) = SmallDisk::mount(&disk_place, 2 << 20) else {
        return skipped("no small disk can be mounted", "run cargo test as root");
    };
    let place = desk.path("disk/index");
    unhusk(&["index", &fixture("site"), "--out", &place]).code(0);
    let before = manifest(&place);
    unhusk(&["index", &site, "--out", &place, "--force"]).code(2).complains("No space left on device");
    assert_eq!(manifest(&place), before);
    assert_eq!(found(&place, "lens"), ["lighthouse"]);
    assert_eq!(fs::read_dir(&disk_place).unwrap().count(), 1, "no leftovers");
}
