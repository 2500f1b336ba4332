//! Labelled pages become what is known of their hosts.

use std::collections::{BTreeMap, BTreeSet};

use crate::broom::{self, Marked};
use crate::cut::Reading;
use crate::fields::{AttributeFacts, Host, Level};
use crate::labels::{LabelError, Labels, Place, Records, places};
use crate::library::Entry;
use crate::neighbours::{self, Background, Leaf, Profile};
use crate::texts::{Texts, paths};
use crate::tree::{Tree, Wanted, hash};
use crate::wpc::{self, Labelled};

/// A value and the places on its page where it may stand.
struct Sought {
    page: usize,
    record: usize,
    attribute: String,
    places: Vec<Place>,
    /// The place that was chosen.
    chosen: usize,
}

/// The attributes that labels need as leaves: those in which a value was found that is no text.
pub fn wanted(tree: &Tree, records: &Records) -> Wanted {
    let mut wanted = Wanted::default();
    for value in records.iter().flat_map(|record| record.values()).flatten() {
        let found = places(tree, value);
        if found.iter().all(|place| tree.is_attribute(place.node)) {
            found.iter().for_each(|place| wanted.add(&tree.name(place.node).tag));
        }
    }
    wanted
}

/// Learns a host's fields of its pages, some of which are labelled. All trees must have the attributes that labels need.
pub fn learn(trees: &[Tree], labels: &Labels, level: Level, wanted: Wanted) -> Result<Host, LabelError> {
    let texts = Texts::new(trees);
    let labelled: Vec<usize> = (0..trees.len()).filter(|&page| labels.pages.contains_key(&trees[page].id)).collect();
    let mut sought = seek(trees, labels, &labelled)?;
    let count = |page: usize| labels.pages[&trees[page].id].iter().filter(|record| !record.is_empty()).count();
    drop_labels(trees, &texts, &mut sought);
    choose(trees, &mut sought);
    let many = labelled.iter().any(|&page| count(page) > 1)
        || (labelled.len() == 1 && is_list(&trees[labelled[0]], &sought, &texts));
    let profiles = if many { BTreeMap::new() } else { profiles(trees, &texts, &mut sought) };
    let attributes = facts(labels, trees, &labelled, &sought);
    let marked = marked(&sought);
    let wrappers = match level {
        Level::Record => by_record(trees, &marked, &texts),
        Level::Page => by_page(trees, &marked, &texts),
    };
    let records: usize = marked.values().map(BTreeMap::len).sum();
    Ok(Host {
        pages: labelled.iter().map(|&page| trees[page].id.clone()).collect(),
        seen: trees.len() as u64,
        records: records as u64,
        level,
        wanted,
        attributes,
        wrappers,
        profiles,
        texts,
    })
}

/// The records of each page by number.
type MarkedPages = BTreeMap<usize, BTreeMap<usize, Marked>>;

fn seek(trees: &[Tree], labels: &Labels, labelled: &[usize]) -> Result<Vec<Sought>, LabelError> {
    let mut sought = Vec::new();
    for &page in labelled {
        let tree = &trees[page];
        for (record, values) in labels.pages[&tree.id].iter().enumerate() {
            for (attribute, value) in
                values.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)))
            {
                let places = places(tree, value);
                if places.is_empty() {
                    let (id, attribute, value) = (tree.id.clone(), attribute.clone(), value.clone());
                    return Err(LabelError::NowhereOnPage { id, record, attribute, value });
                }
                sought.push(Sought { page, record, attribute: attribute.clone(), places, chosen: 0 });
            }
        }
    }
    Ok(sought)
}

/// Leaves out places that say the same on most pages, where the value stands elsewhere too; and parts of texts, where another value of
/// the attribute is a whole one.
fn drop_labels(trees: &[Tree], texts: &Texts, sought: &mut Vec<Sought>) {
    for value in sought.iter_mut() {
        let tree = &trees[value.page];
        let paths = paths(tree);
        let says = |place: &Place| texts.holds(paths[place.node as usize], tree.leaf_text(place.node));
        if !value.places.iter().all(says) {
            value.places.retain(|place| !says(place));
        }
    }
    let is_whole = |value: &Sought| {
        let place = &value.places[0];
        place.before.is_empty() && place.after.is_empty() && trees[value.page].is_leaf(place.node)
    };
    let whole: BTreeSet<(usize, usize, String)> = sought
        .iter()
        .filter(|value| is_whole(value))
        .map(|value| (value.page, value.record, value.attribute.clone()))
        .collect();
    sought.retain(|value| is_whole(value) || !whole.contains(&(value.page, value.record, value.attribute.clone())));
}

/// Whether a page of which one record is labelled has more of them: its own wrapper finds others that have all attributes.
fn is_list(tree: &Tree, sought: &[Sought], texts: &Texts) -> bool {
    let records = marked(sought);
    let Some(nodes) = records.values().next() else { return false };
    let nodes: Vec<Marked> = nodes.values().cloned().collect();
    let Some(Some(broom)) = broom::brooms(tree, &nodes, texts).into_iter().next() else { return false };
    let head = crate::repeat::combine(&broom.head);
    let entry = Entry { stick: broom.stick.join("/"), level: 1, members: 1, beside: false, head };
    let names: BTreeSet<&String> = sought.iter().map(|value| &value.attribute).collect();
    let found = crate::library::extract(tree, &[entry], &BTreeMap::new(), ALIKE);
    names.len() > 1
        && found.iter().filter(|record| names.iter().all(|name| record.values.contains_key(*name))).count() > 2
}

/// The distance up to which another record is one like the labelled one.
const ALIKE: f64 = 0.15;

/// Chooses a place for each value: by the path that most values of the attribute share, then close to what is certain of the record.
fn choose(trees: &[Tree], sought: &mut [Sought]) {
    let all_paths: BTreeMap<usize, Vec<u64>> = sought
        .iter()
        .map(|value| value.page)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|page| (page, paths(&trees[page])))
        .collect();
    let path = |value: &Sought, place: &Place| all_paths[&value.page][place.node as usize];
    let mut votes: BTreeMap<(String, u64), u32> = BTreeMap::new();
    for value in sought.iter() {
        let ways: BTreeSet<u64> = value.places.iter().map(|place| path(value, place)).collect();
        ways.into_iter().for_each(|way| *votes.entry((value.attribute.clone(), way)).or_default() += 1);
    }
    for Sought { attribute, page, places, chosen, .. } in sought.iter_mut() {
        let votes_of = |place: &Place| votes[&(attribute.clone(), all_paths[page][place.node as usize])];
        let most = places.iter().map(votes_of).max();
        places.retain(|place| Some(votes_of(place)) == most);
        *chosen = 0;
    }
    let certain = certain(sought);
    let mut used: BTreeSet<(usize, u32, String)> = BTreeSet::new();
    for value in sought.iter_mut() {
        let tree = &trees[value.page];
        let near = certain.get(&(value.page, value.record));
        let fit = |place: &Place| {
            let fresh = !used.contains(&(value.page, place.node, value.attribute.clone()));
            let depth = |other: &u32| tree.ancestors(tree.common(*other, place.node)).count();
            let close = near
                .and_then(|near| near.iter().map(|other| (depth(other), u32::MAX - other.abs_diff(place.node))).max());
            (fresh, close)
        };
        let best = (0..value.places.len()).rev().max_by_key(|&place| fit(&value.places[place])).unwrap_or(0);
        value.chosen = best;
        used.insert((value.page, value.places[best].node, value.attribute.clone()));
    }
}

/// The nodes of records that no other place competes with.
fn certain(sought: &[Sought]) -> BTreeMap<(usize, usize), Vec<u32>> {
    let mut certain: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for value in sought.iter().filter(|value| value.places.len() == 1) {
        certain.entry((value.page, value.record)).or_default().push(value.places[0].node);
    }
    certain
}

fn marked(sought: &[Sought]) -> MarkedPages {
    let mut pages = MarkedPages::new();
    for value in sought {
        let record = pages.entry(value.page).or_default().entry(value.record).or_default();
        let labels = record.entry(value.places[value.chosen].node).or_default();
        if !labels.contains(&value.attribute) {
            labels.push(value.attribute.clone());
            labels.sort();
        }
    }
    pages
}

/// What tells each attribute's values, where a page is a record. The place that the profile prefers is the one that is chosen.
fn profiles(trees: &[Tree], texts: &Texts, sought: &mut [Sought]) -> BTreeMap<String, Profile> {
    let mut profiles = BTreeMap::new();
    for inner in [false, true] {
        let is_inner = |value: &Sought| !trees[value.page].is_leaf(value.places[value.chosen].node);
        let names: BTreeSet<String> =
            sought.iter().filter(|value| is_inner(value) == inner).map(|value| value.attribute.clone()).collect();
        let names: Vec<String> = names
            .into_iter()
            .filter(|name| {
                let of = sought.iter().filter(|value| value.attribute == *name);
                let inside = of.clone().filter(|value| is_inner(value)).count();
                (inside * 2 > of.count()) == inner
            })
            .collect();
        if names.is_empty() {
            continue;
        }
        let pages: Vec<Vec<Leaf>> = trees.iter().map(|tree| neighbours::leaves(tree, texts, inner)).collect();
        let background = Background::new(&pages);
        for name in names {
            let profile = profile(&name, sought, &pages, &background, inner);
            profiles.insert(name, profile);
        }
    }
    profiles
}

fn profile(name: &str, sought: &mut [Sought], pages: &[Vec<Leaf>], background: &Background, inner: bool) -> Profile {
    let leaf = |page: usize, node: u32| {
        pages[page].binary_search_by_key(&node, |leaf| leaf.node).ok().map(|at| pages[page][at])
    };
    let of = |value: &Sought| -> Vec<Leaf> {
        value.places.iter().filter_map(|place| leaf(value.page, place.node)).collect()
    };
    let labelled: Vec<Vec<Leaf>> =
        sought.iter().filter(|value| value.attribute == name).map(of).filter(|places| !places.is_empty()).collect();
    let profile = neighbours::learn(&labelled, pages, background, inner);
    for value in sought.iter_mut().filter(|value| value.attribute == name) {
        let score = |place: &Place| leaf(value.page, place.node).map_or(f64::MIN, |leaf| profile.score(&leaf));
        let best =
            (0..value.places.len()).rev().max_by(|&a, &b| score(&value.places[a]).total_cmp(&score(&value.places[b])));
        value.chosen = best.unwrap_or(0);
    }
    profile
}

fn facts(labels: &Labels, trees: &[Tree], labelled: &[usize], sought: &[Sought]) -> BTreeMap<String, AttributeFacts> {
    let records: Vec<_> =
        labelled.iter().flat_map(|&page| &labels.pages[&trees[page].id]).filter(|record| !record.is_empty()).collect();
    let names: BTreeSet<&String> = records.iter().flat_map(|record| record.keys()).collect();
    let facts = |name: &String| {
        let having = records.iter().filter(|record| record.get(name).is_some_and(|values| !values.is_empty()));
        let places: Vec<&Place> =
            sought.iter().filter(|value| value.attribute == *name).map(|value| &value.places[value.chosen]).collect();
        AttributeFacts {
            records: having.clone().count() as u64,
            several: having.clone().filter(|record| record[name].len() > 1).count() as u64,
            ambiguous: sought.iter().filter(|value| value.attribute == *name && value.places.len() > 1).count() as u64,
            kind: crate::typed::infer(having.clone().flat_map(|record| &record[name]).map(String::as_str)),
            reading: Reading::learn(&places, having.flat_map(|record| &record[name]).map(String::as_str)),
        }
    };
    names.into_iter().map(|name| (name.clone(), facts(name))).collect()
}

/// Wrappers of records: those of one tag path are clustered together (section 9.2.3).
fn by_record(trees: &[Tree], marked: &MarkedPages, texts: &Texts) -> Vec<Entry> {
    let mut by_stick: BTreeMap<String, Vec<Labelled>> = BTreeMap::new();
    let mut beside: BTreeMap<(usize, u32), u32> = BTreeMap::new();
    let mut shared: BTreeSet<String> = BTreeSet::new();
    for (&page, records) in marked {
        let tree = &trees[page];
        let nodes: Vec<Marked> = records.values().cloned().collect();
        for (number, broom) in broom::brooms(tree, &nodes, texts).into_iter().enumerate() {
            let Some(broom) = broom else { continue };
            let key = hash(&format!("{}\t{number}", tree.id));
            let stick = broom.stick.join("/");
            if let Some(boundary) = broom::boundary(tree, &nodes[number]) {
                *beside.entry((page, boundary)).or_insert(0u32) += 1;
                if beside[&(page, boundary)] > 1 {
                    shared.insert(stick.clone());
                }
            }
            by_stick.entry(stick).or_default().push(Labelled { key, tree: broom.head });
        }
    }
    let entry = |stick: &String, cluster: wpc::Cluster| Entry {
        stick: stick.clone(),
        level: cluster.level,
        members: cluster.members,
        beside: shared.contains(stick),
        head: cluster.wrapper,
    };
    by_stick
        .iter()
        .flat_map(|(stick, trees)| {
            wpc::wpc(trees.clone(), wpc::THRESHOLD).into_iter().map(|c| entry(stick, c)).collect::<Vec<_>>()
        })
        .collect()
}

/// Wrappers of whole pages (chapter 8).
fn by_page(trees: &[Tree], marked: &MarkedPages, texts: &Texts) -> Vec<Entry> {
    let whole = |(&page, records): (&usize, &BTreeMap<usize, Marked>)| {
        let records: Vec<Marked> = records.values().cloned().collect();
        Labelled { key: hash(&trees[page].id), tree: broom::whole(&trees[page], &records, texts) }
    };
    let clusters = wpc::wpc(marked.iter().map(whole).collect(), wpc::THRESHOLD);
    let entry = |cluster: wpc::Cluster| Entry {
        stick: String::new(),
        level: cluster.level,
        members: cluster.members,
        beside: false,
        head: cluster.wrapper,
    };
    clusters.into_iter().map(entry).collect()
}
