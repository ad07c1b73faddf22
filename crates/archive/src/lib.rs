//! The SQLite archive of Recite: the only crate that knows SQL.
//!
//! * [`Archive`] names a file and opens [`Reader`]s (any number) and one [`Writer`].
//! * [`Intake`] takes one source in: its bytes as segments whose concatenation is the original, and the rows
//!   that the importer derives from them, in batches that never leave a half run visible.
//! * [`Rebuild`] derives every row again from the stored bytes, in one transaction.
//!
//! Times are arguments; nothing here asks the clock or the environment.

#[macro_use]
mod table;

mod again;
mod archive;
mod batch;
mod connect;
mod content;
mod error;
mod feed;
mod hash;
mod intake;
mod lock;
mod migrate;
mod page;
#[cfg(test)]
mod plan;
mod read;
mod reader;
mod rebuild;
mod search;
mod take_out;
mod value;
pub mod verify;
mod writer;

pub use again::{Former, Relative};
pub use archive::{Archive, Mode};
pub use batch::Batch;
pub use content::ContentReader;
pub use error::{Error, Holder, Kind, Result};
pub use feed::{Feeds, Segment, Taken};
pub use intake::{Finish, Intake};
pub use migrate::SCHEMA_VERSION;
pub use page::{Cursor, MAX_PAGE_ROWS, Page};
pub use read::citations::{Citation, CitationEvent, Cited, CitingAnswer, ForeignSource, Record};
pub use read::conversations::{Conversation, ConversationPage};
pub use read::filter::{ConversationFilter, TEXT_WINDOW, TrustFilter};
pub use read::findings::{Finding, FindingFilter, FindingTotal};
pub use read::messages::{Alias, Edit, Message, ToolCall, Window};
pub use read::overview::{Note, Totals};
pub use read::runs::{Connection, Occurrence, Run};
pub use reader::{Interrupter, Reader};
pub use rebuild::Rebuild;
pub use table::citation::NewCitation;
pub use table::citation_event::{EarlierEvent, MAX_EVENTS_OF_MESSAGE, NewCitationEvent};
pub use table::connection::NewConnection;
pub use table::conversation::{MAX_CONVERSATIONS_OF_THREAD, NewConversation, ThreadState};
pub use table::finding::{MAX_EXCERPT_BYTES, NewFinding};
pub use table::foreign_source::NewForeignSource;
pub use table::message::{MessageUpdate, NewAlias, NewEdit, NewMessage};
pub use table::record::{NewNode, NewPackage, NewRecord, NewReview, NewStated};
pub use table::run::{MAX_RUNS_OF_STATED_IDS, NewOccurrence, NewRun, RunMatch};
pub use table::segment::{MAX_SEGMENT_BYTES, MIN_SEGMENT_BYTES, ZSTD_LEVEL};
pub use table::service::Service;
pub use table::source::{NewSource, Source, SourceCounts};
pub use table::tool_call::{NewSegment, NewToolCall};
pub use take_out::TakenOut;
pub use value::{
    Carrier, CitationEventId, CitationId, CitationState, ConnectionId, ConversationId, Ending,
    FindingId, Instant, Kept, MessageId, NoteId, NoteKind, RecordId, RelationKind, ReviewKind,
    RunId, ServiceId, Severity, Sha256, SourceId, SourceState, Stream, Subject, ToolCallId,
};
pub use writer::Writer;
