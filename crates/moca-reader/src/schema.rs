//! The patterns of the MOCA schemas, and what it takes to check a value against them
//! (`facts/moca-reader §1.2, §2.3`).

use std::fmt;

use crate::text::Text;
use crate::time::{is_date, is_date_time};
use crate::value::Value;

/// Faults kept of one document; a hostile one could have a fault every few bytes.
const MAX_FAULTS: usize = 64;

/// White space as ECMAScript's `\s` has it, which the schemas' patterns are written in.
pub(crate) fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// An absolute URI or IRI: a scheme, `:`, and something without white space.
pub fn is_absolute_iri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    is_scheme(scheme) && !rest.is_empty() && !rest.chars().any(is_js_space)
}

pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b))
}

/// A semantic version: three numbers, then a pre-release and a build part, each optional.
pub fn is_semver(text: &str) -> bool {
    let is_label = |t: &str| {
        !t.is_empty() && t.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b))
    };
    let is_number = |t: &str| {
        !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()) && (t == "0" || !t.starts_with('0'))
    };
    let (text, build) = split_option(text, '+');
    let (numbers, pre_release) = split_option(text, '-');
    let mut parts = numbers.split('.');
    [parts.next(), parts.next(), parts.next()].iter().all(|part| part.is_some_and(is_number))
        && parts.next().is_none()
        && build.is_none_or(is_label)
        && pre_release.is_none_or(is_label)
}

fn split_option(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

/// A BCP 47 tag as the schemas have it: a language, then subtags.
pub fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=3).contains(&language.len())
        && language.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// Where in a document a value stands; written out only when something is wrong there.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Member(&'a str),
    Item(usize),
}

impl<'a> At<'a> {
    pub(crate) const ROOT: At<'static> = At { parent: None, step: Step::Root };

    pub(crate) fn member(&'a self, name: &'a str) -> At<'a> {
        At { parent: Some(self), step: Step::Member(name) }
    }

    pub(crate) fn item(&'a self, index: usize) -> At<'a> {
        At { parent: Some(self), step: Step::Item(index) }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            write!(f, "{parent}")?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Member(name) => write!(f, "/{name}"),
            Step::Item(index) => write!(f, "/{index}"),
        }
    }
}

/// What is wrong with one document, a sentence each.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) sentences: Vec<String>,
}

impl Faults {
    pub(crate) fn add(&mut self, at: &At<'_>, what: &str) {
        if self.sentences.len() < MAX_FAULTS {
            let place = at.to_string();
            let place = if place.is_empty() { "the document" } else { &place };
            self.sentences.push(format!("{place} {what}"));
        }
    }

    /// The members of a mapping; anything else is a fault.
    pub(crate) fn object<'v>(
        &mut self,
        value: &'v Value,
        at: &At<'_>,
    ) -> Option<&'v [(Text, Value)]> {
        let members = value.as_map();
        if members.is_none() {
            self.add(at, "must be an object");
        }
        members
    }

    /// The items of a list; anything else is a fault.
    pub(crate) fn list<'v>(&mut self, value: &'v Value, at: &At<'_>) -> &'v [Value] {
        value.as_seq().unwrap_or_else(|| {
            self.add(at, "must be a list");
            &[]
        })
    }

    pub(crate) fn text(&mut self, value: &Value, at: &At<'_>) {
        if value.as_str().is_none() {
            self.add(at, "must be text");
        }
    }

    pub(crate) fn filled_text(&mut self, value: &Value, at: &At<'_>) {
        match value.as_str() {
            None => self.add(at, "must be text"),
            Some("") => self.add(at, "must not be empty"),
            Some(_) => {}
        }
    }

    pub(crate) fn shaped(
        &mut self,
        value: &Value,
        at: &At<'_>,
        holds: fn(&str) -> bool,
        what: &str,
    ) {
        match value.as_str() {
            None => self.add(at, "must be text"),
            Some(text) if !holds(text) => self.add(at, what),
            Some(_) => {}
        }
    }

    pub(crate) fn iri(&mut self, value: &Value, at: &At<'_>) {
        self.shaped(value, at, is_absolute_iri, "must be an absolute IRI");
    }

    pub(crate) fn time(&mut self, value: &Value, at: &At<'_>) {
        let holds = |text: &str| is_date(text) || is_date_time(text);
        self.shaped(value, at, holds, "must be a date, or a date and time with offset");
    }

    pub(crate) fn count(&mut self, value: &Value, at: &At<'_>) {
        let is_count = match value {
            // A float past 2^53 is an integer to JSON Schema all the same.
            Value::Float(f) => f.is_finite() && f.fract() == 0.0 && *f >= 0.0,
            other => other.as_integer().is_some_and(|n| n >= 0),
        };
        if !is_count {
            self.add(at, "must be an integer from 0");
        }
    }

    pub(crate) fn one_of(&mut self, value: &Value, at: &At<'_>, words: &[&str]) {
        if !value.as_str().is_some_and(|text| words.contains(&text)) {
            self.add(at, &format!("must be one of {}", words.join(", ")));
        }
    }

    pub(crate) fn required(&mut self, object: &Value, at: &At<'_>, names: &[&str]) {
        for name in names {
            if object.get(name).is_none() {
                self.add(at, &format!("has no {name:?}"));
            }
        }
    }

    pub(crate) fn closed(&mut self, object: &Value, at: &At<'_>, known: &[&str]) {
        for (name, _) in object.as_map().unwrap_or_default() {
            if !known.contains(&name.as_str()) {
                self.add(at, &format!("has an unknown member {name:?}"));
            }
        }
    }

    /// Checks a member if it is there.
    pub(crate) fn optional(
        &mut self,
        object: &Value,
        at: &At<'_>,
        name: &str,
        check: impl FnOnce(&mut Self, &Value, &At<'_>),
    ) {
        if let Some(value) = object.get(name) {
            check(self, value, &at.member(name));
        }
    }

    /// Checks an object whose every member is an object (`profiles`).
    pub(crate) fn objects(&mut self, value: &Value, at: &At<'_>) {
        for (name, item) in self.object(value, at).unwrap_or_default() {
            self.object(item, &at.member(name));
        }
    }
}
