//! The templates for people: one a layout.

use std::collections::BTreeMap;

use super::find::{Layout, Layouts};
use super::paths;
use crate::strip::{LayoutListing, Pages, StripError, Template};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// A path as it stands on a page.
struct Found {
    /// Where it is on the page, so that paths are listed in the order of reading.
    place: (u32, bool, usize),
    path: String,
    /// Its text, if it is one.
    text: Option<String>,
}

/// The layouts that have a template, largest first.
pub(super) fn list(pages: &Pages<'_>, layouts: &Layouts) -> Result<Vec<Template>, StripError> {
    let with_template = layouts.layouts.iter().filter(|layout| !layout.template.is_empty());
    with_template.map(|layout| listed(pages, layout)).collect()
}

fn listed(pages: &Pages<'_>, layout: &Layout) -> Result<Template, StripError> {
    let mut by_page: BTreeMap<PageNo, HashedMap<u32>> = BTreeMap::new();
    for path in &layout.template {
        by_page.entry(path.first).or_default().insert(path.path, path.pages);
    }
    let (mut paths, mut texts, mut bytes_saved) = (Vec::new(), Vec::new(), 0);
    for (number, wanted) in by_page {
        for found in find(&pages.spool().page(number)?, &wanted) {
            let (found, on) = found;
            if let Some(text) = found.text {
                bytes_saved += text.len() as u64 * u64::from(on);
                texts.push(text);
            }
            paths.push(found.path);
        }
    }
    let id = |&page: &PageNo| Ok(pages.spool().page(page)?.id);
    let examples: Vec<String> = layout.examples.iter().map(id).collect::<Result<_, StripError>>()?;
    Ok(Template {
        text: texts.join("\n"),
        pages: layout.pages,
        times: layout.pages,
        bytes_saved,
        example: examples.first().cloned().unwrap_or_default(),
        layout: Some(LayoutListing { paths, examples }),
    })
}

/// The wanted paths of a page in the order of reading, each once, with the number that is wanted of it.
fn find(page: &Page, wanted: &HashedMap<u32>) -> Vec<(Found, u32)> {
    let elements = paths::of_elements(page);
    let mut found: HashedMap<Found> = HashedMap::default();
    for number in paths::counted(page).filter(|&number| wanted.contains_key(&elements[number])) {
        let place = (page.elements[number].first_piece, false, number);
        found.entry(elements[number]).or_insert_with(|| Found { place, path: page.path(number as u32), text: None });
    }
    for text in paths::of_texts(page, &elements).into_iter().filter(|text| wanted.contains_key(&text.path)) {
        found.entry(text.path).or_insert_with(|| {
            let words = paths::text(page, &text.pieces);
            let path = format!("{}/\"{words}\"", page.path(text.element));
            Found { place: (text.pieces.start as u32, true, text.pieces.start), path, text: Some(words) }
        });
    }
    let mut found: Vec<(Found, u32)> = found.into_iter().map(|(hash, found)| (found, wanted[&hash])).collect();
    found.sort_unstable_by_key(|(found, _)| found.place);
    found
}
