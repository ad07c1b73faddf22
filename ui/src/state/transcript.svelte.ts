import { asFailure } from '../failure';
import type { ConversationHead } from '../gen/ConversationHead';
import type { Failure } from '../gen/Failure';
import type { RunRow } from '../gen/RunRow';
import type { TranscriptItem } from '../gen/TranscriptItem';
import { platform } from '../platform';
import type { Spot } from '../route';
import { failed, LOADING, ready, type Loadable } from './loadable';

/** Messages fetched at a time; the contract allows 100. */
export const PAGE = 50;

/** A marker in an answer. */
export interface MarkerPlace {
  message: string;
  /** Place of the message in the transcript. */
  item: number;
  /** `data-place` of the marker's button. */
  place: number;
}

/** One conversation as it is read: its head and the parts of its transcript that are here. */
export class Transcript {
  readonly conversation: string;
  head = $state.raw<Loadable<ConversationHead>>(LOADING);
  /** Messages in all; null until the first page is here. */
  total = $state<number | null>(null);
  /** Runs after the last message. */
  runsAfter = $state.raw<RunRow[]>([]);
  /** Why a page could not be fetched. */
  failure = $state.raw<Failure | null>(null);
  /** The answer whose sources are shown. */
  answer = $state.raw<TranscriptItem | null>(null);
  /** Where the user came from when they went to a source. */
  cameFrom = $state.raw<MarkerPlace | null>(null);

  /** The citation that the user wants to see, until it is in view. */
  wanted = $state.raw<Spot | null>(null);

  #items: (TranscriptItem | undefined)[] = [];
  #revision = $state(0);
  #pages = new Map<number, Promise<void>>();

  constructor(conversation: string, wanted: Spot | null = null) {
    this.conversation = conversation;
    this.wanted = wanted;
  }

  /** Fetches the head and the first messages, side by side. */
  async open(): Promise<void> {
    const head = platform()
      .call('conversation', { id: this.conversation })
      .then(
        (value) => (this.head = ready(value)),
        (error: unknown) => (this.head = failed(asFailure(error))),
      );
    await Promise.all([head, this.#page(0)]);
    // The answer that the user wants to see is shown when it is in view.
    if (!this.wanted) this.answer ??= this.#firstAnswer();
  }

  /** The message at a place, when it is here. */
  item(place: number): TranscriptItem | undefined {
    // Reading the revision makes whoever draws this message draw it again when its page comes.
    return this.#revision >= 0 ? this.#items[place] : undefined;
  }

  /** Fetches the messages from `first` to `last` and a page on either side, where they are not here yet. */
  async ensure(first: number, last: number): Promise<void> {
    const from = Math.max(0, Math.floor(first / PAGE) - 1);
    const to = Math.floor(last / PAGE) + 1;
    const pages = [];
    for (let page = from; page <= to; page++) {
      if (page === 0 || this.total === null || page * PAGE < this.total) pages.push(this.#page(page));
    }
    await Promise.all(pages);
  }

  /** Tries again what could not be fetched. */
  async retry(): Promise<void> {
    this.failure = null;
    this.head = this.head.phase === 'failed' ? LOADING : this.head;
    await this.open();
  }

  /** Makes an answer the one whose sources are shown. */
  show(item: TranscriptItem): void {
    if (this.answer?.message.id !== item.message.id) this.answer = item;
  }

  /** The next message after `from` (or before it, with −1) that has a marker; pages are fetched on the way. */
  async findMarkers(from: number, step: 1 | -1): Promise<TranscriptItem | null> {
    for (let place = from + step; place >= 0 && (this.total === null || place < this.total); place += step) {
      await this.#page(Math.floor(place / PAGE));
      const item = this.#items[place];
      if (!item) return null;
      if (hasMarker(item)) return item;
    }
    return null;
  }

  #firstAnswer(): TranscriptItem | null {
    const answers = this.#items.filter((item) => item?.message.sources);
    return answers.find((item) => item?.message.sources?.state === 'applied') ?? answers[0] ?? null;
  }

  #page(page: number): Promise<void> {
    const known = this.#pages.get(page);
    if (known) return known;
    const fetching = this.#fetch(page);
    this.#pages.set(page, fetching);
    return fetching;
  }

  async #fetch(page: number): Promise<void> {
    try {
      const query = { conversation: this.conversation, first: page * PAGE, limit: PAGE };
      const part = await platform().call('transcript', query);
      for (const item of part.items) this.#items[item.place] = item;
      if (part.runsAfter.length > 0) this.runsAfter = part.runsAfter;
      this.total = part.total;
      this.#revision += 1;
    } catch (error) {
      this.#pages.delete(page);
      this.failure = asFailure(error);
    }
  }
}

/** Whether `render` put a marker button into this message. */
function hasMarker(item: TranscriptItem): boolean {
  return item.message.sources !== null && item.message.html.includes('data-citation=');
}
