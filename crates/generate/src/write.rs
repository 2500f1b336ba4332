//! Writes a site to a directory or as JSON lines.
//!
//! The directory holds
//!
//! * `pages/`: a page's id is its path below it;
//! * `marked/`: what of each page is template, in the format of [`Marks::to_tsv`](super::Marks::to_tsv);
//! * `queries.tsv`: id, text;
//! * `qrels.txt`: judgements as TREC has them: query, 0, page, grade;
//! * `facts.tsv`: page, attribute, value;
//! * `templates.json`: the kinds of template; for each page what it is, its kinds of template, its template tables;
//! * `site.json`: what the site was made from.
//!
//! Without [`Options::marks`](super::Options) there is no `marked/`, and `templates.json` leaves out the tables: at a
//! million pages these two would be most of the output.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use super::{Error, GeneratedPage, PageKind, Part, Result, Site, TemplateTable};

/// Writes the whole site below `dir`, which must be empty or absent.
pub fn write_site(site: &Site, dir: &Path) -> Result<()> {
    refuse_non_empty(dir)?;
    create_dir(dir)?;
    write_whole(&dir.join("site.json"), &description(site))?;
    write_queries(site, dir)?;
    let mut facts = Out::create(dir.join("facts.tsv"))?;
    let mut templates = Out::create(dir.join("templates.json"))?;
    templates.text(&format!("{{\"kinds\":{},\n\"pages\":{{", json!(Part::TEMPLATE)))?;
    let mut made = HashSet::new();
    for (number, page) in site.pages().enumerate() {
        let path = dir.join("pages").join(&page.id);
        let marked = dir.join("marked").join(format!("{}.tsv", page.id));
        let parent = path.parent().unwrap_or(dir);
        if made.insert(parent.to_owned()) {
            create_dir(parent)?;
            if site.options.marks {
                create_dir(marked.parent().unwrap_or(dir))?;
            }
        }
        write_whole(&path, &page.html)?;
        if site.options.marks {
            write_whole(&marked, &page.marks.to_tsv(&page.html))?;
        }
        for fact in &page.facts {
            facts.text(&format!("{}\t{}\t{}\n", page.id, fact.attribute, fact.value))?;
        }
        let comma = if number == 0 { "" } else { "," };
        templates.text(&format!("{comma}\n{}:{}", json!(page.id), json!(Templates::of(&page, site.options.marks))))?;
    }
    templates.text("\n}}\n")?;
    templates.finish()?;
    facts.finish()
}

/// Writes each page as a line `{"url":…,"html":…}`; the URL is [`Site::base_url`] and the page's id.
pub fn write_jsonl(site: &Site, out: &mut impl Write) -> Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        url: &'a str,
        html: &'a str,
    }
    let base = site.base_url();
    for (number, page) in (0..).zip(site.pages()) {
        let url = format!("{base}{}", page.id);
        let line = Line { url: &url, html: &page.html };
        let written =
            serde_json::to_writer(&mut *out, &line).map_err(io::Error::from).and_then(|()| out.write_all(b"\n"));
        written.map_err(|source| Error::Stream { page: number, source })?;
    }
    out.flush().map_err(|source| Error::Stream { page: site.options.pages, source })
}

/// Fails when there is something in `dir`.
pub(super) fn refuse_non_empty(dir: &Path) -> Result<()> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(Error::NotEmpty(dir.to_owned())),
        Ok(false) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Write { path: dir.to_owned(), source }),
    }
}

/// Writes a file in one go.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// What `templates.json` says of a page.
#[derive(Serialize)]
struct Templates<'a> {
    kind: PageKind,
    templates: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<&'a [TemplateTable]>,
}

impl<'a> Templates<'a> {
    fn of(page: &'a GeneratedPage, marks: bool) -> Self {
        Templates { kind: page.kind, templates: page.templates(), tables: marks.then_some(&page.tables) }
    }
}

fn description(site: &Site) -> String {
    let sections: Vec<_> = site
        .sections
        .iter()
        .map(|s| json!({"name": s.name, "path": s.path, "layout": if s.block { "block" } else { "table" }, "minified": s.minified}))
        .collect();
    let whole = json!({
        "generator": "unhusk",
        "version": env!("CARGO_PKG_VERSION"),
        "name": site.name,
        "base_url": site.base_url(),
        "options": site.options,
        "topics": site.topics.len(),
        "sections": sections,
    });
    format!("{whole:#}\n")
}

fn write_queries(site: &Site, dir: &Path) -> Result<()> {
    let mut queries = Out::create(dir.join("queries.tsv"))?;
    for query in site.queries() {
        queries.text(&format!("{}\t{}\n", query.id, query.text))?;
    }
    queries.finish()?;
    let mut qrels = Out::create(dir.join("qrels.txt"))?;
    for judgement in site.judgements() {
        qrels.text(&format!("{} 0 {} {}\n", judgement.query, judgement.page, judgement.grade))?;
    }
    qrels.finish()
}

fn create_dir(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).map_err(|source| Error::Write { path: dir.to_owned(), source })
}

/// A buffered file that knows its name, for the error.
struct Out {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Out {
    fn create(path: PathBuf) -> Result<Self> {
        match File::create(&path) {
            Ok(file) => Ok(Out { path, file: BufWriter::new(file) }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(|source| Error::Write { path: self.path, source })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::site;
    use super::super::{Options, Style, write_table_samples};
    use super::*;

    fn files(dir: &Path) -> usize {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
    }

    #[test]
    fn a_written_site_is_complete_and_not_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let site = site(50, 13, Style::Mixed);
        write_site(&site, dir.path()).unwrap();
        assert_eq!(files(&dir.path().join("pages")), 50);
        assert_eq!(files(&dir.path().join("marked")), 50);
        let templates: serde_json::Value =
            serde_json::from_slice(&fs::read(dir.path().join("templates.json")).unwrap()).unwrap();
        let listed = templates["pages"].as_object().unwrap();
        for page in site.pages() {
            assert_eq!(fs::read_to_string(dir.path().join("pages").join(&page.id)).unwrap(), page.html);
            assert_eq!(listed[&page.id]["templates"], serde_json::json!(page.templates()));
            assert_eq!(listed[&page.id]["tables"].as_array().unwrap().len(), page.tables.len());
        }
        for name in ["queries.tsv", "qrels.txt", "facts.tsv", "site.json"] {
            assert!(fs::metadata(dir.path().join(name)).unwrap().len() > 0);
        }
        assert!(matches!(write_site(&site, dir.path()), Err(Error::NotEmpty(_))));
        assert!(matches!(write_table_samples(1, dir.path()), Err(Error::NotEmpty(_))));
    }

    #[test]
    fn without_marks_no_marks_are_written() {
        let dir = tempfile::tempdir().unwrap();
        let site = Site::new(Options { pages: 30, marks: false, ..Options::default() }).unwrap();
        write_site(&site, &dir.path().join("new")).unwrap();
        assert!(!dir.path().join("new/marked").exists());
    }

    #[test]
    fn json_lines_hold_each_page_under_its_url() {
        let site = site(30, 14, Style::Mixed);
        let mut out = Vec::new();
        write_jsonl(&site, &mut out).unwrap();
        let lines: Vec<serde_json::Value> =
            out.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
        assert_eq!(lines.len(), 30);
        let page = site.page(7);
        assert_eq!(lines[7]["url"], format!("{}{}", site.base_url(), page.id));
        assert_eq!(lines[7]["html"], page.html);
    }
}
