//! The strip of an answer: how many of its sources stand how, and when that was so. States, never a score.

use serde::Serialize;

use super::basis::{AsOf, AsOfTime};
use super::model::{Standing, Tone};

/// Counts of the worst state of each source, worst first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Strip {
    /// Number of sources.
    pub sources: u32,
    /// By word and speaker, worst first; the counts add up to `sources`.
    pub parts: Vec<StripPart>,
    /// “3 sources: 1 superseded · 1 stale · 1 in force, not stale”.
    pub sentence: String,
    /// “as of TIME · by WHOM” where it is one and the same for all; else the same for each word.
    pub line: String,
}

/// Sources that stand alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StripPart {
    /// The word of [`super::Summary`].
    pub word: &'static str,
    /// How it is drawn.
    pub tone: Tone,
    /// How many.
    pub count: u32,
    /// When that was so and by whom it is said; the earliest time where there are several.
    pub as_of: AsOf,
    /// The latest time, where there are several.
    pub until: Option<AsOf>,
    /// “as of TIME · by WHOM”, or “as of TIME to TIME · by WHOM”.
    pub line: String,
}

/// Rolls up the sources of an answer, a conversation or a package, each of them given once.
#[must_use]
pub fn strip<'s>(standings: impl IntoIterator<Item = &'s Standing>) -> Strip {
    let mut parts: Vec<StripPart> = Vec::new();
    let mut sources: u32 = 0;
    for standing in standings {
        sources = sources.saturating_add(1);
        let worst = standing.worst();
        let like = |part: &&mut StripPart| {
            part.word == worst.word && part.tone == worst.tone && joins(&part.as_of, &worst.as_of)
        };
        match parts.iter_mut().find(like) {
            Some(part) => part.add(&worst.as_of),
            None => parts.push(StripPart {
                word: worst.word,
                tone: worst.tone,
                count: 1,
                as_of: worst.as_of.clone(),
                until: None,
                line: worst.as_of.line.clone(),
            }),
        }
    }
    parts.sort_by(|a, b| b.tone.cmp(&a.tone).then(a.word.cmp(b.word)).then(a.line.cmp(&b.line)));
    let counts: Vec<String> = parts.iter().map(|p| format!("{} {}", p.count, p.word)).collect();
    let sentence = match sources {
        0 => "No sources.".to_owned(),
        1 => format!("1 source: {}", counts.join(" · ")),
        n => format!("{n} sources: {}", counts.join(" · ")),
    };
    let line = match parts.as_slice() {
        [] => String::new(),
        [one, rest @ ..] if rest.iter().all(|part| part.line == one.line) => one.line.clone(),
        several => several
            .iter()
            .zip(&counts)
            .map(|(part, count)| format!("{count}: {}", part.line))
            .collect::<Vec<_>>()
            .join("; "),
    };
    Strip { sources, parts, sentence, line }
}

impl StripPart {
    /// One more source with the same word, said by the same.
    fn add(&mut self, as_of: &AsOf) {
        self.count = self.count.saturating_add(1);
        if self.as_of == *as_of || self.until.as_ref() == Some(as_of) {
            return;
        }
        let Some(at) = as_of.time.instant() else {
            // Without a time they differ only in when their recordings came.
            self.as_of = self.as_of.of_several();
            self.line.clone_from(&self.as_of.line);
            return;
        };
        let last = self.until.as_ref().unwrap_or(&self.as_of).time.instant();
        if Some(at) > last {
            self.until = Some(as_of.clone());
        } else if Some(at) < self.as_of.time.instant() {
            let first = std::mem::replace(&mut self.as_of, as_of.clone());
            self.until.get_or_insert(first);
        }
        self.line = match &self.until {
            Some(last) => self.as_of.line_until(last),
            None => self.as_of.line.clone(),
        };
    }
}

/// Whether two flags can be counted as one: said by the same, at times of which both are instants or neither is stated.
fn joins(one: &AsOf, other: &AsOf) -> bool {
    one.by == other.by
        && match (&one.time, &other.time) {
            (AsOfTime::NotStated, AsOfTime::NotStated) => true,
            _ => one.line == other.line || (one.time.is_exact() && other.time.is_exact()),
        }
}
