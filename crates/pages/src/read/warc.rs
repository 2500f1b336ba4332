//! WARC, the format of web archives (ISO 28500), plain or compressed.
//!
//! Pages are the `response` records of status 200 and the `resource` records whose content is HTML; all other records
//! are [`Found::Ignored`]. Bodies are streamed through their HTTP encodings, so neither a large record nor a small one that
//! explodes is ever held whole.
//!
//! The reader is our own because it must survive damage: after a broken record it reports where that was and goes on
//! with the next gzip member, zstd frame or `WARC/` line. A record whose compressed member fails its checksum counts as broken even
//! if it could be read.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::decompress::{Stream, Until, read_until, skip_blank, skip_until};
use super::http::{self, Head};
use super::sniff;
use super::{Emit, Found, HEADER_LIMIT, Origin, RawPage, ReadOptions, SkipReason};

/// How every record starts.
const VERSION: &[u8] = b"WARC/";

/// Whether a file's first bytes are of this format.
pub(super) fn is_warc(start: &[u8]) -> bool {
    start.trim_ascii_start().starts_with(VERSION)
}

/// Reads a WARC, plain or compressed, from any source; `file` is its name in reports.
pub fn read(source: impl Read, file: &Path, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let mut reader = Reader { stream: Stream::new(source), file, options };
    loop {
        if skip_blank(&mut reader.stream) {
            reader.read_record(emit)?;
        } else if let Some(damage) = reader.stream.resume() {
            emit(reader.damaged(damage.offset, damage.message))?;
        } else {
            return ControlFlow::Continue(());
        }
    }
}

struct Reader<'a, R: Read> {
    stream: Stream<R>,
    file: &'a Path,
    options: &'a ReadOptions,
}

/// Where a record starts.
#[derive(Clone, Copy)]
struct Start {
    offset: u64,
    opens_member: bool,
}

impl<R: Read> Reader<'_, R> {
    fn damaged(&self, offset: u64, message: impl Into<String>) -> Found {
        Found::Damaged { origin: Origin::new(self.file, offset), message: message.into() }
    }

    fn start(&self) -> Start {
        Start { offset: self.stream.offset(), opens_member: self.stream.opens_member() }
    }

    fn read_record(&mut self, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut start = self.start();
        let mut version = self.version_line();
        if version.is_none() && self.stream.damage().is_none() {
            emit(self.damaged(start.offset, "expected a record that starts with WARC/1"))?;
            (start, version) = self.find_record();
        }
        let Some(version) = version else {
            return ControlFlow::Continue(());
        };
        match Head::read_after(version, &mut self.stream) {
            Some(head) => self.read_block(&head, start, emit),
            // The caller reports what ended the segment.
            None if self.stream.damage().is_some() => ControlFlow::Continue(()),
            None => emit(self.damaged(start.offset, "the record's header does not end")),
        }
    }

    /// The line that starts a record, where there is one.
    fn version_line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let outcome = read_until(&mut self.stream, b"\n", HEADER_LIMIT, &mut line);
        if outcome == Until::Found && line.starts_with(VERSION) {
            return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
        if outcome == Until::TooLong {
            skip_until(&mut self.stream, b"\n", &[]);
        }
        None
    }

    /// The next line that starts a record, in this segment.
    fn find_record(&mut self) -> (Start, Option<String>) {
        loop {
            let ended = self.stream.fill().is_empty();
            let start = self.start();
            let version = self.version_line();
            if ended || version.is_some() {
                return (start, version);
            }
        }
    }

    fn read_block(&mut self, head: &Head, start: Start, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let Some(length) = head.get("content-length").and_then(|value| value.parse().ok()) else {
            return emit(self.damaged(start.offset, "the record has no Content-Length"));
        };
        let mut block = Block { stream: &mut self.stream, left: length, begun: false };
        let origin = Origin::new(self.file, start.offset);
        let found = find_page(head, &mut block, origin, self.options);
        block.drain();
        let left = block.left;
        let mut ends_well = self.at_end();
        skip_blank(&mut self.stream);
        // Junk in a record's own member comes from a fault that the checksum has yet to show.
        if start.opens_member && self.stream.is_compressed() && !self.stream.opens_member() {
            ends_well &= self.at_end();
        }
        let name = head.get("warc-target-uri").unwrap_or("no URI");
        if let Some(damage) = self.stream.damage()
            && (left > 0 || start.opens_member && damage.offset == start.offset)
        {
            // The caller reports the damage, which covers this record.
            return ControlFlow::Continue(());
        }
        emit(if left > 0 {
            self.damaged(
                start.offset,
                format!("the record ({name}) is cut short: {left} of {length} bytes are missing"),
            )
        } else if !ends_well {
            self.damaged(start.offset, format!("the record ({name}) does not end where its Content-Length says"))
        } else {
            found
        })
    }

    /// Whether what follows a block may follow it: blank lines, or at least another record.
    fn at_end(&mut self) -> bool {
        let start = self.stream.fill();
        if matches!(start.first(), None | Some(b'\r' | b'\n')) {
            return true;
        }
        // Fewer bytes than a whole version may be at hand.
        let shown = start.len().min(VERSION.len());
        start[..shown] == VERSION[..shown]
    }
}

/// What a record holds for us.
fn find_page<R: Read>(head: &Head, block: &mut Block<'_, R>, origin: Origin, options: &ReadOptions) -> Found {
    let uri = head.get("warc-target-uri").map(|uri| uri.trim_matches(['<', '>', ' ']));
    let uri = uri.filter(|uri| !uri.is_empty());
    let is_type = |name| head.get("warc-type").is_some_and(|value| value.eq_ignore_ascii_case(name));
    let record_type = head.get("content-type");
    let mut page = RawPage {
        stamp: None,
        id: uri.unwrap_or_default().to_owned(),
        url: uri.unwrap_or_default().to_owned(),
        bytes: Vec::new(),
        content_type: record_type.map(str::to_owned),
        origin,
    };
    let mut message = Head::default();
    if is_type("response") {
        if record_type.is_some_and(|value| !value.to_ascii_lowercase().starts_with("application/http")) {
            return Found::Ignored;
        }
        let Some(http) = Head::read(block).filter(|head| head.status().is_some()) else {
            return unreadable(page, "the record holds no HTTP response");
        };
        if http.status() != Some(200) {
            return Found::Ignored;
        }
        message = http;
        page.content_type = message.get("content-type").map(str::to_owned);
    } else if !is_type("resource") {
        return Found::Ignored;
    }
    page.content_type = page.content_type.filter(|value| !value.is_empty());
    if page.content_type.as_deref().is_some_and(|value| !sniff::is_html_type(value)) {
        return Found::Ignored;
    }
    let decoded =
        http::decoded(block, &message).and_then(|body| body.take(options.page_cap()).read_to_end(&mut page.bytes));
    if page.content_type.is_none() && !sniff::is_html(&page.bytes) {
        return Found::Ignored;
    }
    match decoded {
        _ if page.bytes.len() as u64 > options.max_page_size => options.judge(page),
        Err(error) => unreadable(page, format!("the body cannot be decoded: {error}")),
        Ok(_) if page.id.is_empty() => unreadable(page, "the record has no WARC-Target-URI"),
        Ok(_) => options.judge(page),
    }
}

fn unreadable(page: RawPage, detail: impl Into<String>) -> Found {
    Found::Skipped { id: page.id, origin: page.origin, reason: SkipReason::Unreadable, detail: detail.into() }
}

/// A record's block: as many bytes as its header says.
struct Block<'a, R: Read> {
    stream: &'a mut Stream<R>,
    left: u64,
    begun: bool,
}

impl<R: Read> Block<'_, R> {
    /// Goes to the block's end; what is then left is missing.
    fn drain(&mut self) {
        while let Ok(rest) = self.fill_buf() {
            let count = rest.len();
            if count == 0 {
                return;
            }
            self.consume(count);
        }
    }
}

impl<R: Read> Read for Block<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Block<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let available = self.stream.fill().len();
        // A wrong length must not swallow the records after this one: a member that opens with a record ends the block.
        let next_record = self.begun && self.stream.opens_member() && self.stream.fill().starts_with(VERSION);
        let shown = match usize::try_from(self.left) {
            _ if next_record => 0,
            Ok(left) => left.min(available),
            Err(_) => available,
        };
        Ok(&self.stream.fill()[..shown])
    }

    fn consume(&mut self, count: usize) {
        self.begun |= count > 0;
        self.left -= count as u64;
        self.stream.consume(count);
    }
}

#[cfg(test)]
mod tests;
