/** How the treasure and the roles of Kings Court look; what is said stays words. */

import { lazily } from '../../replay/board/lazy.svelte';
import type { Skin } from '../../replay/board/skin';
import { isTreasure } from './treasures';
import './skin.css';

const treasure = lazily(() => import('./Treasure.svelte'));

export const skin: Skin = (piece) => (isTreasure(piece) ? { drawing: treasure(), dress: 'treasure' } : null);
