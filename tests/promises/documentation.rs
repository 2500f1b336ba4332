//! What the README says can be run is run.

use std::fs;

#[test]
fn every_command_of_the_readme_is_run_by_the_ci_script() {
    let read = |name: &str| fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (readme, script) = (read("README.md"), read(".ci/run"));
    let script: Vec<&str> = script.lines().map(str::trim).collect();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: Vec<&str> = blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect();
    assert!(commands.len() > 8, "the README has runnable blocks: {commands:?}");
    for command in commands {
        assert!(script.contains(&command), "`{command}` is in README.md and not in .ci/run");
    }
}
