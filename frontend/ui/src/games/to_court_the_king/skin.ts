/** How the characters of To Court the King look; their dice are drawn as any die. */

import { lazily } from '../../replay/board/lazy.svelte';
import type { Skin } from '../../replay/board/skin';
import './skin.css';

const character = lazily(() => import('./Character.svelte'));

export const skin: Skin = (piece) =>
  piece.tags?.includes('character') ? { drawing: character(), dress: 'character named' } : null;
