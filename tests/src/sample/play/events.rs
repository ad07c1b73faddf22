//! The events of a run, each after the pause that such events take.

use moca_reader::Value;

use super::super::Failure;
use super::super::json::{line, object, parsed, push, text};
use super::super::script::{Generation, Source, Step, Turn};
use super::{Arrived, Said, Stage, interrupt_id, messages, run_id};

/// Bytes after which a piece of text is sent, at the next space. Models send in bursts.
const PIECES: [usize; 5] = [34, 58, 22, 71, 46];

impl Stage<'_> {
    pub(super) fn start(&mut self, turn: &Turn, input: &Value) -> Result<(), Failure> {
        let mut members = vec![
            ("threadId", text(self.script.thread)),
            ("runId", text(run_id(self.script, self.number))),
        ];
        if let Some(parent) = turn.parent {
            members.push(("parentRunId", text(run_id(self.script, parent))));
        }
        if self.script.generation == Generation::Current {
            members.push(("protocolVersion", text("1.0")));
        }
        if !self.script.container.has_requests() {
            members.push(("input", input.clone()));
        }
        self.emit(40, "RUN_STARTED", members);
        Ok(())
    }

    pub(super) fn step(&mut self, step: &Step) -> Result<(), Failure> {
        match step {
            Step::Think(thought) => self.think(thought),
            Step::LookUp { query, found } => return self.look_up(query, found),
            Step::Call { name, arguments, result } => {
                self.call(name, arguments, result.map(str::to_owned));
            }
            Step::Activity { kind, content } => {
                let id = format!("{}-activity", run_id(self.script, self.number));
                let content = parsed(content)?;
                let members =
                    [("messageId", text(id)), ("activityType", text(*kind)), ("content", content)];
                self.emit(90, "ACTIVITY_SNAPSHOT", members);
            }
            Step::ActivityPatch { kind, patch } => {
                let id = format!("{}-activity", run_id(self.script, self.number));
                let patch = parsed(patch)?;
                let members =
                    [("messageId", text(id)), ("activityType", text(*kind)), ("patch", patch)];
                self.emit(650, "ACTIVITY_DELTA", members);
            }
            Step::Say(answer) => {
                self.begin(answer);
                self.end();
            }
            Step::Begin(answer) => self.begin(answer),
            Step::End => self.end(),
            Step::Cite(cites) => return self.cite(cites),
            Step::State(state) => {
                let state =
                    parsed(&state.replace("{answer}", self.answer.as_deref().unwrap_or("")))?;
                self.emit(30, "STATE_SNAPSHOT", [("snapshot", state)]);
            }
            Step::Custom { name, value } => {
                let value =
                    parsed(&value.replace("{answer}", self.answer.as_deref().unwrap_or("")))?;
                self.emit(30, "CUSTOM", [("name", text(*name)), ("value", value)]);
            }
            Step::Rename => self.rename(),
            Step::Finish => self.finish(object([("type", text("success"))])),
            Step::Cancel => self.finish(object([("type", text("cancelled"))])),
            Step::Fail { code, message } => {
                self.emit(400, "RUN_ERROR", [("message", text(*message)), ("code", text(*code))]);
            }
            Step::Interrupt { reason, message } => {
                let interrupt = object([
                    ("id", text(interrupt_id(self.script, self.number))),
                    ("reason", text(*reason)),
                    ("message", text(*message)),
                ]);
                self.finish(object([
                    ("type", text("interrupt")),
                    ("interrupts", Value::seq([interrupt])),
                ]));
            }
        }
        Ok(())
    }

    pub(super) fn emit<'m>(
        &mut self,
        pause: i64,
        kind: &str,
        members: impl IntoIterator<Item = (&'m str, Value)>,
    ) {
        self.now += pause;
        let mut event = object([("type", text(kind))]);
        for (name, member) in members {
            push(&mut event, name, member);
        }
        push(&mut event, "timestamp", Value::Int(self.now));
        self.events.push(Arrived { at: self.now, event });
    }

    fn think(&mut self, thought: &str) {
        let id = format!("{}-thought", run_id(self.script, self.number));
        self.emit(180, "REASONING_START", [("messageId", text(&id))]);
        let start = [("messageId", text(&id)), ("role", text("reasoning"))];
        self.emit(5, "REASONING_MESSAGE_START", start);
        for piece in pieces(thought) {
            let members = [("messageId", text(&id)), ("delta", text(piece))];
            self.emit(45, "REASONING_MESSAGE_CONTENT", members);
        }
        self.emit(5, "REASONING_MESSAGE_END", [("messageId", text(&id))]);
        self.emit(5, "REASONING_END", [("messageId", text(&id))]);
    }

    /// A search of the service's Reader; the result holds the records that it computes.
    fn look_up(&mut self, query: &str, found: &[Source]) -> Result<(), Failure> {
        let arguments = line(&object([("query", text(query)), ("limit", Value::Int(5))]))?;
        // The call takes this long until its result.
        let at = self.now + 120 + 60 + 15 + 380;
        let records: Result<Vec<Value>, Failure> =
            found.iter().map(|source| self.record(*source, at)).collect();
        let result = line(&object([("records", Value::seq(records?))]))?;
        self.call("moca_search", &arguments, Some(result));
        self.computed = Some(at);
        Ok(())
    }

    fn call(&mut self, name: &str, arguments: &str, result: Option<String>) {
        self.calls += 1;
        let id = format!("{}-t{}", run_id(self.script, self.number), self.calls);
        let start = [("toolCallId", text(&id)), ("toolCallName", text(name))];
        self.emit(120, "TOOL_CALL_START", start);
        self.emit(60, "TOOL_CALL_ARGS", [("toolCallId", text(&id)), ("delta", text(arguments))]);
        self.emit(15, "TOOL_CALL_END", [("toolCallId", text(&id))]);
        if let Some(content) = result {
            let members = [
                ("messageId", text(format!("{id}-result"))),
                ("toolCallId", text(&id)),
                ("content", text(content)),
                ("role", text("tool")),
            ];
            self.emit(380, "TOOL_CALL_RESULT", members);
        }
    }

    fn begin(&mut self, answer: &str) {
        self.history.answers += 1;
        let id = format!("{}-a{}", self.script.thread, self.history.answers);
        let start = [("messageId", text(&id)), ("role", text("assistant"))];
        self.emit(260, "TEXT_MESSAGE_START", start);
        for piece in pieces(answer) {
            let members = [("messageId", text(&id)), ("delta", text(piece))];
            self.emit(38, "TEXT_MESSAGE_CONTENT", members);
        }
        self.history.said.push(Said {
            role: "assistant",
            id: id.clone(),
            text: answer.to_owned(),
            run: self.number,
        });
        self.answer = Some(id);
    }

    fn end(&mut self) {
        if let Some(id) = self.answer.clone() {
            self.emit(12, "TEXT_MESSAGE_END", [("messageId", text(id))]);
        }
    }

    fn rename(&mut self) {
        if let Some(last) = self.history.said.iter_mut().rfind(|said| said.role == "assistant") {
            last.id = format!("stored-{}", last.id);
            self.answer = Some(last.id.clone());
        }
        let list = messages(self.history);
        self.emit(55, "MESSAGES_SNAPSHOT", [("messages", list)]);
    }

    fn finish(&mut self, outcome: Value) {
        let members = [
            ("threadId", text(self.script.thread)),
            ("runId", text(run_id(self.script, self.number))),
            ("outcome", outcome),
        ];
        // Older services say no outcome when all went well.
        let success = |member: &(&str, Value)| {
            member.0 == "outcome" && member.1.get("type").and_then(Value::as_str) == Some("success")
        };
        let older = self.script.generation == Generation::Older;
        let members = members.into_iter().filter(|member| !(older && success(member)));
        self.emit(20, "RUN_FINISHED", members);
    }
}

fn pieces(whole: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for space in whole.match_indices(' ').map(|(at, _)| at + 1) {
        if space - start >= PIECES[pieces.len() % PIECES.len()] {
            pieces.push(&whole[start..space]);
            start = space;
        }
    }
    pieces.push(&whole[start..]);
    pieces
}
