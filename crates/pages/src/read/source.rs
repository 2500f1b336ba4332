//! A buffered reader that knows its offset and can step back over the last megabyte.
//!
//! A flipped bit inside a gzip member is often noticed only after the decoder has run into the members that follow.
//! To find them again the bytes since the member's start are kept, within a bound, so that the search for the next
//! member can begin right after the start of the broken one.

use std::io::{self, BufRead, Read};

use super::BLOCK;

/// How many bytes after the mark are kept for stepping back.
const KEPT: usize = 4 * BLOCK;

pub(super) struct Source<R> {
    inner: R,
    buffer: Vec<u8>,
    /// The next byte to hand out.
    next: usize,
    /// The earliest byte that `rewind` may go back to.
    mark: usize,
    /// The offset in the file of `buffer[0]`.
    base: u64,
    ended: bool,
}

impl<R: Read> Source<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, buffer: Vec::new(), next: 0, mark: 0, base: 0, ended: false }
    }

    /// The offset in the file of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.next as u64
    }

    /// Keeps what follows for `rewind`.
    pub(super) fn mark(&mut self) {
        self.mark = self.next;
    }

    /// Goes back to `offset`, or as near to it as bytes were kept.
    pub(super) fn rewind(&mut self, offset: u64) {
        let wanted = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.next = wanted.clamp(self.mark, self.next);
    }

    /// The next `count` bytes without consuming them; fewer only at the end.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.next < count && !self.ended {
            self.refill()?;
        }
        let end = self.buffer.len().min(self.next + count);
        Ok(&self.buffer[self.next..end])
    }

    /// Moves on to where the next four bytes are what `is_start` wants; `false` at the end.
    pub(super) fn seek_start(&mut self, is_start: fn(&[u8]) -> bool) -> io::Result<bool> {
        loop {
            let rest = &self.buffer[self.next..];
            if let Some(at) = rest.windows(4).position(is_start) {
                self.next += at;
                return Ok(true);
            }
            if self.ended {
                self.next = self.buffer.len();
                return Ok(false);
            }
            self.next += rest.len().saturating_sub(3);
            self.mark = self.next;
            self.refill()?;
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        if self.buffer.len() - self.mark > KEPT {
            self.mark = self.next;
        }
        let dropped = self.mark;
        self.buffer.drain(..dropped);
        self.base += dropped as u64;
        self.next -= dropped;
        self.mark = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + BLOCK, 0);
        let outcome = loop {
            match self.inner.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        // After a fault of the disk nothing more is asked of it.
        let count = *outcome.as_ref().unwrap_or(&0);
        self.ended = count == 0;
        self.buffer.truncate(filled + count);
        outcome.map(|_| ())
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.next == self.buffer.len() && !self.ended {
            self.refill()?;
        }
        Ok(&self.buffer[self.next..])
    }

    fn consume(&mut self, count: usize) {
        self.next = self.buffer.len().min(self.next + count);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn numbered(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i / 251) as u8).collect()
    }

    #[test]
    fn rewinding_gives_the_same_bytes_again() {
        let bytes = numbered(3 * BLOCK);
        let mut source = Source::new(bytes.as_slice());
        io::copy(&mut source.by_ref().take(1000), &mut io::sink()).unwrap();
        source.mark();
        io::copy(&mut source.by_ref().take(2 * BLOCK as u64), &mut io::sink()).unwrap();
        source.rewind(1001);
        assert_eq!(source.offset(), 1001);
        let mut rest = Vec::new();
        source.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, bytes[1001..]);
    }

    #[test]
    fn memory_stays_bounded_when_the_mark_is_far_behind() {
        let mut source = Source::new(io::repeat(7).take(50 * BLOCK as u64));
        source.mark();
        io::copy(&mut source, &mut io::sink()).unwrap();
        assert!(source.buffer.capacity() <= 2 * (KEPT + 2 * BLOCK));
        source.rewind(0);
        assert!(source.offset() > 40 * BLOCK as u64);
    }

    #[test]
    fn a_start_across_two_blocks_is_found() {
        let mut bytes = vec![0; BLOCK - 2];
        bytes.extend(b"abcd rest");
        let mut source = Source::new(bytes.as_slice());
        assert!(source.seek_start(|four| four == b"abcd").unwrap());
        assert_eq!(source.offset(), BLOCK as u64 - 2);
        source.consume(1);
        assert!(!source.seek_start(|four| four == b"abcd").unwrap());
    }
}
