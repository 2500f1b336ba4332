use super::super::tests::{gzip, zstd_frame};
use super::*;

/// All segments, and the damage between them.
fn segments(bytes: &[u8]) -> (Vec<String>, Vec<Damage>) {
    let mut stream = Stream::new(bytes);
    let (mut texts, mut damages) = (Vec::new(), Vec::new());
    loop {
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        texts.push(String::from_utf8_lossy(&text).into_owned());
        match stream.resume() {
            Some(damage) => damages.push(damage),
            None => return (texts, damages),
        }
    }
}

#[test]
fn every_format_gives_the_same_bytes() {
    let text = "harbour ".repeat(50_000);
    for bytes in [
        text.clone().into_bytes(),
        gzip(text.as_bytes()),
        zstd_frame(text.as_bytes()),
        [gzip(&text.as_bytes()[..100]), gzip(&text.as_bytes()[100..]), vec![0; 512]].concat(),
        [zstd_frame(&text.as_bytes()[..100]), zstd_frame(&text.as_bytes()[100..])].concat(),
    ] {
        assert_eq!(segments(&bytes), (vec![text.clone()], vec![]));
    }
}

#[test]
fn an_empty_file_is_empty_and_sound() {
    assert_eq!(segments(b""), (vec![String::new()], vec![]));
}

#[test]
fn a_member_after_a_broken_one_is_read() {
    for pack in [gzip, zstd_frame] {
        let (a, b, c) = (pack(b"quay"), pack(&b"lighthouse ".repeat(50)), pack(b"ferry"));
        let mut broken = b.clone();
        let middle = broken.len() - 6;
        broken[middle] ^= 0x55;
        let (texts, damages) = segments(&[&a[..], &broken, &c].concat());
        assert!(texts[0].starts_with("quay"));
        assert_eq!(texts.last().unwrap(), "ferry");
        assert_eq!(damages[0].offset, a.len() as u64);
    }
}

#[test]
fn junk_between_members_is_damage_with_its_offset() {
    let (texts, damages) = segments(&[gzip(b"quay"), b"junk".to_vec(), gzip(b"ferry")].concat());
    assert_eq!(texts, ["quay", "ferry"]);
    assert_eq!(damages.len(), 1);
    assert_eq!(damages[0].offset, gzip(b"quay").len() as u64);
}

#[test]
fn a_truncated_member_gives_its_readable_part() {
    for pack in [gzip, zstd_frame] {
        let whole = pack(b"harbour master");
        let (texts, damages) = segments(&[pack(b"quay"), whole[..whole.len() - 3].to_vec()].concat());
        assert!(texts[0].starts_with("quay"), "{texts:?}");
        assert_eq!(damages.len(), 1);
        assert!(damages[0].message.contains("cut short"), "{damages:?}");
    }
}

#[test]
fn a_failing_disk_is_damage_and_the_end() {
    struct Failing(bool);
    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if mem::replace(&mut self.0, true) {
                return Err(io::Error::other("the disk is gone"));
            }
            into[..4].copy_from_slice(b"quay");
            Ok(4)
        }
    }
    let mut stream = Stream::new(Failing(false));
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text, "quay");
    assert!(stream.resume().unwrap().message.contains("the disk is gone"));
    assert!(stream.fill().is_empty());
    assert_eq!(stream.resume(), None);
}

#[test]
fn a_dictionary_in_the_leading_frame_is_used() {
    let dictionary = b"the harbour master keeps the lighthouse and the ferry to the island in the morning".repeat(3);
    let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
    io::Write::write_all(&mut encoder, b"the harbour master keeps the lighthouse").unwrap();
    let frame = encoder.finish().unwrap();
    for stored in [dictionary.clone(), zstd_frame(&dictionary)] {
        let mut bytes = DICTIONARY_FRAME.to_le_bytes().to_vec();
        bytes.extend((stored.len() as u32).to_le_bytes());
        bytes.extend(stored);
        bytes.extend(&frame);
        let expected = "the harbour master keeps the lighthouse".to_owned();
        assert_eq!(segments(&bytes), (vec![expected], vec![]));
    }
}

#[test]
fn a_dictionary_of_16_mib_is_loaded_and_a_longer_one_is_not() {
    let words = b"the harbour master keeps the lighthouse and the ferry to the island in the morning";
    for (length, damaged) in [(DICTIONARY_LIMIT, 0), (DICTIONARY_LIMIT + 1, 1)] {
        let mut dictionary = vec![0; length as usize - words.len()];
        dictionary.extend(words);
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 1, &dictionary).unwrap();
        io::Write::write_all(&mut encoder, words).unwrap();
        let mut bytes = DICTIONARY_FRAME.to_le_bytes().to_vec();
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(&dictionary);
        bytes.extend(encoder.finish().unwrap());
        let (texts, damages) = segments(&bytes);
        assert_eq!(damages.len(), damaged, "{length}: {damages:?}");
        assert_eq!(texts[0].as_bytes() == words, damaged == 0, "{length}: {texts:?}");
    }
}

#[test]
fn reading_steps_back_a_thousand_times_and_then_goes_on_where_it_stopped() {
    // The start of a member that swallows the start of a good one.
    let swallowed = [&[0x1F, 0x8B, 8, 0][..], &gzip(b"quay")].concat();
    let found = |times: u32| {
        let bytes = [gzip(b"first"), swallowed.repeat(times as usize), gzip(b"last")].concat();
        let text = segments(&bytes).0.concat();
        assert!(text.starts_with("first") && text.ends_with("last"), "{}", text.len());
        text.matches("quay").count() as u32
    };
    assert_eq!(found(REWINDS), REWINDS);
    assert_eq!(found(REWINDS + 500), REWINDS);
}

#[test]
fn a_byte_that_opens_a_member_has_the_members_offset() {
    let first = gzip(b"quay ");
    let bytes = [first.clone(), gzip(b"ferry")].concat();
    let mut stream = Stream::new(bytes.as_slice());
    assert_eq!(stream.fill(), b"quay ");
    assert_eq!(stream.offset(), 0);
    stream.consume(2);
    assert_eq!(stream.offset(), 2);
    assert!(skip_until(&mut stream, b" ", b""));
    stream.fill();
    assert_eq!(stream.offset(), first.len() as u64);
}

#[test]
fn a_pattern_is_found_across_buffers_and_past_the_limit() {
    let mut bytes = vec![b'<'; 3 * OUT - 2];
    bytes.extend(b"</DOC>rest");
    let mut stream = Stream::new(bytes.as_slice());
    let mut read = Vec::new();
    assert_eq!(read_until(&mut stream, b"</DOC>", 100, &mut read), Until::TooLong);
    assert!(skip_until(&mut stream, b"</DOC>", &read));
    assert_eq!(stream.fill(), b"rest");
}

#[test]
fn a_file_of_nothing_but_starts_ends_soon() {
    let bytes = [0x1F, 0x8B, 8, 0].repeat(100_000);
    assert!(segments(&bytes).1.len() <= 100_000);
}
