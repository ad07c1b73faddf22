import { describe, expect, it } from 'vitest';
import { answer, card } from '../src/platform/scripted/harbour';
import { read, statedBy } from '../src/platform/scripted/standings';
import { becomes, button, one, open, press, seen, settle, text, world } from './open';

const then = statedBy('2026-11-30T10:42:11+02:00');

/** The list of other answers that cite the first source of the first conversation. */
async function listed(): Promise<void> {
  await open('#/conversations/c1');
  await seen('Transfer fee');
  button(/Also cited by/, one('[data-source="0"]')).click();
  await seen('Other answers that cite it');
  await settle();
}

describe('“also cited by” leads to those answers and back', () => {
  it('the list names the conversation, the words around it, its state and time', async () => {
    await listed();
    const first = text(one('button.answer'));
    expect(first).toContain('Deposit for the cargo bike');
    expect(first).toMatch(/as of \d{1,2} \w{3} 2026, \d\d:\d\d/);
    await becomes(() => expect(document.activeElement).toBe(one('button.answer')));
  });
  it('by keyboard: Enter opens the answer at the citation, Escape leads back to the list and to the source', async () => {
    await listed();
    await press('Enter');
    await seen(/Back to “Can I return/);
    expect(location.hash).toMatch(/#\/conversations\/c2\/at\/\d+\/0/);
    await settle();
    await becomes(() => expect(text(one('main h1'))).toContain('Deposit for the cargo bike'));
    await becomes(() => expect(document.activeElement?.getAttribute('data-source')).toBe('0'));
    await press('Escape');
    await seen('Other answers that cite it');
    await settle();
    expect(location.hash).toContain('#/conversations/c1/at/');
    await becomes(() => expect(document.activeElement).toBe(one('button.answer')));
    await press('Escape');
    await settle();
    await becomes(() => expect(document.activeElement?.getAttribute('data-source')).toBe('0'));
    expect(document.querySelector('button.answer')).toBeNull();
  });
  it('j and k move in it', async () => {
    await listed();
    await press('j');
    const all = [...document.querySelectorAll('button.answer')];
    expect(all.length).toBeGreaterThan(1);
    expect(document.activeElement).toBe(all[1]);
    await press('k', 'k');
    expect(document.activeElement).toBe(all[0]);
  });
});

it('a source that is listed again is told as such, and counts once', async () => {
  const shown = world();
  const cards = [
    card(0, 'Returning a bike', read(then)),
    card(1, 'Returning a bike', read(then), { repeats: 0, marker: '[1b]' }),
  ];
  shown.sources.set('a1', answer('a1', cards));
  await open('#/conversations/c1', shown);
  await seen('Listed again: the same source as [1]. It counts once.');
  expect(text(one('[data-source="0"]'))).not.toContain('Listed again');
});

describe('damage is told by whom it concerns', () => {
  it('recordings and conversations first, exact places on demand', async () => {
    const over = world();
    over.report = {
      ...over.report,
      sound: false,
      damage: ['source 4 (desk.sse): bytes 0 to 4096 of its content: have another hash: run 0 (run_01)'],
      untold: 1,
      touched: [
        {
          id: '4',
          name: 'desk.sse',
          conversations: [{ id: 'c2', title: 'Deposit for the cargo bike' }],
        },
      ],
    };
    await open('#/settings', over);
    await seen('archive.sqlite');
    button('Verify').click();
    await seen('The archive is damaged.');
    await seen('1 recording with 1 conversation touched');
    await seen('1 damage of the file itself does not tell which conversations it touches');
    button('Deposit for the cargo bike').click();
    await settle();
    expect(location.hash).toBe('#/conversations/c2');
  });
});
