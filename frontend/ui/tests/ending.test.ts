import { describe, expect, it } from 'vitest';
import { luckBySeat, seatsByPlace, turningOfMoments, turningOfReview } from '../src/replay/ending/turning-point';
import { metersOf } from '../src/replay/panel/series';
import type { Mark } from '../src/replay/protocol';
import { applyFrame, type Moment } from '../src/replay/reel';
import type { MatchReview } from '../src/replay/review/review-data';

const RESULT = [
  { place: 2, score: '4 points' },
  { place: 1, score: '9 points' },
  { place: 2, score: '4 points' },
];
const step = (at: number, points: readonly number[] | null, mark: Mark | null = null): Moment => {
  const meters = points ? [{ key: 'points', label: 'Points', values: points }] : [];
  return applyFrame(undefined, { at, kind: 'k', say: '', mark, meters }, true);
};

describe('the end of a match', () => {
  it('lists the seats by place, and seats of equal place by number', () => {
    expect(seatsByPlace(RESULT)).toEqual([1, 0, 2]);
  });

  it('has its turning point where the lead of the winner changed most, not at the final scoring', () => {
    const moments = [step(0, [0, 0, 0]), step(2, [3, 0, 0]), step(4, [3, 5, 0]), step(6, [3, 6, 1]), step(8, [3, 99, 1], 'phase')];
    expect(turningOfMoments(moments, RESULT)).toEqual({ at: 4, measured: true });
  });

  it('has its turning point at the last key moment if no points are shown or nobody is ahead', () => {
    const moments = [step(0, null, 'key'), step(2, null, 'key'), step(4, null, 'phase')];
    expect(turningOfMoments(moments, RESULT)).toEqual({ at: 2, measured: false });
    expect(turningOfMoments([step(0, [0, 0]), step(1, [0, 0])], [RESULT[1]!, RESULT[1]!])).toBeNull();
  });

  it('has the largest swing of the review as turning point, and the luck of each seat', () => {
    const swing = { seat: 0, sure: true, by: 'chance', of: null } as const;
    const ledger = [{ share: '1/2', seat: '1/8', deal: '1/4', chance: '-1/8', choices: ['0', '0'], unexplained: '1' }];
    const points = [{ ...swing, frame: 3, swing: '1/8' }, { ...swing, frame: 7, swing: '-1/2' }];
    const found = { turning_points: points, ledger } as unknown as MatchReview;
    expect(turningOfReview(found)).toEqual({ at: 7, measured: true });
    expect(turningOfReview({ ...found, turning_points: [] })).toBeNull();
    expect(luckBySeat(found)).toEqual([0.25]);
  });

  it('gives no chart of the places', () => {
    const end = applyFrame(undefined, { at: 1, kind: 'closed', say: '', meters: [{ key: 'place', label: 'Place', values: [1, 2] }] }, true);
    expect(metersOf([end])).toEqual([]);
  });
});
