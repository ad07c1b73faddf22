import type { AsOf } from '../../gen/AsOf';
import type { CurrencyKind } from '../../gen/CurrencyKind';
import type { DeclaredVerification } from '../../gen/DeclaredVerification';
import type { ForecastKind } from '../../gen/ForecastKind';
import type { IntegrityKind } from '../../gen/IntegrityKind';
import type { ReadStanding } from '../../gen/ReadStanding';
import type { ReviewKind } from '../../gen/ReviewKind';
import type { Standing } from '../../gen/Standing';
import type { State } from '../../gen/State';
import type { StripPart } from '../../gen/StripPart';
import type { Summary } from '../../gen/Summary';
import type { Tone } from '../../gen/Tone';

/** Time and speaker of flags whose service said when. */
export function statedBy(text: string): AsOf {
  return {
    by: { kind: 'service' },
    time: { kind: 'stated', text, at: new Date(text).toISOString() },
    receivedAt: null,
    importedAt: null,
    line: `as of ${text} · by the service’s Reader`,
  };
}

/** Time and speaker of flags whose service did not say when. */
export function untimed(importedAt: string): AsOf {
  return {
    by: { kind: 'service' },
    time: { kind: 'notStated' },
    receivedAt: null,
    importedAt,
    line: `the service did not say when · by the service’s Reader · imported ${importedAt}`,
  };
}

/** What the record's own dates say at a time. */
export function byDates(at: string): AsOf {
  return {
    by: { kind: 'ownDates' },
    time: { kind: 'known', at },
    receivedAt: null,
    importedAt: null,
    line: `as of ${at} · by the record’s own dates`,
  };
}

/** A flag. */
export function flag<K>(asOf: AsOf, kind: K, tone: Tone, badge: string, detail: string | null = null): State<K> {
  return {
    kind,
    tone,
    badge,
    sentence: `${badge}, says the service’s Reader.`,
    detail,
    asOf,
    line: `${badge} · ${asOf.line}`,
  };
}

/** A declared verification. */
export function declared(asOf: AsOf, by: string): DeclaredVerification {
  const badge = 'Declared, not checked';
  return {
    badge,
    sentence: `${by} says that it is verified; nobody checked that.`,
    by,
    at: null,
    asOf,
    line: `${badge} · ${asOf.line}`,
  };
}

/** What a standing is put together from. */
export interface Parts {
  integrity?: State<IntegrityKind>;
  currency?: State<CurrencyKind>[];
  reviews?: State<ReviewKind>[];
  declared?: DeclaredVerification[];
  forecast?: State<ForecastKind>[];
}

/** The standing of a readable record: signed, in force and not stale where nothing else is said. */
export function read(asOf: AsOf, parts: Parts = {}): Standing {
  const good: Tone = asOf.time.kind === 'stated' ? 'good' : 'unknown';
  const standing: ReadStanding = {
    integrity: parts.integrity ?? signed(asOf, 'Harbour Bikes publisher'),
    currency: parts.currency ?? [
      flag(asOf, 'inForceNotStale', good, 'In force, not stale', 'Status stable, not superseded, not contested.'),
    ],
    reviews: parts.reviews ?? [],
    declared: parts.declared ?? [],
    forecast: parts.forecast ?? [],
    worst: summary(good, 'in force, not stale', asOf),
    asOf,
    times: [],
  };
  standing.worst = worst(standing);
  return { state: 'read', ...standing };
}

/** A signature as a service states it. */
export function signed(asOf: AsOf, by: string, digest = 'sha256:8f1c0d2a…41d2'): State<IntegrityKind> {
  const tone: Tone = asOf.time.kind === 'stated' ? 'good' : 'unknown';
  return flag(asOf, 'signed', tone, `Signed by ${by}`, `Package digest ${digest}, as stated, not compared.`);
}

/** The standing of a record that contradicts itself: that, and nothing that depends on it. */
export function contradicting(asOf: AsOf): Standing {
  const integrity = flag<IntegrityKind>(
    asOf,
    'contradiction',
    'bad',
    'Contradicts itself',
    'node.ref names version 3.2.0, package.version is 3.1.0.',
  );
  return { state: 'failed', integrity, worst: summary('bad', 'self-contradicting', asOf), asOf };
}

/** The standing of an invalid record: reasons and no flag. */
export function invalid(asOf: AsOf, reasons: string[]): Standing {
  return {
    state: 'invalid',
    sentence: `The service sent a record that is invalid: ${reasons[0] ?? ''}, and ${reasons.length - 1} more.`,
    reasons,
    line: `Invalid record · ${asOf.line}`,
    worst: summary('bad', 'with an invalid record', asOf),
    asOf,
  };
}

/** Tone of the worst of a standing's flags. */
export function toneOf(standing: Standing): Tone {
  return standing.worst.tone;
}

/** How many of these stand how, worst first. */
export function partsOf(standings: Standing[]): StripPart[] {
  const parts: StripPart[] = [];
  for (const { worst } of standings) {
    const part = parts.find(({ word, line }) => word === worst.word && line === worst.asOf.line);
    if (part) part.count += 1;
    else {
      const { word, tone, asOf } = worst;
      parts.push({ word, tone, count: 1, asOf, until: null, line: asOf.line });
    }
  }
  return parts.sort((a, b) => ORDER.indexOf(b.tone) - ORDER.indexOf(a.tone));
}

const ORDER: Tone[] = ['good', 'neutral', 'unknown', 'caution', 'bad'];

const WORDS: Record<string, string> = {
  inForceNotStale: 'in force, not stale',
  notSigned: 'not signed',
  stale: 'stale',
  superseded: 'superseded',
  noLongerInForce: 'no longer in force',
  inaccurate: 'reviewed as inaccurate',
  unknownOutcome: 'reviewed with an unknown outcome',
};

function worst(standing: ReadStanding): Summary {
  const states: State<string>[] = [standing.integrity, ...standing.currency, ...standing.reviews, ...standing.forecast];
  // A state that only tells of a date to come covers nothing.
  const tones = states.filter((state) => state.kind !== 'goesStale').map((state) => state.tone);
  const tone = [...ORDER].reverse().find((each) => tones.includes(each)) ?? 'unknown';
  const state = states.find((each) => each.tone === tone) ?? standing.integrity;
  return {
    ...summary(tone, WORDS[state.kind] ?? 'in force, not stale', standing.asOf),
    sentence: state.sentence,
    line: state.line,
  };
}

function summary(tone: Tone, word: string, asOf: AsOf): Summary {
  return { tone, word, sentence: word, asOf, line: `${word} · ${asOf.line}` };
}
