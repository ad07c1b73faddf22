//! `recite inspect` and `recite digest` say what the built-in Reader concludes, in words and by their exit codes.

use std::{ffi::OsStr, fs, path::Path};

use recite_tests::process::{Ended, Recite};

const MANIFEST: &str = r#"{"id":"https://example.com/p","version":"1.0.0","title":"P"}"#;

fn recite(folder: &Path, arguments: &[&str]) -> Ended {
    let recite = Recite::new(env!("CARGO_BIN_EXE_recite_under_test"), &folder.join("none.recite"));
    recite.run(&arguments.iter().map(OsStr::new).collect::<Vec<_>>())
}

fn package(folder: &Path, name: &str, node: &str) -> String {
    let package = folder.join(name);
    fs::create_dir_all(package.join("content")).unwrap();
    fs::write(package.join("moca.json"), MANIFEST).unwrap();
    fs::write(package.join("content/n.md"), node).unwrap();
    package.to_string_lossy().into_owned()
}

#[test]
fn inspect_ends_with_0_for_valid_1_for_invalid_2_for_what_it_could_not_read() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let valid = package(folder, "valid", "---\ntype: Note\n---\nText\n");
    let invalid = package(folder, "invalid", "no frontmatter\n");
    let no_manifest = folder.join("empty").to_string_lossy().into_owned();
    fs::create_dir(&no_manifest).unwrap();
    let not_a_package = folder.join("notes.txt").to_string_lossy().into_owned();
    fs::write(&not_a_package, "text").unwrap();
    let not_an_archive = folder.join("notes.moca").to_string_lossy().into_owned();
    fs::write(&not_an_archive, "text").unwrap();
    let gone = folder.join("gone").to_string_lossy().into_owned();
    for (target, code, first) in [
        (&valid, 0, None),
        (&invalid, 1, Some("C001_FRONTMATTER_MISSING")),
        (&no_manifest, 1, Some("T002_MANIFEST_NOT_FOUND")),
        (&not_a_package, 2, Some("T001_TARGET_NOT_FOUND")),
        (&not_an_archive, 2, Some("T003_ARCHIVE_REJECTED")),
        (&gone, 2, None),
    ] {
        let ended = recite(folder, &["inspect", target]);
        assert_eq!(ended.code, Some(code), "{target}: {}", ended.told);
        assert_eq!(ended.json["diagnostics"][0]["code"].as_str(), first, "{target}");
    }
    let ended = recite(folder, &["inspect", &valid]);
    let members: Vec<_> = ended.json.as_object().unwrap().keys().map(String::as_str).collect();
    let documented =
        ["target", "digest", "valid", "capabilities", "signers", "diagnostics", "records"];
    assert!(documented.iter().all(|name| members.contains(name)), "{members:?}");
    assert_eq!(members.len(), documented.len(), "{members:?}");
    assert_eq!(ended.json["records"][0]["node"]["ref"], "https://example.com/p@1.0.0#n.md");
}

#[test]
fn strict_inspection_makes_a_warning_an_error() {
    let scratch = tempfile::tempdir().unwrap();
    let node = "---\ntype: Note\nstale_after: soon\n---\n[gone](gone.md)\n";
    let target = package(scratch.path(), "warned", node);
    assert_eq!(recite(scratch.path(), &["inspect", &target]).code, Some(0));
    let strict = recite(scratch.path(), &["inspect", &target, "--strict"]);
    assert_eq!(strict.code, Some(1));
    let all = strict.json["diagnostics"].as_array().unwrap();
    assert!(all.len() == 2 && all.iter().all(|found| found["severity"] == "error"), "{all:?}");
}

#[test]
fn digest_names_every_package_and_says_which_has_none() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let target = package(folder, "valid", "---\ntype: Note\n---\nText\n");
    let inspected = recite(folder, &["inspect", &target]).json["digest"].clone();
    let ended = recite(folder, &["digest", &target, "gone"]);
    assert_eq!(ended.code, Some(1));
    let digests = ended.json["digests"].as_array().unwrap();
    assert_eq!(digests.len(), 2);
    assert_eq!((&digests[0]["target"], &digests[0]["digest"]), (&target.into(), &inspected));
    assert!(digests[1]["digest"].is_null() && digests[1]["error"]["message"].is_string());
}
