//! R1: an import that is killed at any moment loses no run that a reader could see, shows no half run, leaves a sound
//! archive, and comes to the very rows of an undisturbed import when it is done again.
//!
//! 100 kills as a rule, at moments that a seed chooses; `RECITE_KILLS=1000` for the long run, `RECITE_SEED` for another seed.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use archive::{Archive, ConversationFilter, Mode, Reader, Sha256};
use flate2::{Compression, write::GzEncoder};
use recite_tests::{
    generate::{self, Random},
    process::Recite,
    scratch,
};
use tempfile::TempDir;

/// Runs of the recording that is imported.
const RUNS: u64 = 96;

/// Bytes of a batch: the recording has about ten.
const BATCH_BYTES: u64 = 48 << 10;

/// Kills after which an archive is brought to its end and another one begun.
const KILLS_OF_ARCHIVE: u32 = 6;

/// What a reader sees of a run: its stated id, the hash of its events, their number. No two runs of the recording agree in it.
type Seen = (String, Sha256, u64);

#[test]
fn no_kill_loses_a_run_or_shows_a_half_or_makes_one_twice() {
    let wanted = number("RECITE_KILLS").unwrap_or(100);
    let mut random = Random::new(number("RECITE_SEED").unwrap_or(1).into());
    let folder = tempfile::tempdir().unwrap();
    let recordings = recordings(folder.path());
    let undisturbed: Vec<Undisturbed> =
        recordings.iter().map(|file| Undisturbed::import(file)).collect();
    let (mut kills, mut resumed) = (0, 0);
    let mut longest = undisturbed.iter().map(|one| micros(one.took)).max().unwrap_or(0);
    let mut turn = 0;
    while kills < wanted {
        let (file, expected) =
            (&recordings[turn % recordings.len()], &undisturbed[turn % recordings.len()]);
        turn += 1;
        let target = Target::new();
        for _ in 0..KILLS_OF_ARCHIVE {
            let before = target.seen();
            let delay = Duration::from_micros(random.below(longest));
            let Some(acknowledged) = target.import_and_kill(file, delay) else {
                // The machine has less to do than a moment ago.
                longest = longest * 3 / 4;
                break;
            };
            longest += longest / 16;
            kills += 1;
            let after = target.seen();
            let what = format!("kill {kills} of {} after {delay:?}", file.display());
            target.is_sound(&what);
            for (earlier, when) in
                [(&before, "before the import"), (&acknowledged, "before the kill")]
            {
                let lost: Vec<&Seen> = earlier.difference(&after).collect();
                assert!(lost.is_empty(), "{what}: runs seen {when} are gone: {lost:?}");
            }
            let unknown: Vec<&Seen> = after.difference(&expected.runs).collect();
            assert!(
                unknown.is_empty(),
                "{what}: runs that are half or not in the recording: {unknown:?}"
            );
            resumed += usize::from(!after.is_empty() && after.len() < expected.runs.len());
        }
        let told = target.recite.import(&[file]);
        assert_eq!(told.code, Some(0), "{}: {told:?}", file.display());
        target.is_sound("the import done again");
        assert_eq!(target.seen(), expected.runs, "{}", file.display());
        assert_eq!(
            target.content_hash(),
            expected.content,
            "{}: rows of an undisturbed import",
            file.display()
        );
    }
    assert!(
        resumed > 0,
        "no kill fell between two batches: the recording is too small or this machine too slow"
    );
    eprintln!(
        "{kills} kills over {turn} archives, {resumed} of them between the batches of a source"
    );
}

/// The same runs as lines, as a stream that a browser saw, and packed.
fn recordings(folder: &Path) -> Vec<PathBuf> {
    let lines = generate::recording(RUNS, 11);
    let stream: Vec<u8> = lines
        .split_inclusive(|byte| *byte == b'\n')
        .flat_map(|line| [b"data: ", line, b"\n"].concat())
        .collect();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.join(name), bytes).unwrap();
        folder.join(name)
    };
    let packed = folder.join("runs.jsonl.gz");
    let mut gzip = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
    gzip.write_all(&lines).unwrap();
    gzip.finish().unwrap();
    vec![write("runs.jsonl", &lines), packed, write("runs.sse", &stream)]
}

/// What comes of a recording when nothing disturbs its import.
struct Undisturbed {
    runs: BTreeSet<Seen>,
    content: Sha256,
    took: Duration,
}

impl Undisturbed {
    /// In the one batch of a rule: what is imported in many must come to the same rows.
    fn import(file: &Path) -> Self {
        let target = Target::new();
        let begun = Instant::now();
        let told = target.recite.import(&[file]);
        let took = begun.elapsed();
        assert_eq!(told.source()["status"], "added", "{told:?}");
        let runs = target.seen();
        assert_eq!(runs.len() as u64, RUNS, "{}", file.display());
        let other = Target::new();
        let whole = other.recite.clone().batch_bytes(app::BATCH_BYTES).import(&[file]);
        assert_eq!(whole.source()["status"], "added", "{whole:?}");
        assert_eq!(
            target.content_hash(),
            other.content_hash(),
            "{}: batches leave no trace",
            file.display()
        );
        Self { runs, content: target.content_hash(), took }
    }
}

/// An archive of its own and the command on it.
struct Target {
    folder: TempDir,
    recite: Recite,
}

impl Target {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recite = Recite::new(
            env!("CARGO_BIN_EXE_recite_under_test"),
            &folder.path().join("archive.recite"),
        )
        .batch_bytes(BATCH_BYTES);
        Self { folder, recite }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("archive.recite")
    }

    /// Imports and kills; gives the runs that a reader saw just before. `None` when the import was done before that.
    fn import_and_kill(&self, file: &Path, delay: Duration) -> Option<BTreeSet<Seen>> {
        let mut import = self.recite.start_import(file);
        thread::sleep(delay);
        let acknowledged = self.seen();
        import.kill().unwrap();
        let ended = import.wait().unwrap();
        match ended.code() {
            None => Some(acknowledged),
            Some(code) => {
                assert_eq!(code, 0, "an import that was not killed");
                None
            }
        }
    }

    /// All runs of the archive, as any reader sees them at this moment; none before there is an archive.
    fn seen(&self) -> BTreeSet<Seen> {
        if !self.path().exists() {
            return BTreeSet::new();
        }
        let reader = self.reader();
        let mut seen = BTreeSet::new();
        let mut after = None;
        loop {
            let page = reader
                .conversations(&ConversationFilter::default(), after.as_ref(), 200)
                .unwrap()
                .page;
            for conversation in &page.rows {
                let runs = reader.runs(conversation.id, None, 200).unwrap();
                assert!(runs.next.is_none(), "threads of the recording are short");
                for run in runs.rows {
                    let run = (run.stated_id.unwrap_or_default(), run.hash, run.events);
                    assert!(seen.insert(run.clone()), "a run is there twice: {run:?}");
                }
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return seen,
            }
        }
    }

    fn content_hash(&self) -> Sha256 {
        self.reader().content_hash().unwrap()
    }

    fn reader(&self) -> Reader {
        Archive::open(&self.path(), Mode::ReadOnly).unwrap().reader().unwrap()
    }

    /// Whatever was killed, the archive is whole.
    fn is_sound(&self, what: &str) {
        if self.path().exists() {
            let report = scratch::open(self.path()).verify_now().unwrap();
            assert!(report.sound, "{what}: {:?}", report.damage);
        }
    }
}

fn micros(of: Duration) -> u64 {
    u64::try_from(of.as_micros()).unwrap_or(u64::MAX)
}

fn number(variable: &str) -> Option<u32> {
    std::env::var_os(variable)?.to_str()?.parse().ok()
}
