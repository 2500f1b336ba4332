//! One page in two layouts is one page.

use crate::support::{Desk, found, manifest, unhusk};

/// Forty articles in one layout, and one of them once more in another.
fn site(desk: &Desk) -> String {
    let words = |n: usize| (0..20).map(|w| format!("word{n}x{w}")).collect::<Vec<_>>().join(" ");
    for n in 0..40 {
        let page = format!("<title>Gazette</title><nav>Home News Sport</nav><p>{}</p><footer>Imprint", words(n));
        desk.write(&format!("site/news/{n:02}.html"), page);
    }
    desk.write("site/print/07.html", format!("<title>Gazette</title><p>{}", words(7)));
    desk.path("site")
}

#[test]
fn a_page_in_two_layouts_is_indexed_once_and_says_where_else_it_is() {
    let desk = Desk::new();
    let index = desk.index(&site(&desk), &[]);
    assert_eq!(found(&index, "word7x3"), ["news/07.html"]);
    let shown = unhusk(&["search", &index, "word7x3"]).code(0).out;
    assert!(shown.contains("also at print/07.html"), "{shown}");
    let manifest = manifest(&index);
    assert_eq!((&manifest["pages"]["read"], &manifest["pages"]["indexed"]), (&41.into(), &40.into()));
    assert_eq!(manifest["pages"]["duplicates"], 1);
    assert_eq!(manifest["aliases"][0]["page"], "news/07.html");
    assert_eq!(manifest["aliases"][0]["aliases"][0], "print/07.html");
}

#[test]
fn both_are_kept_when_asked_to() {
    let desk = Desk::new();
    let index = desk.index(&site(&desk), &["--no-dedup"]);
    let mut ids = found(&index, "word7x3");
    ids.sort();
    assert_eq!(ids, ["news/07.html", "print/07.html"]);
    assert!(!unhusk(&["search", &index, "word7x3"]).out.contains("also at"));
}
