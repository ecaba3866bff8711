import { describe, expect, it } from 'vitest';
import { cardOf, GLYPHS, toneOf } from '../../src/games/for_the_king/cards';
import type { Piece } from '../../src/replay/protocol';

const card = (face: string, ...tags: string[]): Piece => ({ key: 'k', kind: 'card', face, tags });

describe('a card', () => {
  it('wears its office, its value and its letter', () => {
    expect(cardOf(card('diplomacy-3-B', 'office:diplomacy'))).toEqual({ tone: 'diplomacy', value: '3', small: 'B' });
    expect(cardOf(card('gold-2', 'gold'))).toEqual({ tone: 'gold', value: '2', small: '' });
  });

  it('of a King wears what the King does', () => {
    const signs = ['P', 'M', 'PM', 'PP', 'MM', 'MIX'].map((king) => cardOf(card(`king-${king}`, 'king')).value);
    expect(signs).toEqual(['+1', '−1', '±1', '+1 +1', '−1 −1', '+1 −1']);
  });

  it('of no office, gold or king has no tone', () => {
    expect(toneOf(card('queen'))).toBeNull();
    expect(new Set(Object.values(GLYPHS)).size).toBe(8);
  });
});
