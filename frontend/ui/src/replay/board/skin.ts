/** What a game's folder in `src/games/` may give to the table: how its pieces look. */

import type { Component } from 'svelte';
import type { Piece } from '../protocol';

/** What draws the face of a piece. */
export type Drawing = Component<{ piece: Piece }>;

/** The function `draw` of a plug-in's module of pieces: the element that shows a face-up piece, or null for words. */
export type Draw = (piece: Piece) => Element | null;

export interface Look {
  readonly drawing: Drawing;
  /** Classes for the game's own styles; `named` is a card with a name, which no other may cover. */
  readonly dress: string;
  /** For the game of a plug-in, what draws the piece. */
  readonly draw?: Draw;
}

/** Return the look of a piece that lies face up; null for one that is drawn as its kind and label. */
export type Skin = (piece: Piece) => Look | null;
