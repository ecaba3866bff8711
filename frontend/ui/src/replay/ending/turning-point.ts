/** Turning point of a match: from its review, otherwise from its points, otherwise its last key moment. */

import type { Moment } from '../reel';
import type { SeatResult } from '../protocol';
import { partsOf, value, type MatchReview } from '../review/review-data';

export interface TurningPoint {
  /** Number of its frame. */
  readonly at: number;
  /** True if computed from a review or from points; false for a key moment that the game names. */
  readonly measured: boolean;
}

/** Return the frame with the largest change of an expected share; null if the review has no turning point. */
export function turningOfReview({ turning_points }: MatchReview): TurningPoint | null {
  const size = (swing: string): number => Math.abs(value(swing));
  const [first] = turning_points.toSorted((one, other) => size(other.swing) - size(one.swing));
  return first ? { at: first.frame, measured: true } : null;
}

/** Return the points of the best winner minus those of the best other seat; null if the frame shows no points. */
function leadIn(moment: Moment, winners: ReadonlySet<number>): number | null {
  const points = moment.meters.find(({ key }) => key === 'points')?.values ?? [];
  const best = (won: boolean): number => Math.max(...points.filter((_, seat) => winners.has(seat) === won));
  return points.length > winners.size ? best(true) - best(false) : null;
}

/** Return the frame where the winners' lead changed most; null if it never did. Phases (final scoring) are skipped. */
function turningOfPoints(moments: readonly Moment[], winners: ReadonlySet<number>): TurningPoint | null {
  let most = 0;
  let found: TurningPoint | null = null;
  moments.forEach((moment, index) => {
    const before = moments[index - 1];
    const [was, is] = [before ? leadIn(before, winners) : null, leadIn(moment, winners)];
    if (was === null || is === null || moment.mark === 'phase' || Math.abs(is - was) <= most) return;
    [most, found] = [Math.abs(is - was), { at: moment.at, measured: true }];
  });
  return found;
}

/** Return the turning point by points, otherwise the last key moment; null if the match has neither. */
export function turningOfMoments(moments: readonly Moment[], result: readonly SeatResult[]): TurningPoint | null {
  const winners = new Set(result.flatMap(({ place }, seat) => (place === 1 ? [seat] : [])));
  const key = moments.findLast(({ mark }) => mark === 'key');
  return turningOfPoints(moments, winners) ?? (key ? { at: key.at, measured: false } : null);
}

/** Return the luck of each seat from the review: the sum of its seat, the deal and later chance. */
export function luckBySeat({ ledger }: MatchReview): readonly number[] {
  return ledger.map((account, number) => {
    const { seat, deal, chance } = partsOf(account, number);
    return seat + deal + chance;
  });
}

/** Return the seats of a table in the order of their places. */
export function seatsByPlace(result: readonly SeatResult[]): readonly number[] {
  return result.map((_, seat) => seat).toSorted((one, other) => (result[one]?.place ?? 0) - (result[other]?.place ?? 0));
}
