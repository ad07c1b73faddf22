import type { FindingRow } from '../../gen/FindingRow';

const CODES: [code: string, severity: string, meaning: string, message: string][] = [
  [
    'moca.order',
    'warning',
    'Citations stand in another order than that of their first mention.',
    'Citation [3] is mentioned before [2].',
  ],
  [
    'moca.after-run',
    'error',
    'The citation event came after the end of its run.',
    'The event for msg-a9 came after RUN_FINISHED.',
  ],
  [
    'moca.computed-at-missing',
    'info',
    'The event does not say when its flags were true.',
    'No computedAt in the event for msg-i1.',
  ],
  [
    'moca.marker-not-in-text',
    'warning',
    'A marker of the event does not occur in the answer.',
    'The marker [7] does not occur in the answer.',
  ],
  ['moca.record-invalid', 'error', 'A record breaks the citation-record schema.', 'trust.stale is missing.'],
  [
    'agui.unknown-event',
    'info',
    'An event type that Recite does not know; it is kept.',
    'CUSTOM_PING is no event type of AG-UI 1.0.',
  ],
];

/** Findings of some codes, newest first, with the raw events they are about. */
export function scriptedFindings(count: number): { findings: FindingRow[]; raw: Map<string, string> } {
  const raw = new Map<string, string>();
  const findings = Array.from({ length: count }, (_, i): FindingRow => {
    const [code, severity, meaning, message] = CODES[(i * 7 + (i % 4)) % CODES.length] ?? CODES[0] ?? ['', '', '', ''];
    const id = `f${i}`;
    raw.set(
      id,
      `{"type":"CUSTOM","name":"moca.citations","value":{"version":1,"messageId":"msg-${i}","citations":[]}}`,
    );
    return {
      id,
      code,
      severity,
      meaning,
      message,
      recording: 'rec-c1',
      recordingName: 'harbour-desk.2026-11-30.sse',
      conversation: i % 3 === 2 ? 'c3' : 'c1',
      conversationTitle:
        i % 3 === 2
          ? 'Insurance abroad: what is covered in Norway and Switzerland?'
          : 'Can I return a rented bike at another station, and what does it cost?',
      run: 'run-1',
      event: String(40 + i),
      hasRaw: true,
    };
  });
  return { findings, raw };
}
