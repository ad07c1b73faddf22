import { scriptedFindings } from './findings';
import { harbour } from './harbour';
import { Scripted } from './scripted';
import { hostileConversation, longConversation } from './stress';
import { emptyWorld, row, conversation, type World } from './world';

/** The scripted platform in the state that the address asks for: `?scene=empty`, `loading`, `failed`, `damaged`, `large`, … */
export function scriptedByAddress(): Scripted {
  const query = new URLSearchParams(location.search);
  const scripted = new Scripted(scene(query.get('scene') ?? 'harbour'));
  scripted.sample = sampleWorld();
  const theme = query.get('theme');
  if (theme === 'light' || theme === 'dark') scripted.world.settings = { ...scripted.world.settings, theme };
  if (query.has('summary')) setTimeout(() => document.querySelector<HTMLElement>('nav .import')?.click(), 300);
  return scripted;
}

/** The sample archive as the scripted platform has it. */
export function sampleWorld(now = Date.now()): World {
  const { findings, raw } = scriptedFindings(240);
  return harbour(now, { ...emptyWorld(), findings, raw, summary: summary() });
}

function scene(name: string): World {
  const sample = sampleWorld();
  const own: World = { ...sample, status: { ...sample.status, sample: false } };
  const now = new Date().toISOString();
  switch (name) {
    case 'empty':
      return { ...emptyWorld(), summary: summary() };
    case 'loading':
      return {
        ...own,
        silent: ['list_conversations', 'conversation', 'transcript', 'answer_sources', 'list_findings'],
      };
    case 'failed': {
      const failure = {
        kind: 'storage' as const,
        message: 'The archive could not be read: disk I/O error.',
        hint: 'Check the disk, then try again.',
      };
      return {
        ...own,
        failures: {
          list_conversations: failure,
          conversation: failure,
          transcript: failure,
          answer_sources: failure,
          list_findings: failure,
        },
      };
    }
    case 'damaged': {
      const failure = {
        kind: 'damaged' as const,
        message: 'The archive file is damaged: page 41 does not match its checksum.',
        hint: 'Run “recite verify” to see all of it.',
      };
      return { ...own, status: { ...own.status, access: 'none', failure } };
    }
    case 'read-only': {
      const failure = {
        kind: 'busy' as const,
        message: 'Another Recite, process 4121, holds the archive for writing.',
        hint: 'Close it to import here.',
      };
      return { ...own, status: { ...own.status, access: 'read-only', failure } };
    }
    case 'large': {
      const many = Array.from({ length: 4000 }, (_, i) =>
        conversation(
          row(`m${i}`, `Conversation ${i + 1}`, { lastAt: new Date(Date.now() - i * 5_400_000).toISOString() }),
          [],
        ),
      );
      return { ...own, conversations: [longConversation('long', 10_000, now), ...many] };
    }
    case 'hostile':
      return { ...own, conversations: [hostileConversation('x', now, own), ...own.conversations] };
    case 'importing':
      return { ...own, pace: 4000, steps: 40 };
    default:
      return { ...own, status: { ...own.status, sample: name === 'sample' } };
  }
}

function summary(): World['summary'] {
  const counts = {
    events: 312,
    runs: 2,
    conversations: 1,
    messages: 7,
    citationEvents: 2,
    citations: 3,
    findings: 1,
    newRuns: 2,
    conversationIds: ['c1'],
  };
  const none = {
    events: 0,
    runs: 0,
    conversations: 0,
    messages: 0,
    citationEvents: 0,
    citations: 0,
    findings: 0,
    newRuns: 0,
    conversationIds: [],
  };
  return {
    sources: [
      {
        path: '/home/lena/harbour/refund.sse',
        sha256: 'ab12',
        format: 'Server-sent events',
        status: 'added',
        ...counts,
        leftOut: null,
        error: null,
      },
      {
        path: '/home/lena/harbour/desk.har',
        sha256: 'cd34',
        format: 'HAR',
        status: 'added',
        ...counts,
        findings: 4,
        leftOut: '12 headers and 3 cookies of 4 entries',
        error: null,
      },
      {
        path: '/home/lena/harbour/monday.jsonl.gz',
        sha256: 'ef56',
        format: 'JSON lines',
        status: 'already-held',
        ...counts,
        newRuns: 0,
        leftOut: null,
        error: null,
      },
      {
        path: '/home/lena/harbour/logo.png',
        sha256: '0a0b',
        format: null,
        status: 'refused',
        ...none,
        leftOut: null,
        error: {
          kind: 'bad-input',
          message: 'This is no recording: a PNG image.',
          hint: 'Recite looked for JSON, JSON lines, server-sent events, HAR, inspector sessions and protobuf frames.',
        },
      },
    ],
  };
}
