//! Stripped documents for other programs, and a sender that servers cannot make lose any.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Desk, Said, command, fixture, said, skipped, unhusk};

/// What a server does with a request.
enum Does {
    /// Takes every document.
    Takes,
    /// Answers with a status, and these headers.
    Answers(u16, &'static str),
    /// Answers each document with the status that is said for its id.
    Judges(fn(&str) -> u16),
    /// Says nothing for as long.
    Sleeps(Duration),
    /// Hangs up in the middle of its answer.
    BreaksOff,
}

/// A bulk server on a free port. It does to each request what comes next in its script, and at last to all what comes last.
struct BulkServer {
    address: String,
    /// Documents it has taken: how often each.
    taken: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl BulkServer {
    fn start(script: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let taken = Arc::new(Mutex::new(BTreeMap::new()));
        let noted = taken.clone();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let does = &script[number.min(script.len() - 1)];
                // A client that has gone is no fault of the server.
                let _ = answer(stream.unwrap(), does, &noted);
            }
        });
        BulkServer { address, taken }
    }

    fn taken(&self) -> BTreeMap<String, u64> {
        self.taken.lock().unwrap().clone()
    }
}

fn answer(stream: TcpStream, does: &Does, taken: &Mutex<BTreeMap<String, u64>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut line) = (0, String::new());
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8(body).unwrap();
    let actions = body.lines().step_by(2).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ids: Vec<String> = actions.map(|action| action["index"]["_id"].as_str().unwrap().to_owned()).collect();
    let judge = |status: &dyn Fn(&str) -> u16| {
        let item = |id: &String| {
            let status = status(id);
            if status < 300 {
                *taken.lock().unwrap().entry(id.clone()).or_default() += 1;
                return json!({ "index": { "_id": id, "status": status } });
            }
            let error = json!({ "type": "mapper_parsing_exception", "reason": format!("not {id}") });
            json!({ "index": { "_id": id, "status": status, "error": error } })
        };
        let items: Vec<Value> = ids.iter().map(item).collect();
        json!({ "took": 1, "errors": items.iter().any(|item| item["index"]["error"].is_object()), "items": items })
            .to_string()
    };
    let (status, headers, said) = match does {
        Does::Takes => (200, "", judge(&|_| 201)),
        Does::Judges(status) => (200, "", judge(status)),
        Does::Answers(status, headers) => (*status, *headers, "{\"error\":\"so it is\"}".to_owned()),
        Does::Sleeps(time) => {
            sleep(*time);
            return Ok(());
        }
        Does::BreaksOff => {
            return (&stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"took\":1,");
        }
    };
    let length = said.len();
    (&stream).write_all(format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: {length}\r\n\r\n{said}").as_bytes())
}

/// An index of some pages, and their number.
fn indexed(desk: &Desk) -> (String, usize) {
    let index = desk.index(&desk.generated(60), &[]);
    let pages = crate::support::manifest(&index)["pages"]["indexed"].as_u64().unwrap();
    (index, pages as usize)
}

fn send(index: &str, server: &BulkServer, more: &[&str]) -> Said {
    let args = ["export", index, "--format", "bulk", "--to", &server.address, "--chunk-size", "20KiB"];
    unhusk(&[&args, more].concat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_index_and_its_collection_give_the_same_json_lines() {
    let desk = Desk::new();
    let site = fixture("site");
    let index = desk.index(&site, &["--strip", "table"]);
    let from_index = unhusk(&["export", &index]).code(0).out;
    let from_pages = unhusk(&["export", &site, "--strip", "table"]).code(0).out;
    assert_eq!(from_index, from_pages);
    let documents = lines(&from_index);
    assert_eq!(documents.len(), 4);
    for name in ["id", "url", "title", "body", "aside"] {
        assert!(documents[0][name].is_string(), "{name}");
    }
    assert!(documents[0]["aliases"].is_array());
    let file = desk.path("deep/out.jsonl");
    unhusk(&["export", &index, "--out", &file]).code(0);
    assert_eq!(fs::read_to_string(file).unwrap(), from_index);
}

#[test]
fn a_model_strips_what_is_exported() {
    let desk = Desk::new();
    let site = desk.generated(60);
    let model = desk.path("x.model");
    unhusk(&["model", "learn", &site, "--out", &model, "-q"]).code(0);
    let exported = unhusk(&["export", &site, "--model", &model, "--no-dedup"]).code(0);
    let applied = unhusk(&["model", "apply", &model, &site, "--format", "jsonl"]).code(0);
    let text = |lines: Vec<Value>, name: &str| lines.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!(text(lines(&exported.out), "body"), text(lines(&applied.out), "text"));
}

#[test]
fn bulk_chunks_are_bounded_and_come_with_settings() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let out = desk.path("bulk");
    unhusk(&["export", &index, "--format", "bulk", "--out", &out, "--chunk-size", "20KiB", "--index-name", "news"])
        .code(0);
    let mut names: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let (chunks, settings): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.starts_with("bulk-"));
    assert_eq!(settings, ["mapping.json", "quickwit.yaml"]);
    assert!(chunks.len() > 2, "{chunks:?}");
    let mut whole = String::new();
    for chunk in &chunks {
        let text = fs::read_to_string(format!("{out}/{chunk}")).unwrap();
        assert!(text.len() <= 20 << 10, "{chunk} has {} bytes", text.len());
        whole += &text;
    }
    let all = lines(&whole);
    assert_eq!(all.len(), 2 * pages);
    for pair in all.chunks(2) {
        assert_eq!(pair[0]["index"]["_index"], "news");
        assert_eq!(pair[0]["index"]["_id"], pair[1]["id"]);
    }
    let mapping: Value = serde_json::from_str(&fs::read_to_string(format!("{out}/mapping.json")).unwrap()).unwrap();
    let known: Vec<&String> = mapping["mappings"]["properties"].as_object().unwrap().keys().collect();
    let used: Vec<&String> = all[1].as_object().unwrap().keys().collect();
    assert_eq!(known, used, "the settings name the fields of a document");
    assert!(fs::read_to_string(format!("{out}/quickwit.yaml")).unwrap().contains("index_id: news"));
    assert_eq!(unhusk(&["export", &index, "--format", "bulk", "--index-name", "news"]).code(0).out, whole);
    unhusk(&["export", &index, "--format", "bulk", "--out", &out]).code(2).complains("is not empty");
}

#[test]
fn every_document_is_sent_once_where_the_server_takes_it() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let server = BulkServer::start(vec![Does::Takes]);
    let sent = send(&index, &server, &[]).code(0);
    assert!(sent.out.contains(&format!("{pages} documents accepted, 0 refused")), "{sent:?}");
    assert_eq!(server.taken().len(), pages);
    assert!(server.taken().values().all(|times| *times == 1));
    assert!(!fs::exists(format!("{index}.sent")).unwrap(), "nothing is left to be done");
}

#[test]
fn what_a_server_cannot_take_now_is_sent_again() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let server = BulkServer::start(vec![
        Does::Answers(429, "Retry-After: 0\r\n"),
        Does::Answers(503, ""),
        Does::BreaksOff,
        Does::Sleeps(Duration::from_millis(1300)),
        Does::Takes,
    ]);
    let sent = send(&index, &server, &["--timeout", "1"]).code(0);
    assert!(sent.out.contains("4 attempts were repeated"), "{sent:?}");
    assert_eq!(server.taken().len(), pages);
}

#[test]
fn single_documents_are_put_off_or_refused_and_the_rest_is_taken() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let odd = |id: &str| if id.len() % 2 == 1 { 429 } else { 201 };
    let server = BulkServer::start(vec![Does::Judges(odd), Does::Takes]);
    send(&index, &server, &[]).code(0);
    assert_eq!(server.taken().len(), pages);
    assert!(server.taken().values().all(|times| *times == 1), "what was taken is not sent again");

    let index_pages = |id: &str| if id.ends_with("index.html") { 400 } else { 201 };
    let server = BulkServer::start(vec![Does::Judges(index_pages)]);
    let sent = send(&index, &server, &[]).code(2).complains("documents were refused").complains("not http");
    let refused = pages - server.taken().len();
    assert!(
        refused > 0 && sent.out.contains(&format!("{} documents accepted, {refused} refused", pages - refused)),
        "{sent:?}"
    );
    // Only chunks with refused documents are sent again.
    let before = server.taken();
    let again = send(&index, &server, &[]).code(2);
    assert!(again.out.contains("were taken before"), "{again:?}");
    assert!(server.taken().values().sum::<u64>() < 2 * before.values().sum::<u64>());
}

#[test]
fn an_unreachable_or_rejecting_server_is_an_error_and_nothing_is_lost() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    unhusk(&["export", &index, "--format", "bulk", "--to", &format!("http://{nobody}"), "--retries", "1"])
        .code(2)
        .complains("tried 2 times")
        .complains("nothing is lost");
    let server = BulkServer::start(vec![Does::Takes, Does::Takes, Does::Answers(403, "")]);
    send(&index, &server, &[]).code(2).complains("refuses documents").complains("403").complains("so it is");
    let first = server.taken();
    assert!(!first.is_empty() && first.len() < pages);
    let noted = fs::read_to_string(format!("{index}.sent")).unwrap();
    assert_eq!(noted.lines().filter(|line| !line.is_empty()).count(), 2, "two chunks were taken: {noted}");
    // To another server everything goes, for it has none of it.
    let other = BulkServer::start(vec![Does::Takes]);
    send(&index, &other, &[]).code(0);
    assert_eq!(other.taken().len(), pages);
}

#[test]
fn a_sending_that_broke_off_goes_on_behind_what_was_taken() {
    let desk = Desk::new();
    let (index, pages) = indexed(&desk);
    let mut script: Vec<Does> = vec![Does::Takes, Does::Takes];
    script.extend([Does::Answers(500, ""), Does::Answers(500, ""), Does::Takes]);
    let server = BulkServer::start(script);
    let broken = send(&index, &server, &["--retries", "1"]).code(2).complains("tried 2 times").complains("500");
    assert!(broken.out.contains("0 refused"), "{broken:?}");
    let on = send(&index, &server, &["--retries", "1"]).code(0);
    assert!(on.out.contains("were taken before"), "{on:?}");
    assert_eq!(server.taken().len(), pages);
    assert!(server.taken().values().all(|times| *times == 1), "each document once");
    assert!(!fs::exists(format!("{index}.sent")).unwrap());
}

#[test]
fn what_cannot_be_sent_or_exported_is_said() {
    let desk = Desk::new();
    let (index, _) = indexed(&desk);
    let to = |url: &str| unhusk(&["export", &index, "--format", "bulk", "--to", url]);
    to("https://search.example").code(2).complains("https is not spoken").complains("proxy");
    to("nonsense").code(2).complains("write an address such as");
    to("http://user:word@127.0.0.1:1").code(2).complains("names and passwords are not sent");
    unhusk(&["export", &index, "--to", "http://127.0.0.1:1"]).code(2).complains("add --format bulk");
    unhusk(&["export", &index, "--format", "parquet"]).code(2).complains("--out");
    let bare = desk.index(&fixture("site"), &["--no-store"]);
    unhusk(&["export", &bare]).code(2).complains("--no-store");
    let server = BulkServer::start(vec![Does::Answers(413, "")]);
    send(&index, &server, &[]).code(2).complains("--chunk-size");
    let server = BulkServer::start(vec![Does::Answers(200, "")]);
    assert!(send(&index, &server, &[]).out.contains("accepted"), "an answer without items means that all were taken");
}

/// A Python that can read Parquet files: the one named in `UNHUSK_PYARROW`, or the usual one.
fn pyarrow() -> Option<String> {
    let python = std::env::var("UNHUSK_PYARROW").unwrap_or_else(|_| "python3".to_owned());
    let works =
        Command::new(&python).args(["-c", "import pyarrow.parquet"]).output().is_ok_and(|it| it.status.success());
    works.then_some(python)
}

#[test]
fn data_tools_read_the_parquet_file() {
    let desk = Desk::new();
    let text = "one two three four five six seven eight nine ten eleven";
    for name in ["a.html", "b.html"] {
        desk.write(&format!("site/{name}"), format!("<title>Same</title><p>{text}"));
    }
    desk.write("site/ü.html", "<title>Other</title><p>漢字 and more");
    let index = desk.index(&desk.path("site"), &["--strip", "none"]);
    let file = desk.path("out.parquet");
    unhusk(&["export", &index, "--format", "parquet", "--out", &file]).code(0);
    let Some(python) = pyarrow() else {
        return skipped("no Python with pyarrow", "pip install pyarrow");
    };
    let script = "import json, sys, pyarrow.parquet as p\nfor row in p.read_table(sys.argv[1]).to_pylist(): print(json.dumps(row))";
    let read = said(assert_cmd::Command::new(python).args(["-c", script, &file])).code(0);
    let exported = said(&mut command(&["export", &index])).code(0);
    assert_eq!(lines(&read.out), lines(&exported.out));
    assert_eq!(lines(&read.out)[0]["aliases"], json!(["b.html"]));
}
