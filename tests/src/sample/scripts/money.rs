//! Fees: deprecated, out of force on either side, stale since the answer, and a server that renames its messages.

use super::super::script::{Container, Script, Step, Turn, cited};
use super::{
    DEPOSIT, DESK, DESK_WITH_NEW_TARIFFS, NEW_TRANSFER_FEE, SEASON_TICKET, SUMMER_LATE_FEE,
    TRANSFER_FEE, WINTER_LATE_FEE, desk,
};

/// A deprecated source, then an answer of which the service says that it has none.
pub(super) fn season_ticket() -> Script {
    let ticket = Turn::at("2026-11-20T16:20:41+01:00", DESK)
        .asks("Is my paper season ticket from last year still good?")
        .looks_up("paper season ticket", [SEASON_TICKET])
        .says(
            "Yes. The paper season ticket is **no longer sold**, but tickets in hand stay good until they run out [1]. The date \
             is printed at the bottom, next to the anchor.",
        )
        .cites([cited("[1]", SEASON_TICKET)])
        .finishes();
    let thanks = Turn::at("2026-11-20T16:22:05+01:00", DESK)
        .asks("Great, thank you! And is there a good bakery near the Shipyard station?")
        .says(
            "I only know our own handbook, so I cannot recommend one. The people at the counter certainly can: the station has \
             been there for nine years.",
        )
        .cites([])
        .finishes();
    desk("desk-season-ticket-deprecated.agui.jsonl", "desk-4981", vec![ticket, thanks])
}

/// A source that is no longer in force, and one that is not in force yet.
pub(super) fn late_fees() -> Script {
    let fees = Turn::at("2026-11-24T11:02:18+01:00", DESK)
        .asks(
            "Why did I pay 9 € for coming back late in September, and what will it be in January?",
        )
        .thinks("Two tariffs by season: the summer one for September, the winter one from January.")
        .looks_up("late fee September January", [SUMMER_LATE_FEE, WINTER_LATE_FEE])
        .says(
            "The late fee depends on the season in which the bike comes back:\n\
             \n\
             | Season | A bike that is not back by closing time |\n\
             |---|---|\n\
             | April to September | **9 €** for the night [1] |\n\
             | January to March | **5 €** for the night [2] |\n\
             \n\
             So the 9 € of September were right, and from January you would pay 5 €.",
        )
        .cites([cited("[1]", SUMMER_LATE_FEE), cited("[2]", WINTER_LATE_FEE)])
        .finishes();
    let gap = Turn::at("2026-11-24T11:04:50+01:00", DESK)
        .asks("And what about today, in November?")
        .looks_up("late fee November", [SUMMER_LATE_FEE, WINTER_LATE_FEE])
        .says(
            "For October to December I find **no** late fee in the tariffs that I have: the summer one ended with September [1], \
             and the winter one starts in January [2]. Please ask at the counter before you rely on it.",
        )
        .cites([cited("[1]", SUMMER_LATE_FEE), cited("[2]", WINTER_LATE_FEE)])
        .finishes();
    desk("desk-late-fee-by-season.agui.jsonl", "desk-5043", vec![fees, gap])
}

/// Not stale when it was answered, stale by its own dates since; evidence that is not where it should be.
pub(super) fn transfer_fee() -> Script {
    let fee = Turn::at("2026-10-19T13:15:22+02:00", DESK)
        .asks("How much is it to drop the bike at another station, and when do I get my deposit back?")
        .looks_up("transfer fee, deposit back", [TRANSFER_FEE, DEPOSIT])
        .says(
            "Two things:\n\
             \n\
             1. Returning a bike at another staffed station costs a transfer fee of **6 €** [1].\n\
             2. You get the deposit back, in the form in which you gave it, when the bike is returned undamaged: **40 €** for a \
             city bike, **80 €** for a cargo bike [2].\n\
             \n\
             If you paid the deposit by card, your bank may need a few days to show it.",
        )
        .cites([cited("[1]", TRANSFER_FEE), cited("[2]", DEPOSIT)])
        .finishes();
    desk("desk-transfer-fee-stale-since.agui.jsonl", "desk-4312", vec![fee])
}

/// The server's list gives the answer another id; the event names that one. The answer is found by its equal text.
pub(super) fn charged_twice() -> Script {
    let charged = Turn::at("2026-11-28T18:37:10+01:00", DESK_WITH_NEW_TARIFFS)
        .asks("I have a yearly pass and was charged a transfer fee. Is that right?")
        .looks_up("yearly pass transfer fee", [NEW_TRANSFER_FEE])
        .says(
            "From the tariffs of December on, riders with a **yearly pass pay no transfer fee**; everybody else pays 7 € [1]. \
             Send us the receipt and we will look at it.",
        )
        .then(Step::Rename)
        .cites([cited("[1]", NEW_TRANSFER_FEE)])
        .finishes();
    Script {
        container: Container::SseWithHead,
        ..desk("desk-renamed-by-snapshot.sse", "desk-5166", vec![charged])
    }
}
