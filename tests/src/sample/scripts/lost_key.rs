//! Runs that end otherwise: cancelled and asked again from there, failed, cut off, and resumed after an interrupt.

use super::super::script::{Script, Step, Turn, cited};
use super::{DESK, HOURS, LOST_KEYS, desk};

/// A draft for staff, an activity, a cancelled run, and a run that continues from the one before it.
pub(super) fn lost_key() -> Script {
    let lost = Turn::at("2026-11-12T15:48:09+01:00", DESK)
        .asks("A rider lost the key of the lock at the lighthouse. What do I do?")
        .then(Step::Activity {
            kind: "PLAN",
            content: r#"{"steps":[{"text":"Find the procedure","done":false},{"text":"Find the van","done":false}]}"#,
        })
        .looks_up("lost key procedure", [LOST_KEYS])
        .then(Step::ActivityPatch {
            kind: "PLAN",
            patch: r#"[{"op":"replace","path":"/steps/0/done","value":true}]"#,
        })
        .then(Step::Call {
            name: "find_van",
            arguments: r#"{"near":"Lighthouse"}"#,
            result: Some(r#"{"van":"V2","driver":"Aino","minutes":25}"#),
        })
        .then(Step::ActivityPatch {
            kind: "PLAN",
            patch: r#"[{"op":"replace","path":"/steps/1/done","value":true}]"#,
        })
        .says(
            "1. Ask for the **bike's number** and where it stands.\n\
             2. Send the van with the spare key [1]: **V2 with Aino** can be at the lighthouse in 25 minutes.\n\
             3. Do not name a fee yet. The procedure is a draft, and the fee is not settled [1].",
        )
        .cites([cited("[1]", LOST_KEYS)])
        .finishes();
    let letter = Turn::at("2026-11-12T15:50:31+01:00", DESK)
        .asks("Write the rider a letter about the fee.")
        .says("Dear rider,\n\nabout the key that you lost on")
        .then(Step::Cancel);
    let message = Turn::at("2026-11-12T15:51:14+01:00", DESK)
        .asks("Stop, a short text message is enough, without a fee.")
        .continues(0)
        .looks_up("lost key procedure", [LOST_KEYS])
        .says(
            "> Hello! Our van with the spare key is on its way to the lighthouse and will be there in about 25 minutes. Please stay \
             with the bike. Harbour Bikes\n\
             \n\
             It follows the draft procedure and names no fee [1].",
        )
        .cites([cited("[1]", LOST_KEYS)])
        .finishes();
    desk("desk-lost-key-draft-cancelled.agui.jsonl", "desk-4820", vec![lost, letter, message])
}

/// A run that fails, one that is resumed, one without its event, and one whose stream just ends.
pub(super) fn failures() -> Script {
    let fails = Turn::at("2026-11-18T07:31:02+01:00", DESK)
        .asks("Are the stations open in the storm today?")
        .then(Step::Call {
            name: "station_status",
            arguments: r#"{"station":"all"}"#,
            result: None,
        })
        .then(Step::Fail {
            code: "upstream_timeout",
            message: "The station service did not answer within 30 seconds.",
        });
    let asks_back = Turn::at("2026-11-18T07:32:20+01:00", DESK)
        .asks("Try again, please.")
        .says("The station service is slow today. Shall I ask each station on its own? That takes about a minute.")
        .cites([])
        .then(Step::Interrupt {
            reason: "confirmation",
            message: "Ask all nine stations one after the other?",
        });
    let resumed = Turn::at("2026-11-18T07:33:05+01:00", DESK)
        .resumes(r#"{"approved":true}"#)
        .looks_up("opening hours winter", [HOURS])
        .says("All nine stations answer, and all are staffed from 8:00 to 18:00 as on every winter day.")
        .finishes();
    let cut = Turn::at("2026-11-18T07:36:44+01:00", DESK)
        .asks("Good. Will that change in the afternoon?")
        .then(Step::Begin(
            "The warning for the harbour ends at 14:00, and so far no station plans to",
        ));
    desk(
        "desk-storm-failed-resumed-cut-off.agui.jsonl",
        "desk-4935",
        vec![fails, asks_back, resumed, cut],
    )
}
