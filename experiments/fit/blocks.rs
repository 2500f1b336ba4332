//! Prints what the trees of `auto` are fitted on: a line for each block of a site's pages that is not template.
//!
//!     cargo run --release --example blocks -- FOLDER > blocks.tsv

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use unhusk::parse::{charset, parse_html};
use unhusk::spool::{Encoded, PageNo, SpoolWriter};
use unhusk::strip::auto::Auto;
use unhusk::strip::{Means, Pages};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder of pages")?);
    let scratch = tempfile::tempdir()?;
    let mut spool = SpoolWriter::create(&scratch.path().join("pages"))?;
    let files = pages(&folder)?;
    for file in &files {
        let mut page = parse_html(&charset::decode(&fs::read(file)?, None).text);
        page.id = file.strip_prefix(&folder)?.to_string_lossy().replace(' ', "%20");
        page.url.clone_from(&page.id);
        spool.append(&Encoded::new(&page)?)?;
    }
    let spool = spool.finish()?;
    let numbers = (0..files.len() as u32).map(PageNo).collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    Auto::default().observe(&Pages::new(&spool, numbers), Means { threads: 1, scratch: scratch.path() }, &mut out)?;
    Ok(out.flush()?)
}

/// The HTML files in a folder and the folders inside it, in order.
fn pages(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_page = path.extension().is_some_and(|ending| {
            ["html", "htm", "xhtml", "shtml"].iter().any(|known| ending.eq_ignore_ascii_case(known))
        });
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if is_page {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
