import { describe, expect, it } from 'vitest';
import box from '../../../../ftk_core/games/kings_court/roles_and_options.py?raw';
import { EMBLEMS } from '../../src/games/kings_court/emblems';
import { isTreasure, treasureOf } from '../../src/games/kings_court/treasures';
import type { Piece } from '../../src/replay/protocol';

const token = (face: string, ...tags: string[]): Piece => ({ key: face, kind: 'token', face, tags });

describe('a treasure', () => {
  it('of every role has an emblem', () => {
    const roles = [...box.matchAll(/^(?:[A-Z]+, )+[A-Z]+ = (.+)$/gm)].flatMap(([, names = '']) => [...names.matchAll(/"([a-z]+)"/g)]);
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

  it('is named in a claim, but needs no name if it is seen in the box', () => {
    expect(treasureOf({ ...token('took', 'claim:took', 'role:guard'), label: 'I took a card: the Guard' })).toMatchObject({ emblem: 'guard', words: 'I took a card: the Guard' });
    expect(treasureOf({ ...token('peasant-2', 'role:peasant', 'count:2', 'brief'), label: '2 peasant' })).toMatchObject({ count: 2, words: '' });
  });

  it('is a thing or a role; what is said stays words', () => {
    expect([token('box', 'box'), token('thief', 'role:thief'), token('suspect', 'claim:suspect')].map(isTreasure)).toEqual([true, true, false]);
  });
});
