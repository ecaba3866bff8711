/** Who sits where around the table, and what lies before whom. */

import type { Zone } from '../protocol';

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

/** Return the zones of a seat, or the common ones. */
export function zonesOf(zones: readonly Zone[], seat: number | null): readonly Zone[] {
  return zones.filter((zone) => (zone.seat ?? null) === seat);
}
