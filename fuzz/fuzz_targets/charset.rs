//! Any bytes decode, whatever they claim to be.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unhusk::parse::charset::decode;

fuzz_target!(|input: (&str, &[u8])| {
    let (content_type, bytes) = input;
    decode(bytes, None);
    decode(bytes, Some(content_type));
});
