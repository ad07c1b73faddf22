//! Where this Reader concludes otherwise than the reference, on purpose. Each entry is a section
//! of `docs/reader-differences.md`; an entry that no longer makes a difference fails the test.

/// One decided difference.
pub(super) struct Decision {
    /// Edge package or set, `<file>/<name>`.
    pub(super) subject: &'static str,
    /// Start of the places that differ.
    pub(super) at: &'static [&'static str],
}

pub(super) const ALL: &[Decision] = &[];

/// The decision that explains a difference.
pub(super) fn decided(subject: &str, at: &str) -> Option<&'static Decision> {
    ALL.iter().find(|decision| {
        decision.subject == subject && decision.at.iter().any(|start| at.starts_with(start))
    })
}
