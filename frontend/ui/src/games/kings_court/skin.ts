/** How the treasure and the roles of Kings Court look; what is said stays words. */

import type { Skin } from '../../replay/board/skin';
import Treasure from './Treasure.svelte';
import { isTreasure } from './treasures';
import './skin.css';

export const skin: Skin = (piece) => (isTreasure(piece) ? { drawing: Treasure, dress: 'treasure' } : null);
