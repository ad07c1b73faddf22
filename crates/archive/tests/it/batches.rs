//! A source is taken whole, or in batches that never leave a half run visible, or not at all.

use archive::*;

use crate::support::*;

const TABLES: &[&str] = &[
    "source",
    "segment",
    "connection",
    "service",
    "conversation",
    "run",
    "message",
    "tool_call",
    "tool_call_segment",
    "citation_event",
    "citation",
    "record",
    "signer",
    "review",
    "relation",
    "package",
    "node",
    "finding",
    "message_fts_docsize",
    "record_fts_docsize",
];

fn rows(place: &Place) -> Vec<i64> {
    TABLES
        .iter()
        .map(|table| count(&place.path, &format!("SELECT count(*) FROM {table}")))
        .collect()
}

#[test]
fn a_dropped_intake_leaves_nothing() {
    let (place, archive) = created();
    let bytes = recording("a", 0..50);
    let mut writer = archive.writer("test", NOW).unwrap();
    {
        let mut intake = begin(&mut writer, &new_source("a", &bytes)).unwrap();
        feed(&mut intake, "a", &bytes, 0, 0).unwrap();
    }
    assert!(rows(&place).iter().all(|count| *count == 0), "{:?}", rows(&place));
    assert_eq!(archive.reader().unwrap().totals().unwrap().conversations, 0);
    import(&mut writer, "a", &bytes, 0).unwrap();
    assert_eq!(count(&place.path, "SELECT count(*) FROM run"), 50);
}

#[test]
fn a_changed_file_is_refused_and_leaves_nothing() {
    let (place, archive) = created();
    let bytes = recording("a", 0..20);
    let mut writer = archive.writer("test", NOW).unwrap();
    let mut intake = begin(&mut writer, &new_source("a", &bytes)).unwrap();
    feed(&mut intake, "a", &recording("b", 0..20), 0, 0).unwrap();
    let error = intake.finish(&finish_of(&recording("b", 0..20))).unwrap_err();
    assert_eq!(error.kind(), Kind::Changed);
    assert!(rows(&place).iter().all(|count| *count == 0));
}

#[test]
fn bytes_that_are_not_those_announced_are_refused_even_if_the_caller_says_otherwise() {
    let (_place, archive) = created();
    let bytes = recording("a", 0..20);
    let mut writer = archive.writer("test", NOW).unwrap();
    let mut intake = begin(&mut writer, &new_source("a", &bytes)).unwrap();
    feed(&mut intake, "a", &recording("b", 0..20), 0, 0).unwrap();
    assert_eq!(intake.finish(&finish_of(&bytes)).unwrap_err().kind(), Kind::Changed);
}

#[test]
fn the_same_bytes_twice_are_found_and_refused() {
    let (_place, archive) = created();
    let bytes = recording("a", 0..20);
    let mut writer = archive.writer("test", NOW).unwrap();
    let first = import(&mut writer, "a", &bytes, 0).unwrap();
    assert_eq!(writer.find_source(Sha256::of(&bytes)).unwrap(), Some(first));
    assert_eq!(import(&mut writer, "a", &bytes, 0).unwrap_err().kind(), Kind::BadInput);
    assert!(writer.partial_sources().unwrap().is_empty());
}

#[test]
fn source_counts_are_those_of_its_rows() {
    let (_place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    let counts = import(&mut writer, "a", &recording("a", 0..20), 0).unwrap().counts;
    let expected = SourceCounts {
        events: 20,
        runs: 20,
        conversations: 1,
        messages: 40,
        citation_events: 20,
        citations: 20,
        findings: 5,
    };
    assert_eq!(counts, expected);
}

#[test]
fn readers_see_whole_batches_only() {
    let (_place, archive) = created();
    let bytes = recording("a", 0..30);
    let mut writer = archive.writer("test", NOW).unwrap();
    let mut intake = begin(&mut writer, &new_source("a", &bytes)).unwrap();
    let reader = archive.reader().unwrap();
    feed(&mut intake, "a", &bytes, 0, 10).unwrap();
    assert_eq!(reader.totals().unwrap().runs, 30, "the third batch ended with the last run");
    drop(intake);
    let bytes = recording("b", 0..25);
    let mut intake = begin(&mut writer, &new_source("b", &bytes)).unwrap();
    feed(&mut intake, "b", &bytes, 0, 10).unwrap();
    assert_eq!(reader.totals().unwrap().runs, 50, "five runs are in a batch that is not ended");
}

#[test]
fn a_partial_source_resumed_equals_an_undisturbed_one() {
    let bytes = recording("a", 0..100);
    let undisturbed = {
        let (_place, archive) = created();
        import(&mut archive.writer("test", NOW).unwrap(), "a", &bytes, 0).unwrap();
        archive.reader().unwrap().content_hash().unwrap()
    };
    for stop in [1_usize, 7, 50, 99] {
        let (place, archive) = created();
        let mut writer = archive.writer("test", NOW).unwrap();
        let end = line_end(&bytes, stop);
        {
            let mut intake = begin(&mut writer, &new_source("a", &bytes)).unwrap();
            feed(&mut intake, "a", &bytes[..end], 0, 7).unwrap();
        }
        let Some(partial) = writer.partial_sources().unwrap().into_iter().next() else {
            assert!(stop < 7, "nothing was committed before run 7");
            continue;
        };
        assert_eq!(
            partial.content_sha256,
            Sha256::of(&bytes[..usize::try_from(partial.content_size).unwrap()])
        );
        let next: u64 = partial.resume.as_deref().unwrap().parse().unwrap();
        let from = line_end(&bytes, usize::try_from(next).unwrap()) as u64;
        let mut intake = resume(&mut writer, partial.id, from).unwrap();
        feed(&mut intake, "a", &bytes, next, 7).unwrap();
        intake.finish(&finish_of(&bytes)).unwrap();
        drop(writer);
        assert_eq!(
            archive.reader().unwrap().content_hash().unwrap(),
            undisturbed,
            "stopped at {stop}"
        );
        assert_eq!(verify(&place.path).unwrap().damages, []);
    }
}

fn line_end(bytes: &[u8], lines: usize) -> usize {
    bytes.split_inclusive(|byte| *byte == b'\n').take(lines).map(<[u8]>::len).sum()
}

#[test]
fn a_partial_source_can_be_taken_out_without_a_trace() {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "kept", &recording("kept", 0..11), 0).unwrap();
    let before = (rows(&place), archive.reader().unwrap().content_hash().unwrap());
    let bytes = recording("gone", 0..40);
    let id = {
        let mut intake = begin(&mut writer, &new_source("gone", &bytes)).unwrap();
        feed(&mut intake, "gone", &bytes, 0, 10).unwrap();
        intake.source()
    };
    assert!(matches!(writer.take_out(id).unwrap(), TakenOut::Gone));
    assert_eq!((rows(&place), archive.reader().unwrap().content_hash().unwrap()), before);
    assert_eq!(verify(&place.path).unwrap().damages, []);
}

#[test]
fn a_partial_source_that_shares_a_conversation_goes_by_a_rebuild() {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    let kept = recording("t", 0..11);
    import(&mut writer, "t", &kept, 0).unwrap();
    let before = archive.reader().unwrap().content_hash().unwrap();
    let more = recording("t", 0..40);
    let id = {
        let mut intake = begin(&mut writer, &new_source("t", &more)).unwrap();
        feed(&mut intake, "t", &more, 0, 10).unwrap();
        intake.source()
    };
    let with_both = archive.reader().unwrap().content_hash().unwrap();
    assert!(
        matches!(writer.take_out(id).unwrap(), TakenOut::ByRebuild(_)),
        "dropped: nothing happens"
    );
    assert_eq!(archive.reader().unwrap().content_hash().unwrap(), with_both);
    match writer.take_out(id).unwrap() {
        TakenOut::Gone => panic!("its conversation is shared"),
        TakenOut::ByRebuild(mut rebuild) => {
            derive_all(&mut rebuild, SourceId(1), "t", &kept).unwrap();
            rebuild.finish().unwrap();
        }
    }
    assert_eq!(archive.reader().unwrap().content_hash().unwrap(), before);
    assert_eq!(verify(&place.path).unwrap().damages, []);
}

#[test]
fn a_complete_source_is_never_taken_out() {
    let (_place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    let source = import(&mut writer, "a", &recording("a", 0..3), 0).unwrap();
    let error = writer.take_out(source.id).err().unwrap();
    assert_eq!(error.kind(), Kind::BadInput);
}

#[test]
fn a_killed_importer_leaves_whole_batches() {
    let (place, archive) = created();
    let mut child = child("batches::child_imports_until_killed", &place.path).spawn().unwrap();
    // Until some batches are there, then without warning.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while archive.reader().unwrap().totals().unwrap().runs < 30
        && std::time::Instant::now() < deadline
    {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = archive.reader().unwrap().totals().unwrap().runs;
    assert!(runs >= 30 && runs.is_multiple_of(10), "{runs} runs");
    assert_eq!(verify(&place.path).unwrap().damages, []);
    let mut writer = archive.writer("test", NOW).unwrap();
    assert_eq!(writer.partial_sources().unwrap().len(), 1);
    import(&mut writer, "next", &recording("next", 0..5), 0).unwrap();
}

#[test]
#[ignore = "run by a_killed_importer_leaves_whole_batches"]
fn child_imports_until_killed() {
    let archive = Archive::open(&input(), Mode::ReadOnly).unwrap();
    let bytes = recording("a", 0..200_000);
    import(&mut archive.writer("child", NOW).unwrap(), "a", &bytes, 10).unwrap();
}
