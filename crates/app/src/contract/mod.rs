//! The command contract: every command a host offers, with its request and response.
//!
//! [`commands!`](crate::commands) lists the commands once. A host hands it a macro of its own and gets one entry per command,
//! so a host that forgets a command does not compile. The types cross to the user interface through
//! `ts-rs` (`ui/src/gen/`), as camelCase JSON; row ids cross as strings, instants as RFC 3339 text in UTC.

mod conversation;
mod error;
mod finding;
mod host;
mod import;
mod job;
mod source;
mod status;

pub use conversation::*;
pub use error::*;
pub use finding::*;
pub use host::*;
pub use import::*;
pub use job::*;
pub use source::*;
pub use status::*;

/// Calls `$each!` once per command: `name, Request, Response, "what it does"`.
#[macro_export]
macro_rules! commands {
    ($each:ident) => {
        $each! {
            status, Nothing, Status, "What archive is open and what it holds";
            list_conversations, ConversationQuery, ConversationPage, "Conversations, newest first";
            conversation, ConversationRef, ConversationHead, "One conversation: its runs, services, notes";
            transcript, TranscriptQuery, TranscriptPage, "Messages of a conversation by their place";
            answer_sources, MessageRef, AnswerSources, "The sources of one answer, with their standing";
            record, RecordRef, RecordDetail, "One citation record, field by field and raw";
            unplaced_citations, ConversationRef, UnplacedCitations, "Citation events that no message shows";
            list_findings, FindingQuery, FindingPage, "Findings, newest first";
            finding_raw, FindingRef, RawText, "The bytes that a finding is about";
            filters, Nothing, Filters, "What conversations can be filtered by";
            import_paths, ImportPaths, JobRef, "Import files and folders";
            import_text, ImportText, JobRef, "Import pasted text";
            job, JobRef, JobState, "How a job stands";
            cancel_job, JobRef, Nothing, "Stop a job";
            verify, Nothing, JobRef, "Check every byte of the archive";
            rebuild, Nothing, JobRef, "Make every derived table again";
            export, ExportRequest, ExportDone, "Write a conversation to a file";
            settings, Nothing, Settings, "The user's settings";
            set_settings, Settings, Settings, "Change the user's settings";
            inspect_link, LinkText, LinkPreview, "What a link would open, before it opens";
        }
    };
}

/// No request, or no answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
#[ts(export)]
pub struct Nothing {}
