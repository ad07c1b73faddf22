//! What has no citation events: a service that knows nothing of them, and a copy of the messages alone.

use super::super::script::{Container, Generation, Script, Step, Turn, cited};
use super::{DESK, GROUPS, desk};

/// A planner on the user's own machine; its web sources come in an event of its own.
pub(super) fn no_citations() -> Script {
    let plan = Turn::at("2026-11-22T20:11:36+01:00", &[])
        .asks("Plan a Sunday ride along the coast, about 40 km, with a stop for lunch.")
        .then(Step::Call {
            name: "web_search",
            arguments: r#"{"q":"coast ride 40 km lunch"}"#,
            result: Some(r#"{"hits":2}"#),
        })
        .says(
            "Here is a ride of **41 km** with little traffic:\n\
             \n\
             | km | Place | What to do |\n\
             |---|---|---|\n\
             | 0 | Old Town | Start at the bike station |\n\
             | 14 | Gull Point | Look for seals from the pier |\n\
             | 22 | Net Loft | Lunch, soup of the day |\n\
             | 41 | Old Town | Give the bikes back before six |\n\
             \n\
             The wind usually comes from the west, so the way home is the easy part.",
        )
        .then(Step::Custom {
            name: "web_sources",
            value: r#"{"messageId":"{answer}","sources":[{"title":"Coast path, section 3","url":"https://coast-path.example/sections/3"},{"title":"Net Loft, opening times","url":"https://net-loft.example/times"}]}"#,
        })
        .finishes();
    Script {
        file: "ride-planner-without-citations.agui.jsonl",
        container: Container::AguiJsonl,
        endpoint: "http://127.0.0.1:8000/agent",
        framework: "svelte",
        thread: "local-17",
        generation: Generation::Older,
        turns: vec![plan],
    }
}

/// The messages of a conversation whose events nobody kept.
pub(super) fn messages_only() -> Script {
    let school = Turn::at("2026-10-02T09:05:00+02:00", DESK)
        .asks("We are a school class of 24. Can we rent bikes for a trip in June?")
        .looks_up("groups", [GROUPS])
        .says(
            "With pleasure. For 11 to 25 bikes please reserve **one week ahead** and leave one deposit for every third bike [1]. \
             One teacher answers for all bikes.",
        )
        .cites([cited("[1]", GROUPS)])
        .then(Step::Rename)
        .finishes();
    Script {
        container: Container::Messages,
        ..desk("message-store-school-trip.json", "desk-4120", vec![school])
    }
}
