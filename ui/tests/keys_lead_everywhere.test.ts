import { describe, expect, it } from 'vitest';
import { BINDINGS, KeyReader } from '../src/keys';
import { viewport } from './setup';
import { one, open, press, seen, settle, text } from './open';

describe('the list by keyboard', () => {
  it('j and k move, Enter opens, and the focus goes into the transcript', async () => {
    await open();
    await seen('Deposit for the cargo bike');
    await press('j');
    expect(document.activeElement).toBe(one('[role="listbox"]'));
    expect(one('[role="listbox"]').getAttribute('aria-activedescendant')).toBe('conversation-c2');
    await press('ArrowDown', 'k', 'Enter');
    expect(location.hash).toBe('#/conversations/c2');
    await seen('The deposit for a cargo bike');
    expect(document.activeElement?.getAttribute('role')).toBe('feed');
    expect(one('[aria-selected="true"]').id).toBe('conversation-c2');
  });
  it('/ goes to the filter, where keys are letters, and Escape leaves it', async () => {
    await open();
    await press('/');
    expect(document.activeElement).toBe(one('input[type="search"]'));
    await press('g', 'f');
    expect(location.hash).not.toContain('findings');
    await press('Escape');
    expect(document.activeElement).not.toBe(one('input[type="search"]'));
  });
});

describe('from marker to source and back', () => {
  it('] and [ walk the markers, Enter goes to the source, Escape comes back to the very marker', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    await press(']', ']', ']', '[');
    const marker = document.activeElement as HTMLElement;
    expect(marker.dataset).toMatchObject({ citation: '1', place: '1' });
    await press('Enter');
    expect((document.activeElement as HTMLElement).dataset['source']).toBe('1');
    expect(marker.getAttribute('aria-pressed')).toBe('true');
    expect(one('.source.current h3').textContent).toBe('Transfer fee');
    await press('Escape');
    expect(document.activeElement).toBe(marker);
    expect(marker.getAttribute('aria-pressed')).toBe('false');
  });
  it('b does the same, and a place in the source leads to its marker', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    await press(']', 'Enter', 'b');
    expect((document.activeElement as HTMLElement).dataset['place']).toBe('0');
    one('[data-source="2"] .place').click();
    await settle();
    expect((document.activeElement as HTMLElement).dataset).toMatchObject({ citation: '2', place: '2' });
  });
  it('a marker says for ears which source it is and how it stands', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    const labels = [...document.querySelectorAll('article button.cite')].map((each) => each.getAttribute('aria-label'));
    expect(labels.slice(0, 3)).toEqual([
      'Source [1]: said to be in order',
      'Source [2]: needs a look',
      'Source [3]: do not rely on it',
    ]);
  });
  it('s goes to the sources; in a smaller window it opens them, and Escape closes them', async () => {
    viewport.width = 900;
    await open('#/conversations/c1');
    await seen('Can I return a rented bike');
    expect(document.querySelector('aside.panel')).toBeNull();
    await press('s');
    expect(one('aside.panel').contains(document.activeElement)).toBe(true);
    await press('Escape');
    expect(document.querySelector('aside.panel')).toBeNull();
  });
});

describe('anywhere', () => {
  it('g f, g s and g c go to the views', async () => {
    await open();
    await press('g', 'f');
    await seen('What is wrong with received events');
    await press('g', 's');
    await seen('Sample archive');
    await press('g', 'c');
    await seen('Deposit for the cargo bike');
  });
  it('? lists every key there is', async () => {
    await open();
    await press('?');
    const listed = text(one('dialog'));
    for (const { does } of BINDINGS) expect(listed).toContain(does);
    one('dialog .close').click();
    await settle();
    expect(document.querySelector('dialog')).toBeNull();
  });
  it('Ctrl+O imports', async () => {
    const scripted = await open();
    await press('Ctrl+o');
    expect(scripted.calls.map(({ command }) => command)).toContain('import_paths');
  });
});

it('two keys are a sequence only in time', () => {
  const reader = new KeyReader();
  const at = (key: string, timeStamp: number) =>
    reader.read(Object.defineProperty(new KeyboardEvent('keydown', { key }), 'timeStamp', { value: timeStamp }));
  expect([at('g', 0), at('f', 500)]).toEqual([null, 'go-findings']);
  expect([at('g', 1000), at('f', 3000)]).toEqual([null, null]);
});

it('in a narrow window list and transcript take turns', async () => {
  viewport.width = 500;
  await open('#/conversations/c2');
  await seen('The deposit for a cargo bike');
  expect(document.querySelector('[role="listbox"]')).toBeNull();
  one('[aria-label="Back to the list"]').click();
  await settle();
  expect(document.querySelector('[role="feed"]')).toBeNull();
  expect(one('[role="listbox"]')).toBeTruthy();
});
