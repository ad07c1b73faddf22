//! Events inside other objects (facts/agui §1.15, §4.15), and whether everyone must find the same one there.

use super::{EventType, JsonType, Object, TypeKey, key};

/// Members under which wrappers put the event itself (facts/agui §1.15, §4.15).
const WRAPPERS: [&str; 3] = ["event", "payload", "data"];

/// Members of which a wrapper must say nothing, or the same, for its event to be read in one way only.
const TELLING: [&str; 6] = ["event", "payload", "data", "type", "name", "value"];

/// The object in the first member that holds one.
pub(super) fn wrapped<'a>(outer: &Object<'a>) -> Option<Object<'a>> {
    WRAPPERS.iter().find_map(|name| outer.get(name)?.object())
}

/// The type that an object states.
pub(super) fn stated(object: &Object<'_>) -> Option<(TypeKey, bool)> {
    Some(TypeKey::read(&object.get("type")?.text().ok()?))
}

/// Why another reader may find another event, or none, where this one was found in a wrapper. `named` is the type that
/// the event came under, as in the `event:` line of SSE.
pub(super) fn doubt(
    outer: &Object<'_>,
    inner: &Object<'_>,
    kind: EventType,
    named: Option<EventType>,
) -> Option<&'static str> {
    let times = |name: &str| outer.members().iter().filter(|(other, _)| other == name).count();
    if TELLING.iter().any(|name| times(name) > 1) {
        return Some("the object around the event has a member twice");
    }
    let events = WRAPPERS.iter().filter(|name| may_be_event(outer, name)).count();
    if events > 1 {
        return Some("the object around it holds two events");
    }
    if let Some(doubt) = other_type(outer, kind)
        .or_else(|| other_type(inner, kind))
        .or_else(|| under_name(outer, kind, named))
    {
        return Some(doubt);
    }
    let name = key::NAME.name;
    let leans = outer.get(name).is_some() && (inner.get(name).is_none() || named.is_some());
    (leans || outer.get(key::VALUE.name).is_some())
        .then_some("the object around it has a name or a value of its own")
}

/// The same for an event of which only what surrounds it says the type.
pub(super) fn other_type(object: &Object<'_>, kind: EventType) -> Option<&'static str> {
    let own = object.get("type").filter(|own| own.kind() != JsonType::Null)?;
    let same = own.text().ok().is_some_and(|own| TypeKey::read(&own).0.known() == Some(kind));
    (!same).then_some("it is quoted in an event of another type, or states another type itself")
}

/// An object without a type that came under the name of another one is a quotation, too.
fn under_name(
    outer: &Object<'_>,
    kind: EventType,
    named: Option<EventType>,
) -> Option<&'static str> {
    let other = stated(outer).is_none() && named.is_some_and(|named| named != kind);
    other.then_some("it is quoted in an event of another type")
}

/// Whether a member holds an object that some reader takes for an event.
fn may_be_event(outer: &Object<'_>, name: &str) -> bool {
    let Some(object) = outer.get(name).and_then(|raw| raw.object()) else { return false };
    ["type", key::NAME.name, key::VALUE.name].iter().any(|member| object.get(member).is_some())
}
