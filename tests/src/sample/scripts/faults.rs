//! A test service whose citation events are wrong, one fault a run: what an engineer of a service would look for.

use moca_reader::Value;

use super::super::json::{remove, set, text};
use super::super::script::{Cites, Computed, Script, Step, Turn, cited};
use super::{CARGO_BIKES, DEPOSIT, DESK, GROUPS, HELMETS, HOURS, RETURNS, desk};

fn staging(file: &'static str, thread: &'static str, turns: Vec<Turn>) -> Script {
    Script { endpoint: "https://staging.harbour-bikes.example/agent", ..desk(file, thread, turns) }
}

/// Faults of the event and its list.
pub(super) fn lists() -> Script {
    let invalid = Turn::at("2026-11-25T14:00:10+01:00", DESK)
        .asks("Which deposit do I leave for a cargo bike?")
        .looks_up("deposit cargo bike", [DEPOSIT, CARGO_BIKES])
        .says("The deposit is **80 €** for a cargo bike [1], which you get at a station with a ramp [2].")
        .cites([cited("[1]", DEPOSIT).spoilt(without_in_force), cited("[2]", CARGO_BIKES)])
        .finishes();
    let newer = Turn::at("2026-11-25T14:01:20+01:00", DESK)
        .asks("And for a city bike?")
        .looks_up("deposit city bike", [DEPOSIT])
        .says("**40 €** [1].")
        .then(Step::Cite(Cites::of([cited("[1]", DEPOSIT)]).version(2)))
        .finishes();
    let nowhere = Turn::at("2026-11-25T14:02:30+01:00", DESK)
        .asks("When do I get it back?")
        .looks_up("deposit back", [DEPOSIT])
        .says("When the bike is returned undamaged, in the form in which you gave it [1].")
        .then(Step::Cite(Cites::of([cited("[1]", DEPOSIT)]).of_message("answer-of-another-run")))
        .finishes();
    let twice = Turn::at("2026-11-25T14:03:40+01:00", DESK)
        .asks("May I return the bike somewhere else?")
        .looks_up("return elsewhere", [RETURNS, HOURS])
        .says("Yes, at any staffed station [1] within opening hours [2].")
        .cites([cited("[1]", RETURNS)])
        .cites([cited("[1]", RETURNS), cited("[2]", HOURS), cited("[2]", HOURS)])
        .finishes();
    let none = Turn::at("2026-11-25T14:04:50+01:00", DESK)
        .asks("Do I need a helmet?")
        .looks_up("helmet", [HELMETS])
        .says("Children under 14 do [1].")
        .finishes();
    let turns = vec![invalid, newer, nowhere, twice, none];
    staging("staging-faulty-events-and-records.agui.jsonl", "staging-71", turns)
}

/// Faults of `computedAt`.
pub(super) fn times() -> Script {
    let missing = Turn::at("2026-11-25T15:10:00+01:00", DESK)
        .asks("How far ahead does a group have to reserve?")
        .looks_up("groups reserve", [GROUPS])
        .says("Six bikes or more: at least **two days ahead** [1].")
        .then(Step::Cite(Cites::of([cited("[1]", GROUPS)]).computed(Computed::Missing)))
        .finishes();
    let without_offset = Turn::at("2026-11-25T15:11:10+01:00", DESK)
        .asks("And a group of twelve?")
        .looks_up("groups reserve twelve", [GROUPS])
        .says("One week ahead [1].")
        .then(Step::Cite(Cites::of([cited("[1]", GROUPS)]).computed(Computed::WithoutOffset)))
        .finishes();
    let ahead = Turn::at("2026-11-25T15:12:20+01:00", DESK)
        .asks("How long do you keep the reservation?")
        .looks_up("groups reservation kept", [GROUPS])
        .says("For 30 minutes after the agreed time [1].")
        .then(Step::Cite(Cites::of([cited("[1]", GROUPS)]).computed(Computed::Ahead(60))))
        .finishes();
    staging("staging-faulty-times.agui.jsonl", "staging-72", vec![missing, without_offset, ahead])
}

/// Faults of place: of the event in its run, and of the source in the answer.
pub(super) fn places() -> Script {
    let marker = Turn::at("2026-11-26T10:20:00+01:00", DESK)
        .asks("How heavy may a cargo bike be loaded?")
        .looks_up("cargo bike load", [CARGO_BIKES])
        .says("With **100 kg** at most, heavy things low and in front (see the handbook).")
        .cites([cited("[1]", CARGO_BIKES)])
        .finishes();
    let early = Turn::at("2026-11-26T10:21:00+01:00", DESK)
        .asks("How far does the battery last?")
        .looks_up("cargo bike battery", [CARGO_BIKES])
        .then(Step::Begin("About **50 km** [1]."))
        .cites([cited("[1]", CARGO_BIKES)])
        .then(Step::End)
        .finishes();
    let late = Turn::at("2026-11-26T10:22:00+01:00", DESK)
        .asks("May I try one first?")
        .looks_up("cargo bike test ride", [CARGO_BIKES])
        .says("Yes, a test ride in the yard is free and takes five minutes [1].")
        .finishes()
        .cites([cited("[1]", CARGO_BIKES)]);
    let order = Turn::at("2026-11-26T10:23:00+01:00", DESK)
        .asks("Where do I return it, and until when?")
        .looks_up("return cargo bike", [RETURNS])
        .says("At a staffed station [2], in winter until 18:00 [1].")
        .cites([cited("[1]", HOURS), cited("[2]", RETURNS)])
        .finishes();
    let changed = Turn::at("2026-11-26T10:24:00+01:00", DESK)
        .asks("Is the helmet free?")
        .looks_up("helmet free", [HELMETS, GROUPS])
        .says("Yes, at every staffed station [1], for groups as well [2].")
        .cites([
            cited("[1]", HELMETS).spoilt(with_another_title),
            cited("[2]", GROUPS).spoilt(with_another_node),
        ])
        .finishes();
    let turns = vec![marker, early, late, order, changed];
    staging("staging-faulty-places-and-order.agui.jsonl", "staging-73", turns)
}

fn without_in_force(record: &mut Value) {
    remove(record, &["trust"], "inForce");
}

fn with_another_title(record: &mut Value) {
    set(record, &["node"], "title", text("Helmets, free of charge"));
}

/// `node.id` then names another node than `node.ref`.
fn with_another_node(record: &mut Value) {
    let id = "https://harbour-bikes.example/moca/handbook#reservations.md";
    set(record, &["node"], "id", text(id));
}
