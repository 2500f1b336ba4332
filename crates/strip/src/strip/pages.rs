//! The pages a method learns from.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::StripError;
use super::scope::Scope;
use unhusk_pages::parse::{Page, PageName};
use unhusk_pages::spool::{PageNo, Spool, SpoolError};

/// Pages that are taken by a thread at a time.
const STRETCH: usize = 64;

/// Pages whose names are read through one window.
const NAMES: usize = 1024;

/// The pages of a spool that stay after duplicates are gone, in the collection's order.
#[derive(Clone, Debug)]
pub struct Pages<'s> {
    spool: &'s Spool,
    numbers: Vec<PageNo>,
}

impl<'s> Pages<'s> {
    /// Some pages of a spool, in its order.
    pub fn new(spool: &'s Spool, numbers: Vec<PageNo>) -> Self {
        debug_assert!(numbers.is_sorted());
        Pages { spool, numbers }
    }

    /// All pages of a spool.
    pub fn all(spool: &'s Spool) -> Self {
        Pages::new(spool, (0..spool.len() as u32).map(PageNo).collect())
    }

    /// The spool they lie in.
    pub fn spool(&self) -> &'s Spool {
        self.spool
    }

    /// Their numbers.
    pub fn numbers(&self) -> &[PageNo] {
        &self.numbers
    }

    /// Fewer of these pages.
    pub fn only(&self, numbers: Vec<PageNo>) -> Self {
        Pages::new(self.spool, numbers)
    }

    /// Shows the name of every page, in the collection's order.
    pub fn for_each_name(&self, mut each: impl FnMut(PageNo, PageName)) -> Result<(), SpoolError> {
        for stretch in self.numbers.chunks(NAMES) {
            let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
            let window = self.spool.window(*first, PageNo(last.0 + 1))?;
            for &number in stretch {
                each(number, window.name(number)?);
            }
        }
        Ok(())
    }

    /// Shows every page to one of several observers, one a thread; which page an observer sees is left to chance, so
    /// what it gathers must not depend on that.
    pub fn observe<O: Send>(
        &self,
        threads: usize,
        observer: impl Fn() -> O + Sync,
        observe: impl Fn(&mut O, PageNo, &Page) -> Result<(), StripError> + Sync,
    ) -> Result<Vec<O>, StripError> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<O, StripError> {
            let mut state = observer();
            loop {
                let from = next.fetch_add(STRETCH, Ordering::Relaxed);
                let Some(stretch) = self.numbers.get(from..(from + STRETCH).min(self.numbers.len())) else {
                    return Ok(state);
                };
                if stretch.is_empty() {
                    return Ok(state);
                }
                for_each_page(self.spool, stretch, |number, page| observe(&mut state, number, &page))?;
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut states = vec![work()?];
            for worker in workers {
                states.push(worker.join().expect("an observer does not panic")?);
            }
            Ok(states)
        })
    }
}

/// Reads neighbouring pages through one window.
pub fn for_each_page<E: From<SpoolError>>(
    spool: &Spool,
    numbers: &[PageNo],
    mut each: impl FnMut(PageNo, Page) -> Result<(), E>,
) -> Result<(), E> {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Ok(()) };
    let window = spool.window(*first, PageNo(last.0 + 1))?;
    for &number in numbers {
        each(number, window.page(number)?)?;
    }
    Ok(())
}

/// The pages of each site to learn from, by its host: those whose ids have the smallest hashes, whatever order they come in.
pub(crate) fn draw<'p>(pages: &Pages<'p>, most: usize) -> Result<Vec<(u64, Pages<'p>)>, StripError> {
    let mut hosts: BTreeMap<u64, Vec<(u64, PageNo)>> = BTreeMap::new();
    pages.for_each_name(|number, name| {
        hosts.entry(Scope::Host.of(&name.url)).or_default().push((xxh3_64(name.id.as_bytes()), number));
    })?;
    let drawn = hosts.into_iter().map(|(host, mut ids)| {
        ids.sort_unstable();
        ids.truncate(most);
        let mut numbers: Vec<PageNo> = ids.into_iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        (host, pages.only(numbers))
    });
    Ok(drawn.collect())
}

/// The share that some of a number of pages are a sample of: at least this much, with a confidence of 97.5 %. It is the lower end of
/// Wilson's interval, which holds for small numbers too.
pub(super) fn at_least(some: u32, of: u32) -> f64 {
    const Z: f64 = 1.2816;
    if of == 0 {
        return 0.0;
    }
    let (n, share) = (f64::from(of), f64::from(some) / f64::from(of));
    let centre = share + Z * Z / (2.0 * n);
    let spread = Z * ((share * (1.0 - share) + Z * Z / (4.0 * n)) / n).sqrt();
    (centre - spread) / (1.0 + Z * Z / n)
}
