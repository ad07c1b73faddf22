//! The standing of a source as lines of text, in the order in which every export shows them.

use moca::standing::{Standing, Tone};

/// One flag as an export shows it.
pub(super) struct Line {
    /// How it is drawn.
    pub(super) tone: Tone,
    /// “flag · as of TIME · by WHOM”.
    pub(super) flag: String,
    /// One sentence.
    pub(super) sentence: String,
    /// What else there is to know.
    pub(super) detail: Option<String>,
    /// A declared verification: it has another shape and stands after the attested reviews.
    pub(super) declared: bool,
}

/// Every flag of a standing: integrity, currency, forecast, attested reviews, declared verifications.
pub(super) fn lines(standing: &Standing) -> Vec<Line> {
    match standing {
        Standing::Invalid(invalid) => {
            let mut lines = vec![line(Tone::Unknown, &invalid.line, &invalid.sentence, None)];
            lines
                .extend(invalid.reasons.iter().map(|reason| line(Tone::Unknown, reason, "", None)));
            lines
        }
        Standing::Failed(failed) => {
            let state = &failed.integrity;
            vec![line(state.tone, &state.line, &state.sentence, state.detail.as_deref())]
        }
        Standing::Read(read) => {
            let integrity = &read.integrity;
            let mut lines = vec![line(
                integrity.tone,
                &integrity.line,
                &integrity.sentence,
                integrity.detail.as_deref(),
            )];
            lines.extend(
                read.currency
                    .iter()
                    .map(|s| line(s.tone, &s.line, &s.sentence, s.detail.as_deref())),
            );
            lines.extend(
                read.forecast
                    .iter()
                    .map(|s| line(s.tone, &s.line, &s.sentence, s.detail.as_deref())),
            );
            lines.extend(
                read.reviews
                    .iter()
                    .map(|s| line(s.tone, &s.line, &s.sentence, s.detail.as_deref())),
            );
            lines.extend(read.declared.iter().map(|declared| Line {
                tone: Tone::Neutral,
                flag: declared.line.clone(),
                sentence: declared.sentence.clone(),
                detail: None,
                declared: true,
            }));
            lines
        }
    }
}

/// Every flag of a standing as one line of text: a sign for its tone, “flag · as of TIME · by WHOM”, a sentence.
#[must_use]
pub fn flags(standing: &Standing) -> Vec<String> {
    lines(standing)
        .into_iter()
        .map(|line| {
            let sentence = if line.sentence.is_empty() {
                String::new()
            } else {
                format!(" — {}", line.sentence)
            };
            format!("{} {}{sentence}", line.sign(), line.flag)
        })
        .collect()
}

impl Line {
    /// A sign for its tone, since colour is never the only sign.
    pub(super) fn sign(&self) -> &'static str {
        match (self.declared, self.tone) {
            (true, _) => "□",
            (false, Tone::Good) => "●",
            (false, Tone::Neutral) => "○",
            (false, Tone::Unknown) => "?",
            (false, Tone::Caution) => "▲",
            (false, Tone::Bad) => "✕",
        }
    }

    /// A word for its tone, for style sheets.
    pub(super) fn word(&self) -> &'static str {
        match (self.declared, self.tone) {
            (true, _) => "declared",
            (false, Tone::Good) => "good",
            (false, Tone::Neutral) => "neutral",
            (false, Tone::Unknown) => "unknown",
            (false, Tone::Caution) => "caution",
            (false, Tone::Bad) => "bad",
        }
    }
}

fn line(tone: Tone, flag: &str, sentence: &str, detail: Option<&str>) -> Line {
    Line {
        tone,
        flag: flag.to_owned(),
        sentence: sentence.to_owned(),
        detail: detail.map(str::to_owned),
        declared: false,
    }
}
