import type { TimeFormat } from './gen/TimeFormat';

// The window speaks English, so its dates do too: a date in another language inside an English sentence reads as a mistake.
const LANGUAGE = 'en-GB';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const dayMonth = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'long' });
const dayMonthYear = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'long', year: 'numeric' });
const shortDate = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(LANGUAGE, { hour: '2-digit', minute: '2-digit', hour12: false });
const clockSeconds = new Intl.DateTimeFormat(LANGUAGE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * An instant (RFC 3339) in full: `30 Nov 2026, 10:42:11 +01:00`, or `2026-11-30T09:42:11Z`.
 * What cannot be read comes back as it is.
 */
export function fullTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return instant;
  if (format === 'utc') return `${date.toISOString().slice(0, 19)}Z`;
  return `${shortDate.format(date)}, ${clockSeconds.format(date)} ${offset(date)}`;
}

/** An instant to the minute: `30 Nov 2026, 10:42`, or `2026-11-30 09:42Z`. */
export function shortTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return instant;
  if (format === 'utc') return `${date.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  return `${shortDate.format(date)}, ${clock.format(date)}`;
}

/** The time of day: `10:42`, or `09:42Z`. */
export function clockTime(instant: string, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return instant;
  return format === 'utc' ? `${date.toISOString().slice(11, 16)}Z` : clock.format(date);
}

/** The day of an instant as a heading: `Today`, `Yesterday`, `28 November`, `28 November 2025`. */
export function dayName(instant: string, now: number, format: TimeFormat): string {
  const date = read(instant);
  if (!date) return 'Undated';
  const days = dayNumber(now, format) - dayNumber(date.getTime(), format);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (format === 'utc') return date.toISOString().slice(0, 10);
  return (date.getFullYear() === new Date(now).getFullYear() ? dayMonth : dayMonthYear).format(date);
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
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${minutes < 0 ? '−' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

function dayNumber(time: number, format: TimeFormat): number {
  const shift = format === 'utc' ? 0 : new Date(time).getTimezoneOffset() * MINUTE;
  return Math.floor((time - shift) / DAY);
}
