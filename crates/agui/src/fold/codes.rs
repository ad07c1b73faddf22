//! Codes of the fold.

use crate::event::note::codes;
use crate::finding::{Code, Severity};

codes! {
    STARTED_TWICE = "agui.message.started-twice", Warning,
        "A message was started while it was open.", "facts/agui §3.1";
    CONTENT_NOT_OPEN = "agui.message.not-started", Warning,
        "Text came for a message that was not started; it is kept.", "facts/agui §3.1";
    CONTENT_AFTER_END = "agui.message.content-after-end", Warning,
        "Text came for a message that had ended; it is appended.", "facts/agui §3.1";
    END_NOT_OPEN = "agui.message.end-not-open", Warning,
        "An end came for a message that was not open.", "facts/agui §3.1";
    OPEN_AT_END = "agui.run.finished-while-open", Warning,
        "The run finished while something in it was open.", "facts/agui §3.1";
    ROLE_CHANGED = "agui.message.role-changed", Warning,
        "A message was opened again under another role; the first one stays.", "facts/agui §3.0";
    OWNER_CHANGED = "agui.message.other-subagent", Warning,
        "An event names another sub-agent than the one that opened the message.", "facts/agui §3.1";
    ID_REUSED = "agui.message.id-reused", Info,
        "A message has the id of another one of an earlier run; they are kept apart.", "facts/agui §3.0";
    ID_MISSING = "agui.message.id-derived", Info,
        "A message has no id; one was made for it.", "facts/agui §1.12";
    ID_TOO_LONG = "agui.message.id-too-long", Warning,
        "An id is longer than ids may be; it is shown cut, with a digest.", "Recite's limits";
    TEXT_TOO_LONG = "agui.message.text-too-long", Warning,
        "A message is longer than is shown; its events are kept whole.", "Recite's limits";
    CHUNK_WITHOUT_ID = "agui.chunk.no-id", Warning,
        "A chunk has no id and none is open; a strict client rejects it.", "facts/agui §3.2";
    TOOL_STARTED_TWICE = "agui.tool.started-twice", Warning,
        "A tool call was started while it was open.", "facts/agui §3.1";
    TOOL_NOT_STARTED = "agui.tool.not-started", Warning,
        "Arguments came for a tool call that was not started; they are kept.", "facts/agui §3.1";
    TOOL_ARGS_AFTER_END = "agui.tool.arguments-after-end", Warning,
        "Arguments came for a tool call that had ended; they are appended.", "facts/agui §3.1";
    TOOL_END_NOT_OPEN = "agui.tool.end-not-open", Warning,
        "An end came for a tool call that was not open.", "facts/agui §3.1";
    TOOL_RESTARTED = "agui.tool.started-again", Info,
        "A tool call of an earlier run was started again; both starts are shown as one call.", "facts/agui §3.6";
    TOOL_ID_REUSED = "agui.tool.id-reused", Info,
        "A tool call has the id of another one of an earlier run; they are kept apart.", "facts/agui §3.0";
    RESULT_WITHOUT_CALL = "agui.tool.result-without-call", Warning,
        "A result came for a tool call that is not held.", "facts/agui §3.1";
    RESULT_TWICE = "agui.tool.result-twice", Warning,
        "A second result came for a tool call; both are kept.", "facts/agui §3.0";
    STEP_STARTED_TWICE = "agui.step.started-twice", Warning,
        "A step was started while it was open.", "facts/agui §3.1";
    STEP_NOT_OPEN = "agui.step.not-started", Warning,
        "A step was finished that was not open.", "facts/agui §3.1";
    SPAN_STARTED_TWICE = "agui.reasoning.started-twice", Warning,
        "A span of reasoning was started while it was open.", "facts/agui §3.1";
    SPAN_NOT_OPEN = "agui.reasoning.not-started", Warning,
        "A span of reasoning was ended that was not open.", "facts/agui §3.1";
    ENCRYPTED_OF_UNKNOWN = "agui.reasoning.encrypted-of-unknown", Info,
        "An encrypted value belongs to something that is not held.", "facts/agui §1.8";
    SUBAGENT_REUSED = "agui.subagent.id-reused", Warning,
        "A sub-agent was started under an id that the run used before.", "facts/agui §3.1";
    SUBAGENT_NOT_OPEN = "agui.subagent.not-started", Info,
        "A sub-agent ended that was not started.", "facts/agui §3.0";
    STATE_FALSY = "agui.state.falsy-snapshot", Info,
        "A state snapshot of a producer older than 1.0 is null, false, 0 or empty; its clients ignore it.",
        "facts/agui §1.5";
    PATCH_FAILED = "agui.patch.failed", Warning,
        "A patch does not apply; the value stays as it was.", "facts/agui §3.0";
    PATCH_UNKNOWN_OP = "agui.patch.unknown-operation", Warning,
        "A patch holds an operation that is in no enumeration: from 1.0 on the rest is applied, before nothing is.",
        "facts/agui §3.0";
    PATCH_TOO_LARGE = "agui.patch.too-large", Warning,
        "A patch has more operations, or would make a value larger, than is worked out; the value stays as it was.",
        "Recite's limits";
    ACTIVITY_NOT_HELD = "agui.activity.not-held", Warning,
        "A change came for an activity without a snapshot.", "facts/agui §3.0";
    LIST_UNREADABLE = "agui.messages.unreadable", Warning,
        "A list of messages, or an element of it, could not be read.", "facts/agui §1.12";
    LIST_TOO_LONG = "agui.messages.too-many", Warning,
        "A list has more messages than are read.", "Recite's limits";
    LIST_AMBIGUOUS = "agui.messages.ambiguous", Info,
        "Several messages have this text; none is taken to be the one of the list.", "facts/agui §3.4";
    LIST_RENAMES = "agui.messages.renamed", Info,
        "A list gives a message another id.", "facts/agui §3.4";
    LIST_DIFFERS = "agui.messages.other-text", Warning,
        "A list gives a message another text; the one received first is shown, both are kept.", "facts/agui §3.4";
    UNKNOWN_PART = "agui.messages.unknown-part", Info,
        "A message has a part of a kind we do not know; it is kept.", "facts/agui §1.12";
    NO_QUESTION = "agui.run.question-not-recorded", Info,
        "The question of this run was not recorded.", "facts/agui §3.3";
    REPLAY = "agui.run.replay", Info,
        "The run is a replay of an earlier one of this thread; it is shown once.", "facts/agui §3.6";
    VARIANT = "agui.run.same-id-other-events", Warning,
        "The run has the id of an earlier one of this thread, but other events; both are kept.", "facts/agui §3.6";
    REPLAY_NOT_COMPARED = "agui.run.replay-not-compared", Warning,
        "The run has the id of an earlier one and is too long to be compared before it is shown.", "Recite's limits";
    COMPACTED = "agui.run.compacted", Info,
        "The run seems to be compacted by its producer; timing is lost.", "facts/agui §3.5";
    INTERRUPT_UNANSWERED = "agui.run.interrupt-unanswered", Info,
        "The run began while an interrupt of the thread was not answered.", "facts/agui §3.6";
    CITATION_EARLY = "agui.citations.before-message-end", Warning,
        "A citations event came before the end of its message.", "seed §3";
    CITATION_LATE = "agui.citations.after-run-end", Warning,
        "A citations event came after the end of its run.", "seed §3";
    MESSAGE_WENT_ON = "agui.citations.message-went-on", Warning,
        "Text was added to a message after its citations event, which speaks of less than is shown.", "seed §3";
    CITATION_AMBIGUOUS = "agui.citations.several-messages", Warning,
        "A citations event names an id that several messages of one run have; it is shown with none of them.", "seed §3";
    FOREIGN_TOO_MANY = "agui.foreign.too-many", Info,
        "The run names more sources in other forms than are listed.", "Recite's limits";
}
