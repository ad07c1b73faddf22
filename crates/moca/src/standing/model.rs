//! What a standing is made of. Serialised as it is for the command line and for screens.

use serde::Serialize;

use super::basis::AsOf;
use crate::time::Instant;

/// The standing of a cited source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum Standing {
    /// The record breaks its schema: reasons, no badge, no flag.
    Invalid(Box<InvalidStanding>),
    /// Integrity fails: that, and nothing that depends on it.
    Failed(Box<FailedStanding>),
    /// A record whose flags can be told.
    Read(Box<ReadStanding>),
}

impl Standing {
    /// The one state for a strip or a list.
    #[must_use]
    pub fn worst(&self) -> &Summary {
        match self {
            Self::Invalid(standing) => &standing.worst,
            Self::Failed(standing) => &standing.worst,
            Self::Read(standing) => &standing.worst,
        }
    }

    /// Time and speaker of its flags.
    #[must_use]
    pub fn as_of(&self) -> &AsOf {
        match self {
            Self::Invalid(standing) => &standing.as_of,
            Self::Failed(standing) => &standing.as_of,
            Self::Read(standing) => &standing.as_of,
        }
    }
}

/// Standing of an invalid record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InvalidStanding {
    /// One sentence.
    pub sentence: String,
    /// Every rule broken.
    pub reasons: Vec<String>,
    /// “Invalid record · as of TIME · by WHOM”.
    pub line: String,
    /// For strips.
    pub worst: Summary,
    /// When it was sent, by whom.
    pub as_of: AsOf,
}

/// Standing of a record whose integrity fails.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FailedStanding {
    /// How it fails.
    pub integrity: State<IntegrityKind>,
    /// For strips.
    pub worst: Summary,
    /// When that was so, by whom.
    pub as_of: AsOf,
}

/// Standing of a record whose flags can be told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadStanding {
    /// First axis: whose bytes.
    pub integrity: State<IntegrityKind>,
    /// Second axis: every state that holds on the basis, worst first, never empty.
    pub currency: Vec<State<CurrencyKind>>,
    /// What the record's own dates say now, beyond or against the basis.
    pub forecast: Vec<State<ForecastKind>>,
    /// Attested reviews of every outcome, worst first.
    pub reviews: Vec<State<ReviewKind>>,
    /// Declared verifications: another type, after the attested reviews.
    pub declared: Vec<DeclaredVerification>,
    /// For strips.
    pub worst: Summary,
    /// Time and speaker of integrity, currency and reviews.
    pub as_of: AsOf,
    /// Every time that its sentences and details write out, so that a host can write it as it writes all others.
    pub times: Vec<WrittenTime>,
}

/// A time inside of sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WrittenTime {
    /// As the sentences have it.
    pub written: String,
    /// The instant.
    pub at: Instant,
    /// As the record or the event has it.
    pub text: String,
}

/// How a state is drawn. Ordered from best to worst, for the worst of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Tone {
    /// Said to be in order, by someone, at a known time.
    Good,
    /// A fact that is neither.
    Neutral,
    /// Nobody knows: never drawn as good.
    Unknown,
    /// Look before relying on it.
    Caution,
    /// Do not rely on it.
    Bad,
}

/// One state: a typed kind with all that is shown of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct State<K> {
    /// What it is.
    pub kind: K,
    /// How it is drawn.
    pub tone: Tone,
    /// A few words for a badge.
    pub badge: String,
    /// One sentence for hover and focus.
    pub sentence: String,
    /// What else there is to know, one line.
    pub detail: Option<String>,
    /// When it was true and by whom it is said.
    pub as_of: AsOf,
    /// “flag · as of TIME · by WHOM”.
    pub line: String,
}

impl<K> State<K> {
    pub(super) fn new(kind: K, tone: Tone, badge: String, sentence: String, as_of: &AsOf) -> Self {
        let line = format!("{badge} · {}", as_of.line);
        Self { kind, tone, badge, sentence, detail: None, as_of: as_of.clone(), line }
    }

    pub(super) fn detail(mut self, detail: Option<String>) -> Self {
        self.detail = detail;
        self
    }
}

/// The one state that stands for a record in a strip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// How it is drawn.
    pub tone: Tone,
    /// One of a fixed set of words, for counting; it stands after any number: “1 stale”, “2 in force, not stale”.
    pub word: &'static str,
    /// One sentence.
    pub sentence: String,
    /// When it was true and by whom it is said.
    pub as_of: AsOf,
    /// “flag · as of TIME · by WHOM”.
    pub line: String,
}

impl Summary {
    pub(super) fn of<K>(state: &State<K>, word: &'static str) -> Self {
        Self {
            tone: state.tone,
            word,
            sentence: state.sentence.clone(),
            as_of: state.as_of.clone(),
            line: state.line.clone(),
        }
    }
}

/// Whose bytes they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum IntegrityKind {
    /// Signed by those it names.
    Signed,
    /// Signed, and the record does not name by whom.
    SignedByUnnamed,
    /// Not signed.
    NotSigned,
    /// Not signed, yet the record names signers.
    SignersContradict,
    /// The check could not compare the bytes.
    CouldNotCheck,
    /// Other bytes are held under the same id and version.
    DigestDiffers,
    /// The record contradicts itself about which node it is of.
    Contradiction,
}

impl IntegrityKind {
    /// Nothing that depends on integrity may be shown.
    #[must_use]
    pub fn failed(self) -> bool {
        matches!(self, Self::DigestDiffers | Self::Contradiction)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Signed => "signed",
            Self::SignedByUnnamed => "signed by nobody named",
            Self::NotSigned => "not signed",
            Self::SignersContradict => "with an unclear signature",
            Self::CouldNotCheck => "not checkable",
            Self::DigestDiffers => "with another digest",
            Self::Contradiction => "self-contradicting",
        }
    }
}

/// Whether it may be relied on, as the basis says. Ordered worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum CurrencyKind {
    /// A loaded package supersedes it.
    Superseded,
    /// Its time is over.
    NoLongerInForce,
    /// Its time has not come.
    NotYetInForce,
    /// Said to be out of force; the record's dates do not say which way.
    NotInForce,
    /// Something says it is wrong.
    Contested,
    /// Due for review.
    Stale,
    /// A passage that it rests on is not where it should be.
    EvidenceNotFound,
    /// Withdrawn by its author.
    Deprecated,
    /// Not finished.
    Draft,
    /// The check could not say.
    CouldNotCheck,
    /// In force, and not stale.
    InForceNotStale,
    /// In force, told beside a worse state.
    InForce,
    /// Not stale, told beside a worse state.
    NotStale,
}

impl CurrencyKind {
    pub(super) fn word(self, tone: Tone) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::NoLongerInForce => "no longer in force",
            Self::NotYetInForce => "not yet in force",
            Self::NotInForce => "not in force",
            Self::Contested => "contested",
            Self::Stale => "stale",
            Self::EvidenceNotFound => "with evidence not found",
            Self::Deprecated => "deprecated",
            Self::Draft => "draft",
            Self::CouldNotCheck => "not checkable",
            Self::InForceNotStale | Self::InForce | Self::NotStale => match tone {
                Tone::Good => "in force, not stale",
                Tone::Unknown => "at an unknown time",
                _ => "at an uncertain time",
            },
        }
    }
}

/// What the record's own dates say now (`facts/moca-reader §7.4`). Ordered worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ForecastKind {
    /// Out of force already when the answer was given, though the basis says in force.
    OutOfForceWhenAnswered,
    /// Out of force by now.
    NoLongerInForce,
    /// Not in force yet.
    NotYetInForce,
    /// Stale already when the answer was given, though the basis says not stale.
    StaleWhenAnswered,
    /// Stale by now.
    Stale,
    /// `validFrom` or `validUntil` cannot be read.
    WindowUnreadable,
    /// `staleAfter` cannot be read.
    StaleDateUnreadable,
    /// In force now, though the basis says not.
    InForce,
    /// Not stale now, though the basis says stale.
    NotStale,
    /// A day on which it will go out of force.
    GoesOutOfForce,
    /// A day on which it will go stale.
    GoesStale,
}

impl ForecastKind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::OutOfForceWhenAnswered => "out of force when answered",
            Self::NoLongerInForce => "no longer in force by its own dates",
            Self::NotYetInForce => "not yet in force by its own dates",
            Self::StaleWhenAnswered => "stale when answered",
            Self::Stale => "stale by its own dates",
            Self::WindowUnreadable | Self::StaleDateUnreadable => "with unreadable dates",
            Self::InForce | Self::GoesOutOfForce => "in force by its own dates",
            Self::NotStale | Self::GoesStale => "not stale by its own dates",
        }
    }
}

/// The outcome of an attested review. Ordered worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ReviewKind {
    /// Never approval.
    Inaccurate,
    /// Never approval.
    NeedsChange,
    /// A word that this app does not know; never approval.
    UnknownOutcome,
    /// The one that approves.
    Accurate,
}

impl ReviewKind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Inaccurate => "reviewed as inaccurate",
            Self::NeedsChange => "reviewed as needing change",
            Self::UnknownOutcome => "reviewed with an unknown outcome",
            Self::Accurate => "reviewed as accurate",
        }
    }
}

/// A declared verification: somebody's word, checked by nobody. It has no tone, so that nothing can draw it as good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeclaredVerification {
    /// “Declared, not checked”.
    pub badge: &'static str,
    /// One sentence.
    pub sentence: String,
    /// Who says so, as received.
    pub by: String,
    /// When, as received.
    pub at: Option<String>,
    /// When the record said so and by whom it was sent.
    pub as_of: AsOf,
    /// “flag · as of TIME · by WHOM”.
    pub line: String,
}
