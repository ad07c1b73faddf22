import { getContext, setContext } from 'svelte';
import { asFailure } from '../failure';
import type { Failure } from '../gen/Failure';
import type { JobState } from '../gen/JobState';
import type { LinkPreview } from '../gen/LinkPreview';
import type { Settings } from '../gen/Settings';
import type { Status } from '../gen/Status';
import type { Action } from '../keys';
import { platform } from '../platform';
import { fromFragment, HOME, toFragment, type Route, type Spot } from '../route';
import { Conversations } from './conversations.svelte';
import { Findings } from './findings.svelte';
import { Jobs } from './jobs.svelte';
import { failed, LOADING, ready, type Loadable } from './loadable';
import { Sources, type Citing } from './sources.svelte';
import { Transcript } from './transcript.svelte';

/** Does what a key asks for; says whether it did. */
export type Handler = (action: Action) => boolean;

/** A link that waits for the user's word. */
export type AskedLink = { url: string; preview: Loadable<LinkPreview> };

/** Where the user came from when they followed a source into another answer. */
export interface CameFrom {
  conversation: string;
  title: string;
  at: Spot;
  citing: Citing;
}

/** Dialogs of which one at a time is open. */
export type Dialog = 'help' | 'paste' | 'imported' | null;

/** How often ages such as "3 minutes ago" are reckoned again, in milliseconds. */
const TICK = 30_000;

/** Everything the window knows. One of it per window, handed down by context. */
export class App {
  status = $state.raw<Loadable<Status>>(LOADING);
  settings = $state.raw<Settings>({ theme: 'system', timeFormat: 'local' });
  route = $state.raw<Route>(HOME);
  dialog = $state<Dialog>(null);
  link = $state.raw<AskedLink | null>(null);
  /** Files are being dragged over the window. */
  dropping = $state(false);
  /** The current time, in milliseconds, to the half minute. */
  now = $state(Date.now());
  /** A failure of something small, shown at the foot of the window until it is put away. */
  trouble = $state.raw<Failure | null>(null);
  /** The last thing that was done, for the eye and for a screen reader. */
  said = $state<string | null>(null);

  readonly conversations = new Conversations();
  readonly findings = new Findings();
  readonly sources = new Sources();
  readonly jobs = new Jobs((job) => this.#jobEnded(job));
  /** The conversation that is open. */
  transcript = $state.raw<Transcript | null>(null);

  /** The way back from answers that cite the same source, the last step last. */
  trail = $state.raw<CameFrom[]>([]);

  #handlers: Handler[] = [];
  /** The list of answers to show again once the answer it belongs to is in view. */
  #again: Citing | null = null;

  /** Whether the archive takes imports. */
  get writable(): boolean {
    return this.status.phase === 'ready' && this.status.value.access === 'full';
  }

  /** Whether the archive is open and holds nothing at all. */
  get blank(): boolean {
    return this.status.phase === 'ready' && this.status.value.access !== 'none' && holdsNothing(this.status.value);
  }

  /** Starts the window: listens to the shell, reads the place from the address, fetches what is drawn first. */
  start(): () => void {
    const stops = [
      platform().onJob((job) => this.jobs.heard(job)),
      platform().onDrop((event) => {
        this.dropping = event.kind === 'over';
        if (event.kind === 'drop') void this.importPaths(event.paths, 'drop');
      }),
    ];
    const moved = () => this.#arrive(fromFragment(location.hash));
    addEventListener('hashchange', moved);
    const ticking = setInterval(() => (this.now = Date.now()), TICK);
    moved();
    void this.reload();
    void this.#loadSettings();
    void this.#importStartupFiles();
    return () => {
      for (const stop of stops) stop();
      removeEventListener('hashchange', moved);
      clearInterval(ticking);
    };
  }

  /** Imports what the app was started with, so that what comes of it is told like any other import. */
  async #importStartupFiles(): Promise<void> {
    try {
      await this.importPaths(await platform().startupFiles(), 'command line');
    } catch (error) {
      this.trouble = asFailure(error);
    }
  }

  /** Fetches status, list and filters again. */
  async reload(): Promise<void> {
    this.now = Date.now();
    await Promise.all([this.#loadStatus(), this.conversations.load(), this.conversations.loadFilters()]);
  }

  /** Goes somewhere. */
  go(route: Route): void {
    const fragment = toFragment(route);
    if (location.hash === fragment) this.#arrive(route);
    else location.hash = fragment;
  }

  /** Opens a conversation. */
  open(conversation: string): void {
    this.trail = [];
    this.go({ view: 'conversations', conversation, unplaced: false });
  }

  /** Opens another answer that cites a source, at the citation, and remembers the way back. */
  follow(number: number): void {
    const { citing } = this.sources;
    const from = this.transcript;
    if (citing?.answers.phase !== 'ready' || !from?.answer) return;
    const answer = citing.answers.value[number];
    if (!answer) return;
    const at = { place: from.answer.place, citation: citing.source.index };
    const title = from.head.phase === 'ready' ? from.head.value.row.title : 'the conversation before';
    const step = { conversation: from.conversation, title, at, citing: { ...citing, cursor: number } };
    this.trail = [...this.trail, step];
    this.sources.citing = null;
    this.#see(answer.conversation, { place: answer.place, citation: answer.citation });
  }

  /** Goes back to the list of answers from which the user came. */
  back(): void {
    const step = this.trail.at(-1);
    if (!step) return;
    this.trail = this.trail.slice(0, -1);
    this.#again = step.citing;
    this.#see(step.conversation, step.at);
  }

  /** The citation that was wanted is in view. */
  arrived(): void {
    if (this.transcript) this.transcript.wanted = null;
    this.sources.citing = this.#again;
    this.#again = null;
  }

  #see(conversation: string, at: Spot): void {
    this.go({ view: 'conversations', conversation, unplaced: false, at });
  }

  /** Adds a screen's handler of keys; the screen added last is asked first. Gives back how to take it away. */
  handle(handler: Handler): () => void {
    this.#handlers.unshift(handler);
    return () => (this.#handlers = this.#handlers.filter((other) => other !== handler));
  }

  /** Does what a key asks for. */
  act(action: Action): boolean {
    return this.#handlers.some((handler) => handler(action));
  }

  /** Imports what the user chooses in a dialog. */
  async importChosen(what: 'files' | 'folder'): Promise<void> {
    try {
      const paths = await (what === 'files' ? platform().chooseFiles() : platform().chooseFolder());
      await this.importPaths(paths, 'dialog');
    } catch (error) {
      this.trouble = asFailure(error);
    }
  }

  /** Imports files and folders. */
  async importPaths(paths: string[], via: string): Promise<void> {
    if (paths.length === 0) return;
    await this.jobs.start(() => platform().call('import_paths', { paths, via }));
  }

  /** Imports pasted text. */
  async importText(text: string): Promise<void> {
    this.dialog = null;
    await this.jobs.start(() => platform().call('import_text', { text }));
  }

  /** Opens a copy of the sample archive, or goes back to the user's own. */
  async showSample(sample: boolean): Promise<void> {
    try {
      await (sample ? platform().openSample() : platform().closeSample());
    } catch (error) {
      this.trouble = asFailure(error);
      return;
    }
    this.sources.forget();
    this.conversations.rows = [];
    this.go(HOME);
    this.conversations.clearFilters();
    await this.reload();
  }

  /** Changes a setting; it takes hold at once and is put back when it cannot be kept. */
  async set(change: Partial<Settings>): Promise<void> {
    const before = this.settings;
    this.settings = { ...before, ...change };
    try {
      this.settings = await platform().call('set_settings', this.settings);
    } catch (error) {
      this.settings = before;
      this.trouble = asFailure(error);
    }
  }

  /** Asks the user whether a link may be opened, showing where it really leads. */
  async askLink(url: string): Promise<void> {
    this.link = { url, preview: LOADING };
    try {
      const preview = await platform().call('inspect_link', { url });
      if (this.link?.url === url) this.link = { url, preview: ready(preview) };
    } catch (error) {
      if (this.link?.url === url) this.link = { url, preview: failed(asFailure(error)) };
    }
  }

  /** Opens the link that was asked about. */
  async openLink(): Promise<void> {
    const asked = this.link;
    this.link = null;
    if (asked?.preview.phase !== 'ready') return;
    try {
      await platform().openLink(asked.preview.value.url);
    } catch (error) {
      this.trouble = asFailure(error);
    }
  }

  #arrive(route: Route): void {
    this.route = route;
    if (route.view === 'findings') this.findings.filter({ code: route.code, conversation: route.conversation });
    if (route.view !== 'conversations') return;
    if (route.conversation === null) {
      this.transcript = null;
      this.sources.forget();
    } else if (this.transcript?.conversation !== route.conversation) {
      this.#openTranscript(route.conversation, route.at);
    } else if (route.at) {
      this.transcript.cameFrom = null;
      this.transcript.wanted = route.at;
    }
  }

  #openTranscript(conversation: string, at?: Spot | null): void {
    this.sources.forget();
    this.transcript = new Transcript(conversation, at);
    void this.transcript.open();
  }

  #jobEnded(job: JobState): void {
    if (job.outcome?.kind === 'imported') this.dialog = 'imported';
    if (job.kind === 'verify') return;
    this.sources.forget();
    void this.reload();
    if (this.route.view === 'conversations' && this.route.conversation !== null) {
      this.#openTranscript(this.route.conversation);
    }
  }

  async #loadStatus(): Promise<void> {
    try {
      this.status = ready(await platform().call('status', {}));
    } catch (error) {
      this.status = failed(asFailure(error));
    }
  }

  async #loadSettings(): Promise<void> {
    try {
      this.settings = await platform().call('settings', {});
    } catch (error) {
      this.trouble = asFailure(error);
    }
  }
}

const KEY = Symbol('app');

/** Hands the window's state down to every component below. */
export function provideApp(app: App): App {
  return setContext(KEY, app);
}

/** The window's state. */
export function useApp(): App {
  return getContext<App>(KEY);
}

function holdsNothing(status: Status): boolean {
  return status.counts.recordings === 0 && status.counts.conversations === 0;
}
