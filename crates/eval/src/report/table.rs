//! A table, written once for the terminal, Markdown and HTML.

use comfy_table::{CellAlignment, ContentArrangement, Table as Drawn, presets};

use super::html::escape;

/// A table: the first column names things, the others are figures and stand to the right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it shows, as a heading; empty where what is around the table says it.
    pub title: String,
    /// The names of the columns, for a terminal in several lines where they are long.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows yet.
    pub fn new<T: Into<String>>(title: impl Into<String>, head: impl IntoIterator<Item = T>) -> Self {
        Self { title: title.into(), head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// For a terminal: title, head, a line, rows.
    pub fn terminal(&self) -> String {
        let drawn = self.drawn(presets::NOTHING);
        let width = drawn.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0);
        let head = self.head.iter().map(|name| name.lines().count()).max().unwrap_or(1);
        let mut text = if self.title.is_empty() { String::new() } else { format!("{}\n\n", self.title) };
        for (at, line) in drawn.lines().enumerate() {
            if at == head {
                text += &format!(" {}\n", "─".repeat(width.saturating_sub(1)));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    /// For a Markdown file: title and table.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|---|{}\n", "--:|".repeat(self.head.len().saturating_sub(1)));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("### {}\n\n{}{rule}{rows}", self.title, line(&self.head))
    }

    /// For a web page: a table with a caption.
    pub fn html(&self) -> String {
        let cells = |row: &[String], tag: &str| -> String {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
        };
        let rows: String = self
            .rows
            .iter()
            .filter_map(|row| row.split_first())
            .map(|(name, rest)| format!("<tr><th scope=\"row\">{}</th>{}</tr>\n", escape(name), cells(rest, "td")))
            .collect();
        format!(
            "<div class=\"wide\"><table><caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
            escape(&self.title),
            cells(&self.head, "th")
        )
    }

    fn drawn(&self, style: comfy_table::TableStyle) -> String {
        let mut table = Drawn::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.head);
        for row in &self.rows {
            table.add_row(row);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> Table {
        let mut table = Table::new("Sizes", ["part", "none", "table"]);
        table.row(["postings", "1,200", "600"]);
        table.row(["a|<b>", "1", "2"]);
        table
    }

    #[test]
    fn a_terminal_sees_columns() {
        let text = sizes().terminal();
        assert!(text.starts_with("Sizes\n\n part"), "{text}");
        assert!(text.contains(" postings  1,200    600\n"), "{text}");
    }

    #[test]
    fn a_name_of_two_lines_stands_above_the_rule() {
        let mut table = Table::new("", ["part", "facts\nkept"]);
        table.row(["none", "1"]);
        assert_eq!(table.terminal(), " part  facts\n        kept\n ───────────\n none      1\n");
    }

    #[test]
    fn markdown_and_html_escape_what_would_break_them() {
        assert!(sizes().markdown().contains("| a\\|<b> | 1 | 2 |"));
        assert!(sizes().html().contains("<th scope=\"row\">a|&lt;b&gt;</th><td>1</td>"));
    }
}
