import { describe, expect, it } from 'vitest';
import { hostileConversation } from '../src/platform/scripted/stress';
import { unsourced, type World } from '../src/platform/scripted/world';
import { button, one, open, press, seen, settle, text, world } from './open';
import { viewport } from './setup';

/** “as of” an instant, or that and why none is known; each with who says it. */
const TIME = /as of (now|\d{1,2} \w{3} \d{4}, \d\d:\d\d|“)|did not say when|cannot be right|an unknown time/;
const WHOM = /service’s Reader|own dates|check on this machine/;

/** Every flag there is in the window: marks that a list counts, and flags of the trust region. */
function flags(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.parts .part, .standing .flag, .standing .declared')];
}

/** The words that stand with a flag. */
function around(flag: HTMLElement): string {
  return text(flag.closest('.parts') ?? flag);
}

function expectTimes(least: number): void {
  const found = flags();
  expect(found.length).toBeGreaterThanOrEqual(least);
  for (const flag of found) {
    expect(around(flag)).toMatch(TIME);
    expect(around(flag)).toMatch(WHOM);
  }
}

describe('every screen that shows a flag shows its time and who says it (R43)', () => {
  const screens: [name: string, fragment: string, words: string, least: number, over?: () => World][] = [
    ['the list', '', 'No conversation chosen', 6],
    ['a conversation with its sources', '#/conversations/c1', 'Transfer fee', 15],
    ['flags without a time', '#/conversations/c3', 'Contradicts itself', 9],
    ['hostile words', '#/conversations/x', 'U+202E', 9, hostile],
  ];
  it.each(screens)('%s', async (_, fragment, words, least, over) => {
    await open(fragment, over?.());
    await seen(words);
    expectTimes(least);
  });
  it.each([420, 700, 1000])('at %i pixels', async (width) => {
    viewport.width = width;
    await open('');
    await seen('Can I return a rented bike');
    expectTimes(6);
    await open('#/conversations/c1');
    await seen('Run 1');
    await press('s');
    await seen('Transfer fee');
    expectTimes(9);
  });
  it('the list of other answers', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    button(/Also cited by/, one('[data-source="0"]')).click();
    await seen('Other answers that cite it');
    await settle();
    expectTimes(1);
  });
  it.each([
    ['findings', '#/findings', '240 findings'],
    ['settings', '#/settings', 'archive.sqlite'],
    ['citations without a message', '#/conversations/c1/unplaced', 'msg-gone-41'],
  ])('and %s shows none beyond those of a list beside it', async (_, fragment, words) => {
    await open(fragment);
    await seen(words);
    for (const flag of flags()) expect(flag.closest('[role="option"]')).not.toBeNull();
  });
});

describe('a list never passes the time of an import off as another', () => {
  it('so conversations without a stated time come last, under that name', async () => {
    await open('');
    await seen('Insurance abroad');
    const rows = [...document.querySelectorAll<HTMLElement>('.day, [role="option"]')].map((each) => text(each));
    const heading = rows.indexOf('No stated time');
    expect(heading).toBe(rows.length - 2);
    expect(rows[heading + 1]).toMatch(/Insurance abroad.*No stated time · imported \d{1,2} \w{3} \d{4}, \d\d:\d\d/);
    expect(rows.slice(0, heading).join(' ')).not.toContain('imported');
  });
  it('and a conversation of several kinds is told with both numbers', async () => {
    const over = world();
    const [first] = over.conversations;
    if (first) first.head.row.strip.coverage = '1 of 2 answers has sources · 1 with an empty list';
    const [, second] = over.conversations;
    if (second) second.head.row.strip = unsourced('None of 2 answers has sources · 1 with an empty list');
    await open('', over);
    await seen('1 of 2 answers has sources · 1 with an empty list');
    await seen('None of 2 answers has sources');
  });
});

function hostile(): World {
  const over = world();
  return { ...over, conversations: [hostileConversation('x', '2026-11-30T09:00:00Z', over)] };
}
