//! Odd packages, laid out in a scratch folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use moca_reader::attestation::TrustRoot;
use moca_reader::member::DirectoryResolver;
use moca_reader::{CitationOptions, Library, Options, ReadResult, read_package};
use serde_json::{Value, json};

use super::decisions::{Decision, decided};
use super::{
    conclusions, corpus_folder, differences, instant, json_file, json_files, limits, normalise,
    records,
};

#[test]
fn every_edge_package_reads_as_in_the_reference_or_as_decided() {
    let Some(corpus) = corpus_folder() else { return };
    let mut failures = Vec::new();
    let mut used = BTreeMap::new();
    for file in json_files(&corpus.join("expected/edge")) {
        let group = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let edge = Edge::lay_out(&json_file(&file));
        for package in edge.document["packages"].as_array().unwrap() {
            edge.check_package(&group, package, &mut used, &mut failures);
        }
        for (i, set) in edge.document["sets"].as_array().into_iter().flatten().enumerate() {
            edge.check_set(&format!("{group}/set-{i}"), set, &mut used, &mut failures);
        }
    }
    for decision in super::decisions::ALL {
        if !used.contains_key(decision.subject) {
            failures.push(format!("decided but not different: {}", decision.subject));
        }
    }
    assert!(failures.is_empty(), "{} differences\n{}", failures.len(), failures.join("\n"));
}

type Used = BTreeMap<&'static str, ()>;

struct Edge {
    document: Value,
    scratch: tempfile::TempDir,
    results: BTreeMap<String, ReadResult>,
}

impl Edge {
    fn lay_out(document: &Value) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let shared = document["shared"]["files"].as_array().cloned().unwrap_or_default();
        let mut laid_out = Vec::new();
        for package in document["packages"].as_array().unwrap() {
            let files = package["files"].as_array().cloned().unwrap_or_default();
            let before = if package["sharedFiles"] == true { shared.clone() } else { Vec::new() };
            if lay_out(&path_of(scratch.path(), package), package, before.iter().chain(&files)) {
                laid_out.push(package);
            }
        }
        let mut edge = Self { document: document.clone(), scratch, results: BTreeMap::new() };
        for package in laid_out {
            let name = package["name"].as_str().unwrap();
            let Some(options) = edge.options(package) else { continue };
            let result = read_package(path_of(edge.scratch.path(), package), &options);
            edge.results.insert(name.to_owned(), result);
        }
        edge
    }

    /// `None` where the trust root is refused, which the reference throws for.
    fn options(&self, package: &Value) -> Option<Options> {
        let given = &package["options"];
        let mut options = Options::at(instant(&self.document["now"]));
        options.limits = limits(&given["limits"]);
        options.strict = given["strict"] == true;
        let trust_root = match &given["trustRoot"] {
            Value::String(_) => &self.document["shared"]["trustRoot"],
            other => other,
        };
        if !trust_root.is_null() {
            let parsed = TrustRoot::parse(trust_root.to_string().as_bytes());
            if package["conclusions"]["throws"].is_string() && parsed.is_err() {
                return None;
            }
            options = options.trusting(parsed.unwrap());
        }
        if let Some(folders) = given["members"].as_array() {
            let folders = folders.iter().map(|f| self.scratch.path().join(f.as_str().unwrap()));
            options = options.with_members(DirectoryResolver::new(folders).unwrap());
        }
        Some(options)
    }

    fn check_package(
        &self,
        group: &str,
        package: &Value,
        used: &mut Used,
        failures: &mut Vec<String>,
    ) {
        let name = package["name"].as_str().unwrap();
        let subject = format!("{group}/{name}");
        let Some(result) = self.results.get(name) else {
            println!(
                "not run: {subject} (this file system cannot hold it, or a refused trust root)"
            );
            return;
        };
        if package["conclusions"]["throws"].is_string() {
            // The contract wants a result with diagnostics where the reference throws.
            if result.diagnostics.is_empty() {
                let what = "the reference throws, nothing is reported here".to_owned();
                judge(&subject, &BTreeMap::from([("/throws".to_owned(), what)]), used, failures);
            }
            return;
        }
        let now = instant(&self.document["now"]);
        let mut actual = conclusions(result);
        let mut expected = normalise(&package["conclusions"]);
        actual["records"] = records(result, now, None);
        expected["records"] = package["records"].clone();
        if let Some(locales) = package["recordsByLocale"].as_object() {
            let by_locale = |locale: &String| (locale.clone(), records(result, now, Some(locale)));
            actual["recordsByLocale"] = Value::Object(locales.keys().map(by_locale).collect());
            expected["recordsByLocale"] = package["recordsByLocale"].clone();
        }
        judge(&subject, &differences(&expected, &actual), used, failures);
    }

    fn check_set(&self, subject: &str, set: &Value, used: &mut Used, failures: &mut Vec<String>) {
        let now = instant(&set["now"]);
        let mut library = Library::new();
        let mut refused = Vec::new();
        for name in set["load"].as_array().unwrap() {
            let Some(result) = self.results.get(name.as_str().unwrap()) else { return };
            if let Err(e) = library.add(result.clone()) {
                refused.push(e);
            }
        }
        let options = CitationOptions::with_text();
        let all: Vec<_> = library.citations(now, &options).collect();
        let mut expected = json!({});
        let mut actual = json!({});
        if set["records"].is_array() {
            expected["records"] = set["records"].clone();
            actual["records"] = json!(all);
        }
        for (path, trust) in set["trust"].as_object().into_iter().flatten() {
            let record = all.iter().find(|record| record.node.path == *path);
            for (name, expected_value) in trust.as_object().unwrap() {
                let value = record.map_or(Value::Null, |r| json!(r)["trust"][name].clone());
                expected[format!("{path}:{name}")] = expected_value.clone();
                actual[format!("{path}:{name}")] = value;
            }
        }
        for get in set["gets"].as_array().into_iter().flatten() {
            let reference = get["ref"].as_str().unwrap();
            expected[reference] = get["record"].clone();
            actual[reference] = json!(library.get(reference, now, &options));
        }
        judge(subject, &differences(&expected, &actual), used, failures);
    }
}

fn judge(
    subject: &str,
    differences: &BTreeMap<String, String>,
    used: &mut Used,
    failures: &mut Vec<String>,
) {
    for (at, what) in differences {
        match decided(subject, at) {
            Some(Decision { subject, .. }) => {
                used.insert(subject, ());
            }
            None => failures.push(format!("{subject}{at}: {what}")),
        }
    }
}

fn path_of(scratch: &Path, package: &Value) -> PathBuf {
    let name = package["name"].as_str().unwrap();
    let suffix = if package["carrier"] == "archive" { ".moca" } else { "" };
    scratch.join(format!("{name}{suffix}"))
}

/// False where the file system cannot hold what the package needs.
fn lay_out<'a>(root: &Path, package: &Value, files: impl Iterator<Item = &'a Value>) -> bool {
    if let Some(archive) = package["archiveBase64"].as_str() {
        fs::write(root, STANDARD.decode(archive).unwrap()).unwrap();
        return true;
    }
    let mut wanted = 0;
    for file in files {
        let path = root.join(file["path"].as_str().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if file["directory"] == true {
            fs::create_dir_all(&path).unwrap();
            continue;
        }
        if path.symlink_metadata().is_ok() && fs::remove_file(&path).is_err() {
            return false;
        }
        wanted += 1;
        let written = match (&file["symlink"], &file["base64"]) {
            (Value::String(target), _) => symlink(target, &path),
            (_, Value::String(bytes)) => fs::write(&path, STANDARD.decode(bytes).unwrap()),
            _ => fs::write(&path, file["text"].as_str().unwrap()),
        };
        if written.is_err() {
            return false;
        }
    }
    count(root) == wanted
}

fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| if e.file_type().unwrap().is_dir() { count(&e.path()) } else { 1 }).sum()
}

#[cfg(unix)]
fn symlink(target: &str, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
