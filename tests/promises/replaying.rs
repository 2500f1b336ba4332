//! What fuzzing starts from and what it has found, run again by every test run: the same bodies as the fuzz targets have.
//!
//! `UNHUSK_REPLAY_CHANGES` says how often each input is changed at random and run as well.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use unhusk::random::Rng;

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

/// An input with some bytes changed, cut out, doubled, or taken from another.
fn changed(rng: &mut Rng, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + rng.below(4) {
        let from = rng.below(bytes.len() + 1);
        let to = (from + rng.below(40)).min(bytes.len());
        match rng.below(5) {
            0 => bytes[from..to].iter_mut().take(3).for_each(|byte| *byte ^= 1 << rng.below(8)),
            1 => bytes[from..to].iter_mut().take(4).for_each(|byte| *byte = rng.bits() as u8),
            2 => drop(bytes.drain(from..to)),
            3 => bytes.extend_from_within(from..to),
            _ => {
                let start = rng.below(other.len() + 1);
                let part = &other[start..(start + rng.below(60)).min(other.len())];
                bytes.splice(from..from, part.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn inputs_changed_at_random_keep_the_promises() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let changes = std::env::var("UNHUSK_REPLAY_CHANGES").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let mut rng = Rng::new(1);
    for (name, _) in bodies::TARGETS {
        let seeds: Vec<Vec<u8>> =
            inputs(&fuzz.join("seeds").join(name)).iter().map(|path| fs::read(path).unwrap()).collect();
        for input in &seeds {
            for _ in 0..changes {
                let other = &seeds[rng.below(seeds.len())];
                let bytes = changed(&mut rng, input, other);
                let ran = catch_unwind(AssertUnwindSafe(|| bodies::run(name, &bytes)));
                assert!(ran.is_ok(), "{name} breaks a promise on {:?}", String::from_utf8_lossy(&bytes));
            }
        }
        println!("{name}: {} runs", seeds.len() * changes);
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
