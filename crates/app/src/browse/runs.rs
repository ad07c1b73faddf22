//! Runs as the contract gives them.

use archive::{Reader, Run};
use serde::Deserialize;

use crate::{
    contract::{Failure, RunRow},
    derive::when::rfc3339,
    failure::Storage,
};

/// One run.
pub(super) fn run_row(reader: &Reader, run: &Run) -> Result<RunRow, Failure> {
    let parent = match (&run.stated_parent_id, run.parent_means.as_deref()) {
        (Some(id), Some("called by")) => Some(format!("called by run {}", render::plain_line(id))),
        (Some(id), Some("continues")) => Some(format!("continues run {}", render::plain_line(id))),
        (Some(id), _) => Some(format!("parent run {} (not held)", render::plain_line(id))),
        (None, _) => None,
    };
    let variant = match run.variant_of {
        Some(of) => reader
            .run(of)
            .storage()?
            .map(|of| format!("another recording of run {}", of.number + 1)),
        None => None,
    };
    let parts: Vec<String> = parent.into_iter().chain(variant).collect();
    Ok(RunRow {
        id: run.id.to_string(),
        number: super::count(run.number + 1),
        run_id: run.stated_id.clone(),
        parent: (!parts.is_empty()).then(|| parts.join(" · ")),
        ending: run.ending.clone(),
        ending_text: ending_text(run),
        started_at: run.started_at.map(rfc3339),
        question_recorded: question_recorded(run),
    })
}

/// Whether the question that a run answers is held.
pub(crate) fn question_recorded(run: &Run) -> bool {
    run.question != "not-recorded"
}

/// How a run ended, in a sentence without its full stop.
pub(crate) fn ending_text(run: &Run) -> String {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Detail {
        code: Option<String>,
        message: Option<String>,
        interrupts: Vec<Interrupt>,
        waiting: u32,
    }
    #[derive(Deserialize)]
    struct Interrupt {
        reason: Option<String>,
        message: Option<String>,
    }
    let detail: Detail = run
        .ending_detail
        .as_deref()
        .and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or_default();
    let said = detail
        .message
        .as_deref()
        .map(|message| format!(": {}", render::quoted(message)))
        .unwrap_or_default();
    let code = detail
        .code
        .as_deref()
        .map(|code| format!(" ({})", render::quoted(code)))
        .unwrap_or_default();
    match run.ending.as_str() {
        "finished" if detail.waiting > 0 => "finished, waiting for the application".to_owned(),
        "finished" => "finished".to_owned(),
        "interrupted" => {
            let asked = detail
                .interrupts
                .first()
                .and_then(|it| it.message.as_deref().or(it.reason.as_deref()));
            let asked =
                asked.map(|words| format!(": {}", render::quoted(words))).unwrap_or_default();
            format!("interrupted, waiting for an answer{asked}")
        }
        "cancelled" => "cancelled".to_owned(),
        "error" => format!("ended in an error{code}{said}"),
        "aborted" => format!("stopped by the user{said}"),
        "incomplete" if !run.started => "without a recorded start or end".to_owned(),
        "incomplete" => "incomplete: the recording stops before its end".to_owned(),
        other => {
            format!("ended with an outcome that is not known here: {}", render::quoted(other))
        }
    }
}
