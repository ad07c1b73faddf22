import { describe, expect, it } from 'vitest';
import { Heights } from '../src/parts/heights';
import { longConversation } from '../src/platform/scripted/stress';
import { conversation, row } from '../src/platform/scripted/world';
import { open, one, seen, settle, world } from './open';

describe('heights', () => {
  it('sum up like a plain list, measured in any order', () => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const heights = new Heights(1000, 120);
    const plain = new Array<number>(1000).fill(120);
    for (let i = 0; i < 3000; i++) {
      const at = Math.floor(random() * 1000);
      const height = 20 + Math.floor(random() * 900);
      heights.measure(at, height);
      plain[at] = Math.abs(height - (plain[at] ?? 0)) < 0.5 ? (plain[at] ?? 0) : height;
    }
    let top = 0;
    for (const [at, height] of plain.entries()) {
      expect(heights.top(at)).toBeCloseTo(top);
      expect(heights.rowAt(top + height / 2)).toBe(at);
      top += height;
    }
    expect(heights.total).toBeCloseTo(top);
  });
  it('keep what was measured when rows are added or taken away', () => {
    const heights = new Heights(3, 10);
    heights.measure(1, 50);
    heights.resize(5);
    expect([heights.top(2), heights.total]).toEqual([60, 90]);
    heights.resize(1);
    expect([heights.count, heights.total, heights.rowAt(999)]).toEqual([1, 10, 0]);
  });
  it('answer for an empty list', () => {
    const heights = new Heights(0, 10);
    expect([heights.total, heights.rowAt(5), heights.measure(0, 4)]).toEqual([0, 0, false]);
  });
});

describe('a conversation of 10,000 messages', () => {
  const long = () => world({ conversations: [longConversation('long', 10_000, '2026-11-30T09:00:00Z')] });

  it('draws a window of them and fetches no page over 100', async () => {
    const scripted = await open('#/conversations/long', long());
    await seen('Question 1: and then?');
    expect(document.querySelectorAll('article').length).toBeLessThan(40);
    const pages = scripted.calls.filter(({ command }) => command === 'transcript').map(({ request }) => request);
    expect(pages.length).toBeLessThan(4);
    for (const page of pages) expect((page as { limit: number }).limit).toBeLessThanOrEqual(100);
  });

  it('draws the middle when it is scrolled there, fetching only around it', async () => {
    const scripted = await open('#/conversations/long', long());
    const feed = one('[role="feed"]');
    feed.scrollTop = 120 * 5000;
    feed.dispatchEvent(new Event('scroll'));
    await seen('Question 2501: and then?');
    await settle();
    expect(document.querySelectorAll('article').length).toBeLessThan(40);
    expect(scripted.calls.filter(({ command }) => command === 'transcript').length).toBeLessThan(8);
    expect(one('article').getAttribute('aria-setsize')).toBe('10000');
  });
});

it('the list of conversations fetches its next page when its end comes near', async () => {
  const many = Array.from({ length: 350 }, (_, i) =>
    conversation(row(`m${i}`, `Conversation ${i}`, { lastAt: '2026-11-30T09:00:00Z' }), []),
  );
  const scripted = await open('', world({ conversations: many }));
  const pages = () => scripted.calls.filter(({ command }) => command === 'list_conversations').length;
  expect(pages()).toBe(1);
  expect(document.querySelectorAll('[role="option"]').length).toBeLessThan(40);
  const list = one('[role="listbox"]');
  list.scrollTop = 78 * 95;
  list.dispatchEvent(new Event('scroll'));
  await settle();
  expect(pages()).toBe(2);
});
