//! Frames are cut into runs by their RUN_STARTED, on each connection by itself.

use agui::frame::{Body, Frame, Malformed};
use agui::runs::{Ending, MAX_FINDINGS_PER_CODE, Place, RunNo, Splitter, Step};
use serde_json::{Value, json};

use crate::fold_support::{frames, request, steps, texts};

fn started(run: &str) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":run})
}

fn finished(run: &str) -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":run})
}

fn custom() -> Value {
    json!({"type":"CUSTOM","name":"x","value":1})
}

/// Run ids with how they ended and the number of their events, in the order in which they end.
fn ends(steps: &[Step]) -> Vec<(Option<&str>, &Ending, u64)> {
    let head = |no: RunNo| {
        steps.iter().find_map(|step| match step {
            Step::RunBegins(head) if head.run == no => Some(head.run_id.as_deref()),
            _ => None,
        })
    };
    let mut ends = Vec::new();
    for step in steps {
        if let Step::RunEnds(end) = step {
            ends.push((head(end.run).unwrap(), &end.ending, end.events));
        }
    }
    ends
}

fn codes(steps: &[Step]) -> Vec<&'static str> {
    let code = |step: &Step| match step {
        Step::Finding(found) => Some(found.finding.code.id),
        _ => None,
    };
    steps.iter().filter_map(code).collect()
}

#[test]
fn a_run_ends_with_the_next_start_and_keeps_what_came_after_its_end() {
    let steps =
        steps(frames(&[started("a"), finished("a"), custom(), started("b"), finished("b")]));
    assert_eq!(
        ends(&steps),
        [(Some("a"), &Ending::Finished, 3), (Some("b"), &Ending::Finished, 2)]
    );
    assert_eq!(codes(&steps), ["agui.run.event-after-end"]);
    let places: Vec<_> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Event(event) => Some((event.index, event.run.0, event.place)),
            _ => None,
        })
        .collect();
    assert_eq!(
        places,
        [
            (0, 0, Place::Inside),
            (1, 0, Place::End),
            (2, 0, Place::AfterEnd),
            (3, 1, Place::Inside),
            (4, 1, Place::End)
        ]
    );
}

#[test]
fn a_start_while_a_run_is_open_ends_it_incomplete() {
    let steps = steps(frames(&[started("a"), custom(), started("b"), finished("b")]));
    assert_eq!(
        ends(&steps),
        [(Some("a"), &Ending::Incomplete, 2), (Some("b"), &Ending::Finished, 2)]
    );
    assert_eq!(codes(&steps), ["agui.run.incomplete", "agui.run.started-while-open"]);
}

#[test]
fn events_before_any_start_form_a_run_that_was_never_started() {
    let steps = steps(frames(&[custom(), started("a"), finished("a")]));
    let Step::RunBegins(head) = &steps[0] else { panic!("{:?}", steps[0]) };
    assert!(!head.started && head.thread_id.is_none() && head.run_id.is_none());
    assert_eq!(ends(&steps)[0], (None, &Ending::Incomplete, 1));
    assert!(codes(&steps).contains(&"agui.run.not-started"));
}

#[test]
fn a_run_that_finishes_under_another_id_ends_with_a_finding() {
    let steps = steps(frames(&[started("a"), finished("b")]));
    assert_eq!(ends(&steps), [(Some("a"), &Ending::Finished, 2)]);
    assert_eq!(codes(&steps), ["agui.run.finished-under-other-id"]);
}

#[test]
fn an_error_counts_before_a_success_and_after_one() {
    let error = json!({"type":"RUN_ERROR","message":"no","code":"E1"});
    let ending = Ending::Error { code: Some("E1".to_owned()), message: Some("no".to_owned()) };
    for events in
        [[started("a"), error.clone(), finished("a")], [started("a"), finished("a"), error.clone()]]
    {
        let steps = steps(frames(&events));
        assert_eq!(ends(&steps), [(Some("a"), &ending, 3)]);
        assert_eq!(codes(&steps), ["agui.run.ended-twice"]);
    }
}

#[test]
fn every_ending_has_its_name() {
    let outcome = |outcome: Value| json!({"type":"RUN_FINISHED","threadId":"t","runId":"a","outcome":outcome});
    let cases = [
        (finished("a"), "finished"),
        (outcome(json!({"type":"success"})), "finished"),
        (outcome(json!("success")), "finished"),
        (outcome(Value::Null), "finished"),
        (
            outcome(json!({"type":"interrupt","interrupts":[{"id":"i","reason":"r"}]})),
            "interrupted",
        ),
        (outcome(json!("interrupt")), "interrupted"),
        (
            json!({"type":"RUN_FINISHED","threadId":"t","runId":"a","interrupts":[{"id":"i"}]}),
            "interrupted",
        ),
        (outcome(json!({"type":"cancelled"})), "cancelled"),
        (outcome(json!({"type":"paused"})), "paused"),
        (json!({"type":"RUN_ERROR","message":"stop","code":"abort"}), "aborted"),
        (json!({"type":"RUN_ERROR","message":"m"}), "error"),
        (json!({"type":"RUN_ERROR","error":{"message":"m","code":"c"}}), "error"),
        (custom(), "incomplete"),
    ];
    for (event, word) in cases {
        let steps = steps(frames(&[started("a"), event.clone()]));
        assert_eq!(ends(&steps)[0].1.word(), word, "{event}");
        assert_eq!(codes(&steps).contains(&"agui.run.unknown-outcome"), word == "paused");
    }
}

#[test]
fn connections_are_cut_each_by_itself() {
    let mut all = Vec::new();
    for (connection, event) in [
        (0, started("a")),
        (1, started("b")),
        (0, custom()),
        (1, finished("b")),
        (0, finished("a")),
        (1, started("c")),
    ] {
        let frame = frames(&[event]).remove(0);
        all.push(Frame { connection, ..frame });
    }
    let steps = steps(all);
    let mut ends = ends(&steps);
    ends.sort_by_key(|end| end.0);
    let expected = [
        (Some("a"), &Ending::Finished, 3),
        (Some("b"), &Ending::Finished, 2),
        (Some("c"), &Ending::Incomplete, 1),
    ];
    assert_eq!(ends, expected);
    assert_eq!(codes(&steps), ["agui.run.incomplete"]);
}

#[test]
fn a_request_belongs_to_the_run_that_follows_and_is_kept_without_one() {
    let input = json!({"threadId":"t","runId":"a","messages":[]});
    let mut all = vec![request(&input)];
    all.extend(frames(&[custom(), finished("a")]));
    all.push(request(&json!({"threadId":"u","runId":"b","messages":[]})));
    let steps = steps(all);
    let heads: Vec<_> = steps
        .iter()
        .filter_map(|step| match step {
            Step::RunBegins(head) => {
                Some((head.thread_id.as_deref(), head.started, head.request.is_some()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(heads, [(Some("t"), false, true), (Some("u"), false, true)]);
    assert_eq!(ends(&steps)[1], (Some("b"), &Ending::Incomplete, 0));
    assert!(codes(&steps).contains(&"agui.run.no-events"));
}

#[test]
fn the_hash_of_a_run_is_that_of_its_event_texts() {
    let hash = |steps: &[Step]| {
        let hash = |step: &Step| match step {
            Step::RunEnds(end) => Some(end.hash),
            _ => None,
        };
        steps.iter().find_map(hash).unwrap()
    };
    let texts_of = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"a"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"a"}"#,
    ];
    let one = steps(texts(&texts_of));
    let mut moved = texts(&texts_of);
    moved.iter_mut().for_each(|frame| frame.at = frame.at.start + 900..frame.at.end + 900);
    moved.insert(1, Frame { body: Body::KeepAlive(b": ping".to_vec()), ..moved[0].clone() });
    assert_eq!(hash(&one), hash(&steps(moved)));
    let spaced = texts_of.map(|text| text.replace(':', ": "));
    assert_ne!(hash(&one), hash(&steps(texts(&spaced))), "the bytes count, not the value");
    use sha2::Digest;
    let expected: [u8; 32] = sha2::Sha256::digest(texts_of.join("\n").as_bytes()).into();
    assert_eq!(hash(&one), expected);
}

#[test]
fn malformed_frames_are_findings_and_cost_no_neighbour() {
    let mut all = frames(&[started("a"), finished("a")]);
    let broken = Body::Malformed {
        bytes: b"{\"type\":\x00".to_vec(),
        why: Malformed::NotJson("eof".to_owned()),
    };
    all.insert(1, Frame { body: broken, ..all[0].clone() });
    let steps = steps(all);
    assert_eq!(ends(&steps), [(Some("a"), &Ending::Finished, 2)]);
    assert_eq!(codes(&steps), ["agui.frame.malformed"]);
}

#[test]
fn findings_of_one_kind_are_counted_after_the_first() {
    let mut events = vec![started("a"), finished("a")];
    events.extend(vec![custom(); 100]);
    let steps = steps(frames(&events));
    let found: Vec<_> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Finding(found) => Some(found.finding.message.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(found.len() as u64, MAX_FINDINGS_PER_CODE + 1);
    assert_eq!(*found.last().unwrap(), "80 more of this kind in this run.");
}

#[test]
fn reading_goes_on_at_a_boundary_with_the_same_numbers() {
    let all = frames(&[started("a"), finished("a"), started("b"), custom(), finished("b")]);
    let whole = steps(all.clone());
    let (first, second) = all.split_at(2);
    let mut parts = steps(first.to_vec());
    let mut splitter = Splitter::resume(2, 1);
    for frame in second {
        splitter.push(frame.clone(), &mut parts);
    }
    assert!(!splitter.at_boundary());
    splitter.finish(&mut parts);
    assert_eq!(parts, whole);
    assert_eq!((splitter.events(), splitter.runs()), (5, 2));
}
