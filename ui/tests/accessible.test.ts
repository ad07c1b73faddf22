import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { hostileConversation } from '../src/platform/scripted/stress';
import { emptyWorld, type World } from '../src/platform/scripted/world';
import { button, one, open, press, seen, settle, world } from './open';
import { viewport } from './setup';

/** Rules that need a drawn page; contrast is looked at in a real window. */
const NOT_HERE = { 'color-contrast': { enabled: false } };

async function check(): Promise<void> {
  const { violations } = await axe.run(document.body, { rules: NOT_HERE, resultTypes: ['violations'] });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`)).toEqual([]);
}

describe('no view breaks a rule of axe', () => {
  const views: [name: string, fragment: string, words: string, over?: () => World][] = [
    ['conversations', '', 'No conversation chosen'],
    ['a conversation', '#/conversations/c1', 'Transfer fee'],
    ['invalid and contradicting sources', '#/conversations/c3', 'Contradicts itself'],
    ['hostile words', '#/conversations/x', 'U+202E', hostile],
    ['citations without a message', '#/conversations/c1/unplaced', 'msg-gone-41'],
    ['findings', '#/findings', '240 findings'],
    ['settings', '#/settings', 'archive.sqlite'],
    ['the first start', '', 'Open the sample archive', () => ({ ...emptyWorld() })],
    [
      'loading',
      '#/conversations/c1',
      'Loading the transcript',
      () => world({ silent: ['transcript', 'list_conversations'] }),
    ],
  ];
  it.each(views)('%s', async (_, fragment, words, over) => {
    await open(fragment, over?.());
    await seen(words);
    await check();
  });

  it('keys', async () => {
    await open();
    await press('?');
    await check();
  });
  it('a record', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    button('Record', one('[data-source="0"]')).click();
    await seen('package.digest');
    await check();
  });
  it('filters, a link, an import summary', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    button('Filters').click();
    one('a[data-url]').click();
    await settle();
    await check();
    button('Do not open').click();
    await settle();
    button('Import').click();
    await seen('2 recordings added');
    await check();
  });
  it('the sources over a narrow transcript', async () => {
    viewport.width = 500;
    await open('#/conversations/c1');
    await seen('Run 1');
    await press('s');
    await seen('Transfer fee');
    await check();
  });
});

function hostile(): World {
  const over = world();
  return { ...over, conversations: [hostileConversation('x', '2026-11-30T09:00:00Z', over)] };
}
