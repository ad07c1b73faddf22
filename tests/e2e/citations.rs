//! The four citation states, each with its own words (product, point 6).

use crate::{
    recordings::{citations, conversation, record},
    window::Window,
};

#[tokio::test]
async fn no_sources_no_event_unknown_version_and_unknown_message_look_different() {
    let folder = tempfile::tempdir().unwrap();
    let returns = || record("returns.md", "Returning a bike", "Any staffed station.");
    let cases = [
        (
            "empty",
            "Asked for nothing",
            Some(citations(1, "answer-empty", &[])),
            "the service sent an empty list",
        ),
        ("none", "Asked somebody else", None, "no citation event"),
        (
            "newer",
            "Asked the future",
            Some(citations(2, "answer-newer", &[("[1]", returns())])),
            "not known here",
        ),
        (
            "astray",
            "Asked past it",
            Some(citations(1, "answer-elsewhere", &[("[1]", returns())])),
            "no citation event",
        ),
    ];
    let mut files = Vec::new();
    for (thread, question, event, _) in &cases {
        let file = folder.path().join(format!("{thread}.jsonl"));
        std::fs::write(
            &file,
            conversation(thread, question, "Words without a source [1].", event.clone()),
        )
        .unwrap();
        files.push(file.to_string_lossy().into_owned());
    }
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let window = Window::open(&arguments).await;
    for (thread, question, _, words) in &cases {
        window.wait_for_text("body", question).await;
        window.open_conversation(question).await;
        window.wait_for_text("article[data-role='assistant']", words).await;
        assert_eq!(
            window.count("article[data-role='assistant'] button.cite").await,
            0,
            "{thread}: no marker is a source"
        );
    }
    // The event that names another message is listed apart, never on this one.
    window.wait_for_text("main, body", "itations without a message").await;
    window.picture("citation-without-message").await;
    window.close().await;
}
