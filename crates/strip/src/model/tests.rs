#![allow(clippy::unwrap_used)]

use std::fs;
use unhusk_pages::metadata::site::Sample;

use proptest::prelude::*;

use super::*;
use crate::strip::auto::Auto;
use crate::strip::scope::Scope;
use unhusk_pages::parse::parse_html;
use unhusk_pages::spool::{Encoded, PageNo, SpoolWriter};

/// A page of one of three hosts: a few of ten texts, each in a place of its own.
fn html(texts: &[u8]) -> String {
    texts.iter().map(|text| format!("<div class=c{text}><p>text number {text} of the page</p></div>")).collect()
}

fn spool(folder: &Path, pages: &[(usize, Vec<u8>)]) -> Spool {
    fs::create_dir_all(folder).unwrap();
    let mut writer = SpoolWriter::create(&folder.join("spool")).unwrap();
    for (number, texts) in pages {
        let mut page = parse_html(&html(texts));
        page.url = format!("http://host{}.example/{number}", number % 3);
        page.id.clone_from(&page.url);
        writer.append(&Encoded::new(&page).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn methods() -> Vec<Method> {
    let table = Table { scope: Scope::Host, min_df: table::Threshold::Pages(2), short_words: 0, ..Table::default() };
    vec![Method::Auto(Auto { sample: 4, ..Auto::default() }), Method::Table(table)]
}

/// Learns from some pages into a file.
fn learned(folder: &Path, name: &str, method: &Method, pages: &[(usize, Vec<u8>)]) -> PathBuf {
    let spool = spool(&folder.join(name), pages);
    let path = folder.join(name).join("model");
    let means = Means { threads: 2, scratch: &folder.join(name).join("learn") };
    learn(method, &Pages::all(&spool), &Sample::default(), means, &path).unwrap();
    path
}

fn merged(folder: &Path, name: &str, parts: &[PathBuf]) -> PathBuf {
    let models: Vec<ModelFile> = parts.iter().map(|path| ModelFile::open(path).unwrap()).collect();
    let path = folder.join(name);
    merge(&models, &path).unwrap();
    path
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn shards_merged_in_any_order_are_the_whole_byte_for_byte(
        pages in proptest::collection::vec(proptest::collection::vec(0_u8..10, 0..5), 1..30),
        shards in proptest::collection::vec(0_usize..3, 30),
    ) {
        let pages: Vec<(usize, Vec<u8>)> = pages.into_iter().enumerate().collect();
        for method in methods() {
            let dir = tempfile::tempdir().unwrap();
            let whole = learned(dir.path(), "whole", &method, &pages);
            let parts: Vec<PathBuf> = (0..3)
                .map(|shard| {
                    let some: Vec<_> = pages.iter().filter(|(number, _)| shards[*number] == shard).cloned().collect();
                    learned(dir.path(), &format!("shard{shard}"), &method, &some)
                })
                .collect();
            let flat = merged(dir.path(), "flat", &parts);
            let turned = merged(dir.path(), "turned", &[parts[2].clone(), parts[0].clone(), parts[1].clone()]);
            let two = merged(dir.path(), "two", &parts[1..]);
            let stepwise = merged(dir.path(), "stepwise", &[two, parts[0].clone()]);
            let expected = fs::read(whole).unwrap();
            for path in [flat, turned, stepwise] {
                prop_assert!(fs::read(&path).unwrap() == expected, "{} of {}", path.display(), method.name());
            }
        }
    }

    #[test]
    fn a_sealed_model_marks_as_the_learned_one_does(
        pages in proptest::collection::vec(proptest::collection::vec(0_u8..10, 0..6), 1..30),
    ) {
        let pages: Vec<(usize, Vec<u8>)> = pages.into_iter().enumerate().collect();
        for method in methods() {
            let dir = tempfile::tempdir().unwrap();
            let file = ModelFile::open(&learned(dir.path(), "saved", &method, &pages)).unwrap();
            let unpacked = file.unpack(&dir.path().join("sample")).unwrap();
            let spool = spool(&dir.path().join("again"), &pages);
            let all = Pages::all(&spool);
            let means = Means { threads: 1, scratch: &dir.path().join("learn") };
            let (sealed, direct) = (unpacked.seal(Some(&all), means).unwrap(), method.learn(&all, means).unwrap());
            for number in (0..spool.len() as u32).map(PageNo) {
                let page = spool.page(number).unwrap();
                prop_assert_eq!(sealed.mark(number, &page).unwrap(), direct.mark(number, &page).unwrap());
            }
            if let Method::Table(_) = method {
                prop_assert_eq!(sealed.templates(), direct.templates());
            }
        }
    }
}

#[test]
fn any_damage_is_an_error_or_changes_nothing() {
    for method in methods() {
        let dir = tempfile::tempdir().unwrap();
        let pages: Vec<(usize, Vec<u8>)> = (0..9).map(|number| (number, vec![1, 2, number as u8])).collect();
        let path = learned(dir.path(), "model", &method, &pages);
        let good = fs::read(&path).unwrap();
        let read = |number: usize| -> Result<usize, ModelError> {
            let file = ModelFile::open(&path)?;
            let unpacked = file.unpack(&dir.path().join(format!("sample-{number}")))?;
            let model = unpacked.seal(None, Means { threads: 1, scratch: dir.path() })?;
            Ok(model.templates().len())
        };
        read(good.len()).unwrap();
        for at in (0..good.len()).step_by(3) {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            fs::write(&path, &bad).unwrap();
            let error = read(at).unwrap_err().to_string();
            assert!(error.contains("model"), "byte {at}: {error}");
        }
        for length in [0, 7, 20, good.len() / 2, good.len() - 1] {
            fs::write(&path, &good[..length]).unwrap();
            read(good.len() + 1 + length).unwrap_err();
        }
    }
}

#[test]
fn the_difference_between_methods_is_told() {
    let [auto, table] = [0, 1].map(|number| methods()[number].clone());
    assert_eq!(difference(&auto, &auto), None);
    assert_eq!(difference(&auto, &table).unwrap(), "the first is of auto, the second of table");
    let Method::Table(parameters) = &table else { unreachable!() };
    let other = Method::Table(Table { short_words: 7, ..parameters.clone() });
    assert_eq!(difference(&table, &other).unwrap(), "short_words is 0 in the first and 7 in the second");
}
