//! R12: what is exported, imported into an empty archive and exported again is the same, byte for byte and event by event.

use std::collections::BTreeMap;

use app::contract::{Commands, ConversationQuery, ExportFormat, ImportStatus};
use recite_tests::{
    generate::{Random, odd},
    scratch::Scratch,
};

/// Runs of the promise.
const RUNS: usize = 10_000;

/// Runs of a thread; each but the first names the one before as its parent.
const RUNS_OF_THREAD: usize = 10;

/// Threads that are recorded side by side.
const AT_A_TIME: usize = 8;

#[test]
fn ten_thousand_runs_come_back_with_every_byte() {
    let mut random = Random::new(12);
    let mut recording = Vec::new();
    let mut given: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for run in 0..RUNS {
        let (block, place) =
            (run / (AT_A_TIME * RUNS_OF_THREAD), run % (AT_A_TIME * RUNS_OF_THREAD));
        let (number, turn) = (block * AT_A_TIME + place % AT_A_TIME, place / AT_A_TIME);
        let thread = format!("thread-{number}");
        let id = |turn: usize| format!("run-{number}-{turn}");
        let parent = turn.checked_sub(1).map(id);
        for line in odd::run(&mut random, &thread, &id(turn), parent.as_deref()) {
            let line = [line.as_slice(), b"\n"].concat();
            recording.extend_from_slice(&line);
            given.entry(thread.clone()).or_default().extend(line);
        }
    }
    let first = Scratch::new();
    let told = first.import_bytes("runs.jsonl", &recording);
    assert_eq!((told.status, told.runs as usize), (ImportStatus::Added, RUNS), "{told:?}");
    let exported = exports(&first);
    same(&given, &exported, "exported as received");

    let again: Vec<u8> = exported.values().flatten().copied().collect();
    let second = Scratch::new();
    let told = second.import_bytes("export.jsonl", &again);
    assert_eq!((told.status, told.runs as usize), (ImportStatus::Added, RUNS), "{told:?}");
    same(&exported, &exports(&second), "exported again");
    let report = second.app.verify_now().unwrap();
    assert!(report.sound, "{:?}", report.damage);
}

/// Every conversation's events, by thread.
fn exports(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut cursor = None;
    loop {
        let query = ConversationQuery { cursor, ..ConversationQuery::default() };
        let page = scratch.app.list_conversations(query).unwrap();
        for row in page.conversations {
            let mut out = Vec::new();
            scratch.app.export_to(&row.id, ExportFormat::Events, &mut out).unwrap();
            let thread = row.thread_id.expect("every run names its thread");
            assert!(all.insert(thread, out).is_none(), "a thread in two conversations");
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return all,
        }
    }
}

fn same(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(before.len(), after.len(), "{what}: threads");
    for (thread, bytes) in before {
        let other = after.get(thread).unwrap_or_else(|| panic!("{what}: {thread} is gone"));
        assert!(
            bytes == other,
            "{what}: {thread} changed:\n{}\n{}",
            String::from_utf8_lossy(bytes),
            String::from_utf8_lossy(other)
        );
    }
}
