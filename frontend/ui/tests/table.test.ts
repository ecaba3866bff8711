import { describe, expect, it } from 'vitest';
import { textsOf, topicsOf } from '../src/replay/board/about';
import { largestFit, LARGEST } from '../src/replay/board/fit';

describe('a table', () => {
  it('is drawn as large as it may where it has room', () => {
    expect(largestFit(() => true)).toBe(LARGEST);
    expect(largestFit(() => true, 0.8)).toBe(0.8);
  });

  it('is drawn nearly as large as its room allows', () => {
    const scale = largestFit((tried) => 700 * tried <= 490);
    expect(scale).toBeLessThanOrEqual(0.7);
    expect(scale).toBeGreaterThan(0.68);
  });

  it('stays readable where it has far too little room', () => {
    expect(largestFit(() => false)).toBe(0.5);
  });
});

describe('a piece', () => {
  const TEXTS = { gold: 'It pays.', die: 'Roll it.', hidden: 'Nobody knows.' };

  it('is explained by its tags before its kind', () => {
    expect(textsOf(topicsOf({ key: 'g', kind: 'card', face: 'gold-1', tags: ['gold', 'value:1'] }), TEXTS)).toEqual(['It pays.']);
    expect(textsOf(topicsOf({ key: 'd', kind: 'die', face: '6' }), TEXTS)).toEqual(['Roll it.']);
  });

  it('that lies face down is explained as such', () => {
    expect(textsOf(topicsOf({ key: 'h', kind: 'card' }), TEXTS)).toEqual(['Nobody knows.']);
  });

  it('of which nothing is known is left alone', () => {
    expect(textsOf(topicsOf({ key: 'x', kind: 'tile', face: 'x' }), TEXTS)).toEqual([]);
  });
});
