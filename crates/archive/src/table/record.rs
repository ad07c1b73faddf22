//! `record`, `package`, `node`, `signer`, `review`, `relation`: distinct citation records and what they are about.

use rusqlite::{OptionalExtension, params};

use crate::{Batch, Instant, RecordId, RelationKind, Result, ReviewKind, Sha256};

statements! {
    FIND = "SELECT id FROM record WHERE sha256 = ?1";
    INSERT = "INSERT INTO record (sha256, canonical_sha256, json, valid, reasons, newer, ref_rebuilt, package_id,
        node_id, node_digest, locale, title, description, text, span_start, span_end, signed, status, stale, in_force,
        superseded, contested, stale_after, stale_after_at, valid_from, valid_from_at, valid_until, valid_until_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
        ?23, ?24, ?25, ?26, ?27, ?28)";
    FIND_PACKAGE = "SELECT id FROM package WHERE stated_id = ?1 AND version = ?2 AND digest = ?3";
    INSERT_PACKAGE = "INSERT INTO package (stated_id, version, digest) VALUES (?1, ?2, ?3)";
    FIND_NODE = "SELECT id FROM node WHERE ref = ?1 AND package_id = ?2 AND stated_id = ?3 AND path = ?4 AND type = ?5";
    INSERT_NODE = "INSERT INTO node (ref, package_id, stated_id, path, type) VALUES (?1, ?2, ?3, ?4, ?5)";
    INSERT_SIGNER = "INSERT INTO signer (record_id, number, signer) VALUES (?1, ?2, ?3)";
    INSERT_REVIEW = "INSERT INTO review (record_id, number, kind, reviewer, stated, stated_at, outcome, scope, signer)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    INSERT_RELATION = "INSERT INTO relation (record_id, number, kind, ref) VALUES (?1, ?2, ?3, ?4)";
    CLEAR = "DELETE FROM record";
    CLEAR_PACKAGES = "DELETE FROM package";
    CLEAR_NODES = "DELETE FROM node";
    CLEAR_SIGNERS = "DELETE FROM signer";
    CLEAR_REVIEWS = "DELETE FROM review";
    CLEAR_RELATIONS = "DELETE FROM relation";
}

/// A record to add: its exact bytes, and what `moca` read from them (facts/moca-reader §7).
///
/// The archive keeps the bytes; every other field is derived. Fields that an invalid record lacks stay `None`.
#[derive(Debug, Clone, Default)]
pub struct NewRecord<'a> {
    /// Exact bytes of the record as they stand in the source. They are the key.
    pub json: &'a [u8],
    /// SHA-256 of the canonical JSON, when the bytes are JSON.
    pub canonical_sha256: Option<Sha256>,
    /// Whether it keeps the rules of the citation-record schema.
    pub valid: bool,
    /// Why not, as a JSON list.
    pub reasons: Option<&'a str>,
    /// Members newer than this app knows, as a JSON list.
    pub newer: Option<&'a str>,
    /// True when the service left out `node.ref` and it was rebuilt.
    pub ref_rebuilt: bool,
    /// The package, when stated.
    pub package: Option<NewPackage<'a>>,
    /// The node, when stated; needs the package.
    pub node: Option<NewNode<'a>>,
    /// `node.digest`.
    pub node_digest: Option<&'a str>,
    /// `node.locale`, `node.title`, `node.description`.
    pub locale: Option<&'a str>,
    /// See `locale`.
    pub title: Option<&'a str>,
    /// See `locale`.
    pub description: Option<&'a str>,
    /// `text`.
    pub text: Option<&'a str>,
    /// `span`, in bytes of the node file.
    pub span: Option<(u64, u64)>,
    /// `package.signed` and `package.signers`.
    pub signed: Option<bool>,
    /// See `signed`.
    pub signers: &'a [&'a str],
    /// `trust.status` and the four flags, as the service's Reader stated them.
    pub status: Option<&'a str>,
    /// See `status`.
    pub stale: Option<bool>,
    /// See `status`.
    pub in_force: Option<bool>,
    /// See `status`.
    pub superseded: Option<bool>,
    /// See `status`.
    pub contested: Option<bool>,
    /// The dates, as text and as instants where readable.
    pub stale_after: NewStated<'a>,
    /// See `stale_after`.
    pub valid_from: NewStated<'a>,
    /// See `stale_after`.
    pub valid_until: NewStated<'a>,
    /// Attested reviews first, then declared verifications.
    pub reviews: &'a [NewReview<'a>],
    /// `supersededBy` and `contestedBy`.
    pub relations: &'a [(RelationKind, &'a str)],
}

/// A time as stated, and as an instant where it could be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewStated<'a> {
    /// The text.
    pub text: Option<&'a str>,
    /// The instant.
    pub at: Option<Instant>,
}

/// `record.package`. A missing member is the empty text.
#[derive(Debug, Clone, Copy)]
pub struct NewPackage<'a> {
    /// `id`.
    pub stated_id: &'a str,
    /// `version`.
    pub version: &'a str,
    /// `digest`.
    pub digest: &'a str,
}

/// `record.node`. A missing member is the empty text.
#[derive(Debug, Clone, Copy)]
pub struct NewNode<'a> {
    /// `ref`, stated or rebuilt.
    pub node_ref: &'a str,
    /// `id`.
    pub stated_id: &'a str,
    /// `path`.
    pub path: &'a str,
    /// `type`.
    pub node_type: &'a str,
}

/// One review or declared verification.
#[derive(Debug, Clone, Copy)]
pub struct NewReview<'a> {
    /// Attested or declared.
    pub kind: ReviewKind,
    /// `reviewer` or `by`.
    pub reviewer: &'a str,
    /// `reviewedAt` or `at`.
    pub stated: NewStated<'a>,
    /// `outcome`, `scope`, `signer` of an attested review.
    pub outcome: Option<&'a str>,
    /// See `outcome`.
    pub scope: Option<&'a str>,
    /// See `outcome`.
    pub signer: Option<&'a str>,
}

impl Batch {
    /// The record with exactly these bytes, when held. Cheaper than building a [`NewRecord`] first.
    ///
    /// # Errors
    /// Storage.
    pub fn find_record(&self, json: &[u8]) -> Result<Option<RecordId>> {
        Ok(self.statement(FIND)?.query_row([Sha256::of(json)], |row| row.get(0)).optional()?)
    }

    /// Finds the record with exactly these bytes or adds it, with its package, node, signers and reviews.
    ///
    /// # Errors
    /// Storage.
    pub fn record(&mut self, new: &NewRecord<'_>) -> Result<RecordId> {
        if let Some(held) = self.find_record(new.json)? {
            return Ok(held);
        }
        let package = new.package.map(|package| self.package(&package)).transpose()?;
        let node = match (new.node, package) {
            (Some(node), Some(package)) => Some(self.node(package, &node)?),
            _ => None,
        };
        let row = params![
            Sha256::of(new.json),
            new.canonical_sha256,
            new.json,
            new.valid,
            new.reasons,
            new.newer,
            new.ref_rebuilt,
            package,
            node,
            new.node_digest,
            new.locale,
            new.title,
            new.description,
            new.text,
            new.span.map(|span| crate::value::stored(span.0)),
            new.span.map(|span| crate::value::stored(span.1)),
            new.signed,
            new.status,
            new.stale,
            new.in_force,
            new.superseded,
            new.contested,
            new.stale_after.text,
            new.stale_after.at,
            new.valid_from.text,
            new.valid_from.at,
            new.valid_until.text,
            new.valid_until.at
        ];
        let id = self.insert(INSERT, row)?;
        self.unindexed_records.push(id);
        self.totals.records += 1;
        self.record_lists(id, new)?;
        Ok(RecordId(id))
    }

    fn record_lists(&mut self, id: i64, new: &NewRecord<'_>) -> Result<()> {
        for (number, signer) in (0_i64..).zip(new.signers) {
            self.execute(INSERT_SIGNER, params![id, number, signer])?;
        }
        for (number, review) in (0_i64..).zip(new.reviews) {
            let row = params![
                id,
                number,
                review.kind,
                review.reviewer,
                review.stated.text,
                review.stated.at,
                review.outcome,
                review.scope,
                review.signer
            ];
            self.execute(INSERT_REVIEW, row)?;
        }
        for (number, (kind, node_ref)) in (0_i64..).zip(new.relations) {
            self.execute(INSERT_RELATION, params![id, number, kind, node_ref])?;
        }
        Ok(())
    }

    fn package(&mut self, new: &NewPackage<'_>) -> Result<i64> {
        let key = [new.stated_id, new.version, new.digest];
        match self.statement(FIND_PACKAGE)?.query_row(key, |row| row.get(0)).optional()? {
            Some(id) => Ok(id),
            None => self.insert(INSERT_PACKAGE, key),
        }
    }

    fn node(&mut self, package: i64, new: &NewNode<'_>) -> Result<i64> {
        let key = params![new.node_ref, package, new.stated_id, new.path, new.node_type];
        match self.statement(FIND_NODE)?.query_row(key, |row| row.get(0)).optional()? {
            Some(id) => Ok(id),
            None => self.insert(INSERT_NODE, key),
        }
    }
}
