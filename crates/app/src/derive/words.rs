//! What the fold says, in the words that the archive keeps.

use agui::{
    fold::{self, Ended, Parent, Question, Role, RoleClass},
    runs::Ending,
};
use archive::Severity;
use serde_json::json;

/// Severity as stored.
pub(crate) fn severity(severity: agui::finding::Severity) -> Severity {
    match severity {
        agui::finding::Severity::Info => Severity::Info,
        agui::finding::Severity::Warning => Severity::Warning,
        agui::finding::Severity::Error => Severity::Error,
    }
}

pub(super) fn ending(ended: Ended) -> archive::Ending {
    match ended {
        Ended::No => archive::Ending::Open,
        Ended::Yes | Ended::Whole => archive::Ending::Ended,
        Ended::Implied => archive::Ending::Implied,
    }
}

pub(super) fn class(role: &Role) -> &'static str {
    match role.class() {
        RoleClass::Text => "text",
        RoleClass::User => "user",
        RoleClass::Tool => "tool",
        RoleClass::Reasoning => "reasoning",
        RoleClass::Activity => "activity",
    }
}

pub(super) fn question(question: Question) -> &'static str {
    match question {
        Question::Recorded => "recorded",
        Question::Resumes => "resumes",
        Question::NotRecorded => "not-recorded",
    }
}

pub(super) fn origin(origin: fold::Origin) -> &'static str {
    match origin {
        fold::Origin::Stream => "stream",
        fold::Origin::Input => "input",
        fold::Origin::Request => "request",
        fold::Origin::Snapshot => "snapshot",
        fold::Origin::List => "list",
        fold::Origin::Container => "container",
    }
}

pub(super) fn parent_means(parent: Parent) -> &'static str {
    match parent {
        Parent::CalledBy => "called by",
        Parent::Continues => "continues",
        Parent::NotHeld => "not held",
    }
}

pub(super) fn alias_reason(reason: fold::AliasReason) -> &'static str {
    match reason {
        fold::AliasReason::ToolCallId => "tool-call-id",
        fold::AliasReason::EqualText => "equal-text",
    }
}

pub(super) fn foreign_origin(origin: &fold::ForeignOrigin) -> String {
    match origin {
        fold::ForeignOrigin::State => "from state".to_owned(),
        fold::ForeignOrigin::Custom(name) => {
            format!("from a custom event named {}", crate::codes::quote(name))
        }
        fold::ForeignOrigin::Raw(Some(source)) => {
            format!("from a raw event of {}", crate::codes::quote(source))
        }
        fold::ForeignOrigin::Raw(None) => "from a raw event".to_owned(),
        fold::ForeignOrigin::RawEvent(kind) => {
            format!("from the producer's own event beside {kind}")
        }
        fold::ForeignOrigin::ToolResult => "from a tool result".to_owned(),
    }
}

/// Whatever else of a message is to be shown, as JSON.
pub(super) fn extra(message: &fold::Message) -> Option<String> {
    let mut extra = serde_json::Map::new();
    let mut put = |key: &str, value: Option<serde_json::Value>| {
        if let Some(value) = value {
            extra.insert(key.to_owned(), value);
        }
    };
    put("title", message.title.clone().map(Into::into));
    put("error", message.error.clone().map(Into::into));
    put("metadata", message.metadata.clone().map(Into::into));
    put("afterEnd", message.after_end.then(|| true.into()));
    (!extra.is_empty()).then(|| serde_json::Value::Object(extra).to_string())
}

/// What is to be said of a run's end beyond its word, as JSON.
pub(super) fn ending_detail(run: &fold::Run) -> Option<String> {
    let (code, message) = match &run.ending {
        Some(Ending::Error { code, message }) => (code.clone(), message.clone()),
        Some(Ending::Aborted { message }) => (None, message.clone()),
        _ => (None, None),
    };
    let waiting = run.pending_tool_calls.len();
    if code.is_none() && message.is_none() && run.interrupts.is_empty() && waiting == 0 {
        return None;
    }
    let interrupts: Vec<_> = run
        .interrupts
        .iter()
        .map(|interrupt| json!({ "reason": interrupt.reason, "message": interrupt.message }))
        .collect();
    Some(
        json!({ "code": code, "message": message, "interrupts": interrupts, "waiting": waiting })
            .to_string(),
    )
}
