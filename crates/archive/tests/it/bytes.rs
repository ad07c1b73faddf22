//! The bytes that came in are the bytes that go out.

use std::io::{Read, Write};

use archive::*;
use proptest::prelude::*;

use crate::support::*;

fn take(archive: &Archive, bytes: &[u8], cuts: &[usize], piece: usize) -> Source {
    let mut writer = archive.writer("test", NOW).unwrap();
    let mut intake = begin(&mut writer, &new_source("x", bytes)).unwrap();
    let mut fed = 0;
    for chunk in bytes.chunks(piece.max(1)) {
        intake.append(Stream::Content, chunk).unwrap();
        // As an importer: a run is recognised somewhat after its bytes were read.
        for cut in cuts.iter().filter(|cut| (fed..fed + chunk.len()).contains(*cut)) {
            intake.cut(*cut as u64).unwrap();
        }
        fed += chunk.len();
    }
    intake.finish(&finish_of(bytes)).unwrap()
}

fn read(archive: &Archive, source: SourceId, range: std::ops::Range<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let reader = archive.reader().unwrap();
    reader.read_content(source, Stream::Content, range).read_to_end(&mut bytes).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_cuts_and_chunks_give_the_original(
        seed in any::<u64>(),
        size in 0_usize..600_000,
        cuts in proptest::collection::vec(0_usize..600_000, 0..40),
        piece in 1_usize..200_000,
        from in 0_usize..600_000,
        length in 0_usize..300_000,
    ) {
        let bytes = noise(seed, size);
        let (_place, archive) = created();
        let mut cuts = cuts;
        cuts.sort_unstable();
        let source = take(&archive, &bytes, &cuts, piece);
        prop_assert_eq!(source.content_size, size as u64);
        prop_assert_eq!(source.content_sha256, Sha256::of(&bytes));
        prop_assert_eq!(&read(&archive, source.id, 0..size as u64), &bytes);
        let (from, to) = (from.min(size), (from + length).min(size));
        prop_assert_eq!(read(&archive, source.id, from as u64..to as u64), &bytes[from..to]);
    }
}

/// Half noise, half text, as base64 in JSON is.
fn noise(mut seed: u64, size: usize) -> Vec<u8> {
    (0..size)
        .map(|at| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if at % 64 < 32 { (seed >> 33) as u8 } else { b'a' }
        })
        .collect()
}

#[test]
fn a_source_over_many_segments_keeps_its_bytes_and_segments_are_bounded() {
    let bytes = noise(7, 3 * MAX_SEGMENT_BYTES + 12_345);
    let (place, archive) = created();
    let source = take(&archive, &bytes, &[], 70_000);
    assert_eq!(read(&archive, source.id, 0..bytes.len() as u64), bytes);
    assert_eq!(count(&place.path, "SELECT count(*) FROM segment"), 4);
    let largest = count(&place.path, "SELECT max(size) FROM segment");
    assert!(largest <= i64::try_from(MAX_SEGMENT_BYTES).unwrap());
}

#[test]
fn a_cut_begins_a_segment_when_what_precedes_is_worth_one() {
    let bytes = noise(3, 400_000);
    let (place, archive) = created();
    take(&archive, &bytes, &[1_000, 100_000, 101_000, 300_000], 4_096);
    let rusqlite_starts = {
        let conn = rusqlite::Connection::open(&place.path).unwrap();
        let mut statement = conn.prepare("SELECT start FROM segment ORDER BY start").unwrap();
        let rows = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(rusqlite_starts, [0, 100_000, 300_000]);
}

#[test]
fn a_gzip_source_keeps_the_given_bytes_beside_its_content() {
    let content = recording("gz", 0..500);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&content).unwrap();
    let given = encoder.finish().unwrap();
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    let new = NewSource { carrier: Carrier::Gzip, ..new_source("gz", &given) };
    let mut intake = begin(&mut writer, &new).unwrap();
    intake.append(Stream::Carrier, &given).unwrap();
    intake.append(Stream::Content, &content).unwrap();
    let source = intake.finish(&finish_of(&given)).unwrap();
    let mut back = Vec::new();
    let reader = archive.reader().unwrap();
    reader
        .read_content(source.id, Stream::Carrier, 0..source.carrier_size)
        .read_to_end(&mut back)
        .unwrap();
    assert_eq!(back, given);
    assert_eq!(read(&archive, source.id, 0..source.content_size), content);
    assert_eq!(verify(&place.path).unwrap().damages, []);
}

#[test]
fn a_range_past_the_end_is_an_error_and_no_silence() {
    let (_place, archive) = created();
    let source = take(&archive, b"short", &[], 2);
    let reader = archive.reader().unwrap();
    let mut content = reader.read_content(source.id, Stream::Content, 3..9);
    assert_eq!(content.next_piece().unwrap(), Some(&b"rt"[..]));
    assert_eq!(content.next_piece().unwrap_err().kind(), Kind::Damaged);
}
