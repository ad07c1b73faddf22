import type { CodeCount } from '../../gen/CodeCount';
import type { CitingAnswer } from '../../gen/CitingAnswer';
import type { CitingPage } from '../../gen/CitingPage';
import type { CitingQuery } from '../../gen/CitingQuery';
import type { ConversationQuery } from '../../gen/ConversationQuery';
import type { FindingQuery } from '../../gen/FindingQuery';
import type { JobKind } from '../../gen/JobKind';
import type { JobOutcome } from '../../gen/JobOutcome';
import type { JobState } from '../../gen/JobState';
import type { Commands } from '../../gen/Commands';
import type { Command } from '../contract';
import type { DropEvent, Platform } from '../platform';
import type { World } from './world';

type Answers = { [C in Command]: (request: Commands[C]['request']) => Commands[C]['response'] };

/** A platform that answers from a world in memory: for tests, and for looking at the window in a browser. */
export class Scripted implements Platform {
  world: World;
  /** Every call made, in order. */
  readonly calls: { command: Command; request: unknown }[] = [];
  /** What the user's dialogs give. */
  chosen: { files: string[]; exportPath: string | null } = {
    files: ['/home/lena/refund.sse'],
    exportPath: '/home/lena/out.html',
  };
  /** Links that were opened outside. */
  readonly opened: string[] = [];
  /** The world behind “Open the sample archive”. */
  sample: World | null = null;

  #own: World | null = null;
  #jobs = new Map<string, JobState>();
  #jobListeners = new Set<(job: JobState) => void>();
  #dropListeners = new Set<(event: DropEvent) => void>();

  constructor(world: World) {
    this.world = world;
  }

  async call<C extends Command>(command: C, request: Commands[C]['request']): Promise<Commands[C]['response']> {
    this.calls.push({ command, request });
    if (this.world.silent.includes(command)) await new Promise(() => undefined);
    const failure = this.world.failures[command];
    // The shell rejects with a failure of the contract, which is no Error.
    if (failure) throw failure;
    return this.#answers[command](request);
  }

  onJob(listener: (job: JobState) => void): () => void {
    this.#jobListeners.add(listener);
    return () => this.#jobListeners.delete(listener);
  }

  onDrop(listener: (event: DropEvent) => void): () => void {
    this.#dropListeners.add(listener);
    return () => this.#dropListeners.delete(listener);
  }

  chooseFiles(): Promise<string[]> {
    return Promise.resolve(this.chosen.files);
  }

  chooseFolder(): Promise<string[]> {
    return Promise.resolve(this.chosen.files);
  }

  chooseExportPath(): Promise<string | null> {
    return Promise.resolve(this.chosen.exportPath);
  }

  openLink(url: string): Promise<void> {
    this.opened.push(url);
    return Promise.resolve();
  }

  startupFiles(): Promise<string[]> {
    return Promise.resolve([]);
  }

  openSample(): Promise<void> {
    this.#own ??= this.world;
    if (this.sample) this.world = this.sample;
    return Promise.resolve();
  }

  closeSample(): Promise<void> {
    this.world = this.#own ?? this.world;
    return Promise.resolve();
  }

  /** Lets files be dragged over the window or dropped on it. */
  drop(event: DropEvent): void {
    for (const listener of this.#dropListeners) listener(event);
  }

  /** Reports how a job stands. */
  report(job: JobState): void {
    this.#jobs.set(job.id, job);
    for (const listener of this.#jobListeners) listener(job);
  }

  /** Lets the job that runs come to its end. */
  finish(): void {
    const running = [...this.#jobs.values()].find((job) => job.outcome === null);
    if (running) this.report({ ...running, outcome: this.#outcome(running.kind) });
  }

  #answers: Answers = {
    status: () => this.world.status,
    list_conversations: (query) => this.#list(query),
    conversation: ({ id }) => this.#find(id).head,
    transcript: ({ conversation, first, limit }) => {
      const { total, item } = this.#find(conversation);
      const length = Math.max(0, Math.min(limit, total - first));
      return { total, items: Array.from({ length }, (_, i) => item(first + i)), runsAfter: [] };
    },
    answer_sources: ({ id }) => {
      const known = this.world.sources.get(id);
      if (known) return known;
      const none = { state: 'none' as const, sentence: 'Sources unknown: no citation event.', computedAt: null };
      const rest = { computedAtNote: null, items: [], replacedEvents: 0, others: [], findings: [] };
      return { message: id, ...none, ...rest, heldSince: '2026-11-30T09:50:00Z', heldSinceKind: 'imported' };
    },
    citing_answers: (query) => this.#citing(query),
    record: ({ id }) => this.world.records.get(id) ?? this.#missing('This record is not in the archive.'),
    unplaced_citations: ({ id }) => ({ events: this.#find(id).unplaced }),
    list_findings: (query) => this.#findings(query),
    finding_raw: ({ id }) => ({ text: this.world.raw.get(id) ?? '', cut: false }),
    filters: () => this.world.filters,
    import_paths: () => this.#start('import'),
    import_text: () => this.#start('import'),
    job: ({ id }) => this.#jobs.get(id) ?? this.#missing('There is no such job.'),
    cancel_job: ({ id }) => {
      const job = this.#jobs.get(id);
      const failure = {
        kind: 'cancelled' as const,
        message: 'The import was stopped. What was complete is kept.',
        hint: null,
      };
      if (job) this.report({ ...job, outcome: { kind: 'failed', failure } });
      return {};
    },
    verify: () => this.#start('verify'),
    rebuild: () => this.#start('rebuild'),
    export: ({ path }) => ({ path, bytes: '48211' }),
    settings: () => this.world.settings,
    set_settings: (settings) => (this.world.settings = settings),
    inspect_link: ({ url }) => {
      const { host, href } = new URL(url);
      return { host, url: href, warning: host.startsWith('xn--') ? 'The name of the host mixes scripts.' : null };
    },
  };

  #citing({ record, except }: CitingQuery): CitingPage {
    const answers: CitingAnswer[] = [];
    for (const { head, total, item } of this.world.conversations) {
      for (let place = 0; place < Math.min(total, 100); place++) {
        const { message } = item(place);
        const cited = this.world.sources.get(message.id)?.items.find((each) => each.record === record);
        if (!cited || message.id === except) continue;
        const { id, title, service } = head.row;
        const excerpt = cited.places[0]?.excerpt ?? '';
        const { worst } = cited.standing;
        answers.push({
          conversation: id,
          title,
          service,
          message: message.id,
          place,
          citation: cited.index,
          excerpt,
          worst,
        });
      }
    }
    return { answers, next: null };
  }

  #find(id: string) {
    return (
      this.world.conversations.find(({ head }) => head.row.id === id) ??
      this.#missing('This conversation is not in the archive.')
    );
  }

  #missing(message: string): never {
    throw { kind: 'not-found', message, hint: null };
  }

  #list(query: ConversationQuery) {
    const words = query.text?.toLowerCase() ?? '';
    const rows = this.world.conversations
      .map(({ head }) => head.row)
      .filter((row) => row.title.toLowerCase().includes(words))
      .filter((row) => query.service === null || row.service === query.service)
      .sort((a, b) => Number(a.timesAreImport) - Number(b.timesAreImport));
    const first = Number(query.cursor ?? 0);
    const last = first + (query.limit ?? 200);
    return { conversations: rows.slice(first, last), next: last < rows.length ? String(last) : null };
  }

  #findings(query: FindingQuery) {
    const all = this.world.findings
      .filter((row) => query.severity === null || row.severity === query.severity)
      .filter((row) => query.conversation === null || row.conversation === query.conversation)
      .filter((row) => query.code === null || row.code === query.code);
    const codes = new Map<string, CodeCount>();
    for (const { code, severity, meaning } of all) {
      codes.set(code, { code, severity, meaning, count: (codes.get(code)?.count ?? 0) + 1 });
    }
    const first = Number(query.cursor ?? 0);
    const last = first + (query.limit ?? 200);
    return {
      findings: all.slice(first, last),
      codes: [...codes.values()],
      next: last < all.length ? String(last) : null,
    };
  }

  #outcome(kind: JobKind): JobOutcome {
    const outcomes: Record<JobKind, JobOutcome> = {
      import: { kind: 'imported', summary: this.world.summary },
      verify: { kind: 'verified', report: this.world.report },
      rebuild: { kind: 'rebuilt', recordings: this.world.status.counts.recordings },
    };
    return outcomes[kind];
  }

  #start(kind: JobKind) {
    const id = `job-${this.#jobs.size + 1}`;
    const { steps, pace } = this.world;
    const at = (step: number): JobState => ({
      id,
      kind,
      doing: step < steps ? `Reading recording-${step + 1}.sse` : 'Done',
      done: String(step * 2_400_000),
      total: String(steps * 2_400_000),
      counts: { files: step, filesTotal: steps, events: step * 1312, runs: step * 9, citationEvents: step * 4 },
      outcome: step < steps ? null : this.#outcome(kind),
    });
    this.report(at(0));
    const step = (n: number) => {
      if (this.#jobs.get(id)?.outcome) return;
      this.report(at(n));
      if (n < steps) setTimeout(() => step(n + 1), pace);
    };
    setTimeout(() => step(1), pace);
    return { id };
  }
}
