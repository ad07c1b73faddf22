import { asFailure } from '../failure';
import type { AnswerSources } from '../gen/AnswerSources';
import type { CitingAnswer } from '../gen/CitingAnswer';
import type { RecordDetail } from '../gen/RecordDetail';
import type { SourceCard } from '../gen/SourceCard';
import { platform } from '../platform';
import { failed, LOADING, ready, type Loadable } from './loadable';

/** Answers whose sources stay in memory. */
const KEPT = 40;

/** The other answers that cite a source, as a list that the user went to from its card. */
export interface Citing {
  /** The source. */
  source: SourceCard;
  /** The answer from which the user came. */
  message: string;
  answers: Loadable<CitingAnswer[]>;
  /** Where the next page begins; none at the end. */
  next: string | null;
  /** Number of the answer that the keyboard was on. */
  cursor: number;
}

/** The Sources panel: the sources of one answer and the record that is looked at. */
export class Sources {
  /** The answer's row id. */
  message = $state<string | null>(null);
  shown = $state.raw<Loadable<AnswerSources>>(LOADING);
  /** Index of the source that the user went to. */
  current = $state<number | null>(null);
  /** The record that is looked at. */
  record = $state.raw<{ title: string; detail: Loadable<RecordDetail> } | null>(null);

  /** The list of other answers that is looked at instead of the sources. */
  citing = $state.raw<Citing | null>(null);

  #kept = new Map<string, AnswerSources>();

  /** Shows the sources of an answer; nothing happens when they are shown already. */
  async show(message: string): Promise<void> {
    if (this.message === message && this.shown.phase !== 'failed') return;
    this.message = message;
    this.current = null;
    this.citing = null;
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
    this.citing = null;
    this.shown = LOADING;
  }

  /** Lists the other answers that cite a source. */
  async openCiting(source: SourceCard): Promise<void> {
    const { message } = this;
    if (message === null) return;
    this.citing = { source, message, answers: LOADING, next: null, cursor: 0 };
    await this.#fetchCiting(this.citing, []);
  }

  /** Fetches more of them. */
  async moreCiting(): Promise<void> {
    const { citing } = this;
    if (citing?.answers.phase === 'ready' && citing.next !== null)
      await this.#fetchCiting(citing, citing.answers.value);
  }

  /** Puts the list away; the source from which it was opened comes into view again. */
  closeCiting(): void {
    const { citing } = this;
    this.citing = null;
    if (citing) this.current = citing.source.index;
  }

  async #fetchCiting(citing: Citing, held: CitingAnswer[]): Promise<void> {
    const query = { record: citing.source.record, except: citing.message, cursor: citing.next, limit: null };
    const fetched: Citing = await platform()
      .call('citing_answers', query)
      .then(
        (page): Citing => ({
          ...citing,
          answers: ready([...held, ...page.answers]),
          next: page.next,
          cursor: held.length,
        }),
        (error: unknown): Citing => ({ ...citing, answers: failed(asFailure(error)) }),
      );
    // Meanwhile the user may have gone elsewhere.
    if (this.citing === citing) this.citing = fetched;
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
