import { describe, expect, it } from 'vitest';
import { endsOf, radiusOf, ringsOf, isVisible, wordsOf, wrap } from '../src/replay/tools/paint/style';

describe('a painted picture', () => {
  it('leaves out what cannot be seen', () => {
    expect(['rgba(0, 0, 0, 0)', 'transparent', 'rgb(1, 2, 3)', 'color(srgb 0 0 0 / 0)'].map(isVisible)).toEqual([false, false, true, false]);
  });

  it('takes the ends of a shaded ground', () => {
    expect(endsOf('linear-gradient(150deg, rgb(255, 254, 251), rgb(236, 226, 205))')).toEqual(['rgb(255, 254, 251)', 'rgb(236, 226, 205)']);
    expect(endsOf('none')).toBeNull();
  });

  it('keeps the rings that name a holder, and no soft shadow', () => {
    const shadow = 'rgb(1, 2, 3) 0px 0px 0px 2px, rgb(4, 5, 6) 0px 0px 0px 5px, rgba(0, 0, 0, 0.2) 0px 3px 8px -4px';
    expect(ringsOf(shadow)).toEqual([{ colour: 'rgb(4, 5, 6)', width: 5 }, { colour: 'rgb(1, 2, 3)', width: 2 }]);
    expect(ringsOf('none')).toEqual([]);
  });

  it('rounds corners no more than they can be', () => {
    expect([radiusOf('6px', 40, 40), radiusOf('99px', 60, 30), radiusOf('22%', 50, 50), radiusOf('', 5, 5)]).toEqual([6, 15, 11, 0]);
  });

  it('breaks its sentence where it must', () => {
    expect(wrap('one two three', 7, (line) => line.length)).toEqual(['one two', 'three']);
    expect(wrap('unbreakable', 3, (line) => line.length)).toEqual(['unbreakable']);
    expect(wordsOf(' to  act ')).toEqual([[1, 3], [5, 8]]);
    expect(wrap('ada 擲出 6。好', 4, (line) => line.length)).toEqual(['ada', '擲出', '6。好']);
  });
});
