/** Tags that pieces of any game may have: owner, lesser variant of a kind, number left, used, doubted. */

import type { Piece } from '../protocol';
import { word } from '../speech.svelte';

/** Return what stands behind a tag's colon; undefined for a piece without that tag. */
export function traitOf(piece: Piece, trait: string): string | undefined {
  return piece.tags?.find((tag) => tag.startsWith(`${trait}:`))?.slice(trait.length + 1);
}

/** Signs of a claim that is doubted, by the trait `doubt`. */
export const DOUBTS: Readonly<Record<string, string>> = { false: '✗', conflict: '≠' };

/** Return what a reader is told of a piece beyond its name. */
export function remarkOf(piece: Piece): string {
  const [left, doubt] = [traitOf(piece, 'left'), traitOf(piece, 'doubt')];
  return [
    left === undefined ? '' : word('piece.left', { count: left }),
    piece.tags?.includes('used') ? word('piece.used') : '',
    doubt === 'false' ? word('piece.false') : doubt === 'conflict' ? word('piece.conflict') : '',
  ].join('');
}
