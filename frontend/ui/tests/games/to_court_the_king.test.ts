import { describe, expect, it } from 'vitest';
import box from '../../../../ftk_core/games/to_court_the_king/characters.py?raw';
import { characterOf, FRAMES } from '../../src/games/to_court_the_king/characters';
import { EMBLEMS } from '../../src/games/to_court_the_king/emblems';
import { remarkOf } from '../../src/replay/board/traits';
import type { Piece } from '../../src/replay/protocol';

const card = (name: string, ...tags: string[]): Piece => ({
  key: name, kind: 'card', face: name, label: name, tags: ['character', `character:${name}`, ...tags],
});

describe('a character', () => {
  it('of the box has an emblem of its own, and one that no dice buy has one too', () => {
    const names = [...box.matchAll(/Character\w*\(\s*(?:name=)?"([A-Z_]+)"/g)].map(([, name = '']) => name.toLowerCase());
    expect(names).toHaveLength(17);
    const drawn = [...names, 'fool', 'charlatan', 'queen'].map((name) => EMBLEMS[name]);
    expect(drawn).not.toContain(undefined);
    expect(new Set(drawn).size).toBe(20);
  });

  it('stands in the row that the picture says, and is told from other rows by the shape of its frame', () => {
    const rows = ['I', 'II', 'III', 'IV', 'V'];
    expect(rows.map((row) => characterOf(card('guard', `row:${row}`)).row)).toEqual(rows);
    expect(Object.keys(FRAMES)).toEqual(rows);
    expect(new Set(Object.values(FRAMES)).size).toBe(5);
    expect(characterOf(card('fool')).row).toBe('');
  });

  it('tells how many are left, and that it is used', () => {
    expect(characterOf(card('guard', 'left:2')).left).toBe(2);
    expect(characterOf(card('guard', 'used'))).toMatchObject({ used: true, left: null });
    expect([remarkOf(card('guard', 'left:2')), remarkOf(card('guard', 'used'))]).toEqual([', 2 left', ', used']);
  });

  it('has its name on two lines if it has two words, and no letter too large', () => {
    const shown = characterOf({ ...card('pawn_broker'), label: 'Pawn Broker' });
    expect(shown.lines).toEqual(['Pawn', 'Broker']);
    expect(characterOf({ ...card('philosopher'), label: 'Philosopher' }).size).toBeLessThan(shown.size);
  });
});
