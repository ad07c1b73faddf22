//! What a Reader has to say about a package (`facts/moca-reader §8`).

use std::fmt;

use serde::{Serialize, Serializer};

/// One finding. `code`, `severity`, `file` and `line` are contract; the words of `message` are not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What is the matter.
    pub code: Code,
    /// How grave it is; strict mode raises every warning to an error.
    pub severity: Severity,
    /// One sentence for a person.
    pub message: String,
    /// Package-relative path, NFC; `overlay:<id>` for a structure overlay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Something does not hold; the package is still usable.
    Warning,
    /// A rule is broken. In the families T, P, M and C it makes the package invalid.
    Error,
}

/// Findings in the order they were made.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding about the package as a whole.
    pub fn package(&mut self, code: Code, message: impl Into<String>) {
        self.add(code, message.into(), None, None);
    }

    /// Adds a finding about a file.
    pub fn file(&mut self, code: Code, file: impl Into<String>, message: impl Into<String>) {
        self.add(code, message.into(), Some(file.into()), None);
    }

    /// Adds a finding about a line (from 1) of a file.
    pub fn line(
        &mut self,
        code: Code,
        file: impl Into<String>,
        line: u32,
        message: impl Into<String>,
    ) {
        self.add(code, message.into(), Some(file.into()), Some(line));
    }

    fn add(&mut self, code: Code, message: String, file: Option<String>, line: Option<u32>) {
        self.found.push(Diagnostic { code, severity: code.severity(), message, file, line });
    }

    /// Moves the findings of `other` behind these.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.found.append(&mut other.found);
    }

    /// The findings so far.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.found
    }

    /// True if some finding has this code.
    pub fn has(&self, code: Code) -> bool {
        self.found.iter().any(|d| d.code == code)
    }

    /// The findings; `strict` raises warnings to errors, codes unchanged.
    pub fn finish(mut self, strict: bool) -> Vec<Diagnostic> {
        if strict {
            for finding in &mut self.found {
                finding.severity = match finding.severity {
                    Severity::Warning => Severity::Error,
                    other => other,
                };
            }
        }
        self.found
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $severity:ident;)*) => {
        /// Every code of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All codes, in the order of the contract's table.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The code in full, suffix included: `C011_EVIDENCE_SELECTOR_UNMATCHED`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// The severity outside strict mode.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// Target missing (or a file that is not .moca/.zip).
    TargetNotFound = "T001_TARGET_NOT_FOUND", Error;
    /// No moca.json at the root.
    ManifestNotFound = "T002_MANIFEST_NOT_FOUND", Error;
    /// Archive or host source breaks a name rule or limit.
    ArchiveRejected = "T003_ARCHIVE_REJECTED", Error;
    /// Symlink or non-regular entry.
    UnsupportedEntry = "P001_UNSUPPORTED_ENTRY", Error;
    /// Entry cannot be read.
    UnreadableEntry = "P002_UNREADABLE_ENTRY", Error;
    /// Paths equal after NFC or case folding.
    PathCollision = "P003_PATH_COLLISION", Error;
    /// Not UTF-8 JSON.
    ManifestInvalidJson = "M001_MANIFEST_INVALID_JSON", Error;
    /// Manifest schema broken.
    ManifestSchema = "M002_MANIFEST_SCHEMA", Error;
    /// No node, no member.
    NoContent = "M003_NO_CONTENT", Error;
    /// Unknown non-vendor top-level key.
    UnknownKey = "M004_UNKNOWN_KEY", Info;
    /// Member id repeated.
    DuplicateMember = "M005_DUPLICATE_MEMBER", Error;
    /// ValidUntil not after validFrom.
    ManifestValidityWindowInvalid = "M006_VALIDITY_WINDOW_INVALID", Warning;
    /// Unregistered URN namespace.
    UnregisteredUrn = "M007_UNREGISTERED_URN", Info;
    /// Written for mocaVersion < 0.4.
    DigestV1Package = "M008_DIGEST_V1_PACKAGE", Info;
    /// Concept document without frontmatter.
    FrontmatterMissing = "C001_FRONTMATTER_MISSING", Error;
    /// Unparsable, not a mapping, too large, alias, unclosed.
    FrontmatterInvalid = "C002_FRONTMATTER_INVALID", Error;
    /// No non-empty type.
    TypeMissing = "C003_TYPE_MISSING", Error;
    /// Index.md / log.md rule broken.
    ReservedFileInvalid = "C004_RESERVED_FILE_INVALID", Error;
    /// Node schema miss.
    FieldInvalid = "C005_FIELD_INVALID", Warning;
    /// Evidence source id not declared.
    EvidenceSourceUnknown = "C006_EVIDENCE_SOURCE_UNKNOWN", Warning;
    /// Internal link or source path has no file.
    LinkUnresolved = "C007_LINK_UNRESOLVED", Warning;
    /// Path escapes the package.
    UnsafePath = "C008_UNSAFE_PATH", Error;
    /// Variant without default file.
    LocaleOrphan = "C009_LOCALE_ORPHAN", Warning;
    /// Node window reversed.
    NodeValidityWindowInvalid = "C010_VALIDITY_WINDOW_INVALID", Warning;
    /// Checked and not matched.
    EvidenceSelectorUnmatched = "C011_EVIDENCE_SELECTOR_UNMATCHED", Warning;
    /// Not an envelope + statement.
    AttestationMalformed = "A001_ATTESTATION_MALFORMED", Error;
    /// Does not verify or does not match.
    AttestationInvalid = "A002_ATTESTATION_INVALID", Error;
    /// No trust root / no identity for the role.
    AttestationUnverifiable = "A003_ATTESTATION_UNVERIFIABLE", Warning;
    /// Online check could not finish.
    AttestationIndeterminate = "A004_ATTESTATION_INDETERMINATE", Warning;
    /// Reviewed file changed or gone.
    ReviewOutdated = "A006_REVIEW_OUTDATED", Warning;
    /// Resolver found nothing.
    MemberUnresolved = "R001_MEMBER_UNRESOLVED", Warning;
    /// Digest differs from pin.
    MemberDigestMismatch = "R002_MEMBER_DIGEST_MISMATCH", Error;
    /// Cycle.
    MemberCycle = "R003_MEMBER_CYCLE", Error;
    /// Unknown profile.
    ProfileUnrecognised = "F001_PROFILE_UNRECOGNISED", Info;
    /// Structure/overlay not Turtle, too large, too many triples.
    OntologyUnparseable = "O001_ONTOLOGY_UNPARSEABLE", Warning;
    /// Concept used or bound but not declared.
    ConceptUndeclared = "O002_CONCEPT_UNDECLARED", Warning;
    /// Owl:imports, non-absolute IRI, prefixed name in a binding.
    RemoteReference = "O003_REMOTE_REFERENCE", Warning;
    /// Structure.json differs from derived view, or has no structure.ttl.
    StructureViewMismatch = "O004_STRUCTURE_VIEW_MISMATCH", Warning;
    /// Requires / broader / hasPart cycle.
    StructureCycle = "O005_STRUCTURE_CYCLE", Warning;
    /// Index.json invalid, missing payload.
    SidecarInvalid = "S001_SIDECAR_INVALID", Error;
    /// Other package id/version.
    SidecarTargetMismatch = "S002_SIDECAR_TARGET_MISMATCH", Error;
    /// Other digest.
    SidecarStale = "S003_SIDECAR_STALE", Warning;
    /// Payload item or vector file breaks a rule.
    SidecarItemInvalid = "S004_SIDECAR_ITEM_INVALID", Error;
    /// Unknown payload format.
    SidecarFormatUnknown = "S005_SIDECAR_FORMAT_UNKNOWN", Info;
    /// Embedder ≠ index model.
    ModelMismatch = "S006_MODEL_MISMATCH", Warning;
}

impl Code {
    /// True for the families whose errors make a package invalid: T, P, M and C.
    pub fn decides_validity(self) -> bool {
        matches!(self.as_str().as_bytes().first(), Some(b'T' | b'P' | b'M' | b'C'))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.as_str())
    }
}
