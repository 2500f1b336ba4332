//! Any text is a page, and its pieces lie inside it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unhusk::parse::parse_html;

fuzz_target!(|html: &str| {
    let page = parse_html(html);
    for view in page.pieces() {
        assert!(view.piece.end as usize <= html.len());
        assert!((view.piece.line as usize) < page.lines.len());
    }
});
