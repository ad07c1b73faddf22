//! Runs spelt as oddly as producers spell them: white space, escapes, half surrogate pairs, numbers no client holds,
//! members nobody knows, members that stand twice, types of other worlds, bytes that are no UTF-8.

use super::Random;

/// Pieces of texts, as they stand between the quotes of a JSON string.
const PIECES: &[&[u8]] = &[
    b"plain words ",
    b"Gr\\u00f6\\u00dfe ",
    "Größe été ".as_bytes(),
    "😀".as_bytes(),
    b"\\ud83d\\ude00",
    b"\\ud800",
    b"\\/\\\"\\\\\\b\\f\\n\\r\\t",
    b"\\u0000",
    b"[1] ",
    b"\xff\xfe",
    b"",
    b"data: not a line ",
    "\u{202e}\u{feff}".as_bytes(),
];

/// Values that a member nobody knows may have.
const VALUES: &[&str] = &[
    "1e999",
    "-0",
    "1.0",
    "12345678901234567890123",
    "0.1e-7",
    "null",
    "true",
    "[ ]",
    "{ }",
    "[1, [2, {\"deep\" :null}]]",
    "{\"b\":1,\"a\":2,\"b\":3}",
    "\"\\u00e9\"",
];

/// White space between tokens of one line.
const SPACES: &[&str] = &["", "", "", " ", "  ", "\t"];

/// The events of one run, each without a line end; ids are as given, everything else is chance.
#[must_use]
pub fn run(random: &mut Random, thread: &str, run: &str, parent: Option<&str>) -> Vec<Vec<u8>> {
    let message = format!("answer-{run}");
    let call = format!("call-{run}");
    let ids = [("threadId", thread), ("runId", run)];
    let mut started = ids.to_vec();
    started.extend(parent.map(|parent| ("parentRunId", parent)));
    let mut events = vec![Event::of("RUN_STARTED", &started)];
    events.push(Event::of("TEXT_MESSAGE_START", &[("messageId", &message), ("role", "assistant")]));
    for _ in 0..1 + random.below(3) {
        events
            .push(Event::of("TEXT_MESSAGE_CONTENT", &[("messageId", &message)]).with_text("delta"));
    }
    match random.below(6) {
        0 => events.push(Event::of("SOMETHING_NEW", &[]).with_text("anything")),
        1 => events.push(Event::of("CUSTOM", &[("name", "vendor.thing")]).with_text("value")),
        2 => {
            events.push(Event::of(
                "TOOL_CALL_START",
                &[("toolCallId", &call), ("toolCallName", "find")],
            ));
            events.push(Event::of("TOOL_CALL_ARGS", &[("toolCallId", &call)]).with_text("delta"));
            events.push(Event::of("TOOL_CALL_END", &[("toolCallId", &call)]));
        }
        3 => events.push(Event::of("STATE_SNAPSHOT", &[]).with_text("snapshot")),
        4 => events
            .push(Event::of("TextMessageContent", &[("message_id", &message)]).with_text("delta")),
        _ => {}
    }
    events.push(Event::of("TEXT_MESSAGE_END", &[("messageId", &message)]));
    events.push(Event::of("RUN_FINISHED", &ids));
    events.into_iter().map(|event| event.spell(random)).collect()
}

struct Event<'a> {
    name: &'a str,
    members: Vec<(&'a str, &'a str)>,
    text: Option<&'a str>,
}

impl<'a> Event<'a> {
    fn of(name: &'a str, members: &[(&'a str, &'a str)]) -> Self {
        Self { name, members: members.to_vec(), text: None }
    }

    fn with_text(self, member: &'a str) -> Self {
        Self { text: Some(member), ..self }
    }

    /// The event's members in any order, with strangers between them.
    fn spell(self, random: &mut Random) -> Vec<u8> {
        let quoted = |text: &str| [b"\"", text.as_bytes(), b"\""].concat();
        let mut members: Vec<(String, Vec<u8>)> =
            self.members.iter().map(|(name, value)| ((*name).to_owned(), quoted(value))).collect();
        members.push(("type".to_owned(), quoted(self.name)));
        if let Some(member) = self.text {
            let pieces: Vec<&[u8]> = (0..1 + random.below(4)).map(|_| *random.of(PIECES)).collect();
            members.push((member.to_owned(), [b"\"", pieces.concat().as_slice(), b"\""].concat()));
        }
        for number in 0..random.below(3) {
            members.push((format!("x-{number}"), random.of(VALUES).as_bytes().to_vec()));
        }
        // Fisher and Yates.
        for last in (1..members.len()).rev() {
            let other = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
            members.swap(last, other);
        }
        let space = random.of(SPACES);
        let mut line = format!("{{{space}").into_bytes();
        for (at, (name, value)) in members.iter().enumerate() {
            if at > 0 {
                line.extend(format!(",{space}").bytes());
            }
            line.extend(format!("\"{name}\"{space}:{space}").bytes());
            line.extend(value);
        }
        line.extend(format!("{space}}}").bytes());
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_json_for_a_tolerant_reader() {
        let mut random = Random::new(3);
        for number in 0..2_000 {
            for line in run(&mut random, "t", &number.to_string(), None) {
                let shown = String::from_utf8_lossy(&line);
                assert!(agui::json::check(&line).is_ok(), "{shown}");
                assert!(!line.contains(&b'\n') && !line.contains(&b'\r'), "{shown}");
            }
        }
    }
}
