//! The helper of an insurer: an older service. Its records have no `node.ref`, and its answers name nodes instead of markers.

use super::super::script::{Cites, Computed, Container, Generation, Script, Step, Turn, unmarked};
use super::{ABROAD, THEFT};

const COVER: &[&str] = &["travel-cover-0.8.1"];

fn helper(
    file: &'static str,
    container: Container,
    thread: &'static str,
    turns: Vec<Turn>,
) -> Script {
    Script {
        file,
        container,
        endpoint: "https://helper.travel-cover.example/api/agent",
        framework: "vue",
        thread,
        generation: Generation::Older,
        turns,
    }
}

/// Contested, unsigned, ref rebuilt; the first event without a time, the second with a time without an offset.
pub(super) fn norway() -> Script {
    let cover = Turn::at("2026-11-09T19:22:47+01:00", COVER)
        .asks("Does my cover include a week in Norway with a rented bike?")
        .looks_up("cover Norway", [ABROAD])
        .says(
            "Yes. The cover includes **Norway and Switzerland** for trips of up to 14 days. Damage to the bike is covered, loss is \
             not.\n\
             \n\
             Source: https://travel-cover.example/moca/cover@0.8.1#abroad.md",
        )
        .then(Step::Cite(Cites::of([unmarked(ABROAD)]).computed(Computed::Missing)))
        .finishes();
    let ferry = Turn::at("2026-11-09T19:24:30+01:00", COVER)
        .asks("And on the ferry to Oslo?")
        .looks_up("cover ferry Oslo", [ABROAD])
        .says(
            "Ferries of the line Frederikshavn to Oslo count as part of Norway, says \
             https://travel-cover.example/moca/cover@0.8.1#abroad.md.",
        )
        .then(Step::Cite(Cites::of([unmarked(ABROAD)]).computed(Computed::WithoutOffset)))
        .finishes();
    helper("travel-helper-norway-contested.jsonl", Container::Jsonl, "tc-88121", vec![cover, ferry])
}

/// A window that cannot be read, saved by a browser with a cookie beside it.
pub(super) fn theft() -> Script {
    let stolen = Turn::at("2026-11-16T21:40:12+01:00", COVER)
        .asks("My rented bike was stolen in front of the station. What do you pay?")
        .looks_up("theft", [THEFT])
        .says(
            "Theft is covered when the bike was **locked to something that cannot be moved**. You pay the first 150 € yourself.\n\
             \n\
             - Report it to the police today.\n\
             - Send us the number of the report within a week.\n\
             \n\
             Source: https://travel-cover.example/moca/cover@0.8.1#theft.md",
        )
        .then(Step::Cite(Cites::of([unmarked(THEFT)])))
        .finishes();
    let photo = Turn::at("2026-11-16T21:43:50+01:00", COVER)
        .asks("Do you need a photo of the lock?")
        .says("It helps, but we do not ask for it. The number of the police report is what counts.")
        .then(Step::Cite(Cites::of([])))
        .finishes();
    helper(
        "travel-helper-theft-window-unreadable.har",
        Container::Har,
        "tc-90455",
        vec![stolen, photo],
    )
}
