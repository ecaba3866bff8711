/** Skin of Kings Court: drawings of the treasures and roles. Statements of players are shown as text. */

import type { Skin } from '../../replay/board/skin';
import Treasure from './Treasure.svelte';
import { isTreasure } from './treasures';
import './skin.css';

export const skin: Skin = (piece) => (isTreasure(piece) ? { drawing: Treasure, classNames: 'treasure' } : null);
