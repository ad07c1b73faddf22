//! Reading the archive: lists, transcripts, sources, findings, as the contract gives them.

mod citing;
mod conversations;
mod findings;
mod raw;
mod runs;
mod sources;
mod status;
mod transcript;

use std::{str::FromStr, sync::Arc};

use archive::{ConversationId, FindingId, MessageId, RecordId};

use crate::{
    App,
    contract::{
        AnswerSources, CitingPage, CitingQuery, Commands, ConversationHead, ConversationPage,
        ConversationQuery, ConversationRef, ErrorKind, ExportDone, ExportRequest, Failure, Filters,
        FindingPage, FindingQuery, FindingRef, ImportPaths, ImportText, JobRef, JobState,
        LinkPreview, LinkText, MessageRef, Nothing, RawText, RecordDetail, RecordRef, Settings,
        Status, TranscriptPage, TranscriptQuery, UnplacedCitations,
    },
};

pub(crate) use self::{
    conversations::{called, messages_only, notes, title},
    runs::{ending_text, question_recorded},
    sources::{held_since, others, replaced},
};

/// Rows of a page when the host does not say.
const PAGE_ROWS: u32 = 200;

impl Commands for Arc<App> {
    fn status(&self, _: Nothing) -> Result<Status, Failure> {
        self.read_status()
    }

    fn list_conversations(&self, query: ConversationQuery) -> Result<ConversationPage, Failure> {
        self.read_conversations(&query)
    }

    fn conversation(&self, conversation: ConversationRef) -> Result<ConversationHead, Failure> {
        self.read_conversation(ConversationId(row(&conversation.id)?))
    }

    fn transcript(&self, query: TranscriptQuery) -> Result<TranscriptPage, Failure> {
        self.read_transcript(ConversationId(row(&query.conversation)?), query.first, query.limit)
    }

    fn answer_sources(&self, message: MessageRef) -> Result<AnswerSources, Failure> {
        self.read_sources(MessageId(row(&message.id)?))
    }

    fn citing_answers(&self, query: CitingQuery) -> Result<CitingPage, Failure> {
        self.read_citing(&query)
    }

    fn record(&self, record: RecordRef) -> Result<RecordDetail, Failure> {
        self.read_record(RecordId(row(&record.id)?))
    }

    fn unplaced_citations(
        &self,
        conversation: ConversationRef,
    ) -> Result<UnplacedCitations, Failure> {
        self.read_unplaced(ConversationId(row(&conversation.id)?))
    }

    fn list_findings(&self, query: FindingQuery) -> Result<FindingPage, Failure> {
        self.read_findings(&query)
    }

    fn finding_raw(&self, finding: FindingRef) -> Result<RawText, Failure> {
        self.read_finding_raw(FindingId(row(&finding.id)?))
    }

    fn filters(&self, _: Nothing) -> Result<Filters, Failure> {
        self.read_filters()
    }

    fn import_paths(&self, paths: ImportPaths) -> Result<JobRef, Failure> {
        self.start_import_paths(paths)
    }

    fn import_text(&self, text: ImportText) -> Result<JobRef, Failure> {
        self.start_import_text(text)
    }

    fn job(&self, job: JobRef) -> Result<JobState, Failure> {
        self.jobs()?.state(&job)
    }

    fn cancel_job(&self, job: JobRef) -> Result<Nothing, Failure> {
        self.jobs()?.cancel(&job).map(|()| Nothing {})
    }

    fn verify(&self, _: Nothing) -> Result<JobRef, Failure> {
        self.start_verify()
    }

    fn rebuild(&self, _: Nothing) -> Result<JobRef, Failure> {
        self.start_rebuild()
    }

    fn export(&self, request: ExportRequest) -> Result<ExportDone, Failure> {
        self.export_to_file(&request.conversation, request.format, request.path.as_ref())
    }

    fn settings(&self, _: Nothing) -> Result<Settings, Failure> {
        self.read_settings()
    }

    fn set_settings(&self, settings: Settings) -> Result<Settings, Failure> {
        self.write_settings(settings)
    }

    fn inspect_link(&self, link: LinkText) -> Result<LinkPreview, Failure> {
        let found = render::link(&link.url)
            .map_err(|refused| Failure::new(ErrorKind::BadInput, refused.to_string()))?;
        let warning = found.mixed_scripts.then(|| {
            "The name of this site mixes scripts; it may be made to look like another.".to_owned()
        });
        Ok(LinkPreview { host: found.ascii_host, url: found.ascii_url, warning })
    }
}

/// A row id as it crosses to a host.
pub(crate) fn row(id: &str) -> Result<i64, Failure> {
    i64::from_str(id)
        .map_err(|_| Failure::new(ErrorKind::NotFound, "There is nothing with this id."))
}

/// A count as it crosses to a host; the archive never holds 2^32 rows of what is counted here.
pub(crate) fn count(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What was asked for is not in the archive.
pub(crate) fn not_held(what: &str) -> Failure {
    Failure::new(ErrorKind::NotFound, format!("The archive holds no such {what}."))
}
