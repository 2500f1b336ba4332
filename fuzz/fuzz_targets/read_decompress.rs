//! No bytes make decompression fail or go on for ever; bytes without a magic number come out as they are.

#![no_main]

use std::io::BufRead;

use libfuzzer_sys::fuzz_target;
use unhusk::read::decompress::Stream;

fuzz_target!(|bytes: &[u8]| {
    let mut stream = Stream::new(bytes);
    let mut faults = 0;
    loop {
        let count = stream.fill().len();
        stream.consume(count);
        if count == 0 && stream.resume().is_none() {
            break;
        }
        faults += usize::from(count == 0);
    }
    assert!(faults <= bytes.len());
});
