//! A server that is running, and a plain way to ask it: bytes over a socket, so that a test can be as rude as it likes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Desk, PROGRAM, unhusk};

/// `unhusk serve`, ended with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) addr: SocketAddr,
    // Kept, so that the program can go on writing to it.
    _out: BufReader<ChildStdout>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Fails unless the answer has that status.
    #[track_caller]
    pub(crate) fn status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Server {
    /// Starts a server on any free port.
    #[track_caller]
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::spawn(Command::new(PROGRAM).args(["serve", "--addr", "127.0.0.1:0", "--quiet"]).args(args))
    }

    /// Starts a server and waits until it listens.
    #[track_caller]
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let addr = line.trim().trim_start_matches("http://").trim_end_matches('/');
        let addr = addr.parse().unwrap_or_else(|error| panic!("{error}: {line:?}"));
        Server { child, addr, _out: out }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads until the other side is done.
    pub(crate) fn send(&self, request: &[u8]) -> std::io::Result<String> {
        let mut stream = self.connect();
        stream.write_all(request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    #[track_caller]
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.addr);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        let answer = self.send((request + "\r\n" + body).as_bytes()).unwrap();
        reply(&answer)
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], "")
    }

    #[track_caller]
    pub(crate) fn get_as(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.request("GET", path, headers, "")
    }

    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        self.get(path).status(200).json()
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, kind: &str, body: &str, headers: &[(&str, &str)]) -> Reply {
        self.request("POST", path, &[&[("Content-Type", kind)], headers].concat(), body)
    }

    /// Bytes of memory the server holds.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the server to end.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
pub(crate) fn reply(answer: &str) -> Reply {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// The interface as `docs/openapi.json` describes it.
pub(crate) struct Interface(Value);

impl Interface {
    pub(crate) fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json");
        Interface(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    /// What is wrong with a value that should be of that kind.
    pub(crate) fn wrong(&self, kind: &str, value: &Value) -> Option<String> {
        let mut compiler = boon::Compiler::new();
        let mut schemas = boon::Schemas::new();
        compiler.add_resource("http://here/openapi.json", self.0.clone()).unwrap();
        let place = format!("http://here/openapi.json#/components/schemas/{kind}");
        let schema = compiler.compile(&place, &mut schemas).unwrap_or_else(|error| panic!("{kind}: {error:#}"));
        schemas.validate(value, schema).err().map(|error| format!("{error:#}"))
    }

    /// The addresses it describes.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.0["paths"].as_object().unwrap().keys().cloned().collect()
    }
}

/// A town's site in two indexes, pages kept, with a query set.
pub(crate) struct Town {
    pub(crate) desk: Desk,
    pub(crate) none: String,
    pub(crate) table: String,
    pub(crate) queries: String,
    pub(crate) qrels: String,
}

/// What a hostile page tries.
pub(crate) const HOSTILE: &str = "<script>document.title='owned';parent.location='/owned'</script><img src=x onerror=\"document.title='owned'\">\
    </textarea></title></style></template><svg onload=\"document.title='owned'\"></svg>\u{202E}backwards\u{2066}\
    <link rel=preconnect href=//evil.example><meta http-equiv=refresh content=\"0;url=/owned\"><base href=//evil.example/>\
    <form action=/judge method=post><input name=q></form><p>harpoon hostile quarrel</p>";

impl Town {
    pub(crate) fn new() -> Self {
        Self::with(&["--keep-pages"])
    }

    pub(crate) fn with(more: &[&str]) -> Self {
        let desk = Desk::new();
        let menu = "<nav><a href=/a>Health</a> <a href=/b>Technology</a> <a href=/c>Law</a> and every other part of the town paper</nav>";
        for number in 0..30 {
            let subject = match number {
                0 => "Mooring fees were judged against the law by the court in spring.",
                1 => "The surgery opens at eight for blood pressure checks and good health.",
                2 => "A recipe for haddock chowder with leeks and cream.",
                3 => "The lifeboat was launched twice in the gale on Sunday.",
                _ => "The choir sings in the chapel this week.",
            };
            let folder = ["news", "law", "archive/old"][number % 3];
            let page = format!(
                "<!DOCTYPE html><title>Page {number} of the paper</title><body>{menu}<main><p>{subject} Item {number}.</p></main>"
            );
            desk.write(&format!("site/{folder}/p{number}.html"), page);
        }
        let title = format!("{HOSTILE}\" onmouseover=\"x{}", "enormous ".repeat(50_000));
        let title = title.replace('<', "&lt;").replace('"', "&quot;");
        desk.write("site/hostile/h.html", format!("<!DOCTYPE html><title>{title}</title><body>{menu}{HOSTILE}"));
        let site = desk.path("site");
        let index = |name: &str, strip: &str| {
            let place = desk.path(name);
            let args =
                ["index", &site, "--out", &place, "--strip", strip, "--no-dedup", "--base-url", "http://town.example/"];
            unhusk(&[&args, more].concat()).code(0);
            place
        };
        Town {
            none: index("none", "none"),
            table: index("table", "table"),
            queries: desk.write("queries.tsv", "law\tlaw court\nfish\thaddock chowder\n"),
            qrels: desk.write("qrels.txt", "# by hand\nlaw 0 news/p0.html 1\nfish 0 archive/old/p2.html 1\n"),
            desk,
        }
    }

    pub(crate) fn serve(&self, more: &[&str]) -> Server {
        Server::start(&[&[self.none.as_str(), &self.table], more].concat())
    }

    pub(crate) fn judged(&self) -> Server {
        self.serve(&["--queries", &self.queries, "--qrels", &self.qrels, "--judge"])
    }
}
