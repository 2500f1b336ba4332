//! The browsers' own test suite for HTML parsers, html5lib-tests, where somebody has it: our tokens in front of html5ever's tree
//! builder give the tree that html5ever's own tokenizer gives.
//!
//! The suite is not part of this project. `UNHUSK_HTML5LIB_TESTS` names a folder with its `tokenizer` and `tree-construction`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use unhusk::parse::reference::outlines;

use crate::support::skipped;

/// Files with that extension, in folders too.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
    found
}

/// The input of a test of the tokenizer, in each of the places it asks for.
fn pages(test: &Value) -> Vec<String> {
    let input = test["input"].as_str().unwrap();
    let input = if test["doubleEscaped"] == true { unescaped(input) } else { input.to_owned() };
    let states = test["initialStates"].as_array().cloned().unwrap_or_else(|| vec!["Data state".into()]);
    let last = test["lastStartTag"].as_str();
    let page = |state: &Value| match state.as_str().unwrap() {
        "Data state" => input.clone(),
        "CDATA section state" => format!("<svg><![CDATA[{input}"),
        "PLAINTEXT state" => format!("<plaintext>{input}"),
        "RCDATA state" => format!("<{}>{input}", last.unwrap_or("textarea")),
        "RAWTEXT state" => format!("<{}>{input}", last.unwrap_or("xmp")),
        "Script data state" => format!("<{}>{input}", last.unwrap_or("script")),
        other => panic!("a state nobody knows: {other}"),
    };
    states.iter().map(page).collect()
}

/// Some inputs have escapes of their own, for what JSON cannot say; half of a surrogate pair cannot be in a page either.
fn unescaped(input: &str) -> String {
    let mut parts = input.split("\\u");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..4).and_then(|code| u32::from_str_radix(code, 16).ok());
        text.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
        text.push_str(part.get(4..).unwrap_or_default());
    }
    text
}

/// The pages of a file of tests of trees.
fn data(text: &str) -> Vec<String> {
    let tests = text.split("#data\n").skip(1);
    tests.map(|test| test.split("\n#errors").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_html5lib_tests_are_read_as_html5ever_reads_them() {
    let Some(folder) = std::env::var_os("UNHUSK_HTML5LIB_TESTS").map(PathBuf::from) else {
        return skipped("no html5lib-tests", "set UNHUSK_HTML5LIB_TESTS to a folder with them");
    };
    let mut all = BTreeSet::new();
    for path in files(&folder.join("tokenizer"), "test") {
        let json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let tests = json["tests"].as_array().or(json["xmlViolationTests"].as_array()).unwrap();
        all.extend(tests.iter().flat_map(pages));
    }
    let of_tokens = all.len();
    for path in files(&folder.join("tree-construction"), "dat") {
        all.extend(data(&String::from_utf8_lossy(&fs::read(&path).unwrap())));
    }
    let different: Vec<_> = all
        .iter()
        .filter_map(|html| outlines(html).filter(|[ours, theirs]| ours != theirs).map(|both| (html, both)))
        .collect();
    println!("{of_tokens} pages of the tokenizer, {} of trees: {} differ", all.len() - of_tokens, different.len());
    assert!(all.len() > 5000, "{} pages are not the suite", all.len());
    assert!(different.is_empty(), "{} differ: {:#?}", different.len(), &different[..different.len().min(10)]);
}
