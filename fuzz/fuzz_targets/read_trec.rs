//! No bytes make the trec reader fail, and no page is above the limit.

#![no_main]

use std::ops::ControlFlow;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use unhusk::read::{Found, ReadOptions, trec};

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions { max_page_size: 4096, ..ReadOptions::default() };
    let ended = trec::read(bytes, Path::new("fuzz"), &options, &mut |found| {
        if let Found::Page(page) = found {
            assert!(!page.id.is_empty());
            assert!(page.bytes.len() as u64 <= options.max_page_size);
        }
        ControlFlow::Continue(())
    });
    assert!(ended.is_continue());
});
