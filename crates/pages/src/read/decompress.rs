//! Plain, gzip and zstd bytes as one stream that outlives damage.
//!
//! Compressed collections are chains of gzip members or zstd frames, often one for each record, so that a broken one need
//! not cost the rest. A [`Stream`] is therefore a series of segments: within a segment bytes follow each other
//! without a gap; a segment ends at the end of the file or at damage, and [`Stream::resume`] tells which and goes on
//! with the next member that can be found. Reading itself never fails.
//!
//! The format is known by its magic number, never by the file's name. A dictionary in a leading skippable frame (the
//! `.warc.zst` convention) is honoured.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

use super::source::Source;

/// How many decompressed bytes are held.
const OUT: usize = 64 * 1024;

/// The largest zstd dictionary that is loaded.
const DICTIONARY_LIMIT: u64 = 16 * 1024 * 1024;

/// How often a file may make us step back and search again: damage is rare, and a file made of nothing but starts of
/// members must not cost the square of its size.
const REWINDS: u32 = 1_000;

/// The skippable frame that carries the dictionary of a `.warc.zst`.
const DICTIONARY_FRAME: u32 = 0x184D_2A5D;

/// Why a segment ended before the end of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The offset in the file of the broken member, or of the bytes that are no member.
    pub offset: u64,
    /// What is wrong.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Plain,
    Gzip,
    Zstd,
}

impl Format {
    fn of(start: &[u8]) -> Self {
        if is_gzip(start) {
            Self::Gzip
        } else if is_zstd(start) || skippable(start).is_some() {
            Self::Zstd
        } else {
            Self::Plain
        }
    }

    fn member(self) -> &'static str {
        match self {
            Self::Plain => "file",
            Self::Gzip => "gzip member",
            Self::Zstd => "zstd frame",
        }
    }

    fn is_start(self) -> fn(&[u8]) -> bool {
        match self {
            Self::Plain => |_| false,
            Self::Gzip => is_gzip,
            Self::Zstd => is_zstd,
        }
    }
}

/// The magic number, the only method there is, and no reserved flag.
fn is_gzip(start: &[u8]) -> bool {
    matches!(start, [0x1F, 0x8B, 8, flags, ..] if flags & 0xE0 == 0)
}

fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
}

/// The magic number of a skippable zstd frame.
fn skippable(start: &[u8]) -> Option<u32> {
    let magic = u32::from_le_bytes(start.get(..4)?.try_into().ok()?);
    (magic & 0xFFFF_FFF0 == 0x184D_2A50).then_some(magic)
}

enum Decoder<R: Read> {
    Plain(Source<R>),
    Gzip(Box<GzDecoder<Source<R>>>),
    Zstd(zstd::Decoder<'static, Source<R>>),
}

impl<R: Read> Decoder<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(source) => source.read(into),
            Self::Gzip(decoder) => decoder.read(into),
            Self::Zstd(decoder) => decoder.read(into),
        }
    }

    fn into_source(self) -> Source<R> {
        match self {
            Self::Plain(source) => source,
            Self::Gzip(decoder) => decoder.into_inner(),
            Self::Zstd(decoder) => decoder.finish(),
        }
    }
}

enum State<R: Read> {
    /// Before the first member or between two.
    Between(Source<R>),
    Inside(Decoder<R>),
    /// After damage, until `resume` is called.
    Broken(Source<R>),
    End,
}

/// Decompressed bytes, read through [`BufRead`] (which here never returns an error) and [`resume`](Self::resume).
pub struct Stream<R: Read> {
    state: State<R>,
    format: Option<Format>,
    dictionary: Vec<u8>,
    out: Vec<u8>,
    next: usize,
    /// The offset of the next byte in the decompressed bytes.
    position: u64,
    /// Where the member that holds the next byte starts, in the file and in the decompressed bytes.
    member: u64,
    member_position: u64,
    damage: Option<Damage>,
    rewinds: u32,
}

impl<R: Read> Stream<R> {
    /// A stream over a file's bytes, compressed or not.
    pub fn new(source: R) -> Self {
        Self {
            state: State::Between(Source::new(source)),
            format: None,
            dictionary: Vec::new(),
            out: Vec::new(),
            next: 0,
            position: 0,
            member: 0,
            member_position: 0,
            damage: None,
            rewinds: 0,
        }
    }

    /// The next bytes; none at the end of the segment.
    pub fn fill(&mut self) -> &[u8] {
        while self.next == self.out.len() && self.damage.is_none() {
            match mem::replace(&mut self.state, State::End) {
                State::Between(source) => self.open(source),
                State::Inside(decoder) => self.decode(decoder),
                State::Broken(_) | State::End => break,
            }
        }
        &self.out[self.next..]
    }

    /// To be called when a segment has ended: the damage that ended it, or `None` at the end of the file. After damage the
    /// next segment can be read.
    pub fn resume(&mut self) -> Option<Damage> {
        let damage = self.damage.take()?;
        if let State::Broken(mut source) = mem::replace(&mut self.state, State::End) {
            self.rewinds += 1;
            if self.rewinds <= REWINDS {
                source.rewind(damage.offset + 1);
            }
            // Some faults show before a byte is consumed; the same start must not be found again.
            if source.offset() == damage.offset {
                source.consume(1);
            }
            let is_start = self.format.unwrap_or(Format::Plain).is_start();
            if source.seek_start(is_start).unwrap_or(false) {
                self.state = State::Between(source);
            }
        }
        Some(damage)
    }

    /// The damage that ended the segment, while it has not been resumed.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Whether the next byte is the first of a compressed member. Like the offsets, this is settled by [`fill`](Self::fill).
    pub fn opens_member(&self) -> bool {
        self.position == self.member_position
    }

    /// The offset of the next byte: the member's in the file if the byte opens a member, else in the decompressed bytes.
    pub fn offset(&self) -> u64 {
        if self.opens_member() { self.member } else { self.position }
    }

    /// Whether the bytes come from gzip members or zstd frames.
    pub fn is_compressed(&self) -> bool {
        matches!(self.format, Some(Format::Gzip | Format::Zstd))
    }

    /// The offset of the next byte in the decompressed bytes.
    pub fn position(&self) -> u64 {
        self.position
    }

    fn open(&mut self, mut source: Source<R>) {
        match self.try_open(&mut source) {
            Ok(None) => self.state = State::End,
            Ok(Some(format)) => self.start(source, format),
            Err(error) => self.break_off(source, &error),
        }
    }

    /// Finds what comes next: `None` is the end of the file.
    fn try_open(&mut self, source: &mut Source<R>) -> io::Result<Option<Format>> {
        loop {
            source.mark();
            self.member = source.offset();
            self.member_position = self.position;
            let start = source.peek(4)?;
            let format = *self.format.get_or_insert_with(|| Format::of(start));
            if start.is_empty() {
                return Ok(None);
            } else if format == Format::Plain || format.is_start()(start) {
                return Ok(Some(format));
            } else if let (Format::Zstd, Some(magic)) = (format, skippable(start)) {
                self.skip_frame(source, magic)?;
            } else if start[0] == 0 {
                // Padding, as tape archives and some downloads have it.
                source.consume(1);
            } else {
                return Err(invalid("starts with the wrong bytes"));
            }
        }
    }

    fn skip_frame(&mut self, source: &mut Source<R>, magic: u32) -> io::Result<()> {
        let first = source.offset() == 0;
        let mut head = [0; 8];
        source.read_exact(&mut head)?;
        let [.., a, b, c, d] = head;
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let mut frame = source.take(length);
        if first && magic == DICTIONARY_FRAME && length <= DICTIONARY_LIMIT {
            self.dictionary = read_dictionary(&mut frame)?;
        } else {
            io::copy(&mut frame, &mut io::sink())?;
        }
        match frame.limit() {
            0 => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn start(&mut self, source: Source<R>, format: Format) {
        let decoder = match format {
            Format::Plain => Decoder::Plain(source),
            Format::Gzip => Decoder::Gzip(Box::new(GzDecoder::new(source))),
            Format::Zstd => match zstd::Decoder::with_dictionary(source, &self.dictionary) {
                Ok(decoder) => Decoder::Zstd(decoder.single_frame()),
                Err(error) => {
                    // The source is gone with the decoder; only a lack of memory leads here.
                    self.damage = Some(self.describe(&error));
                    return;
                }
            },
        };
        self.state = State::Inside(decoder);
    }

    fn decode(&mut self, mut decoder: Decoder<R>) {
        self.out.resize(OUT, 0);
        self.next = 0;
        let outcome = decoder.read(&mut self.out);
        self.out.truncate(*outcome.as_ref().unwrap_or(&0));
        match outcome {
            Ok(0) => self.state = State::Between(decoder.into_source()),
            Ok(_) => self.state = State::Inside(decoder),
            Err(error) => self.break_off(decoder.into_source(), &error),
        }
    }

    fn break_off(&mut self, source: Source<R>, error: &io::Error) {
        self.damage = Some(self.describe(error));
        self.state = State::Broken(source);
    }

    fn describe(&self, error: &io::Error) -> Damage {
        let member = self.format.unwrap_or(Format::Plain).member();
        let message = match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("the {member} is cut short"),
            _ => format!("the {member} cannot be read: {error}"),
        };
        Damage { offset: self.member, message }
    }
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill().read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Stream<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.fill())
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.out.len() - self.next);
        self.next += count;
        self.position += count as u64;
    }
}

/// A dictionary as it is or itself compressed.
fn read_dictionary(frame: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    frame.read_to_end(&mut bytes)?;
    if !is_zstd(&bytes) {
        return Ok(bytes);
    }
    let mut dictionary = Vec::new();
    zstd::Decoder::new(bytes.as_slice())?.take(DICTIONARY_LIMIT).read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// How [`read_until`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The pattern was found; it is the last of what was read.
    Found,
    /// More than the limit came before the pattern.
    TooLong,
    /// The segment ended before the pattern.
    End,
}

/// Appends up to and with `pattern`, at most `limit` bytes.
pub(super) fn read_until<R: Read>(stream: &mut Stream<R>, pattern: &[u8], limit: usize, into: &mut Vec<u8>) -> Until {
    let Some(&last) = pattern.last() else {
        return Until::Found;
    };
    loop {
        let chunk = stream.fill();
        if chunk.is_empty() {
            return Until::End;
        }
        let count = chunk.iter().position(|&b| b == last).map_or(chunk.len(), |at| at + 1);
        if into.len() + count > limit {
            return Until::TooLong;
        }
        into.extend_from_slice(&chunk[..count]);
        stream.consume(count);
        if into.ends_with(pattern) {
            return Until::Found;
        }
    }
}

/// Consumes up to and with `pattern`, of which `before` may hold the beginning; `false` if the segment ends first.
pub(super) fn skip_until<R: Read>(stream: &mut Stream<R>, pattern: &[u8], before: &[u8]) -> bool {
    let overlap = pattern.len().saturating_sub(1);
    let mut tail = before[before.len().saturating_sub(overlap)..].to_vec();
    loop {
        match read_until(stream, pattern, tail.len() + OUT, &mut tail) {
            Until::Found => return true,
            Until::End => return false,
            Until::TooLong => {}
        }
        tail.drain(..tail.len().saturating_sub(overlap));
    }
}

/// Consumes white space; `false` if the segment ends with it.
pub(super) fn skip_blank<R: Read>(stream: &mut Stream<R>) -> bool {
    loop {
        let chunk = stream.fill();
        if chunk.is_empty() {
            return false;
        }
        let blank = chunk.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let found = blank < chunk.len();
        stream.consume(blank);
        if found {
            return true;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
