import { describe, expect, it } from 'vitest';
import { cutFrom, stretchesIn, captionAt, type Stretch } from '../src/stretches';

const stretch = (from: number, at: number, until: number): Stretch => ({ from, at, until, coming: `to ${at}`, said: `at ${at}` });
const TWO = [stretch(4, 10, 13), stretch(40, 46, 49)];

describe('the stretches of a match', () => {
  it('are cut between, never within one nor behind the last', () => {
    expect([0, 4, 13, 14, 39, 40, 50].map((at) => cutFrom(TWO, at))).toEqual([4, null, null, 40, 40, null, null]);
  });
  it('are announced before the turning point and told from there on', () => {
    expect([3, 4, 9, 10, 13, 14].map((at) => captionAt(TWO, at))).toEqual(['', 'to 10', 'to 10', 'at 10', 'at 10', '']);
  });
  it('may overlap: what turned last is told', () => {
    expect([8, 9, 10].map((at) => captionAt([stretch(0, 5, 8), stretch(2, 9, 12)], at))).toEqual(['at 5', 'at 9', 'at 9']);
  });
  it('are none where the page names none', () => {
    expect(stretchesIn(undefined)).toEqual([]);
  });
});
