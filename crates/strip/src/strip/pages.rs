//! The pages a method learns from.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::StripError;
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
