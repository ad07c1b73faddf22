//! However often changes are taken, and wherever a thread is put down and taken up again, an archive ends
//! with the same (the promise that streaming and resumed imports stand on).

use agui::fold::{Context, Thread};
use agui::runs::Step;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fold_support::{Archive, by_thread, fold, frames, recordings, request, steps};

/// Events whose ids collide on purpose, in any order.
fn event() -> impl Strategy<Value = Value> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    let text =
        prop::sample::select(vec!["", "yes", " yes", "no ", "\n", "longer text", "{\"x\":", "1}"]);
    let run = prop::sample::select(vec!["r1", "r2"]);
    (0..24, id, text, run).prop_map(|(kind, id, text, run)| match kind {
        0 | 1 => json!({"type":"TEXT_MESSAGE_START","messageId":id}),
        2..=5 => json!({"type":"TEXT_MESSAGE_CONTENT","messageId":id,"delta":text}),
        6 => json!({"type":"TEXT_MESSAGE_END","messageId":id}),
        7 => json!({"type":"TEXT_MESSAGE_CHUNK","messageId":id,"delta":text}),
        8 => json!({"type":"TEXT_MESSAGE_CHUNK","delta":text}),
        9 => json!({"type":"TOOL_CALL_START","toolCallId":id,"toolCallName":"n","parentMessageId":id}),
        10 => json!({"type":"TOOL_CALL_ARGS","toolCallId":id,"delta":text}),
        11 => json!({"type":"TOOL_CALL_END","toolCallId":id}),
        12 => json!({"type":"TOOL_CALL_RESULT","messageId":id,"toolCallId":id,"content":text}),
        13 => json!({"type":"REASONING_MESSAGE_CONTENT","messageId":id,"delta":text}),
        14 => json!({"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":text}),
        15 => json!({"type":"CUSTOM","name":"moca.citations","value":{"messageId":id}}),
        16 => json!({"type":"STATE_DELTA","delta":[{"op":"add","path":format!("/{id}"),"value":text}]}),
        17 => json!({"type":"ACTIVITY_SNAPSHOT","messageId":id,"activityType":"P","content":{"x":text}}),
        18 => json!({"type":"ACTIVITY_DELTA","messageId":id,"activityType":"P","patch":[{"op":"replace","path":"/x","value":text}]}),
        19 => json!({"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":text},{"id":format!("s{id}"),"role":"assistant","content":text}]}),
        20 => json!({"type":"RUN_STARTED","threadId":"t","runId":run}),
        21 => json!({"type":"RUN_STARTED","threadId":"t","runId":run,"input":{"messages":[{"role":"user","content":text}]}}),
        22 => json!({"type":"RUN_FINISHED","threadId":"t","runId":run}),
        _ => json!({"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":id,"encryptedValue":text}),
    })
}

/// Takes changes after every step whose bit is set, and puts the thread down there where it may be.
fn in_parts(steps: &[Step], cuts: &[bool], put_down: bool) -> Archive {
    let mut thread = Thread::new();
    let mut archive = Archive::default();
    for (step, cut) in steps.iter().zip(cuts.iter().cycle()) {
        thread.apply(step);
        if *cut {
            archive.take(thread.take_changes());
            if let Some(context) = thread.context().filter(|_| put_down) {
                let kept = serde_json::to_string(&context).unwrap();
                thread = Thread::restore(serde_json::from_str::<Context>(&kept).unwrap());
            }
        }
    }
    archive.take(thread.take_changes());
    archive
}

/// What an archive holds at the end, whatever way it came there.
fn settled(mut archive: Archive) -> Archive {
    // A text that a list tells anew after a thread was put down is told once more.
    archive.edits.clear();
    archive.findings.retain(|f| f.finding.code.id != "agui.messages.other-text");
    archive.state.get_or_insert_with(|| "{}".to_owned());
    archive
}

proptest! {
    #[test]
    fn any_cut_gives_the_same_archive(events in prop::collection::vec(event(), 1..60), cuts in prop::collection::vec(any::<bool>(), 1..20), asked in any::<bool>()) {
        let mut all = frames(&events);
        if asked {
            all.insert(0, request(&json!({"threadId":"t","runId":"r1","messages":[{"id":"u","role":"user","content":"yes"}]})));
        }
        let steps = steps(all);
        let whole = fold(&steps);
        prop_assert_eq!(&in_parts(&steps, &cuts, false), &whole);
        prop_assert_eq!(&in_parts(&steps, &[true], false), &whole);
        prop_assert_eq!(settled(in_parts(&steps, &cuts, true)), settled(whole));
    }
}

#[test]
fn every_recording_gives_the_same_archive_taken_after_each_event() {
    let Some(folder) = recordings() else { return };
    let mut compared = 0;
    for folder in [folder.clone(), folder.join("moca")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap_or_default();
            let Ok(recording) = agui::container::frames(&bytes) else { continue };
            for (_, steps) in by_thread(steps(recording.frames)) {
                let whole = fold(&steps);
                assert_eq!(in_parts(&steps, &[true], false), whole, "{}", path.display());
                assert_eq!(
                    settled(in_parts(&steps, &[true], true)),
                    settled(whole),
                    "{}",
                    path.display()
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 35, "{compared} threads");
}
