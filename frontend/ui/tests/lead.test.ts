import { describe, expect, it } from 'vitest';
import { NUMBER_OFFSETS, SHAPES } from '../src/replay/board/seat-shapes';
import { newsOf, subjectSeatOf } from '../src/replay/lead';
import type { Contest } from '../src/replay/protocol';
import { applyFrame, type Moment } from '../src/replay/reel';

const NAMES = ['Ada', 'Ada Two', 'Bo'];
const contest = (key: string, verdict: string): Contest => ({ key, title: `The ${key}`, verdict });
const moment = (at: number, ...contests: Contest[]): Moment => applyFrame(undefined, { at, kind: 'k', say: '', contests }, true);

describe('the lead', () => {
  it('is news if a step changed it, but not if only its reasons changed', () => {
    const before = moment(0, contest('lead', 'Ada leads by 2; 3 hidden'), contest('gold', 'Ada leads by 1'));
    const same = moment(1, contest('lead', 'Ada leads by 2; 4 hidden'), contest('gold', 'Ada leads by 1'));
    const other = moment(2, contest('lead', 'Bo leads by 1; 4 hidden'), contest('gold', 'Bo leads by 5'));
    expect(newsOf(before, same)).toEqual([]);
    expect(newsOf(same, other)).toEqual([
      { key: 'lead', title: '', verdict: 'Bo leads by 1' },
      { key: 'gold', title: 'The gold', verdict: 'Bo leads by 5' },
    ]);
    expect(newsOf(undefined, other)).toEqual([]);
  });

  it('keeps the contests that a frame did not change, and drops those that are gone', () => {
    const before = moment(0, contest('lead', 'a'), contest('goals', 'b'));
    expect(applyFrame(before, { at: 1, kind: 'k', say: '', contests: [contest('lead', 'c')], gone: ['goals'] }, false).contests).toEqual([
      contest('lead', 'c'),
    ]);
  });
});

describe('the seat that a sentence is about', () => {
  it('is the seat with the longest name that begins the sentence', () => {
    expect([subjectSeatOf('Ada Two bids 3.', NAMES), subjectSeatOf('Ada passes.', NAMES), subjectSeatOf('The deck.', NAMES)]).toEqual([1, 0, null]);
  });

  it('is null if two players share the name', () => {
    expect(subjectSeatOf('Ada passes.', ['Ada', 'Ada'])).toBeNull();
  });
});

describe('the marks of the seats', () => {
  it('have twelve different shapes', () => {
    expect(new Set(SHAPES).size).toBe(12);
    expect([...NUMBER_OFFSETS.keys()].every((seat) => seat in SHAPES)).toBe(true);
  });
});
