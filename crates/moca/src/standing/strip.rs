//! The strip of an answer: how many of its sources stand how. States, never a score.

use serde::Serialize;

use super::model::{Standing, Tone};

/// Counts of the worst state of each source, worst first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Strip {
    /// Number of sources.
    pub sources: u32,
    /// By word, worst first; the counts add up to `sources`.
    pub parts: Vec<StripPart>,
    /// “3 sources: 1 superseded · 1 stale · 1 holds”.
    pub sentence: String,
    /// “as of TIME · by WHOM” where it is one and the same for all.
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
}

/// Rolls up the sources of an answer, a conversation or a package.
#[must_use]
pub fn strip<'s>(standings: impl IntoIterator<Item = &'s Standing>) -> Strip {
    let mut parts: Vec<StripPart> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut sources: u32 = 0;
    for standing in standings {
        sources = sources.saturating_add(1);
        let worst = standing.worst();
        match parts.iter_mut().find(|p| p.word == worst.word && p.tone == worst.tone) {
            Some(part) => part.count = part.count.saturating_add(1),
            None => parts.push(StripPart { word: worst.word, tone: worst.tone, count: 1 }),
        }
        let line = worst.as_of.line.as_str();
        // Two lines are as many as are needed to know that they differ.
        if lines.len() < 2 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    parts.sort_by(|a, b| b.tone.cmp(&a.tone).then(a.word.cmp(b.word)));
    let counts: Vec<String> = parts.iter().map(|p| format!("{} {}", p.count, p.word)).collect();
    let sentence = match sources {
        0 => "No sources.".to_owned(),
        1 => format!("1 source: {}", counts.join(" · ")),
        n => format!("{n} sources: {}", counts.join(" · ")),
    };
    let line = match lines.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ => "at different times, each beside its source".to_owned(),
    };
    Strip { sources, parts, sentence, line }
}
