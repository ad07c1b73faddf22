//! `moca.json`: its fields and its rules (`facts/moca-reader §1.2–1.5`).

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostics};
use crate::digest::Digest;
use crate::schema::{At, Faults};
pub use crate::schema::{is_absolute_iri, is_language_tag, is_semver};
use crate::text::Text;
use crate::time::Instant;
use crate::value::Value;

/// Where a manifest is.
pub const FILE: &str = "moca.json";
/// The profile that every Reader knows.
pub const ONTOLOGY_PROFILE: &str = "https://w3id.org/moca/profiles/ontology/v1";

/// Top-level keys of the schema; any other one that is no vendor key is `M004`.
const KNOWN_KEYS: &[&str] = &[
    "$schema",
    "mocaVersion",
    "id",
    "version",
    "title",
    "description",
    "language",
    "locales",
    "license",
    "publisher",
    "validFrom",
    "validUntil",
    "members",
    "relations",
    "profiles",
];

/// URN namespaces taken as registered, the reference's list.
const URN_NAMESPACES: &[&str] =
    &["uuid", "oid", "isbn", "issn", "ietf", "publicid", "nbn", "doi", "lex", "mpeg", "iso"];

/// A parsed manifest. Fields that break the schema are absent here (and reported as `M002`);
/// `raw` holds the document as written.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// `id`; empty if missing or not a string, and then the package is invalid.
    pub id: Text,
    /// `version`; empty if missing or not a string, and then the package is invalid.
    pub version: Text,
    /// `title`; empty if missing or not a string.
    pub title: Text,
    /// `language` of the default representations.
    pub language: Option<Text>,
    /// `locales`, as spelt.
    pub locales: Vec<Text>,
    /// `validFrom`, as written.
    pub valid_from: Option<Text>,
    /// `validUntil`, as written.
    pub valid_until: Option<Text>,
    /// `members`, in order.
    pub members: Vec<MemberPin>,
    /// `relations`, in order.
    pub relations: Vec<Relation>,
    /// Keys of `profiles`, in order.
    pub profiles: Vec<Text>,
    /// The document as written.
    pub raw: Value,
}

/// One exact pin of a member package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPin {
    /// The member's package id.
    pub id: String,
    /// The member's version.
    pub version: String,
    /// The member's digest.
    pub digest: Digest,
}

/// One declared relation to another package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// `type`: `supersedes`, `conflictsWith`, `amends`, `crossReferences` or any other word.
    pub kind: String,
    /// Id of the other package.
    pub target: String,
    /// Its version; absent means every version.
    pub version: Option<String>,
}

impl Manifest {
    /// Parses strict UTF-8 JSON, one byte order mark in front allowed; `None` is `M001`.
    pub(crate) fn parse(bytes: &[u8], found: &mut Diagnostics) -> Option<Self> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        match serde_json::from_slice::<Value>(bytes) {
            Ok(raw) => Some(Self::from_value(raw)),
            Err(e) => {
                let line = u32::try_from(e.line().max(1)).unwrap_or(u32::MAX);
                found.line(Code::ManifestInvalidJson, FILE, line, e.to_string());
                None
            }
        }
    }

    fn from_value(raw: Value) -> Self {
        let text = |name: &str| raw.get(name).and_then(Value::as_text).cloned();
        let list = |name: &str| raw.get(name).and_then(Value::as_seq).unwrap_or_default();
        Self {
            id: text("id").unwrap_or_default(),
            version: text("version").unwrap_or_default(),
            title: text("title").unwrap_or_default(),
            language: text("language"),
            locales: list("locales").iter().filter_map(Value::as_text).cloned().collect(),
            valid_from: text("validFrom"),
            valid_until: text("validUntil"),
            members: list("members").iter().filter_map(MemberPin::from_value).collect(),
            relations: list("relations").iter().filter_map(Relation::from_value).collect(),
            profiles: raw
                .get("profiles")
                .and_then(Value::as_map)
                .unwrap_or_default()
                .iter()
                .map(|(uri, _)| uri.clone())
                .collect(),
            raw,
        }
    }

    /// `<id>@<version>`, the key of a package in a library and the name in its attestation.
    pub fn key(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }

    /// True if `members` names any, well-formed or not.
    pub(crate) fn has_members(&self) -> bool {
        self.raw.get("members").and_then(Value::as_seq).is_some_and(|members| !members.is_empty())
    }

    /// Checks everything that can be told from the manifest alone.
    pub(crate) fn check(&self, known_profiles: &[String], found: &mut Diagnostics) {
        let mut faults = Faults::default();
        check_schema(&self.raw, &mut faults);
        for sentence in faults.sentences {
            found.file(Code::ManifestSchema, FILE, sentence);
        }
        self.check_keys(found);
        self.check_members(found);
        self.check_window(found);
        self.check_identity(found);
        for profile in &self.profiles {
            if *profile != *ONTOLOGY_PROFILE
                && !known_profiles.iter().any(|known| *profile == *known)
            {
                let why = format!("profile {profile:?} is not known to this Reader");
                found.file(Code::ProfileUnrecognised, FILE, why);
            }
        }
    }

    fn check_keys(&self, found: &mut Diagnostics) {
        for (key, _) in self.raw.as_map().unwrap_or_default() {
            if !KNOWN_KEYS.contains(&key.as_str()) && !is_vendor_key(key) {
                found.file(Code::UnknownKey, FILE, format!("{key:?} is not a key of a manifest"));
            }
        }
    }

    fn check_members(&self, found: &mut Diagnostics) {
        let mut ids = HashSet::new();
        let members = self.raw.get("members").and_then(Value::as_seq).unwrap_or_default();
        for id in members.iter().filter_map(|member| member.get("id")?.as_str()) {
            if !ids.insert(id) {
                found.file(Code::DuplicateMember, FILE, format!("{id:?} is a member twice"));
            }
        }
    }

    fn check_window(&self, found: &mut Diagnostics) {
        let instant = |text: &Option<Text>| text.as_deref().and_then(Instant::parse);
        if let (Some(from), Some(until)) = (instant(&self.valid_from), instant(&self.valid_until))
            && until <= from
        {
            let why = "validUntil is not after validFrom";
            found.file(Code::ManifestValidityWindowInvalid, FILE, why);
        }
    }

    fn check_identity(&self, found: &mut Diagnostics) {
        let mut parts = self.id.split(':');
        if let (Some(scheme), Some(namespace), Some(_)) = (parts.next(), parts.next(), parts.next())
            && scheme.eq_ignore_ascii_case("urn")
            && !URN_NAMESPACES.iter().any(|known| known.eq_ignore_ascii_case(namespace))
        {
            let why = format!("{namespace:?} is not a registered URN namespace");
            found.file(Code::UnregisteredUrn, FILE, why);
        }
        if self.is_written_for_digest_v1() {
            let why = "written for a version whose digests were made in another way";
            found.file(Code::DigestV1Package, FILE, why);
        }
    }

    /// `mocaVersion` below 0.4; a number there breaks the schema but is still understood.
    fn is_written_for_digest_v1(&self) -> bool {
        let version = match self.raw.get("mocaVersion") {
            Some(Value::String(text)) => text.to_string(),
            Some(Value::Float(number)) => number.to_string(),
            _ => return false,
        };
        let parsed = version.split_once('.').map(|(major, minor)| (major.parse(), minor.parse()));
        matches!(parsed, Some((Ok(0_u32), Ok(0..=3_u32))))
    }
}

impl MemberPin {
    fn from_value(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        Some(Self {
            id: text("id")?.to_owned(),
            version: text("version")?.to_owned(),
            digest: text("digest")?.parse().ok()?,
        })
    }
}

impl Relation {
    fn from_value(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self { kind: text("type")?, target: text("target")?, version: text("version") })
    }
}

/// `x-<vendor>-<name>`, the vendor in lower case.
fn is_vendor_key(key: &str) -> bool {
    let Some((vendor, name)) = key.strip_prefix("x-").and_then(|rest| rest.split_once('-')) else {
        return false;
    };
    let is_vendor = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    !vendor.is_empty()
        && vendor.bytes().all(is_vendor)
        && !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn check_schema(raw: &Value, faults: &mut Faults) {
    let at = At::ROOT;
    if faults.object(raw, &at).is_none() {
        return;
    }
    faults.required(raw, &at, &["id", "version", "title"]);
    for name in ["$schema", "description", "license", "publisher"] {
        faults.optional(raw, &at, name, Faults::text);
    }
    faults.optional(raw, &at, "id", Faults::iri);
    faults.optional(raw, &at, "version", check_version);
    faults.optional(raw, &at, "title", Faults::filled_text);
    faults.optional(raw, &at, "mocaVersion", |f, v, at| {
        f.shaped(v, at, is_major_minor, "must be major.minor");
    });
    faults.optional(raw, &at, "language", check_language);
    faults.optional(raw, &at, "locales", check_locales);
    faults.optional(raw, &at, "validFrom", Faults::time);
    faults.optional(raw, &at, "validUntil", Faults::time);
    faults.optional(raw, &at, "members", |f, v, at| {
        for (i, member) in f.list(v, at).iter().enumerate() {
            check_member(f, member, &at.item(i));
        }
    });
    faults.optional(raw, &at, "relations", |f, v, at| {
        for (i, relation) in f.list(v, at).iter().enumerate() {
            check_relation(f, relation, &at.item(i));
        }
    });
    faults.optional(raw, &at, "profiles", |f, v, at| {
        for (uri, _) in v.as_map().unwrap_or_default() {
            if !is_absolute_iri(uri) {
                f.add(&at.member(uri), "must be named by an absolute IRI");
            }
        }
        f.objects(v, at);
    });
}

fn check_version(faults: &mut Faults, value: &Value, at: &At<'_>) {
    faults.shaped(value, at, is_semver, "must be a semantic version");
}

fn check_language(faults: &mut Faults, value: &Value, at: &At<'_>) {
    faults.shaped(value, at, is_language_tag, "must be a language tag");
}

fn check_locales(faults: &mut Faults, value: &Value, at: &At<'_>) {
    let mut seen = HashSet::new();
    for (i, locale) in faults.list(value, at).iter().enumerate() {
        check_language(faults, locale, &at.item(i));
        if locale.as_str().is_some_and(|tag| !seen.insert(tag)) {
            faults.add(&at.item(i), "is there twice");
        }
    }
}

fn check_member(faults: &mut Faults, member: &Value, at: &At<'_>) {
    if faults.object(member, at).is_none() {
        return;
    }
    faults.required(member, at, &["id", "version", "digest"]);
    faults.closed(member, at, &["id", "version", "digest"]);
    faults.optional(member, at, "id", Faults::iri);
    faults.optional(member, at, "version", check_version);
    faults.optional(member, at, "digest", |f, v, at| {
        let is_digest = |text: &str| text.parse::<Digest>().is_ok();
        f.shaped(v, at, is_digest, "must be sha256: and 64 lowercase hex digits");
    });
}

fn check_relation(faults: &mut Faults, relation: &Value, at: &At<'_>) {
    if faults.object(relation, at).is_none() {
        return;
    }
    faults.required(relation, at, &["type", "target"]);
    faults.closed(relation, at, &["type", "target", "version", "note"]);
    faults.optional(relation, at, "type", Faults::filled_text);
    faults.optional(relation, at, "target", Faults::iri);
    faults.optional(relation, at, "version", Faults::filled_text);
    faults.optional(relation, at, "note", Faults::text);
}

fn is_major_minor(text: &str) -> bool {
    let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}
