/** The skins of all games; each is fetched when its game is shown. */

import type { Skin } from './skin';

const SKINS = import.meta.glob<Skin>('../../games/*/skin.ts', { import: 'skin' });

/** A game without a skin, or with one that does not come, is played with words and dice. */
const plain: Skin = () => null;

/** Fetch the skin of a game by its name. */
export async function fetchSkin(game: string): Promise<Skin> {
  const fetched = SKINS[`../../games/${game}/skin.ts`]?.().catch(() => plain);
  return (await fetched) ?? plain;
}
