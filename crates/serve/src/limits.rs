//! What one request may ask for, and how many may ask.
//!
//! A search cannot be stopped once it runs, so it keeps its place until it is done, whether or not somebody still waits for it:
//! slow requests use up their own places, not the server. Who finds no place is told to come again.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::failure::Failure;

/// What a search may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Bytes of a query: time grows with its words. A long paragraph is less than the usual thousand.
    pub query_bytes: usize,
    /// How far down results can be paged: all that come before are ranked too.
    pub results: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits { query_bytes: 1000, results: 1000 }
    }
}

/// Bytes of any other parameter: an id may be a long URL.
pub(super) const PARAM_BYTES: usize = 4096;
/// Documents on a page of results.
pub(super) const PER_PAGE: usize = 100;
/// How far down a ranking is looked at for where a document went.
pub(super) const COMPARED: usize = 100;
/// Bytes of a page's source that are shown: more is no help to a person, and would lie in memory for slow readers.
pub(super) const SHOWN_SOURCE: usize = 2 << 20;
pub(super) const SHOWN_TEXT: usize = 1 << 20;
/// Bytes of a request's body.
pub(super) const BODY_BYTES: usize = 16 << 10;
/// Bytes of a request's head.
pub(super) const HEAD_BYTES: usize = 32 << 10;
/// Time for a request, from its head to its answer.
pub(super) const REQUEST_TIME: Duration = Duration::from_secs(10);
/// Time to send a request's head, and to send the next one.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(15);
/// Time a client may take nothing of its answer.
pub(super) const STALLED: Duration = Duration::from_secs(30);
/// Time after which a connection ends with its next answer.
pub(super) const CONNECTION_TIME: Duration = Duration::from_secs(600);
/// Connections at once; more wait to be accepted.
pub(super) const CONNECTIONS: usize = 512;
/// Requests that wait for one of the threads, or run.
const UNDER_WAY: usize = 256;
/// Time for what is under way when the server ends.
pub(super) const GOODBYE: Duration = Duration::from_secs(2);

/// Threads for blocking work: those of the gate, and some for the report and for reopening.
pub(super) fn blocking_threads(threads: usize) -> usize {
    running(threads) + 4
}

/// Searches that run at once: more than processors, so that a slow one does not hold up the others.
fn running(threads: usize) -> usize {
    threads * 2
}

/// Lets in as many requests as can be worked on.
pub(super) struct Gate {
    under_way: Arc<Semaphore>,
    running: Arc<Semaphore>,
    /// How long a request may take.
    time: Duration,
}

impl Gate {
    pub(super) fn new(threads: usize) -> Self {
        Self::with(UNDER_WAY, running(threads), REQUEST_TIME)
    }

    fn with(under_way: usize, running: usize, time: Duration) -> Self {
        let places = |number| Arc::new(Semaphore::new(number));
        Gate { under_way: places(under_way), running: places(running), time }
    }

    /// Does blocking work when there is a place for it, and gives up waiting when the time is over.
    pub(super) async fn work<T, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, Failure> + Send + 'static,
    {
        let end = Instant::now() + self.time;
        let place = self.under_way.clone().try_acquire_owned().map_err(|_| Failure::busy())?;
        let turn = timeout_at(end, self.running.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Failure::busy())?.map_err(|_| Failure::busy())?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((place, turn));
            done
        });
        timeout_at(end, task).await.map_err(|_| Failure::slow())?.map_err(|_| Failure::broken())?
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
    }

    #[test]
    fn work_that_panics_costs_its_request_and_no_place() {
        runtime().block_on(async {
            let gate = Gate::new(1);
            for _ in 0..10 {
                assert!(gate.work(|| -> Result<(), Failure> { panic!("on purpose") }).await.is_err());
            }
            assert_eq!(gate.work(|| Ok(7)).await.unwrap(), 7);
        });
    }

    #[test]
    fn who_finds_no_place_is_told_at_once() {
        runtime().block_on(async {
            let gate = Gate::with(0, 1, REQUEST_TIME);
            assert_eq!(gate.work(|| Ok(())).await.unwrap_err().status, 503);
        });
    }

    #[test]
    fn slow_work_gets_an_error_and_keeps_its_place_until_it_is_done() {
        runtime().block_on(async {
            let gate = Gate::with(9, 1, Duration::from_millis(20));
            let (done, wait) = std::sync::mpsc::channel::<()>();
            let slow = gate.work(move || Ok(wait.recv().is_ok())).await;
            assert_eq!(slow.unwrap_err().status, 504);
            assert_eq!(gate.work(|| Ok(())).await.unwrap_err().status, 503, "its place is not free yet");
            done.send(()).unwrap();
            let free = timeout_at(Instant::now() + REQUEST_TIME, gate.running.acquire()).await;
            drop(free.unwrap());
            assert!(gate.work(|| Ok(())).await.is_ok());
        });
    }
}
