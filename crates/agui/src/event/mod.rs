//! Events: our own tolerant model of one AG-UI event (facts/agui §1, §7.3).
//!
//! An [`Event`] keeps the bytes it was read from and the places of its members in them. Nothing is
//! refused: what cannot be read is an event of an unknown kind, and everything odd is a [`Note`].

mod check;
pub mod json;
pub mod key;
mod kind;
pub(crate) mod lenient;
pub(crate) mod note;
mod odd;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

pub use json::{Got, JsonType, Object, Raw};
pub use key::Key;
pub use kind::{EventType, TypeKey};
pub use note::{CODES, Note};

/// Members under which wrappers put the event itself (facts/agui §1.15, §4.15).
const WRAPPERS: [&str; 3] = ["event", "payload", "data"];

/// One event: its bytes, its type and where its members stand.
///
/// Accessors borrow from the event and decode on demand, so that a content event costs one pass over
/// its text and no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What is read: the bytes as text, made readable where they were no JSON.
    text: String,
    /// The bytes as received, where `text` differs from them.
    original: Option<Vec<u8>>,
    kind: TypeKey,
    members: Vec<Member>,
    notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    name: Name,
    value: Range<usize>,
}

/// A member's name: where it stands in the text, or decoded when it is written with escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    At(Range<usize>),
    Decoded(Box<str>),
}

impl Event {
    /// Reads one event's JSON text. Never fails: bytes that hold no JSON object give an event of the
    /// kind `Unknown("")` with [`Note::Unreadable`].
    pub fn parse(bytes: Vec<u8>) -> Self {
        Self::named(bytes, None)
    }

    /// The same for an event that came under a name of its own, as in the `event:` line of SSE: where its
    /// text states no type and the name is that of a known one, it is taken from there (facts/agui §1.15).
    pub fn named(bytes: Vec<u8>, name: Option<&str>) -> Self {
        let (text, original, mut notes) = match String::from_utf8(bytes) {
            Ok(text) => (text, None, Vec::new()),
            Err(error) => {
                let bytes = error.into_bytes();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                (text, Some(bytes), vec![Note::InvalidUtf8])
            }
        };
        if let Some(read) = read(&text, name) {
            return Self::assemble(text, original, notes, read);
        }
        if let Some(cleaned) = lenient::clean(&text)
            && let Some(read) = read(&cleaned, name)
        {
            notes.push(Note::NotStrictJson);
            let original = original.or_else(|| Some(text.into_bytes()));
            return Self::assemble(cleaned, original, notes, read);
        }
        notes.push(Note::Unreadable);
        Self { text, original, kind: TypeKey::Unknown(String::new()), members: Vec::new(), notes }
    }

    fn assemble(text: String, original: Option<Vec<u8>>, notes: Vec<Note>, read: Read) -> Self {
        let mut event = Self { text, original, kind: read.kind, members: read.members, notes };
        event.notes.extend(read.notes);
        let found = check::notes(&event);
        event.notes.extend(found);
        let found = odd::notes(&event);
        event.notes.extend(found);
        event
    }

    /// The bytes as received.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// The type.
    pub fn kind(&self) -> &TypeKey {
        &self.kind
    }

    /// The type when it is one we know.
    pub fn known(&self) -> Option<EventType> {
        self.kind.known()
    }

    /// Everything odd about the spelling and the fields of this event.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The value under a key or one of its aliases, as its JSON text.
    pub fn get(&self, key: &Key) -> Got<Raw<'_>> {
        self.lookup(key).1
    }

    /// The value under a key, which must be a string.
    pub fn text(&self, key: &Key) -> Got<Cow<'_, str>> {
        match self.get(key) {
            Got::Ok(raw) => raw.text(),
            Got::Missing => Got::Missing,
            Got::Null => Got::Null,
            Got::Wrong(found) => Got::Wrong(found),
        }
    }

    /// Whether the event has a key more than once, under whichever of its names.
    pub(crate) fn repeats(&self, key: &Key) -> bool {
        let named = |member: &&Member| {
            let name = self.name(member);
            name == key.name || key.aliases.contains(&name)
        };
        self.members.iter().filter(named).nth(1).is_some()
    }

    /// Whether a value of this event stands in the bytes as received as it is read here, where those had to be changed
    /// to be read.
    pub(crate) fn is_as_received(&self, value: Raw<'_>) -> bool {
        let Some(original) = &self.original else { return true };
        // What is there once before and once after the change is the same place.
        let once =
            |text: &[u8]| memmem::find_iter(text, value.json().as_bytes()).take(2).count() == 1;
        once(original) && once(self.text.as_bytes())
    }

    /// `timestamp` exactly as it is spelt, quotes included when it is a string (facts/agui §1.1).
    pub fn timestamp(&self) -> Option<&str> {
        match self.get(&key::TIMESTAMP) {
            Got::Ok(raw) => Some(raw.json()),
            _ => None,
        }
    }

    /// `subagentRunId`, when it is a string.
    pub fn subagent(&self) -> Option<Cow<'_, str>> {
        self.text(&key::SUBAGENT_RUN_ID).ok()
    }

    /// Which spelling of the key is there, and its value.
    fn lookup(&self, key: &Key) -> (&'static str, Got<Raw<'_>>) {
        let mut null = None;
        for name in std::iter::once(&key.name).chain(key.aliases) {
            // The last of duplicate members counts, as for JSON.parse.
            let Some(member) = self.members.iter().rev().find(|m| self.name(m) == *name) else {
                continue;
            };
            let raw = Raw::new(&self.text[member.value.clone()]);
            if raw.kind() != JsonType::Null {
                return (name, Got::Ok(raw));
            }
            null.get_or_insert(*name);
        }
        match null {
            Some(name) => (name, Got::Null),
            None => (key.name, Got::Missing),
        }
    }

    fn name<'a>(&'a self, member: &'a Member) -> &'a str {
        match &member.name {
            Name::At(at) => &self.text[at.clone()],
            Name::Decoded(name) => name,
        }
    }
}

struct Read {
    kind: TypeKey,
    members: Vec<Member>,
    notes: Vec<Note>,
}

/// Finds the type and the members, unwrapping one level where the outer object is not itself an event.
fn read(text: &str, name: Option<&str>) -> Option<Read> {
    let outer = Object::parse(text)?;
    let mut notes = Vec::new();
    let stated = outer.get("type").and_then(|raw| raw.text().ok());
    let typed = stated.as_deref().map(TypeKey::read);
    let unwrapped = match &typed {
        Some((TypeKey::Known(known), _)) => {
            check::needs_payload(*known, &outer).then(|| wrapped(&outer)).flatten()
        }
        _ => wrapped(&outer)
            .filter(|inner| inner_type(inner).is_some_and(|(kind, _)| kind.known().is_some())),
    };
    let (kind, exact) = match (&typed, &unwrapped) {
        (Some((TypeKey::Known(known), exact)), _) => (TypeKey::Known(*known), *exact),
        (_, Some(inner)) => inner_type(inner)?,
        (Some((unknown, exact)), None) => (unknown.clone(), *exact),
        (None, None) => match protobuf_json(&outer) {
            Some((kind, inner)) => {
                notes.push(Note::ProtobufJson);
                return Some(Read {
                    kind: TypeKey::Known(kind),
                    members: members(text, &[&inner]),
                    notes,
                });
            }
            None => match name.map(TypeKey::read) {
                Some((TypeKey::Known(kind), _)) => {
                    notes.push(Note::TypeFromName);
                    (TypeKey::Known(kind), true)
                }
                _ => {
                    notes.push(Note::NoType);
                    (TypeKey::Unknown(String::new()), true)
                }
            },
        },
    };
    if !exact {
        notes.push(Note::TypeSpelling(stated.as_deref().unwrap_or_default().to_owned()));
    }
    if let Some(name) = outer.duplicate() {
        notes.push(Note::DuplicateKey(name.to_owned()));
    }
    let members = match &unwrapped {
        Some(inner) => {
            notes.push(Note::Wrapped);
            with_wrapper(text, &outer, inner)
        }
        None => members(text, &[&outer]),
    };
    Some(Read { kind, members, notes })
}

/// What a wrapper holds; nothing where one is there twice, of which readers take the one or the other.
fn wrapped<'a>(outer: &Object<'a>) -> Option<Object<'a>> {
    let times = |wrapper: &str| outer.members().iter().filter(|(name, _)| name == wrapper).count();
    if WRAPPERS.iter().any(|wrapper| times(wrapper) > 1) {
        return None;
    }
    WRAPPERS.iter().find_map(|name| outer.get(name)?.object())
}

fn inner_type(inner: &Object<'_>) -> Option<(TypeKey, bool)> {
    Some(TypeKey::read(&inner.get("type")?.text().ok()?))
}

/// `{"textMessageContent":{…}}`: one member, named after an event in camel case (facts/agui §1.15).
fn protobuf_json<'a>(outer: &Object<'a>) -> Option<(EventType, Object<'a>)> {
    let [(name, raw)] = outer.members() else { return None };
    let kind = TypeKey::read(name).0.known()?;
    Some((kind, raw.object()?))
}

fn members(text: &str, objects: &[&Object<'_>]) -> Vec<Member> {
    let mut members = Vec::with_capacity(objects.iter().map(|o| o.members().len()).sum());
    for (name, raw) in objects.iter().flat_map(|o| o.members()) {
        let name = match name {
            Cow::Borrowed(name) => Name::At(place(text, name)),
            Cow::Owned(name) => Name::Decoded(name.as_str().into()),
        };
        members.push(Member { name, value: place(text, raw.json()) });
    }
    members
}

/// The inner members, and what the wrapper has besides: a name is there twice only where one object has it twice.
fn with_wrapper(text: &str, outer: &Object<'_>, inner: &Object<'_>) -> Vec<Member> {
    let mut all = members(text, &[outer, inner]);
    let mut at = 0;
    all.retain(|_| {
        let name = outer.members().get(at).map(|(name, _)| name);
        at += 1;
        name.is_none_or(|name| inner.get(name).is_none())
    });
    all
}

/// Where a slice of `text` stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
