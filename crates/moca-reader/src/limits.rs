//! Bounds on what a package may make this Reader do (`facts/moca-reader §3.6`).

/// Every bound, with the contract's default; set a field to override it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Entries of an archive or host source, hidden ones and folders included; more is `T003`.
    pub max_entries: usize,
    /// Bytes of all entries of an archive or host source, uncompressed; more is `T003`. Counted
    /// on what is really read too, so an archive that declares less than it holds ends here.
    pub max_bytes: u64,
    /// Bytes of one frontmatter block; more is `C002`.
    pub max_frontmatter_bytes: usize,
    /// Nested collections in a frontmatter; deeper is `C002`.
    pub max_frontmatter_depth: usize,
    /// Bytes of `moca.json`; more is `M001`.
    pub max_manifest_bytes: u64,
    /// Bytes of `structure.ttl` or of an overlay; more is `O001`.
    pub max_structure_bytes: u64,
    /// Triples of `structure.ttl` or of an overlay; more is `O001`.
    pub max_triples: usize,
    /// Evidence entries checked a representation; later ones stay without `matched`.
    pub max_evidence_per_node: usize,
    /// Bytes of a source file that evidence is checked against; larger ones are not checked.
    pub max_source_bytes_checked: u64,
    /// Bytes of source text searched for evidence in all, a source counted once an entry; entries
    /// beyond it, in the order of their source files, stay unchecked.
    pub max_evidence_scan_bytes: u64,
    /// Bytes of one file under `content/` that is a node; larger is `C002`.
    pub max_node_bytes: u64,
    /// Bytes of one attestation file; more is `A001`.
    pub max_attestation_bytes: u64,
    /// Packages below one another through members; deeper ones stay unresolved.
    pub max_member_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_entries: 20_000,
            max_bytes: 512 * 1024 * 1024,
            max_frontmatter_bytes: 64 * 1024,
            max_frontmatter_depth: 100,
            max_manifest_bytes: 16 * 1024 * 1024,
            max_structure_bytes: 4 * 1024 * 1024,
            max_triples: 100_000,
            max_evidence_per_node: 256,
            max_source_bytes_checked: 8 * 1024 * 1024,
            max_evidence_scan_bytes: 64 * 1024 * 1024 * 1024,
            max_node_bytes: 64 * 1024 * 1024,
            max_attestation_bytes: 4 * 1024 * 1024,
            max_member_depth: 32,
        }
    }
}
