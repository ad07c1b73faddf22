//! Killed and started again, the app has lost nothing.

use crate::{
    recordings::{citations, conversation, record},
    window::Window,
};

#[tokio::test]
async fn after_a_kill_everything_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("desk.jsonl");
    let cited = citations(
        1,
        "answer-t1",
        &[("[1]", record("returns.md", "Returning a bike", "Any staffed station."))],
    );
    std::fs::write(&file, conversation("t1", "Is it still there?", "Yes [1].", Some(cited)))
        .unwrap();
    let window = Window::open(&[&file.to_string_lossy()]).await;
    window.wait_for_text("body", "Is it still there?").await;
    let archive = window.kill().await;
    let window = Window::open_in(archive, &[]).await;
    window.wait_for_text("body", "Is it still there?").await;
    window.open_conversation("Is it still there?").await;
    window.find("article[data-role='assistant'] button.cite").await;
    let verified = std::process::Command::new(recite_tests::program("recite"))
        .arg("--archive")
        .arg(window.archive())
        .arg("verify")
        .status()
        .unwrap();
    assert!(verified.success(), "the archive is sound");
    window.close().await;
}
