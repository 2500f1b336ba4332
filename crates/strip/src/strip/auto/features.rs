//! What is known about a block: numbers, for the trees to judge.

use super::content::{Content, Weights};
use super::names::Furniture;
use super::outline::{Block, Outline};
use super::places::{Places, Sums, share};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::Page;

/// The numbers, by name.
pub(super) const NAMES: [&str; 50] = [
    "words",
    "link_share",
    "own_share",
    "shared_share",
    "stops",
    "commas",
    "digits",
    "label",
    "heading",
    "p",
    "li",
    "cell",
    "definition",
    "pre",
    "div",
    "position",
    "title_overlap",
    "furniture",
    "control",
    "listing",
    "before_words",
    "before_links",
    "after_words",
    "after_links",
    "place_pages",
    "place_words",
    "place_links",
    "place_rarity",
    "place_distinct",
    "place_times",
    "place_prose",
    "parent_links",
    "parent_rarity",
    "parent_words",
    "parent_prose",
    "parent_here_links",
    "parent_here_blocks",
    "inside",
    "up",
    "main_up",
    "side",
    "branch_words",
    "branch_links",
    "branch_rarity",
    "branch_prose",
    "page_words",
    "site_article",
    "main_share",
    "comment",
    "labelled",
];

/// The numbers of one block.
pub(super) type Features = [f32; NAMES.len()];

/// Where nothing is known.
const UNKNOWN: f32 = -1.0;

/// What is known about the site of a page.
pub(super) struct Known<'s> {
    pub(super) places: &'s Places,
    pub(super) content: Option<&'s Content>,
    /// How much its pages are articles.
    pub(super) article: f32,
    /// Of what only a page says, the share that is in the main container, on the median page.
    pub(super) main_share: f32,
}

/// The numbers of all blocks of a page, and its main container. `sums` are those of the page, `lists` the entries of the list that each block is in.
pub(super) fn features(
    page: &Page,
    outline: &Outline,
    blocks: &[Block],
    sums: &[Sums],
    lists: &[u32],
    known: &Known<'_>,
    of_title: impl Fn(&Block) -> f32,
) -> (Vec<Features>, Option<u32>) {
    let main = known.content.and_then(|content| content.root(outline, &Weights::of(outline, blocks)));
    let way = main.map(|main| Way::to(outline, main));
    let mut names = Furniture::of(page);
    let labelled = labelled(outline, blocks);
    let total = sums.first().map_or(0.0, |sums| sums.words);
    let mut before = 0.0;
    let mut all = Vec::with_capacity(blocks.len());
    for (number, block) in blocks.iter().enumerate() {
        if block.words == 0 {
            all.push([0.0; NAMES.len()]);
            continue;
        }
        let neighbour = |at: Option<usize>| at.and_then(|at| blocks.get(at)).map_or((UNKNOWN, UNKNOWN), look);
        let (before_words, before_links) = neighbour(number.checked_sub(1));
        let (after_words, after_links) = neighbour(Some(number + 1));
        let element = block.element as usize;
        let spot = &outline.spots[element];
        let tag = page.sign(block.element).tag;
        let name = names.around(block.element, main.unwrap_or(0));
        let is = |wanted: bool| f32::from(u8::from(wanted));
        let bytes = block.writing.bytes.max(1) as f32;
        let words = block.words.max(1) as f32;
        let parent = outline.block(spot.parent) as usize;
        let place = known.places.get(spot.place);
        let around = known.places.get(outline.spots[parent].place);
        let (inside, up, main_up, side, branch) = match &way {
            Some(way) => way.position(outline, block.element),
            None => (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, None),
        };
        let branch_place = branch.and_then(|branch| known.places.get(outline.spots[branch as usize].place));
        let branch = branch.map(|branch| sums[branch as usize]);
        all.push([
            (1.0 + block.words as f32).ln(),
            block.linked as f32 / words,
            block.own as f32 / words,
            share(block.shared as f32, (block.shared + block.words) as f32),
            block.writing.stops as f32 / words,
            block.writing.commas as f32 / words,
            block.writing.digits as f32 / bytes,
            is(block.label),
            is(super::site::is_heading(outline, outline.texts[block.texts.start].element)),
            is(tag == "p"),
            is(tag == "li"),
            is(matches!(tag, "td" | "th")),
            is(matches!(tag, "dd" | "dt")),
            is(tag == "pre"),
            is(tag == "div"),
            share(before + block.words as f32 / 2.0, total),
            of_title(block),
            is(name.is_some()),
            is(super::site::is_control(outline, block)),
            (1.0 + lists[number] as f32).ln(),
            before_words,
            before_links,
            after_words,
            after_links,
            place.map_or(UNKNOWN, |place| place.pages / known.places.pages()),
            place.map_or(UNKNOWN, |place| (1.0 + place.inside.words / place.elements).ln()),
            place.map_or(UNKNOWN, |place| place.inside.link_share()),
            place.map_or(UNKNOWN, |place| place.inside.rarity()),
            place.map_or(UNKNOWN, |place| share(place.distinct, place.blocks)),
            place.map_or(UNKNOWN, |place| (1.0 + place.elements / place.pages).ln()),
            place.map_or(UNKNOWN, |place| place.inside.prose_share()),
            around.map_or(UNKNOWN, |place| place.inside.link_share()),
            around.map_or(UNKNOWN, |place| place.inside.rarity()),
            around.map_or(UNKNOWN, |place| (1.0 + place.inside.words / place.elements).ln()),
            around.map_or(UNKNOWN, |place| place.inside.prose_share()),
            sums[parent].link_share(),
            (1.0 + sums[parent].blocks).ln(),
            inside,
            up,
            main_up,
            side,
            branch.map_or(UNKNOWN, |branch| (1.0 + branch.words).ln()),
            branch.map_or(UNKNOWN, |branch| branch.link_share()),
            branch_place.map_or(UNKNOWN, |place| place.inside.rarity()),
            branch.map_or(UNKNOWN, |branch| branch.prose_share()),
            (1.0 + total).ln(),
            known.article,
            known.main_share,
            is(name == Some("comment")),
            labelled[number],
        ]);
        before += block.words as f32;
    }
    (all, main)
}

/// What a neighbour looks like.
fn look(block: &Block) -> (f32, f32) {
    ((1.0 + block.words as f32).ln(), share(block.linked as f32, block.words as f32))
}

/// The way from the root of a page to its main container.
struct Way {
    main: u32,
    /// For each element on the way, how many steps the container is below it.
    steps: HashedMap<u32>,
}

impl Way {
    fn to(outline: &Outline, main: u32) -> Self {
        let (mut steps, mut element, mut below) = (HashedMap::default(), main, 0);
        while steps.insert(u64::from(element), below).is_none() {
            element = outline.spots[element as usize].parent;
            below += 1;
        }
        Way { main, steps }
    }

    /// Where an element stands to the container: inside or not, steps up to what holds both, steps from there down to the container,
    /// before it or behind it, and the outermost element around it that does not hold the container.
    fn position(&self, outline: &Outline, element: u32) -> (f32, f32, f32, f32, Option<u32>) {
        let (mut around, mut branch, mut up) = (element, None, 0.0);
        let below = loop {
            if let Some(below) = self.steps.get(&u64::from(around)) {
                break *below;
            }
            branch = Some(around);
            around = outline.spots[around as usize].parent;
            up += 1.0;
        };
        if below == 0 {
            return (1.0, up, 0.0, 0.0, None);
        }
        let side = if element < self.main { -1.0 } else { 1.0 };
        (0.0, up, below as f32, side, branch)
    }
}

/// How surely a block is a value that has its label right before it, at least.
pub(super) const LABELLED: f32 = 0.9;

/// Words of a label.
const LABEL_WORDS: u32 = 5;

/// How surely each block is a value behind a label: with its label in the same block, in the block before it, or as a further entry of a list
/// that has one.
pub(super) fn labelled(outline: &Outline, blocks: &[Block]) -> Vec<f32> {
    let mut labelled: Vec<f32> = Vec::with_capacity(blocks.len());
    for (number, block) in blocks.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| (&blocks[before], labelled[before]));
        labelled.push(match before {
            _ if block.words == 0 => 0.0,
            _ if block.label => 1.0,
            Some((before, _)) if is_label(outline, before) => LABELLED,
            Some((before, sure)) if sure >= 0.5 && are_alike(outline, before, block) => 0.5,
            _ => 0.0,
        });
    }
    labelled
}

/// Whether a block says what the next one is: it is short and no link, and all pages have it, or it ends in a colon.
fn is_label(outline: &Outline, block: &Block) -> bool {
    let texts = &outline.texts[block.texts.clone()];
    let colon = texts.last().is_some_and(|text| text.colon);
    let linked = texts.iter().any(|text| outline.is_link(text));
    !linked && block.shared + block.words <= LABEL_WORDS && (block.words == 0 || colon)
}

/// Whether two blocks are entries of one list.
fn are_alike(outline: &Outline, a: &Block, b: &Block) -> bool {
    let (a, b) = (&outline.spots[a.element as usize], &outline.spots[b.element as usize]);
    a.place == b.place && a.parent == b.parent
}
