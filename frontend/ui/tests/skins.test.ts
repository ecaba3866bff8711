import { describe, expect, it } from 'vitest';
import { fetchSkin } from '../src/replay/board/skins';
import type { Piece } from '../src/replay/protocol';

const folders = Object.keys(import.meta.glob('../src/games/*/skin.ts')).map((path) => path.split('/').at(-2) ?? '');

describe('a skin', () => {
  it('is fetched by the name of its game, and leaves what it does not know to words', async () => {
    const stranger: Piece = { key: 'k', kind: 'card', face: 'stranger', tags: ['unheard-of'] };
    for (const game of folders) expect((await fetchSkin(game))(stranger), game).toBeNull();
  });

  it('that no game has is a plain one', async () => {
    expect((await fetchSkin('no-such-game'))({ key: 'k', kind: 'card', face: 'gold-1', tags: ['gold'] })).toBeNull();
  });
});
