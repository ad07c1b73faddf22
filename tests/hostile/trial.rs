//! A bad source among good ones: what is said of it, and that nothing else is lost by it.

use std::{fs, path::PathBuf};

use app::contract::{Commands, ConversationQuery, FindingQuery, ImportStatus, ImportedSource};
use archive::{Archive, Mode, Sha256};
use recite_tests::{generate, scratch::Scratch};

/// Characters of an answer that a snapshot shows.
const SHOWN: usize = 60;

/// Runs of each good recording.
const GOOD_RUNS: u32 = 2;

/// An archive into which a bad source comes between two good ones.
pub(crate) struct Trial {
    pub(crate) scratch: Scratch,
    good: [PathBuf; 2],
}

impl Trial {
    pub(crate) fn new() -> Self {
        let scratch = Scratch::new();
        let good = [("first-good.jsonl", 21), ("second-good.jsonl", 22)].map(|(name, seed)| {
            let path = scratch.path(name);
            fs::write(&path, generate::recording(GOOD_RUNS.into(), seed)).unwrap();
            path
        });
        Self { scratch, good }
    }

    /// What is said of a file with these bytes.
    pub(crate) fn of_bytes(name: &str, bytes: &[u8]) -> String {
        let trial = Self::new();
        let path = trial.scratch.path(name);
        fs::write(&path, bytes).unwrap();
        trial.of(&path)
    }

    /// What is said of a recording that has this line in the midst of an answer.
    pub(crate) fn of_line(line: &[u8]) -> String {
        Self::of_bytes("bad.jsonl", &around(line))
    }

    /// What is said of this path, imported between the good ones.
    pub(crate) fn of(&self, bad: &std::path::Path) -> String {
        let summary = self.scratch.import_all(&[&self.good[0], bad, &self.good[1]]);
        let [first, bad @ .., last] = summary.sources.as_slice() else { panic!("{summary:?}") };
        for good in [first, last] {
            assert_eq!((good.status, good.new_runs), (ImportStatus::Added, GOOD_RUNS), "{good:?}");
        }
        let report = self.scratch.app.verify_now().unwrap();
        assert!(report.sound, "{:?}", report.damage);
        if bad.iter().all(|bad| bad.status == ImportStatus::Refused) {
            assert_eq!(
                self.content_hash(),
                self.content_hash_of_good(),
                "a refused source leaves nothing behind"
            );
        }
        let told: Vec<String> = bad.iter().map(|bad| self.told(bad)).collect();
        told.join("\n")
    }

    fn told(&self, source: &ImportedSource) -> String {
        let folder = self.scratch.path("");
        let folder = folder.to_string_lossy();
        let mut told = match (&source.error, source.status) {
            (Some(failure), _) => {
                let hint = failure
                    .hint
                    .as_deref()
                    .map(|hint| format!("\n  hint: {hint}"))
                    .unwrap_or_default();
                format!("refused: {}{hint}", failure.message)
            }
            (None, status) => format!(
                "{status:?}, {}: {} events, {} runs, {} messages, {} citations",
                source.format.as_deref().unwrap_or("no format"),
                source.events,
                source.runs,
                source.messages,
                source.citations
            ),
        };
        for id in &source.conversation_ids {
            for run in self
                .scratch
                .app
                .report(id)
                .map(|report| serde_json::to_value(report).unwrap())
                .unwrap()["runs"]
                .as_array()
                .unwrap()
            {
                for message in run["messages"].as_array().unwrap() {
                    let text: String =
                        message["text"].as_str().unwrap().chars().take(SHOWN).collect();
                    told.push_str(&format!(
                        "\n  {}, {}: {text:?}",
                        run["ending"].as_str().unwrap(),
                        message["role"].as_str().unwrap()
                    ));
                }
            }
        }
        let name = std::path::Path::new(&source.path)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let found = self.scratch.app.list_findings(FindingQuery::default()).unwrap();
        for finding in
            found.findings.iter().rev().filter(|found| found.recording_name.as_ref() == Some(&name))
        {
            told.push_str(&format!(
                "\n  {} {}: {}",
                finding.severity, finding.code, finding.message
            ));
        }
        told.replace(folder.trim_end_matches('/'), "[folder]")
    }

    fn content_hash(&self) -> Sha256 {
        content_hash(&self.scratch)
    }

    fn content_hash_of_good(&self) -> Sha256 {
        let other = Scratch::new();
        let _ = other.import_all(&[&self.good[0], &self.good[1]]);
        content_hash(&other)
    }
}

/// The hash over everything that an archive holds.
pub(crate) fn content_hash(scratch: &Scratch) -> Sha256 {
    let archive = Archive::open(&scratch.archive(), Mode::ReadOnly).unwrap();
    archive.reader().unwrap().content_hash().unwrap()
}

/// Conversations of an archive, at most a page of them.
pub(crate) fn conversations(scratch: &Scratch) -> usize {
    scratch.app.list_conversations(ConversationQuery::default()).unwrap().conversations.len()
}

/// A recording of two runs; the line stands in the midst of the first one's answer.
pub(crate) fn around(line: &[u8]) -> Vec<u8> {
    const BEFORE: &[u8] = br#"{"type":"RUN_STARTED","threadId":"thread","runId":"first"}
{"type":"TEXT_MESSAGE_START","messageId":"answer","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"Before, "}
"#;
    const AFTER: &[u8] = br#"
{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":"after."}
{"type":"TEXT_MESSAGE_END","messageId":"answer"}
{"type":"RUN_FINISHED","threadId":"thread","runId":"first"}
{"type":"RUN_STARTED","threadId":"thread","runId":"second"}
{"type":"TEXT_MESSAGE_START","messageId":"other","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"other","delta":"Untouched."}
{"type":"TEXT_MESSAGE_END","messageId":"other"}
{"type":"RUN_FINISHED","threadId":"thread","runId":"second"}
"#;
    [BEFORE, line, AFTER].concat()
}
