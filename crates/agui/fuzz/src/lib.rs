//! What must hold for any bytes. One function a fuzz target; the tests of the crate run the same
//! functions over the committed corpus.

use std::io::{self, Read};

use agui::carrier;
use agui::container::{self, Frames};
use agui::event::{Event, Key};
use agui::fold::Thread;
use agui::frame::Frame;
use agui::runs::{Splitter, Step};

/// A whole source, carrier and container included, split into runs and folded.
pub fn recording(data: &[u8]) {
    let whole = container::frames(data);
    let in_pieces = carrier::open(Pieces { data: data.to_vec(), at: 0 })
        .ok()
        .and_then(|opened| container::open(opened.content).ok())
        .map(|(format, mut frames)| (format, drain(frames.as_mut())));
    // However the bytes arrive, they are the same recording.
    match (&whole, &in_pieces) {
        (Ok(whole), Some((format, Some(frames)))) => {
            assert_eq!((&whole.format, &whole.frames), (format, frames));
        }
        (Ok(_), _) => panic!("a source read in pieces is no longer read"),
        (Err(_), Some((_, Some(_)))) => panic!("a source is read in pieces only"),
        (Err(_), _) => {}
    }
    let Ok(whole) = whole else { return };
    let mut steps = Vec::new();
    let mut splitter = Splitter::new();
    for frame in whole.frames {
        splitter.push(frame, &mut steps);
    }
    splitter.finish(&mut steps);
    assert!(splitter.at_boundary());
    fold(&steps);
}

/// One event.
pub fn event(data: &[u8]) {
    let event = Event::parse(data.to_vec());
    assert_eq!(event.bytes(), data);
    for name in ["messageId", "delta", "value", "threadId"] {
        let key = Key { name, aliases: &[] };
        let _ = (event.get(&key), event.text(&key));
    }
    let _ = (event.timestamp(), event.subagent(), event.notes());
}

fn drain(frames: &mut dyn Frames) -> Option<Vec<Frame>> {
    let mut all = Vec::new();
    loop {
        match frames.next_frame() {
            Ok(Some(frame)) => all.push(frame),
            Ok(None) => return Some(all),
            Err(_) => return None,
        }
    }
}

fn fold(steps: &[Step]) {
    let mut thread = Thread::new();
    for step in steps {
        thread.apply(step);
    }
    let _ = (thread.take_changes(), thread.messages(), thread.tool_calls(), thread.state());
}

/// Gives a few bytes at a time, ever another number of them.
struct Pieces {
    data: Vec<u8>,
    at: usize,
}

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = &self.data[self.at..];
        let n = (self.at % 7 + 1).min(left.len()).min(out.len());
        out[..n].copy_from_slice(&left[..n]);
        self.at += n;
        Ok(n)
    }
}
