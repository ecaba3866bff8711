/** Loading of skins. Each is loaded when its game is shown. */

import PluginPiece from './PluginPiece.svelte';
import type { Draw, Drawing, Skin } from './skin';

const SKINS = import.meta.glob<Skin>('../../games/*/skin.ts', { import: 'skin' });

/** Skin of games that have none, or whose skin fails to load: only texts and dice. */
const plain: Skin = () => null;

/** Load the skin of a game: from `src/games/`, or for a plug-in's game from the module that the page names. */
export async function fetchSkin(game: string): Promise<Skin> {
  const builtIn = SKINS[`../../games/${game}/skin.ts`];
  const address = globalThis.document?.getElementsByName(`pieces-${game}`)[0]?.getAttribute('content');
  const fetched = builtIn ? builtIn() : address ? fetchPieces(address) : plain;
  return Promise.resolve(fetched).catch(() => plain);
}

/** Load a plug-in's module of pieces. Its function `draw` returns an element for a piece, or null. */
async function fetchPieces(address: string): Promise<Skin> {
  const { draw } = (await import(/* @vite-ignore */ address)) as { draw: Draw };
  return skinOf(draw);
}

/** Return the skin for a plug-in's function. Pieces for which it returns null or throws are shown as text. */
export function skinOf(draw: Draw): Skin {
  return (piece) => {
    try {
      return draw(piece) ? { drawing: PluginPiece as Drawing, classNames: 'outside', draw } : null;
    } catch {
      return null;
    }
  };
}
