//! Names of the field: package ids, versions, node paths, node refs, digests, byte spans.

use std::fmt;

/// Why a text is not the name it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Not `sha256:` and 64 lower-case hexadecimal digits (`facts/moca-reader §7.1`).
    #[error("not “sha256:” followed by 64 lower-case hexadecimal digits")]
    Digest,
    /// Not `<package id>@<version>#<path>` with all three parts (`seed §3`).
    #[error("not of the form <package id>@<version>#<path>")]
    NodeRef,
}

macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Takes the text as it stands; the record schema asks no more of it than to be a string.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text as received.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_name! {
    /// The `id` of a package: a name, never an address to fetch (`facts/moca-reader §10.1`).
    PackageId
}
text_name! {
    /// The `version` of a package; compared as text, never as a range (`facts/moca-reader §5.3`).
    Version
}
text_name! {
    /// The path of a node inside its package (`facts/moca-reader §2.5`).
    NodePath
}

/// A SHA-256 digest as MOCA writes it: `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(String);

impl Digest {
    const PREFIX: &str = "sha256:";

    /// Reads a digest.
    ///
    /// # Errors
    /// [`NameError::Digest`] for anything that the schema's pattern refuses, capitals included.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let hex = text.strip_prefix(Self::PREFIX).ok_or(NameError::Digest)?;
        let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if hex.len() == 64 && hex.bytes().all(lower_hex) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameError::Digest)
        }
    }

    /// The whole text, prefix included.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The 64 hexadecimal digits.
    #[must_use]
    pub fn hex(&self) -> &str {
        &self.0[Self::PREFIX.len()..]
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A versioned node reference `<package id>@<version>#<path>` (`seed §3`).
///
/// Split at the last `#`, then at the last `@` before it: package ids are IRIs and may hold both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    text: String,
    at: usize,
    hash: usize,
}

impl NodeRef {
    /// Reads a reference.
    ///
    /// # Errors
    /// [`NameError::NodeRef`] when id, version or path is missing or empty.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let hash = text.rfind('#').ok_or(NameError::NodeRef)?;
        let at = text[..hash].rfind('@').ok_or(NameError::NodeRef)?;
        if at == 0 || at + 1 == hash || hash + 1 == text.len() {
            return Err(NameError::NodeRef);
        }
        Ok(Self { text: text.to_owned(), at, hash })
    }

    /// Rebuilds the reference that a record of an older service lacks (`facts/moca-reader §7.1`).
    ///
    /// # Errors
    /// [`NameError::NodeRef`] when a part is empty or would be split elsewhere when read back.
    pub fn from_parts(
        id: &PackageId,
        version: &Version,
        path: &NodePath,
    ) -> Result<Self, NameError> {
        let built = Self::parse(&format!("{id}@{version}#{path}"))?;
        let same = built.package_id() == id.as_str()
            && built.version() == version.as_str()
            && built.path() == path.as_str();
        if same { Ok(built) } else { Err(NameError::NodeRef) }
    }

    /// The whole reference as received.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The package id in it.
    #[must_use]
    pub fn package_id(&self) -> &str {
        &self.text[..self.at]
    }

    /// The package version in it.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.text[self.at + 1..self.hash]
    }

    /// The node path in it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.text[self.hash + 1..]
    }
}

impl fmt::Display for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A half-open range of UTF-8 bytes of a node's file (`facts/moca-reader §7.1`).
///
/// As the record says it; `end` may lie before `start`, which is a finding of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}
