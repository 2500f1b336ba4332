#![allow(clippy::unwrap_used)]

use super::*;
use crate::parse::parse_html;
use proptest::prelude::*;

fn page(id: usize, html: &str) -> Page {
    let mut page = parse_html(html);
    page.id = format!("page-{id}");
    page
}

fn spool(dir: &Path, pages: &[Page]) -> Spool {
    let mut writer = SpoolWriter::create(&dir.join("spool")).unwrap();
    for page in pages {
        writer.append(&Encoded::new(page).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn pages_come_back_alone_and_in_windows() {
    let dir = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..20).map(|n| page(n, &format!("<title>t{n}</title><p>text {n}"))).collect();
    let spool = spool(dir.path(), &pages);
    assert_eq!(spool.page(PageNo(7)).unwrap(), pages[7]);
    let window = spool.window(PageNo(5), PageNo(15)).unwrap();
    for (n, page) in pages.iter().enumerate().take(15).skip(5) {
        assert_eq!(&window.page(PageNo(n as u32)).unwrap(), page);
    }
}

#[test]
fn name_and_lines_are_read_without_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let mut pages: Vec<Page> = (0..3).map(|n| page(n, &format!("<title>t{n}</title>\n<p>text {n}"))).collect();
    pages[1].url = "http://h/1".to_owned();
    let spool = spool(dir.path(), &pages);
    let lines = spool.lines(PageNo(1)).unwrap();
    assert_eq!((lines.id.as_str(), lines.url.as_str(), lines.lines.len()), ("page-1", "http://h/1", 2));
    assert_eq!(lines.lines, pages[1].lines);
    let window = spool.window(PageNo(0), PageNo(3)).unwrap();
    let name = window.name(PageNo(1)).unwrap();
    assert_eq!((name.id, name.url), (lines.id, lines.url));
}

#[test]
fn an_empty_spool_has_an_empty_window() {
    let dir = tempfile::tempdir().unwrap();
    let spool = spool(dir.path(), &[]);
    assert!(spool.is_empty());
    spool.window(PageNo(0), PageNo(0)).unwrap();
}

#[test]
fn a_flipped_byte_is_found_and_the_file_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spool");
    let spool = spool(dir.path(), &[page(0, "<p>something to damage")]);
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = spool.page(PageNo(0)).unwrap_err().to_string();
    assert!(error.contains("spool") && error.contains("damaged at byte 12"), "{error}");
}

#[test]
fn a_file_cut_short_is_an_error_and_not_a_signal() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("spool");
    let spool = spool(dir.path(), &[page(0, &"<p>long".repeat(2000))]);
    File::options().write(true).open(&path).unwrap().set_len(100).unwrap();
    assert!(spool.page(PageNo(0)).is_err());
}

#[test]
fn a_record_of_the_longest_payload_is_read_again_and_a_byte_more_is_refused() {
    let longest = vec![7; frame::MAX_PAYLOAD];
    let wrapped = frame::wrap(&longest).unwrap();
    assert!(frame::payload(&wrapped).unwrap() == longest);
    let error = frame::wrap(&[longest, vec![7]].concat()).unwrap_err().to_string();
    assert!(error.contains("more than a record may have"), "{error}");
    let [fits, too_long] = [0, 1].map(|more| {
        let mut page = page(0, "");
        let rest = frame::encode(&page).unwrap().len() - frame::HEADER - page.id.len();
        page.id = "x".repeat(frame::MAX_PAYLOAD - rest + more);
        Encoded::new(&page)
    });
    assert!(fits.is_ok());
    assert!(too_long.is_err());
}

proptest! {
    #[test]
    fn every_page_survives_the_codec(html in ".{0,300}", id in ".{0,20}") {
        let mut page = parse_html(&html);
        page.id = id;
        let frame = frame::encode(&page).unwrap();
        prop_assert_eq!(frame::decode(&frame).unwrap(), page);
    }

    #[test]
    fn any_change_to_a_record_is_noticed(html in "[a-z<>/ ]{1,80}", at in 0usize..1000, bit in 0u8..8) {
        let mut frame = frame::encode(&parse_html(&html)).unwrap();
        let at = at % frame.len();
        frame[at] ^= 1 << bit;
        prop_assert!(frame::decode(&frame).is_err());
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = frame::decode(&bytes);
    }
}

#[test]
fn a_page_that_does_not_fit_together_is_refused() {
    let mut page = parse_html("<p>one<p>two");
    assert!(page.is_sound());
    page.elements[1].parent = 7;
    let payload = to_bytes(&page).unwrap();
    assert!(Encoded::again(&payload).unwrap_err().to_string().contains("do not fit together"));
}
