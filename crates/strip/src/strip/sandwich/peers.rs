//! Which page a page is compared with.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use super::Group;
use super::closest::{closest_names, on_threads};
use crate::strip::Pages;
use unhusk_pages::spool::{PageNo, SpoolError};

/// Pages of a group that is worth the work of all threads together.
const LARGE: usize = 4096;

/// How a page's peer is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum PeerRule {
    /// The page of the same directory with the closest name, by edit distance
    #[default]
    Closest,
    /// The page of the same directory that came last
    Previous,
}

/// The peer of each page.
#[derive(Debug)]
pub(super) struct Peers {
    /// By page number; pages that are not in the collection have none.
    of: Vec<Option<PageNo>>,
    /// Groups there are.
    pub(super) groups: u64,
    /// Pages that have a peer.
    pub(super) found: u64,
    /// Pages whose closest name was not found for certain within the bound.
    pub(super) inexact: u64,
}

impl Peers {
    pub(super) fn find(pages: &Pages<'_>, rule: PeerRule, group: Group, threads: usize) -> Result<Self, SpoolError> {
        let mut peers = Peers { of: vec![None; pages.spool().len()], groups: 0, found: 0, inexact: 0 };
        match rule {
            PeerRule::Previous => peers.previous(pages, group)?,
            PeerRule::Closest => peers.closest(pages, group, threads)?,
        }
        peers.found = peers.of.iter().flatten().count() as u64;
        Ok(peers)
    }

    pub(super) fn get(&self, page: PageNo) -> Option<PageNo> {
        self.of.get(page.index()).copied().flatten()
    }

    fn previous(&mut self, pages: &Pages<'_>, group: Group) -> Result<(), SpoolError> {
        let mut last: HashMap<u128, PageNo, BuildHasherDefault<Xxh3Default>> = HashMap::default();
        pages.for_each_name(|number, name| {
            self.of[number.index()] = last.insert(xxh3_128(group.split(&name.url).0.as_bytes()), number);
        })?;
        self.groups = last.len() as u64;
        Ok(())
    }

    fn closest(&mut self, pages: &Pages<'_>, group: Group, threads: usize) -> Result<(), SpoolError> {
        let mut places: HashMap<u128, usize, BuildHasherDefault<Xxh3Default>> = HashMap::default();
        let mut groups: Vec<Vec<(PageNo, String)>> = Vec::new();
        pages.for_each_name(|number, name| {
            let (group, name) = group.split(&name.url);
            let place = *places.entry(xxh3_128(group.as_bytes())).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Vec::new());
            }
            groups[place].push((number, name.to_owned()));
        })?;
        self.groups = groups.len() as u64;
        for found in closest_in_each(&groups, threads) {
            self.of[found.page.index()] = Some(found.peer);
            self.inexact += u64::from(!found.exact);
        }
        Ok(())
    }
}

struct FoundPeer {
    page: PageNo,
    peer: PageNo,
    exact: bool,
}

/// The closest names of each group. All threads work on a large group together, and take small ones each for itself.
fn closest_in_each(groups: &[Vec<(PageNo, String)>], threads: usize) -> Vec<FoundPeer> {
    let (large, small): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.len() >= LARGE);
    let mut found: Vec<FoundPeer> = large.iter().flat_map(|group| closest_in(group, threads)).collect();
    let next = AtomicUsize::new(0);
    let shares = on_threads(threads.min(small.len()), || {
        let mut found = Vec::new();
        while let Some(group) = small.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(closest_in(group, 1));
        }
        found
    });
    found.extend(shares.into_iter().flatten());
    found
}

fn closest_in(group: &[(PageNo, String)], threads: usize) -> Vec<FoundPeer> {
    let names: Vec<&str> = group.iter().map(|(_, name)| name.as_str()).collect();
    let closest = closest_names(&names, threads);
    let found = group.iter().zip(closest).filter_map(|(&(page, _), closest)| {
        let closest = closest?;
        Some(FoundPeer { page, peer: group[closest.index as usize].0, exact: closest.exact })
    });
    found.collect()
}
