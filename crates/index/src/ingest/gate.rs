//! A limit on the bytes that are under way between two threads.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lets work through until so many bytes are under way; a single larger piece passes alone.
#[derive(Debug)]
pub(super) struct Gate {
    limit: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    closed: bool,
}

impl Gate {
    pub(super) fn new(limit: u64) -> Self {
        Gate { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits for room and takes it. False when the gate was closed meanwhile.
    pub(super) fn enter(&self, bytes: u64) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self
            .changed
            .wait_while(state, |state| !state.closed && state.used > 0 && state.used + bytes > self.limit)
            .unwrap_or_else(PoisonError::into_inner);
        state.used += bytes;
        !state.closed
    }

    /// Gives room back. Whoever waits is woken when half of the room is free: to be woken for each page would cost more than the
    /// page's reading.
    pub(super) fn leave(&self, bytes: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used -= bytes;
        if state.used <= self.limit / 2 {
            self.changed.notify_all();
        }
    }

    /// Lets everybody go: there is nothing to wait for any more.
    pub(super) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.changed.notify_all();
    }
}
