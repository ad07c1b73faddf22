//! Sources in other forms than MOCA's (facts/agui §8.2), for the heading "Other sources (not checked)".

use serde_json::Value;

use super::Fold;
use super::codes;
use super::custom::CITATIONS;
use super::item::id_of;
use super::model::*;
use super::patch;
use crate::event::{Event, EventType, Raw, key};

/// Most sources in other forms that are listed of one run.
pub const MAX_FOREIGN_PER_RUN: usize = 1_000;

/// How often the state is searched in one run.
const MAX_STATE_SEARCHES: usize = 1_000;

/// Longest title or address that is kept, in bytes.
const MAX_FOREIGN_TEXT: usize = 2_048;

/// Members under which producers put lists of sources.
const LISTS: [&str; 6] = [
    "citations",
    "citationsDelta",
    "sources",
    "annotations",
    "groundingChunks",
    "grounding_chunks",
];

/// Pieces of the members' names by which a text is known to be worth reading.
const HINTS: [&str; 3] = ["itation", "roundingChunks", "rounding_chunks"];

impl Fold<'_> {
    /// `{"citations":{"<messageId>":[…]}}` and `{"rag":{"citation_index":{…}}}`.
    pub(super) fn foreign_in_state(&mut self) {
        if self.run.state_searches >= MAX_STATE_SEARCHES {
            return;
        }
        self.run.state_searches += 1;
        let mut found = Vec::new();
        if let Some(state) = self.state_value() {
            if let Some(Value::Object(by_message)) = state.get("citations") {
                for (id, sources) in by_message.iter().take(MAX_FOREIGN_PER_RUN) {
                    each(sources, &mut |source| {
                        found.extend(read(source).map(|read| (Some(id.clone()), read)));
                    });
                }
            }
            if let Some(Value::Object(index)) = state.pointer("/rag/citation_index") {
                found.extend(
                    index
                        .values()
                        .take(MAX_FOREIGN_PER_RUN)
                        .filter_map(read)
                        .map(|read| (None, read)),
                );
            }
        }
        for (id, read) in found.into_iter().take(MAX_FOREIGN_PER_RUN + 1) {
            self.foreign(ForeignOrigin::State, id.as_deref(), None, read);
        }
    }

    /// CUSTOM events whose name says that they carry sources.
    pub(super) fn foreign_in_custom(&mut self, name: &str, raw: Raw<'_>) {
        let lower = name.to_ascii_lowercase();
        if name == CITATIONS
            || !["sources", "citations", "adk_metadata"].iter().any(|end| lower.ends_with(end))
        {
            return;
        }
        let Some(value) = patch::read(raw.json()) else { return };
        let id =
            [key::MESSAGE_ID.name, "message_id"].iter().find_map(|name| value.get(*name)?.as_str());
        self.foreign_in_value(&ForeignOrigin::Custom(id_of(name)), id, None, &value);
    }

    /// RAW events, and the producer's own events that come along, where they hold known lists.
    pub(super) fn foreign_in_raw(&mut self, origin: &ForeignOrigin, raw: Raw<'_>) {
        if !HINTS.iter().any(|hint| raw.json().contains(hint)) {
            return;
        }
        let Some(value) = patch::read(raw.json()) else { return };
        // It stands at the message that is being spoken.
        let message =
            self.run.last_opened.filter(|(class, _)| *class == RoleClass::Text).map(|(_, key)| key);
        self.foreign_in_value(origin, None, message, &value);
    }

    pub(super) fn raw_event(&mut self, kind: EventType, event: &Event) {
        if let Some(raw) = event.get(&key::RAW_EVENT).ok() {
            self.foreign_in_raw(&ForeignOrigin::RawEvent(kind.name().to_owned()), raw);
        }
    }

    /// Metadata of a content part, the named place for a search hit's source and title.
    pub(super) fn foreign_in_parts(&mut self, parts: &str, message: MessageKey) {
        let Some(Value::Array(parts)) = patch::read(parts) else { return };
        let found: Vec<_> = parts.iter().filter_map(|part| read(part.get("metadata")?)).collect();
        for read in found {
            self.foreign(ForeignOrigin::ToolResult, None, Some(message), read);
        }
    }

    fn foreign_in_value(
        &mut self,
        origin: &ForeignOrigin,
        id: Option<&str>,
        message: Option<MessageKey>,
        value: &Value,
    ) {
        let mut found = Vec::new();
        if value.is_array() {
            each(value, &mut |source| found.extend(read(source)));
        }
        walk(value, &mut found);
        for read in found {
            self.foreign(origin.clone(), id, message, read);
        }
    }

    fn foreign(
        &mut self,
        origin: ForeignOrigin,
        id: Option<&str>,
        message: Option<MessageKey>,
        read: Read,
    ) {
        let Some(ev) = self.ev else { return };
        let resolved = id
            .and_then(|id| self.store.find_assistant(id, Some(self.run.key)).message())
            .map(|r| r.message);
        let message = message.or(resolved);
        let source = ForeignSource {
            run: self.run.key,
            event: ev.index,
            origin,
            host: read.url.as_deref().and_then(host).map(str::to_owned),
            title: read.title,
            url: read.url,
            message,
            message_id: id.filter(|_| message.is_none()).map(id_of),
        };
        let told =
            (source.title.clone(), source.url.clone(), source.message, source.message_id.clone());
        if self.run.foreign.contains(&told) {
            return;
        }
        if self.run.foreign.len() >= MAX_FOREIGN_PER_RUN {
            let message = format!("More than {MAX_FOREIGN_PER_RUN} sources in other forms.");
            return self.note(&codes::FOREIGN_TOO_MANY, message);
        }
        self.run.foreign.insert(told);
        self.store.changes.foreign.push(source);
    }
}

/// Title and address of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Read {
    title: Option<String>,
    url: Option<String>,
}

/// Collects the sources in known lists, wherever they stand.
fn walk(value: &Value, found: &mut Vec<Read>) {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        if found.len() > MAX_FOREIGN_PER_RUN {
            return;
        }
        match value {
            Value::Array(elements) => stack.extend(elements.iter().rev()),
            Value::Object(members) => {
                for (name, member) in members.iter().rev() {
                    if LISTS.contains(&name.as_str()) {
                        each(member, &mut |source| {
                            if name != "annotations" || is_citation(source) {
                                found.extend(read(source));
                            }
                        });
                    } else {
                        stack.push(member);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The elements of a list, or the one thing that stands in its place.
fn each(value: &Value, take: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(elements) => elements.iter().for_each(take),
        Value::Null => {}
        other => take(other),
    }
}

/// Annotations are of many kinds.
fn is_citation(annotation: &Value) -> bool {
    let kinds = ["type", "$type"].iter().filter_map(|name| annotation.get(*name)?.as_str());
    kinds.into_iter().any(|kind| kind.contains("citation"))
}

fn read(source: &Value) -> Option<Read> {
    if let Value::String(url) = source {
        return host(url).map(|_| Read { title: None, url: Some(cut(url)) });
    }
    let inner = |place: &'static str| source.get(place).into_iter();
    let web = source.pointer("/location/web").into_iter();
    let places: Vec<&Value> = std::iter::once(source)
        .chain(["web", "node", "retrievedContext", "location"].into_iter().flat_map(inner))
        .chain(web)
        .collect();
    let text = |names: &[&str]| {
        let texts = names
            .iter()
            .flat_map(|name| places.iter().filter_map(|place| place.get(*name)?.as_str()));
        texts.map(cut).find(|text| !text.is_empty())
    };
    let title = text(&["title", "document_title", "name"]);
    let url =
        text(&["url", "href", "uri", "document_uri", "source"]).filter(|url| host(url).is_some());
    (title.is_some() || url.is_some()).then_some(Read { title, url })
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_FOREIGN_TEXT)].to_owned()
}

/// The host of an http or https address, as it stands there.
fn host(url: &str) -> Option<&str> {
    let lower = url.get(..8)?.to_ascii_lowercase();
    let rest = if lower == "https://" {
        &url[8..]
    } else {
        url.get(7..).filter(|_| lower.starts_with("http://"))?
    };
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::{host, read};
    use serde_json::json;

    #[test]
    fn hosts_are_those_that_a_browser_would_open() {
        assert_eq!(host("https://a.example/x?y"), Some("a.example"));
        assert_eq!(host("http://good.example@evil.example:81/x"), Some("evil.example:81"));
        assert_eq!(host("https://evil.example\\@good.example/"), Some("evil.example"));
        for other in ["javascript:alert(1)", "file:///etc/passwd", "", "https://", "chunk-17"] {
            assert_eq!(host(other), None, "{other}");
        }
    }

    #[test]
    fn sources_are_read_in_the_shapes_seen() {
        let shapes = [
            json!({"title":"T","url":"https://a.example/"}),
            json!({"name":"T","href":"https://a.example/"}),
            json!({"document_title":"T","document_uri":"https://a.example/"}),
            json!({"web":{"title":"T","uri":"https://a.example/"}}),
        ];
        for shape in shapes {
            let read = read(&shape).unwrap();
            assert_eq!(
                (read.title.as_deref(), read.url.as_deref()),
                (Some("T"), Some("https://a.example/"))
            );
        }
        assert_eq!(read(&json!({"index": 3})), None);
    }
}
