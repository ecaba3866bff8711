/** Where a match turned, by its review, else by its points, else by its last key moment. */

import type { Moment } from '../reel';
import type { SeatResult } from '../protocol';
import { partsOf, value, type Reviewed } from '../review/told';

export interface Turning {
  /** The number of its frame. */
  readonly at: number;
  /** Whether figures say that it turned there; else the game calls it a key moment. */
  readonly measured: boolean;
}

/** Return the frame of the largest change of an expected share, null where the review found none. */
export function turningOfReview({ turning_points }: Reviewed): Turning | null {
  const size = (swing: string): number => Math.abs(value(swing));
  const [first] = turning_points.toSorted((one, other) => size(other.swing) - size(one.swing));
  return first ? { at: first.frame, measured: true } : null;
}

/** Return by how much the best of the winners is ahead of all others in points; null where a moment shows none. */
function leadIn(moment: Moment, winners: ReadonlySet<number>): number | null {
  const points = moment.meters.find(({ key }) => key === 'points')?.values ?? [];
  const best = (won: boolean): number => Math.max(...points.filter((_, seat) => winners.has(seat) === won));
  return points.length > winners.size ? best(true) - best(false) : null;
}

/** Return the frame where the winners' lead changed most, before the scores are counted; null where it never did. */
function turningOfPoints(moments: readonly Moment[], winners: ReadonlySet<number>): Turning | null {
  let most = 0;
  let found: Turning | null = null;
  moments.forEach((moment, index) => {
    const before = moments[index - 1];
    const [was, is] = [before ? leadIn(before, winners) : null, leadIn(moment, winners)];
    if (was === null || is === null || moment.mark === 'phase' || Math.abs(is - was) <= most) return;
    [most, found] = [Math.abs(is - was), { at: moment.at, measured: true }];
  });
  return found;
}

/** Return where a match turned by what was shown of it; null where nothing says so. */
export function turningOfMoments(moments: readonly Moment[], result: readonly SeatResult[]): Turning | null {
  const winners = new Set(result.flatMap(({ place }, seat) => (place === 1 ? [seat] : [])));
  const key = moments.findLast(({ mark }) => mark === 'key');
  return turningOfPoints(moments, winners) ?? (key ? { at: key.at, measured: false } : null);
}

/** Return what luck gave each seat by the review: its seat, the deal and later chance. */
export function luckBySeat({ ledger }: Reviewed): readonly number[] {
  return ledger.map((account, number) => {
    const { seat, deal, chance } = partsOf(account, number);
    return seat + deal + chance;
  });
}

/** Return the seats of a table in the order of their places. */
export function seatsByPlace(result: readonly SeatResult[]): readonly number[] {
  return result.map((_, seat) => seat).toSorted((one, other) => (result[one]?.place ?? 0) - (result[other]?.place ?? 0));
}
