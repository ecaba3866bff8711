import { describe, expect, it } from 'vitest';
import theRoles from '../../../ftk_core/games/kings_court/box.py?raw';
import theCharacters from '../../../ftk_core/games/to_court_the_king/box.py?raw';
import { dressOf, remarkOf } from '../src/replay/board/dress.svelte';
import { characterOf, FRAMES } from '../src/games/to_court_the_king/characters';
import { EMBLEMS } from '../src/replay/board/emblem/emblems';
import { treasureOf } from '../src/games/kings_court/treasures';
import type { Piece } from '../src/replay/protocol';

const card = (name: string, ...tags: string[]): Piece => ({
  key: name, kind: 'card', face: name, label: name, tags: ['character', `character:${name}`, ...tags],
});
const token = (face: string, ...tags: string[]): Piece => ({ key: face, kind: 'token', face, tags });
const ROWS: Readonly<Record<string, number>> = { I: 1, II: 2, III: 3, IV: 4, V: 5 };

describe('a character', () => {
  const box = [...theCharacters.matchAll(/Character\("([A-Z_]+)", "([IV]+)", "([^"]+)"/g)];

  it('of the box has an emblem of its own, and its card tells row and cost', () => {
    expect(box).toHaveLength(17);
    for (const [, name = '', row = '', cost = ''] of box) {
      const shown = characterOf(card(name.toLowerCase()));
      expect([shown.level, shown.cost]).toEqual([ROWS[row], cost]);
      expect(EMBLEMS[shown.name], name).toBeDefined();
    }
  });

  it('that no dice buy has one too', () => {
    expect(['fool', 'charlatan', 'queen'].every((name) => name in EMBLEMS)).toBe(true);
    expect(characterOf(card('fool')).cost).toBe('no result needed');
  });

  it('is told from those of other rows by the shape of its frame', () => {
    expect(new Set(FRAMES.slice(1)).size).toBe(5);
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

describe('a treasure', () => {
  it('of every role has an emblem', () => {
    const roles = [...theRoles.matchAll(/^(?:[A-Z]+, )+[A-Z]+ = (.+)$/gm)].flatMap(([, names = '']) => [...names.matchAll(/"([a-z]+)"/g)]);
    expect(roles.length).toBeGreaterThanOrEqual(9);
    for (const [, role = ''] of roles) expect(EMBLEMS[role], role).toBeDefined();
  });

  it('shows how many it stands for', () => {
    expect(treasureOf(token('diamond-7', 'diamond', 'count:7'))).toEqual({ emblem: 'diamond', role: false, count: 7, words: '' });
    expect(treasureOf(token('peasant-4', 'role:peasant', 'count:4'))).toMatchObject({ role: true, count: 4, words: 'peasant' });
    expect(treasureOf(token('fake', 'fake'))).toMatchObject({ emblem: 'fake', words: 'fake', count: null });
  });

  it('is called as its label has it, without the number', () => {
    const called = (label: string): string => treasureOf({ ...token('thief-2', 'role:thief'), label }).words;
    expect(['2 thief', 'Thief', '盜賊 ×2', '盜賊'].map(called)).toEqual(['thief', 'thief', '盜賊', '盜賊']);
  });
});

describe('drawings', () => {
  it('are fetched for the pieces that have some', () => {
    expect(dressOf(card('king'))).toBe('character');
    expect(dressOf(token('box', 'box'))).toBe('treasure');
    expect(dressOf(token('thief', 'role:thief'))).toBe('treasure');
  });

  it('are not for what lies face down, nor for other games', () => {
    expect(dressOf({ ...card('king'), face: '' })).toBeNull();
    expect(dressOf(token('king-PP', 'king'))).toBeNull();
  });
});
