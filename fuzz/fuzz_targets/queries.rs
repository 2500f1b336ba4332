#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = unhusk::search::queries::QuerySet::parse(&text, std::path::Path::new("fuzz"));
});
