// The command list of `app::contract::commands!`, with its generated types.

import type { AnswerSources } from '../gen/AnswerSources';
import type { ConversationHead } from '../gen/ConversationHead';
import type { ConversationPage } from '../gen/ConversationPage';
import type { ConversationQuery } from '../gen/ConversationQuery';
import type { ConversationRef } from '../gen/ConversationRef';
import type { ExportDone } from '../gen/ExportDone';
import type { ExportRequest } from '../gen/ExportRequest';
import type { Filters } from '../gen/Filters';
import type { FindingPage } from '../gen/FindingPage';
import type { FindingQuery } from '../gen/FindingQuery';
import type { FindingRef } from '../gen/FindingRef';
import type { ImportPaths } from '../gen/ImportPaths';
import type { ImportText } from '../gen/ImportText';
import type { JobRef } from '../gen/JobRef';
import type { JobState } from '../gen/JobState';
import type { LinkPreview } from '../gen/LinkPreview';
import type { LinkText } from '../gen/LinkText';
import type { MessageRef } from '../gen/MessageRef';
import type { Nothing } from '../gen/Nothing';
import type { RawText } from '../gen/RawText';
import type { RecordDetail } from '../gen/RecordDetail';
import type { RecordRef } from '../gen/RecordRef';
import type { Settings } from '../gen/Settings';
import type { Status } from '../gen/Status';
import type { TranscriptPage } from '../gen/TranscriptPage';
import type { TranscriptQuery } from '../gen/TranscriptQuery';
import type { UnplacedCitations } from '../gen/UnplacedCitations';

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

/** Name of a command. */
export type Command = keyof Commands;

/** What a command takes. */
export type RequestOf<C extends Command> = Commands[C]['request'];

/** What a command gives. */
export type ResponseOf<C extends Command> = Commands[C]['response'];
