//! The tables of docs/extraction.md: `wrappers curve DIR`, `records DIR`, `redesigns DIR`, `speed DIR`, `order DIR`. With a last argument, what failed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use unhusk_pages::parse::{Limits, Parsed, parse_carried};
use unhusk_pages::read::{Collection, Found, ReadOptions};
use unhusk_wrap::extract::{THRESHOLD, extract_within};
use unhusk_wrap::fields::{Host, Level};
use unhusk_wrap::labels::{Labels, Record, Records, folded, places};
use unhusk_wrap::learn::{learn, wanted};
use unhusk_wrap::library;
use unhusk_wrap::tree::{Tree, Wanted, hash};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (what, folder) = (args.first().map_or("", String::as_str), args.get(1).map_or("", String::as_str));
    let only = args.get(2).map_or("", String::as_str);
    let verbose = args.len() > 3;
    match what {
        "curve" => curve(Path::new(folder), only, verbose),
        "records" => records(Path::new(folder), only, verbose),
        "redesigns" => redesigns(Path::new(folder), only, verbose),
        "order" => order(Path::new(folder), only),
        "speed" => speed(Path::new(folder), only),
        _ => Err("say curve, records, redesigns or speed, and a folder".into()),
    }
}

fn folders(folder: &Path, only: &str) -> Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    all.retain(|path| path.is_dir() && path.to_string_lossy().contains(only));
    all.sort();
    Ok(all)
}

fn load(path: &Path) -> Result<Vec<Parsed>> {
    let mut pages = Vec::new();
    Collection::open(path)?.read(&ReadOptions::default(), &mut |found| {
        if let Found::Page(raw) = found {
            pages.push(parse_carried(&raw, Limits::default()));
        }
        ControlFlow::Continue(())
    })?;
    Ok(pages)
}

fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

fn same(a: &str, b: &str) -> bool {
    folded(a).to_lowercase() == folded(b).to_lowercase()
}

fn facts(path: &Path) -> Result<BTreeMap<String, Record>> {
    let mut facts: BTreeMap<String, Record> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        if let [id, attribute, value] = line.split('\t').collect::<Vec<_>>()[..] {
            facts.entry(id.into()).or_default().entry(attribute.into()).or_default().push(folded(value));
        }
    }
    Ok(facts)
}

/// Labels of a record without the values that are nowhere on its page.
fn findable(tree: &Tree, record: &Record) -> Record {
    let found = |values: &Vec<String>| {
        values.iter().filter(|value| !places(tree, value).is_empty()).cloned().collect::<Vec<_>>()
    };
    record.iter().map(|(name, values)| (name.clone(), found(values))).filter(|(_, values)| !values.is_empty()).collect()
}

#[derive(Default, Clone, Copy)]
struct Score {
    right: f64,
    wrong: f64,
    missed: f64,
}

impl Score {
    fn f1(self) -> f64 {
        if self.right == 0.0 { 0.0 } else { 2.0 * self.right / (2.0 * self.right + self.wrong + self.missed) }
    }
}

fn curve(folder: &Path, only: &str, verbose: bool) -> Result<()> {
    let ks = [1, 2, 3, 5, 10];
    let mut totals: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut strict: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for site in folders(folder, only)? {
        let parsed = load(&site.join("pages"))?;
        let trees: Vec<Tree> = parsed.iter().map(|page| Tree::new(page, Wanted::default())).collect();
        let facts = facts(&site.join("facts.tsv"))?;
        let mut order: Vec<usize> = (0..trees.len()).collect();
        order.sort_by_key(|&page| hash(&trees[page].id));
        let names: BTreeSet<&String> = facts.values().flat_map(|record| record.keys()).collect();
        let mut line = format!("{:28}", name(&site));
        for k in ks {
            let mut labels = Labels::default();
            for &page in &order[..k] {
                let record =
                    facts.get(&trees[page].id).map(|record| findable(&trees[page], record)).unwrap_or_default();
                labels.pages.insert(trees[page].id.clone(), vec![record]);
            }
            let host = learn(&trees, &labels, Level::Record, Wanted::default())?;
            let mut scores: BTreeMap<&String, (Score, Score)> =
                names.iter().map(|name| (*name, Default::default())).collect();
            for &page in &order[k..] {
                let found = extract_within(&trees[page], &host, THRESHOLD);
                for (attribute, (first, all)) in &mut scores {
                    let truth = facts.get(&trees[page].id).and_then(|record| record.get(*attribute));
                    let got: Vec<&str> = found
                        .first()
                        .and_then(|f| f.values.get(*attribute))
                        .into_iter()
                        .flatten()
                        .map(|v| v.text.as_str())
                        .collect();
                    let is_true = |got: &str| truth.is_some_and(|truth| truth.iter().any(|value| same(value, got)));
                    let right = got.first().is_some_and(|got| is_true(got));
                    first.right += f64::from(right);
                    first.wrong += f64::from(!right && !got.is_empty());
                    first.missed += f64::from(!right && truth.is_some());
                    let every = right && got.iter().all(|got| is_true(got));
                    all.right += f64::from(every);
                    all.wrong += f64::from(!every && !got.is_empty());
                    all.missed += f64::from(!every && truth.is_some());
                    if verbose && !right && (truth.is_some() || !got.is_empty()) && first.wrong + first.missed < 7.0 {
                        println!("  k={k} {attribute} {}: {got:.60?} for {truth:?}", trees[page].id);
                    }
                }
            }
            let f1: Vec<f64> = scores.values().map(|(first, _)| first.f1()).collect();
            line += &format!(" {:.3} [{:.2}]", mean(&f1), f1.iter().copied().fold(1.0, f64::min));
            totals.entry(k).or_default().extend(f1);
            strict.entry(k).or_default().extend(scores.values().map(|(_, all)| all.f1()));
        }
        println!("{line}");
    }
    for (k, scores) in &totals {
        let low = scores.iter().filter(|&&score| score < 0.9).count();
        println!(
            "k={k} mean {:.4} lowest {:.3}, {low} of {} below 0.9; every value right {:.4}",
            mean(scores),
            scores.iter().copied().fold(1.0, f64::min),
            scores.len(),
            mean(&strict[k])
        );
    }
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

struct ListPage {
    parsed: Parsed,
    records: Records,
    /// Attributes whose values are whole nodes, for each record.
    whole: BTreeMap<String, bool>,
}

fn list_page(folder: &Path) -> Result<ListPage> {
    let mut parsed = load(&folder.join("page.html"))?;
    let given: Vec<BTreeMap<String, serde_json::Value>> =
        serde_json::from_slice(&std::fs::read(folder.join("records.json"))?)?;
    let text = |value: &serde_json::Value| folded(value.as_str().unwrap_or_default());
    let records: Records = given
        .iter()
        .map(|record| {
            record
                .iter()
                .map(|(name, value)| (name.clone(), vec![text(value)]))
                .filter(|(_, values)| !values[0].is_empty())
                .collect()
        })
        .collect();
    let meta: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("meta.json"))?).unwrap_or_default();
    let mut whole = BTreeMap::new();
    for (name, counts) in meta["attributes"].as_object().into_iter().flatten() {
        whole.insert(name.clone(), counts["found"] == counts["whole_node"]);
    }
    let parsed = parsed.pop().ok_or("no page")?;
    Ok(ListPage { parsed, records, whole })
}

/// Learns of some records of a page.
fn learn_of(page: &ListPage, numbers: &[usize], level: Level) -> Result<(Tree, Host)> {
    let all = Tree::new(&page.parsed, Wanted::ALL);
    let mut labels = Labels::default();
    let mut records = Records::new();
    for &number in numbers {
        if number >= records.len() {
            records.resize_with(number + 1, Record::new);
        }
        records[number] = findable(&all, &page.records[number]);
    }
    let wanted = wanted(&all, &records);
    let tree = Tree::new(&page.parsed, wanted);
    // What is only in attributes that are not wanted after all is not labelled.
    let records: Records = records.iter().map(|record| findable(&tree, record)).collect();
    labels.pages.insert(tree.id.clone(), records);
    let trees = [tree];
    let host = learn(&trees, &labels, level, wanted)?;
    let [tree] = trees;
    Ok((tree, host))
}

/// For each true record the one that was found for it: in page order, as many equal values as possible.
fn paired(truth: &Records, found: &[library::Found]) -> Vec<Option<usize>> {
    let agree = |record: &Record, found: &library::Found| {
        let right = |(name, values): (&String, &Vec<String>)| {
            found.values.get(name).is_some_and(|got| got.iter().any(|got| contains(&got.text, &values[0])))
        };
        record.iter().filter(|&(name, values)| right((name, values))).count()
    };
    let (rows, columns) = (truth.len(), found.len());
    let mut best = vec![vec![0usize; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let both = agree(&truth[row], &found[column]) + best[row + 1][column + 1];
            best[row][column] = both.max(best[row + 1][column]).max(best[row][column + 1]);
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut out = vec![None; rows];
    while row < rows && column < columns {
        let own = agree(&truth[row], &found[column]);
        if own > 0 && best[row][column] == own + best[row + 1][column + 1] {
            out[row] = Some(column);
            (row, column) = (row + 1, column + 1);
        } else if best[row][column] == best[row + 1][column] {
            row += 1;
        } else {
            column += 1;
        }
    }
    out
}

fn contains(got: &str, value: &str) -> bool {
    folded(got).to_lowercase().contains(&folded(value).to_lowercase())
}

/// Whether a value is right: equal where the page's values are whole nodes, otherwise contained.
fn is_right(page: &ListPage, attribute: &str, got: &[library::Value], value: &str) -> bool {
    let strict = page.whole.get(attribute).copied().unwrap_or(true);
    got.iter().any(|got| if strict { same(&got.text, value) } else { contains(&got.text, value) })
}

fn record_is_right(page: &ListPage, record: &Record, found: Option<&library::Found>) -> bool {
    found.is_some_and(|found| {
        record
            .iter()
            .all(|(name, values)| found.values.get(name).is_some_and(|got| is_right(page, name, got, &values[0])))
    })
}

/// The score over the values of records that were not labelled.
fn rest(page: &ListPage, labelled: &[usize], found: &[library::Found]) -> Score {
    let pairs = paired(&page.records, found);
    let mut score = Score::default();
    for (number, record) in page.records.iter().enumerate().filter(|(number, _)| !labelled.contains(number)) {
        let own = pairs[number].map(|at| &found[at]);
        for (attribute, values) in record {
            let got = own.and_then(|own| own.values.get(attribute));
            let right = got.is_some_and(|got| is_right(page, attribute, got, &values[0]));
            score.right += f64::from(right);
            score.missed += f64::from(!right);
            score.wrong += f64::from(!right && got.is_some());
        }
    }
    // Records that stand for none: all their values are wrong.
    let used: BTreeSet<usize> = pairs.into_iter().flatten().collect();
    let extra = (0..found.len()).filter(|at| !used.contains(at));
    score.wrong += extra.map(|at| found[at].values.len() as f64).sum::<f64>();
    score
}

fn records(folder: &Path, only: &str, verbose: bool) -> Result<()> {
    let level = if std::env::var_os("PAGE_LEVEL").is_some() { Level::Page } else { Level::Record };
    let (mut all, mut needed) = (0, 0);
    let mut f1 = Vec::new();
    for place in folders(folder, only)? {
        let page = list_page(&place)?;
        let count = page.records.len();
        let mut labelled: Vec<usize> = vec![0];
        let mut after_three = None;
        loop {
            let (tree, host) = learn_of(&page, &labelled, level)?;
            let found = extract_within(&tree, &host, THRESHOLD);
            if labelled.len() == 3 || labelled.len() == count {
                after_three.get_or_insert_with(|| rest(&page, &labelled, &found).f1());
            }
            let pairs = paired(&page.records, &found);
            let wrong = (0..count).find(|&at| {
                !labelled.contains(&at) && !record_is_right(&page, &page.records[at], pairs[at].map(|own| &found[own]))
            });
            if verbose && labelled.len() <= 3 {
                let score = rest(&page, &labelled, &found);
                println!(
                    "  {} labelled {labelled:?}: {} found of {count}, {} wrappers, f1 {:.3}",
                    name(&place),
                    found.len(),
                    host.wrappers.len(),
                    score.f1()
                );
                if let Some(wrong) = wrong {
                    println!("    want {:.200?}", page.records[wrong]);
                    println!("    got  {:.300?}", pairs[wrong].map(|own| unhusk_wrap::extract::plain(&found[own])));
                }
                if let Some(extra) = (0..found.len()).find(|at| !pairs.contains(&Some(*at))) {
                    println!("    too many: {:.300?}", unhusk_wrap::extract::plain(&found[extra]));
                }
            }
            match wrong {
                Some(wrong) if labelled.len() < 40 => labelled.push(wrong),
                Some(_) => {
                    labelled.extend(
                        (0..count)
                            .filter(|at| {
                                !labelled.contains(at)
                                    && !record_is_right(&page, &page.records[*at], pairs[*at].map(|own| &found[own]))
                            })
                            .collect::<Vec<_>>(),
                    );
                    break;
                }
                None => {
                    // All right at once: three labels would be no worse.
                    if after_three.is_none() {
                        let mut three = labelled.clone();
                        three.extend(
                            (0..count).filter(|at| !labelled.contains(at)).take(3usize.saturating_sub(labelled.len())),
                        );
                        let (tree, host) = learn_of(&page, &three, level)?;
                        after_three = Some(rest(&page, &three, &extract_within(&tree, &host, THRESHOLD)).f1());
                    }
                    break;
                }
            }
        }
        let three = after_three.unwrap_or(0.0);
        println!("{:32} {count:4} records, {:3} labelled, f1 after three {three:.3}", name(&place), labelled.len());
        all += count;
        needed += labelled.len();
        f1.push(three);
    }
    println!(
        "records {all}, labelled {needed}: {:.1} % need none; f1 after three labels mean {:.4}, lowest {:.3}",
        100.0 * (all - needed) as f64 / all as f64,
        mean(&f1),
        f1.iter().copied().fold(1.0, f64::min)
    );
    Ok(())
}

fn redesigns(folder: &Path, only: &str, verbose: bool) -> Result<()> {
    let (mut alarms, mut pages) = (0, 0);
    for place in folders(folder, only)? {
        let before = side(&place.join("before"))?;
        let after = side(&place.join("after"))?;
        let numbers: Vec<usize> = (0..before.records.len()).collect();
        let (_, host) = learn_of(&before, &numbers, Level::Record)?;
        let tree = Tree::new(&after.parsed, host.wanted);
        let outlook = unhusk_wrap::check::predict(&[tree], &host);
        let alarm = outlook.recall < 0.8;
        alarms += u32::from(alarm);
        pages += 1;
        if verbose {
            println!(
                "  {:40} {alarm} {outlook:.3?} of {} after {}",
                name(&place),
                before.records.len(),
                after.records.len()
            );
        }
    }
    println!("{alarms} alarms of {pages}");
    Ok(())
}

fn side(folder: &Path) -> Result<ListPage> {
    let mut parsed = load(&folder.join("page.html"))?;
    let given: Vec<BTreeMap<String, serde_json::Value>> =
        serde_json::from_slice(&std::fs::read(folder.join("records.json"))?)?;
    let text = |value: &serde_json::Value| folded(value.as_str().unwrap_or_default());
    let record = |record: &BTreeMap<String, serde_json::Value>| {
        record.iter().map(|(name, value)| (name.clone(), vec![text(value)])).collect()
    };
    Ok(ListPage {
        parsed: parsed.pop().ok_or("no page")?,
        records: given.iter().map(record).collect(),
        whole: BTreeMap::new(),
    })
}

/// The pages of each site in the order in which they are labelled.
fn order(folder: &Path, only: &str) -> Result<()> {
    for site in folders(folder, only)? {
        let mut ids: Vec<String> =
            std::fs::read_dir(site.join("pages"))?.filter_map(|entry| Some(name(&entry.ok()?.path()))).collect();
        ids.sort_by_key(|id| hash(id));
        println!("{}\t{}", name(&site), ids.join(" "));
    }
    Ok(())
}

/// Pages a second and core, by level, after ten labelled pages.
fn speed(folder: &Path, only: &str) -> Result<()> {
    for level in [Level::Record, Level::Page] {
        let (mut pages, mut seconds, mut parsing, mut learning) = (0, 0.0, 0.0, 0.0);
        for site in folders(folder, only)? {
            let start = Instant::now();
            let parsed = load(&site.join("pages"))?;
            parsing += start.elapsed().as_secs_f64();
            let trees: Vec<Tree> = parsed.iter().map(|page| Tree::new(page, Wanted::default())).collect();
            let facts = facts(&site.join("facts.tsv"))?;
            let mut labels = Labels::default();
            for tree in trees.iter().take(10) {
                labels.pages.insert(
                    tree.id.clone(),
                    vec![facts.get(&tree.id).map(|record| findable(tree, record)).unwrap_or_default()],
                );
            }
            let start = Instant::now();
            let host = learn(&trees, &labels, level, Wanted::default())?;
            learning += start.elapsed().as_secs_f64();
            let start = Instant::now();
            for page in &parsed {
                let tree = Tree::new(page, host.wanted);
                pages += usize::from(!extract_within(&tree, &host, THRESHOLD).is_empty());
            }
            seconds += start.elapsed().as_secs_f64();
        }
        println!(
            "{level:?}: {pages} pages with records in {seconds:.2} s, {parsing:.2} s to read and parse, {learning:.2} s to learn"
        );
    }
    Ok(())
}
