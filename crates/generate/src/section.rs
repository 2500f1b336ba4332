//! A section and its template: the words and the variant of layout that all of its pages share.

use super::Style;
use super::records::Theme;
use super::words::{MENU, SECTIONS, Vocabulary, mix};
use unhusk_pages::random::Rng;

/// One section of a site.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: String,
    /// Its folder.
    pub(super) path: String,
    /// Laid out with block elements, else with nested tables.
    pub(super) block: bool,
    /// Each page in one source line.
    pub(super) minified: bool,
    /// Whether the menu stands before the content.
    pub(super) menu_first: bool,
    /// Whether date and counter stand in the footer itself, else beside it.
    pub(super) counter_in_footer: bool,
    /// What stands between breadcrumbs.
    pub(super) separator: &'static str,
    /// Colour and class of its frame.
    pub(super) colour: &'static str,
    pub(super) class: &'static str,
    /// The section's own menu.
    pub(super) menu: Vec<&'static str>,
    pub(super) promos: Vec<(&'static str, String)>,
    pub(super) legal: Vec<String>,
    pub(super) authors: Vec<String>,
}

/// Draws the sections of a site; the last is the directory, where there is one.
pub(super) fn draw(
    seed: u64,
    style: Style,
    count: usize,
    directory: Option<Theme>,
    promos: usize,
    vocabulary: &Vocabulary,
) -> Vec<Section> {
    let mut rng = Rng::new(mix(seed, 40, 0));
    let mut names = SECTIONS.to_vec();
    rng.shuffle(&mut names);
    names.truncate(count);
    if let (Some(theme), Some(last)) = (directory, names.last_mut()) {
        *last = theme.section;
    }
    let others: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let section = |(number, name): (usize, &&str)| {
        let mut rng = Rng::new(mix(seed, 41, number as u64));
        let mut menu = MENU.to_vec();
        rng.shuffle(&mut menu);
        menu.truncate(8 + rng.below(5));
        // A directory's menu lists the kinds: values of its records that stand in its template as well.
        if let Some(theme) = directory.filter(|theme| theme.section == *name) {
            menu.splice(..menu.len().min(4), theme.kinds());
        }
        let mut neighbours: Vec<&str> =
            others.iter().map(String::as_str).filter(|other| *other != name.to_lowercase()).collect();
        rng.shuffle(&mut neighbours);
        let neighbours = [neighbours[0], neighbours[1]];
        Section {
            name: (*name).to_owned(),
            path: name.to_lowercase(),
            block: match style {
                Style::Table => false,
                Style::Block => true,
                Style::Mixed => number % 2 == 1,
            },
            minified: number == count / 2,
            menu_first: rng.below(3) > 0,
            counter_in_footer: rng.below(2) == 0,
            separator: [" > ", " / ", " : ", " | "][rng.below(4)],
            colour: ["#336699", "#993333", "#2f6f4f", "#666633", "#553377"][rng.below(5)],
            class: ["pg", "site", "v2", "main", "std"][rng.below(5)],
            menu,
            promos: draw_promos(&mut rng, name, neighbours, promos),
            legal: draw_legal(&mut rng, name, neighbours),
            authors: (0..12).map(|_| vocabulary.person(&mut rng, 200)).collect(),
        }
    };
    names.iter().enumerate().map(section).collect()
}

fn draw_promos(rng: &mut Rng, name: &str, [one, two]: [&str; 2], count: usize) -> Vec<(&'static str, String)> {
    let name = name.to_lowercase();
    let mut promos = vec![
        (
            "The morning letter",
            format!(
                "All the news on {one}, {two} and {name} in one letter, every morning at seven. Free of charge, and you can leave it at any time."
            ),
        ),
        (
            "Write for us",
            format!(
                "Do you know something about {name} that our readers should know? Send it to the editors. We pay for pictures and for stories that we print."
            ),
        ),
        (
            "On the air",
            format!(
                "Listen to our programme on {two} and {name}, each Thursday evening, with guests and your calls. Earlier programmes are in the archive."
            ),
        ),
        (
            "Special offer",
            format!(
                "Subscribe now and read the first three months at half the price. Members get the {one} guide and the {two} calendar as well."
            ),
        ),
        (
            "Have your say",
            format!(
                "Is there too much {one} in the news, or too little? Vote in this week's survey and see what other readers of our {name} pages think."
            ),
        ),
        (
            "Our shop",
            format!(
                "Maps, calendars and books on {two}, {one} and {name}: order before noon and the parcel leaves on the same day."
            ),
        ),
    ];
    rng.shuffle(&mut promos);
    promos.truncate(count);
    promos
}

fn draw_legal(rng: &mut Rng, name: &str, [one, _]: [&str; 2]) -> Vec<String> {
    let name = name.to_lowercase();
    let mut legal = vec![
        "All rights reserved. No part of these pages may be copied or stored without permission in writing.".to_owned(),
        format!("The editors take care that reports on {name} and {one} are right but accept no liability for errors."),
        "Prices and times are given without guarantee. Terms of use and privacy rules apply to every visit.".to_owned(),
        format!(
            "Questions about {name}? Write to the editors or call the service desk on working days from nine to five."
        ),
    ];
    rng.shuffle(&mut legal);
    legal.truncate(3);
    legal
}
