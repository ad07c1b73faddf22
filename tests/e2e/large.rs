//! A conversation of 10,000 messages opens at once (P13): from the click to its first paint, against an empty page of the same
//! window, in turns. Prints one line of JSON like `scripts/bench`.

use app::contract::ImportPaths;
use serde_json::{Value, json};

use crate::{
    recordings::{citations, record},
    window::Window,
};

/// Rounds of which the median counts.
const ROUNDS: usize = 9;

/// Runs, and pairs of question and answer in each.
const RUNS: usize = 100;
const PAIRS: usize = 50;

/// Messages in all.
const MESSAGES: usize = RUNS * PAIRS * 2;

/// What the goal allows beyond the empty page, in milliseconds; it is a goal for the optimised program.
const GOAL: f64 = 150.0;

/// What the unoptimised program of the other tests may take, which no one uses: enough to notice when all messages are read.
const UNOPTIMISED: f64 = 3_000.0;

/// Goes to a place and waits until what is asked for was painted: two frames after it is there.
const MEASURE: &str = "const [hash, css, done] = arguments; const start = performance.now();\
    location.hash = hash;\
    const look = () => document.querySelector(css)\
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)))\
        : requestAnimationFrame(look);\
    requestAnimationFrame(look)";

#[tokio::test]
async fn ten_thousand_messages_open_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large.jsonl");
    std::fs::write(&large, recording()).unwrap();
    let app = recite_tests::scratch::open(folder.path().join("archive.recite"));
    let paths = vec![large.to_string_lossy().into_owned()];
    app.import_now(&ImportPaths { paths, via: "test".to_owned() }).unwrap();
    drop(app);
    let window = Window::open_in(folder, &[]).await;
    window.wait_for_text("[role=option]", "answers").await;
    let id = window
        .script("return document.querySelector('[role=option]').id.replace('conversation-', '')")
        .await;
    let place = format!("#/conversations/{}", id.as_str().expect("a row id"));
    let (mut large, mut empty) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        empty.push(measure(&window, "#/conversations", "main.nothing").await);
        large.push(measure(&window, &place, "article[data-role=assistant] button.cite").await);
    }
    let total = window
        .script("return document.querySelector('article')?.getAttribute('aria-setsize')")
        .await;
    assert_eq!(total, json!(MESSAGES.to_string()), "all messages are there");
    let beyond = median(&mut large) - median(&mut empty);
    let (first, last) = (large[0], large[ROUNDS - 1]);
    println!(
        "{}",
        json!({ "figure": "P13", "unit": "ms", "messages": MESSAGES, "beyond_empty": beyond.round(), "goal": GOAL,
            "large": median(&mut large).round(), "large_min": first.round(), "large_max": last.round(),
            "empty": median(&mut empty).round(), "debug": cfg!(debug_assertions) })
    );
    window.close().await;
    assert!(
        beyond <= GOAL,
        "first paint comes {beyond:.0} ms after that of an empty page; {large:?} against {empty:?}"
    );
}

async fn measure(window: &Window, place: &str, css: &str) -> f64 {
    let time = window.page.execute_async(MEASURE, vec![json!(place), json!(css)]).await;
    time.ok().as_ref().and_then(Value::as_f64).expect("a time in milliseconds")
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One thread whose questions and answers are streamed, each answer with a source.
fn recording() -> String {
    let mut events = Vec::new();
    for run in 0..RUNS {
        let ids = json!({ "type": "RUN_STARTED", "threadId": "large", "runId": format!("run-{run}"),
            "timestamp": 1_796_000_000_000_u64 + run as u64 * 60_000 });
        events.push(ids);
        for pair in 0..PAIRS {
            let question = format!("question-{run}-{pair}");
            let answer = format!("answer-{run}-{pair}");
            let words = format!(
                "Answer {pair}: at any **staffed** station [1], until eight in the evening."
            );
            let source = record("returns.md", "Returning a bike", "Any staffed station.");
            events.extend(message(
                &question,
                "user",
                &format!("Question {pair} of run {run}: and then?"),
            ));
            events.extend(message(&answer, "assistant", &words));
            events.push(citations(1, &answer, &[("[1]", source)]));
        }
        events.push(
            json!({ "type": "RUN_FINISHED", "threadId": "large", "runId": format!("run-{run}") }),
        );
    }
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn message(id: &str, role: &str, words: &str) -> [Value; 3] {
    [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": words }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}
