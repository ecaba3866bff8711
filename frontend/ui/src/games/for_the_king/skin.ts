/** Skin of For the King: cards and duties show the colour and glyph of their office. */

import type { Skin } from '../../replay/board/skin';
import Card from './Card.svelte';
import { toneOf } from './cards';
import './skin.css';

export const skin: Skin = (piece) => {
  const tone = toneOf(piece);
  return tone && { drawing: Card, classNames: tone };
};
