import { describe, expect, it } from 'vitest';
import { fetchSkin, skinOf } from '../src/replay/board/skins';
import type { Piece } from '../src/replay/protocol';

const folders = Object.keys(import.meta.glob('../src/games/*/skin.ts')).map((path) => path.split('/').at(-2) ?? '');

describe('a skin', () => {
  it('is fetched by the name of its game, and leaves what it does not know to words', async () => {
    const stranger: Piece = { key: 'k', kind: 'card', face: 'stranger', tags: ['unheard-of'] };
    for (const game of folders) expect((await fetchSkin(game))(stranger), game).toBeNull();
  });

  it('of a plug-in draws what its module draws, and leaves the rest and what it fails at to words', () => {
    const drawn = {} as Element;
    const skin = skinOf((piece) => {
      if (piece.kind === 'die') throw new Error('no dice');
      return piece.kind === 'card' ? drawn : null;
    });
    const look = skin({ key: 'k', kind: 'card', face: '7' });
    expect(look?.draw?.({ key: 'k', kind: 'card', face: '7' })).toBe(drawn);
    expect(skin({ key: 'k', kind: 'tile', face: '7' })).toBeNull();
    expect(skin({ key: 'k', kind: 'die', face: '7' })).toBeNull();
  });

  it('that no game has is a plain one', async () => {
    expect((await fetchSkin('no-such-game'))({ key: 'k', kind: 'card', face: 'gold-1', tags: ['gold'] })).toBeNull();
  });
});
