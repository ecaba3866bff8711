/** Pieces with pictures of their own: each game's drawings are fetched when the first of its pieces is seen. */

import type { Component } from 'svelte';
import type { Piece } from '../protocol';
import { word } from '../speech.svelte';

export type Dress = 'character' | 'treasure';
type Drawing = Component<{ piece: Piece }>;

const FETCH: Readonly<Record<Dress, () => Promise<{ default: Drawing }>>> = {
  character: () => import('../../games/to_court_the_king/Character.svelte'),
  treasure: () => import('../../games/kings_court/Treasure.svelte'),
};
const TREASURE = /^(diamond|fake|gift|box|role:.+)$/;

const asked = new Set<Dress>();
let known = $state.raw<Partial<Record<Dress, Drawing>>>({});

/** Return which drawings a piece that lies face up needs, or null. */
export function dressOf(piece: Piece): Dress | null {
  const tags = piece.face ? (piece.tags ?? []) : [];
  if (tags.some((tag) => tag.startsWith('character:'))) return 'character';
  return tags.some((tag) => TREASURE.test(tag)) ? 'treasure' : null;
}

/** Fetch the drawings once; a piece whose drawings do not come stays a word. */
export function fetchDress(dress: Dress): void {
  if (asked.has(dress)) return;
  asked.add(dress);
  FETCH[dress]().then(
    (part) => (known = { ...known, [dress]: part.default }),
    () => asked.delete(dress),
  );
}

/** Return the drawing, or null while it is on its way. */
export function drawingOf(dress: Dress | null): Drawing | null {
  return (dress && known[dress]) ?? null;
}

/** Return what a reader is told of a piece beyond its name. */
export function remarkOf(piece: Piece): string {
  const left = piece.tags?.find((tag) => tag.startsWith('left:'))?.slice(5);
  return [left === undefined ? '' : word('piece.left', { count: left }), piece.tags?.includes('used') ? word('piece.used') : ''].join('');
}
