/** What a key asks for. */
export type Action =
  | 'next'
  | 'previous'
  | 'open'
  | 'sources'
  | 'next-marker'
  | 'previous-marker'
  | 'back'
  | 'filter'
  | 'go-conversations'
  | 'go-findings'
  | 'go-settings'
  | 'import'
  | 'paste'
  | 'help';

/** One line of the keyboard map. */
export interface Binding {
  /** Keys that ask for it; a space separates the keys of a sequence. */
  keys: readonly string[];
  action: Action;
  /** What a person reads under `?`. */
  does: string;
  group: 'Anywhere' | 'List' | 'Answer and sources';
}

/** The keyboard map, in the order in which `?` shows it. */
export const BINDINGS: readonly Binding[] = [
  { group: 'Anywhere', keys: ['g c'], action: 'go-conversations', does: 'Go to conversations' },
  { group: 'Anywhere', keys: ['g f'], action: 'go-findings', does: 'Go to findings' },
  { group: 'Anywhere', keys: ['g s'], action: 'go-settings', does: 'Go to settings' },
  { group: 'Anywhere', keys: ['Ctrl+o'], action: 'import', does: 'Import files' },
  { group: 'Anywhere', keys: ['Ctrl+v'], action: 'paste', does: 'Import what you copied' },
  { group: 'Anywhere', keys: ['?'], action: 'help', does: 'Show these keys' },
  { group: 'List', keys: ['j', 'ArrowDown'], action: 'next', does: 'Next line' },
  { group: 'List', keys: ['k', 'ArrowUp'], action: 'previous', does: 'Previous line' },
  { group: 'List', keys: ['Enter'], action: 'open', does: 'Open it' },
  { group: 'List', keys: ['/'], action: 'filter', does: 'Filter the list' },
  { group: 'Answer and sources', keys: [']'], action: 'next-marker', does: 'Next marker in the answers' },
  { group: 'Answer and sources', keys: ['['], action: 'previous-marker', does: 'Previous marker' },
  { group: 'Answer and sources', keys: ['Enter'], action: 'open', does: 'From a marker to its source' },
  { group: 'Answer and sources', keys: ['Escape', 'b'], action: 'back', does: 'Back to where you came from' },
  { group: 'Answer and sources', keys: ['s'], action: 'sources', does: 'Go to the sources of the answer' },
];

/** How long the second key of a sequence may take, in milliseconds. */
const SEQUENCE_TIME = 1200;

/** Reads key presses as actions, one after the other, since `g c` takes two. */
export class KeyReader {
  #first: { key: string; at: number } | null = null;

  /** What this key press asks for, if anything. Keys typed into a field ask for nothing, except with Ctrl, and Escape. */
  read(event: KeyboardEvent): Action | null {
    if (event.isComposing || event.altKey) return null;
    const key = spell(event);
    if (isTyping(event.target) && !(key.startsWith('Ctrl+') && key !== 'Ctrl+v') && key !== 'Escape') return null;
    const first = this.#first;
    this.#first = null;
    if (first && event.timeStamp - first.at <= SEQUENCE_TIME) {
      const action = find(`${first.key} ${key}`);
      if (action) return action;
    }
    if (BINDINGS.some((binding) => binding.keys.some((keys) => keys.startsWith(`${key} `)))) {
      this.#first = { key, at: event.timeStamp };
      return null;
    }
    return find(key);
  }
}

/** How a person reads a key: `Ctrl+O`, `↓`, `Esc`. */
export function keyName(key: string): string {
  const names: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };
  const plus = key.startsWith('Ctrl+') ? `Ctrl+${key.slice(5).toUpperCase()}` : key;
  return names[key] ?? plus;
}

function spell(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey;
  return control ? `Ctrl+${event.key.toLowerCase()}` : event.key;
}

function find(keys: string): Action | null {
  return BINDINGS.find((binding) => binding.keys.includes(keys))?.action ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
