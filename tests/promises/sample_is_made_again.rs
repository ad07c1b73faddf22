//! The sample's attestations and recordings are what `make sample` makes of its packages, byte for byte.

use std::path::{Path, PathBuf};

use recite_tests::sample::{attestations, differences, recordings};

fn sample() -> PathBuf {
    recite_tests::fixture("sample")
}

#[test]
fn attestations_are_what_the_development_keys_sign() {
    let made = attestations(&sample()).unwrap();
    assert_eq!(made.len(), 6, "three packages and three reviews");
    assert_eq!(differences(&sample(), &made).unwrap(), [] as [&Path; 0], "run `make sample`");
}

#[test]
fn recordings_are_what_the_reader_and_the_scripts_make() {
    let made = recordings(&sample()).unwrap();
    assert!(made.len() >= 17, "{} recordings", made.len());
    assert_eq!(differences(&sample(), &made).unwrap(), [] as [&Path; 0], "run `make sample`");
}

#[test]
fn another_byte_is_noticed() {
    let mut made = recordings(&sample()).unwrap();
    let (path, bytes) = &mut made[0];
    bytes.push(b'\n');
    let path = path.clone();
    assert_eq!(differences(&sample(), &made).unwrap(), [path]);
    // A recording that nothing makes is noticed as well.
    let stray = made.remove(1).0;
    assert!(differences(&sample(), &made).unwrap().contains(&stray));
}
