//! Nothing is asked of the network unless somebody says so.

use std::process::Command;

use crate::support::{Desk, PROGRAM, fixture, skipped};

/// A desk and the commands that have no business with a network, in an order in which they find what they need.
fn commands(desk: &Desk) -> Vec<Vec<String>> {
    let queries = desk.write("q.tsv", "1\tferry\n");
    let qrels = desk.write("q.txt", "1 0 index.html 1\n");
    let (site, index, model) = (fixture("site"), desk.path("index"), desk.path("model"));
    let words = |line: &str| -> Vec<String> {
        let named = [("SITE", &site), ("INDEX", &index), ("MODEL", &model), ("QUERIES", &queries), ("QRELS", &qrels)];
        let desk = |word: &str| match named.iter().find(|(name, _)| *name == word) {
            Some((_, path)) => (*path).clone(),
            None => word.replace("DESK", desk.folder().to_str().unwrap()),
        };
        line.split(' ').map(desk).collect()
    };
    [
        "index SITE --out INDEX --keep-pages",
        "update INDEX SITE",
        "search INDEX ferry",
        "run INDEX --queries QUERIES --out DESK/run",
        "info INDEX",
        "templates INDEX",
        "strip SITE",
        "compare SITE --strip none,auto --queries QUERIES --qrels QRELS",
        "eval DESK/run --qrels QRELS",
        "generate --out DESK/generated --pages 24",
        "export INDEX --out DESK/documents.jsonl",
        "export INDEX --format parquet --out DESK/documents.parquet",
        "export INDEX --format bulk --out DESK/bulk",
        "model learn SITE --out MODEL",
        "model show MODEL",
        "model merge MODEL --out DESK/merged",
        "model apply MODEL SITE",
    ]
    .map(words)
    .to_vec()
}

/// Whether the tool is there and may do what it is needed for.
fn works(tool: &[&str]) -> bool {
    Command::new(tool[0]).args(&tool[1..]).output().is_ok_and(|output| output.status.success())
}

#[test]
fn everything_but_the_server_and_the_sender_works_without_a_network() {
    let Some(alone) = ["-n", "-rn"].into_iter().find(|how| works(&["unshare", how, "true"])) else {
        return skipped("no network of its own", "install util-linux, and allow unshare -rn");
    };
    let desk = Desk::new();
    for args in commands(&desk) {
        let output = Command::new("unshare").args([alone, PROGRAM]).args(&args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn everything_but_the_server_and_the_sender_opens_no_socket() {
    let desk = Desk::new();
    let trace = desk.path("trace");
    if !works(&["strace", "-f", "-e", "trace=socket", "-o", &trace, "true"]) {
        return skipped("no strace, or it is not allowed", "install strace");
    }
    for args in commands(&desk) {
        let output = Command::new("strace")
            .args(["-f", "-e", "trace=socket,connect,sendto", "-o", &trace, PROGRAM])
            .args(&args)
            .output()
            .unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let calls = std::fs::read_to_string(&trace).unwrap();
        for call in ["socket(", "connect(", "sendto("] {
            assert!(!calls.contains(call), "{args:?} makes a call to {call}: {calls}");
        }
    }
}
