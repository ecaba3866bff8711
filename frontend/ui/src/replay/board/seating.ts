/** Arrangement of the seats around the table, and the zones of each seat. */

import type { Zone } from '../protocol';
import { traitOf } from './traits';

export interface Seating {
  /** Seats on the far side, from left to right. */
  readonly far: readonly number[];
  /** Seats on the near side, from left to right. */
  readonly near: readonly number[];
}

/** Arrange the seats clockwise around the table, with `first` at the right end of the near side. */
export function arrangeSeats(seats: number, first: number): Seating {
  const round = Array.from({ length: seats }, (_, step) => (first + step) % seats);
  const near = Math.floor(seats / 2);
  return { near: round.slice(0, near).reverse(), far: round.slice(near) };
}

/** Seats on the four sides of a table, each side in playing order, which is clockwise. */
export interface Ring {
  readonly near: readonly number[];
  readonly left: readonly number[];
  readonly far: readonly number[];
  readonly right: readonly number[];
}

/** Arrange the seats on four sides in playing order, with `first` at the right end of the near side. */
export function ringOf(seats: number, first: number): Ring {
  const round = Array.from({ length: seats }, (_, step) => (first + step) % seats);
  const side = seats < 4 ? 0 : seats < 10 ? 1 : 2;
  const near = Math.floor((seats - 2 * side) / 2);
  const ends = [near, near + side, seats - side];
  return { near: round.slice(0, ends[0]), left: round.slice(...ends.slice(0, 2)), far: round.slice(...ends.slice(1)), right: round.slice(ends[2]) };
}

/** Past or next step of an object that passes from seat to seat. */
export interface Step {
  readonly state: string;
  readonly label: string;
}

/** Return the steps in a ring zone, by the seat where each begins. */
export function stepsOf(ring: Zone | undefined): ReadonlyMap<number, Step> {
  const pieces = ring?.pieces ?? [];
  return new Map(pieces.map((piece) => [Number(traitOf(piece, 'from')), { state: piece.face ?? '', label: piece.label ?? '' }]));
}

/** Return the zones of a seat; for null, the common zones. */
export function zonesOf(zones: readonly Zone[], seat: number | null): readonly Zone[] {
  return zones.filter((zone) => (zone.seat ?? null) === seat);
}
