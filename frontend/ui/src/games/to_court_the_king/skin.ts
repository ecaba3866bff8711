/** Skin of To Court the King: drawings of the characters. */

import type { Skin } from '../../replay/board/skin';
import Character from './Character.svelte';
import './skin.css';

export const skin: Skin = (piece) =>
  piece.tags?.includes('character') ? { drawing: Character, classNames: 'character named' } : null;
