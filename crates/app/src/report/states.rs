//! The standing of a source as lines of text, in the order in which every export shows them.

use moca::standing::{AsOf, Standing, State, Tone};

/// One flag as an export shows it.
pub(super) struct Line {
    /// How it is drawn.
    pub(super) tone: Tone,
    /// The flag in a few words.
    pub(super) flag: String,
    /// “as of TIME · by WHOM”; empty for what is no flag of its own.
    pub(super) as_of: String,
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
            let head = line("Invalid record", Some(&invalid.as_of), &invalid.sentence);
            let reasons = invalid.reasons.iter().map(|reason| line(reason, None, ""));
            std::iter::once(head).chain(reasons).collect()
        }
        Standing::Failed(failed) => vec![of(&failed.integrity)],
        Standing::Read(read) => {
            let mut lines = vec![of(&read.integrity)];
            lines.extend(read.currency.iter().map(of));
            lines.extend(read.forecast.iter().map(of));
            lines.extend(read.reviews.iter().map(of));
            lines.extend(read.declared.iter().map(|declared| Line {
                tone: Tone::Neutral,
                declared: true,
                ..line(declared.badge, Some(&declared.as_of), &declared.sentence)
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
            let sentence = match line.sentence.as_str() {
                "" => String::new(),
                sentence => format!(" — {sentence}"),
            };
            format!("{} {}{}{sentence}", line.sign(), line.flag, line.since())
        })
        .collect()
}

impl Line {
    /// “ · as of TIME · by WHOM”.
    pub(super) fn since(&self) -> String {
        match self.as_of.as_str() {
            "" => String::new(),
            as_of => format!(" · {as_of}"),
        }
    }

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

fn of<K>(state: &State<K>) -> Line {
    Line {
        tone: state.tone,
        detail: state.detail.clone(),
        ..line(&state.badge, Some(&state.as_of), &state.sentence)
    }
}

fn line(flag: &str, as_of: Option<&AsOf>, sentence: &str) -> Line {
    Line {
        tone: Tone::Unknown,
        flag: flag.to_owned(),
        as_of: as_of.map(|as_of| as_of.line.clone()).unwrap_or_default(),
        sentence: sentence.to_owned(),
        detail: None,
        declared: false,
    }
}
