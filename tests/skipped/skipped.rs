//! Says once, behind all tests, which of them could not run on this machine, and what they need.
//!
//! The tests in `tests/promises` leave a line in a file for each (`support::skipped`): what is missing, what to do, the test.

use std::collections::BTreeMap;
use std::fs;

fn main() {
    let said = fs::read_to_string(concat!(env!("CARGO_TARGET_TMPDIR"), "/skipped.tsv")).unwrap_or_default();
    let mut tests: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in said.lines() {
        if let [missing, remedy, test] = line.split('\t').collect::<Vec<_>>()[..] {
            tests.entry((missing, remedy)).or_default().push(test);
        }
    }
    let number: usize = tests.values().map(Vec::len).sum();
    match number {
        0 => println!("\nno test was skipped\n"),
        1 => println!("\n1 test was skipped on this machine:\n"),
        _ => println!("\n{number} tests were skipped on this machine:\n"),
    }
    for ((missing, remedy), names) in &mut tests {
        names.sort_unstable();
        println!("  {missing}: {remedy}");
        for name in names {
            println!("    {name}");
        }
    }
}
