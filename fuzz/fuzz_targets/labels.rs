#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| unhusk_fuzz::run("labels", bytes));
