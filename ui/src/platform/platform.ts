import type { JobState } from '../gen/JobState';
import type { Command, RequestOf, ResponseOf } from './contract';

/** What happens while the user drags files over the window. */
export type DropEvent = { kind: 'over' } | { kind: 'leave' } | { kind: 'drop'; paths: string[] };

/** Takes a listener away again. */
export type Unlisten = () => void;

/**
 * The one door from the window to the shell.
 *
 * Every promise rejects with a `Failure` of the contract; `asFailure` reads anything else as an internal one.
 */
export interface Platform {
  /** Runs a command of the contract. */
  call<C extends Command>(command: C, request: RequestOf<C>): Promise<ResponseOf<C>>;
  /** Tells how jobs stand, at most ten times a second each. */
  onJob(listener: (job: JobState) => void): Unlisten;
  /** Tells of files dragged over the window. */
  onDrop(listener: (event: DropEvent) => void): Unlisten;
  /** Lets the user choose files; empty when they chose none. */
  chooseFiles(): Promise<string[]>;
  /** Lets the user choose a folder; empty when they chose none. */
  chooseFolder(): Promise<string[]>;
  /** Lets the user choose where an export goes; null when they do not want it. */
  chooseExportPath(suggested: string): Promise<string | null>;
  /** Opens a web link outside, after the user agreed. */
  openLink(url: string): Promise<void>;
  /** Recordings that the app was started with; each is given once. */
  startupFiles(): Promise<string[]>;
  /** Opens a copy of the sample archive in place of the user's. */
  openSample(): Promise<void>;
  /** Goes back to the user's archive. */
  closeSample(): Promise<void>;
}
