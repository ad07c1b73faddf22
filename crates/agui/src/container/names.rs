//! Whether a text names an AG-UI event: enough to tell a container.

use crate::event::{EventType, TypeKey};

/// Longer names are none.
const MAX_NAME_BYTES: usize = 64;

/// Whether `name` is the name of an event in one of its spellings (facts/agui §1.15).
///
/// Words that other formats use too (`custom`, `raw`, `meta`) count only as AG-UI spells them.
pub(super) fn is_event_name(name: &[u8]) -> bool {
    match read(name) {
        Some((EventType::Custom | EventType::Raw | EventType::Meta, exact)) => exact,
        known => known.is_some(),
    }
}

/// Whether `name` names a MESSAGES_SNAPSHOT.
pub(super) fn is_messages_snapshot(name: &[u8]) -> bool {
    read(name).is_some_and(|(known, _)| known == EventType::MessagesSnapshot)
}

fn read(name: &[u8]) -> Option<(EventType, bool)> {
    let name = std::str::from_utf8(name).ok().filter(|name| name.len() <= MAX_NAME_BYTES)?;
    let (key, exact) = TypeKey::read(name);
    key.known().map(|known| (known, exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_known() {
        for name in ["RUN_STARTED", "RunStarted", "runStarted", "run.started", "run_started", "RAW"]
        {
            assert!(is_event_name(name.as_bytes()), "{name}");
        }
        for name in ["", "raw", "custom", "message", "function", "RUN", &"A".repeat(100)] {
            assert!(!is_event_name(name.as_bytes()), "{name}");
        }
        assert!(is_messages_snapshot(b"messagesSnapshot") && !is_messages_snapshot(b"RAW"));
    }
}
