import { describe, expect, it } from 'vitest';
import { Reel, jump } from '../src/replay/reel';
import type { Frame, Zone } from '../src/replay/protocol';

const zone = (key: string, note = ''): Zone => ({ key, label: key, note });
const frame = (at: number, zones: Zone[] = [], extra: Partial<Frame> = {}): Frame => ({ at, kind: 'k', say: `${at}`, zones, ...extra });

describe('a reel', () => {
  it('shares the zones that an entry did not change', () => {
    const reel = new Reel('public');
    reel.add([frame(0, [zone('a'), zone('b')]), frame(1, [zone('b', 'new')])], true);
    const [first, second] = reel.moments;
    expect(second?.zones[0]).toBe(first?.zones[0]);
    expect(second?.zones.map(({ note }) => note)).toEqual(['', 'new']);
    expect(second?.changed).toEqual(['b']);
  });

  it('keeps the whole list of zones where nothing changed', () => {
    const reel = new Reel('public');
    reel.add([frame(0, [zone('a')]), frame(2)], true);
    expect(reel.moments[1]?.zones).toBe(reel.moments[0]?.zones);
  });

  it('drops the zones that are gone and puts new ones behind', () => {
    const reel = new Reel('public');
    reel.add([frame(0, [zone('a'), zone('b')]), frame(1, [zone('c')], { gone: ['a'] })], true);
    expect(reel.moments[1]?.zones.map(({ key }) => key)).toEqual(['b', 'c']);
  });

  it('merges meters by key', () => {
    const reel = new Reel('public');
    reel.add([frame(0, [], { meters: [{ key: 'gold', label: 'Gold', values: [1] }] }), frame(1)], true);
    reel.add([frame(2, [], { meters: [{ key: 'gold', label: 'Gold', values: [2] }] })], false);
    expect(reel.moments.map(({ meters }) => meters[0]?.values[0])).toEqual([1, 1, 2]);
  });

  it('forgets what was before at a whole frame, as after a reconnection', () => {
    const reel = new Reel('public');
    reel.add([frame(0, [zone('a'), zone('b')])], true);
    reel.add([frame(3, [zone('b')]), frame(4, [zone('b', 'x')])], true);
    expect(reel.moments.map(({ zones }) => zones.length)).toEqual([2, 1, 1]);
  });

  it('takes no entry twice', () => {
    const reel = new Reel('public');
    reel.add([frame(0), frame(1)], true);
    expect(reel.add([frame(1), frame(2)], true)).toBe(1);
    expect(reel.moments.map(({ at }) => at)).toEqual([0, 1, 2]);
    expect(reel.last).toBe(2);
  });

  it('never changes a list of moments that was handed out', () => {
    const reel = new Reel('public');
    reel.add([frame(0)], true);
    const before = reel.moments;
    reel.add([frame(1)], false);
    expect(before).toHaveLength(1);
  });

  it('finds the picture at an entry, or the nearest before it', () => {
    const reel = new Reel('public');
    reel.add([frame(0), frame(3), frame(7)], true);
    expect([0, 2, 3, 6, 7, 99].map((at) => reel.indexOf(at))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(new Reel('public').indexOf(5)).toBe(0);
  });
});

describe('a jump', () => {
  const reel = new Reel('public');
  reel.add([frame(0, [], { mark: 'phase' }), frame(1), frame(2, [], { mark: 'turn' }), frame(3), frame(4, [], { mark: 'key' }), frame(5)], true);

  it('goes to the nearest mark of its kind', () => {
    expect(jump(reel.moments, 0, 1, ['turn', 'phase'])).toBe(2);
    expect(jump(reel.moments, 5, -1, ['key'])).toBe(4);
  });

  it('goes to the end or the beginning where there is none', () => {
    expect(jump(reel.moments, 4, 1, ['key'])).toBe(5);
    expect(jump(reel.moments, 2, -1, ['key'])).toBe(0);
    expect(jump([], 0, 1, ['key'])).toBe(0);
  });
});
