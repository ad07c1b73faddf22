//! The newest conversation: three sources that stand differently, a tool call, and a second run that waits for an answer.

use super::super::script::{Script, Step, Turn, cited};
use super::{CARGO_BIKES, DESK_WITH_NEW_TARIFFS, RETURNS, TRANSFER_FEE, desk};

pub(super) fn newest() -> Script {
    let question = Turn::at("2026-11-30T09:41:07+01:00", DESK_WITH_NEW_TARIFFS)
        .asks(
            "I rented a cargo bike in the Old Town this morning. Can I give it back at Pier 4 tonight, and what does that cost?",
        )
        .thinks(
            "The rider wants to return a cargo bike at another station. I need the rule for returns, which stations take \
             cargo bikes, and the transfer fee.",
        )
        .looks_up("return cargo bike at another station, fee", [RETURNS, CARGO_BIKES, TRANSFER_FEE])
        .says(
            "Yes, you can give the cargo bike back at **Pier 4** tonight.\n\
             \n\
             - A rented bike may be returned at any staffed station within opening hours, not only where it was rented. [1]\n\
             - Cargo bikes need a station with a ramp: **Old Town, Pier 4, Shipyard** and **University** have one. [2]\n\
             - Returning it at another station than the one where you rented it costs a transfer fee of **6 €**. [3]\n\
             \n\
             Please be there before closing time: after that the rental runs on until the next morning [1].\n\
             \n\
             Shall I tell Pier 4 that you are coming, so that they keep the ramp free?",
        )
        .cites([cited("[1]", RETURNS), cited("[2]", CARGO_BIKES), cited("[3]", TRANSFER_FEE)])
        .finishes();
    let booking = Turn::at("2026-11-30T09:43:32+01:00", DESK_WITH_NEW_TARIFFS)
        .asks("Yes please, I will be there at half past five.")
        .then(Step::Call {
            name: "reserve_ramp",
            arguments: r#"{"station":"Pier 4","from":"17:30","minutes":15,"bike":"C-118"}"#,
            result: None,
        })
        .says(
            "I have the reservation ready: **Pier 4, 17:30 to 17:45, cargo bike C-118**. Before I send it, a person at the \
             station has to confirm it.",
        )
        .cites([])
        .then(Step::Interrupt {
            reason: "confirmation",
            message: "Reserve the ramp at Pier 4 from 17:30 to 17:45 for cargo bike C-118?",
        });
    desk("desk-cargo-bike-to-pier-4.agui.jsonl", "desk-5207", vec![question, booking])
}
