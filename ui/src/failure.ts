import type { ErrorKind } from './gen/ErrorKind';
import type { Failure } from './gen/Failure';

const KINDS: readonly ErrorKind[] = [
  'bad-input',
  'not-found',
  'storage',
  'damaged',
  'busy',
  'unsupported-version',
  'reader-unavailable',
  'cancelled',
  'internal',
];

/** Reads whatever a promise was rejected with as a failure that a person can read. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'internal', message: `Recite itself failed: ${message}`, hint: null };
}

function isFailure(error: unknown): error is Failure {
  if (typeof error !== 'object' || error === null) return false;
  const { kind, message } = error as Partial<Failure>;
  return typeof message === 'string' && KINDS.includes(kind as ErrorKind);
}
