/** Who sits where around the table, and what lies before whom. */

import type { Zone } from '../protocol';
import { traitOf } from './traits';

export interface Seating {
  /** Left to right on the far side. */
  readonly far: readonly number[];
  /** Left to right on the near side. */
  readonly near: readonly number[];
}

/** Return the seats clockwise around the table, `first` at the near side's right end. */
export function seating(seats: number, first: number): Seating {
  const round = Array.from({ length: seats }, (_, step) => (first + step) % seats);
  const near = Math.floor(seats / 2);
  return { near: round.slice(0, near).reverse(), far: round.slice(near) };
}

/** The seats around a table, each side in playing order: from right to left, upwards, to the right, downwards. */
export interface Ring {
  readonly near: readonly number[];
  readonly left: readonly number[];
  readonly far: readonly number[];
  readonly right: readonly number[];
}

/** Return the seats around the table in playing order, `first` at the near side's right end. */
export function ringOf(seats: number, first: number): Ring {
  const round = Array.from({ length: seats }, (_, step) => (first + step) % seats);
  const side = seats < 4 ? 0 : seats < 10 ? 1 : 2;
  const near = Math.floor((seats - 2 * side) / 2);
  const ends = [near, near + side, seats - side];
  return { near: round.slice(0, ends[0]), left: round.slice(...ends.slice(0, 2)), far: round.slice(...ends.slice(1)), right: round.slice(ends[2]) };
}

/** A step of the object that passes from seat to seat: a past step, or the next one. */
export interface Step {
  readonly state: string;
  readonly label: string;
}

/** Return the steps in a ring zone, by the seat where each begins. */
export function stepsOf(ring: Zone | undefined): ReadonlyMap<number, Step> {
  const pieces = ring?.pieces ?? [];
  return new Map(pieces.map((piece) => [Number(traitOf(piece, 'from')), { state: piece.face ?? '', label: piece.label ?? '' }]));
}

/** Return the zones of a seat, or the common ones. */
export function zonesOf(zones: readonly Zone[], seat: number | null): readonly Zone[] {
  return zones.filter((zone) => (zone.seat ?? null) === seat);
}
