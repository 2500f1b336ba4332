//! As much of HTTP as an archived response needs: the head, and the body's transfer and content encodings.
//!
//! Archives often keep the headers of a response whose body they have already decoded. So an encoding is undone only
//! where the body looks encoded.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::HEADER_LIMIT;

/// Each encoding within another multiplies what a bomb can do; honest servers use one.
const MAX_ENCODINGS: usize = 3;

/// The largest window of a zstd body: the 8 MB that RFC 8878 asks for.
const ZSTD_WINDOW_LOG: u32 = 23;

/// The first line of a message and its headers; WARC records have the same shape.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) first: String,
    fields: Vec<(String, String)>,
}

impl Head {
    /// Reads up to and with the blank line; `None` if it does not come within the limit.
    pub(super) fn read(input: &mut impl BufRead) -> Option<Self> {
        let first = String::new();
        Self::read_after(first, input)
    }

    /// The same where the first line has been read before; an empty one is still to come.
    pub(super) fn read_after(first: String, input: &mut impl BufRead) -> Option<Self> {
        let mut input = input.take(HEADER_LIMIT as u64);
        let mut head = Self { first, fields: Vec::new() };
        if head.first.is_empty() {
            head.first = read_line(&mut input)?;
        }
        loop {
            let line = read_line(&mut input)?;
            if line.is_empty() {
                return Some(head);
            }
            head.add(&line);
        }
    }

    fn add(&mut self, line: &str) {
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = self.fields.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            self.fields.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }

    /// The value of the first field of this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let field = fields.find(|(other, _)| other.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value.as_str())
    }

    /// The status code, where this is the head of an HTTP response.
    pub(super) fn status(&self) -> Option<u16> {
        let rest = self.first.strip_prefix("HTTP/")?;
        rest.split_whitespace().nth(1)?.parse().ok()
    }
}

/// A line without its end; `None` if the input ends first.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line).ok()?;
    let line = line.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Some(String::from_utf8_lossy(line).into_owned())
}

/// The body as the page's author wrote it.
pub(super) fn decoded<'a>(body: impl BufRead + 'a, head: &Head) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut body: Box<dyn BufRead + 'a> = Box::new(body);
    if let Some(codings) = head.get("transfer-encoding") {
        body = undo(body, codings)?;
    }
    if let Some(codings) = head.get("content-encoding") {
        body = undo(body, codings)?;
    }
    Ok(body)
}

fn undo<'a>(mut body: Box<dyn BufRead + 'a>, codings: &str) -> io::Result<Box<dyn BufRead + 'a>> {
    if codings.split(',').count() > MAX_ENCODINGS {
        return Err(invalid(format!("more than {MAX_ENCODINGS} encodings within each other")));
    }
    // They are listed in the order in which they were applied.
    for coding in codings.rsplit(',') {
        let start = body.fill_buf()?;
        let first = start.first().copied();
        let zlib = matches!(start, [a, b, ..] if a & 0x0F == 8 && u16::from_be_bytes([*a, *b]) % 31 == 0);
        let text = first.is_none_or(|byte| byte == b'<' || byte == 0xEF || byte.is_ascii_whitespace());
        body = match coding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => body,
            "chunked" if first.is_some_and(|byte| byte.is_ascii_hexdigit()) => buffered(Chunked::new(body)),
            "gzip" | "x-gzip" if first == Some(0x1F) => buffered(MultiGzDecoder::new(body)),
            "deflate" if zlib => buffered(ZlibDecoder::new(body)),
            "deflate" if !text => buffered(DeflateDecoder::new(body)),
            "zstd" if first == Some(0x28) => {
                let mut decoder = zstd::Decoder::with_buffer(body)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                buffered(decoder)
            }
            "chunked" | "gzip" | "x-gzip" | "deflate" | "zstd" => body,
            _ if text => body,
            other => return Err(invalid(format!("the encoding {other:?} is not supported"))),
        };
    }
    Ok(body)
}

fn buffered<'a>(body: impl Read + 'a) -> Box<dyn BufRead + 'a> {
    Box::new(BufReader::new(body))
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

/// The chunked transfer encoding of RFC 9112, section 7.1.
struct Chunked<B> {
    body: B,
    /// What is left of the current chunk.
    left: u64,
    started: bool,
    ended: bool,
}

impl<B: BufRead> Chunked<B> {
    fn new(body: B) -> Self {
        Self { body, left: 0, started: false, ended: false }
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        if self.started {
            self.line()?;
        }
        self.started = true;
        let line = self.line()?;
        let size = line.split(';').next().unwrap_or_default().trim();
        self.left = u64::from_str_radix(size, 16).map_err(|_| invalid("a chunk does not start with its size"))?;
        self.ended = self.left == 0;
        Ok(())
    }

    fn line(&mut self) -> io::Result<String> {
        let mut limited = self.body.by_ref().take(HEADER_LIMIT as u64);
        read_line(&mut limited).ok_or_else(|| invalid("the chunks end before the last"))
    }
}

impl<B: BufRead> Read for Chunked<B> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.ended {
            self.next_chunk()?;
        }
        if self.ended || into.is_empty() {
            return Ok(0);
        }
        let count = self.body.by_ref().take(self.left).read(into)?;
        if count == 0 {
            return Err(invalid("the chunks end before the last"));
        }
        self.left -= count as u64;
        Ok(count)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::{gzip, zlib, zstd_frame};
    use super::*;

    fn head(text: &str) -> Head {
        Head::read(&mut text.as_bytes()).unwrap()
    }

    fn body(headers: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let head = head(&format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n"));
        let mut out = Vec::new();
        decoded(bytes, &head)?.take(1 << 20).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn headers_have_no_case_and_may_be_folded() {
        let head = head("HTTP/1.0 404 Not Found\r\nA: b\r\n  c\nTYPE:text/html\r\n\r\nrest");
        assert_eq!(head.status(), Some(404));
        assert_eq!(head.get("a"), Some("b c"));
        assert_eq!(head.get("Type"), Some("text/html"));
        assert_eq!(head.get("none"), None);
    }

    #[test]
    fn a_head_that_does_not_end_is_none() {
        assert!(Head::read(&mut &b"HTTP/1.0 200 OK\r\nA: b\r\n"[..]).is_none());
        let long = format!("HTTP/1.0 200 OK\r\nA: {}\r\n\r\n", "x".repeat(HEADER_LIMIT));
        assert!(Head::read(&mut long.as_bytes()).is_none());
    }

    #[test]
    fn every_encoding_is_undone() {
        let html = b"<p>harbour";
        let chunked = b"4;x=y\r\n<p>h\r\n6\r\narbour\r\n0\r\n\r\n";
        assert_eq!(body("Transfer-Encoding: chunked", chunked).unwrap(), html);
        assert_eq!(body("Content-Encoding: gzip", &gzip(html)).unwrap(), html);
        assert_eq!(body("Content-Encoding: deflate", &zlib(html)).unwrap(), html);
        assert_eq!(body("Content-Encoding: deflate", &zlib(html)[2..]).unwrap(), html);
        assert_eq!(body("Content-Encoding: zstd", &zstd_frame(html)).unwrap(), html);
        assert_eq!(body("Content-Encoding: identity", html).unwrap(), html);
        assert_eq!(body("Content-Encoding: deflate, gzip", &gzip(&zlib(html))).unwrap(), html);
    }

    #[test]
    fn gzip_within_chunks_is_undone() {
        let packed = gzip(b"<p>harbour");
        let mut bytes = format!("{:X}\r\n", packed.len()).into_bytes();
        bytes.extend(packed);
        bytes.extend(b"\r\n0\r\n\r\n");
        let headers = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip";
        assert_eq!(body(headers, &bytes).unwrap(), b"<p>harbour");
    }

    #[test]
    fn a_body_decoded_before_it_was_archived_stays_as_it_is() {
        for coding in ["chunked", "gzip", "deflate", "zstd", "br"] {
            let headers = format!("Content-Encoding: {coding}");
            assert_eq!(body(&headers, b"<p>harbour").unwrap(), b"<p>harbour");
        }
    }

    #[test]
    fn what_cannot_be_decoded_is_an_error() {
        assert!(body("Content-Encoding: br", &[0x8B, 1]).unwrap_err().to_string().contains("br"));
        assert!(body("Content-Encoding: gzip", &gzip(b"<p>harbour")[..15]).is_err());
        assert!(body("Transfer-Encoding: chunked", b"5\r\n<p>").is_err());
        assert!(body("Transfer-Encoding: chunked", b"ffffffffffffffffff\r\n<p>").is_err());
        assert!(body("Content-Encoding: gzip,gzip,gzip,gzip", b"x").is_err());
    }
}
