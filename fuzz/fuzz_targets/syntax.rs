//! Anything typed is a query.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unhusk::search::syntax::Query;

fuzz_target!(|text: &str| {
    Query::parse(text);
    let _ = Query::parse_strict(text);
});
