//! Records of a page, by what is known of its host.

use std::collections::BTreeMap;

use crate::fields::{Fields, Host, Level};
use crate::library::{self, Found, Value};
use crate::neighbours::{self, Leaf, Profile};
use crate::tree::Tree;

/// The distance up to which a wrapper fits a record.
pub const THRESHOLD: f64 = 0.35;

/// What found a record that no wrapper did: what is around its values.
pub const NEIGHBOURS: usize = usize::MAX;

/// All records of a page, in page order.
pub fn extract(tree: &Tree, fields: &Fields) -> Vec<Found> {
    fields.host(&tree.url).map_or(Vec::new(), |host| extract_within(tree, host, THRESHOLD))
}

/// [`extract`] with another threshold for wrappers.
pub fn extract_within(tree: &Tree, host: &Host, threshold: f64) -> Vec<Found> {
    if host.profiles.is_empty() || host.level == Level::Page {
        return library::extract(tree, &host.wrappers, &host.readings(), threshold);
    }
    by_neighbours(tree, host).into_iter().collect()
}

/// The one record of a page, each value where what is around it fits best.
fn by_neighbours(tree: &Tree, host: &Host) -> Option<Found> {
    let mut rows: [Option<Vec<Leaf>>; 2] = [None, None];
    let mut found = Found { wrapper: NEIGHBOURS, ..Found::default() };
    let mut fits = Vec::new();
    for (name, profile) in &host.profiles {
        let leaves = rows[usize::from(profile.inner)]
            .get_or_insert_with(|| neighbours::leaves(tree, &host.texts, profile.inner));
        let Some((leaf, fit)) = profile.find(leaves) else { continue };
        let facts = host.attributes.get(name);
        let reading = facts.map(|facts| facts.reading.clone()).unwrap_or_default();
        let mut nodes = vec![leaf.node];
        if facts.is_some_and(|facts| facts.several > 0) {
            nodes = with_siblings(leaf, leaves, tree, profile);
        }
        let values: Vec<Value> = nodes
            .into_iter()
            .map(|node| Value { text: reading.value(&tree.text(node)), node })
            .filter(|value| !value.text.is_empty())
            .collect();
        if !values.is_empty() {
            fits.push(fit);
            found.values.insert(name.clone(), values);
        }
    }
    let start = found.values.values().flatten().map(|value| value.node).min()?;
    let expected: u64 = host.attributes.values().map(|facts| facts.records).sum();
    let expected = expected as f64 / host.records.max(1) as f64;
    // What is missing counts as not fitting at all.
    found.distance = (1.0 - fits.iter().sum::<f64>() / expected.max(fits.len() as f64)).max(0.0);
    Some(Found { start, ..found })
}

/// The share of the best leaf's score that another value of the attribute must have.
const REPEATED: f64 = 0.8;

/// The leaf that fits best and, behind it, those that repeat it: same way and classes, below the same parent or its parent.
fn with_siblings(leaf: &Leaf, leaves: &[Leaf], tree: &Tree, profile: &Profile) -> Vec<u32> {
    let least = REPEATED * profile.score(leaf);
    let parent = tree.nodes[leaf.node as usize].parent;
    let around = tree.nodes[parent as usize].parent;
    let same = |other: &&Leaf| {
        let parent_of_other = tree.nodes[other.node as usize].parent;
        other.traits[1] == leaf.traits[1]
            && (parent_of_other == parent || tree.nodes[parent_of_other as usize].parent == around)
            && other.traits[6] == leaf.traits[6]
    };
    let others = leaves.iter().filter(|other| other.node != leaf.node && profile.score(other) >= least).filter(same);
    std::iter::once(leaf.node).chain(others.map(|other| other.node)).collect()
}

/// Values by attribute without where they stand.
pub fn plain(found: &Found) -> BTreeMap<&str, Vec<&str>> {
    found
        .values
        .iter()
        .map(|(name, values)| (name.as_str(), values.iter().map(|value| value.text.as_str()).collect()))
        .collect()
}
