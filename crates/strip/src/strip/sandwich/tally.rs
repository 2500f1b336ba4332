//! What the manifest tells of a collection that was sliced.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};

use super::closest;
use super::lcs::Budget;
use super::peers::Peers;
use super::{Slices, Unit};
use crate::strip::Mask;
use unhusk_pages::parse::Page;

/// Counts from all threads.
#[derive(Debug, Default)]
pub(super) struct Tally {
    by_line: AtomicU64,
    by_token: AtomicU64,
    inexact: AtomicU64,
    emptied: AtomicU64,
    source_bytes: AtomicU64,
    common_bytes: AtomicU64,
}

fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

impl Tally {
    /// A page without a peer.
    pub(super) fn alone(&self, page: &Page) {
        add(&self.source_bytes, source_bytes(page));
    }

    /// A page that was compared with its peer.
    pub(super) fn compared(&self, page: &Page, slices: &Slices, mask: &Mask) {
        add(if slices.unit == Unit::Line { &self.by_line } else { &self.by_token }, 1);
        add(&self.inexact, u64::from(!slices.exact));
        let empty = page.piece_count() > 0 && (0..page.piece_count()).all(|piece| !mask.keeps(piece));
        add(&self.emptied, u64::from(empty));
        add(&self.source_bytes, source_bytes(page));
        add(&self.common_bytes, slices.source_bytes);
    }

    pub(super) fn findings(&self, peers: &Peers) -> Map<String, Value> {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let budget = Budget::default();
        let source = get(&self.source_bytes);
        let findings = json!({
            "groups": peers.groups,
            "pages_with_peer": peers.found,
            "compared_by_line": get(&self.by_line),
            "compared_by_token": get(&self.by_token),
            "pages_emptied": get(&self.emptied),
            "html_bytes": source,
            "html_bytes_kept": source - get(&self.common_bytes),
            "bounds": {
                "lcs_steps": budget.steps,
                "lcs_memory": budget.memory,
                "lcs_not_exact": get(&self.inexact),
                "closest_steps": closest::STEPS,
                "closest_not_exact": peers.inexact,
            },
        });
        match findings {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

fn source_bytes(page: &Page) -> u64 {
    page.line_bytes.iter().map(|&bytes| u64::from(bytes)).sum()
}
