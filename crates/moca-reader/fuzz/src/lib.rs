//! What must hold for any bytes. One function a fuzz target; the tests of the crate run the same
//! functions over the committed corpus.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use moca_reader::attestation::TrustRoot;
use moca_reader::diagnostic::Diagnostics;
use moca_reader::evidence::{SourceKind, SourceText};
use moca_reader::library::CitationOptions;
use moca_reader::package::ListedFile;
use moca_reader::sidecar::bind_sidecar;
use moca_reader::structure::{Include, Overlay, OverlayLayer, StructureIndex};
use moca_reader::{
    Capability, Digest, Instant, Library, Limits, Options, PackageSource, ReadResult, Severity,
    Target, Value, read_package,
};

const NOW: Instant = Instant(1_790_812_800_000);
const MANIFEST: &str = r#"{"id":"https://example.com/fuzz","version":"1.0.0","title":"T","language":"en","locales":["fr"]}"#;
/// A key whose private half nobody has: nothing that verifies with it can be made.
const TRUST_ROOT: &str = r#"{"keys":[{"keyid":"k","publicKey":"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA2ZO09GIFZV7fsGTki1s/9beFYXSLi2uwm5jHW77RS5U=\n-----END PUBLIC KEY-----\n"}]}"#;

/// A `.moca` archive.
pub fn archive(data: &[u8]) {
    let options = Options { limits: small_limits(), ..options() };
    check(&read_package(Target::Archive(data.into()), &options));
}

/// `moca.json`.
pub fn manifest(data: &[u8]) {
    check(&read(&[("moca.json", data), ("content/n.md", b"---\ntype: Note\n---\n")]));
}

/// A whole node file.
pub fn node(data: &[u8]) {
    let files: [(&str, &[u8]); 4] = [
        ("moca.json", MANIFEST.as_bytes()),
        ("content/n.md", data),
        ("content/sub/index.md", data),
        ("sources/s.txt", b"Refunds take 30 days.\n"),
    ];
    check(&read(&files));
}

/// The text between the fences of a frontmatter.
pub fn frontmatter(data: &[u8]) {
    let file = [b"---\n", data, b"\n---\nBody [link](other.md)\n"].concat();
    let files: [(&str, &[u8]); 4] = [
        ("moca.json", MANIFEST.as_bytes()),
        ("content/n.md", &file),
        ("content/n.fr.md", &file),
        ("sources/s.txt", b"Refunds take 30 days.\n"),
    ];
    check(&read(&files));
}

/// An attestation file. Without the private key nothing is signed and nothing is reviewed.
pub fn attestation(data: &[u8]) {
    let files: [(&str, &[u8]); 4] = [
        ("moca.json", MANIFEST.as_bytes()),
        ("content/n.md", b"---\ntype: Note\n---\n"),
        ("attestations/a.dsse.json", data),
        ("attestations/b.sigstore.json", data),
    ];
    let result = read(&files);
    check(&result);
    assert!(result.valid && result.signers.is_empty() && result.reviews_by_file.is_empty());
}

/// A trust root document.
pub fn trust_root(data: &[u8]) {
    if let Ok(root) = TrustRoot::parse(data) {
        let _ = root.unusable_keys();
    }
}

/// A kind, a quote behind its length, and a source.
pub fn evidence(data: &[u8]) {
    let [kind, length, rest @ ..] = data else { return };
    let kinds = [SourceKind::Text, SourceKind::Markdown, SourceKind::Html, SourceKind::WebVtt];
    let kind = kinds[usize::from(*kind) % kinds.len()];
    let (quote, source) = rest.split_at(usize::from(*length).min(rest.len()));
    let source = SourceText::new(kind, source);
    let text = source.as_str();
    assert_eq!(source.code_points(), text.chars().count());
    assert_eq!(source.cues().is_some(), kind == SourceKind::WebVtt);
    let quote = String::from_utf8_lossy(quote);
    let selector = |kind: &str, name: &str, value: &str| {
        Value::map([
            ("type", kind.into()),
            ("conformsTo", "http://www.w3.org/TR/media-frags/".into()),
            (name, value.into()),
        ])
    };
    let exact = selector("TextQuoteSelector", "exact", &quote);
    let found = !quote.is_empty() && text.contains(&*quote);
    assert_eq!(source.matches(&exact), Some(found));
    let fragment = selector("FragmentSelector", "value", &quote);
    assert_eq!(source.matches(&fragment).is_some(), kind == SourceKind::WebVtt);
}

/// A Turtle file, as the package's own and as an overlay.
pub fn turtle(data: &[u8]) {
    let limits = Limits { max_triples: 5_000, ..Limits::default() };
    let files: [(&str, &[u8]); 3] = [
        ("moca.json", MANIFEST.as_bytes()),
        (
            "content/n.md",
            b"---\ntype: Note\nmoca: {concepts: [{iri: 'https://example.com/c#A'}]}\n---\n",
        ),
        ("structure.ttl", data),
    ];
    let result = read(&files);
    check(&result);
    assert!(result.valid, "structure never decides validity");
    let structure = result.structure.clone().unwrap_or_else(|| unreachable!("there is a file"));
    let view = structure.view();
    let mut library = Library::default();
    assert!(library.add(result).is_ok());
    let mut found = Diagnostics::default();
    let overlay = Overlay::parse("o", OverlayLayer::Organisation, data, &limits, &mut found);
    let index = StructureIndex::new(&library, &[overlay]);
    for concept in view.concepts.iter().take(20) {
        let iri = concept.iri.as_str();
        assert!(index.concept(iri).is_some());
        assert_eq!(index.requires(iri, false).len(), concept.requires.len());
        let all = index.requires(iri, true);
        assert!(all.iter().all(|item| item.iri != iri));
        index.narrower(iri, true);
        index.nodes(iri, Include::Both, true, NOW, &CitationOptions::default());
    }
    for sequence in view.sequences.iter().take(20) {
        assert_eq!(index.sequence(&sequence.iri).map(|s| s.len()), Some(sequence.members.len()));
    }
}

/// `index.json` in the first line, the payload behind it.
pub fn sidecar(data: &[u8]) {
    let package = read(&[
        ("moca.json", MANIFEST.as_bytes()),
        ("content/n.md", b"---\ntype: Note\n---\nalpha beta"),
    ]);
    let mut parts = data.splitn(2, |&b| b == b'\n');
    let (index, payload) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let files = Memory::of(&[
        ("index.json", index),
        ("payload/items.jsonl", payload),
        ("payload/vectors.f32", &[0; 16]),
    ]);
    let sidecar = bind_sidecar(&Target::Source(Arc::new(files)), &package, &options());
    assert_eq!(sidecar.usable(), sidecar.package().is_some());
    assert!(sidecar.usable() || (sidecar.chunks.is_empty() && !sidecar.diagnostics.is_empty()));
}

/// What every result must be.
fn check(result: &ReadResult) {
    let decided =
        |d: &&moca_reader::Diagnostic| d.severity == Severity::Error && d.code.decides_validity();
    assert_eq!(result.valid, !result.diagnostics.iter().any(|d| decided(&d)));
    assert_eq!(result.valid, result.capabilities.contains(&Capability::Core));
    if let Some(digest) = result.digest {
        assert_eq!(digest, Digest::of_files(&result.file_digests));
    }
    for representation in result.nodes.iter().flat_map(|node| &node.representations) {
        let span = &representation.span;
        assert!(span.start <= span.end && span.end <= representation.bytes().len());
    }
    if !result.valid {
        return;
    }
    let mut library = Library::default();
    assert!(library.add(result.clone()).is_ok());
    let options = CitationOptions { include_text: true, ..CitationOptions::default() };
    for record in library.citations(NOW, &options) {
        assert!(serde_json::to_vec(&record).is_ok());
        let found = library.get(&record.node.reference, NOW, &options);
        assert_eq!(found.map(|found| found.node), Some(record.node));
    }
}

fn options() -> Options {
    let trust_root = TrustRoot::parse(TRUST_ROOT.as_bytes()).ok().map(Arc::new);
    assert!(trust_root.is_some());
    Options { trust_root, ..Options::at(NOW) }
}

/// So that an archive which inflates without end ends soon.
fn small_limits() -> Limits {
    Limits { max_bytes: 4 * 1024 * 1024, max_entries: 1_000, ..Limits::default() }
}

fn read(files: &[(&str, &[u8])]) -> ReadResult {
    read_package(Target::Source(Arc::new(Memory::of(files))), &options())
}

struct Memory(BTreeMap<String, Vec<u8>>);

impl Memory {
    fn of(files: &[(&str, &[u8])]) -> Self {
        Self(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect())
    }
}

impl PackageSource for Memory {
    fn list(&self) -> io::Result<Vec<ListedFile>> {
        let listed = self.0.iter().map(|(path, bytes)| ListedFile {
            path: path.clone(),
            size: u64::try_from(bytes.len()).ok(),
        });
        Ok(listed.collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        match self.0.get(path) {
            Some(bytes) => Ok(Box::new(bytes.as_slice())),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
