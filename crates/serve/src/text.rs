//! Foreign text on its way into a page. Templates escape it; here is what escaping does not do.

use url::form_urlencoded::Serializer;

/// Characters of a title that are shown.
const TITLE: usize = 200;

/// Text without characters that change how what is around them is shown: controls, and marks that turn the direction of
/// writing round. Those that only hint at a direction stay; elements around foreign text keep them inside.
pub(super) fn tame(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|&c| c == '\n' || !(c.is_control() || turns(c))).collect()
}

/// The first characters of a text on one line.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let text = tame(text).replace('\n', " ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A title for people, or what else the page is called.
pub(super) fn title(title: &str, id: &str) -> String {
    shortened(if title.trim().is_empty() { id } else { title }, TITLE)
}

/// The address of a page on the web; none where it is something else, which a link must not lead to.
pub(super) fn outside(url: &str) -> Option<String> {
    let known = ["http://", "https://"];
    let starts = |scheme: &&str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    known.iter().any(starts).then(|| url.to_owned())
}

/// An address of this server; parameters that are empty are left out.
pub(super) fn address(path: &str, params: &[(&str, &str)]) -> String {
    let mut query = Serializer::new(String::new());
    query.extend_pairs(params.iter().filter(|(_, value)| !value.is_empty()));
    match query.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// A stretch of a snippet, found or around what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fragment {
    pub(super) text: String,
    pub(super) found: bool,
}

/// A snippet cut where found words begin and end.
pub(super) fn fragments(snippet: &str, highlights: &[(usize, usize)]) -> Vec<Fragment> {
    let mut fragments = Vec::new();
    let mut push = |text: Option<&str>, found| {
        let text = tame(text.unwrap_or_default()).replace('\n', " ");
        if !text.is_empty() {
            fragments.push(Fragment { text, found });
        }
    };
    let mut at = 0;
    for &(start, end) in highlights {
        push(snippet.get(at..start), false);
        push(snippet.get(start..end), true);
        at = end;
    }
    push(snippet.get(at..), false);
    fragments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_turn_writing_round_are_left_out_and_hints_stay() {
        assert_eq!(tame("a\u{202E}b\u{2066}c\u{200F}d\u{7}\ne"), "abc\u{200F}d\ne");
    }

    #[test]
    fn an_enormous_title_is_cut_between_characters() {
        let title = title(&"é".repeat(100_000), "id");
        assert_eq!(title.chars().count(), TITLE + 1);
        assert_eq!(super::title("  ", "id"), "id");
    }

    #[test]
    fn links_lead_to_the_web_only() {
        assert_eq!(outside("HTTPS://x.org/").as_deref(), Some("HTTPS://x.org/"));
        for bad in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "a/b.html", "é"] {
            assert_eq!(outside(bad), None);
        }
    }

    #[test]
    fn an_address_is_escaped_and_leaves_out_what_is_empty() {
        assert_eq!(address("/", &[("q", "a&b c"), ("dir", "")]), "/?q=a%26b+c");
        assert_eq!(address("/", &[("q", "")]), "/");
    }

    #[test]
    fn a_snippet_is_cut_at_its_highlights() {
        let cut = fragments("the tide rose", &[(4, 8)]);
        assert_eq!(
            cut.iter().map(|f| (f.text.as_str(), f.found)).collect::<Vec<_>>(),
            [("the ", false), ("tide", true), (" rose", false)]
        );
    }
}
