/** Appearance of Kings Court's tokens: diamonds, the box, gifts and roles. */

import type { Piece } from '../../replay/protocol';
import { traitOf } from '../../replay/board/traits';

const THINGS = ['diamond', 'fake', 'gift', 'box'] as const;

export interface Treasure {
  /** Name of the emblem: a thing or a role. */
  readonly emblem: string;
  readonly role: boolean;
  /** Number of things that the token stands for; null if they are not counted. */
  readonly count: number | null;
  /** Text beside the emblem. */
  readonly words: string;
}

/** Return the name of a piece, in lower case and without its number. */
function nameOf(piece: Piece, emblem: string): string {
  return (piece.label || emblem).replace(/^\d+ | ×\d+$/, '').toLowerCase();
}

/** Return true if a token shows a thing or a role. */
export function isTreasure(piece: Piece): boolean {
  return traitOf(piece, 'role') !== undefined || THINGS.some((thing) => piece.tags?.includes(thing));
}

/** Return the appearance of a token. */
export function treasureOf(piece: Piece): Treasure {
  const tags = piece.tags ?? [];
  const role = traitOf(piece, 'role');
  const emblem = role ?? THINGS.find((thing) => tags.includes(thing)) ?? '';
  const count = traitOf(piece, 'count');
  if (traitOf(piece, 'claim') !== undefined) return { emblem, role: role !== undefined, count: null, words: piece.label ?? '' };
  // the emblem alone identifies diamonds, the box, and roles seen in the box (tag `brief`)
  const name = emblem === 'diamond' || emblem === 'box' || tags.includes('brief') ? '' : nameOf(piece, emblem);
  return { emblem, role: role !== undefined, count: count === undefined ? null : Number(count), words: name };
}
