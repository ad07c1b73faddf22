import { afterEach, beforeEach } from 'vitest';

/** Width of the window, which media queries are asked of. */
export const viewport = { width: 1440 };

// What jsdom has no part of, as far as the window asks for it.
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.setAttribute('open', '');
};
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  this.removeAttribute('open');
};
Element.prototype.scrollIntoView = () => undefined;
window.matchMedia = (query: string) => {
  const min = Number(/min-width:\s*(\d+)px/.exec(query)?.[1] ?? 0);
  const list = new EventTarget() as MediaQueryList;
  return Object.assign(list, { matches: viewport.width >= min, media: query });
};

beforeEach(() => {
  viewport.width = 1440;
  location.hash = '';
});

afterEach(() => {
  location.hash = '';
});
