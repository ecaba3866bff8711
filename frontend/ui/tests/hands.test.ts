import { describe, expect, it } from 'vitest';
import { arrangeSeats, zonesOf } from '../src/replay/board/seating';
import { Clock, shift } from '../src/replay/clock';
import { commandOf, type Press } from '../src/replay/keys';
import { readSpot, writeSpot } from '../src/replay/link';
import { columnsOf } from '../src/replay/panel/series';
import { swipeOf } from '../src/replay/swipe';
import { parseMessage } from '../src/replay/protocol';
import { Exchange } from './far-end';

describe('an address', () => {
  it('names the entry and the eyes', () => {
    expect(readSpot('http://x/m/1/?at=137&eyes=2', 4)).toEqual({ at: 137, eyes: '2' });
    expect(readSpot('http://x/m/1/', 4)).toEqual({ at: null, eyes: 'public' });
  });

  it('with nonsense reads as the public view', () => {
    expect(readSpot('http://x/?at=-3&eyes=9', 4)).toEqual({ at: null, eyes: 'public' });
    expect(readSpot('http://x/?at=1e9&eyes=<b>', 4)).toEqual({ at: null, eyes: 'public' });
  });

  it('keeps what else it holds', () => {
    expect(writeSpot('http://x/m/?q=1&at=3#top', { at: 7, eyes: 'all' })).toBe('http://x/m/?q=1&at=7&eyes=all#top');
    expect(writeSpot('http://x/m/?at=3&eyes=1', { at: null, eyes: 'public' })).toBe('http://x/m/');
  });

  it('comes back as it was written', () => {
    for (const spot of [{ at: 0, eyes: '0' }, { at: 12, eyes: 'all' }, { at: null, eyes: '11' }]) {
      expect(readSpot(writeSpot('http://x/', spot), 12)).toEqual(spot);
    }
  });
});

describe('a key', () => {
  const press = (key: string, extra: Partial<Press> = {}): Press => ({ key, tag: 'BODY', inside: false, ...extra });

  it('does what the help says', () => {
    expect([' ', 'k', 'K', 'ArrowRight', '[', 'Home', 'f', 'o', '?'].map((key) => commandOf(press(key)))).toEqual([
      'toggle', 'toggle', 'toggle', 'next', 'previous-key', 'first', 'next-eyes', 'all-eyes', 'help',
    ]);
    expect(commandOf(press('ArrowLeft', { shiftKey: true }))).toBe('previous-turn');
    expect(commandOf(press('?', { shiftKey: true }))).toBe('help');
  });

  it('is left to whoever types', () => {
    expect(commandOf(press('k', { tag: 'INPUT', type: 'text' }))).toBeNull();
    expect(commandOf(press('k', { tag: 'TEXTAREA' }))).toBeNull();
    expect(commandOf(press('k', { tag: 'DIV', editable: true }))).toBeNull();
    expect(commandOf(press('ArrowDown', { tag: 'SELECT' }))).toBeNull();
  });

  it('is left to the browser with a modifier', () => {
    expect(commandOf(press('f', { ctrlKey: true }))).toBeNull();
    expect(commandOf(press('ArrowLeft', { altKey: true }))).toBeNull();
  });

  it('is left to the focused button or slider that has a use for it', () => {
    expect(commandOf(press(' ', { tag: 'BUTTON' }))).toBeNull();
    expect(commandOf(press('k', { tag: 'BUTTON' }))).toBe('toggle');
    expect(commandOf(press('ArrowLeft', { tag: 'INPUT', type: 'range' }))).toBeNull();
    expect(commandOf(press('ArrowLeft', { tag: 'INPUT', type: 'range', shiftKey: true }))).toBe('previous-turn');
  });

  it('is left to a focused box that scrolls', () => {
    const box = { tag: 'PRE', inside: true, scrolls: true };
    expect(commandOf(press('ArrowDown', box))).toBeNull();
    expect(commandOf(press('End', box))).toBeNull();
    expect(commandOf(press('k', box))).toBe('toggle');
  });

  it('up or down scrolls the page unless the table has the focus', () => {
    expect(commandOf(press('ArrowDown'))).toBeNull();
    expect(commandOf(press('ArrowDown', { inside: true }))).toBe('next-phase');
  });
});

describe('a finger', () => {
  it('drawn to the left goes on, to the right goes back', () => {
    expect(swipeOf({ x: 200, y: 50 }, { x: 120, y: 60 })).toBe('next');
    expect(swipeOf({ x: 120, y: 50 }, { x: 200, y: 60 })).toBe('previous');
  });

  it('that taps or scrolls is left alone', () => {
    expect(swipeOf({ x: 100, y: 50 }, { x: 104, y: 52 })).toBeNull();
    expect(swipeOf({ x: 100, y: 50 }, { x: 160, y: 190 })).toBeNull();
  });
});

describe('the clock', () => {
  it('ticks until it is told to stop', () => {
    const far = new Exchange();
    let left = 3;
    const clock = new Clock(() => --left > 0, () => 100 * left, far.later);
    clock.start();
    expect([far.pass(), far.pass(), far.pass()]).toEqual([300, 200, 100]);
    expect([left, clock.running]).toEqual([0, false]);
  });

  it('knows its speeds', () => {
    expect([shift(1, 1), shift(8, 1), shift(0.25, -1)]).toEqual([2, 8, 0.25]);
  });
});

describe('a message', () => {
  it('of no known kind is not heard', () => {
    expect(['nonsense', 'null', '3', '{"type":"other"}'].map(parseMessage)).toEqual([null, null, null, null]);
  });
});

describe('the table', () => {
  it('seats everybody once, whoever looks sits near', () => {
    for (let seats = 2; seats <= 12; seats += 1) {
      const { near, far } = arrangeSeats(seats, 1);
      expect([...near, ...far].toSorted((a, b) => a - b)).toEqual(Array.from({ length: seats }, (_, seat) => seat));
      expect(near.at(-1)).toBe(1);
    }
  });

  it('puts zones without a seat in the middle', () => {
    const zones = [{ key: 'a', label: 'A' }, { key: 'b', label: 'B', seat: 0 }];
    expect(zonesOf(zones, null).map(({ key }) => key)).toEqual(['a']);
    expect(zonesOf(zones, 0).map(({ key }) => key)).toEqual(['b']);
  });
});

describe('the figures', () => {
  it('stand in columns, with holes where none was told', () => {
    const moment = (values: number[] | null) => ({
      at: 0, kind: '', say: '', mark: null, toAct: [], zones: [], contests: [], changed: [],
      meters: values ? [{ key: 'm', label: 'M', values }] : [],
    });
    expect(columnsOf([moment([1, 2]), moment(null)], 'm', 2)).toEqual([[0, 1], [1, null], [2, null]]);
  });
});
