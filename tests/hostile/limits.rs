//! R22 and P5: files at the limits end in a named finding, a refusal or a clean import, within a bound of memory and in
//! at most twice the time of a benign file of their size.
//!
//! `RECITE_LONG=1` takes the sizes of the promise itself: a file of 1 GB, and S × 10 against S × 100.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use insta::assert_snapshot;
use recite_tests::{
    generate::{self, S, record},
    process::{Cost, Ended, Recite},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::trial::around;

const PROGRAM: &str = env!("CARGO_BIN_EXE_recite_under_test");

/// What an import may take over a process that only opened the archive (P5).
const MEMORY_OVER_IDLE: u64 = 128 << 20;

/// How much memory may grow with the file (P5), in per cent.
const GROWTH: u64 = 115;

/// How long a hostile file may take, as multiple of a benign one.
const TIMES_BENIGN: u32 = 2;

/// Processor time below which a comparison says nothing: starting the program and opening the archive take it too.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Runs of the benign file whose time is the measure.
const BENIGN_RUNS: u64 = 400;

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> PathBuf {
        let path = self.folder.path().join(name);
        let mut out = BufWriter::new(File::create(&path).unwrap());
        write(&mut out).unwrap();
        out.flush().unwrap();
        path
    }

    /// Imports a file into an archive of its own.
    fn import(&self, file: &Path) -> (Ended, Cost) {
        let folder = tempfile::tempdir_in(self.folder.path()).unwrap();
        let recite = Recite::new(PROGRAM, &folder.path().join("archive.recite"));
        let measured =
            recite.measure(&["import".as_ref(), file.as_os_str()], &folder.path().join("cost"));
        let sound = recite.run(&["verify".as_ref()]);
        assert_eq!((sound.code, sound.json["sound"].as_bool()), (Some(0), Some(true)), "{sound:?}");
        let (mut ended, cost) = measured;
        ended.json["found"] = findings(&recite).into();
        (ended, cost)
    }

    /// What a process takes that imports next to nothing.
    fn idle(&self) -> Cost {
        let file = self.write("small.jsonl", |out| out.write_all(&around(b"")));
        self.import(&file).1
    }

    /// Imports a hostile file, holds what it took to the bounds, and gives what was said of it.
    fn hostile(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> String {
        let file = self.write(name, write);
        let benign =
            self.write("benign.jsonl", |out| generate::write(BENIGN_RUNS, 3, out).map(drop));
        let idle = self.idle();
        let (_, measure) = self.import(&benign);
        let (ended, cost) = self.import(&file);
        let (size, part) = (length(&file), length(&benign));
        let benign =
            Duration::from_secs_f64(measure.time.as_secs_f64() * size as f64 / part as f64)
                .max(LEAST_TIME);
        eprintln!(
            "{name}: {} MiB over idle, {:?} against {benign:?}",
            over(cost, idle) >> 20,
            cost.time
        );
        assert!(
            cost.time <= benign * TIMES_BENIGN,
            "{name}: {:?}, a benign file of its size {benign:?}",
            cost.time
        );
        assert!(
            over(cost, idle) <= MEMORY_OVER_IDLE,
            "{name}: {} MiB over idle",
            over(cost, idle) >> 20
        );
        told(&ended)
    }
}

fn over(cost: Cost, idle: Cost) -> u64 {
    cost.peak.saturating_sub(idle.peak)
}

fn length(file: &Path) -> u64 {
    file.metadata().unwrap().len()
}

fn told(ended: &Ended) -> String {
    let source = ended.source();
    let mut told = match source["error"]["message"].as_str() {
        Some(message) => format!("refused: {message}"),
        None => format!(
            "{}: {} events, {} runs, {} messages, {} citations",
            source["status"].as_str().unwrap(),
            source["events"],
            source["runs"],
            source["messages"],
            source["citations"]
        ),
    };
    for finding in ended.json["found"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        told.push_str("\n  ");
        told.push_str(finding);
    }
    told
}

/// Every finding of an archive, equal ones once.
fn findings(recite: &Recite) -> Vec<String> {
    let mut all = BTreeSet::new();
    let mut after: Option<String> = None;
    loop {
        let mut arguments: Vec<&OsStr> =
            vec!["findings".as_ref(), "--limit".as_ref(), "200".as_ref()];
        if let Some(after) = &after {
            arguments.extend::<[&OsStr; 2]>(["--cursor".as_ref(), after.as_ref()]);
        }
        let page = recite.run(&arguments).json;
        for finding in page["findings"].as_array().unwrap() {
            let [severity, code, message] =
                ["severity", "code", "message"].map(|member| finding[member].as_str().unwrap());
            all.insert(format!("{severity} {code}: {message}"));
        }
        match page["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => return all.into_iter().collect(),
        }
    }
}

fn repeat(out: &mut impl Write, piece: &[u8], times: usize) -> io::Result<()> {
    (0..times).try_for_each(|_| out.write_all(piece))
}

/// A recording of two runs with a long line in the first one.
fn around_long(
    out: &mut impl Write,
    begin: &str,
    piece: &[u8],
    times: usize,
    end: &str,
) -> io::Result<()> {
    const MARK: &[u8] = b"\0here\0";
    let frame = around(MARK);
    let at = frame.windows(MARK.len()).position(|window| window == MARK).unwrap();
    out.write_all(&frame[..at])?;
    out.write_all(begin.as_bytes())?;
    repeat(out, piece, times)?;
    out.write_all(end.as_bytes())?;
    out.write_all(&frame[at + MARK.len()..])
}

const PIECE: &str = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"answer","delta":""#;
const STATE: &str = r#"{"type":"STATE_SNAPSHOT","snapshot":"#;

#[test]
fn a_line_of_50_mb_in_an_answer() {
    assert_snapshot!(Bench::new().hostile("line.jsonl", |out| around_long(
        out,
        PIECE,
        b"0123456789",
        5_000_000,
        "\"}"
    )));
}

#[test]
fn a_line_of_50_mb_that_is_no_json() {
    assert_snapshot!(Bench::new().hostile("line.jsonl", |out| around_long(
        out,
        "",
        b"0123456789",
        5_000_000,
        ""
    )));
}

#[test]
fn a_state_of_50_mb() {
    assert_snapshot!(Bench::new().hostile("line.jsonl", |out| around_long(
        out,
        &format!("{STATE}[0"),
        b",123456789",
        5_000_000,
        "]}"
    )));
}

#[test]
fn a_line_over_the_limit_of_a_frame() {
    assert_snapshot!(Bench::new().hostile("line.jsonl", |out| around_long(
        out,
        PIECE,
        &[b'x'; 1 << 20],
        70,
        "\"}"
    )));
}

#[test]
fn depth_of_a_million() {
    assert_snapshot!(
        Bench::new().hostile("deep.jsonl", |out| around_long(out, STATE, b"[", 1_000_000, ""))
    );
}

#[test]
fn a_million_citations_in_one_event() {
    let begin = r#"{"type":"CUSTOM","name":"moca.citations","value":{"version":1,"messageId":"answer","computedAt":"2026-03-02T08:00:00Z","citations":[{}"#;
    assert_snapshot!(Bench::new().hostile("citations.jsonl", |out| {
        around_long(out, begin, br#",{"marker":"[1]","record":{}}"#, 1_000_000, "]}}")
    }));
}

#[test]
fn a_title_of_a_million_characters() {
    let mut record = record(3);
    record["node"]["title"] = "title ".repeat(170_000).into();
    let begin = format!(
        r#"{{"type":"CUSTOM","name":"moca.citations","value":{{"version":1,"messageId":"answer","computedAt":"2026-03-02T08:00:00Z","citations":[{{"marker":"[1]","record":{record}}}]}}}}"#
    );
    let question = |out: &mut BufWriter<File>| {
        out.write_all(br#"{"type":"RUN_STARTED","threadId":"long","runId":"long","input":{"threadId":"long","runId":"long","messages":[{"id":"q","role":"user","content":""#)?;
        repeat(out, b"question ", 111_112)?;
        out.write_all(
            b"\"}]}}\n{\"type\":\"RUN_FINISHED\",\"threadId\":\"long\",\"runId\":\"long\"}\n",
        )
    };
    assert_snapshot!(Bench::new().hostile("title.jsonl", |out| {
        around_long(out, &begin, b"", 0, "")?;
        question(out)
    }));
}

#[test]
fn ten_million_empty_lines() {
    assert_snapshot!(
        Bench::new().hostile("lines.jsonl", |out| around_long(out, "", b"\n", 10_000_000, ""))
    );
}

#[test]
fn two_hundred_million_empty_lines_take_no_more_memory() {
    assert_snapshot!(Bench::new().hostile("lines.jsonl", |out| around_long(
        out,
        "",
        &[b'\n'; 1 << 20],
        200,
        ""
    )));
}

#[test]
fn ten_megabytes_of_nul() {
    assert_snapshot!(Bench::new().hostile("nul.jsonl", |out| around_long(
        out,
        "",
        b"\0\0\0\0\0\0\0\0\0\0",
        1_000_000,
        ""
    )));
}

#[test]
fn half_a_million_malformed_lines() {
    assert_snapshot!(Bench::new().hostile("broken.jsonl", |out| around_long(
        out,
        "{",
        b"\"type\":\n{",
        500_000,
        ""
    )));
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let (small, large) =
        if std::env::var_os("RECITE_LONG").is_some() { (10 * S, 100 * S) } else { (7 * S, 14 * S) };
    let bench = Bench::new();
    let idle = bench.idle();
    let [small, large] = [small, large].map(|runs| {
        let file = bench.write("runs.jsonl", |out| generate::write(runs, 4, out).map(drop));
        let (ended, cost) = bench.import(&file);
        assert_eq!(
            (&ended.source()["status"], ended.source()["runs"].as_u64()),
            (&"added".into(), Some(runs)),
            "{ended:?}"
        );
        eprintln!(
            "{runs} runs, {} MB: {} MiB over idle, {:?}",
            length(&file) / 1_000_000,
            over(cost, idle) >> 20,
            cost.time
        );
        cost
    });
    assert!(over(large, idle) <= MEMORY_OVER_IDLE, "{} MiB over idle", over(large, idle) >> 20);
    assert!(
        large.peak * 100 <= small.peak * GROWTH,
        "{} and {} MiB",
        small.peak >> 20,
        large.peak >> 20
    );
}

#[test]
fn a_file_of_a_gigabyte_is_taken() {
    if std::env::var_os("RECITE_LONG").is_none() {
        println!("not run: a file of a gigabyte takes minutes; RECITE_LONG=1 asks for it");
        return;
    }
    let bench = Bench::new();
    let idle = bench.idle();
    let file = bench.write("gigabyte.jsonl", |out| generate::write(190 * S, 5, out).map(drop));
    assert!(length(&file) > 1_000_000_000, "{}", length(&file));
    let (ended, cost) = bench.import(&file);
    assert_eq!(ended.source()["runs"].as_u64(), Some(190 * S), "{ended:?}");
    assert!(over(cost, idle) <= MEMORY_OVER_IDLE, "{} MiB over idle", over(cost, idle) >> 20);
}
