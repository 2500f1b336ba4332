//! Printing: tables, JSON, and text that comes from pages.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle, presets};
use serde::Serialize;

/// Writes one JSON document to standard output.
pub(super) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(value).context("cannot write JSON")?;
    text.push('\n');
    print(&text)
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Whether the reader of our output has gone: no error, there is just nobody to print for.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// A table without lines: names on the left, what belongs to them on the right.
pub(super) fn pairs(rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    for (name, value) in rows {
        table.add_row([name, value]);
    }
    trim_lines(&table.to_string())
}

/// A line below the heading, and no other.
const HEADED: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table with a heading.
pub(super) fn grid(heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(HEADED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(heading);
    for row in rows {
        table.add_row(row);
    }
    trim_lines(&table.to_string())
}

fn trim_lines(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Text from a page, safe for a terminal: control characters and those that turn the direction of writing are
/// spelled out, so that a page cannot move the cursor or hide what it says.
pub(super) fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => safe.push(c),
            '\t' => safe.push(' '),
            c if c.is_control() || is_directional(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

fn is_directional(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether words may be set off by terminal codes.
pub(super) fn is_colourful() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(printable("a\u{1b}[31mb\r\u{202e}\u{9b}c\td"), "a\\u{1b}[31mb\\u{d}\\u{202e}\\u{9b}c d");
    }
}
