import { asFailure } from '../failure';
import type { CodeCount } from '../gen/CodeCount';
import type { Failure } from '../gen/Failure';
import type { FindingRow } from '../gen/FindingRow';
import type { RawText } from '../gen/RawText';
import { SvelteMap } from 'svelte/reactivity';
import { platform } from '../platform';
import { failed, LOADING, ready, type Loadable } from './loadable';

const PAGE = 100;

/** The findings view: filters, counts by code, the findings that are here. */
export class Findings {
  code = $state<string | null>(null);
  severity = $state<string | null>(null);
  conversation = $state<string | null>(null);
  rows = $state.raw<FindingRow[]>([]);
  codes = $state.raw<CodeCount[]>([]);
  phase = $state<'loading' | 'ready' | 'failed'>('loading');
  failure = $state.raw<Failure | null>(null);
  /** Raw events that were asked for, by finding. */
  raw = new SvelteMap<string, Loadable<RawText>>();

  #next = $state<string | null>(null);
  #asked = 0;
  #loadingMore = false;

  /** Whether there are more findings than are here. */
  get more(): boolean {
    return this.#next !== null;
  }

  /** Fetches the counts and the first findings. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    if (this.rows.length === 0) this.phase = 'loading';
    try {
      // The counts answer the query without the code: the list of codes stays whole while one of them is chosen.
      const [page, all] = await Promise.all([
        platform().call('list_findings', this.#query(this.code, null, PAGE)),
        this.code === null ? null : platform().call('list_findings', this.#query(null, null, 1)),
      ]);
      if (asked !== this.#asked) return;
      this.rows = page.findings;
      this.codes = (all ?? page).codes;
      this.#next = page.next;
      this.failure = null;
      this.phase = 'ready';
    } catch (error) {
      if (asked !== this.#asked) return;
      this.rows = [];
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
      const page = await platform().call('list_findings', this.#query(this.code, this.#next, PAGE));
      if (asked !== this.#asked) return;
      this.rows = [...this.rows, ...page.findings];
      this.#next = page.next;
    } catch (error) {
      if (asked === this.#asked) this.failure = asFailure(error);
    } finally {
      this.#loadingMore = false;
    }
  }

  /** Sets the filters and fetches again. */
  filter(filters: { code?: string | null; severity?: string | null; conversation?: string | null }): void {
    if (filters.code !== undefined) this.code = filters.code;
    if (filters.severity !== undefined) this.severity = filters.severity;
    if (filters.conversation !== undefined) this.conversation = filters.conversation;
    void this.load();
  }

  /** Fetches the bytes that a finding is about. */
  async showRaw(id: string): Promise<void> {
    if (this.raw.get(id)?.phase === 'ready') return;
    this.raw.set(id, LOADING);
    try {
      this.raw.set(id, ready(await platform().call('finding_raw', { id })));
    } catch (error) {
      this.raw.set(id, failed(asFailure(error)));
    }
  }

  #query(code: string | null, cursor: string | null, limit: number) {
    return { code, severity: this.severity, conversation: this.conversation, recording: null, cursor, limit };
  }
}
