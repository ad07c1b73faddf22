//! Findings of the containers.

use crate::finding::{Code, Severity};

/// Every code of this room.
pub const CODES: &[&Code] = &[
    &BROKEN,
    &NOT_A_NUMBER,
    &TOO_MANY_CONNECTIONS,
    &OUT_OF_ORDER,
    &UNKNOWN_RECORD,
    &BODY_MISSING,
    &BODY_CUT,
];

/// A number that JSON does not have.
pub static NOT_A_NUMBER: Code = Code {
    id: "agui.json.not-a-number",
    severity: Severity::Warning,
    meaning: "The event holds NaN or Infinity, which JSON does not have; it was read with null in their place.",
    rule: "facts/agui §2.3",
};

/// JSON around the events that is broken.
pub static BROKEN: Code = Code {
    id: "agui.container.broken",
    severity: Severity::Warning,
    meaning: "The JSON text around the events is broken or ends too early; what could be read was read.",
    rule: "facts/agui §2.5",
};

/// More connections than are told apart.
pub static TOO_MANY_CONNECTIONS: Code = Code {
    id: "agui.container.too-many-connections",
    severity: Severity::Warning,
    meaning: "The source holds more connections than are told apart; what comes after stays with the last one.",
    rule: "facts/agui §4.5",
};

/// Frames that stand in another order than their numbers say.
pub static OUT_OF_ORDER: Code = Code {
    id: "agui.container.out-of-order",
    severity: Severity::Warning,
    meaning: "Frames of a connection stand in another order than their numbers say; they were read in the order of the file.",
    rule: "facts/agui §4.6",
};

/// A record kind nobody knows.
pub static UNKNOWN_RECORD: Code = Code {
    id: "agui.container.unknown-record",
    severity: Severity::Info,
    meaning: "A record of a kind that is not known was kept and not read.",
    rule: "facts/agui §4.5",
};

/// A reply without its body.
pub static BODY_MISSING: Code = Code {
    id: "agui.har.body-missing",
    severity: Severity::Warning,
    meaning: "The recording has the reply of a connection but not its body.",
    rule: "facts/agui §4.4",
};

/// A reply whose body ends before the length that the recording states.
pub static BODY_CUT: Code = Code {
    id: "agui.har.body-cut",
    severity: Severity::Warning,
    meaning: "The body of a reply is shorter than the recording says it was.",
    rule: "facts/agui §4.4",
};
