//! Standard input that can be left.
//!
//! A read of a silent pipe waits for ever, and a signal does not end it. So a thread of its own waits for the input,
//! and whoever wants it looks up now and then to see whether somebody asked to stop.

use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use super::BLOCK;

/// How long a request to stop may go unheard.
const PATIENCE: Duration = Duration::from_millis(100);

/// Standard input, which ends when it ends or when `stop` is set.
pub(super) struct Stdin<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    current: Cursor<Vec<u8>>,
    stop: &'a AtomicBool,
}

impl<'a> Stdin<'a> {
    pub(super) fn new(stop: &'a AtomicBool) -> Self {
        Self::of(io::stdin(), stop)
    }

    fn of(mut input: impl Read + Send + 'static, stop: &'a AtomicBool) -> Self {
        let (to_reader, blocks) = bounded(2);
        // It ends with the input, with the reader or with the program.
        std::thread::spawn(move || {
            loop {
                let mut block = vec![0; BLOCK];
                let read = input.read(&mut block).map(|length| {
                    block.truncate(length);
                    block
                });
                let is_last = read.as_ref().is_ok_and(Vec::is_empty);
                if to_reader.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Self { blocks, current: Cursor::default(), stop }
    }

    /// The next block; an empty one at the end.
    fn next(&self) -> io::Result<Vec<u8>> {
        while !self.stop.load(Ordering::Relaxed) {
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(block) => return block,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(Vec::new())
    }
}

impl Read for Stdin<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.current.position() == self.current.get_ref().len() as u64 {
            self.current = Cursor::new(self.next()?);
        }
        self.current.read(buffer)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_through_in_order() {
        let bytes: Vec<u8> = (0..3 * BLOCK + 17).map(|n| (n % 251) as u8).collect();
        let stop = AtomicBool::new(false);
        let mut read = Vec::new();
        let mut input = Stdin::of(Cursor::new(bytes.clone()), &stop);
        input.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
        assert_eq!(input.read(&mut [0]).unwrap(), 0, "the end stays the end");
    }

    #[test]
    fn a_silent_input_ends_when_asked_to_stop() {
        let (silent, _open) = io::pipe().unwrap();
        let stop = AtomicBool::new(true);
        assert_eq!(Stdin::of(silent, &stop).read(&mut [0]).unwrap(), 0);
    }
}
