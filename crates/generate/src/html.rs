//! Writes HTML and remembers, for each piece of text, where it went and what it is.

use super::marks::{Marks, Part, Piece, TemplateTable};

/// A page in the making.
#[derive(Debug)]
pub(super) struct Html {
    out: String,
    pieces: Vec<Piece>,
    tables: Vec<TemplateTable>,
    /// The text of the template table that is open.
    table: Option<TemplateTable>,
    /// Whether the last thing written was text, so that more of the same part continues the piece.
    in_text: bool,
    minified: bool,
}

impl Html {
    pub(super) fn new(minified: bool) -> Self {
        let out = String::with_capacity(12 * 1024);
        Html { out, pieces: Vec::with_capacity(160), tables: Vec::new(), table: None, in_text: false, minified }
    }

    /// The page, its marks and the texts of its template tables.
    pub(super) fn finish(self) -> (String, Marks, Vec<TemplateTable>) {
        (self.out, Marks { pieces: self.pieces }, self.tables)
    }

    /// Markup, or white space, as it is.
    pub(super) fn tag(&mut self, markup: &str) -> &mut Self {
        self.out.push_str(markup);
        self.in_text = false;
        self
    }

    /// A line of markup.
    pub(super) fn line(&mut self, markup: &str) -> &mut Self {
        self.tag(markup).end_line()
    }

    /// Ends the source line, unless the page is minified.
    pub(super) fn end_line(&mut self) -> &mut Self {
        if !self.minified {
            self.tag("\n");
        }
        self
    }

    /// Text between tags.
    pub(super) fn text(&mut self, part: Part, text: &str) -> &mut Self {
        let words = text.trim();
        if words.is_empty() {
            return self.tag(text);
        }
        let lead = text.len() - text.trim_start().len();
        self.out.push_str(&text[..lead]);
        let start = self.out.len();
        escape(words, &mut self.out);
        self.mark(part, start, words, false);
        self.out.push_str(&text[lead + words.len()..]);
        self
    }

    /// An element that holds nothing but text; `open` is its start tag without the brackets.
    pub(super) fn element(&mut self, open: &str, part: Part, text: &str) -> &mut Self {
        let name = open.split(' ').next().unwrap_or(open);
        self.tag("<").tag(open).tag(">").text(part, text).tag("</").tag(name).tag(">")
    }

    /// A link.
    pub(super) fn link(&mut self, part: Part, href: &str, text: &str) -> &mut Self {
        self.tag("<a href=\"").tag(href).tag("\">").text(part, text).tag("</a>")
    }

    /// An `alt` attribute.
    pub(super) fn alt(&mut self, part: Part, text: &str) -> &mut Self {
        self.tag(" alt=\"");
        let start = self.out.len();
        escape(text, &mut self.out);
        self.mark(part, start, text, true);
        self.tag("\"")
    }

    /// Runs `write` and remembers the text it wrote as that of a template table or image map.
    pub(super) fn template_table(&mut self, element: &'static str, write: impl FnOnce(&mut Self)) {
        self.table = Some(TemplateTable { element, text: String::new() });
        write(self);
        self.tables.extend(self.table.take());
    }

    fn mark(&mut self, part: Part, start: usize, text: &str, attribute: bool) {
        if let Some(TemplateTable { text: table, .. }) = &mut self.table {
            if !table.is_empty() {
                table.push(' ');
            }
            table.push_str(text);
        }
        let end = self.out.len();
        match self.pieces.last_mut() {
            Some(last) if self.in_text && last.part == part => last.end = end,
            _ => self.pieces.push(Piece { part, start, end, attribute }),
        }
        self.in_text = !attribute;
    }
}

fn escape(text: &str, out: &mut String) {
    if !text.contains(['&', '<', '>', '"', '©', '\u{a0}']) {
        return out.push_str(text);
    }
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '©' => out.push_str("&copy;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_one_part_is_one_piece_and_its_edges_are_trimmed() {
        let mut html = Html::new(false);
        html.tag("<p>")
            .text(Part::Label, "By ")
            .text(Part::Byline, "Ann")
            .text(Part::Byline, ", Port & Co ")
            .tag("</p>");
        let (html, marks, _) = html.finish();
        assert_eq!(html, "<p>By Ann, Port &amp; Co </p>");
        let runs: Vec<&str> = marks.pieces.iter().map(|p| &html[p.start..p.end]).collect();
        assert_eq!(runs, ["By", "Ann, Port &amp; Co"]);
    }

    #[test]
    fn a_template_table_is_remembered_with_its_plain_text() {
        let mut html = Html::new(true);
        html.template_table("table", |h| {
            h.tag("<table><tr>")
                .element("td align=\"left\"", Part::Footer, "© 2003")
                .element("td", Part::Footer, "a > b")
                .tag("</tr></table>");
        });
        let (html, _, tables) = html.finish();
        assert!(html.starts_with("<table><tr><td align=\"left\">&copy; 2003</td><td>a &gt; b</td>"));
        assert_eq!(tables, [TemplateTable { element: "table", text: "© 2003 a > b".to_owned() }]);
    }
}
