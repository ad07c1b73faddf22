//! Sources that hold, on nothing but a declared verification; other sources in the state; a source repeated over three runs.

use super::super::script::{Cites, Script, Step, Turn, cited};
use super::{DESK, HELMETS, HOURS, desk};

pub(super) fn helmets() -> Script {
    let need = Turn::at("2026-11-05T08:12:55+01:00", DESK)
        .asks("Do my children need helmets, and do you lend them?")
        .thinks("Helmets for children: look in the handbook.")
        .looks_up("helmets children", [HELMETS])
        .says(
            "Yes to both. **Children under 14 ride with a helmet**, and helmets are lent free of charge at every staffed station \
             [1]. A rental to a family includes one child helmet for each child seat.",
        )
        .cites([cited("[1]", HELMETS)])
        .then(Step::State(
            r#"{"citations":{"{answer}":[{"title":"How to fit a child's helmet","url":"https://road-safety.example/helmets/fit"},{"title":"Helmet sizes by age","url":"https://road-safety.example/helmets/sizes"}]}}"#,
        ))
        .finishes();
    let size = Turn::at("2026-11-05T08:14:20+01:00", DESK)
        .asks("My youngest is two. Do you have one that small?")
        .looks_up("helmet sizes", [HELMETS])
        .says(
            "The handbook says that there are helmets for adults and children, but not from which size on [1]. Please try one on \
             at the station before you ride.",
        )
        .cites([cited("[1]", HELMETS)])
        .finishes();
    let early = Turn::at("2026-11-05T08:16:41+01:00", DESK)
        .asks("We would like to come at seven. Is somebody there?")
        .looks_up("opening hours morning", [HOURS])
        .says("Not in November: from October to March stations are staffed from **8:00 to 18:00** [1].")
        .then(Step::Cite(Cites::of([cited("[1]", HOURS)])))
        .finishes();
    desk("desk-helmets-declared-only.agui.jsonl", "desk-4677", vec![need, size, early])
}
