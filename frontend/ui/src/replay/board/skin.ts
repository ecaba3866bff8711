/** Interface of skins, with which a folder in `src/games/` draws the pieces of its game. */

import type { Component } from 'svelte';
import type { Piece } from '../protocol';

/** Component that draws the face of a piece. */
export type Drawing = Component<{ piece: Piece }>;

/** Function `draw` of a plug-in's module: returns the element for a face-up piece, or null to show it as text. */
export type Draw = (piece: Piece) => Element | null;

export interface Look {
  readonly drawing: Drawing;
  /** CSS classes for the game's styles. `named` marks a card with a name, which other cards must not cover. */
  readonly classNames: string;
  /** Drawing function of a plug-in's module. */
  readonly draw?: Draw;
}

/** Function that returns the look of a face-up piece; null if the piece is drawn from its kind and label. */
export type Skin = (piece: Piece) => Look | null;
