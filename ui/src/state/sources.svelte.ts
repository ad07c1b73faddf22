import { asFailure } from '../failure';
import type { AnswerSources } from '../gen/AnswerSources';
import type { RecordDetail } from '../gen/RecordDetail';
import { platform } from '../platform';
import { failed, LOADING, ready, type Loadable } from './loadable';

/** Answers whose sources stay in memory. */
const KEPT = 40;

/** The Sources panel: the sources of one answer and the record that is looked at. */
export class Sources {
  /** The answer's row id. */
  message = $state<string | null>(null);
  shown = $state.raw<Loadable<AnswerSources>>(LOADING);
  /** Index of the source that the user went to. */
  current = $state<number | null>(null);
  /** The record that is looked at. */
  record = $state.raw<{ title: string; detail: Loadable<RecordDetail> } | null>(null);

  #kept = new Map<string, AnswerSources>();

  /** Shows the sources of an answer; nothing happens when they are shown already. */
  async show(message: string): Promise<void> {
    if (this.message === message && this.shown.phase !== 'failed') return;
    this.message = message;
    this.current = null;
    const kept = this.#kept.get(message);
    if (kept) {
      this.shown = ready(kept);
      return;
    }
    this.shown = LOADING;
    try {
      const sources = await platform().call('answer_sources', { id: message });
      this.#keep(message, sources);
      if (this.message === message) this.shown = ready(sources);
    } catch (error) {
      if (this.message === message) this.shown = failed(asFailure(error));
    }
  }

  /** Forgets what it keeps, since the archive changed. */
  forget(): void {
    this.#kept.clear();
    this.message = null;
    this.current = null;
    this.shown = LOADING;
  }

  /** Looks at a record in full. */
  async openRecord(id: string, title: string): Promise<void> {
    this.record = { title, detail: LOADING };
    try {
      const detail = await platform().call('record', { id });
      if (this.record) this.record = { title, detail: ready(detail) };
    } catch (error) {
      if (this.record) this.record = { title, detail: failed(asFailure(error)) };
    }
  }

  /** Closes the record. */
  closeRecord(): void {
    this.record = null;
  }

  #keep(message: string, sources: AnswerSources): void {
    this.#kept.set(message, sources);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
