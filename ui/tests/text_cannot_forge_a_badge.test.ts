import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer, card, cite } from '../src/platform/scripted/harbour';
import { declared, flag, read, signed, statedBy } from '../src/platform/scripted/standings';
import { conversation, message, row } from '../src/platform/scripted/world';
import { cleanup } from '@testing-library/svelte';
import { open, one, seen, world } from './open';

interface Entry {
  category: string;
  text?: string;
  repeat?: string;
  times?: number;
}

const file = new URL('../../tests/fixtures/hostile-strings.json', import.meta.url);
const { strings } = JSON.parse(readFileSync(file, 'utf8')) as { strings: Entry[] };
/** Longest string put into a field; the length itself is tried in a real window. */
const LONGEST = 4000;
const hostile = strings.map((entry) => (entry.text ?? (entry.repeat ?? '').repeat(entry.times ?? 1)).slice(0, LONGEST));
const FIELDS_AT_ONCE = 20;

/** A conversation with one source, whose every text field is this text. HTML comes from `render` and is not put in here. */
async function shown(text: string): Promise<Record<string, number>> {
  const then = statedBy('2026-11-30T10:42:11+01:00');
  const standing = read(then, {
    integrity: { ...signed(then, 'x'), badge: text, detail: text, sentence: text },
    reviews: [{ ...flag(then, 'unknownOutcome' as const, 'unknown', text, text), sentence: text }],
    declared: [{ ...declared(then, text), sentence: text }],
  });
  const source = card(0, text, standing, {
    marker: text,
    nodeType: text,
    nodeRef: text,
    package: text,
    path: text,
    locale: text,
    places: [{ place: 0, excerpt: text }],
  });
  const over = world();
  over.findings = over.findings.slice(0, 1).map((finding) => ({ ...finding, message: text, meaning: text }));
  over.sources.set(
    'h',
    answer('h', [source], {
      computedAtNote: text,
      others: [{ title: text, url: null, host: text, origin: text }],
      findings: over.findings,
    }),
  );
  const line = row('h', text, { service: text, strip: { tones: ['good'], label: text } });
  over.conversations = [
    conversation(
      line,
      [
        {
          message: message('h', 'assistant', `<p>An answer ${cite(0, 0)}</p>`, {
            messageId: text,
            summary: text,
            toolCalls: [{ toolCallId: text, name: text, arguments: text, answered: true }],
            sources: { state: 'applied', sentence: text, basis: text, tones: ['good'] },
          }),
        },
      ],
      { notes: [text] },
    ),
  ];
  await open('#/conversations/h', over);
  await seen('1 place in the answer');
  const counts: Record<string, number> = {};
  for (const { localName, className } of document.body.querySelectorAll<HTMLElement>('*')) {
    const name = `${localName}.${String(className)
      .replace(/svelte-\w+/g, '')
      .trim()}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe(`each of ${hostile.length} hostile strings in ${FIELDS_AT_ONCE} fields stays text`, () => {
  it('the window has the same elements as with a plain word, and no script ran', async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(300);
    const plain = await shown('plain');
    cleanup();
    for (const text of hostile) {
      const counts = await shown(text);
      // Where a long text can be shown whole, a button offers it; nothing else may differ.
      expect(counts, JSON.stringify(text.slice(0, 80))).toEqual(plain);
      expect((window as unknown as Record<string, unknown>)['__canary']).toBeUndefined();
      cleanup();
    }
  }, 120_000);
});

it('a trust mark stands inside of the trust region or the strip, and nowhere else', async () => {
  const over = world();
  await open('#/conversations/c1', over);
  await seen('Signed by Harbour Bikes publisher');
  for (const flagged of document.querySelectorAll('.flag, .declared'))
    expect(flagged.closest('.standing')).not.toBeNull();
  expect(one('.standing').querySelector('.safe-html')).toBeNull();
  for (const html of document.querySelectorAll('.safe-html')) expect(html.closest('.standing')).toBeNull();
});
