//! Members: what a pin names counts only if it is exactly what was pinned.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use moca_reader::manifest::MemberPin;
use moca_reader::member::{DirectoryResolver, MemberResolver, MemberStatus};
use moca_reader::{Library, Options, ReadResult, Target};
use serde_json::{Value, json};

use crate::fixture::{NOW, Package, codes};

/// Finds packages by id and version, as they were put in.
#[derive(Default)]
struct Shelf(HashMap<(String, String), Package>);

impl Shelf {
    fn with(mut self, id: &str, version: &str, package: &Package) -> Self {
        self.0.insert((id.to_owned(), version.to_owned()), package.clone());
        self
    }

    fn read(self, package: &Package) -> ReadResult {
        package.read(&Options { member_resolver: Some(Arc::new(self)), ..Options::at(NOW) })
    }
}

impl MemberResolver for Shelf {
    fn resolve(&self, pin: &MemberPin) -> Option<Target> {
        self.0.get(&(pin.id.clone(), pin.version.clone())).map(Package::target)
    }
}

fn chapter() -> Package {
    Package::new("a:chapter", "1.0.0").node("c.md", "", "Chapter\n")
}

fn pin(id: &str, digest: &str) -> Value {
    json!({ "id": id, "version": "1.0.0", "digest": format!("sha256:{digest}") })
}

fn book(members: &[Value]) -> Package {
    Package::with_manifest(json!({ "id": "a:book", "version": "1.0.0", "members": members }))
}

fn only(result: &ReadResult) -> (MemberStatus, Vec<&'static str>) {
    assert!(result.valid, "members never decide validity");
    (result.members[0].status, codes(result))
}

#[test]
fn pinned_bytes_are_resolved_and_go_into_the_library() {
    let result = Shelf::default()
        .with("a:chapter", "1.0.0", &chapter())
        .read(&book(&[pin("a:chapter", &chapter().digest())]));
    assert_eq!(only(&result), (MemberStatus::Resolved, vec![]));
    let mut library = Library::default();
    library.add(result).unwrap();
    assert!(library.find("a:chapter@1.0.0#c.md").is_some());
}

#[test]
fn other_bytes_are_a_mismatch_and_stay_out_of_the_library() {
    let result = Shelf::default()
        .with("a:chapter", "1.0.0", &chapter().file("extra.txt", "x"))
        .read(&book(&[pin("a:chapter", &chapter().digest())]));
    assert_eq!(only(&result), (MemberStatus::Mismatch, vec!["R002"]));
    let mut library = Library::default();
    library.add(result).unwrap();
    assert!(library.find("a:chapter@1.0.0#c.md").is_none());
}

#[test]
fn pinned_digest_under_another_name_is_a_mismatch() {
    let result = Shelf::default()
        .with("a:renamed", "1.0.0", &chapter())
        .read(&book(&[pin("a:renamed", &chapter().digest())]));
    assert_eq!(only(&result), (MemberStatus::Mismatch, vec!["R002"]));
}

#[test]
fn members_are_exposed_unresolved_where_nobody_finds_them() {
    let book = book(&[pin("a:chapter", &chapter().digest())]);
    assert_eq!(only(&book.read_plainly()), (MemberStatus::Unresolved, vec![]));
    assert_eq!(only(&Shelf::default().read(&book)), (MemberStatus::Unresolved, vec!["R001"]));
}

#[test]
fn package_that_would_hold_itself_is_a_cycle() {
    let digest = chapter().digest();
    let result =
        Shelf::default().with("a:book", "1.0.0", &chapter()).read(&book(&[pin("a:book", &digest)]));
    assert_eq!(only(&result), (MemberStatus::Cycle, vec!["R003"]));
    assert!(result.members[0].result.is_none());
    let through = Package::with_manifest(
        json!({ "id": "a:part", "version": "1.0.0", "members": [pin("a:book", &digest)] }),
    );
    let result = Shelf::default()
        .with("a:part", "1.0.0", &through)
        .with("a:book", "1.0.0", &chapter())
        .read(&book(&[pin("a:part", &through.digest())]));
    assert_eq!(only(&result), (MemberStatus::Cycle, vec!["R003"]));
}

#[test]
fn members_that_share_members_are_not_read_without_end() {
    // 24 levels of two members each, all of which have the same two members below them.
    let mut shelf = Shelf::default();
    let mut below: Vec<Value> = Vec::new();
    for level in 0..24 {
        let mut here = Vec::new();
        for side in ["l", "r"] {
            let id = format!("a:{side}{level}");
            let manifest = json!({ "id": id, "version": "1.0.0", "members": below });
            let package = Package::with_manifest(manifest).node("n.md", "", "N\n");
            here.push(pin(&id, &package.digest()));
            shelf = shelf.with(&id, "1.0.0", &package);
        }
        below = here;
    }
    let result = shelf.read(&book(&below));
    assert!(result.valid);
}

#[test]
fn directory_resolver_looks_into_folders_and_right_below() {
    let shelf = tempfile::tempdir().unwrap();
    let write = |folder: &str, version: &str| {
        let folder = shelf.path().join(folder);
        fs::create_dir_all(folder.join("content")).unwrap();
        let manifest = json!({ "id": "a:chapter", "version": version, "title": "T" });
        fs::write(folder.join("moca.json"), manifest.to_string()).unwrap();
        fs::write(folder.join("content/c.md"), "---\ntype: Note\n---\nC\n").unwrap();
    };
    write("one", "1.0.0");
    write("two", "2.0.0");
    write("deep/three", "3.0.0");
    fs::create_dir(shelf.path().join("empty")).unwrap();
    fs::write(shelf.path().join("file"), "x").unwrap();
    let resolver = DirectoryResolver::new([shelf.path()]).unwrap();
    let found = |version: &str| {
        let digest = format!("sha256:{}", "0".repeat(64)).parse().unwrap();
        resolver.resolve(&MemberPin {
            id: "a:chapter".to_owned(),
            version: version.to_owned(),
            digest,
        })
    };
    let folder = |target: Option<Target>| match target {
        Some(Target::Path(path)) => Some(path.file_name().unwrap().to_str().unwrap().to_owned()),
        _ => None,
    };
    assert_eq!(folder(found("1.0.0")).as_deref(), Some("one"));
    assert_eq!(folder(found("2.0.0")).as_deref(), Some("two"));
    assert_eq!(folder(found("3.0.0")), None);
    assert!(DirectoryResolver::new([shelf.path().join("gone")]).is_err());
    let itself = DirectoryResolver::new([shelf.path().join("one")]).unwrap();
    let pinned = MemberPin {
        id: "a:chapter".to_owned(),
        version: "1.0.0".to_owned(),
        digest: format!("sha256:{}", "0".repeat(64)).parse().unwrap(),
    };
    assert!(itself.resolve(&pinned).is_some());
}
