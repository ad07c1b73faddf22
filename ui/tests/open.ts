import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, vi } from 'vitest';
import App from '../src/App.svelte';
import { usePlatform } from '../src/platform';
import { sampleWorld } from '../src/platform/scripted/address';
import { Scripted } from '../src/platform/scripted/scripted';
import type { World } from '../src/platform/scripted/world';

/** How long words may take to appear, in milliseconds. */
const PATIENCE = 20_000;

/** The sample archive as the user's own, at a pace that suits a test. */
export function world(over: Partial<World> = {}): World {
  const sample = sampleWorld();
  return { ...sample, status: { ...sample.status, sample: false }, steps: 2, pace: 1, ...over };
}

/** Opens the window on a scripted platform, at a place. */
export async function open(fragment = '', over: World = world()): Promise<Scripted> {
  const scripted = new Scripted(over);
  scripted.sample = { ...sampleWorld(), steps: 2, pace: 1 };
  usePlatform(scripted);
  location.hash = fragment;
  render(App);
  await settle();
  return scripted;
}

/** Lets what was asked for arrive and be drawn. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await Promise.resolve();
    await tick();
    await new Promise((resolve) => setTimeout(resolve));
  }
  // What is drawn first and then scrolled to or focused waits for a frame.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await tick();
}

/** Waits until something holds that the window comes to in its own time, such as where the focus is. */
export async function becomes(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: PATIENCE });
}

/** Waits until the window shows these words. */
export async function seen(words: string | RegExp): Promise<void> {
  const pattern = words instanceof RegExp ? words : new RegExp(escape(words));
  await becomes(() => expect(text()).toMatch(pattern));
}

/** All words of the window, with single blanks. */
export function text(within: Element = document.body): string {
  return (within.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Presses keys, one after the other, on what has the focus. */
export async function press(...keys: string[]): Promise<void> {
  for (const spelt of keys) {
    const ctrlKey = spelt.startsWith('Ctrl+');
    const key = ctrlKey ? spelt.slice(5) : spelt;
    const target = document.activeElement ?? document.body;
    const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true });
    const unhandled = target.dispatchEvent(event);
    // A browser presses a button on Enter; jsdom does not.
    if (key === 'Enter' && unhandled && target instanceof HTMLButtonElement) target.click();
    await settle();
  }
}

/** The one element, which has to be there. */
export function one<E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelector<E>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}

/** The button, tab or link with these words. */
export function button(words: string | RegExp, within: ParentNode = document): HTMLElement {
  const found = [...within.querySelectorAll<HTMLElement>('button, summary, a')].find((each) =>
    typeof words === 'string'
      ? text(each) === words || each.getAttribute('aria-label') === words
      : words.test(text(each)),
  );
  if (!found) throw new Error(`no button says ${words}`);
  return found;
}

function escape(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
