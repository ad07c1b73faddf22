//! Hostile and damaged archives: a result with a diagnostic, nothing written, little memory.

use moca_reader::{Code, Limits, Options, ReadResult, read_package};
#[cfg(target_os = "linux")]
use serde_json::{Value, json};

use crate::fixture::NOW;
use crate::zip_bytes::{Entry, archive, end};

const MANIFEST: &str = r#"{"id":"https://example.com/z","version":"1.0.0","title":"Z"}"#;
const NODE: &str = "---\ntype: Note\n---\nBody.\n";

fn good() -> Vec<Entry> {
    vec![Entry::stored("moca.json", MANIFEST), Entry::deflated("content/a.md", NODE, 6)]
}

fn with(entry: Entry) -> Vec<Entry> {
    good().into_iter().chain([entry]).collect()
}

fn read(entries: &[Entry]) -> ReadResult {
    read_package(archive(entries), &Options::at(NOW))
}

fn codes(result: &ReadResult) -> Vec<Code> {
    result.diagnostics.iter().map(|d| d.code).collect()
}

#[track_caller]
fn assert_rejected(result: &ReadResult) {
    assert_eq!(codes(result), [Code::ArchiveRejected]);
    assert!(!result.valid && result.digest.is_none() && result.nodes.is_empty());
}

#[track_caller]
fn assert_no_digest(result: &ReadResult, code: Code, file: &str) {
    let found = &result.diagnostics;
    assert!(
        found.iter().any(|d| d.code == code && d.file.as_deref() == Some(file)),
        "{code} {file} not in {found:?}"
    );
    assert!(!result.valid && result.digest.is_none());
}

#[test]
fn reads_stored_and_deflated_entries() {
    let result = read(&good());
    assert!(result.valid, "{:?}", result.diagnostics);
    assert_eq!(result.nodes[0].representations[0].body(), "Body.\n");
}

#[test]
fn refuses_names_that_lead_outside() {
    for name in
        ["../x", "content/../../x", "/etc/x", "C:/x", "c:x", "content\\a", "a/..", ".h/../x"]
    {
        assert_rejected(&read(&with(Entry::stored(name, "x"))));
    }
}

#[test]
fn refuses_links_and_devices_by_their_mode() {
    for mode in [0o120_777, 0o040_755, 0o020_644, 0o060_644, 0o010_644, 0o140_644] {
        let entry = Entry::stored("media/x", "moca.json").with(|e| e.mode = mode);
        assert_no_digest(&read(&with(entry)), Code::UnsupportedEntry, "media/x");
    }
}

#[test]
fn refuses_a_name_that_is_there_twice() {
    let result = read(&with(Entry::stored("content/a.md", "---\ntype: Other\n---\n")));
    assert_no_digest(&result, Code::PathCollision, "content/a.md");
}

#[test]
fn refuses_a_local_header_with_another_name() {
    let entry = Entry::stored("media/x", "x").with(|e| e.local_name = b"media/y".to_vec());
    assert_no_digest(&read(&with(entry)), Code::UnreadableEntry, "media/x");
    let entry = Entry::stored("media/x", "x").with(|e| e.local_name = b"media/longer".to_vec());
    assert_no_digest(&read(&with(entry)), Code::UnreadableEntry, "media/x");
}

#[test]
fn refuses_overlapping_entries() {
    let mut entries = good();
    for i in 0..50 {
        let twin = Entry::stored("media/0", "x".repeat(1000));
        entries.push(twin.with(|e| {
            e.name = format!("media/{i}").into_bytes();
            e.offset = (i > 0).then_some(160);
        }));
    }
    assert_rejected(&read(&entries));
}

#[test]
fn refuses_what_does_not_match_its_checksum_or_size() {
    let wrong_crc = Entry::deflated("media/x", "x", 6).with(|e| e.crc ^= 1);
    assert_no_digest(&read(&with(wrong_crc)), Code::UnreadableEntry, "media/x");
    let too_short = Entry::deflated("media/x", "x", 6).with(|e| e.size = 2);
    assert_no_digest(&read(&with(too_short)), Code::UnreadableEntry, "media/x");
    let garbage = Entry::deflated("media/x", "x", 6).with(|e| e.data.fill(0xff));
    assert_no_digest(&read(&with(garbage)), Code::UnreadableEntry, "media/x");
}

#[test]
fn refuses_encrypted_entries_and_unknown_methods() {
    let encrypted = Entry::stored("content/b.md", NODE).with(|e| e.flags = 1);
    assert_no_digest(&read(&with(encrypted)), Code::UnreadableEntry, "content/b.md");
    let unknown = Entry::stored("content/b.md", NODE).with(|e| e.method = 12);
    assert_no_digest(&read(&with(unknown)), Code::UnreadableEntry, "content/b.md");
}

/// 10 GiB of zeros in an archive of 10 MB.
#[test]
fn stops_a_bomb_of_10_gib_whether_it_declares_them_or_not() {
    const TEN_GIB: u64 = 10 * 1024 * 1024 * 1024;
    let bomb = || Entry::zeros("media/bomb", 10 * 1024);
    let declared = archive(&with(bomb().declaring(TEN_GIB)));
    let undeclared = archive(&with(bomb().with(|e| e.size = 100)));
    let started = std::time::Instant::now();
    let options = Options::at(NOW);
    assert_rejected(&read_package(declared, &options));
    let result = read_package(undeclared, &options);
    assert_no_digest(&result, Code::UnreadableEntry, "media/bomb");
    assert!(started.elapsed().as_secs() < 2, "inflated far more than declared");
}

/// What the limits allow is really inflated, but never held: the process may have less memory than
/// the entry has bytes.
#[cfg(target_os = "linux")]
#[test]
fn inflates_500_mib_in_a_process_that_has_less_memory() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let bytes = archive(&with(Entry::zeros("media/zeros", 500)));
    std::fs::write(folder.path().join("zeros.moca"), bytes).unwrap();
    let mut adapter = Command::new("sh")
        .args(["-c", "ulimit -v 300000 && exec \"$0\"", env!("CARGO_BIN_EXE_moca-reader-adapter")])
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let case = json!({ "root": folder.path(), "case": { "target": "zeros.moca" } });
    adapter.stdin.take().unwrap().write_all(case.to_string().as_bytes()).unwrap();
    let output = adapter.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["valid"], &answer["codes"]), (&json!(true), &json!([])));
    assert!(answer["digest"].is_string());
}

#[test]
fn refuses_a_million_entries_whatever_the_end_record_says() {
    // A central directory of 10^6 entries that share one local header.
    let one = archive(&[Entry::stored("a", "")]);
    let (local, rest) = one.split_at(31);
    let entry = &rest[..rest.len() - 22];
    for declared in [1_u16, 20_000, u16::MAX - 1] {
        let mut bytes = local.to_vec();
        for _ in 0..1_000_000 {
            bytes.extend(entry);
        }
        let length = u32::try_from(entry.len() * 1_000_000).unwrap();
        end(&mut bytes, declared, length, 31);
        let started = std::time::Instant::now();
        let result = read_package(bytes, &Options::at(NOW));
        assert_rejected(&result);
        assert!(started.elapsed().as_secs() < 2);
    }
}

#[test]
fn limits_count_hidden_and_folder_entries() {
    let entries: Vec<Entry> = good()
        .into_iter()
        .chain([Entry::stored(".hidden", "x"), Entry::stored("media/", "")])
        .collect();
    let mut options = Options::at(NOW);
    options.limits = Limits { max_entries: 4, ..Limits::default() };
    assert!(read_package(archive(&entries), &options).valid);
    options.limits.max_entries = 3;
    assert_rejected(&read_package(archive(&entries), &options));
}

#[test]
fn refuses_bytes_in_front_of_the_archive_and_cut_off_archives() {
    let whole = archive(&good());
    let mut prefixed = b"#!/bin/sh\n".to_vec();
    prefixed.extend(&whole);
    assert_rejected(&read_package(prefixed, &Options::at(NOW)));
    for length in 0..whole.len() {
        assert_rejected(&read_package(whole[..length].to_vec(), &Options::at(NOW)));
    }
}

/// Whatever byte is changed, the archive gives the same package, or none.
#[test]
fn a_changed_byte_never_gives_another_package_under_the_same_digest() {
    let whole = archive(&good());
    let original = read_package(whole.clone(), &Options::at(NOW));
    for at in 0..whole.len() {
        for change in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let result = read_package(bytes, &Options::at(NOW));
            if result.valid && result.digest == original.digest {
                let body = |r: &ReadResult| r.nodes[0].representations[0].body();
                assert_eq!(body(&result), body(&original));
                assert_eq!(result.file_digests, original.file_digests);
            }
        }
    }
}

#[test]
fn opens_an_archive_by_path_only_under_its_suffixes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, opens) in [("a.moca", true), ("a.MOCA", true), ("a.Zip", true), ("a.tar", false)] {
        let path = folder.path().join(name);
        std::fs::write(&path, archive(&good())).unwrap();
        let result = read_package(path, &Options::at(NOW));
        assert_eq!(result.valid, opens, "{name}");
        if !opens {
            assert_eq!(codes(&result), [Code::TargetNotFound]);
        }
    }
    let missing = read_package(folder.path().join("none.moca"), &Options::at(NOW));
    assert_eq!(codes(&missing), [Code::TargetNotFound]);
}
