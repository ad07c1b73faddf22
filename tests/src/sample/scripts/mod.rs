//! The conversations of the sample, oldest service last. Every state of the product's trust display is met once at least
//! (`docs/sample.md` says where).

mod cargo_bike;
mod elsewhere;
mod family_day;
mod faults;
mod german;
mod helmets;
mod lost_key;
mod money;
mod travel;

use super::script::{Container, Generation, Script, Source, Turn};

/// Every recording.
pub(super) fn all() -> Vec<Script> {
    vec![
        cargo_bike::newest(),
        money::season_ticket(),
        money::late_fees(),
        money::transfer_fee(),
        money::charged_twice(),
        family_day::long_answer(),
        german::opening_hours(),
        helmets::helmets(),
        lost_key::lost_key(),
        lost_key::failures(),
        faults::lists(),
        faults::times(),
        faults::places(),
        travel::norway(),
        travel::theft(),
        elsewhere::no_citations(),
        elsewhere::messages_only(),
    ]
}

/// The desk with the current handbook and the tariffs of the summer.
const DESK: &[&str] = &["handbook-3.2.0", "tariffs-1.9.0"];
/// The desk once the tariffs of December are loaded beside the old ones.
const DESK_WITH_NEW_TARIFFS: &[&str] = &["handbook-3.2.0", "tariffs-1.9.0", "tariffs-2.0.0"];

const RETURNS: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#returns.md");
const DEPOSIT: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#deposit.md");
const CARGO_BIKES: Source =
    node("https://harbour-bikes.example/moca/handbook@3.2.0#cargo-bikes.md");
const HELMETS: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#helmets.md");
const HOURS: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#opening-hours.md");
const GROUPS: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#groups.md");
const LOST_KEYS: Source = node("https://harbour-bikes.example/moca/handbook@3.2.0#lost-keys.md");
const TRANSFER_FEE: Source =
    node("https://harbour-bikes.example/moca/tariffs@1.9.0#transfer-fee.md");
const SEASON_TICKET: Source =
    node("https://harbour-bikes.example/moca/tariffs@1.9.0#season-ticket.md");
const SUMMER_LATE_FEE: Source =
    node("https://harbour-bikes.example/moca/tariffs@1.9.0#summer/late-fee.md");
const WINTER_LATE_FEE: Source =
    node("https://harbour-bikes.example/moca/tariffs@1.9.0#winter/late-fee.md");
const NEW_TRANSFER_FEE: Source =
    node("https://harbour-bikes.example/moca/tariffs@2.0.0#transfer-fee.md");
const ABROAD: Source = node("https://travel-cover.example/moca/cover@0.8.1#abroad.md");
const THEFT: Source = node("https://travel-cover.example/moca/cover@0.8.1#theft.md");

const fn node(reference: &'static str) -> Source {
    Source { reference, locale: None }
}

const fn german(source: Source) -> Source {
    Source { reference: source.reference, locale: Some("de") }
}

/// A conversation with the firm's own desk.
fn desk(file: &'static str, thread: &'static str, turns: Vec<Turn>) -> Script {
    Script {
        file,
        container: Container::AguiJsonl,
        endpoint: "https://desk.harbour-bikes.example/agent",
        framework: "react",
        thread,
        generation: Generation::Current,
        turns,
    }
}
