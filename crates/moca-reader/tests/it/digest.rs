//! The digest: its vectors, and what it does and does not depend on.

use std::collections::BTreeMap;
use std::fs;

use moca_reader::digest::{FileDigests, payload_manifest};
use moca_reader::{Digest, FileDigest, Limits, Options, digest_package, read_package};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::fixture::{NOW, Package};
use crate::zip_bytes::{Entry, archive};

fn digest_of(files: &[(&str, &[u8])]) -> Digest {
    let hash = |(path, bytes): &(&str, &[u8])| ((*path).into(), FileDigest::of(bytes));
    Digest::of_files(&files.iter().map(hash).collect())
}

/// `facts/moca-reader §3.7`.
#[test]
fn gives_the_known_digests() {
    let fixture: [(&str, &[u8]); 3] = [
        ("content/faq.md", b"---\ntype: Note\ntitle: FAQ\n---\n\n# FAQ\n\nBody text.\n"),
        ("content/policy.md", b"---\ntype: Policy\ntitle: Policy\n---\n\n# Policy\n\nOriginal text.\n"),
        (
            "moca.json",
            b"{\n  \"id\": \"https://example.com/conformance/signed\",\n  \"version\": \"1.0.0\",\n  \"title\": \"Fixture\"\n}\n",
        ),
    ];
    assert_eq!(
        digest_of(&fixture).to_string(),
        "sha256:d56a9665bb17013df662492f4c4a897cdb8727bd59a65dc0c903158f4f504a36"
    );
    let own: [(&str, &[u8]); 5] = [
        ("Z.txt", b"z"),
        ("content/a.md", b"a\n"),
        ("moca.json", b"{}\n"),
        ("sources/100%.txt", b"x"),
        ("sources/caf\u{e9}.txt", b"y"),
    ];
    assert_eq!(
        digest_of(&own).to_string(),
        "sha256:c1d6f6279ee9d6c6d5ab4927c96f354747a9b3c1b0a03ba92112c2578e594877"
    );
    assert_eq!(payload_manifest(&FileDigests::new()), "");
}

/// Names that are no two of them equal without case, none hidden, none at the root twice.
fn files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let name = "(content|media|sources|x)/[a-d]{1,3}(\\.md|\\.txt| é%)";
    btree_map(name, vec(any::<u8>(), 0..200), 1..12)
}

fn package(files: &BTreeMap<String, Vec<u8>>) -> Package {
    let package = Package::new("https://example.com/p", "1.0.0");
    files.iter().fold(package, |package, (path, bytes)| package.file(path, bytes.clone()))
}

fn entries(files: &BTreeMap<String, Vec<u8>>) -> Vec<(String, Vec<u8>)> {
    let manifest = r#"{"id":"https://example.com/p","title":"Fixture","version":"1.0.0"}"#;
    let mut all: Vec<_> = files.iter().map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    all.push(("moca.json".into(), manifest.into()));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn does_not_depend_on_carrier_order_or_compression(
        files in files(),
        seed in any::<u64>(),
        level in 0_u32..10,
    ) {
        let host = package(&files).read_plainly();
        prop_assert!(host.digest.is_some());

        let folder = tempfile::tempdir().unwrap();
        let mut all = entries(&files);
        for (path, bytes) in &all {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let directory = read_package(folder.path(), &Options::at(NOW));
        prop_assert_eq!(directory.digest, host.digest);
        prop_assert_eq!(&directory.diagnostics, &host.diagnostics);

        all.sort_by_key(|(path, _)| FileDigest::of(format!("{seed}{path}").as_bytes()));
        let zipped: Vec<Entry> = (all.iter())
            .map(|(path, bytes)| match level {
                0 => Entry::stored(path, bytes),
                level => Entry::deflated(path, bytes, level),
            })
            .collect();
        let zipped = read_package(archive(&zipped), &Options::at(NOW));
        prop_assert_eq!(zipped.digest, host.digest);
        prop_assert_eq!(&zipped.diagnostics, &host.diagnostics);

        let (alone, _) = digest_package(folder.path(), &Limits::default());
        prop_assert_eq!(alone, host.digest);
    }

    #[test]
    fn changes_with_any_byte_of_a_covered_file(
        files in files(),
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        change in 1_u8..,
    ) {
        let before = package(&files).read_plainly().digest;
        let mut changed = files.clone();
        let path = changed.keys().nth(which.index(files.len())).unwrap().clone();
        let bytes = changed.get_mut(&path).unwrap();
        if bytes.is_empty() {
            bytes.push(change);
        } else {
            let at = at.index(bytes.len());
            bytes[at] ^= change;
        }
        prop_assert_ne!(package(&changed).read_plainly().digest, before);
    }

    #[test]
    fn does_not_change_with_attestations(files in files(), bytes in vec(any::<u8>(), 0..200)) {
        let before = package(&files).read_plainly();
        let attested = package(&files)
            .file("attestations/a.dsse.json", bytes.clone())
            .file("attestations/deep/b.txt", bytes);
        let after = attested.read_plainly();
        prop_assert_eq!(after.digest, before.digest);
        prop_assert_eq!(after.valid, before.valid);
    }
}
