//! Paths at which there is no recording, or none that can be read: each ends in a clear sentence and nothing hangs.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::Write,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use app::contract::ImportStatus;
use insta::assert_snapshot;
use recite_tests::{generate, process::Recite, scratch::Scratch};

use crate::trial::{Trial, conversations};

const PROGRAM: &str = env!("CARGO_BIN_EXE_recite_under_test");

#[test]
fn a_missing_file_and_a_broken_link() {
    let trial = Trial::new();
    let link = trial.scratch.path("link.jsonl");
    symlink("nowhere.jsonl", &link).unwrap();
    assert_snapshot!(
        [trial.of(&trial.scratch.path("missing.jsonl")), Trial::new().of(&link)].join("\n")
    );
}

#[test]
fn links_in_a_circle() {
    let trial = Trial::new();
    let [one, other] = ["one", "other"].map(|name| trial.scratch.path(name));
    symlink(&one, &other).unwrap();
    symlink(&other, &one).unwrap();
    assert_snapshot!(trial.of(&one));
}

#[test]
fn a_folder_that_holds_itself() {
    let trial = Trial::new();
    let folder = trial.scratch.path("folder");
    fs::create_dir_all(folder.join("deeper")).unwrap();
    symlink(&folder, folder.join("deeper/again")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    fs::write(folder.join("deeper/run.jsonl"), generate::recording(1, 30)).unwrap();
    let told = trial.of(&folder);
    assert_eq!(told.matches("Added").count(), 1, "{told}");
    assert!(!told.contains("refused"), "{told}");
}

#[test]
fn a_folder_without_files() {
    let scratch = Scratch::new();
    let folder = scratch.path("folder");
    fs::create_dir_all(folder.join("deeper")).unwrap();
    let output = Command::new(PROGRAM)
        .arg("--archive")
        .arg(scratch.archive())
        .arg("import")
        .arg(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_snapshot!(told.replace(&*scratch.path("").to_string_lossy(), "[folder]/"));
}

#[test]
fn names_that_are_no_text_are_taken_as_the_system_has_them() {
    let scratch = Scratch::new();
    let folder = scratch.path("folder");
    fs::create_dir(&folder).unwrap();
    let file = folder.join(OsStr::from_bytes(b"r\xe9cit\xff.jsonl"));
    if let Err(error) = fs::write(&file, generate::recording(1, 35)) {
        println!("not run: this file system takes no such name: {error}");
        return;
    }
    let recite = Recite::new(PROGRAM, &scratch.path("other.recite"));
    let ended = recite.import(&[&file]);
    assert_eq!((ended.code, &ended.source()["status"]), (Some(0), &"added".into()), "{ended:?}");
    assert!(ended.source()["path"].as_str().unwrap().ends_with("r\u{fffd}cit\u{fffd}.jsonl"));
    assert_eq!(recite.import(&[&folder]).source()["status"], "already-held");
    let export = folder.join(OsStr::from_bytes(b"\xfe.html"));
    let arguments: [&OsStr; 6] = [
        "export".as_ref(),
        "1".as_ref(),
        "--format".as_ref(),
        "html".as_ref(),
        "--output".as_ref(),
        export.as_ref(),
    ];
    assert_eq!(recite.run(&arguments).code, Some(0));
    assert!(export.is_file());
    // A window hands paths over as text: the name is lost on the way, and that is what is said.
    let lossy = std::path::PathBuf::from(file.to_string_lossy().into_owned());
    assert_snapshot!(Trial::new().of(&lossy));
}

#[test]
fn a_folder_without_recordings() {
    let trial = Trial::new();
    let folder = trial.scratch.path("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("letter.txt"), "Dear all,\n").unwrap();
    fs::write(folder.join("table.csv"), "a,b\n1,2\n").unwrap();
    assert_snapshot!(trial.of(&folder));
}

#[test]
fn a_folder_given_twice_is_read_once() {
    let scratch = Scratch::new();
    let folder = scratch.path("folder");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("run.jsonl");
    fs::write(&file, generate::recording(1, 31)).unwrap();
    let summary = scratch.import_all(&[&folder, &folder, &file]);
    let told: Vec<ImportStatus> = summary.sources.iter().map(|source| source.status).collect();
    assert_eq!(told, [ImportStatus::Added]);
    assert_eq!(conversations(&scratch), 1);
}

#[test]
fn a_pipe_and_a_device_are_not_waited_for() {
    let trial = Trial::new();
    let pipe = trial.scratch.path("pipe.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_snapshot!([trial.of(&pipe), Trial::new().of(Path::new("/dev/zero"))].join("\n"));
}

#[test]
fn a_file_and_a_folder_that_may_not_be_read() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.path("secret.jsonl"), scratch.path("secret"));
    fs::write(&file, generate::recording(1, 32)).unwrap();
    fs::create_dir(&folder).unwrap();
    for path in [&file, &folder] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    let mut command = Command::new(PROGRAM);
    if fs::read_dir(&folder).is_ok() {
        // Root may read everything, unless it gives that up.
        command = Command::new("setpriv");
        command.arg("--bounding-set=-dac_override,-dac_read_search").arg(PROGRAM);
    }
    command.arg("--archive").arg(scratch.path("other.recite")).arg("import").args([&file, &folder]);
    let output = match command.output() {
        Ok(output) if output.status.code() == Some(2) => output,
        other => {
            println!("not run: this user reads everything and cannot give that up: {other:?}");
            return;
        }
    };
    let told = String::from_utf8_lossy(&output.stdout)
        .replace(&*scratch.path("").to_string_lossy(), "[folder]/");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_snapshot!(told);
}

#[test]
fn a_file_that_changes_while_it_is_read() {
    let trial = Trial::new();
    let file = trial.scratch.path("growing.jsonl");
    fs::write(&file, generate::recording(200, 33)).unwrap();
    let told = while_it_grows(&file, || trial.of(&file));
    assert_snapshot!(told);
}

#[test]
fn a_file_that_changes_after_some_batches_leaves_none_of_them() {
    let scratch = Scratch::new();
    let (file, archive) = (scratch.path("growing.jsonl"), scratch.path("other.recite"));
    fs::write(&file, generate::recording(200, 34)).unwrap();
    let recite = Recite::new(PROGRAM, &archive).batch_bytes(32 << 10);
    let ended = while_it_grows(&file, || recite.import(&[&file]));
    assert_eq!(ended.source()["status"], "refused", "{ended:?}");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let app = recite_tests::scratch::open(archive.clone());
    let report = app.verify_now().unwrap();
    assert!(report.sound && report.recordings == 0, "{report:?}");
    // At rest it is taken.
    let ended = recite.import(&[&file]);
    assert_eq!(ended.source()["status"], "added", "{ended:?}");
}

/// Does something while a file becomes longer and longer.
fn while_it_grows<T>(file: &Path, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = File::options().append(true).open(file).unwrap();
            while !done.load(Ordering::Acquire) {
                file.write_all(b"{\"type\":\"STEP_STARTED\",\"stepName\":\"more\"}\n").unwrap();
                thread::sleep(Duration::from_micros(200));
            }
        });
        let result = work();
        done.store(true, Ordering::Release);
        result
    })
}
