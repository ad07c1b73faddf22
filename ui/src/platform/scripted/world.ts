import type { AnswerSources } from '../../gen/AnswerSources';
import type { ConversationHead } from '../../gen/ConversationHead';
import type { ConversationRow } from '../../gen/ConversationRow';
import type { Failure } from '../../gen/Failure';
import type { Filters } from '../../gen/Filters';
import type { FindingRow } from '../../gen/FindingRow';
import type { ImportSummary } from '../../gen/ImportSummary';
import type { Message } from '../../gen/Message';
import type { RecordDetail } from '../../gen/RecordDetail';
import type { Settings } from '../../gen/Settings';
import type { SourceStrip } from '../../gen/SourceStrip';
import type { Status } from '../../gen/Status';
import type { TranscriptItem } from '../../gen/TranscriptItem';
import type { UnplacedCitation } from '../../gen/UnplacedCitation';
import type { VerifyReport } from '../../gen/VerifyReport';
import type { Command } from '../contract';

/** A conversation of the scripted platform. */
export interface ScriptedConversation {
  head: ConversationHead;
  /** Messages in all. */
  total: number;
  /** The message at a place. */
  item: (place: number) => TranscriptItem;
  unplaced: UnplacedCitation[];
}

/** Everything the scripted platform answers from. */
export interface World {
  status: Status;
  settings: Settings;
  conversations: ScriptedConversation[];
  /** Sources by message row id; answers without an entry have no citation event. */
  sources: Map<string, AnswerSources>;
  /** Records by row id. */
  records: Map<string, RecordDetail>;
  findings: FindingRow[];
  /** Raw events by finding. */
  raw: Map<string, string>;
  filters: Filters;
  /** What an import ends with. */
  summary: ImportSummary;
  /** What a verification ends with. */
  report: VerifyReport;
  /** Commands that fail. */
  failures: Partial<Record<Command, Failure>>;
  /** Commands that never answer, for the loading states. */
  silent: Command[];
  /** Steps of progress a job takes, and the time between them in milliseconds. */
  steps: number;
  pace: number;
}

/** An archive that holds nothing. */
export function emptyWorld(): World {
  return {
    status: {
      version: '0.1.0',
      path: '/home/lena/.local/share/recite/archive.sqlite',
      access: 'full',
      failure: null,
      sample: false,
      counts: { recordings: 0, conversations: 0, answers: 0, records: 0, findings: 0, bytes: '94208' },
    },
    settings: { theme: 'system', timeFormat: 'local' },
    conversations: [],
    sources: new Map(),
    records: new Map(),
    findings: [],
    raw: new Map(),
    filters: { services: [], packages: [], trust: [], findings: [] },
    summary: { sources: [] },
    report: {
      sound: true,
      recordings: 14,
      segments: 61,
      bytes: '48211904',
      damage: [],
      more: 0,
      touched: [],
      untold: 0,
    },
    failures: {},
    silent: [],
    steps: 12,
    pace: 350,
  };
}

/** The strip of a conversation none of whose answers has sources. */
export function unsourced(coverage: string): SourceStrip {
  return { tones: [], parts: [], coverage, label: coverage };
}

/** A line of the list; what is not given is unremarkable. */
export function row(id: string, title: string, over: Partial<ConversationRow> = {}): ConversationRow {
  return {
    id,
    title,
    service: 'Harbour desk',
    threadId: `thread-${id}`,
    runs: 1,
    messages: 2,
    answers: 1,
    citations: 0,
    firstAt: over.lastAt ?? null,
    lastAt: null,
    timesAreImport: false,
    strip: unsourced('Sources unknown: no citation event names the answer'),
    findings: 0,
    ...over,
  };
}

/** A message; what is not given is unremarkable. */
export function message(id: string, role: Message['role'], html: string, over: Partial<Message> = {}): Message {
  return {
    id,
    messageId: `msg-${id}`,
    role,
    roleAsSent: role,
    html,
    cut: false,
    summary: null,
    ended: true,
    at: null,
    origin: 'streamed',
    aliases: [],
    toolCalls: [],
    sources: null,
    ...over,
  };
}

/** A conversation made of a list of messages; the runs begin where they are given. */
export function conversation(
  line: ConversationRow,
  items: { message: Message; runsBefore?: TranscriptItem['runsBefore'] }[],
  over: Partial<ConversationHead> = {},
  unplaced: UnplacedCitation[] = [],
): ScriptedConversation {
  const transcript = items.map((item, place) => ({ place, runsBefore: item.runsBefore ?? [], message: item.message }));
  return {
    head: {
      row: { ...line, messages: transcript.length },
      events: '312',
      runs: transcript.flatMap((item) => item.runsBefore),
      recordings: [
        {
          id: `rec-${line.id}`,
          name: 'harbour-desk.2026-11-30.sse',
          format: 'Server-sent events',
          sha256: '9a1f2e0c7b5d4e3f8a6b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f',
          bytes: '84211',
          importedAt: line.lastAt ?? '2026-11-30T09:50:00Z',
        },
      ],
      notes: [],
      unplacedCitations: unplaced.length,
      ...over,
    },
    total: transcript.length,
    item: (place) => transcript[place] as TranscriptItem,
    unplaced,
  };
}
