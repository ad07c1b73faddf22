//! R9, a sample: damaged files never panic or hang, damage is reported, the file stays as it is.

use std::fs;
use std::time::{Duration, Instant};

use archive::*;

use crate::support::*;

/// Copies tried; the whole of R9 is run by hand with `RECITE_DAMAGED_COPIES=2200`.
const COPIES: u64 = 200;

/// Longest time that one damaged copy may take to open, list and verify.
const HANG: Duration = Duration::from_secs(5);

#[test]
fn damaged_copies_never_panic_or_hang_and_stay_as_they_are() {
    let (place, archive) = created();
    {
        let mut writer = archive.writer("test", NOW).unwrap();
        import(&mut writer, "a", &recording("a", 0..150), 0).unwrap();
        import(&mut writer, "b", &recording("b", 0..150), 50).unwrap();
    }
    let sound = fs::read(&place.path).unwrap();
    assert!(!place.path.with_extension("recite-wal").exists(), "the log was moved into the file");
    let copies = std::env::var_os("RECITE_DAMAGED_COPIES")
        .and_then(|text| text.to_str().and_then(|text| text.parse().ok()))
        .unwrap_or(COPIES);
    let copy = crate::support::place();
    let mut reported = 0;
    for seed in 0..copies {
        let damaged = damage(&sound, seed);
        fs::write(&copy.path, &damaged).unwrap();
        let start = Instant::now();
        reported += u64::from(!looks_sound(&copy.path, seed));
        assert!(start.elapsed() < HANG, "copy {seed} took {:?}", start.elapsed());
        assert_eq!(fs::read(&copy.path).unwrap(), damaged, "copy {seed} was changed");
    }
    // A flip may hit free space or an unused header byte, which is no damage to anything stored.
    assert!(reported * 10 >= copies * 9, "only {reported} of {copies} were reported");
    println!("{reported} of {copies} damaged copies reported");
}

/// Opens, reads and verifies; true when nothing was found wrong.
fn looks_sound(path: &std::path::Path, seed: u64) -> bool {
    let mut sound = true;
    let mut note = |error: &Error| {
        sound = false;
        let known = [
            Kind::Damaged,
            Kind::NotAnArchive,
            Kind::Newer,
            Kind::Storage,
            Kind::ReadOnly,
            Kind::NotFound,
        ];
        assert!(known.contains(&error.kind()), "copy {seed}: {error}");
    };
    match Archive::open(path, Mode::ReadOnly).and_then(|archive| archive.reader()) {
        Err(error) => note(&error),
        Ok(reader) => {
            let everything = ConversationFilter {
                text: Some("bicycle".to_owned()),
                ..ConversationFilter::default()
            };
            let mut ids = vec![ConversationId(1), ConversationId(2)];
            for filter in [ConversationFilter::default(), everything] {
                match reader.conversations(&filter, None, 200) {
                    Ok(list) => ids.extend(list.page.rows.iter().map(|row| row.id)),
                    Err(error) => note(&error),
                }
            }
            for id in ids {
                drop(
                    reader.messages(id, Window::Place(0), 200, 1000).map_err(|error| note(&error)),
                );
                drop(reader.runs(id, None, 200).map_err(|error| note(&error)));
                drop(reader.cited_records(id, 200).map_err(|error| note(&error)));
            }
            drop(
                reader.findings(&FindingFilter::default(), None, 200).map_err(|error| note(&error)),
            );
            let _ = reader.content_hash().map_err(|error| note(&error));
        }
    }
    match verify(path) {
        Ok(report) => sound &= report.is_sound(),
        Err(error) => note(&error),
    }
    sound
}

/// One of: 1 to 64 bytes flipped, cut off, a page zeroed.
fn damage(sound: &[u8], seed: u64) -> Vec<u8> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).unwrap()
    };
    let mut bytes = sound.to_vec();
    match seed % 4 {
        0 => bytes.truncate(next(sound.len())),
        1 => {
            let page = next(sound.len() / 4096) * 4096;
            bytes[page..page + 4096].fill(0);
        }
        _ => {
            for _ in 0..=next(64) {
                let at = next(bytes.len());
                bytes[at] ^= 1 << next(8);
            }
        }
    }
    bytes
}
