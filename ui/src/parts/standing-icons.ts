import type { CurrencyKind } from '../gen/CurrencyKind';
import type { ForecastKind } from '../gen/ForecastKind';
import type { IntegrityKind } from '../gen/IntegrityKind';
import type { ReviewKind } from '../gen/ReviewKind';
import type { Tone } from '../gen/Tone';
import type { IconName } from './Icon.svelte';

/** A kind of flag of any axis. */
export type FlagKind = IntegrityKind | CurrencyKind | ForecastKind | ReviewKind;

const ICONS: Record<FlagKind, IconName> = {
  signed: 'shield-signed',
  signedByUnnamed: 'shield',
  notSigned: 'shield',
  signersContradict: 'shield',
  digestDiffers: 'shield-broken',
  contradiction: 'shield-broken',
  couldNotCheck: 'unknown',
  superseded: 'swap',
  noLongerInForce: 'clock',
  notYetInForce: 'clock',
  notInForce: 'clock',
  contested: 'contested',
  stale: 'clock',
  evidenceNotFound: 'warning',
  deprecated: 'warning',
  draft: 'draft',
  inForceNotStale: 'done',
  inForce: 'done',
  notStale: 'done',
  outOfForceWhenAnswered: 'clock',
  staleWhenAnswered: 'clock',
  windowUnreadable: 'unknown',
  staleDateUnreadable: 'unknown',
  goesOutOfForce: 'clock',
  goesStale: 'clock',
  inaccurate: 'person-no',
  needsChange: 'person-no',
  unknownOutcome: 'person',
  accurate: 'person-yes',
};

/** Drawings with a tick and what stands for them where the flag is not good: a tick is never drawn for anything else. */
const WITHOUT_TICK: Partial<Record<IconName, IconName>> = {
  'shield-signed': 'shield',
  done: 'dot',
  'person-yes': 'person',
};

/** The drawing of a flag. */
export function flagIcon(kind: FlagKind, tone: Tone): IconName {
  const icon = ICONS[kind] ?? 'unknown';
  if (tone === 'good') return icon;
  if (tone === 'unknown' && icon === 'done') return 'unknown';
  return WITHOUT_TICK[icon] ?? icon;
}
