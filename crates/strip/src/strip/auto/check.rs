//! What the method would do to the pages it learned from, and where it had better not.
//!
//! What only one page says is no template, whatever a rule thinks. So after learning, the words that one page alone has are
//! followed: how many of them leave the content, by rule and by layout. Where that is too much, the rule is not used there.

use serde::Serialize;

use super::places::Rarity;
use super::site::{Site, Studied};
use super::told::Told;
use super::{Signal, Signals};
use crate::strip::{Pages, Reason, StripError};
use unhusk_pages::hashed::HashedSet;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Pages of each layout that are looked at.
const LOOKED_AT: u32 = 20;
/// Pages that must have been looked at to say anything.
const FEWEST: u32 = 5;
/// Of the words that one page alone has, the share that may be dropped: some stand on lines that are template for the most part.
const MOST_DROPPED: f64 = 0.02;
/// The share that may be set aside. Below a short post there may be a long discussion, but hardly ever is next to nothing left.
const MOST_ASIDE: f64 = 0.8;

/// What was found out about the pages of one layout.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Finding {
    /// Pages of the layout among those that were learned from.
    pub(super) pages: u32,
    /// One of them.
    pub(super) example: String,
    /// For each signal, the share of words of one page alone that it takes from the content.
    pub(super) leaving: Vec<Leaving>,
}

/// What a signal takes from the content.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Leaving {
    pub(super) signal: Signal,
    pub(super) share: f64,
    /// It is too much: the signal is not used for these pages.
    pub(super) backed_off: bool,
}

/// Looks at pages of each layout, and takes signals back where they take too much.
pub(super) fn check(
    site: &mut Site,
    rarity: &Rarity,
    pages: &Pages<'_>,
    numbers: &[PageNo],
    studied: &[Studied],
) -> Result<Vec<Finding>, StripError> {
    let mut layouts: Vec<Seen> = site.signals().map(|_| Seen::default()).collect();
    let mut looked_at: Vec<(usize, Page)> = Vec::new();
    for (at, (&number, studied)) in numbers.iter().zip(studied).enumerate() {
        let seen = &mut layouts[site.kind_number(&studied.outline)];
        seen.pages += 1;
        if seen.looked_at < LOOKED_AT {
            seen.looked_at += 1;
            looked_at.push((at, pages.spool().page(number)?));
        }
    }
    site.keep_lists(own_lists(site, rarity, pages, studied, &looked_at)?);
    for (at, page) in looked_at {
        let studied = &studied[at];
        let seen = &mut layouts[site.kind_number(&studied.outline)];
        let reasons = site.reasons(&page, &studied.outline);
        seen.add(&reasons, studied, rarity);
        if seen.example.is_empty() {
            seen.example = page.id;
        }
    }
    let mut findings = Vec::new();
    for (kind, seen) in layouts.into_iter().enumerate().filter(|(_, seen)| seen.looked_at >= FEWEST) {
        let used = site.signals().nth(kind).unwrap_or_default();
        let finding = seen.finding(used);
        for leaving in finding.leaving.iter().filter(|leaving| leaving.backed_off) {
            site.back_off(kind, leaving.signal);
        }
        findings.push(finding);
    }
    Ok(findings)
}

/// Places of lists whose entries are not told on the pages they lead to.
fn own_lists(
    site: &Site,
    rarity: &Rarity,
    pages: &Pages<'_>,
    studied: &[Studied],
    looked_at: &[(usize, Page)],
) -> Result<HashedSet, StripError> {
    let mut told = Told::default();
    let mut at = 0;
    pages.for_each_name(|_, name| {
        told.know(&name.url, at);
        at += 1;
    })?;
    for (here, page) in looked_at {
        told.look_up(site, page, *here, studied, rarity);
    }
    Ok(told.own())
}

/// What was seen of the pages of one layout.
#[derive(Default)]
struct Seen {
    pages: u32,
    looked_at: u32,
    example: String,
    /// Words that one page alone has.
    own: u64,
    /// Those that leave the content, by signal.
    leaving: [u64; Signal::ALL.len()],
}

impl Seen {
    fn add(&mut self, reasons: &[Option<Reason>], page: &Studied, rarity: &Rarity) {
        for (text, reason) in reasons.iter().enumerate() {
            let own = page.said.text(text).iter().filter(|word| rarity.is_on_one_page(**word)).count() as u64;
            self.own += own;
            if let Some(reason) = reason {
                self.leaving[signal(*reason) as usize] += own;
            }
        }
    }

    fn finding(self, used: Signals) -> Finding {
        let leaving = Signal::ALL.into_iter().filter(|signal| used.has(*signal)).map(|signal| {
            let share = if self.own == 0 { 0.0 } else { self.leaving[signal as usize] as f64 / self.own as f64 };
            let most = match signal {
                Signal::Certain | Signal::Repeated => MOST_DROPPED,
                Signal::Ways | Signal::Blocks => MOST_ASIDE,
            };
            Leaving { signal, share: (share * 10_000.0).round() / 10_000.0, backed_off: share > most }
        });
        Finding { pages: self.pages, example: self.example.clone(), leaving: leaving.collect() }
    }
}

/// Which signal gives a reason.
fn signal(reason: Reason) -> Signal {
    match reason {
        Reason::Certain { .. } => Signal::Certain,
        Reason::Repeated { .. } => Signal::Repeated,
        Reason::Way => Signal::Ways,
        _ => Signal::Blocks,
    }
}
