//! Start, import, open: what a new user does in the first minute.

use crate::{
    recordings::{citations, conversation, record},
    window::Window,
};

#[tokio::test]
async fn an_empty_archive_offers_the_sample_and_shows_it() {
    let window = Window::open(&[]).await;
    window.wait_for_text("body", "Open the sample archive").await;
    window.picture("first-start").await;
    window.press("Open the sample archive").await;
    window.find("article[data-role], [data-row]").await;
    window.wait_for_text("body", "desk.harbour-bikes.example").await;
    window.open_conversation("I rented a cargo bike").await;
    window.find("article[data-role='assistant'] button.cite").await;
    // The second marker is the stale one; its source comes into view beside the answer.
    window.keys("]").await;
    window.keys("]").await;
    window.keys("\u{e007}").await;
    window.wait_for_text("[data-source='1']", "tale").await;
    window.picture("sample-conversation").await;
    for (keys, screen, words) in [("gf", "findings", "moca."), ("gs", "settings", "Archive")] {
        window.keys("\u{e00c}").await;
        window.keys(keys).await;
        window.wait_for_text("body", words).await;
        window.picture(screen).await;
    }
    window.close().await;
}

#[tokio::test]
async fn a_file_is_imported_and_the_source_behind_a_sentence_is_found_by_keyboard() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("desk.jsonl");
    let cited = citations(
        1,
        "answer-t1",
        &[("[1]", record("returns.md", "Returning a bike", "Any staffed station."))],
    );
    std::fs::write(
        &file,
        conversation(
            "t1",
            "Where can I return it?",
            "At any **staffed** station [1].",
            Some(cited),
        ),
    )
    .unwrap();
    let window = Window::open(&[&file.to_string_lossy()]).await;
    window.wait_for_text("body", "Where can I return it?").await;
    window.open_conversation("Where can I return it?").await;
    let marker = "article[data-role='assistant'] button.cite";
    window.find(marker).await;
    // From the marker to its source and back, without a mouse.
    window.keys("]").await;
    assert_eq!(window.focused().await, "cite", "] goes to the marker");
    window.keys("\u{e007}").await;
    window.wait_for_text("[data-source='0']", "Returning a bike").await;
    let source = window.text("[data-source='0']").await;
    assert!(source.contains("Signed"), "{source}");
    assert!(source.contains("20 Nov 2026"), "the flag's time stands beside it: {source}");
    assert!(source.contains("eclared"), "{source}");
    window.keys("\u{e00c}").await;
    assert_eq!(window.focused().await, "cite", "Escape goes back to the marker");
    window.picture("conversation").await;
    window.close().await;
}
