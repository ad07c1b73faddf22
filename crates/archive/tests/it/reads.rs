//! Pages are bounded and complete; filters narrow rightly; hostile input is data.

use std::collections::BTreeSet;

use archive::*;

use crate::support::*;

fn many() -> (Place, Archive) {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    for number in 0..25_usize {
        let name = format!("thread{number}");
        import(&mut writer, &name, &recording(&name, 0..number + 1), 0).unwrap();
    }
    drop(writer);
    (place, archive)
}

fn all(reader: &Reader, filter: &ConversationFilter) -> Vec<Conversation> {
    let (mut rows, mut cursor) = (Vec::new(), None);
    loop {
        let page = reader.conversations(filter, cursor.as_ref(), 4).unwrap().page;
        assert!(page.rows.len() <= 4);
        rows.extend(page.rows);
        cursor = page.next;
        if cursor.is_none() {
            return rows;
        }
    }
}

#[test]
fn pages_of_conversations_are_complete_and_newest_first() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let rows = all(&reader, &ConversationFilter::default());
    assert_eq!(rows.len(), 25);
    assert_eq!(rows.iter().map(|row| row.id).collect::<BTreeSet<_>>().len(), 25);
    assert!(rows.is_sorted_by(|a, b| (a.newest_at, a.id) > (b.newest_at, b.id)));
    let longest = &rows[0];
    assert_eq!(
        (longest.title.as_str(), longest.runs, longest.messages),
        ("thread24 question 0", 25, 50)
    );
    assert_eq!((longest.answers, longest.citations, longest.findings), (25, 25, 6));
    assert_eq!(longest.first_at, Some(NOW));
    assert_eq!(longest.last_at, Some(Instant(NOW.0 + 24_000_000)));
    assert_eq!(longest.service.as_ref().unwrap().name, "Bicycle desk");
}

#[test]
fn filters_narrow_as_brute_force_does() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let count = |filter: ConversationFilter| all(&reader, &filter).len();
    let base = ConversationFilter::default;
    assert_eq!(count(ConversationFilter { service: Some(ServiceId(1)), ..base() }), 25);
    assert_eq!(count(ConversationFilter { service: Some(ServiceId(2)), ..base() }), 0);
    let at = |seconds: i64| Some(Instant(NOW.0 + seconds * 1_000_000));
    assert_eq!(count(ConversationFilter { since: at(20), ..base() }), 5);
    assert_eq!(count(ConversationFilter { until: at(20), ..base() }), 20);
    assert_eq!(count(ConversationFilter { since: at(3), until: at(5), ..base() }), 2);
    assert_eq!(count(ConversationFilter { package: Some("kb".to_owned()), ..base() }), 25);
    assert_eq!(count(ConversationFilter { package: Some("k".to_owned()), ..base() }), 0);
    // Every second run on cites 1.0.1, which is stale; every third 1.0.2, which is not signed.
    assert_eq!(count(ConversationFilter { trust: Some((TrustFilter::Stale, NOW)), ..base() }), 24);
    assert_eq!(
        count(ConversationFilter { trust: Some((TrustFilter::Unsigned, NOW)), ..base() }),
        23
    );
    assert_eq!(
        count(ConversationFilter { trust: Some((TrustFilter::Superseded, NOW)), ..base() }),
        0
    );
    assert_eq!(
        count(ConversationFilter { finding: Some("moca.marker-not-in-text".to_owned()), ..base() }),
        22
    );
    assert_eq!(count(ConversationFilter { finding: Some("agui.order".to_owned()), ..base() }), 18);
    let text = |words: &str| ConversationFilter { text: Some(words.to_owned()), ..base() };
    assert_eq!(count(text("thread7")), 1);
    assert_eq!(count(text("question 24")), 1);
    assert_eq!(count(text("every station bicycle")), 24, "words of an answer");
    assert_eq!(count(text("returned at any station")), 25, "words of a cited record");
    assert_eq!(count(text("bicyc")), 25, "the start of a word");
    assert_eq!(count(text("nowhere")), 0);
    let both = ConversationFilter {
        trust: Some((TrustFilter::Stale, NOW)),
        since: at(24),
        ..text("thread24")
    };
    assert_eq!(count(both), 1);
}

#[test]
fn hostile_search_text_is_data() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let long = "a ".repeat(50_000);
    let texts = [
        "\"",
        "*",
        "NEAR(a b)",
        "text:a",
        "a AND",
        "(",
        "a\0b",
        "'; DROP TABLE run; --",
        "^x",
        "-",
        &long,
        "\u{202e}",
    ];
    for text in texts {
        let filter =
            ConversationFilter { text: Some(text.to_owned()), ..ConversationFilter::default() };
        reader
            .conversations(&filter, None, 10)
            .unwrap_or_else(|error| panic!("{text:.20}: {error}"));
    }
}

#[test]
fn a_cursor_of_another_list_or_a_forged_one_is_bad_input() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let filter = ConversationFilter::default();
    let cursor = reader.conversations(&filter, None, 1).unwrap().page.next.unwrap();
    assert_eq!(
        reader.findings(&FindingFilter::default(), Some(&cursor), 1).unwrap_err().kind(),
        Kind::BadInput
    );
    for forged in [
        "",
        "conversations",
        "conversations.1",
        "conversations.1.2.3",
        "conversations.x.y",
        "'; --",
    ] {
        let error = reader.conversations(&filter, Some(&Cursor::from_text(forged)), 1).unwrap_err();
        assert_eq!(error.kind(), Kind::BadInput, "{forged}");
    }
    let back = Cursor::from_text(&cursor.to_string());
    assert_eq!(reader.conversations(&filter, Some(&back), 1).unwrap().page.rows.len(), 1);
}

#[test]
fn messages_can_be_read_from_any_place_and_around_any_message() {
    let (_place, archive) = created();
    import(&mut archive.writer("test", NOW).unwrap(), "t", &recording("t", 0..60), 0).unwrap();
    let reader = archive.reader().unwrap();
    let conversation = ConversationId(1);
    let whole = reader.messages(conversation, Window::Place(0), 200, 10_000).unwrap();
    assert_eq!(whole.len(), 120);
    assert!(whole.is_sorted_by_key(|message| message.position));
    let ids = |rows: Vec<Message>| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    let expected =
        |range: std::ops::Range<usize>| whole[range].iter().map(|row| row.id).collect::<Vec<_>>();
    let read = |window, limit| ids(reader.messages(conversation, window, limit, 10).unwrap());
    assert_eq!(read(Window::Place(50), 10), expected(50..60));
    assert_eq!(read(Window::Place(115), 10), expected(115..120));
    assert_eq!(read(Window::After(whole[9].id), 5), expected(10..15));
    assert_eq!(read(Window::Before(whole[9].id), 5), expected(4..9));
    assert_eq!(read(Window::Around(whole[9].id), 5), expected(7..12));
    assert_eq!(read(Window::Around(whole[0].id), 5), expected(0..3));
    for (place, message) in (0_u64..).zip(&whole) {
        assert_eq!(reader.message_place(message.id).unwrap(), Some(place));
    }
    assert!(reader.messages(ConversationId(9), Window::Place(0), 5, 5).unwrap().is_empty());
}

#[test]
fn an_answer_has_its_text_calls_citations_and_findings() {
    let (_place, archive) = created();
    import(&mut archive.writer("test", NOW).unwrap(), "t", &recording("t", 0..12), 0).unwrap();
    let reader = archive.reader().unwrap();
    let answer = &reader.messages(ConversationId(1), Window::Place(7), 1, 10).unwrap()[0];
    assert_eq!((answer.role.as_str(), answer.ending), ("assistant", Ending::Ended));
    let text = reader.message_text(answer.id).unwrap().unwrap();
    assert!(text.ends_with("Answer 3 of t [1]"), "{text}");
    assert_eq!(answer.text, text.chars().take(10).collect::<String>());
    assert_eq!(answer.text_sha256, Sha256::of(text.as_bytes()));
    assert_eq!(reader.message_text_piece(answer.id, 4, 7).unwrap().unwrap(), &text[4..11]);
    let calls = reader.tool_calls(answer.id, 10).unwrap();
    assert_eq!((calls.len(), calls[0].arguments.as_str(), calls[0].ended), (1, "{\"q\":1}", true));
    let events = reader.citation_events_of_message(answer.id, None, 10).unwrap().rows;
    assert_eq!((events.len(), events[0].citations, events[0].shown), (1, 1, true));
    assert_eq!(events[0].imported_at, NOW);
    let cited = reader.citations(events[0].id, None, 10).unwrap().rows;
    let record = cited[0].record.as_ref().unwrap();
    assert_eq!(cited[0].marker.as_deref(), Some("[1]"));
    assert_eq!(record.node_ref.as_deref(), Some("kb@1.0.0#n3.md"));
    assert_eq!(Sha256::of(&record.json), record.sha256);
    assert_eq!(reader.record_by_sha256(record.sha256).unwrap().as_ref(), Some(record));
    assert_eq!(reader.answers_of_node(record.node.unwrap()).unwrap(), 1);
    let of_answer = FindingFilter { message: Some(answer.id), ..FindingFilter::default() };
    let findings = reader.findings(&of_answer, None, 10).unwrap().rows;
    assert_eq!(findings.len(), 1);
    assert_eq!(reader.finding(findings[0].id).unwrap().as_ref(), Some(&findings[0]));
    assert_eq!(findings[0].excerpt.as_deref(), Some("t question 3"));
    let unplaced = reader.unplaced_citation_events(ConversationId(1), None, 10).unwrap().rows;
    assert_eq!(unplaced.len(), 1);
    assert_eq!(reader.count_unplaced_citation_events(ConversationId(1)).unwrap(), 1);
    assert_eq!(unplaced[0].state, CitationState::UnknownMessage);
    assert_eq!(reader.cited_records(ConversationId(1), 200).unwrap().len(), 11);
    let run = reader.runs(ConversationId(1), None, 200).unwrap().rows.remove(3);
    let mut bytes = Vec::new();
    let mut content = reader.read_content(run.source, Stream::Content, run.at.clone());
    std::io::Read::read_to_end(&mut content, &mut bytes).unwrap();
    assert!(bytes.starts_with(b"t question 3|") && bytes.ends_with(b"\n"));
    assert_eq!(Sha256::of(&bytes), run.hash);
    assert_eq!(
        reader.connection(run.connection).unwrap().unwrap().url.as_deref(),
        Some("https://kb.example/agent")
    );
}

#[test]
fn a_text_goes_on_after_a_nul_and_is_cut_between_characters() {
    let (_place, archive) = created();
    let bytes = "question\0after the nul|an\0swer ü€😀 end|kb@1.0.0#n.md\n".as_bytes();
    import(&mut archive.writer("test", NOW).unwrap(), "t", bytes, 0).unwrap();
    let reader = archive.reader().unwrap();
    let rows = reader.messages(ConversationId(1), Window::Place(0), 2, 100).unwrap();
    assert_eq!(rows[0].text, "question\0after the nul");
    assert_eq!(rows[1].text, "an\0swer ü€😀 end");
    assert_eq!(reader.message(rows[1].id, 9).unwrap().unwrap().text, "an\0swer ü");
    assert_eq!(reader.message_text_piece(rows[1].id, 9, 2).unwrap().unwrap(), "€😀");
    assert_eq!(reader.message_text_piece(rows[1].id, 90, 2).unwrap().unwrap(), "");
    let after =
        ConversationFilter { text: Some("nul".to_owned()), ..ConversationFilter::default() };
    assert_eq!(reader.conversations(&after, None, 10).unwrap().page.rows.len(), 1);
}

#[test]
fn findings_are_paged_filtered_and_counted() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let (mut rows, mut cursor) = (Vec::new(), None);
    loop {
        let page = reader.findings(&FindingFilter::default(), cursor.as_ref(), 7).unwrap();
        rows.extend(page.rows);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert!(rows.is_sorted_by(|a, b| a.id > b.id));
    let totals = reader.finding_totals(&FindingFilter::default()).unwrap();
    assert_eq!(totals.iter().map(|total| total.findings).sum::<u64>(), rows.len() as u64);
    for total in &totals {
        let brute = rows.iter().filter(|row| row.code == total.code).count();
        assert_eq!(total.findings, brute as u64);
        let filter = FindingFilter { code: Some(total.code.clone()), ..FindingFilter::default() };
        assert_eq!(reader.findings(&filter, None, 200).unwrap().rows.len(), brute);
    }
    let one = FindingFilter { conversation: Some(ConversationId(25)), ..FindingFilter::default() };
    let of_one = reader.finding_totals(&one).unwrap();
    assert_eq!(of_one.iter().map(|total| total.findings).sum::<u64>(), 6);
}

#[test]
fn an_overlapping_recording_adds_only_what_is_new_and_says_where_else_a_run_is_held() {
    let (_place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "t", &recording("t", 0..10), 0).unwrap();
    import(&mut writer, "t", &recording("t", 0..15), 0).unwrap();
    let reader = archive.reader().unwrap();
    assert_eq!(reader.totals().unwrap().runs, 15);
    assert_eq!(reader.occurrences(RunId(1), 10).unwrap()[0].source, SourceId(2));
    assert!(reader.occurrences(RunId(15), 10).unwrap().is_empty());
    assert_eq!(reader.conversations_of_source(SourceId(2), 10).unwrap(), [ConversationId(1)]);
    assert_eq!(reader.runs_from(ConversationId(1), 12, 10).unwrap().len(), 3);
    assert_eq!(reader.connections_of_source(SourceId(2), 10).unwrap()[0].number, 0);
    let sources = reader.sources_of_conversation(ConversationId(1), 10).unwrap();
    assert_eq!(sources.iter().map(|source| source.counts.runs).collect::<Vec<_>>(), [10, 15]);
}

#[test]
fn packages_services_and_totals_are_listed() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    assert_eq!(reader.package_ids("", 10).unwrap(), ["kb"]);
    assert!(reader.package_ids("kb", 10).unwrap().is_empty());
    assert_eq!(reader.services().unwrap().len(), 1);
    let totals = reader.totals().unwrap();
    assert_eq!(
        (totals.sources, totals.conversations, totals.runs, totals.answers),
        (25, 25, 325, 325)
    );
    assert_eq!((totals.records, totals.citations), (15, 325));
    assert_eq!(reader.sources(None, 200).unwrap().rows.len(), 25);
}

/// R13: no instant wraps, and order is by number, not by text.
#[test]
fn instants_at_both_ends_of_time_are_kept_and_ordered() {
    let (_place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    let ends = [i64::MIN, -62_167_219_200_000_000, 0, 253_402_300_799_999_999, i64::MAX];
    let bytes = recording("t", 0..1);
    let mut intake = begin(&mut writer, &new_source("t", &bytes)).unwrap();
    let source = intake.source();
    for at in ends {
        let new = NewConversation {
            source,
            service: None,
            thread_id: None,
            title: "t",
            title_from: "none",
            newest_at: Instant(at),
        };
        intake.insert_conversation(&new).unwrap();
    }
    intake.append(Stream::Content, &bytes).unwrap();
    intake.finish(&finish_of(&bytes)).unwrap();
    let rows = all(&archive.reader().unwrap(), &ConversationFilter::default());
    let times: Vec<i64> = rows.iter().rev().map(|row| row.newest_at.0).collect();
    assert_eq!(times, ends);
}

#[test]
fn a_reader_can_be_interrupted_and_goes_on_afterwards() {
    let (_place, archive) = many();
    let reader = archive.reader().unwrap();
    let interrupter = reader.interrupter();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = std::sync::Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        while !flag.load(std::sync::atomic::Ordering::Relaxed) {
            interrupter.interrupt();
        }
    });
    let mut cancelled = 0;
    for _ in 0..2000 {
        match reader.content_hash() {
            Err(error) => {
                assert_eq!(error.kind(), Kind::Cancelled);
                cancelled += 1;
            }
            Ok(_) if cancelled > 0 => break,
            Ok(_) => {}
        }
        if cancelled > 3 {
            break;
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    thread.join().unwrap();
    assert!(cancelled > 0);
    reader.content_hash().unwrap();
}

#[test]
fn a_text_that_grows_later_is_found_by_its_old_and_new_words() {
    let (place, archive) = created();
    let mut writer = archive.writer("test", NOW).unwrap();
    import(&mut writer, "t", &recording("t", 0..3), 0).unwrap();
    let bytes = recording("u", 0..1);
    let mut intake = begin(&mut writer, &new_source("u", &bytes)).unwrap();
    feed(&mut intake, "u", &bytes, 0, 0).unwrap();
    let answer = intake.message_of_number(ConversationId(1), 1).unwrap().unwrap();
    let held = intake.message_text(answer).unwrap();
    let update = MessageUpdate {
        text_at: held.len() as u64,
        append: " zeppelin",
        role: "assistant",
        name: None,
        cut: false,
        ending: Ending::Ended,
        answers_call: None,
        content: None,
        extra: None,
        content_end: None,
    };
    intake.update_message(answer, &update).unwrap();
    let misplaced = MessageUpdate { text_at: 1, ..update };
    assert_eq!(intake.update_message(answer, &misplaced).unwrap_err().kind(), Kind::BadInput);
    intake.finish(&finish_of(&bytes)).unwrap();
    drop(writer);
    let reader = archive.reader().unwrap();
    for words in ["zeppelin", "answer 0 zeppelin"] {
        let filter =
            ConversationFilter { text: Some(words.to_owned()), ..ConversationFilter::default() };
        let rows = reader.conversations(&filter, None, 10).unwrap().page.rows;
        assert_eq!(
            rows.iter().map(|row| row.id).collect::<Vec<_>>(),
            [ConversationId(1)],
            "{words}"
        );
    }
    assert_eq!(verify(&place.path).unwrap().damages, []);
}
