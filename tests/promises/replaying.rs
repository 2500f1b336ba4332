//! What fuzzing starts from and what it has found, run again by every test run: the same bodies as the fuzz targets have.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

// A library where it is fuzzed, a module here.
#[allow(unreachable_pub)]
#[path = "../../fuzz/src/lib.rs"]
mod bodies;

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_input_that_fuzzing_starts_from_or_has_found_keeps_the_promises() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for (name, _) in bodies::TARGETS {
        let seeds = inputs(&fuzz.join("seeds").join(name));
        assert!(!seeds.is_empty(), "fuzzing {name} starts from nothing");
        for path in seeds.into_iter().chain(inputs(&fuzz.join("regressions").join(name))) {
            let bytes = fs::read(&path).unwrap();
            let ran = catch_unwind(AssertUnwindSafe(|| bodies::run(name, &bytes)));
            assert!(ran.is_ok(), "{} breaks a promise of {name}", path.display());
        }
    }
}

#[test]
fn every_target_has_a_program_and_every_folder_of_inputs_a_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut targets: Vec<String> = bodies::TARGETS.map(|(name, _)| name.to_owned()).to_vec();
    targets.sort();
    let named = |folder: &str| -> Vec<String> {
        let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
        inputs(&fuzz.join(folder)).into_iter().map(stem).collect()
    };
    assert_eq!(named("fuzz_targets"), targets);
    assert_eq!(named("seeds"), targets);
    assert!(named("regressions").iter().all(|name| targets.contains(name)));
}
