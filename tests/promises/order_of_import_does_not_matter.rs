//! R21: whatever the order in which files are imported, at once or one by one, an archive comes to the same rows.
//!
//! 40 sets of three or four files that overlap, contradict and continue each other, each in four orders, once more at
//! once and once more by a rebuild: 240 archives. What chunks of bytes do has tests of its own.

use app::contract::{Commands, ConversationQuery};
use archive::{Archive, Mode, Sha256};
use recite_tests::{generate::Random, scratch::Scratch};
use serde_json::json;

/// Sets of files.
const SETS: u64 = 40;

/// Orders of a set that are tried beside the first.
const ORDERS: usize = 3;

/// A run as a file may hold it.
#[derive(Clone, Default)]
struct Run {
    thread: &'static str,
    number: u64,
    parent: Option<u64>,
    /// Numbers of the runs whose question and answer the request repeats.
    history: Vec<u64>,
    /// Distinguishes recordings of a run that say different things.
    variant: u64,
    timed: bool,
    /// Written with its request, as a recorder does; else the event that starts it repeats the request.
    recorded: bool,
}

impl Run {
    fn text(&self) -> String {
        let Self { thread, number, .. } = self;
        let (run, answer) = (format!("r{number}"), format!("a{number}"));
        let said = format!("Answer {number} in version {}", self.variant);
        let mut messages = Vec::new();
        for before in &self.history {
            messages.push(json!({ "id": format!("q{before}"), "role": "user", "content": format!("Question {before}") }));
            messages.push(json!({ "id": format!("a{before}"), "role": "assistant", "content": format!("Answer {before} in version 0") }));
        }
        messages.push(json!({ "id": format!("q{number}"), "role": "user", "content": format!("Question {number}") }));
        let input = json!({ "threadId": thread, "runId": run, "messages": messages });
        let mut started = json!({ "type": "RUN_STARTED", "threadId": thread, "runId": run });
        if !self.recorded {
            started["input"] = input.clone();
        }
        if let Some(parent) = self.parent {
            started["parentRunId"] = format!("r{parent}").into();
        }
        if self.timed {
            started["timestamp"] = (1_780_000_000_000_u64 + number * 60_000).into();
        }
        let events = [
            started,
            json!({ "type": "TEXT_MESSAGE_START", "messageId": answer, "role": "assistant" }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": answer, "delta": said }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": answer }),
            json!({ "type": "RUN_FINISHED", "threadId": thread, "runId": run }),
        ];
        if !self.recorded {
            return events.iter().map(|event| format!("{event}\n")).collect();
        }
        let connection = format!("{thread}-{number}-{}", self.variant);
        let request = json!({ "kind": "request", "connId": connection, "input": input });
        let wrapped = events
            .iter()
            .map(|event| json!({ "kind": "event", "connId": connection, "event": event }));
        std::iter::once(request).chain(wrapped).map(|line| format!("{line}\n")).collect()
    }
}

fn by_chance(random: &mut Random) -> Vec<(String, String)> {
    let (timed, recorded) = (random.below(2) == 0, random.below(2) == 0);
    let files = 3 + random.below(2);
    (0..files)
        .map(|file| {
            let mut text = String::new();
            for _ in 0..1 + random.below(3) {
                let number = random.below(5);
                let run = Run {
                    thread: if random.below(4) == 0 { "u" } else { "t" },
                    number,
                    parent: number.checked_sub(1).filter(|_| random.below(2) == 0),
                    history: (0..number).filter(|_| random.below(3) == 0).collect(),
                    variant: u64::from(random.below(5) == 0),
                    timed,
                    recorded,
                };
                text.push_str(&run.text());
            }
            (format!("file-{file}.jsonl"), text)
        })
        .collect()
}

fn hash(scratch: &Scratch) -> Sha256 {
    let archive = Archive::open(&scratch.archive(), Mode::ReadOnly).unwrap();
    archive.reader().unwrap().content_hash().unwrap()
}

/// Imports files one by one.
fn one_by_one(files: &[&(String, String)]) -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in files {
        let _ = scratch.import_bytes(name, text.as_bytes());
    }
    scratch
}

/// Conversations by id, each with its runs.
fn conversations(scratch: &Scratch) -> Vec<(String, Vec<String>)> {
    let page = scratch.app.list_conversations(ConversationQuery::default()).unwrap();
    let mut all: Vec<(String, Vec<String>)> = page
        .conversations
        .iter()
        .map(|row| {
            let report = scratch.app.report(&row.id).unwrap();
            (row.id.clone(), report.runs.iter().filter_map(|run| run.run_id.clone()).collect())
        })
        .collect();
    all.sort();
    all
}

fn shuffled<'f>(files: &'f [(String, String)], random: &mut Random) -> Vec<&'f (String, String)> {
    let mut order: Vec<&(String, String)> = files.iter().collect();
    for last in (1..order.len()).rev() {
        order.swap(last, usize::try_from(random.below(last as u64 + 1)).unwrap());
    }
    order
}

#[test]
fn every_order_comes_to_the_same_rows() {
    let mut random = Random::new(2_121);
    let mut joined = 0;
    for set in 0..SETS {
        let files = by_chance(&mut random);
        let first = one_by_one(&files.iter().collect::<Vec<_>>());
        let expected = hash(&first);
        let told = || {
            let texts: Vec<String> =
                files.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
            format!("set {set}\n{}", texts.join("\n"))
        };
        for _ in 0..ORDERS {
            let order = shuffled(&files, &mut random);
            let names: Vec<&str> = order.iter().map(|(name, _)| name.as_str()).collect();
            let other = one_by_one(&order);
            if hash(&other) != expected {
                assert_eq!(conversations(&other), conversations(&first), "{names:?}, {}", told());
                panic!("{names:?} gives other rows than the first order; {}", told());
            }
        }
        let at_once = Scratch::new();
        let paths: Vec<_> = shuffled(&files, &mut random)
            .iter()
            .map(|(name, text)| {
                std::fs::write(at_once.path(name), text).unwrap();
                at_once.path(name)
            })
            .collect();
        let _ =
            at_once.import_all(&paths.iter().map(std::path::PathBuf::as_path).collect::<Vec<_>>());
        assert!(hash(&at_once) == expected, "all at once, {}", told());
        at_once.app.rebuild_now().unwrap();
        assert!(hash(&at_once) == expected, "derived again, {}", told());
        let report = at_once.app.verify_now().unwrap();
        assert!(report.sound, "{:?}, {}", report.damage, told());
        joined += usize::from(conversations(&first).iter().any(|(_, runs)| runs.len() > 3));
    }
    assert!(joined > 5, "only {joined} sets of files had conversations worth the name");
}

#[test]
fn a_parent_that_comes_later_joins_what_continues_it() {
    let other =
        ("other.jsonl".to_owned(), Run { thread: "elsewhere", number: 7, ..Run::default() }.text());
    // By its parent, or by the history that its recorded request repeats.
    for recorded in [false, true] {
        let run = Run { thread: "t", timed: recorded, recorded, ..Run::default() };
        let parent = ("parent.jsonl".to_owned(), Run { number: 1, ..run.clone() }.text());
        let (parent_run, history) = if recorded { (None, vec![1]) } else { (Some(1), Vec::new()) };
        let child = Run { number: 2, parent: parent_run, history, ..run };
        let child = ("child.jsonl".to_owned(), child.text());
        let scratch = one_by_one(&[&child, &other, &parent]);
        let expected = [("1", vec!["r1", "r2"]), ("2", vec!["r7"])];
        let found = conversations(&scratch);
        let found: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|(id, runs)| (id.as_str(), runs.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(found, expected, "one conversation, under the id that the older part had");
        // What comes next goes on in it.
        let next = Run { thread: "t", number: 3, parent: Some(2), ..Run::default() };
        let _ = scratch.import_bytes("next.jsonl", next.text().as_bytes());
        assert_eq!(conversations(&scratch)[0].1, ["r1", "r2", "r3"]);
    }
}
