//! What the fold's tests have in common: frames to threads, and an archive in a few lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agui::fold::{
    ActivityContent, Alias, CallKey, Changes, Edit, EncryptedValue, ForeignSource, HeldCitation,
    Message, MessageKey, Role, Run, RunFinding, RunKey, Thread, ToolCall,
};
use agui::frame::{Body, Frame};
use agui::runs::{RunNo, Splitter, Step};
use serde_json::Value;

/// The folder with what all helpers read; `None`, and said so, when it is not there.
pub(crate) fn recordings() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("RECITE_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("agui-recordings");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("not run: no recordings at {}", folder.display());
    None
}

pub(crate) fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// One frame for each event, all on one connection.
pub(crate) fn frames(events: &[Value]) -> Vec<Frame> {
    texts(&events.iter().map(Value::to_string).collect::<Vec<_>>())
}

pub(crate) fn texts(events: &[impl AsRef<str>]) -> Vec<Frame> {
    let mut start = 0;
    let frame = |text: &str| {
        let at = start..start + text.len() as u64;
        start = at.end + 1;
        let body = Body::Event(text.as_bytes().to_vec());
        Frame { at, connection: 0, arrival: None, event_name: None, body }
    };
    let mut frame = frame;
    events.iter().map(|text| frame(text.as_ref())).collect()
}

/// The request that opens the connection, before its events.
pub(crate) fn request(input: &Value) -> Frame {
    let text = input.to_string().into_bytes();
    let at = 0..text.len() as u64;
    Frame { at, connection: 0, arrival: None, event_name: None, body: Body::Request(text) }
}

pub(crate) fn steps(frames: Vec<Frame>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut splitter = Splitter::new();
    for frame in frames {
        splitter.push(frame, &mut steps);
    }
    splitter.finish(&mut steps);
    assert!(splitter.at_boundary());
    steps
}

/// Threads in the order in which they are first met; what names no thread has one for each connection.
pub(crate) fn by_thread(steps: Vec<Step>) -> Vec<(Option<String>, Vec<Step>)> {
    let mut threads: Vec<(Option<String>, Vec<Step>)> = Vec::new();
    let mut of_run: BTreeMap<RunNo, usize> = BTreeMap::new();
    for step in steps {
        let place = match &step {
            Step::RunBegins(head) => {
                let known =
                    threads.iter().position(|(id, _)| id.is_some() && *id == head.thread_id);
                let place = known.unwrap_or_else(|| {
                    threads.push((head.thread_id.clone(), Vec::new()));
                    threads.len() - 1
                });
                of_run.insert(head.run, place);
                place
            }
            Step::Event(event) => of_run[&event.run],
            Step::RunEnds(end) => of_run[&end.run],
            Step::Finding(found) => match found.run {
                Some(run) => of_run[&run],
                None => continue,
            },
            Step::Messages(_) => {
                threads.push((None, Vec::new()));
                threads.len() - 1
            }
        };
        threads[place].1.push(step);
    }
    threads
}

/// Folds the steps of one thread and hands all of it out at once.
pub(crate) fn fold(steps: &[Step]) -> Archive {
    let mut thread = Thread::new();
    steps.iter().for_each(|step| thread.apply(step));
    let mut archive = Archive::default();
    archive.take(thread.take_changes());
    archive
}

/// Folds events of one thread on one connection.
pub(crate) fn folded(events: &[Value]) -> Archive {
    fold(&steps(frames(events)))
}

/// What an archive makes of changes, with every promise of the hand-out checked.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Archive {
    pub runs: BTreeMap<RunKey, Run>,
    pub held: BTreeMap<MessageKey, Message>,
    pub calls: BTreeMap<CallKey, ToolCall>,
    pub aliases: Vec<Alias>,
    pub edits: Vec<Edit>,
    pub encrypted: Vec<EncryptedValue>,
    pub activities: BTreeMap<MessageKey, ActivityContent>,
    pub citations: Vec<HeldCitation>,
    pub foreign: Vec<ForeignSource>,
    pub findings: Vec<RunFinding>,
    pub state: Option<String>,
}

impl Archive {
    pub(crate) fn take(&mut self, changes: Changes) {
        for run in changes.runs {
            self.runs.insert(run.key, run);
        }
        for message in changes.messages {
            let before = self.held.remove(&message.key).map(|m| m.text).unwrap_or_default();
            assert_eq!(before.len() as u64, message.text_at, "text goes on where it was");
            let text = before + &message.text;
            self.held.insert(message.key, Message { text, text_at: 0, ..message });
        }
        for (key, order) in changes.orders {
            self.held.get_mut(&key).unwrap().order = order;
        }
        for call in changes.tool_calls {
            let held = self
                .calls
                .entry(call.key)
                .or_insert_with(|| ToolCall { segments: Vec::new(), ..call.clone() });
            let mut segments = std::mem::take(&mut held.segments);
            for segment in call.segments.iter().cloned() {
                let index = segment.index as usize;
                assert!(index <= segments.len(), "segments come in order");
                match segments.get_mut(index) {
                    Some(held) => *held = segment,
                    None => segments.push(segment),
                }
            }
            let metadata = call.metadata.clone().or_else(|| held.metadata.take());
            *held = ToolCall { segments, metadata, ..call };
        }
        for content in changes.activities {
            self.activities.insert(content.message, content);
        }
        self.aliases.extend(changes.aliases);
        self.edits.extend(changes.edits);
        self.encrypted.extend(changes.encrypted);
        self.citations.extend(changes.citations);
        self.foreign.extend(changes.foreign);
        self.findings.extend(changes.findings);
        self.state = changes.state.or_else(|| self.state.take());
    }

    /// Messages in reading order.
    pub(crate) fn messages(&self) -> Vec<&Message> {
        let mut messages: Vec<&Message> = self.held.values().collect();
        messages.sort_by_key(|message| message.order);
        messages
    }

    /// Messages in reading order as role, id and text.
    pub(crate) fn said(&self) -> Vec<(&str, &str, &str)> {
        self.messages()
            .into_iter()
            .map(|m| (m.role.name(), m.id.as_str(), m.text.as_str()))
            .collect()
    }

    pub(crate) fn calls_of(&self, message: &Message) -> Vec<&ToolCall> {
        self.calls.values().filter(|call| call.message == message.key).collect()
    }

    pub(crate) fn run(&self, key: u64) -> &Run {
        &self.runs[&RunKey(key)]
    }

    pub(crate) fn message(&self, role: &Role, id: &str) -> &Message {
        let found: Vec<_> = self.held.values().filter(|m| m.role == *role && m.id == id).collect();
        assert_eq!(found.len(), 1, "{role:?} {id}");
        found[0]
    }

    /// Codes of findings, with the event they are about, in order.
    pub(crate) fn codes(&self) -> Vec<(&'static str, Option<u64>)> {
        self.findings.iter().map(|f| (f.finding.code.id, f.finding.event)).collect()
    }

    pub(crate) fn has(&self, code: &str) -> bool {
        self.findings.iter().any(|f| f.finding.code.id == code)
    }

    pub(crate) fn state_value(&self) -> Value {
        self.state
            .as_deref()
            .map_or_else(|| serde_json::json!({}), |state| serde_json::from_str(state).unwrap())
    }
}
