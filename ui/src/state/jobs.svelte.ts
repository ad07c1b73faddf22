import { asFailure } from '../failure';
import type { Failure } from '../gen/Failure';
import type { JobRef } from '../gen/JobRef';
import type { JobState } from '../gen/JobState';
import { platform } from '../platform';

/** Long work: the one job that runs, how it stands, and how the last one ended. */
export class Jobs {
  /** The job that runs or that ended last and was not put away yet. */
  current = $state.raw<JobState | null>(null);
  /** Why a job could not even start. */
  failure = $state.raw<Failure | null>(null);
  /** The user asked to stop it and it has not stopped yet. */
  stopping = $state(false);

  #started: string | null = null;
  #early = new Map<string, JobState>();
  #ended: (job: JobState) => void;

  /** `ended` is told of every job that came to its end. */
  constructor(ended: (job: JobState) => void) {
    this.#ended = ended;
  }

  /** Whether a job runs. */
  get running(): boolean {
    return this.current !== null && this.current.outcome === null;
  }

  /** Starts a job. Only one runs at a time, since the archive has one writer. */
  async start(begin: () => Promise<JobRef>): Promise<void> {
    if (this.running) {
      this.failure = {
        kind: 'busy',
        message: 'Other work is still running.',
        hint: 'Wait until it has ended, or stop it.',
      };
      return;
    }
    this.failure = null;
    this.stopping = false;
    this.#early.clear();
    this.#started = null;
    try {
      const { id } = await begin();
      this.#started = id;
      // Reports may come before the answer that names the job.
      this.heard(this.#early.get(id) ?? (await platform().call('job', { id })));
    } catch (error) {
      this.failure = asFailure(error);
    }
  }

  /** Takes a report of how a job stands. */
  heard(job: JobState): void {
    if (job.id !== this.#started) {
      this.#early.set(job.id, job);
      return;
    }
    const known = this.current?.id === job.id ? this.current : null;
    if (known?.outcome) return;
    this.current = job;
    if (job.outcome) {
      this.stopping = false;
      this.#ended(job);
    }
  }

  /** Stops the job that runs. */
  async cancel(): Promise<void> {
    if (!this.current || this.current.outcome) return;
    this.stopping = true;
    try {
      await platform().call('cancel_job', { id: this.current.id });
    } catch (error) {
      this.stopping = false;
      this.failure = asFailure(error);
    }
  }

  /** Puts the last job and failure away. */
  dismiss(): void {
    if (!this.running) this.current = null;
    this.failure = null;
  }
}
