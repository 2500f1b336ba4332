//! Eight small table-layout sites with marked template tables, for the discovery ratio of table 2 of the
//! table-text-chunk paper (Ma, Goharian, Chowdhury: template tables found / template tables there).
//!
//! Six are plain: each template table stands with the same text on every page. Two are hard on purpose, each for
//! another reason:
//!
//! * `counter`: one table holds a date and a counter, so its text differs on each page and no document frequency finds it;
//! * `notice`: one table stands on three pages only, below the paper's threshold of four.

use std::path::Path;

use serde_json::json;

use super::write::{refuse_non_empty, write_whole};
use super::{Options, Result, Shape, Site, Style, words::mix, write_site};

/// One of the eight sites.
#[derive(Debug)]
#[non_exhaustive]
pub struct TableSample {
    /// Its name, and its directory's.
    pub name: &'static str,
    /// Why not all of its template tables can be found by repetition; none where they can.
    pub hard: Option<&'static str>,
    /// The site.
    pub site: Site,
}

const COUNTER: &str = "a template table holds a date and a counter and differs on each page";
const NOTICE: &str = "a template table stands on three pages only";

/// What is chosen for a sample.
struct Choice {
    name: &'static str,
    pages: u64,
    paragraphs: (u64, u64),
    promos: usize,
}

const fn choice(name: &'static str, pages: u64, paragraphs: (u64, u64), promos: usize) -> Choice {
    Choice { name, pages, paragraphs, promos }
}

/// Sizes and template shares are spread as widely as those of the paper's eight sites.
const SAMPLES: [Choice; 8] = [
    choice("long-articles", 41, (12, 17), 2),
    choice("counter", 13, (9, 13), 3),
    choice("middling", 20, (11, 15), 3),
    choice("short-articles", 8, (2, 4), 6),
    choice("many-boxes", 16, (10, 14), 6),
    choice("few-boxes", 10, (7, 10), 0),
    choice("notice", 12, (10, 14), 2),
    choice("plain", 30, (6, 9), 3),
];

/// Makes the eight samples.
pub fn table_samples(seed: u64) -> Vec<TableSample> {
    (0..).zip(&SAMPLES).map(|(number, choice)| sample(mix(seed, 80, number), choice)).collect()
}

fn sample(seed: u64, &Choice { name, pages, paragraphs, promos }: &Choice) -> TableSample {
    let hard = match name {
        "counter" => Some(COUNTER),
        "notice" => Some(NOTICE),
        _ => None,
    };
    let noticed_pages = if hard == Some(NOTICE) { 3 } else { 0 };
    let shape = Shape { plain: true, counter: hard == Some(COUNTER), noticed_pages, paragraphs, promos };
    let options = Options { pages, seed, style: Style::Table, marks: true };
    TableSample { name, hard, site: Site::shaped(options, shape) }
}

/// Writes the eight samples below `dir`, a directory each, and `samples.json`, which says which are hard and why.
pub fn write_table_samples(seed: u64, dir: &Path) -> Result<()> {
    refuse_non_empty(dir)?;
    let samples = table_samples(seed);
    for sample in &samples {
        write_site(&sample.site, &dir.join(sample.name))?;
    }
    let list: Vec<_> =
        samples.iter().map(|s| json!({"name": s.name, "pages": s.site.options().pages, "hard": s.hard})).collect();
    write_whole(&dir.join("samples.json"), &format!("{:#}\n", json!(list)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use super::super::GeneratedPage;
    use super::super::tests::read;
    use super::*;

    #[test]
    fn plain_samples_repeat_each_template_table_and_the_hard_ones_do_not() {
        let mut hard = Vec::new();
        for sample in table_samples(1) {
            let pages: Vec<GeneratedPage> = sample.site.pages().collect();
            assert!((8..=41).contains(&pages.len()));
            let mut frequency: HashMap<&str, usize> = HashMap::new();
            for table in pages.iter().flat_map(|page| &page.tables) {
                *frequency.entry(&table.text).or_default() += 1;
            }
            let found = |page: &GeneratedPage| page.tables.iter().filter(|t| frequency[t.text.as_str()] >= 4).count();
            let all_found = pages.iter().all(|page| page.tables.len() > 4 && found(page) == page.tables.len());
            assert_eq!(all_found, sample.hard.is_none(), "{}", sample.name);
            hard.extend(sample.hard.map(|_| sample.name));
        }
        assert_eq!(hard, ["counter", "notice"]);
    }

    #[test]
    fn a_template_table_stands_in_the_page_between_two_table_tags() {
        for sample in table_samples(3) {
            for page in sample.site.pages() {
                let chunks: HashSet<String> =
                    page.html.split("<table").flat_map(|s| s.split("</table")).map(words).collect();
                for table in page.tables.iter().filter(|table| table.element == "table") {
                    assert!(chunks.contains(&table.text), "{}: {}", sample.name, table.text);
                }
            }
        }
    }

    /// The text of a chunk that starts inside a tag.
    fn words(chunk: &str) -> String {
        let inner = chunk.split_once('>').map_or("", |(_, rest)| rest);
        let (_, runs) = read(inner);
        let text = runs.iter().map(|(s, e)| &inner[*s..*e]).collect::<Vec<_>>().join(" ");
        text.replace("&copy;", "©").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn the_samples_are_written_with_a_list_of_the_hard_ones() {
        let dir = tempfile::tempdir().unwrap();
        write_table_samples(1, dir.path()).unwrap();
        let list: serde_json::Value =
            serde_json::from_slice(&fs::read(dir.path().join("samples.json")).unwrap()).unwrap();
        let hard = list.as_array().unwrap().iter().filter(|sample| sample["hard"].is_string());
        assert_eq!(hard.map(|sample| sample["name"].as_str().unwrap()).collect::<Vec<_>>(), ["counter", "notice"]);
        let pages = fs::read_dir(dir.path().join("long-articles/pages")).unwrap();
        assert_eq!(pages.count(), 1, "one section");
    }
}
