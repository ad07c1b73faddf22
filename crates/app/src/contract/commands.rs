// The command list. Nothing but the macro stands here: the desktop shell's build script includes this
// file to make one permission for each command.

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
            citing_answers, CitingQuery, CitingPage, "Other answers that cite the node of a record";
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
