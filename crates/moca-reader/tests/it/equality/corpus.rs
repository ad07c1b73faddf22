//! The packages of the corpus, alone and loaded together.

use std::path::Path;

use moca_reader::attestation::TrustRoot;
use moca_reader::member::DirectoryResolver;
use moca_reader::search::passes_default_policy;
use moca_reader::{CitationOptions, Library, Options, ReadResult, read_package};
use serde_json::{Map, Value, json};

use super::{
    conclusions, corpus_folder, differences, instant, json_file, json_files, limits, normalise,
    records,
};

#[test]
fn every_package_of_the_corpus_reads_as_in_the_reference() {
    let Some(corpus) = corpus_folder() else { return };
    let mut failures = Vec::new();
    let files = json_files(&corpus.join("expected"));
    for file in &files {
        let expected = json_file(file);
        let now = instant(&expected["now"]);
        let result = read(&corpus, &expected, &expected["now"]);
        let mut actual = conclusions(&result);
        actual["records"] = records(&result, now, None);
        if let Some(locales) = expected["recordsByLocale"].as_object() {
            let by_locale = |locale: &String| (locale.clone(), records(&result, now, Some(locale)));
            actual["recordsByLocale"] = Value::Object(locales.keys().map(by_locale).collect());
        }
        let mut expected = normalise(&expected);
        for input in ["target", "trustRoot", "members", "limits", "now"] {
            expected.as_object_mut().unwrap().remove(input);
        }
        for (at, what) in differences(&expected, &actual) {
            failures.push(format!("{}{at}: {what}", file.file_stem().unwrap().display()));
        }
    }
    println!("{} files compared", files.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn packages_loaded_together_stand_as_in_the_reference() {
    let Some(corpus) = corpus_folder() else { return };
    let mut failures = Vec::new();
    let files = json_files(&corpus.join("expected/sets"));
    for file in &files {
        let expected = json_file(file);
        let now = instant(&expected["now"]);
        let mut library = Library::new();
        for package in expected["packages"].as_array().unwrap() {
            let result = read(&corpus, package, &expected["now"]);
            if result.valid {
                library.add(result).unwrap();
            }
        }
        let actual = together(&library, now, &expected);
        let mut expected = normalise(&expected);
        for input in ["about", "packages", "now"] {
            expected.as_object_mut().unwrap().remove(input);
        }
        for (at, what) in differences(&expected, &actual) {
            failures.push(format!("{}{at}: {what}", file.file_stem().unwrap().display()));
        }
    }
    println!("{} sets compared", files.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn together(library: &Library, now: moca_reader::Instant, expected: &Value) -> Value {
    let options = CitationOptions::with_text();
    let all: Vec<_> = library.citations(now, &options).collect();
    let loaded = library.packages().iter().map(|package| {
        let manifest = package.manifest.as_ref().unwrap();
        json!({ "id": manifest.id, "version": manifest.version, "digest": package.digest })
    });
    let by_package = |names: fn(&moca_reader::CitationRecord) -> &Vec<moca_reader::Text>| {
        let mut out = Map::new();
        for record in all.iter().filter(|record| !names(record).is_empty()) {
            let key = format!("{}@{}", record.package.id, record.package.version);
            out.insert(key, json!(names(record)));
        }
        out
    };
    let policy: Map<String, Value> = (all.iter())
        .map(|record| (record.node.reference.clone(), json!(passes_default_policy(record))))
        .collect();
    let gets = expected["gets"].as_array().into_iter().flatten().map(|get| {
        let mut get = get.clone();
        let locale = get["locale"].as_str().map(str::to_owned);
        let options = CitationOptions { locale, include_text: true };
        get["record"] = json!(library.get(get["ref"].as_str().unwrap(), now, &options));
        get
    });
    json!({
        "loaded": loaded.collect::<Vec<_>>(),
        "superseded": by_package(|record| &record.trust.superseded_by),
        "contested": by_package(|record| &record.trust.contested_by),
        "records": all,
        "passesDefaultPolicy": policy,
        "gets": gets.collect::<Vec<_>>(),
    })
}

fn read(corpus: &Path, input: &Value, now: &Value) -> ReadResult {
    let mut options = Options::at(instant(now));
    options.limits = limits(&input["limits"]);
    if let Some(path) = input["trustRoot"].as_str() {
        let trust_root = std::fs::read(corpus.join(path)).unwrap();
        options = options.trusting(TrustRoot::parse(&trust_root).unwrap());
    }
    if let Some(folders) = input["members"].as_array() {
        let folders = folders.iter().map(|folder| corpus.join(folder.as_str().unwrap()));
        options = options.with_members(DirectoryResolver::new(folders).unwrap());
    }
    read_package(corpus.join(input["target"].as_str().unwrap()), &options)
}
