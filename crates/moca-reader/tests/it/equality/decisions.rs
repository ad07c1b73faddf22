//! Where this Reader concludes otherwise than the reference, on purpose. Each entry is a section
//! of `docs/reader-differences.md`; an entry that no longer makes a difference fails the test.

/// One decided difference.
pub(super) struct Decision {
    /// Edge package or set, `<file>/<name>`.
    pub(super) subject: &'static str,
    /// Start of the places that differ.
    pub(super) at: &'static [&'static str],
}

const fn at(subject: &'static str, at: &'static [&'static str]) -> Decision {
    Decision { subject, at }
}

/// Times that only some programs read (28, 31, 32, 33, 46) and times in a list (42).
const UNTIL: &[&str] = &[
    "/28-until.md:inForce",
    "/31-until.md:inForce",
    "/32-until.md:inForce",
    "/33-until.md:inForce",
    "/42-until.md:inForce",
    "/46-until.md:inForce",
];

pub(super) const ALL: &[Decision] = &[
    // Times outside ISO 8601 are unreadable; a list or mapping is shown as JSON.
    at(
        "clock/clock",
        &[
            "/records/56/trust/",
            "/records/62/trust/",
            "/records/64/trust/",
            "/records/66/trust/",
            "/records/84/trust/",
            "/records/85/trust/validUntil",
            "/records/86/trust/staleAfter",
            "/records/86/trust/validFrom",
            "/records/87/trust/validUntil",
            "/records/92/trust/",
        ],
    ),
    at("clock/set-0", UNTIL),
    at("clock/set-1", UNTIL),
    at(
        "clock/set-2",
        &[
            "/28-from.md:",
            "/31-from.md:",
            "/32-from.md:",
            "/33-from.md:",
            "/42-from.md:",
            "/46-from.md:",
        ],
    ),
    // Only Ed25519 keys.
    at(
        "attestations/ec-key",
        &["/attestations/0/", "/capabilities", "/diagnostics", "/records", "/signers"],
    ),
    // A trust root may have members of a later version.
    at("attestations/trust-root-extra-member", &["/throws"]),
    // A package never supersedes or contests itself.
    at("relations/self", &["/records/0/trust/"]),
    at("relations/set-8", &["/records/0/trust/"]),
    // A span counts the bytes of the file.
    at(
        "frontmatter/invalid-utf8-fm",
        &["/nodes/0/representations/0/bodyOffset", "/records/0/span/"],
    ),
    // An actor that is not there is not named "undefined".
    at(
        "frontmatter/generated-no-by",
        &["/records/0/trust/declaredVerified", "/records/0/trust/generated"],
    ),
    at("frontmatter/generated-list", &["/records/0/trust/generated"]),
    // A text has no keys; a pin that is no digest is no pin.
    at("manifests/profiles-string", &["/diagnostics", "/profiles"]),
    at("manifests/members-upper-digest", &["/memberResults"]),
];

/// The decision that explains a difference.
pub(super) fn decided(subject: &str, at: &str) -> Option<&'static Decision> {
    ALL.iter().find(|decision| {
        decision.subject == subject && decision.at.iter().any(|start| at.starts_with(start))
    })
}
