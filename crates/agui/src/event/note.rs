//! What is odd about one event by itself.

use crate::event::JsonType;
use crate::finding::{Code, Severity};

/// One oddity of an event's spelling or fields. Each stands for a [`Code`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// No JSON object could be read.
    Unreadable,
    /// The bytes are not UTF-8; replacement characters stand in for what is not.
    InvalidUtf8,
    /// `NaN`, `Infinity`, raw control characters or lone surrogates in a member name.
    NotStrictJson,
    /// A member stands twice; the last one counts.
    DuplicateKey(String),
    /// No `type` anywhere.
    NoType,
    /// The type stands only in the `event:` line.
    TypeFromName,
    /// A known type in another spelling.
    TypeSpelling(String),
    /// A type that is in no enumeration.
    UnknownType(String),
    /// Member names in snake case.
    SnakeCase,
    /// A member under a name that the specification does not know.
    Alias {
        /// The name in the specification.
        key: &'static str,
        /// The name in the event.
        used: &'static str,
    },
    /// The event was wrapped one level deep.
    Wrapped,
    /// The event was in the JSON form of protobuf.
    ProtobufJson,
    /// A required member is missing or null.
    Missing(&'static str),
    /// A member has a value of another type than it must have.
    WrongType(&'static str, JsonType),
    /// `timestamp` is no whole number.
    Timestamp,
    /// Half of a surrogate pair stands in a string.
    LoneSurrogate,
    /// A number beyond what a double holds.
    NumberTooLarge(String),
    /// A whole number of more than 64 bits, or a negative zero.
    NumberInexact(String),
    /// One of the retired THINKING types.
    Retired,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $id:literal, $severity:ident, $meaning:literal, $rule:literal;)*) => {
        $(
            $(#[$doc])*
            #[doc = $meaning]
            pub(crate) static $constant: Code =
                Code { id: $id, severity: Severity::$severity, meaning: $meaning, rule: $rule };
        )*

        /// The codes of this module.
        pub const CODES: &[&Code] = &[$(&$constant,)*];
    };
}
pub(crate) use codes;

codes! {
    UNREADABLE = "agui.event.unreadable", Error,
        "No JSON object could be read from the event's bytes; they are kept.", "facts/agui §2.3";
    INVALID_UTF8 = "agui.event.invalid-utf8", Warning,
        "The event is not UTF-8; replacement characters are shown, the bytes are kept.", "facts/agui §2.3";
    NOT_STRICT_JSON = "agui.event.not-strict-json", Warning,
        "The event holds NaN, Infinity, raw control characters or lone surrogates; a strict client rejects it.",
        "facts/agui §2.3";
    DUPLICATE_KEY = "agui.event.duplicate-key", Warning,
        "A member of the event stands twice; the last one is read, both are kept.", "facts/agui §7.3";
    NO_TYPE = "agui.event.no-type", Warning,
        "The event has no type; it is kept and shown as unknown.", "facts/agui §1.1";
    TYPE_FROM_NAME = "agui.event.type-from-name", Info,
        "The event states its type only in the `event:` line of its frame.", "facts/agui §1.15";
    TYPE_SPELLING = "agui.event.type-spelling", Info,
        "The event's type is spelt in another way than the protocol does.", "facts/agui §1.15";
    UNKNOWN_TYPE = "agui.event.unknown-type", Info,
        "The event's type is in no enumeration we know; it is kept and shown as unknown.", "facts/agui §3.0";
    SNAKE_CASE = "agui.event.snake-case", Info,
        "Member names are in snake case, as Python stores write them.", "facts/agui §1.15";
    ALIAS = "agui.event.alias", Warning,
        "A member has a name that the protocol does not know, but its meaning is clear.", "facts/agui §1.16";
    WRAPPED = "agui.event.wrapped", Info,
        "The event was inside another object.", "facts/agui §1.15";
    PROTOBUF_JSON = "agui.event.protobuf-json", Info,
        "The event is in the JSON form of protobuf.", "facts/agui §1.15";
    FIELD_MISSING = "agui.event.field-missing", Warning,
        "A required member is missing or null; a strict client rejects the event.", "facts/agui §3.0";
    FIELD_TYPE = "agui.event.field-type", Warning,
        "A member has a value of the wrong type; a strict client rejects the event.", "facts/agui §3.0";
    TIMESTAMP = "agui.event.timestamp", Info,
        "The event's timestamp is no whole number; it is kept as text.", "facts/agui §1.1";
    LONE_SURROGATE = "agui.event.lone-surrogate", Warning,
        "A text of the event holds half of a surrogate pair, which is no character; a replacement character is shown, the bytes are kept.",
        "facts/agui §2.3";
    NUMBER_TOO_LARGE = "agui.event.number-too-large", Warning,
        "A number of the event is larger than clients can hold; where its value is needed null is read in its place, the bytes are kept.",
        "facts/agui §7.3";
    NUMBER_INEXACT = "agui.event.number-inexact", Info,
        "A number of the event has more than 64 bits or is a negative zero; clients hold another one, the bytes are kept.",
        "facts/agui §7.3";
    RETIRED_TYPE = "agui.event.retired-type", Info,
        "The event is of a retired THINKING type; it is shown as reasoning.", "facts/agui §1.8";
}

impl Note {
    /// The code it stands for.
    pub fn code(&self) -> &'static Code {
        match self {
            Self::Unreadable => &UNREADABLE,
            Self::InvalidUtf8 => &INVALID_UTF8,
            Self::NotStrictJson => &NOT_STRICT_JSON,
            Self::DuplicateKey(_) => &DUPLICATE_KEY,
            Self::NoType => &NO_TYPE,
            Self::TypeFromName => &TYPE_FROM_NAME,
            Self::TypeSpelling(_) => &TYPE_SPELLING,
            Self::UnknownType(_) => &UNKNOWN_TYPE,
            Self::SnakeCase => &SNAKE_CASE,
            Self::Alias { .. } => &ALIAS,
            Self::Wrapped => &WRAPPED,
            Self::ProtobufJson => &PROTOBUF_JSON,
            Self::Missing(_) => &FIELD_MISSING,
            Self::WrongType(..) => &FIELD_TYPE,
            Self::Timestamp => &TIMESTAMP,
            Self::LoneSurrogate => &LONE_SURROGATE,
            Self::NumberTooLarge(_) => &NUMBER_TOO_LARGE,
            Self::NumberInexact(_) => &NUMBER_INEXACT,
            Self::Retired => &RETIRED_TYPE,
        }
    }

    /// One sentence about this occurrence, in an event of the type with this name.
    pub fn sentence(&self, event: &str) -> String {
        let event = quote(event);
        match self {
            Self::DuplicateKey(name) => {
                format!("{event}: the member {} stands twice.", quote(name))
            }
            Self::TypeSpelling(spelling) => format!("{event} is spelt {}.", quote(spelling)),
            Self::UnknownType(name) => format!("The type {} is unknown.", quote(name)),
            Self::Alias { key, used } => format!("{event}: {key} is called {used}."),
            Self::NumberTooLarge(number) => {
                format!(
                    "{event}: the number {} is larger than clients can hold; null is read in its place.",
                    quote(number)
                )
            }
            Self::NumberInexact(number) => {
                format!("{event}: clients hold another number than {}.", quote(number))
            }
            Self::Missing(name) => format!("{event}: {name} is missing."),
            Self::WrongType(name, found) => format!("{event}: {name} is {found}."),
            other => other.code().meaning.to_owned(),
        }
    }
}

/// Longest text of a source that a finding's sentence quotes, in characters.
pub(crate) const MAX_QUOTED: usize = 80;

/// Quotes text of a source for a sentence: bounded, control characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("“");
    for (n, c) in text.chars().enumerate() {
        if n == MAX_QUOTED {
            out.push('…');
            break;
        }
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out.push('”');
    out
}
