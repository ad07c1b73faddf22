import type { Tone } from './gen/Tone';

/** What a tone means in words, for those who do not see its colour and shape. The state itself has its own words. */
export const toneWords: Record<Tone, string> = {
  good: 'said to be in order',
  neutral: 'nothing said against it',
  unknown: 'not known',
  caution: 'needs a look',
  bad: 'do not rely on it',
};
