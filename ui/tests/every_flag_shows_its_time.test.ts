import { describe, expect, it } from 'vitest';
import type { Standing } from '../src/gen/Standing';
import { flagIcon } from '../src/parts/standing-icons';
import {
  byDates,
  contradicting,
  declared,
  flag,
  invalid,
  read,
  statedBy,
  untimed,
} from '../src/platform/scripted/standings';
import { answer, card } from '../src/platform/scripted/harbour';
import type { CurrencyKind } from '../src/gen/CurrencyKind';
import { open, one, seen, settle, text, world } from './open';

const then = statedBy('2026-11-30T10:42:11+02:00');
const untold = untimed('2026-11-28T08:00:00Z');
const dates = byDates('2026-11-30T12:00:00Z');

/** The sources panel with one source of this standing. */
async function drawn(standing: Standing): Promise<HTMLElement> {
  const shown = world();
  shown.sources.set('a1', answer('a1', [card(0, 'Returning a bike', standing)]));
  await open('#/conversations/c1', shown);
  await seen('Returning a bike');
  return one('.standing');
}

describe('every flag is drawn with its words, its time and who says it', () => {
  const kinds: [CurrencyKind, string][] = [
    ['draft', 'Draft'],
    ['deprecated', 'Deprecated'],
    ['stale', 'Stale since 1 Nov 2026'],
    ['notYetInForce', 'Not yet in force (from 1 Jan 2027)'],
    ['noLongerInForce', 'No longer in force (since 1 Oct 2026)'],
    ['superseded', 'Superseded by tariffs@2.0.0'],
    ['contested', 'Contested by handbook@3.2.1'],
    ['inForceNotStale', 'In force, not stale'],
  ];
  it.each(kinds)('%s', async (kind, badge) => {
    const region = await drawn(read(then, { currency: [flag(then, kind, 'caution', badge)] }));
    expect(text(region)).toContain(badge);
    expect(text(region)).toContain('as of 30 Nov 2026, 09:42 · by the service’s Reader');
    const title = one('.standing time').getAttribute('title');
    expect(title).toBe('30 Nov 2026, 09:42:11 +01:00\nAs the service wrote it: 2026-11-30T10:42:11+02:00');
    for (const each of region.querySelectorAll('.flag')) expect(text(each)).toMatch(/as of .* · by /);
  });

  it('a forecast stands under the dates of the record, apart from what the service said', async () => {
    const region = await drawn(
      read(then, { forecast: [flag(dates, 'goesStale', 'neutral', 'Goes stale on 14 Feb 2027')] }),
    );
    const headings = [...region.querySelectorAll('h4')].map((each) => text(each));
    expect(headings).toEqual([
      'as of 30 Nov 2026, 09:42 · by the service’s Reader',
      'as of now · by the record’s own dates',
    ]);
  });

  it('no computedAt: that is said, and the import is called an import', async () => {
    const region = await drawn(read(untold));
    expect(text(region)).toContain('the service did not say when · by the service’s Reader');
    expect(text(region)).toContain('imported 28 Nov 2026, 09:00');
    expect(text(region)).not.toContain('as of 28 Nov');
  });
});

describe('declared is not attested', () => {
  it('it has its own shape and stands after every attested review', async () => {
    const review = flag(then, 'needsChange' as const, 'caution', 'Attested review: needs change');
    const region = await drawn(read(then, { reviews: [review], declared: [declared(then, 'human:t.oja')] }));
    const lines = [...region.querySelectorAll('li')];
    expect(lines.at(-1)?.className).toContain('declared');
    expect(text(lines.at(-1))).toContain('Declared, not checked');
    expect(lines.at(-1)?.querySelector('b')).toBeNull();
    expect(lines.map((each) => each.className.includes('flag'))).toEqual([true, true, true, false]);
  });
});

describe('nothing is drawn as good that is not', () => {
  const ticks = ['shield-signed', 'done', 'person-yes'];
  it('a tick belongs to the good tone alone', () => {
    const kinds = [
      'signed',
      'inForceNotStale',
      'inForce',
      'notStale',
      'accurate',
      'goesStale',
      'couldNotCheck',
    ] as const;
    for (const kind of kinds) {
      for (const tone of ['neutral', 'unknown', 'caution', 'bad'] as const)
        expect(ticks).not.toContain(flagIcon(kind, tone));
    }
    expect(flagIcon('signed', 'good')).toBe('shield-signed');
  });
  it('a record that contradicts itself shows that and nothing else', async () => {
    const region = await drawn(contradicting(then));
    expect(region.querySelectorAll('.flag').length).toBe(1);
    expect(text(region)).not.toMatch(/In force|Signed/);
  });
  it('an invalid record shows its reasons and no flag', async () => {
    const region = await drawn(invalid(then, ['trust.stale is missing', 'node.ref is empty']));
    expect(region.querySelectorAll('.flag, .declared').length).toBe(0);
    expect(text(region)).toContain('node.ref is empty');
  });
});

describe('the states of an answer have a sentence each', () => {
  const states = ['empty', 'none', 'unknown-version', 'invalid'] as const;
  it('and none of them has a flag', async () => {
    const sentences = new Set<string>();
    for (const state of states) {
      const shown = world();
      shown.sources.set('a1', answer('a1', [], { state, sentence: `Sentence of ${state}.` }));
      document.body.innerHTML = '';
      await open('#/conversations/c1', shown);
      await seen(`Sentence of ${state}.`);
      sentences.add(text(one('aside.panel')));
      expect(document.querySelectorAll('.flag').length).toBe(0);
    }
    expect(sentences.size).toBe(states.length);
  });
  it('and events that no message shows have a view of their own', async () => {
    await open('#/conversations/c1');
    await seen('2 citation events that no message shows');
    one('.notes .link').click();
    await settle();
    await seen('Citations without a message');
    expect(text(one('main'))).toContain('Unknown message');
    expect(text(one('main'))).toContain('Unknown version');
    expect(document.querySelectorAll('.flag').length).toBe(0);
  });
});

it('the panel names the time of the flags, its age, and that nothing was checked here', async () => {
  await open('#/conversations/c1');
  await seen(
    /Flags as of \d+ \w+ 2026, \d\d:\d\d:\d\d [+−]\d\d:\d\d · 3 hours ago computed by the service’s Reader · not re-checked here/,
  );
});
