//! A conversation in German, on a page that a reviewer found inaccurate.

use super::super::script::{Script, Turn, cited};
use super::{DESK, HOURS, RETURNS, desk, german};

pub(super) fn opening_hours() -> Script {
    let hours = Turn::at("2026-11-21T10:05:33+01:00", DESK)
        .asks("Wie lange hat Pier 4 heute Abend geöffnet?")
        .looks_up("Öffnungszeiten Pier 4 Winter", [german(HOURS)])
        .says(
            "Heute ist Samstag: **Pier 4** ist freitags und samstags bis **23 Uhr** besetzt [1].\n\
             \n\
             An den übrigen Tagen gilt im Winter:\n\
             \n\
             | Jahreszeit | Besetzt |\n\
             |---|---|\n\
             | Oktober bis März | 8 bis 19 Uhr [1] |",
        )
        .cites([cited("[1]", german(HOURS))])
        .finishes();
    let late = Turn::at("2026-11-21T10:07:02+01:00", DESK)
        .asks("Und wenn ich erst nach Mitternacht zurück bin?")
        .looks_up("Rückgabe nach Schließung", [german(RETURNS)])
        .says(
            "Dann läuft die Miete weiter, bis die Station am nächsten Morgen öffnet [1]. Zurückgeben können Sie das Rad an jeder \
             besetzten Station, nicht nur am Pier 4.",
        )
        .cites([cited("[1]", german(RETURNS))])
        .finishes();
    desk("desk-oeffnungszeiten-review-inaccurate.agui.jsonl", "desk-5002", vec![hours, late])
}
