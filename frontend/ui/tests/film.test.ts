import { describe, expect, it } from 'vitest';
import { Film, jump } from '../src/replay/film';
import type { Frame, Zone } from '../src/replay/protocol';

const zone = (key: string, note = ''): Zone => ({ key, label: key, note });
const frame = (at: number, zones: Zone[] = [], extra: Partial<Frame> = {}): Frame => ({ at, kind: 'k', say: `${at}`, zones, ...extra });

describe('a film', () => {
  it('shares the zones that an entry did not change', () => {
    const film = new Film('public');
    film.add([frame(0, [zone('a'), zone('b')]), frame(1, [zone('b', 'new')])], true);
    const [first, second] = film.moments;
    expect(second?.zones[0]).toBe(first?.zones[0]);
    expect(second?.zones.map(({ note }) => note)).toEqual(['', 'new']);
    expect(second?.changed).toEqual(['b']);
  });

  it('keeps the whole list of zones where nothing changed', () => {
    const film = new Film('public');
    film.add([frame(0, [zone('a')]), frame(2)], true);
    expect(film.moments[1]?.zones).toBe(film.moments[0]?.zones);
  });

  it('drops the zones that are gone and puts new ones behind', () => {
    const film = new Film('public');
    film.add([frame(0, [zone('a'), zone('b')]), frame(1, [zone('c')], { gone: ['a'] })], true);
    expect(film.moments[1]?.zones.map(({ key }) => key)).toEqual(['b', 'c']);
  });

  it('merges meters by key', () => {
    const film = new Film('public');
    film.add([frame(0, [], { meters: [{ key: 'gold', label: 'Gold', values: [1] }] }), frame(1)], true);
    film.add([frame(2, [], { meters: [{ key: 'gold', label: 'Gold', values: [2] }] })], false);
    expect(film.moments.map(({ meters }) => meters[0]?.values[0])).toEqual([1, 1, 2]);
  });

  it('forgets what was before at a whole frame, as after a reconnection', () => {
    const film = new Film('public');
    film.add([frame(0, [zone('a'), zone('b')])], true);
    film.add([frame(3, [zone('b')]), frame(4, [zone('b', 'x')])], true);
    expect(film.moments.map(({ zones }) => zones.length)).toEqual([2, 1, 1]);
  });

  it('takes no entry twice', () => {
    const film = new Film('public');
    film.add([frame(0), frame(1)], true);
    expect(film.add([frame(1), frame(2)], true)).toBe(1);
    expect(film.moments.map(({ at }) => at)).toEqual([0, 1, 2]);
    expect(film.last).toBe(2);
  });

  it('never changes a list of moments that was handed out', () => {
    const film = new Film('public');
    film.add([frame(0)], true);
    const before = film.moments;
    film.add([frame(1)], false);
    expect(before).toHaveLength(1);
  });

  it('finds the picture at an entry, or the nearest before it', () => {
    const film = new Film('public');
    film.add([frame(0), frame(3), frame(7)], true);
    expect([0, 2, 3, 6, 7, 99].map((at) => film.indexOf(at))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(new Film('public').indexOf(5)).toBe(0);
  });
});

describe('a jump', () => {
  const film = new Film('public');
  film.add([frame(0, [], { mark: 'phase' }), frame(1), frame(2, [], { mark: 'turn' }), frame(3), frame(4, [], { mark: 'key' }), frame(5)], true);

  it('goes to the nearest mark of its kind', () => {
    expect(jump(film.moments, 0, 1, ['turn', 'phase'])).toBe(2);
    expect(jump(film.moments, 5, -1, ['key'])).toBe(4);
  });

  it('goes to the end or the beginning where there is none', () => {
    expect(jump(film.moments, 4, 1, ['key'])).toBe(5);
    expect(jump(film.moments, 2, -1, ['key'])).toBe(0);
    expect(jump([], 0, 1, ['key'])).toBe(0);
  });
});
