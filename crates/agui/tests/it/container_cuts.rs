//! However the bytes come in and wherever reading starts again, the frames are the same.

use std::io::{Cursor, Read};

use agui::container::{self, Frames, Recording};
use agui::frame::Frame;
use proptest::prelude::*;

use crate::recordings::folder;

/// Gives bytes in pieces of the sizes it is told, over and over.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    sizes: Vec<usize>,
    next: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.next += 1;
        let size = self.sizes[self.next % self.sizes.len()].min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

fn all(reader: &mut dyn Frames) -> Vec<Frame> {
    std::iter::from_fn(|| reader.next_frame().unwrap()).collect()
}

fn check(bytes: &[u8], sizes: &[usize]) {
    let Ok(whole) = container::frames(bytes) else { return };
    let pieces = Pieces { bytes: Cursor::new(bytes.to_vec()), sizes: sizes.to_vec(), next: 0 };
    let (format, mut reader) = container::open(Box::new(pieces)).unwrap();
    assert_eq!(format, whole.format);
    assert_eq!(all(&mut *reader), whole.frames);
    assert_eq!(reader.connections(), whole.connections);
    ranges_hold(bytes, &whole);
    let starts: Vec<_> = (1..whole.frames.len())
        .filter(|&index| whole.frames[index].at.start >= whole.frames[index - 1].at.end)
        .collect();
    for &index in starts.iter().step_by(starts.len() / 4 + 1) {
        resumes(bytes, &whole, index);
    }
}

/// Ranges are inside of the content, and of lines nothing is left out; where reading can start again they are in order, apart or the same.
fn ranges_hold(bytes: &[u8], whole: &Recording) {
    let lines = matches!(whole.format.name(), "jsonl" | "sse" | "agui-jsonl");
    let mut before = 0..0;
    for frame in &whole.frames {
        let at = frame.at.clone();
        if lines && at.start > before.end {
            let gap =
                &bytes[usize::try_from(before.end).unwrap()..usize::try_from(at.start).unwrap()];
            let gap = gap.strip_prefix(b"\xef\xbb\xbf").unwrap_or(gap);
            assert!(gap.trim_ascii().is_empty(), "lost: {gap:?}");
        }
        assert!(at.start <= at.end && at.end <= bytes.len() as u64, "{frame:?}");
        if whole.format.resumable() {
            assert!(at == before || at.start >= before.end, "{before:?} {frame:?}");
        }
        before = at;
    }
}

fn resumes(bytes: &[u8], whole: &Recording, index: usize) {
    let start = whole.frames[index].at.start;
    let met = whole.frames[..index].iter().map(|frame| frame.connection as usize + 1).max();
    let known = whole.connections[..met.unwrap_or(1)].to_vec();
    let rest = bytes[usize::try_from(start).unwrap()..].to_vec();
    let resumed = whole.format.resume(Box::new(Cursor::new(rest)), start, known);
    assert_eq!(resumed.is_some(), whole.format.resumable());
    if let Some(mut resumed) = resumed {
        assert_eq!(all(&mut *resumed), whole.frames[index..], "from {start}");
    }
}

fn event() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()),
        "[a-zé😀\\\\\"]{0,12}".prop_map(|text| {
            let text = serde_json::to_string(&text).unwrap();
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":{text}}}"#)
        }),
        "[{}\\[\\]\",:0-9a-z\\\\ ]{0,16}",
        Just("{ \"type\" : \"CUSTOM\" , \"value\" : [ 1 , NaN ] }".to_owned()),
    ]
}

/// A source of some container, with broken and good events.
fn source() -> impl Strategy<Value = Vec<u8>> {
    let line_end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    (proptest::collection::vec(event(), 1..12), 0..9, line_end).prop_map(|(events, shape, end)| {
        let lines = |before: &str, after: &str| -> String {
            events.iter().map(|event| format!("{before}{event}{after}")).collect()
        };
        let text = match shape {
            0 => lines("", end),
            1 => format!("[{}]", events.join(", ")),
            2 => lines("data: ", &format!("{end}{end}")),
            3 => lines(&format!(": ping{end}id: 1{end}data:"), &format!("{end}: in{end}{end}")),
            4 => format!(r#"{{"a":[{{}}],"events":[{}],"z":{{"y":"]"}}}}"#, events.join(",")),
            5 => lines(r#"{"kind":"event","connId":"c","tMs":1,"event":"#, &format!("}}{end}")),
            6 => {
                let stream = lines("data: ", &format!("{end}{end}"));
                format!(
                    r#"{{"log":{{"entries":[{{"response":{{"content":{{"mimeType":"text/event-stream","text":{}}}}}}}]}}}}"#,
                    serde_json::to_string(&stream).unwrap()
                )
            }
            7 => lines("data: [", &format!("]{end}{end}")),
            _ => format!(r#"{{"one":[{}],"two":[{}]}}"#, events.join(","), events.join(",")),
        };
        text.into_bytes()
    })
}

proptest! {
    #[test]
    fn frames_do_not_depend_on_how_bytes_come_in(
        bytes in source(),
        sizes in proptest::collection::vec(1_usize..40, 1..6),
    ) {
        check(&bytes, &sizes);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        mut bytes in source(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        check(&bytes, &[1, 3]);
    }
}

#[test]
fn recordings_at_hand_give_the_same_frames_in_any_pieces() {
    let Some(folder) = folder() else { return };
    for folder in [folder.clone(), folder.join("moca")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let bytes = std::fs::read(&path).unwrap();
                check(&bytes, &[1]);
                check(&bytes, &[7, 4096, 65_536, 1]);
            }
        }
    }
}
