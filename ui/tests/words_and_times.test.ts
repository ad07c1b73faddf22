import { describe, expect, it } from 'vitest';
import { asFailure } from '../src/failure';
import { fromFragment, toFragment, type Route } from '../src/route';
import { age, clockTime, dayName, fullTime, shortTime, splitTimes } from '../src/time';
import { count, fileName, shortHash, size } from '../src/words';

const NOON = Date.parse('2026-11-30T12:00:00Z');

describe('times are shown in the zone of the user, or in UTC', () => {
  it('in full, with the offset', () => {
    expect(fullTime('2026-11-30T09:42:11Z', 'local')).toBe('30 Nov 2026, 10:42:11 +01:00');
    expect(fullTime('2026-07-30T09:42:11Z', 'local')).toBe('30 Jul 2026, 11:42:11 +02:00');
    expect(fullTime('2026-11-30T09:42:11.250Z', 'utc')).toBe('30 Nov 2026, 09:42:11 UTC');
  });
  it('to the minute and as a clock', () => {
    expect(shortTime('2026-11-30T23:42:11Z', 'local')).toBe('1 Dec 2026, 00:42');
    expect(clockTime('2026-11-30T23:42:11Z', 'local')).toBe('00:42');
    expect(clockTime('2026-11-30T23:42:11Z', 'utc')).toBe('23:42 UTC');
    expect(shortTime('2026-09-30T23:42:11Z', 'utc')).toBe('30 Sep 2026, 23:42 UTC');
  });
  it('and what cannot be read stays as it is', () => {
    expect(fullTime('next Tuesday', 'local')).toBe('next Tuesday');
    expect(age('next Tuesday', NOON)).toBe('');
  });
  it.each([
    ['2026-11-30T11:59:40Z', 'just now'],
    ['2026-11-30T09:00:00Z', '3 hours ago'],
    ['2026-11-29T11:00:00Z', '1 day ago'],
    ['2026-11-30T14:00:00Z', 'in 2 hours'],
    ['2024-01-30T14:00:00Z', '2 years ago'],
  ])('%s was %s', (instant, words) => expect(age(instant, NOON)).toBe(words));
  it.each([
    ['2026-11-30T05:00:00Z', 'Today · 30 Nov 2026'],
    ['2026-11-29T22:59:00Z', 'Yesterday · 29 Nov 2026'],
    ['2026-11-29T23:01:00Z', 'Today · 30 Nov 2026'],
    ['2026-11-20T12:00:00Z', '20 Nov 2026'],
    ['2025-11-20T12:00:00Z', '20 Nov 2025'],
  ])('%s is under %s', (instant, name) => expect(dayName(instant, NOON, 'local')).toBe(name));
});

describe('times inside of sentences are written as all others are', () => {
  const time = {
    written: '1 Nov 2026, 08:00:00 +02:00',
    at: '2026-11-01T06:00:00Z',
    text: '2026-11-01T08:00:00+02:00',
  };
  it('so they are taken from the words around them', () => {
    const sentence = `Stale since ${time.written}; told at ${time.written}.`;
    expect(splitTimes(sentence, [time])).toEqual(['Stale since ', time, '; told at ', time, '.']);
    expect(splitTimes('No time at all.', [time])).toEqual(['No time at all.']);
    expect(splitTimes('', [time])).toEqual([]);
  });
});

describe('numbers are written for people', () => {
  it('with their noun', () => {
    expect([count(1, 'answer'), count(0, 'answer'), count(1284, 'answer')]).toEqual([
      '1 answer',
      '0 answers',
      '1,284 answers',
    ]);
  });
  it('as sizes, which cross as text', () => {
    expect(['812', '12000', '1482752', '999600', '9007199254740993'].map(size)).toEqual([
      '812 bytes',
      '12 kB',
      '1.5 MB',
      '1.0 MB',
      '9007 TB',
    ]);
  });
  it('and hashes and paths by what tells them apart', () => {
    expect(shortHash('sha256:8f1c0d2a99998888777741d2')).toBe('sha256:8f1c…41d2');
    expect(fileName('C:\\Users\\lena\\refund.sse')).toBe('refund.sse');
    expect(fileName('/home/lena/harbour/')).toBe('harbour');
  });
});

describe('places and addresses say the same', () => {
  const routes: Route[] = [
    { view: 'conversations', conversation: null, unplaced: false },
    { view: 'conversations', conversation: 'a/b c', unplaced: true },
    { view: 'findings', code: 'moca.order', conversation: '7' },
    { view: 'settings' },
  ];
  it.each(routes.map((route) => [toFragment(route), route]))('%s', (fragment, route) =>
    expect(fromFragment(fragment as string)).toEqual(route),
  );
  it('and what is no place leads home', () => {
    expect(fromFragment('#/conversations/%E0%A4%A')).toMatchObject({ conversation: '%E0%A4%A' });
    expect(fromFragment('#nowhere')).toEqual(routes[0]);
  });
});

it('a rejection that is no failure of the contract is read as a fault of Recite', () => {
  expect(asFailure(new Error('boom'))).toMatchObject({ kind: 'internal', message: 'Recite itself failed: boom' });
  expect(asFailure({ kind: 'made-up', message: 'x' }).kind).toBe('internal');
  expect(asFailure({ kind: 'busy', message: 'held', hint: null })).toEqual({
    kind: 'busy',
    message: 'held',
    hint: null,
  });
});
