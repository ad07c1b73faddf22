import type { TimeFormat } from './gen/TimeFormat';
import type { WrittenTime } from './gen/WrittenTime';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// Of our own, since browsers disagree ("Sep", "Sept") and sentences of the core write them like this.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

// A time is written in one way, more or less of it: `30 Nov 2026, 10:42:11 +01:00` in full, `30 Nov 2026, 10:42` in short,
// `30 Nov 2026` and `10:42` where the other half stands beside. In UTC each time of day says so.

/**
 * An instant (RFC 3339) in full: `30 Nov 2026, 10:42:11 +01:00`, or `30 Nov 2026, 09:42:11 UTC`.
 * What cannot be read comes back as it is.
 */
export function fullTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return instant;
  const parts = fields(date, format);
  return `${day(parts)}, ${parts.clock}:${two(parts.seconds)} ${format === 'utc' ? 'UTC' : offset(date)}`;
}

/** An instant to the minute: `30 Nov 2026, 10:42`, or `30 Nov 2026, 09:42 UTC`. */
export function shortTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  return date ? `${day(fields(date, format))}, ${clockTime(instant, format)}` : instant;
}

/** The time of day: `10:42`, or `09:42 UTC`. */
export function clockTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return instant;
  return format === 'utc' ? `${fields(date, format).clock} UTC` : fields(date, format).clock;
}

/** The day alone: `30 Nov 2026`. */
export function dateOnly(instant: string, format: TimeFormat): string {
  const date = read(instant);
  return date ? day(fields(date, format)) : instant;
}

/** The day of an instant as a heading: `Today · 30 Nov 2026`, `28 Nov 2026`. */
export function dayName(instant: string, now: number, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return 'No stated time';
  const days = dayNumber(now, format) - dayNumber(date.getTime(), format);
  const name = day(fields(date, format));
  if (days === 0) return `Today · ${name}`;
  return days === 1 ? `Yesterday · ${name}` : name;
}

/** Takes the times that a sentence writes out from the words around them. */
export function splitTimes(sentence: string, times: readonly WrittenTime[]): (string | WrittenTime)[] {
  const time = times.find(({ written }) => sentence.includes(written));
  if (!time) return sentence === '' ? [] : [sentence];
  const [before = '', ...rest] = sentence.split(time.written);
  return [...splitTimes(before, times), time, ...splitTimes(rest.join(time.written), times)];
}

/** How long ago an instant was, or how far ahead it is: `3 hours ago`, `just now`, `in 2 days`. */
export function age(instant: string, now: number): string {
  const date = read(instant);
  if (!date) return '';
  const passed = now - date.getTime();
  const size = Math.abs(passed);
  const say = (unit: Intl.RelativeTimeFormatUnit, length: number) =>
    relative.format(-Math.sign(passed) * Math.floor(size / length), unit);
  if (size < MINUTE) return 'just now';
  if (size < HOUR) return say('minute', MINUTE);
  if (size < DAY) return say('hour', HOUR);
  if (size < 60 * DAY) return say('day', DAY);
  if (size < 730 * DAY) return say('month', 30.44 * DAY);
  return say('year', 365.25 * DAY);
}

function read(instant: string): Date | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : date;
}

function offset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

function two(n: number): string {
  return String(Math.floor(n)).padStart(2, '0');
}

interface Fields {
  year: number;
  month: number;
  day: number;
  clock: string;
  seconds: number;
}

function fields(date: Date, format: TimeFormat): Fields {
  // Shifted so that its UTC fields are those of the user's zone.
  const shift = format === 'utc' ? 0 : date.getTimezoneOffset() * MINUTE;
  const local = new Date(date.getTime() - shift);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    clock: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`,
    seconds: local.getUTCSeconds(),
  };
}

function day({ year, month, day }: Fields): string {
  return `${day} ${MONTHS[month]} ${String(year).padStart(4, '0')}`;
}

function dayNumber(time: number, format: TimeFormat): number {
  const shift = format === 'utc' ? 0 : new Date(time).getTimezoneOffset() * MINUTE;
  return Math.floor((time - shift) / DAY);
}
