//! The bytes that came in are the bytes that go out (invariant 1, R12).

use std::{fs, path::PathBuf};

use app::contract::{ErrorKind, ExportFormat, ImportStatus};
use recite_tests::{scratch::Scratch, shared};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Every recording of the shared corpus.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["agui-recordings", "agui-recordings/moca"] {
        let Some(folder) = shared(folder) else { continue };
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let data = path.is_file()
                && !name.ends_with(".md")
                && !name.starts_with("LICENSE")
                && name != "facts.json";
            if data {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_recording_is_kept_byte_for_byte() {
    for file in files() {
        let scratch = Scratch::new();
        let told = scratch.import(&file);
        let given = fs::read(&file).unwrap();
        assert_eq!(told.sha256.as_deref(), Some(hex(&given).as_str()), "{}", file.display());
        let archive = archive::Archive::open(&scratch.archive(), archive::Mode::ReadOnly).unwrap();
        let reader = archive.reader().unwrap();
        let source =
            reader.find_source(archive::Sha256::of(&given)).unwrap().expect("the source is held");
        let mut kept = Vec::new();
        let mut content =
            reader.read_content(source.id, archive::Stream::Content, 0..source.content_size);
        std::io::Read::read_to_end(&mut content, &mut kept).unwrap();
        if source.kept == archive::Kept::AsIs {
            assert!(kept == given, "{} came back with other bytes", file.display());
        }
        let report = scratch.app.verify_now().unwrap();
        assert!(report.sound, "{}: {:?}", file.display(), report.damage);
    }
}

#[test]
fn the_same_bytes_twice_add_nothing() {
    for file in files() {
        let scratch = Scratch::new();
        let _ = scratch.import(&file);
        let before = content_hash(&scratch);
        let again = scratch.import(&file);
        assert_eq!(again.status, ImportStatus::AlreadyHeld, "{}", file.display());
        assert_eq!(content_hash(&scratch), before, "{}", file.display());
    }
}

#[test]
fn events_are_exported_as_they_were_received() {
    let Some(expected) = shared("agui-recordings/expected") else { return };
    for file in files() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(facts) = fs::read(expected.join(format!("{name}.json"))) else { continue };
        let facts: Value = serde_json::from_slice(&facts).unwrap();
        let Some(stated) = facts["eventTokensSha256"].as_str() else { continue };
        let scratch = Scratch::new();
        let told = scratch.import(&file);
        assert_eq!(u64::from(told.events), facts["events"].as_u64().unwrap(), "{name}: events");
        if told.conversations != 1 {
            // The digest is over the events of the file in their order; conversations are exported one by one.
            assert!(told.conversations > 1, "{name}");
            continue;
        }
        let lines = exported(&scratch, &told.conversation_ids[0], ExportFormat::Events);
        let text = String::from_utf8(lines).unwrap();
        let tokens: Vec<String> = text
            .lines()
            .map(|line| {
                String::from_utf8(agui::json::event_tokens(line.as_bytes()).into_owned()).unwrap()
            })
            .collect();
        assert_eq!(hex(tokens.join("\n").as_bytes()), stated, "{name}: exported events");
    }
}

#[test]
fn export_and_import_and_export_again_is_the_same() {
    for file in files() {
        let scratch = Scratch::new();
        let told = scratch.import(&file);
        for conversation in &told.conversation_ids {
            let mut first = Vec::new();
            match scratch.app.export_to(conversation, ExportFormat::Events, &mut first) {
                Ok(()) => assert!(!first.is_empty()),
                // Of messages only there are no events.
                Err(failure) => {
                    assert_eq!(failure.kind, ErrorKind::BadInput, "{}", file.display());
                    continue;
                }
            }
            let other = Scratch::new();
            let again = other.import_bytes("export.jsonl", &first);
            let second: Vec<u8> = again
                .conversation_ids
                .iter()
                .flat_map(|id| exported(&other, id, ExportFormat::Events))
                .collect();
            assert!(
                first == second,
                "{}: conversation {conversation} changed on its way",
                file.display()
            );
        }
    }
}

#[test]
fn a_rebuild_gives_equal_rows() {
    let scratch = Scratch::new();
    let files = files();
    let all: Vec<&std::path::Path> = files.iter().map(PathBuf::as_path).collect();
    if all.is_empty() {
        return;
    }
    let _ = scratch.import_all(&all);
    let before = content_hash(&scratch);
    scratch.app.rebuild_now().unwrap();
    assert_eq!(content_hash(&scratch), before);
    let report = scratch.app.verify_now().unwrap();
    assert!(report.sound, "{:?}", report.damage);
}

fn exported(scratch: &Scratch, conversation: &str, format: ExportFormat) -> Vec<u8> {
    let mut out = Vec::new();
    scratch.app.export_to(conversation, format, &mut out).unwrap();
    out
}

fn content_hash(scratch: &Scratch) -> archive::Sha256 {
    let archive = archive::Archive::open(&scratch.archive(), archive::Mode::ReadOnly).unwrap();
    archive.reader().unwrap().content_hash().unwrap()
}
