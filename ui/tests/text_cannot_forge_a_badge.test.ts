import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
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

const file = resolve(process.cwd(), '../tests/fixtures/hostile-strings.json');
const { strings } = JSON.parse(readFileSync(file, 'utf8')) as { strings: Entry[] };
/** Longest string put into a field; the length itself is tried in a real window. */
const LONGEST = 4000;
const hostile = strings.map((entry) => (entry.text ?? (entry.repeat ?? '').repeat(entry.times ?? 1)).slice(0, LONGEST));
/** Strings shown in one window, each in a conversation's line, a finding and a source of its own. */
const AT_ONCE = 30;

/** The elements of a window whose every text field is one of these texts. HTML comes from `render` and is not put in here. */
async function elements(texts: string[]): Promise<Record<string, number>> {
  const then = statedBy('2026-11-30T10:42:11+01:00');
  const over = world();
  const findings = texts.flatMap((text, i) =>
    over.findings.slice(0, 1).map((finding) => ({ ...finding, id: `f${i}`, code: text, message: text, meaning: text })),
  );
  const items = texts.map((text, i) => {
    const standing = read(then, {
      integrity: { ...signed(then, 'x'), badge: text, detail: text, sentence: text },
      reviews: [{ ...flag(then, 'unknownOutcome' as const, 'unknown', text, text), sentence: text }],
      declared: [{ ...declared(then, text), sentence: text }],
    });
    const words = { marker: text, nodeType: text, nodeRef: text, package: text, path: text, locale: text };
    return card(i, text, standing, { ...words, places: [{ place: 0, excerpt: text }] });
  });
  const others = texts.map((text) => ({ title: text, url: null, host: text, origin: text }));
  const [first = ''] = texts;
  over.sources.set('h0', answer('h0', items, { computedAtNote: first, others, findings }));
  over.conversations = texts.map((text, i) => {
    const line = row(`h${i}`, text, {
      service: text,
      strip: { tones: ['good'], parts: [], coverage: text, label: text },
    });
    const answered = message(`h${i}`, 'assistant', `<p>An answer ${cite(0, 0)}</p>`, {
      messageId: text,
      toolCalls: texts.map((each) => ({ toolCallId: each, name: each, arguments: each, answered: true })),
      sources: { state: 'applied', sentence: text, basis: text, parts: [], repeats: 0, tones: ['good'] },
    });
    return conversation(line, [{ message: answered }], { notes: [text] });
  });
  await open('#/conversations/h0', over);
  await seen(`${findings.length} finding`);
  const counts: Record<string, number> = {};
  for (const { localName, className } of document.body.querySelectorAll<HTMLElement>('*')) {
    const name = `${localName}.${String(className)
      .replace(/svelte-\w+/g, '')
      .trim()}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  cleanup();
  return counts;
}

describe(`each of ${hostile.length} hostile strings stays text in every field`, () => {
  const batches = Array.from({ length: Math.ceil(hostile.length / AT_ONCE) }, (_, i) =>
    hostile.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );

  /** What plain words make, by how many there are. */
  const plainElements = new Map<number, Record<string, number>>();

  it('which are many', () => expect(hostile.length).toBeGreaterThanOrEqual(300));

  it.each(batches.map((batch, i) => [i, batch] as const))(
    'batch %i makes the elements that plain words make, and no script ran',
    async (_, batch) => {
      const plain = plainElements.get(batch.length) ?? (await elements(batch.map((_text, i) => `plain ${i}`)));
      plainElements.set(batch.length, plain);
      expect(await elements(batch)).toEqual(plain);
      expect((window as unknown as Record<string, unknown>)['__canary']).toBeUndefined();
    },
    120_000,
  );
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
