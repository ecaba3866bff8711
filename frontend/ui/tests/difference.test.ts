import { describe, expect, it } from 'vitest';
import type { Moment } from '../src/replay/reel';
import type { Meter, Zone } from '../src/replay/protocol';
import { difference } from '../src/replay/tools/difference';

const NAMES = ['Ada', 'Bo'];
const moment = (zones: Zone[], toAct: number[] = [0], meters: Meter[] = []): Moment => ({
  at: 0, kind: 'k', say: '', mark: null, toAct, zones, meters, contests: [], changed: [],
});
const zone = (key: string, seat: number | null, pieces: Zone['pieces'] = [], note = ''): Zone => ({ key, label: key, seat, pieces, note });
const card = (key: string, label: string, ...tags: string[]) => ({ key, kind: 'card' as const, face: key, label, tags });

describe('the difference of two pictures', () => {
  it('of the same picture is nothing, nor is there one for the first', () => {
    const one = moment([zone('hand', 0, [card('a', 'Ace')])]);
    expect(difference(one, one, NAMES)).toEqual([]);
    expect(difference(undefined, one, NAMES)).toEqual([]);
  });

  it('tells where a piece lay and where it lies', () => {
    const before = moment([zone('hand', 0, [card('a', 'Ace')]), zone('middle', null)]);
    const after = moment([zone('hand', 0), zone('middle', null, [card('a', 'Ace')])]);
    expect(difference(before, after, NAMES)).toEqual([{ what: 'Ace', before: 'Ada: hand', after: 'middle' }]);
  });

  it('tells what came and what went', () => {
    const before = moment([zone('hand', 1, [card('a', 'Ace')])]);
    const after = moment([zone('hand', 1, [card('b', 'Two')])]);
    expect(difference(before, after, NAMES)).toEqual([
      { what: 'Ace', before: 'Bo: hand', after: '' },
      { what: 'Two', before: '', after: 'Bo: hand' },
    ]);
  });

  it('tells a piece that is marked or turned', () => {
    const before = moment([zone('hand', 0, [card('a', 'Ace'), card('b', '')])]);
    const after = moment([zone('hand', 0, [card('a', 'Ace', 'used'), card('b', 'Two')])]);
    expect(difference(before, after, NAMES)).toEqual([
      { what: 'Ace', before: 'Ada: hand', after: 'Ada: hand (used)' },
      { what: 'Two', before: 'b, Ada: hand', after: 'Two, Ada: hand' },
    ]);
  });

  it('tells seats of the same name apart by their numbers', () => {
    const twins = ['Ada', 'Ada', 'Bo'];
    const gold = (values: number[]): Meter[] => [{ key: 'g', label: 'Gold', values }];
    const before = moment([zone('hand', 0, [card('a', 'Ace')]), zone('hand', 1)], [0], gold([1, 2, 3]));
    const after = moment([zone('hand', 0), zone('hand', 1, [card('a', 'Ace')])], [1], gold([5, 2, 3]));
    expect(difference(before, after, twins)).toEqual([
      { what: 'Ace', before: 'Ada (1): hand', after: 'Ada (2): hand' },
      { what: 'Ada (1): Gold', before: '1', after: '5' },
      { what: 'To act', before: 'Ada (1)', after: 'Ada (2)' },
    ]);
  });

  it('tells notes, figures and whose turn it is', () => {
    const before = moment([zone('lot', null, [], 'bid 3')], [0], [{ key: 'g', label: 'Gold', values: [1, 2] }]);
    const after = moment([zone('lot', null, [], 'bid 4')], [1], [{ key: 'g', label: 'Gold', values: [1, 5] }]);
    expect(difference(before, after, NAMES)).toEqual([
      { what: 'lot', before: 'bid 3', after: 'bid 4' },
      { what: 'Bo: Gold', before: '2', after: '5' },
      { what: 'To act', before: 'Ada', after: 'Bo' },
    ]);
  });
});
