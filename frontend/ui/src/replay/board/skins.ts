/** The skins of all games; each is fetched when its game is shown. */

import Outside from './Outside.svelte';
import type { Draw, Drawing, Skin } from './skin';

const SKINS = import.meta.glob<Skin>('../../games/*/skin.ts', { import: 'skin' });

/** A game without a skin, or with one that does not come, is played with words and dice. */
const plain: Skin = () => null;

/** Fetch the skin of a game by its name: one of ours, or the module that the page names for the game of a plug-in. */
export async function fetchSkin(game: string): Promise<Skin> {
  const ours = SKINS[`../../games/${game}/skin.ts`];
  const address = globalThis.document?.getElementsByName(`pieces-${game}`)[0]?.getAttribute('content');
  const fetched = ours ? ours() : address ? fetchPieces(address) : plain;
  return Promise.resolve(fetched).catch(() => plain);
}

/** Load a plug-in's module of pieces. Its function `draw` returns an element for a piece, or null. */
async function fetchPieces(address: string): Promise<Skin> {
  const { draw } = (await import(/* @vite-ignore */ address)) as { draw: Draw };
  return skinOf(draw);
}

/** Return the skin that draws pieces with a plug-in's function; pieces that it does not draw, or fails at, are words. */
export function skinOf(draw: Draw): Skin {
  return (piece) => {
    try {
      return draw(piece) ? { drawing: Outside as Drawing, dress: 'outside', draw } : null;
    } catch {
      return null;
    }
  };
}
