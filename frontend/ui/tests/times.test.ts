import { describe, expect, it } from 'vitest';
import { toLocalValue, toUtcValue, writeLocalTime, writeTimeLeft } from '../src/times';

const AT = '2026-11-25T22:05:09+00:00';
const inTaipei = (written: string, language = 'en'): string => writeLocalTime(AT, written, language, 'Asia/Taipei');

describe('a time on a page', () => {
  it('is shown in the zone of its reader', () => {
    expect(inTaipei('25 Nov 2026, 22:05 UTC')).toMatch(/^26 Nov 2026,? .*06:05$/);
    expect(inTaipei('2026年11月25日 22:05', 'zh-Hant')).toMatch(/^2026\/11\/26\s06:05$/);
  });

  it('is as exact as the server wrote it', () => {
    expect(inTaipei('22:05 UTC')).toBe('06:05');
    expect(inTaipei('22:05:09')).toBe('06:05:09');
    expect(inTaipei('25 Nov 2026, 22:05:09 UTC')).toMatch(/26.*\b06:05:09$/);
  });

  it('stays as it is written if it cannot be read', () => {
    expect(writeLocalTime('soon', 'soon', 'en')).toBe('');
  });
});

describe('a countdown', () => {
  const left = (until: string): string => writeTimeLeft(until, Date.UTC(2026, 10, 25, 20, 0, 0));

  it('counts the last day in seconds', () => {
    expect(left(AT)).toBe('2:05:09');
    expect(left('2026-11-26T19:59:59Z')).toBe('23:59:59');
  });

  it('leaves longer, past and unreadable times as the server wrote them', () => {
    expect(['2026-11-26T20:00:00Z', '2026-11-25T19:59:59Z', 'soon'].map(left)).toEqual(['', '', '']);
  });
});

describe('a time that is typed', () => {
  it('is sent in UTC and shown in the zone again', () => {
    const offset = -new Date('2026-07-01T12:00').getTimezoneOffset();
    const utc = new Date(Date.UTC(2026, 6, 1, 12, 0) - 60_000 * offset).toISOString().slice(0, 16);
    expect(toUtcValue('2026-07-01T12:00')).toBe(utc);
    expect(toLocalValue(utc)).toBe('2026-07-01T12:00');
  });

  it('may be missing or unreadable', () => {
    expect([toUtcValue(''), toLocalValue(''), toLocalValue('soon'), toUtcValue('soon')]).toEqual(['', '', '', '']);
  });
});
