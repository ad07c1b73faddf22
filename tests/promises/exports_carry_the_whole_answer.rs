//! An export stands alone: every answer with its sources, what they say and rest on, and the recordings it was read from.

use std::path::PathBuf;

use app::contract::{Commands, ConversationQuery, ErrorKind, ExportFormat};
use app::report::Report;
use recite_tests::scratch::Scratch;

fn sample() -> Scratch {
    let folder = recite_tests::fixture("sample/recordings");
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let scratch = Scratch::new();
    let _ = scratch.import_all(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    scratch
}

fn ids(scratch: &Scratch) -> Vec<String> {
    let page = scratch.app.list_conversations(ConversationQuery::default()).unwrap();
    page.conversations.into_iter().map(|row| row.id).collect()
}

fn export(scratch: &Scratch, id: &str, format: ExportFormat) -> String {
    let mut out = Vec::new();
    scratch.app.export_to(id, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Letters and digits only: what remains of a text whatever a format escapes or breaks.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The words between tags, without signs that HTML spells out.
fn words(html: &str) -> String {
    let text: String = html
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect();
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
        .iter()
        .fold(text, |text, sign| text.replace(sign, ""))
}

fn each_report(check: impl Fn(&Report, &str, &str)) {
    let scratch = sample();
    let all = ids(&scratch);
    assert_eq!(all.len(), 17);
    for id in &all {
        let report = scratch.app.report(id).unwrap();
        let markdown = export(&scratch, id, ExportFormat::Markdown);
        check(&report, &markdown, &export(&scratch, id, ExportFormat::Html));
    }
}

#[test]
fn texts_evidence_and_digests_are_there() {
    each_report(|report, markdown, html| {
        let (in_markdown, in_html) = (letters(markdown), letters(&words(html)));
        let has = |text: &str| {
            assert!(in_markdown.contains(&letters(text)), "Markdown lacks {text}");
            assert!(in_html.contains(&letters(text)), "HTML lacks {text}");
        };
        assert!(!report.recordings.is_empty());
        report.recordings.iter().for_each(|recording| has(&recording.sha256));
        for citations in
            report.runs.iter().flat_map(|run| &run.messages).filter_map(|m| m.citations.as_ref())
        {
            for item in &citations.items {
                item.text.iter().flat_map(|text| text.split_whitespace()).for_each(has);
                item.record_sha256.iter().for_each(|sha256| has(sha256));
            }
            citations.others.iter().for_each(|other| has(&other.title));
        }
    });
}

#[test]
fn every_marker_of_an_html_file_leads_to_a_source_of_it() {
    let mut led = 0;
    let scratch = sample();
    for id in ids(&scratch) {
        let html = export(&scratch, &id, ExportFormat::Html);
        for target in html.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert_eq!(html.matches(&format!("id=\"{target}\"")).count(), 1, "{target}");
            led += 1;
        }
    }
    assert!(led > 20, "{led} markers");
}

#[test]
fn a_conversation_without_events_is_not_exported_as_events() {
    let scratch = Scratch::new();
    let told = scratch.import_bytes("messages.json", br#"[{"id":"1","role":"user","content":"Hello"},{"id":"2","role":"assistant","content":"Hi"}]"#);
    for format in [ExportFormat::Events, ExportFormat::AguiJsonl] {
        let mut out = Vec::new();
        let failure =
            scratch.app.export_to(&told.conversation_ids[0], format, &mut out).unwrap_err();
        assert_eq!(failure.kind, ErrorKind::BadInput);
        assert!(out.is_empty());
    }
}
