/** How For the King's cards and duties look: the colour and the sign of their office. */

import type { Skin } from '../../replay/board/skin';
import Card from './Card.svelte';
import { toneOf } from './cards';
import './skin.css';

export const skin: Skin = (piece) => {
  const tone = toneOf(piece);
  return tone && { drawing: Card, dress: tone };
};
