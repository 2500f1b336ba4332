//! What the documentation says is so.

use std::fs;

use crate::support::unhusk;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(name: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{name}")).unwrap()
}

#[test]
fn every_command_of_the_readme_is_run_by_the_ci_script() {
    let (readme, script) = (read("README.md"), read(".ci/run"));
    let script: Vec<&str> = script.lines().map(str::trim).collect();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: Vec<&str> = blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect();
    assert_eq!(commands[..2], ["cargo run --release -- compare", "cargo test"], "the README opens with two commands");
    assert!(commands.len() > 6, "the README has runnable blocks: {commands:?}");
    for command in commands {
        assert!(script.contains(&command), "`{command}` is in README.md and not in .ci/run");
    }
}

/// `INSTA_UPDATE=always` writes it, as it does with golden files.
#[test]
fn the_readme_shows_what_compare_prints() {
    let readme = read("README.md");
    let (before, rest) = readme.split_once("```console\n$ unhusk compare\n").unwrap();
    let (shown, after) = rest.split_once("```").unwrap();
    let printed = unhusk(&["compare", "--quiet"]).code(0).out;
    if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") && shown != printed {
        let new = format!("{before}```console\n$ unhusk compare\n{printed}```{after}");
        fs::write(format!("{ROOT}/README.md"), new).unwrap();
        return;
    }
    assert_eq!(shown, printed);
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut files = vec!["README.md".to_owned(), "ARCHITECTURE.md".to_owned()];
    for folder in ["docs", "docs/methods", "docs/results"] {
        let entries = fs::read_dir(format!("{ROOT}/{folder}")).unwrap();
        let names = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().into_string().unwrap()));
        files.extend(names.filter(|name| name.ends_with(".md")));
    }
    let mut broken = Vec::new();
    for file in &files {
        for target in links(&read(file)) {
            let (path, part) = target.split_once('#').unwrap_or((&target, ""));
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let path = if path.is_empty() { file.clone() } else { format!("{folder}/{path}") };
            let place = format!("{ROOT}/{path}");
            let found = fs::exists(&place).unwrap() && (part.is_empty() || anchors(&place).contains(&part.to_owned()));
            if !found {
                broken.push(format!("{file}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Where a document's links lead, those to other machines aside.
fn links(text: &str) -> Vec<String> {
    let ends = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    ends.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace)).map(str::to_owned).collect()
}

/// The names of a document's headings, as links use them.
fn anchors(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#').map(|line| line.trim_start_matches('#').trim()));
    let name = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headings.map(name).collect()
}
