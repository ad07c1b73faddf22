//! Folders and host sources: what counts, what stops the digest, and that nothing else is read.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use moca_reader::package::ListedFile;
use moca_reader::{Code, Options, PackageSource, ReadResult, Target, digest_package, read_package};

use crate::fixture::NOW;

const MANIFEST: &str = r#"{"id":"https://example.com/c","version":"1.0.0","title":"C"}"#;
const NODE: &str = "---\ntype: Note\n---\nBody.\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [("moca.json", MANIFEST), ("content/a.md", NODE)].iter().chain(files) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn read(root: &Path) -> ReadResult {
    read_package(root, &Options::at(NOW))
}

#[track_caller]
fn assert_stopped(root: &Path, code: Code, file: &str) {
    let result = read(root);
    let expected = (code, Some(file.to_owned()));
    let found: Vec<_> = result.diagnostics.iter().map(|d| (d.code, d.file.clone())).collect();
    assert!(found.contains(&expected), "{expected:?} not in {found:?}");
    assert!(!result.valid && result.digest.is_none());
    let (digest, found) = digest_package(root, &moca_reader::Limits::default());
    assert_eq!(digest, None);
    assert!(found.iter().any(|d| d.code == code));
}

#[test]
fn hidden_entries_are_left_out_at_every_depth() {
    let plain = read(folder(&[]).path()).digest;
    let hidden = [(".git/x", "1"), ("content/.b.md", "2"), ("media/x/.y/z.txt", "3"), (".a", "4")];
    let root = folder(&hidden);
    assert_eq!(read(root.path()).digest, plain);
    assert!(plain.is_some());
}

#[test]
fn attestations_in_other_places_are_part_of_the_digest() {
    let plain = read(folder(&[]).path()).digest;
    assert_eq!(read(folder(&[("attestations/x.txt", "1")]).path()).digest, plain);
    for path in ["content/attestations/x.txt", "Attestations/x.txt", "attestations.txt"] {
        assert_ne!(read(folder(&[(path, "1")]).path()).digest, plain, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_stop_the_digest_and_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "---\ntype: Secret\n---\n").unwrap();
    let links =
        [("content/l.md", "secret.md"), ("media", ""), ("attestations/x.dsse.json", "gone")];
    for (at, to) in links {
        let root = folder(&[("attestations/y.txt", "")]);
        symlink(outside.path().join(to), root.path().join(at)).unwrap();
        assert_stopped(root.path(), Code::UnsupportedEntry, at);
        let result = read(root.path());
        assert!(result.nodes.iter().all(|node| node.path == "a.md"));
        assert!(result.file_digests.keys().all(|path| path != at));
    }
}

#[cfg(unix)]
#[test]
fn a_linked_manifest_is_no_manifest() {
    let root = folder(&[]);
    fs::rename(root.path().join("moca.json"), root.path().join("other.json")).unwrap();
    std::os::unix::fs::symlink("other.json", root.path().join("moca.json")).unwrap();
    let codes: Vec<Code> = read(root.path()).diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::UnsupportedEntry, Code::ManifestNotFound]);
}

#[cfg(unix)]
#[test]
fn sockets_and_pipes_stop_the_digest_without_being_opened() {
    let root = folder(&[]);
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("s")).unwrap();
    assert_stopped(root.path(), Code::UnsupportedEntry, "s");

    let root = folder(&[]);
    let made = std::process::Command::new("mkfifo").arg(root.path().join("media-pipe")).status();
    if made.is_ok_and(|status| status.success()) {
        assert_stopped(root.path(), Code::UnsupportedEntry, "media-pipe");
    } else {
        println!("not run: no mkfifo");
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_folders_stop_the_digest() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder(&[("media/x.bin", "x"), ("sources/s.txt", "s")]);
    let lock = |path: &str| {
        fs::set_permissions(root.path().join(path), fs::Permissions::from_mode(0o000)).unwrap();
    };
    lock("media");
    if fs::read_dir(root.path().join("media")).is_ok() {
        println!("not run: this user may read everything");
        return;
    }
    assert_stopped(root.path(), Code::UnreadableEntry, "media");
    lock("sources/s.txt");
    assert_stopped(root.path(), Code::UnreadableEntry, "sources/s.txt");
    fs::set_permissions(root.path().join("media"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// The same for a test that runs as root, which no permission stops: another user reads.
#[cfg(unix)]
#[test]
fn unreadable_files_and_folders_stop_the_digest_for_whom_they_are_closed() {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    const NOBODY: u32 = 65_534;
    let root = folder(&[("media/x.bin", "x"), ("sources/s.txt", "s")]);
    let mode = |path: &str, mode: u32| {
        fs::set_permissions(root.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(".", 0o755);
    for closed in ["media", "sources/s.txt"] {
        mode(closed, 0o000);
        let adapter = Command::new(env!("CARGO_BIN_EXE_moca-reader-adapter"))
            .uid(NOBODY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut adapter) = adapter else {
            println!("not run: this user cannot act for another one");
            return;
        };
        let case = serde_json::json!({ "root": root.path(), "case": { "target": "." } });
        adapter.stdin.take().unwrap().write_all(case.to_string().as_bytes()).unwrap();
        let output = adapter.wait_with_output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["codes"], serde_json::json!(["P002_UNREADABLE_ENTRY"]), "{closed}");
        assert!(answer["digest"].is_null(), "{closed}");
        mode(closed, 0o755);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_stop_the_digest() {
    use std::os::unix::ffi::OsStrExt;
    let root = folder(&[]);
    let name = std::ffi::OsStr::from_bytes(b"x\xff.txt");
    fs::write(root.path().join(name), "x").unwrap();
    assert_stopped(root.path(), Code::UnreadableEntry, "x\u{fffd}.txt");
}

#[test]
fn names_that_differ_by_case_or_normalisation_only_collide() {
    let pairs = [
        ("sources/A.txt", "sources/a.txt"),
        ("sources/caf\u{e9}.txt", "sources/cafe\u{301}.txt"),
        ("Sources/x", "sources/x"),
        ("attestations/X.txt", "attestations/x.txt"),
        ("\u{1e9e}", "\u{df}"),
    ];
    for (first, second) in pairs {
        let host = Host::new(&[(first, "1"), (second, "2")]);
        let result = read_package(Target::Source(Arc::new(host)), &Options::at(NOW));
        let collisions = result.diagnostics.iter().filter(|d| d.code == Code::PathCollision);
        assert_eq!(collisions.count(), 1, "{first} {second}");
        assert_eq!(result.digest, None);
    }
    let apart = Host::new(&[("A/x.md", "1"), ("a/y.md", "2")]);
    assert!(read_package(Target::Source(Arc::new(apart)), &Options::at(NOW)).digest.is_some());
}

#[test]
fn line_breaks_and_percent_signs_in_names_are_encoded_in_the_payload_manifest() {
    let host = Host::new(&[("m/a\nb", ""), ("m/a\rb", ""), ("m/a%b", ""), ("m/é", "")]);
    let result = read_package(Target::Source(Arc::new(host)), &Options::at(NOW));
    let manifest = result.payload_manifest().unwrap();
    let paths: Vec<&str> = manifest.lines().map(|line| &line[66..]).collect();
    let expected = ["content/a.md", "m/a%0Ab", "m/a%0Db", "m/a%25b", "m/é", "moca.json"];
    assert_eq!(paths, expected);
}

/// A host source that keeps count of what is opened.
struct Host {
    files: Vec<(String, String)>,
    opened: Mutex<Vec<String>>,
    endless: Option<AtomicU64>,
}

impl Host {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = [("moca.json", MANIFEST), ("content/a.md", NODE)].iter().chain(files);
        let files = files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { files, opened: Mutex::default(), endless: None }
    }
}

impl PackageSource for Host {
    fn list(&self) -> io::Result<Vec<ListedFile>> {
        let listed = |(path, _): &(String, String)| ListedFile { path: path.clone(), size: None };
        Ok(self.files.iter().map(listed).collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        self.opened.lock().unwrap().push(path.to_owned());
        if path == "media/endless" {
            return Ok(Box::new(Endless(self.endless.as_ref().unwrap())));
        }
        let file = self.files.iter().find(|(listed, _)| listed == path);
        Ok(Box::new(file.unwrap().1.as_bytes()))
    }
}

struct Endless<'a>(&'a AtomicU64);

impl Read for Endless<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.fetch_add(out.len() as u64, Ordering::Relaxed);
        Ok(out.len())
    }
}

#[test]
fn a_host_source_is_asked_for_listed_paths_only_and_once() {
    let text = "---\ntype: Note\nsources:\n  - id: s\n    resource: ../../etc/passwd\n  - id: t\n    \
                resource: ../sources/t.txt\nmoca:\n  evidence:\n    - source: t\n      selector: \
                {type: TextQuoteSelector, exact: T}\n---\n[x](../../up) [y](/none.md)\n";
    let host = Arc::new(Host::new(&[("content/b.md", text), ("sources/t.txt", "T")]));
    let result = read_package(Target::Source(host.clone()), &Options::at(NOW));
    assert!(result.diagnostics.iter().any(|d| d.code == Code::UnsafePath));
    assert_eq!(result.node("b.md").unwrap().representations[0].evidence[0].matched, Some(true));
    let mut opened = host.opened.lock().unwrap().clone();
    opened.sort();
    assert_eq!(opened, ["content/a.md", "content/b.md", "moca.json", "sources/t.txt"]);
}

#[test]
fn a_host_source_without_sizes_is_stopped_at_the_limit() {
    let mut host = Host::new(&[("media/endless", "")]);
    host.endless = Some(AtomicU64::new(0));
    let host = Arc::new(host);
    let mut options = Options::at(NOW);
    options.limits.max_bytes = 1_000_000;
    let result = read_package(Target::Source(host.clone()), &options);
    assert!(result.diagnostics.iter().any(|d| d.code == Code::ArchiveRejected));
    assert!(!result.valid && result.digest.is_none() && result.nodes.is_empty());
    assert!(host.endless.as_ref().unwrap().load(Ordering::Relaxed) < 3_000_000);
}
