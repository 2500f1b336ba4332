//! Incremental update: one more record refines the wrappers without learning anew (algorithm 9).

use crate::induce::induce;
use crate::repeat::combine;
use crate::wpc::{Cluster, distance, distance_between};
use crate::wrapper::Wrapper;

/// The distance below which a record belongs to a wrapper, and two wrappers are one.
pub const THRESHOLD: f64 = 0.2;

/// Takes a labelled record up into wrappers.
pub fn update(wrappers: &mut Vec<Cluster>, record: &Wrapper, threshold: f64) {
    let distances = wrappers.iter().map(|known| distance(&known.wrapper, record));
    let nearest =
        distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).filter(|&(_, distance)| distance < threshold);
    let Some((mut at, distance)) = nearest else {
        wrappers.push(Cluster { wrapper: combine(record), level: 1, members: 1 });
        return;
    };
    wrappers[at].members += 1;
    if distance == 0.0 {
        return;
    }
    wrappers[at].wrapper = induce(&wrappers[at].wrapper, &combine(record));
    wrappers[at].level += 1;
    while let Some(other) = (0..wrappers.len())
        .find(|&other| other != at && distance_between(&wrappers[at].wrapper, &wrappers[other].wrapper) < threshold)
    {
        let merged = wrappers.remove(other);
        at -= usize::from(other < at);
        let known = &mut wrappers[at];
        known.wrapper = induce(&known.wrapper, &merged.wrapper);
        (known.level, known.members) = (known.level + merged.level, known.members + merged.members);
    }
}
