//! One writer; readers always.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use archive::*;

use crate::support::*;

#[test]
fn a_second_writer_in_another_process_is_told_who_writes() {
    let (place, archive) = created();
    let mut child =
        child("locking::child_holds_the_lock", &place.path).stdout(Stdio::piped()).spawn().unwrap();
    wait_for(&mut child, "holding");
    let error = archive.writer("second", NOW).err().unwrap();
    let Error::Held(holder) = &error else { panic!("{error}") };
    assert_eq!(holder.pid, Some(child.id()));
    assert_eq!(holder.program.as_deref(), Some("first"));
    assert_eq!(holder.since, Some(NOW));
    let sentence = error.to_string();
    assert!(sentence.contains("first") && sentence.contains(&child.id().to_string()), "{sentence}");
    assert!(sentence.contains("2026-09-01T"), "{sentence}");

    assert_eq!(archive.reader().unwrap().totals().unwrap().runs, 0, "reading works beside it");

    child.kill().unwrap();
    child.wait().unwrap();
    // Its note is still there, but the lock died with it.
    let mut writer = archive.writer("second", NOW).unwrap();
    import(&mut writer, "a", &recording("a", 0..3), 0).unwrap();
}

#[test]
#[ignore = "run by a_second_writer_in_another_process_is_told_who_writes"]
fn child_holds_the_lock() {
    let archive = Archive::open(&input(), Mode::ReadOnly).unwrap();
    let _writer = archive.writer("first", NOW).unwrap();
    println!("holding");
    std::thread::sleep(std::time::Duration::from_secs(120));
}

fn wait_for(child: &mut std::process::Child, word: &str) {
    let out = BufReader::new(child.stdout.take().unwrap());
    assert!(out.lines().any(|line| line.unwrap().contains(word)), "the child said nothing");
}

#[test]
fn a_second_writer_in_this_process_is_refused_too_until_the_first_is_dropped() {
    let (_place, archive) = created();
    let first = archive.writer("one", NOW).unwrap();
    assert_eq!(archive.writer("two", NOW).err().unwrap().kind(), Kind::Held);
    drop(first);
    archive.writer("two", NOW).unwrap();
}

#[test]
fn readers_work_during_a_batch() {
    let (_place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "a", &recording("a", 0..10), 0).unwrap();
    let bytes = recording("b", 0..10);
    let mut intake = begin(&mut writer, &new_source("b", &bytes)).unwrap();
    feed(&mut intake, "b", &bytes, 0, 0).unwrap();
    for _ in 0..10 {
        let reader = archive.reader().unwrap();
        assert_eq!(reader.totals().unwrap().runs, 10);
        assert_eq!(
            reader.conversations(&ConversationFilter::default(), None, 50).unwrap().page.rows.len(),
            1
        );
    }
    intake.finish(&finish_of(&bytes)).unwrap();
    assert_eq!(archive.reader().unwrap().totals().unwrap().runs, 20);
}
