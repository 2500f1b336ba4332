//! Masks for people: a page's text with what is set aside or dropped and why, and the page itself with it shaded.

use std::fmt::Write;

use super::{Mark, Mask, Reason};
use unhusk_pages::parse::{Join, Page};

/// A stretch of text with one mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch<M = Mark> {
    /// What stands between the stretch before and this one.
    pub join: Join,
    /// The text, pieces joined as a reader sees them.
    pub text: String,
    /// Its mark.
    pub mark: M,
}

/// The page's text in stretches: a new one wherever the mark changes.
pub fn stretches(page: &Page, mask: &Mask) -> Vec<Stretch> {
    stretches_by(page, |piece| mask.marks()[piece])
}

/// The page's text in stretches, by whatever marks a piece.
pub fn stretches_by<M: PartialEq>(page: &Page, marked: impl Fn(usize) -> M) -> Vec<Stretch<M>> {
    let mut stretches: Vec<Stretch<M>> = Vec::new();
    for view in page.pieces() {
        let mark = marked(view.number);
        match stretches.last_mut() {
            Some(last) if last.mark == mark => {
                last.text.push_str(view.piece.join.as_str());
                last.text.push_str(view.text);
            }
            _ => stretches.push(Stretch { join: view.piece.join, text: view.text.to_owned(), mark }),
        }
    }
    stretches
}

/// The page's text, line by line: what is kept as it is, what is set aside behind a `~` and what is dropped behind a `-`, with the
/// reason in front.
pub fn explain(page: &Page, mask: &Mask) -> String {
    let mut text = String::new();
    for Stretch { text: stretch, mark, .. } in stretches(page, mask) {
        let sign = match mark {
            Mark::Kept => "  ",
            Mark::Aside(_) => "~ ",
            Mark::Dropped(_) => "- ",
        };
        if let Some(why) = in_words(mark) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "# {why}");
        }
        for line in stretch.lines() {
            let _ = writeln!(text, "{sign}{line}");
        }
    }
    text
}

/// What became of a piece that is not content, and why.
fn in_words(mark: Mark) -> Option<String> {
    match mark {
        Mark::Kept => None,
        Mark::Aside(reason) => Some(said(&reason, true)),
        Mark::Dropped(reason) => Some(said(&reason, false)),
    }
}

/// A reason behind what is done for it.
pub fn said(reason: &impl std::fmt::Display, is_aside: bool) -> String {
    format!("{}: {reason}", if is_aside { "set aside" } else { "dropped" })
}

/// Shades there are: one for each of the first reasons to drop something, the last for all others.
pub const SHADES: usize = 7;

/// What stands in front of a shaded page: nothing in it may run, and nothing may hide the shade.
const HEAD: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">\
<style>.unhusk-dropped{color:#4a4a4a!important;text-decoration:line-through 1px #888!important;background:#dfdfdc!important}\
.unhusk-aside{color:#333!important;text-decoration:underline dotted 2px #7a6a00!important;background:#fdf6d2!important}\
.unhusk-why-0{background:#f3d3c4!important}.unhusk-why-1{background:#d6def2!important}.unhusk-why-2{background:#d8ead3!important}\
.unhusk-why-3{background:#efd9ee!important}.unhusk-why-4{background:#f4e6b3!important}.unhusk-why-5{background:#cfe8ea!important}</style>";

/// How a piece that is not content is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// It is set aside.
    Aside,
    /// It is dropped, for the reason of this number.
    Dropped(usize),
}

impl Shade {
    /// Its classes in the style sheet of `HEAD`.
    fn class(self) -> String {
        match self {
            Shade::Aside => "unhusk-aside".to_owned(),
            Shade::Dropped(number) => format!("unhusk-dropped unhusk-why-{}", number.min(SHADES - 1)),
        }
    }
}

/// The page's own HTML, as it was decoded, with the pieces that are not content shaded: what is set aside in one way, what is dropped by
/// reason. The reason shows when pointed at.
pub fn shade(html: &str, page: &Page, mask: &Mask) -> String {
    let mut reasons: Vec<Reason> = Vec::new();
    for mark in mask.marks() {
        if let Mark::Dropped(reason) = mark
            && !reasons.contains(reason)
        {
            reasons.push(*reason);
        }
    }
    shade_by(html, page, |piece| {
        let mark = mask.marks()[piece];
        let shade = match mark {
            Mark::Kept => return None,
            Mark::Aside(_) => Shade::Aside,
            Mark::Dropped(reason) => Shade::Dropped(reasons.iter().position(|known| *known == reason)?),
        };
        Some((shade, in_words(mark)?))
    })
}

/// The page's own HTML with pieces shaded, by whatever says how and with which words.
pub fn shade_by(html: &str, page: &Page, shaded: impl Fn(usize) -> Option<(Shade, String)>) -> String {
    let mut pieces: Vec<(usize, usize, (Shade, String))> = page
        .pieces()
        .filter_map(|view| shaded(view.number).map(|shade| (view.piece.start as usize, view.piece.end as usize, shade)))
        .collect();
    // The parser moves misplaced text; in the source it comes in the source's order.
    pieces.sort_by_key(|&(start, end, _)| (start, end));
    let mut shaded = String::with_capacity(html.len() * 2);
    let mut at = 0;
    for (start, end, (shade, why)) in pieces {
        let Some((before, inside)) = html.get(at..start).zip(html.get(start..end)) else { continue };
        shaded.push_str(before);
        let (class, why) = (shade.class(), in_attribute(&why));
        let _ = write!(shaded, "<span class=\"{class}\" title=\"{why}\">{inside}</span>");
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
        let html =
            "<!doctype html><head><title>T</title></head><nav>Home &amp; away</nav><p>Story</p><aside>More</aside>";
        let page = parse_html(html);
        let mut mask = Mask::keep_all(page.piece_count());
        mask.drop(0..1, REASON);
        mask.set_aside(2..3, Reason::Links);
        (html, page, mask)
    }

    #[test]
    fn lines_that_are_not_content_stand_behind_a_sign_with_the_reason() {
        let (_, page, mask) = example();
        let expected = "# dropped: this chunk is on 5 of 6 pages, and 4 make a template\n- Home & away\n  Story\n\
            # set aside: links make up most of it\n~ More\n";
        assert_eq!(explain(&page, &mask), expected);
    }

    #[test]
    fn the_page_itself_is_shaded_and_cannot_run_scripts() {
        let (html, page, mask) = example();
        let shaded = shade(html, &page, &mask);
        assert!(shaded.starts_with("<!doctype html><head><meta http-equiv"), "{shaded}");
        assert!(shaded.contains(
            "title=\"dropped: this chunk is on 5 of 6 pages, and 4 make a template\">Home &amp; away</span></nav>"
        ));
        assert!(shaded.contains("<p>Story</p>"));
        assert!(
            shaded.contains("<span class=\"unhusk-aside\" title=\"set aside: links make up most of it\">More</span>")
        );
        assert_eq!(parse_html(&shaded).text_where(|_| true), page.text_where(|_| true));
    }
}
