// Made from the command list of the contract. Do not edit.
import type { AnswerSources } from "./AnswerSources";
import type { CitingPage } from "./CitingPage";
import type { CitingQuery } from "./CitingQuery";
import type { ConversationHead } from "./ConversationHead";
import type { ConversationPage } from "./ConversationPage";
import type { ConversationQuery } from "./ConversationQuery";
import type { ConversationRef } from "./ConversationRef";
import type { ExportDone } from "./ExportDone";
import type { ExportRequest } from "./ExportRequest";
import type { Filters } from "./Filters";
import type { FindingPage } from "./FindingPage";
import type { FindingQuery } from "./FindingQuery";
import type { FindingRef } from "./FindingRef";
import type { ImportPaths } from "./ImportPaths";
import type { ImportText } from "./ImportText";
import type { JobRef } from "./JobRef";
import type { JobState } from "./JobState";
import type { LinkPreview } from "./LinkPreview";
import type { LinkText } from "./LinkText";
import type { MessageRef } from "./MessageRef";
import type { Nothing } from "./Nothing";
import type { RawText } from "./RawText";
import type { RecordDetail } from "./RecordDetail";
import type { RecordRef } from "./RecordRef";
import type { Settings } from "./Settings";
import type { Status } from "./Status";
import type { TranscriptPage } from "./TranscriptPage";
import type { TranscriptQuery } from "./TranscriptQuery";
import type { UnplacedCitations } from "./UnplacedCitations";

/** Every command: what it takes and what it gives. */
export interface Commands {
  /** What archive is open and what it holds. */
  status: { request: Nothing; response: Status };
  /** Conversations, newest first. */
  list_conversations: { request: ConversationQuery; response: ConversationPage };
  /** One conversation: its runs, services, notes. */
  conversation: { request: ConversationRef; response: ConversationHead };
  /** Messages of a conversation by their place. */
  transcript: { request: TranscriptQuery; response: TranscriptPage };
  /** The sources of one answer, with their standing. */
  answer_sources: { request: MessageRef; response: AnswerSources };
  /** Other answers that cite the node of a record. */
  citing_answers: { request: CitingQuery; response: CitingPage };
  /** One citation record, field by field and raw. */
  record: { request: RecordRef; response: RecordDetail };
  /** Citation events that no message shows. */
  unplaced_citations: { request: ConversationRef; response: UnplacedCitations };
  /** Findings, newest first. */
  list_findings: { request: FindingQuery; response: FindingPage };
  /** The bytes that a finding is about. */
  finding_raw: { request: FindingRef; response: RawText };
  /** What conversations can be filtered by. */
  filters: { request: Nothing; response: Filters };
  /** Import files and folders. */
  import_paths: { request: ImportPaths; response: JobRef };
  /** Import pasted text. */
  import_text: { request: ImportText; response: JobRef };
  /** How a job stands. */
  job: { request: JobRef; response: JobState };
  /** Stop a job. */
  cancel_job: { request: JobRef; response: Nothing };
  /** Check every byte of the archive. */
  verify: { request: Nothing; response: JobRef };
  /** Make every derived table again. */
  rebuild: { request: Nothing; response: JobRef };
  /** Write a conversation to a file. */
  export: { request: ExportRequest; response: ExportDone };
  /** The user's settings. */
  settings: { request: Nothing; response: Settings };
  /** Change the user's settings. */
  set_settings: { request: Settings; response: Settings };
  /** What a link would open, before it opens. */
  inspect_link: { request: LinkText; response: LinkPreview };
}
