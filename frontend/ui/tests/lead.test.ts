import { describe, expect, it } from 'vitest';
import { LOWERED, SHAPES } from '../src/replay/board/marks';
import { newsOf, speakerOf, withNames } from '../src/replay/lead';
import type { Contest } from '../src/replay/protocol';
import { develop, type Moment } from '../src/replay/reel';

const NAMES = ['Ada', 'Ada Two', 'Bo'];
const contest = (key: string, verdict: string): Contest => ({ key, title: `The ${key}`, verdict });
const moment = (at: number, ...contests: Contest[]): Moment => develop(undefined, { at, kind: 'k', say: '', contests }, true);

describe('the lead', () => {
  it('is described with the names of the seats', () => {
    expect(withNames('{2} and {0} lead', NAMES)).toBe('Bo and Ada lead');
    expect(withNames('{2} leads', ['Ada', 'Bo', 'Ada'])).toBe('Ada (3) leads');
  });

  it('is news if a step changed it, but not if only its reasons changed', () => {
    const before = moment(0, contest('lead', '{0} leads by 2; 3 hidden'), contest('gold', '{0} leads by 1'));
    const same = moment(1, contest('lead', '{0} leads by 2; 4 hidden'), contest('gold', '{0} leads by 1'));
    const other = moment(2, contest('lead', '{2} leads by 1; 4 hidden'), contest('gold', '{2} leads by 5'));
    expect(newsOf(before, same, NAMES)).toEqual([]);
    expect(newsOf(same, other, NAMES)).toEqual([
      { key: 'lead', title: '', verdict: 'Bo leads by 1' },
      { key: 'gold', title: 'The gold', verdict: 'Bo leads by 5' },
    ]);
    expect(newsOf(undefined, other, NAMES)).toEqual([]);
  });

  it('keeps the contests that a frame did not change, and drops those that are gone', () => {
    const before = moment(0, contest('lead', 'a'), contest('goals', 'b'));
    expect(develop(before, { at: 1, kind: 'k', say: '', contests: [contest('lead', 'c')], gone: ['goals'] }, false).contests).toEqual([
      contest('lead', 'c'),
    ]);
  });
});

describe('the seat that a sentence is about', () => {
  it('is the seat with the longest name that begins the sentence', () => {
    expect([speakerOf('Ada Two bids 3.', NAMES), speakerOf('Ada passes.', NAMES), speakerOf('The deck.', NAMES)]).toEqual([1, 0, null]);
  });

  it('is null if two players share the name', () => {
    expect(speakerOf('Ada passes.', ['Ada', 'Ada'])).toBeNull();
  });
});

describe('the marks of the seats', () => {
  it('have twelve different shapes', () => {
    expect(new Set(SHAPES).size).toBe(12);
    expect([...LOWERED.keys()].every((seat) => seat in SHAPES)).toBe(true);
  });
});
