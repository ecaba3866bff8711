/** How the characters of To Court the King look; their dice are drawn as any die. */

import type { Skin } from '../../replay/board/skin';
import Character from './Character.svelte';
import './skin.css';

export const skin: Skin = (piece) =>
  piece.tags?.includes('character') ? { drawing: Character, dress: 'character named' } : null;
