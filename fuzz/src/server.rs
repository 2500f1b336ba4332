//! Whatever a client sends: answers are whole, carry the policy, and none of them is an error inside the server.

use std::path::PathBuf;
use std::sync::OnceLock;

use unhusk::index::words::Language;
use unhusk::ingest::{Building, Gathering, Interrupt, Unwatched, Work, build};
use unhusk::read::Collection;
use unhusk::serve::{Options, SearchLimits, Server};
use unhusk::strip::{Aside, Method};

/// A server on a small index with kept pages, made once.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = super::scratch().keep();
        let site = folder.join("site");
        std::fs::create_dir(&site).expect("a folder");
        for (name, body) in [
            ("a.html", "<nav>Home News</nav><p>The ferry sails in thick fog"),
            ("b.html", "<nav>Home News</nav><p>Oysters and C++ &lt;script&gt;"),
            ("c.html", "<nav>Home News</nav><p>我们在海港旁边的图书馆读书"),
        ] {
            std::fs::write(site.join(name), format!("<title>{name}</title>{body}")).expect("a page");
        }
        let index = folder.join("index");
        let collection = Collection::open(site.to_str().expect("a path")).expect("a collection");
        let gathering = Gathering { keep_pages: true, ..Gathering::default() };
        let building = Building {
            method: Method::None,
            aside: Aside::default(),
            language: Language::default(),
            choice: Default::default(),
            store: true,
            model: None,
            updatable: false,
        };
        let work = Work { threads: 1, watch: &Unwatched, interrupt: &Interrupt::default() };
        build(&[collection], &index, false, &gathering, &building, work).expect("an index");
        open(index, folder)
    })
}

fn open(index: PathBuf, folder: PathBuf) -> Server {
    let options = Options {
        indexes: vec![index],
        addr: "127.0.0.1:0".parse().expect("an address"),
        allow_remote: false,
        queries: Some(folder.join("queries.tsv")),
        qrels: Some(folder.join("qrels.txt")),
        judge: true,
        threads: 1,
        limits: SearchLimits::default(),
    };
    Server::open(&options).expect("a server")
}

/// Any bytes are a request, or several.
pub(super) fn http(sent: &[u8]) {
    let answer = server().answer(sent);
    if answer.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(&answer);
    assert!(text.starts_with("HTTP/1."), "{text}");
    let status = text.split(' ').nth(1).unwrap_or_default();
    assert!(!matches!(status, "500" | "503" | "504"), "{text}");
    // What HTTP itself refuses never comes to us; the rest carries the policy.
    let refused = text.contains("content-length: 0\r\n") && status.starts_with('4');
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    assert!(refused || head.contains("content-security-policy: "), "{text}");
}
