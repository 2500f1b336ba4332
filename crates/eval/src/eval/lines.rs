//! Line scores: of the source lines that were kept, how many hold content, and how much of the content was kept.
//!
//! The marks are files as `unhusk generate` writes them: `lines`, a tab, and a letter for each source line: `T`
//! template text, `C` content text, `B` both, `-` no text; what follows is not read. A line is *kept* when any
//! of its text is. A line that holds both counts as content: to lose it is to lose content.
//!
//! As in the paper of the sandwich method, blank lines and lines of markup alone do not count. Nor does the line of the
//! page's title, which no method touches. That paper's figures (precision 57 %, recall 97 %, F1 0.59) cannot all be of
//! one sum, since 57 % and 97 % have a harmonic mean of 0.72; they must be means over pages. Both are told here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::agreement::{Agreement, AgreementSum};
use unhusk_pages::parse::Page;
use unhusk_strip::strip::Mask;

/// Counts of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LineCounts {
    /// Lines with text.
    pub lines: u64,
    /// Lines with content.
    pub content: u64,
    /// Lines that were kept.
    pub kept: u64,
    /// Lines with content that were kept.
    pub content_kept: u64,
}

impl LineCounts {
    /// Counts the lines of a page. `letters` are its marks.
    pub fn of(page: &Page, mask: &Mask, letters: &str) -> Self {
        let letters = letters.as_bytes();
        let mut kept: Vec<Option<bool>> = vec![None; page.lines.len()];
        for view in page.pieces() {
            let line = &mut kept[view.piece.line as usize];
            *line = Some(line.unwrap_or(false) | mask.keeps(view.number));
        }
        let mut counts = LineCounts::default();
        for (line, kept) in kept.into_iter().enumerate() {
            let (Some(kept), Some(letter @ (b'T' | b'C' | b'B'))) = (kept, letters.get(line)) else { continue };
            let content = *letter != b'T';
            counts.lines += 1;
            counts.content += u64::from(content);
            counts.kept += u64::from(kept);
            counts.content_kept += u64::from(content && kept);
        }
        counts
    }

    /// The scores of these counts.
    pub fn scores(&self) -> Agreement {
        Agreement::of(self.content_kept, self.kept, self.content)
    }
}

impl std::ops::AddAssign for LineCounts {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.content += other.content;
        self.kept += other.kept;
        self.content_kept += other.content_kept;
    }
}

/// The scores of many pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LineReport {
    /// Pages that had marks.
    pub pages: u64,
    /// Pages that had none.
    pub unmarked: u64,
    /// All lines together.
    pub counts: LineCounts,
    /// Scores of all lines together.
    pub all: Agreement,
    /// Means of the pages' scores, each over the pages that have it.
    pub mean: Agreement,
}

/// Gathers the counts of pages.
#[derive(Clone, Debug, Default)]
pub struct LineSum {
    pages: u64,
    unmarked: u64,
    counts: LineCounts,
    sum: AgreementSum,
}

impl LineSum {
    /// Adds a page.
    pub fn add(&mut self, counts: LineCounts) {
        self.pages += 1;
        self.counts += counts;
        self.sum.add(counts.scores());
    }

    /// Adds a page without marks.
    pub fn add_unmarked(&mut self) {
        self.unmarked += 1;
    }

    /// What it comes to.
    pub fn report(&self) -> LineReport {
        LineReport {
            pages: self.pages,
            unmarked: self.unmarked,
            counts: self.counts,
            all: self.counts.scores(),
            mean: self.sum.mean(),
        }
    }
}

/// Why marks cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MarksError {
    /// The file cannot be read.
    #[error("cannot read the marks {path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not start as marks do.
    #[error("{path}, line 1: expected 'lines', a tab, and a letter T, C, B or - for each line of the page", path = path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
}

/// Reads the letters of the page with this id; none where the folder has no marks for it.
pub fn read_marks(folder: &Path, id: &str) -> Result<Option<String>, MarksError> {
    let path = folder.join(format!("{}.tsv", id.trim_start_matches('/')));
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(MarksError::Io { path, source }),
    };
    let letters = text.lines().next().and_then(|line| line.strip_prefix("lines\t"));
    match letters {
        Some(letters) if letters.bytes().all(|letter| b"TCB-".contains(&letter)) => Ok(Some(letters.to_owned())),
        _ => Err(MarksError::Format { path }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use unhusk_pages::parse::parse_html;
    use unhusk_pages::spool::PageNo;
    use unhusk_strip::strip::Reason;
    use unhusk_strip::strip::sandwich::Unit;

    const REASON: Reason = Reason::Common { peer: PageNo(0), unit: Unit::Line };

    fn counts(html: &str, dropped: &[usize], letters: &str) -> LineCounts {
        let page = parse_html(html);
        let mut mask = Mask::keep_all(page.piece_count());
        dropped.iter().for_each(|&piece| mask.drop(piece..piece + 1, REASON));
        LineCounts::of(&page, &mask, letters)
    }

    #[test]
    fn lines_without_text_do_not_count() {
        let html = "<title>Site</title>\n<p>menu</p>\n\n<hr>\n<p>story</p>\n";
        let counts = counts(html, &[0], "TT--C");
        assert_eq!(counts, LineCounts { lines: 2, content: 1, kept: 1, content_kept: 1 });
    }

    #[test]
    fn a_line_is_kept_when_any_of_its_text_is() {
        let counts = counts("<b>label</b> <i>value</i>\n<p>menu", &[0], "BT");
        assert_eq!(counts, LineCounts { lines: 2, content: 1, kept: 2, content_kept: 1 });
        let scores = counts.scores();
        assert_eq!((scores.precision, scores.recall), (Some(0.5), Some(1.0)));
        assert!((scores.f1.unwrap() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn scores_that_mean_nothing_are_none_and_are_left_out_of_means() {
        let mut sum = LineSum::default();
        sum.add(counts("<p>menu\n<p>story", &[0, 1], "TC"));
        sum.add(counts("<p>menu\n<p>story", &[0], "TC"));
        sum.add_unmarked();
        let report = sum.report();
        assert_eq!((report.pages, report.unmarked), (2, 1));
        assert_eq!(report.mean, Agreement { precision: Some(1.0), recall: Some(0.5), f1: Some(0.5) });
        assert_eq!(report.all.recall, Some(0.5));
        assert_eq!(LineSum::default().report().all, Agreement::default());
    }

    #[test]
    fn marks_are_read_by_id_and_anything_else_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        fs::write(dir.path().join("a/b.html.tsv"), "lines\tT-CB\nT\t0\t4\tnav\n").unwrap();
        fs::write(dir.path().join("bad.tsv"), "a\tb\n").unwrap();
        assert_eq!(read_marks(dir.path(), "a/b.html").unwrap().unwrap(), "T-CB");
        assert!(read_marks(dir.path(), "c.html").unwrap().is_none());
        let error = read_marks(dir.path(), "bad").unwrap_err().to_string();
        assert!(error.contains("bad.tsv, line 1"), "{error}");
    }
}
