//! The tree, read off in document order into a [`Page`].

use html5ever::{LocalName, local_name};
use xxhash_rust::xxh3::xxh3_64;

use super::page::{Element, Join, Link, Page, Piece, Sign};
use super::said::{Mark, Said, Script};
use super::tags;
use super::tree::{Kind, NONE, Run, Step, Tagged, Tree};
use super::words::{Sequence, word_hashes};
use super::{Carried, Parsed};
use crate::hashed::HashedMap;

/// The page, the hashes of its words in order, and what its tags tell. What elements carry beside text is read only where it is asked for.
pub(super) fn read_off(tree: Tree, html: &str, with_carried: bool) -> Parsed {
    let mut reader = Reader { starts: line_starts(html), with_carried, ..Reader::default() };
    reader.page.lines = line_hashes(html, &reader.starts);
    reader.page.line_bytes = ends(html, &reader.starts).zip(&reader.starts).map(|(end, start)| end - start).collect();
    reader.page.text.reserve(tree.text.len());
    reader.words.reserve(tree.text.len() / 8);
    let mut walk = tree.walk();
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(element, first) if element.is_title() => {
                reader.title(&tree, first);
                walk.pass_by();
            }
            // The parts around a script stay apart only if something else parts them.
            Step::Enter(element, first) if element.is_passed_by() => {
                reader.script(&tree, element, first);
                walk.pass_by();
            }
            Step::Enter(element, _) if element.invisible || reader.hidden > 0 => reader.enter_hidden(element),
            Step::Enter(element, _) => reader.enter(element),
            Step::Leave if reader.hidden > 0 => reader.leave_hidden(),
            Step::Leave => reader.leave(),
            Step::Text(first) if reader.hidden > 0 => reader.hidden_text(&tree, first),
            Step::Text(first) => reader.text(&tree, first),
            Step::Other => {}
        }
    }
    let Reader { page, words, said, carried, .. } = reader;
    Parsed { page, words, said, flattened: tree.flattened, carried }
}

/// What is known of elements that look the same.
#[derive(Clone, Copy)]
struct Known {
    sign: u32,
    block: bool,
}

#[derive(Default)]
struct Reader {
    page: Page,
    words: Vec<u64>,
    /// Elements entered and not left: number and whether it is a block.
    open: Vec<(u32, bool)>,
    /// Signs by their hash.
    signs: HashedMap<Known>,
    scratch: String,
    nodes: u32,
    /// What has been seen since the last piece.
    join: Option<Join>,
    starts: Vec<u32>,
    line: usize,
    with_carried: bool,
    carried: Vec<Carried>,
    said: Said,
    /// Marks of elements that are entered and not left, with how deep these are.
    open_marks: Vec<(usize, u32)>,
    /// Elements around this place that are not shown. What they tell is heard, and nothing else of them is the page's.
    hidden: usize,
}

impl Reader {
    /// A script that is data.
    fn script(&mut self, tree: &Tree, element: &Tagged, first: u32) {
        let Some(said) = &element.said else { return };
        let Some(Kind::Text { first, .. }) = tree.nodes.get(first as usize).map(|node| &node.kind) else { return };
        let text = runs(tree, *first).map(|run| run_text(tree, run)).collect();
        let line = self.line_of(said.0) + 1;
        self.said.scripts.push(Script { text, line });
    }

    fn mark(&mut self, element: &Tagged) {
        let Some(said) = &element.said else { return };
        let number = self.said.marks.len() as u32;
        let is_shown = self.hidden == 0;
        let line = self.line_of(said.0) + 1;
        self.said.marks.push(Mark {
            tag: element.tag.clone(),
            attributes: said.1.clone(),
            line,
            end: number + 1,
            element: is_shown.then(|| self.page.elements.len() as u32 - 1),
            hidden_text: String::new(),
        });
        self.open_marks.push((self.open.len() + self.hidden, number));
    }

    /// Ends the mark of the element that is left now.
    fn unmark(&mut self) {
        if let Some(&(depth, number)) = self.open_marks.last()
            && depth == self.open.len() + self.hidden
        {
            self.open_marks.pop();
            self.said.marks[number as usize].end = self.said.marks.len() as u32;
        }
    }

    fn enter_hidden(&mut self, element: &Tagged) {
        self.hidden += 1;
        self.mark(element);
    }

    fn leave_hidden(&mut self) {
        self.unmark();
        self.hidden -= 1;
    }

    fn hidden_text(&mut self, tree: &Tree, first: u32) {
        // That of elements around the one that is hidden is not: they have a text of their own.
        for &(_, number) in &self.open_marks {
            let mark = &mut self.said.marks[number as usize];
            if mark.element.is_none() {
                mark.add_hidden(runs(tree, first).map(|run| run_text(tree, run)));
            }
        }
    }

    fn part(&mut self, join: Join) {
        self.join = self.join.max(Some(join));
    }

    fn enter(&mut self, element: &Tagged) {
        let number = self.page.elements.len() as u32;
        let Known { sign, block } = self.sign(element);
        if block {
            self.part(Join::Break);
        }
        let pieces = self.page.pieces.len() as u32;
        let parent = self.open.last().map_or(number, |&(parent, _)| parent);
        self.page.elements.push(Element { parent, sign, end: number + 1, first_piece: pieces, end_piece: pieces });
        self.open.push((number, block));
        self.mark(element);
        if let Some(href) = &element.href
            && is_link(&element.tag)
        {
            let href = self.page.hrefs.push(href);
            self.page.links.push(Link { element: number, href });
        }
        if let Some((name, value)) = &element.carried
            && self.with_carried
        {
            self.carried.push(Carried { element: number, name: name.to_string(), value: value.to_string() });
        }
    }

    fn leave(&mut self) {
        self.unmark();
        let Some((number, block)) = self.open.pop() else { return };
        let end = self.page.elements.len() as u32;
        let element = &mut self.page.elements[number as usize];
        element.end = end;
        element.end_piece = self.page.pieces.len() as u32;
        if block {
            self.part(Join::Break);
        }
    }

    fn sign(&mut self, element: &Tagged) -> Known {
        let key = &mut self.scratch;
        key.clear();
        key.push_str(&element.tag);
        key.push(Sign::SEPARATOR);
        fold_into(key, element.id.as_deref().unwrap_or_default());
        key.push(Sign::SEPARATOR);
        fold_into(key, element.class.as_deref().unwrap_or_default());
        let hash = xxh3_64(key.as_bytes());
        match self.signs.get(&hash) {
            // Should two signs meet in one hash, the later is written again wherever it occurs.
            Some(&known) if self.page.signs.get(known.sign) == key => known,
            _ => {
                let known = Known { sign: self.page.signs.push(key), block: tags::is_block(&element.tag) };
                self.signs.insert(hash, known);
                known
            }
        }
    }

    fn title(&mut self, tree: &Tree, first: u32) {
        if !self.page.title.is_empty() || first == NONE {
            return;
        }
        let Kind::Text { first, .. } = tree.nodes[first as usize].kind else { return };
        let text: String = runs(tree, first).map(|run| run_text(tree, run)).collect();
        fold_into(&mut self.page.title, &text);
    }

    fn text(&mut self, tree: &Tree, first: u32) {
        let node = self.nodes;
        self.nodes += 1;
        for run in runs(tree, first) {
            self.piece(node, run_text(tree, run), run);
        }
    }

    fn piece(&mut self, node: u32, text: &str, run: &Run) {
        if text.starts_with(char::is_whitespace) {
            self.part(Join::Space);
        }
        let before = self.page.text.len();
        fold_into(&mut self.page.text, text);
        if self.page.text.len() == before {
            return;
        }
        let mut words = Sequence::default();
        word_hashes(&self.page.text[before..], |word| {
            words.push(word);
            self.words.push(word);
        });
        let line = self.line_of(run.source.start);
        let join = self.join.take().unwrap_or(Join::Glued);
        // Text outside any element does not occur: html5ever opens `html` and `body` for it.
        let element = self.open.last().map_or(0, |&(element, _)| element);
        self.page.pieces.push(Piece {
            element,
            node,
            line,
            start: run.source.start,
            end: run.source.end,
            join,
            words,
            text_end: self.page.text.len() as u32,
        });
        if text.ends_with(char::is_whitespace) {
            self.part(Join::Space);
        }
    }

    /// The line a byte is on. Pieces come almost in order, so the search starts where the last one ended.
    fn line_of(&mut self, position: u32) -> u32 {
        let ahead = self.starts.get(self.line).is_some_and(|&start| start <= position);
        if !ahead {
            self.line = self.starts.partition_point(|&start| start <= position).saturating_sub(1);
        }
        while self.starts.get(self.line + 1).is_some_and(|&start| start <= position) {
            self.line += 1;
        }
        self.line as u32
    }
}

fn runs(tree: &Tree, first: u32) -> impl Iterator<Item = &Run> {
    let mut next = first;
    std::iter::from_fn(move || {
        let run = tree.runs.get(next as usize)?;
        next = run.next;
        Some(run)
    })
}

fn run_text<'t>(tree: &'t Tree, run: &Run) -> &'t str {
    &tree.text[run.text.start as usize..run.text.end as usize]
}

fn is_link(tag: &LocalName) -> bool {
    matches!(*tag, local_name!("a") | local_name!("area"))
}

/// Appends text with white space folded to single spaces, none at the ends.
fn fold_into(out: &mut String, text: &str) {
    let trimmed = text.trim_ascii();
    if is_folded(trimmed.as_bytes()) {
        return out.push_str(trimmed);
    }
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return };
    out.push_str(first);
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// Whether text is surely as it should be. Most is, and this is quick to see where it is ASCII.
fn is_folded(text: &[u8]) -> bool {
    let mut last = b' ';
    text.iter().all(|&byte| {
        let fine = byte.is_ascii_graphic() || (byte == b' ' && last != b' ');
        last = byte;
        fine
    })
}

/// Where each line starts. A line ends at LF, CR LF or CR.
fn line_starts(html: &str) -> Vec<u32> {
    let bytes = html.as_bytes();
    let mut starts = vec![0];
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            continue;
        }
        starts.push(at as u32 + 1);
    }
    starts
}

fn line_hashes(html: &str, starts: &[u32]) -> Vec<u64> {
    let bytes = html.as_bytes();
    starts
        .iter()
        .zip(ends(html, starts))
        .map(|(&start, end)| {
            let line = &bytes[start as usize..end as usize];
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            xxh3_64(line.strip_suffix(b"\r").unwrap_or(line))
        })
        .collect()
}

/// Where each line ends: where the next one starts.
fn ends(html: &str, starts: &[u32]) -> impl Iterator<Item = u32> {
    starts[1..].iter().copied().chain([html.len() as u32])
}
