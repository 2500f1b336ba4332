//! Masks for people: a page's text with what is dropped and why, and the page itself with it shaded.

use std::fmt::Write;

use super::{Mark, Mask, Reason};
use unhusk_pages::parse::{Join, Page};

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

/// Shades there are: one for each of the first reasons, the last for all others.
pub const SHADES: usize = 7;

/// What stands in front of a shaded page: nothing in it may run, and nothing may hide the shade.
const HEAD: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">\
<style>.unhusk-dropped{color:#4a4a4a!important;text-decoration:line-through 1px #888!important;background:#dfdfdc!important}\
.unhusk-why-0{background:#f3d3c4!important}.unhusk-why-1{background:#d6def2!important}.unhusk-why-2{background:#d8ead3!important}\
.unhusk-why-3{background:#efd9ee!important}.unhusk-why-4{background:#f4e6b3!important}.unhusk-why-5{background:#cfe8ea!important}</style>";

/// The page's own HTML, as it was decoded, with the dropped pieces shaded by reason; the reason shows when pointed at.
pub fn shade(html: &str, page: &Page, mask: &Mask) -> String {
    let mut reasons: Vec<(Reason, String)> = Vec::new();
    for reason in (0..page.piece_count()).filter_map(|piece| dropped(mask, piece)) {
        if !reasons.iter().any(|(known, _)| *known == reason) {
            reasons.push((reason, reason.to_string()));
        }
    }
    shade_by(html, page, |piece| {
        let reason = dropped(mask, piece)?;
        let number = reasons.iter().position(|(known, _)| *known == reason)?;
        Some((number, reasons[number].1.as_str()))
    })
}

/// The page's own HTML with the dropped pieces shaded, by whatever says for which reason, by number and in words, a piece
/// is dropped.
pub fn shade_by<'r>(html: &str, page: &Page, dropped: impl Fn(usize) -> Option<(usize, &'r str)>) -> String {
    let mut dropped: Vec<(usize, usize, (usize, &str))> = page
        .pieces()
        .filter_map(|view| {
            dropped(view.number).map(|reason| (view.piece.start as usize, view.piece.end as usize, reason))
        })
        .collect();
    // The parser moves misplaced text; in the source it comes in the source's order.
    dropped.sort_by_key(|&(start, end, _)| (start, end));
    let mut shaded = String::with_capacity(html.len() * 2);
    let mut at = 0;
    for (start, end, (number, reason)) in dropped {
        let Some((before, inside)) = html.get(at..start).zip(html.get(start..end)) else { continue };
        shaded.push_str(before);
        let (shade, reason) = (number.min(SHADES - 1), in_attribute(reason));
        let _ = write!(shaded, "<span class=\"unhusk-dropped unhusk-why-{shade}\" title=\"{reason}\">{inside}</span>");
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
    use unhusk_pages::parse::parse_html;

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
