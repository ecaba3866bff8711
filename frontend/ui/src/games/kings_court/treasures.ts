/** What goes round in Kings Court: diamonds, the box, gifts and roles, as their tokens show them. */

import type { Piece } from '../../replay/protocol';
import { traitOf } from '../../replay/board/traits';

const THINGS = ['diamond', 'fake', 'gift', 'box'] as const;

export interface Treasure {
  /** The emblem: one of the things, or a role's name. */
  readonly emblem: string;
  readonly role: boolean;
  /** How many it stands for; null for one that is not counted. */
  readonly count: number | null;
  /** What is written beside it. */
  readonly words: string;
}

/** Return what a piece is called, in lower case and without its number. */
function nameOf(piece: Piece, emblem: string): string {
  return (piece.label || emblem).replace(/^\d+ | ×\d+$/, '').toLowerCase();
}

/** Whether a token shows a thing or a role. */
export function isTreasure(piece: Piece): boolean {
  return traitOf(piece, 'role') !== undefined || THINGS.some((thing) => piece.tags?.includes(thing));
}

/** Return what a token shows. */
export function treasureOf(piece: Piece): Treasure {
  const tags = piece.tags ?? [];
  const role = traitOf(piece, 'role');
  const emblem = role ?? THINGS.find((thing) => tags.includes(thing)) ?? '';
  const count = traitOf(piece, 'count');
  if (traitOf(piece, 'claim') !== undefined) return { emblem, role: role !== undefined, count: null, words: piece.label ?? '' };
  // the picture shows that a piece is a diamond, or a role seen in the box, so that it needs no name
  const name = emblem === 'diamond' || emblem === 'box' || tags.includes('brief') ? '' : nameOf(piece, emblem);
  return { emblem, role: role !== undefined, count: count === undefined ? null : Number(count), words: name };
}
