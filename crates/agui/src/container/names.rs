//! Whether a text names an AG-UI event: enough to tell a container, no model of events.

/// Event names as they are compared: capitals, without separators (facts/agui §1.11); sorted.
const NAMES: [&str; 40] = [
    "ACTIVITYDELTA",
    "ACTIVITYSNAPSHOT",
    "CUSTOM",
    "MESSAGESSNAPSHOT",
    "META",
    "METAEVENT",
    "RAW",
    "REASONINGENCRYPTEDVALUE",
    "REASONINGEND",
    "REASONINGMESSAGECHUNK",
    "REASONINGMESSAGECONTENT",
    "REASONINGMESSAGEEND",
    "REASONINGMESSAGESTART",
    "REASONINGSTART",
    "RUNERROR",
    "RUNFINISHED",
    "RUNSTARTED",
    "STATEDELTA",
    "STATESNAPSHOT",
    "STEPFINISHED",
    "STEPSTARTED",
    "SUBAGENTERROR",
    "SUBAGENTFINISHED",
    "SUBAGENTSTARTED",
    "TEXTMESSAGECHUNK",
    "TEXTMESSAGECONTENT",
    "TEXTMESSAGEEND",
    "TEXTMESSAGESTART",
    "THINKINGCONTENT",
    "THINKINGEND",
    "THINKINGSTART",
    "THINKINGTEXTMESSAGECONTENT",
    "THINKINGTEXTMESSAGEEND",
    "THINKINGTEXTMESSAGESTART",
    "TOOLCALLARGS",
    "TOOLCALLCHUNK",
    "TOOLCALLEND",
    "TOOLCALLRESULT",
    "TOOLCALLSTART",
    "UNKNOWN",
];

/// Whether `name` is the name of an event in one of its spellings (facts/agui §1.15).
///
/// Words that other formats use too (`custom`, `raw`, `meta`, `unknown`) count in capitals only.
pub(super) fn is_event_name(name: &[u8]) -> bool {
    const LONGEST: usize = 48;
    if name.len() > LONGEST {
        return false;
    }
    let mut squeezed = [0; LONGEST];
    let mut length = 0;
    for &byte in name {
        if !matches!(byte, b'_' | b'-' | b'.') {
            squeezed[length] = byte.to_ascii_uppercase();
            length += 1;
        }
    }
    let squeezed = &squeezed[..length];
    let common = matches!(squeezed, b"CUSTOM" | b"RAW" | b"META" | b"UNKNOWN");
    NAMES.binary_search_by(|known| known.as_bytes().cmp(squeezed)).is_ok()
        && (!common || name == squeezed)
}

/// Whether `name` names a MESSAGES_SNAPSHOT.
pub(super) fn is_messages_snapshot(name: &[u8]) -> bool {
    is_event_name(name)
        && name
            .iter()
            .filter(|byte| byte.is_ascii_alphabetic())
            .map(u8::to_ascii_uppercase)
            .eq(b"MESSAGESSNAPSHOT".iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_known() {
        assert!(NAMES.is_sorted());
        for name in ["RUN_STARTED", "RunStarted", "runStarted", "run.started", "run_started", "RAW"]
        {
            assert!(is_event_name(name.as_bytes()), "{name}");
        }
        for name in ["", "raw", "custom", "message", "function", "RUN", &"A".repeat(100)] {
            assert!(!is_event_name(name.as_bytes()), "{name}");
        }
    }
}
