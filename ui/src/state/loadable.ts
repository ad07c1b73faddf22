import type { Failure } from '../gen/Failure';

/** Something that comes from the archive: not here yet, here, or failed. */
export type Loadable<T> = { phase: 'loading' } | { phase: 'ready'; value: T } | { phase: 'failed'; failure: Failure };

/** Not here yet. */
export const LOADING: { phase: 'loading' } = { phase: 'loading' };

/** Here. */
export function ready<T>(value: T): Loadable<T> {
  return { phase: 'ready', value };
}

/** Failed. */
export function failed<T>(failure: Failure): Loadable<T> {
  return { phase: 'failed', failure };
}
