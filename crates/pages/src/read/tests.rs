//! What the tests of all readers share, and what holds for all formats: what is written is read back, and no bytes
//! whatever make a reader fail.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Emit, Found, RawPage, ReadOptions, SkipReason, jsonl, trec, warc};

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

pub(super) fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("memory");
    encoder.include_checksum(true).expect("known option");
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Everything a reader emits.
pub(super) fn collect(read: impl FnOnce(&mut Emit<'_>) -> ControlFlow<()>) -> Vec<Found> {
    let mut found = Vec::new();
    let ended = read(&mut |item| {
        found.push(item);
        ControlFlow::Continue(())
    });
    assert!(ended.is_continue());
    found
}

pub(super) fn pages(found: &[Found]) -> Vec<&RawPage> {
    let mut pages = Vec::new();
    for item in found {
        if let Found::Page(page) = item {
            pages.push(page);
        }
    }
    pages
}

pub(super) fn skips(found: &[Found]) -> Vec<(String, SkipReason)> {
    let skip = |item: &Found| match item {
        Found::Skipped { id, reason, .. } => Some((id.clone(), *reason)),
        _ => None,
    };
    found.iter().filter_map(skip).collect()
}

pub(super) fn damages(found: &[Found]) -> Vec<(u64, String)> {
    let damage = |item: &Found| match item {
        Found::Damaged { origin, message } => Some((origin.offset, message.clone())),
        _ => None,
    };
    found.iter().filter_map(damage).collect()
}

pub(super) fn warc_record(kind: &str, uri: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    record.extend(block);
    record.extend(b"\r\n\r\n");
    record
}

pub(super) fn response(uri: &str, message: &[u8]) -> Vec<u8> {
    warc_record("response", uri, "application/http; msgtype=response", message)
}

pub(super) fn http(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut message = format!("HTTP/1.1 {status}\r\n{headers}\r\n").into_bytes();
    message.extend(body);
    message
}

/// An id and the page's bytes.
type Written = (String, Vec<u8>);

#[derive(Debug, Clone, Copy)]
enum Format {
    Warc,
    Trec,
    JsonLines,
}

impl Format {
    fn record(self, (id, bytes): &Written) -> Vec<u8> {
        match self {
            Self::Warc => response(id, &http("200 OK", "Content-Type: text/html\r\n", bytes)),
            Self::Trec => [format!("<DOC>\n<DOCNO>{id}</DOCNO>\n").as_bytes(), bytes, b"\n</DOC>\n"].concat(),
            Self::JsonLines => {
                let html = String::from_utf8_lossy(bytes);
                format!("{}\n", serde_json::json!({"url": id, "html": html})).into_bytes()
            }
        }
    }

    fn read(self, bytes: &[u8]) -> Vec<Found> {
        let options = ReadOptions { max_page_size: 4096, ..Default::default() };
        let file = Path::new("site");
        collect(|emit| match self {
            Self::Warc => warc::read(bytes, file, &options, emit),
            Self::Trec => trec::read(bytes, file, &options, emit),
            Self::JsonLines => jsonl::read(bytes, file, &options, emit),
        })
    }
}

#[derive(Debug, Clone, Copy)]
enum Packing {
    Plain,
    Gzip,
    GzipEach,
    Zstd,
    ZstdEach,
}

impl Packing {
    /// The packed records, and where in the packed bytes each of them ends.
    fn pack(self, records: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
        let each = |pack: fn(&[u8]) -> Vec<u8>| {
            let mut bytes = Vec::new();
            let ends = records.iter().map(|record| {
                bytes.extend(pack(record));
                bytes.len()
            });
            let ends = ends.collect();
            (bytes, ends)
        };
        let whole = |bytes: Vec<u8>| {
            let ends = vec![bytes.len(); records.len()];
            (bytes, ends)
        };
        match self {
            Self::Plain => each(<[u8]>::to_vec),
            Self::GzipEach => each(gzip),
            Self::ZstdEach => each(zstd_frame),
            Self::Gzip => whole(gzip(&records.concat())),
            Self::Zstd => whole(zstd_frame(&records.concat())),
        }
    }
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![Just(Format::Warc), Just(Format::Trec), Just(Format::JsonLines)]
}

fn packings() -> impl Strategy<Value = Packing> {
    use Packing::*;
    prop_oneof![Just(Plain), Just(Gzip), Just(GzipEach), Just(Zstd), Just(ZstdEach)]
}

fn sites() -> impl Strategy<Value = Vec<Written>> {
    let page = ("[a-z]{1,6}", "[ -~é\n]{0,200}");
    vec(page, 0..12).prop_map(|pages| {
        let named = pages.into_iter().enumerate();
        named.map(|(n, (id, text))| (format!("u:{n}-{id}"), format!("<p>{text}").into_bytes())).collect()
    })
}

fn written(found: &[Found]) -> Vec<Written> {
    pages(found).iter().map(|page| (page.id.clone(), page.bytes.clone())).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(site in sites(), format in formats(), packing in packings()) {
        let records: Vec<_> = site.iter().map(|page| format.record(page)).collect();
        let found = format.read(&packing.pack(&records).0);
        prop_assert_eq!(written(&found), site);
        prop_assert_eq!(damages(&found), []);
    }

    #[test]
    fn records_before_damage_are_read(
        site in sites(),
        format in formats(),
        packing in packings(),
        at in any::<prop::sample::Index>(),
        flip in prop::option::of(1..=255_u8),
    ) {
        let records: Vec<_> = site.iter().map(|page| format.record(page)).collect();
        let (mut bytes, ends) = packing.pack(&records);
        if bytes.is_empty() {
            return Ok(());
        }
        let at = at.index(bytes.len());
        match flip {
            Some(flip) => bytes[at] ^= flip,
            None => bytes.truncate(at),
        }
        let found = format.read(&bytes);
        let sound = ends.iter().filter(|&&end| end <= at).count();
        let read = written(&found);
        prop_assert!(read.len() >= sound, "{} of {} at {}: {:?}", read.len(), sound, at, found);
        prop_assert_eq!(&read[..sound], &site[..sound]);
    }

    #[test]
    fn no_bytes_make_a_reader_fail(bytes in vec(any::<u8>(), 0..2000), format in formats(), packing in packings()) {
        format.read(&packing.pack(&[bytes]).0);
    }

    #[test]
    fn no_pieces_of_the_formats_make_a_reader_fail(
        pieces in vec(prop::sample::select(PIECES), 0..60),
        format in formats(),
        packing in packings(),
    ) {
        let pieces: Vec<_> = pieces.iter().map(|piece| piece.to_vec()).collect();
        format.read(&packing.pack(&pieces).0);
    }
}

/// Words of all formats, to be shuffled.
const PIECES: &[&[u8]] = &[
    b"WARC/1.0\r\n",
    b"WARC-Type: response\r\n",
    b"WARC-Type: resource\r\n",
    b"WARC-Target-URI: u:a\r\n",
    b"Content-Type: text/html\r\n",
    b"Content-Length: 20\r\n",
    b"Content-Length: 99999999999999999999\r\n",
    b"Content-Length: 18446744073709551615\r\n",
    b"HTTP/1.1 200 OK\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Content-Encoding: deflate\r\n",
    b"ffffffffffffffff\r\n",
    b"\r\n",
    b"\n",
    b"\x1F\x8B\x08\0\0\0\0\0\0\0",
    b"\x28\xB5\x2F\xFD",
    b"\x5D\x2A\x4D\x18\xFF\xFF\xFF\xFF",
    b"<DOC>",
    b"</DOC>",
    b"<DOCNO>",
    b"1",
    b"</DOCNO>",
    b"<DOCHDR>",
    b"</DOCHDR>",
    b"<p>harbour",
    b"{\"url\":",
    b"\"html\":",
    b"\"\\ud800\"",
    b"}",
    b"\0",
    b"\xFF",
];
