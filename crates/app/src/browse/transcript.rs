//! Messages of a conversation by their place.

use std::collections::BTreeMap;

use archive::{ConversationId, Ending, Message, Reader, Run, RunId, Window};
use render::{Marker, Markers};

use super::{conversations::messages_only, count, not_held, runs::run_row};
use crate::{
    App,
    answer::{Answer, is_answer},
    contract::{self, Failure, Role, RunRow, SourcesBrief, TranscriptItem, TranscriptPage},
    derive::{
        record::moca_instant,
        when::{instant, rfc3339},
    },
    failure::Storage,
};

/// Messages of one page.
const PAGE_MESSAGES: u32 = 100;

/// Characters of a message that are shown at once.
const SHOWN_CHARACTERS: u32 = 64 << 10;

/// Characters of a tool's result, of reasoning or of an activity that are shown at once.
const FOLDED_CHARACTERS: usize = 8 << 10;

/// Tool calls and aliases shown of one message.
const SHOWN_PARTS: u32 = 100;

/// Runs without a message between two messages that are listed.
const MAX_GAP_RUNS: u32 = 50;

impl App {
    pub(super) fn read_transcript(
        &self,
        id: ConversationId,
        first: u32,
        limit: u32,
    ) -> Result<TranscriptPage, Failure> {
        let now = moca_instant(instant(self.now()));
        let limit = limit.clamp(1, PAGE_MESSAGES);
        self.read(|reader| {
            let conversation =
                reader.conversation(id).storage()?.ok_or_else(|| not_held("conversation"))?;
            let only = messages_only(reader, id)?;
            // The message before the page tells which runs began before it.
            let from = first.saturating_sub(1);
            let window = Window::Place(u64::from(from));
            let mut messages =
                reader.messages(id, window, limit + (first - from), SHOWN_CHARACTERS).storage()?;
            let before =
                if first > 0 && !messages.is_empty() { Some(messages.remove(0)) } else { None };
            let mut separators = Separators::new(reader, id);
            if let Some(before) = &before {
                separators.pass(before)?;
            }
            let mut items = Vec::with_capacity(messages.len());
            for (place, message) in (first..).zip(&messages) {
                let runs_before = separators.before(message)?;
                items.push(TranscriptItem {
                    place,
                    runs_before,
                    message: shown(reader, message, only, now)?,
                });
            }
            let total = count(conversation.messages);
            let last = first.saturating_add(count(items.len() as u64)) >= total;
            let runs_after = if last { separators.rest()? } else { Vec::new() };
            Ok(TranscriptPage { total, items, runs_after })
        })
    }
}

/// Which runs begin before a message.
struct Separators<'r> {
    reader: &'r Reader,
    conversation: ConversationId,
    /// Number of the first run that was not told yet.
    next: u64,
    known: BTreeMap<RunId, Run>,
}

impl<'r> Separators<'r> {
    fn new(reader: &'r Reader, conversation: ConversationId) -> Self {
        Self { reader, conversation, next: 0, known: BTreeMap::new() }
    }

    fn pass(&mut self, message: &Message) -> Result<(), Failure> {
        if let Some(run) = self.run(message)? {
            self.next = self.next.max(run.number + 1);
        }
        Ok(())
    }

    fn before(&mut self, message: &Message) -> Result<Vec<RunRow>, Failure> {
        let Some(run) = self.run(message)? else { return Ok(Vec::new()) };
        if run.number < self.next {
            return Ok(Vec::new());
        }
        let gap = u32::try_from(run.number - self.next).unwrap_or(u32::MAX).min(MAX_GAP_RUNS);
        let runs = self.reader.runs_from(self.conversation, self.next, gap + 1).storage()?;
        self.next = run.number + 1;
        runs.iter()
            .filter(|held| held.number <= run.number)
            .map(|held| run_row(self.reader, held))
            .collect()
    }

    fn rest(&mut self) -> Result<Vec<RunRow>, Failure> {
        let runs = self.reader.runs_from(self.conversation, self.next, MAX_GAP_RUNS).storage()?;
        runs.iter().map(|run| run_row(self.reader, run)).collect()
    }

    fn run(&mut self, message: &Message) -> Result<Option<Run>, Failure> {
        let Some(id) = message.run else { return Ok(None) };
        if let Some(run) = self.known.get(&id) {
            return Ok(Some(run.clone()));
        }
        let run = self.reader.run(id).storage()?;
        if let Some(run) = &run {
            self.known.insert(id, run.clone());
        }
        Ok(run)
    }
}

/// A message as shown.
fn shown(
    reader: &Reader,
    message: &Message,
    messages_only: bool,
    now: moca::Instant,
) -> Result<contract::Message, Failure> {
    let role = role(message);
    let cut = message.text_size > message.text.len() as u64;
    let answer = match is_answer(message) {
        true => Some(Answer::read(reader, message.id, messages_only, now)?),
        false => None,
    };
    let (html, summary) = drawn(message, role, answer.as_ref());
    let calls = reader.tool_calls(message.id, SHOWN_PARTS).storage()?;
    let aliases = reader.aliases(message.id, SHOWN_PARTS).storage()?;
    Ok(contract::Message {
        id: message.id.to_string(),
        message_id: message.stated_id.clone(),
        role,
        role_as_sent: message.role.clone(),
        html,
        cut,
        summary,
        ended: message.ending != Ending::Open,
        at: message.stated_at.map(rfc3339),
        origin: match message.origin.as_str() {
            "stream" => "streamed".to_owned(),
            "input" | "request" => "request".to_owned(),
            other => other.to_owned(),
        },
        aliases: aliases
            .into_iter()
            .map(|alias| contract::Alias {
                message_id: alias.alias,
                by: alias.reason.replace('-', " "),
            })
            .collect(),
        tool_calls: calls
            .into_iter()
            .map(|call| contract::ToolCall {
                tool_call_id: call.stated_id,
                name: call.name,
                arguments: call.arguments,
                answered: call.result.is_some(),
            })
            .collect(),
        sources: answer.map(|answer| SourcesBrief {
            state: answer.state(),
            sentence: answer.sentence(),
            parts: answer.strip().parts,
            repeats: count(
                answer.cited.iter().filter(|cited| cited.repeats.is_some()).count() as u64
            ),
            basis: answer.basis(),
            tones: answer.cited.iter().map(|cited| cited.standing.worst().tone).collect(),
        }),
    })
}

/// Safe HTML of a message, and a line that sums it up where it is folded.
fn drawn(message: &Message, role: Role, answer: Option<&Answer>) -> (String, Option<String>) {
    match role {
        Role::Assistant => {
            let markers = answer.map_or_else(Markers::none, markers);
            (render::answer(&message.text, &markers).html, None)
        }
        Role::User => (render::record_text(&message.text), None),
        Role::Reasoning => {
            let title = extra_title(message);
            let summary = title.unwrap_or_else(|| render::title(&message.text));
            (render::record_text(&bounded(&message.text)), Some(summary))
        }
        Role::Activity => {
            let kind = message.activity_type.as_deref().unwrap_or("activity");
            let content = message.content.as_deref().unwrap_or(&message.text);
            (preformatted(content), Some(render::plain_line(kind)))
        }
        Role::Tool => {
            (preformatted(&message.text), Some(render::title(&bounded_to(&message.text, 200))))
        }
        Role::System | Role::Other => {
            (render::record_text(&bounded(&message.text)), Some(render::title(&message.text)))
        }
    }
}

/// What the answer may use to refer to its citations: the marker, and the node's reference.
pub(crate) fn markers(answer: &Answer) -> Markers {
    Markers::new(answer.cited.iter().map(|cited| {
        let marker = cited.citation.marker.clone();
        let node_ref = cited.reading.node_ref().map(str::to_owned);
        Marker {
            citation: cited.citation.number,
            texts: marker.into_iter().chain(node_ref).collect(),
        }
    }))
}

fn preformatted(text: &str) -> String {
    format!("<pre>{}</pre>", render::visible_html(&bounded(text)))
}

fn bounded(text: &str) -> String {
    bounded_to(text, FOLDED_CHARACTERS)
}

fn bounded_to(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

fn extra_title(message: &Message) -> Option<String> {
    let extra: serde_json::Value = serde_json::from_str(message.extra.as_deref()?).ok()?;
    extra.get("title")?.as_str().map(render::plain_line)
}

fn role(message: &Message) -> Role {
    match (message.class.as_str(), message.role.as_str()) {
        ("user", _) => Role::User,
        ("tool", _) => Role::Tool,
        ("reasoning", _) => Role::Reasoning,
        ("activity", _) => Role::Activity,
        (_, "assistant") => Role::Assistant,
        (_, "system" | "developer") => Role::System,
        _ => Role::Other,
    }
}
