//! R21: however the bytes of a recording are cut on their way in, its frames, its fold and its unknown members are the same.

use std::io::{Cursor, Read};

use agui::{
    container::{self, Connection, Frames},
    fold::Thread,
    frame::{Body, Frame},
    runs::Splitter,
};
use recite_tests::generate::{Random, odd};

/// Recordings of the promise, each cut in another way.
const CASES: u64 = 10_000;

/// Gives bytes in pieces of chance lengths.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    random: Random,
    longest: u64,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = usize::try_from(1 + self.random.below(self.longest)).unwrap();
        let size = size.min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

/// Ways to write events down, by name.
const WAYS: [&str; 7] = ["jsonl", "jsonl-crlf", "sse", "sse-crlf", "sse-cr", "array", "events"];

fn written(way: &str, events: &[Vec<u8>]) -> Vec<u8> {
    let each = |before: &str, after: &str| -> Vec<u8> {
        events
            .iter()
            .flat_map(|event| [before.as_bytes(), event, after.as_bytes()].concat())
            .collect()
    };
    let list = |before: &str, after: &str| {
        [before.as_bytes(), &events.join(&b",\n"[..]), after.as_bytes()].concat()
    };
    match way {
        "jsonl" => each("", "\n"),
        "jsonl-crlf" => each("", "\r\n"),
        "sse" => each(": ping\nid: 7\ndata: ", "\n\n"),
        "sse-crlf" => each("event: message\r\ndata:", "\r\n\r\n"),
        "sse-cr" => each("data: ", "\r\r"),
        "array" => list("[", "]"),
        _ => list("{\"events\":[", "]}"),
    }
}

fn read(reader: &mut dyn Frames) -> (Vec<Frame>, Vec<Connection>) {
    let frames = std::iter::from_fn(|| reader.next_frame().unwrap()).collect();
    (frames, reader.connections().to_vec())
}

/// Everything that the fold says, as text.
fn folded(frames: Vec<Frame>) -> String {
    let (mut splitter, mut steps) = (Splitter::new(), Vec::new());
    for frame in frames {
        splitter.push(frame, &mut steps);
    }
    splitter.finish(&mut steps);
    let mut thread = Thread::new();
    steps.iter().for_each(|step| thread.apply(step));
    format!("{:?}", thread.take_changes())
}

#[test]
fn frames_fold_and_unknown_members_are_those_of_the_whole() {
    let mut random = Random::new(21);
    for case in 0..CASES {
        let mut events = Vec::new();
        for run in 0..1 + random.below(2) {
            events.extend(odd::run(&mut random, "thread", &format!("run-{run}"), None));
        }
        let way = *random.of(&WAYS);
        let bytes = written(way, &events);
        let (format, mut whole) = container::open(Box::new(Cursor::new(bytes.clone()))).unwrap();
        let expected = read(&mut *whole);
        let kept: Vec<&Vec<u8>> = expected
            .0
            .iter()
            .filter_map(|frame| match &frame.body {
                Body::Event(bytes) => Some(bytes),
                _ => None,
            })
            .collect();
        assert!(
            kept.iter().copied().eq(events.iter()),
            "case {case}, {way}: every member of every event is kept as it is spelt"
        );
        let longest = *random.of(&[1, 2, 7, 64, 1000]);
        let pieces = Pieces { bytes: Cursor::new(bytes), random: random.clone(), longest };
        let (again, mut cut) = container::open(Box::new(pieces)).unwrap();
        let found = read(&mut *cut);
        assert_eq!(format, again, "case {case}, {way}");
        assert!(found == expected, "case {case}, {way}, pieces of up to {longest} bytes");
        assert_eq!(folded(found.0), folded(expected.0), "case {case}, {way}");
    }
}
