import { describe, expect, it } from 'vitest';
import { fetchSkin } from '../src/replay/board/skins';
import { TONGUES } from '../src/replay/speech.svelte';
import type { Piece } from '../src/replay/protocol';

type Catalogues = Readonly<Record<string, Readonly<Record<string, string>>>>;
const folders = Object.keys(import.meta.glob('../src/games/*/skin.ts')).map((path) => path.split('/').at(-2) ?? '');
const catalogues = import.meta.glob<Catalogues>('../src/games/*/words.ts', { import: 'WORDS', eager: true });

describe('a skin', () => {
  it('is fetched by the name of its game, and leaves what it does not know to words', async () => {
    const stranger: Piece = { key: 'k', kind: 'card', face: 'stranger', tags: ['unheard-of'] };
    for (const game of folders) expect((await fetchSkin(game))(stranger), game).toBeNull();
  });

  it('that no game has is a plain one', async () => {
    expect((await fetchSkin('no-such-game'))({ key: 'k', kind: 'card', face: 'gold-1', tags: ['gold'] })).toBeNull();
  });

  it('has the same words in every language', () => {
    for (const [path, words] of Object.entries(catalogues)) {
      const keys = TONGUES.map(({ language }) => Object.keys(words[language] ?? {}).join());
      expect(new Set(keys).size, path).toBe(1);
      expect(Object.values(words).flatMap(Object.values), path).not.toContain('');
    }
  });
});
