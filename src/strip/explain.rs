//! Masks for people: a page's text with what is dropped and why, and the page itself with it shaded.

use std::fmt::Write;

use super::{Mark, Mask, Reason};
use crate::parse::{Join, Page};

/// A stretch of text with one mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch<R = Reason> {
    /// What stands between the stretch before and this one.
    pub join: Join,
    /// The text, pieces joined as a reader sees them.
    pub text: String,
    /// Why it is dropped; none where it is kept.
    pub reason: Option<R>,
}

/// The page's text in stretches: a new one wherever the mark changes.
pub fn stretches(page: &Page, mask: &Mask) -> Vec<Stretch> {
    stretches_by(page, |piece| dropped(mask, piece))
}

fn dropped(mask: &Mask, piece: usize) -> Option<Reason> {
    match mask.marks()[piece] {
        Mark::Kept => None,
        Mark::Dropped(reason) => Some(reason),
    }
}

/// The page's text in stretches, by whatever says why a piece is dropped.
pub fn stretches_by<R: PartialEq>(page: &Page, dropped: impl Fn(usize) -> Option<R>) -> Vec<Stretch<R>> {
    let mut stretches: Vec<Stretch<R>> = Vec::new();
    for view in page.pieces() {
        let reason = dropped(view.number);
        match stretches.last_mut() {
            Some(last) if last.reason == reason => {
                last.text.push_str(view.piece.join.as_str());
                last.text.push_str(view.text);
            }
            _ => stretches.push(Stretch { join: view.piece.join, text: view.text.to_owned(), reason }),
        }
    }
    stretches
}

/// The page's text, line by line: what is kept as it is, what is dropped behind a `-`, with the reason in front.
pub fn explain(page: &Page, mask: &Mask) -> String {
    let mut text = String::new();
    for Stretch { text: stretch, reason, .. } in stretches(page, mask) {
        if let Some(reason) = reason {
            // Writing to a string does not fail.
            let _ = writeln!(text, "# dropped: {reason}");
        }
        let sign = if reason.is_some() { "- " } else { "  " };
        for line in stretch.lines() {
            let _ = writeln!(text, "{sign}{line}");
        }
    }
    text
}

/// What stands in front of a shaded page: nothing in it may run, and nothing may hide the shade.
const HEAD: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">\
<style>.unhusk-dropped{background:#f4b6b6!important;color:#7a1010!important;text-decoration:line-through!important}</style>";

/// The page's own HTML, as it was decoded, with the dropped pieces shaded; the reason shows when pointed at.
pub fn shade(html: &str, page: &Page, mask: &Mask) -> String {
    shade_by(html, page, |piece| dropped(mask, piece).map(|reason| reason.to_string()))
}

/// The page's own HTML with the dropped pieces shaded, by whatever says why a piece is dropped.
pub fn shade_by(html: &str, page: &Page, dropped: impl Fn(usize) -> Option<String>) -> String {
    let mut dropped: Vec<(usize, usize, String)> = page
        .pieces()
        .filter_map(|view| {
            dropped(view.number).map(|reason| (view.piece.start as usize, view.piece.end as usize, reason))
        })
        .collect();
    // The parser moves misplaced text; in the source it comes in the source's order.
    dropped.sort_by_key(|&(start, end, _)| (start, end));
    let mut shaded = String::with_capacity(html.len() * 2);
    let mut at = 0;
    for (start, end, reason) in dropped {
        let Some((before, inside)) = html.get(at..start).zip(html.get(start..end)) else { continue };
        shaded.push_str(before);
        let _ = write!(shaded, "<span class=\"unhusk-dropped\" title=\"{}\">{inside}</span>", in_attribute(&reason));
        at = end;
    }
    shaded.push_str(&html[at..]);
    let place = head_end(&shaded);
    shaded.insert_str(place, HEAD);
    shaded
}

fn in_attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Behind the `head` tag, where the page has one; in front of everything would turn off its standards mode.
fn head_end(html: &str) -> usize {
    let lower = html[..html.floor_char_boundary(4096)].to_ascii_lowercase();
    for tag in ["<head", "<html", "<!doctype"] {
        let Some(start) = lower.find(tag) else { continue };
        if let Some(end) = lower[start..].find('>') {
            return start + end + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_html;

    const REASON: Reason = Reason::Chunk { pages: 5, of: 6, threshold: 4 };

    fn example() -> (&'static str, Page, Mask) {
        let html = "<!doctype html><head><title>T</title></head><nav>Home &amp; away</nav><p>Story</p>";
        let page = parse_html(html);
        let mut mask = Mask::keep_all(page.piece_count());
        mask.drop(0..1, REASON);
        (html, page, mask)
    }

    #[test]
    fn dropped_lines_stand_behind_a_minus_with_the_reason() {
        let (_, page, mask) = example();
        let expected = "# dropped: this chunk is on 5 of 6 pages, and 4 make a template\n- Home & away\n  Story\n";
        assert_eq!(explain(&page, &mask), expected);
    }

    #[test]
    fn the_page_itself_is_shaded_and_cannot_run_scripts() {
        let (html, page, mask) = example();
        let shaded = shade(html, &page, &mask);
        assert!(shaded.starts_with("<!doctype html><head><meta http-equiv"), "{shaded}");
        assert!(
            shaded.contains(
                "title=\"this chunk is on 5 of 6 pages, and 4 make a template\">Home &amp; away</span></nav>"
            )
        );
        assert!(shaded.contains("<p>Story</p>"));
        assert_eq!(parse_html(&shaded).text_where(|_| true), page.text_where(|_| true));
    }
}
