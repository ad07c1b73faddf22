import { asFailure } from '../failure';
import type { ConversationQuery } from '../gen/ConversationQuery';
import type { ConversationRow } from '../gen/ConversationRow';
import type { Failure } from '../gen/Failure';
import type { Filters } from '../gen/Filters';
import type { TimeFormat } from '../gen/TimeFormat';
import { platform } from '../platform';
import { dayName } from '../time';

/** What the user may filter by; the cursor and page size are not theirs to set. */
export type FilterName = Exclude<keyof ConversationQuery, 'cursor' | 'limit'>;

/** A line of the list: the name of a day, or a conversation with its place among the conversations. */
export type ListEntry = { kind: 'day'; name: string } | { kind: 'row'; row: ConversationRow; place: number };

const PAGE = 100;
const TYPING_PAUSE = 180;

const NO_FILTER: ConversationQuery = {
  text: null,
  service: null,
  package: null,
  since: null,
  until: null,
  trust: null,
  finding: null,
  cursor: null,
  limit: null,
};

/** The conversations list: its filters, the pages that are here, and the line the keyboard is on. */
export class Conversations {
  /** What the list is filtered by. */
  query = $state.raw<ConversationQuery>(NO_FILTER);
  /** Conversations that are here, newest first; those that state no time come last. */
  rows = $state.raw<ConversationRow[]>([]);
  phase = $state<'loading' | 'ready' | 'failed'>('loading');
  failure = $state.raw<Failure | null>(null);
  /** What the filters offer. */
  filters = $state.raw<Filters>({ services: [], packages: [], trust: [], findings: [] });
  /** Place of the line that the keyboard is on. */
  cursor = $state(0);

  #next = $state<string | null>(null);
  #asked = 0;
  #loadingMore = false;
  #typing: ReturnType<typeof setTimeout> | undefined;

  /** Whether any filter is set. */
  get filtered(): boolean {
    return this.active.length > 0;
  }

  /** The filters that are set. */
  get active(): FilterName[] {
    return (Object.keys(NO_FILTER) as (keyof ConversationQuery)[]).filter(
      (name): name is FilterName => name !== 'cursor' && name !== 'limit' && this.query[name] !== null,
    );
  }

  /** Whether there are more conversations than are here. */
  get more(): boolean {
    return this.#next !== null;
  }

  /** The list with the days between. */
  entries(now: number, format: TimeFormat): ListEntry[] {
    const entries: ListEntry[] = [];
    let day: string | null = null;
    for (const [place, row] of this.rows.entries()) {
      // When it was imported says nothing about when it took place.
      const name = row.lastAt === null || row.timesAreImport ? 'No stated time' : dayName(row.lastAt, now, format);
      if (name !== day) entries.push({ kind: 'day', name });
      day = name;
      entries.push({ kind: 'row', row, place });
    }
    return entries;
  }

  /** Fetches the list from its beginning; rows stay on the screen until the new ones are here. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    if (this.rows.length === 0) this.phase = 'loading';
    try {
      const page = await platform().call('list_conversations', { ...this.query, limit: PAGE });
      if (asked !== this.#asked) return;
      this.rows = page.conversations;
      this.#next = page.next;
      this.failure = null;
      this.phase = 'ready';
      this.cursor = Math.min(this.cursor, Math.max(0, this.rows.length - 1));
    } catch (error) {
      if (asked !== this.#asked) return;
      this.rows = [];
      this.#next = null;
      this.failure = asFailure(error);
      this.phase = 'failed';
    }
  }

  /** Fetches the next page, once, when there is one. */
  async loadMore(): Promise<void> {
    if (this.#next === null || this.#loadingMore) return;
    this.#loadingMore = true;
    const asked = this.#asked;
    try {
      const page = await platform().call('list_conversations', { ...this.query, cursor: this.#next, limit: PAGE });
      if (asked !== this.#asked) return;
      this.rows = [...this.rows, ...page.conversations];
      this.#next = page.next;
    } catch (error) {
      if (asked === this.#asked) this.failure = asFailure(error);
    } finally {
      this.#loadingMore = false;
    }
  }

  /** Fetches what the filters offer. Without them the list still works, so a failure only leaves them empty. */
  async loadFilters(): Promise<void> {
    try {
      this.filters = await platform().call('filters', {});
    } catch {
      this.filters = { services: [], packages: [], trust: [], findings: [] };
    }
  }

  /** Sets or clears a filter and fetches the list again; words wait for a pause in typing. */
  setFilter(name: FilterName, value: string | null): void {
    this.query = { ...this.query, [name]: value === '' ? null : value };
    clearTimeout(this.#typing);
    if (name === 'text') this.#typing = setTimeout(() => void this.load(), TYPING_PAUSE);
    else void this.load();
  }

  /** Clears every filter. */
  clearFilters(): void {
    this.query = NO_FILTER;
    clearTimeout(this.#typing);
    void this.load();
  }

  /** Moves the keyboard's line by some lines and gives the place it is on then. */
  move(by: number): number {
    this.cursor = Math.max(0, Math.min(this.rows.length - 1, this.cursor + by));
    return this.cursor;
  }
}
