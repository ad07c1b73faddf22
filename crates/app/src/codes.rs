//! Codes of findings that only the archive as a whole can tell.

use agui::finding::{Code, Severity};

/// The same run with other bytes is held already.
pub(crate) static RUN_OTHER_BYTES: Code = Code {
    id: "recite.run.other-bytes",
    severity: Severity::Warning,
    meaning: "A run with the same thread and run id is held with other event bytes; both are kept.",
    rule: "facts/agui §3.6",
};

/// Everything in this table and those of `agui` and `moca` is listed in `docs/findings.md`.
pub(crate) static CODES: &[&Code] = &[&RUN_OTHER_BYTES];

/// What a code means; nothing for a code of a newer version.
pub(crate) fn meaning(id: &str) -> &'static str {
    let own = CODES.iter().map(|code| (code.id, code.meaning));
    let agui = agui::finding::CODES.iter().map(|code| (code.id, code.meaning));
    let moca = moca::finding::CODES.iter().map(|code| (code.id, code.meaning));
    own.chain(agui).chain(moca).find(|(known, _)| *known == id).map_or("", |(_, meaning)| meaning)
}

/// Longest quotation of a recording's text in a sentence, in characters.
const MAX_QUOTED: usize = 80;

/// Quotes text of a recording: bounded, controls made visible.
pub(crate) fn quote(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTED).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("“{}{more}”", render::plain_line(&short))
}
