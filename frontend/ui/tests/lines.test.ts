import { describe, expect, it } from 'vitest';
import { applyFrame, firstChoice, type Moment } from '../src/replay/reel';
import { lineOf, linesOf, partsOf } from '../src/replay/panel/lines';
import type { Frame, Mark } from '../src/replay/protocol';

const NAMES = ['ada', 'ada-2', 'bo', 'cy'];
const told = (at: number, say: string, kind = 'said', mark: Mark | null = null): Moment =>
  applyFrame(undefined, { at, kind, say, mark } as Frame, true);
const texts = (moments: readonly Moment[]): string[] => linesOf(moments, NAMES).map(({ say }) => say);

describe('a story', () => {
  it('tells in one line of many who do the same one after the other', () => {
    const moments = [told(1, 'bo asks.'), ...['ada', 'ada-2', 'cy'].map((name, at) => told(at + 2, `${name} says nothing.`)), told(5, 'bo asks.')];
    const lines = linesOf(moments, NAMES);
    expect(lines.map(({ first, last, say }) => [first, last, say])).toEqual([
      [0, 0, 'bo asks.'],
      [1, 3, '… says nothing.'],
      [4, 4, 'bo asks.'],
    ]);
  });

  it('takes names for names only where they stand alone', () => {
    const say = (names: readonly string[], sentence: (name: string) => string): string[] =>
      linesOf(names.map((name, at) => told(at, sentence(name))), names).map(({ say }) => say);
    expect(say(['a', 'b', 'c'], (name) => `${name} passes.`)).toEqual(['… passes.']);
    expect(say(['a', 's', 'card'], (name) => `${name}'s hand gains a card.`)).toEqual(["…'s hand gains a card."]);
    expect(say(['a', 'b.c', 'b'], (name) => `輪到${name}選擇。`)).toEqual(['輪到…選擇。']);
  });

  it('keeps a name that is the same in all of them', () => {
    expect(texts(['ada', 'bo', 'ada-2'].map((name, at) => told(at, `${name} suspects cy.`)))).toEqual(['… suspects cy.']);
  });

  it('tells of two by their names', () => {
    expect(texts([told(1, 'ada passes.'), told(2, 'bo passes.')])).toEqual(['ada passes.', 'bo passes.']);
  });

  it('keeps apart what differs in more than a name', () => {
    const bids = ['ada bids 1.', 'bo bids 2.', 'cy bids 3.'];
    expect(texts(bids.map((say, at) => told(at, say)))).toEqual(bids);
  });

  it('keeps apart what different facts say in the same words', () => {
    const moments = ['a', 'b', 'a'].map((kind, at) => told(at, 'bo waits.', kind));
    expect(linesOf(moments, NAMES)).toHaveLength(3);
  });

  it('never folds a moment to jump to', () => {
    const moments = [0, 1, 2, 3].map((at) => told(at, `${NAMES[at]} is exiled.`, 'exiled', 'key'));
    expect(linesOf(moments, NAMES)).toHaveLength(4);
  });

  it('repeats what nobody did as often as it came', () => {
    expect(texts([0, 1, 2].map((at) => told(at, 'The deck is shuffled.')))).toHaveLength(3);
  });

  it('finds the line of each of its moments', () => {
    const moments = ['bo asks.', 'ada waits.', 'bo waits.', 'cy waits.', 'bo asks.'].map((say, at) => told(at, say));
    const lines = linesOf(moments, NAMES);
    expect(moments.map((_, index) => lineOf(lines, index))).toEqual([0, 1, 1, 1, 2]);
    expect(lineOf([], 3)).toBe(0);
  });
});

describe('the parts of a story', () => {
  const step = (at: number, heading: string): Moment => ({ ...told(at, `${at}`), heading });

  it('begin where the heading changes, and contain the lines up to the next part', () => {
    const headings = ['', '', 'Round 1', '', 'Round 1', 'Round 2', '', 'Round 1'];
    const parts = partsOf(headings.map((heading, index) => step(2 * index, heading)), NAMES);
    expect(parts.map(({ first, at, heading, lines }) => [first, at, heading, lines.length])).toEqual([
      [0, 0, '', 2],
      [2, 4, 'Round 1', 3],
      [5, 10, 'Round 2', 2],
      [7, 14, 'Round 1', 1],
    ]);
    expect(parts.flatMap(({ lines }) => lines.map(({ first, last }) => [first, last]))).toEqual(headings.map((_, at) => [at, at]));
    expect([0, 1, 2, 6, 7].map((index) => lineOf(parts, index))).toEqual([0, 0, 1, 2, 3]);
  });

  it('never share a line with each other', () => {
    const waits = ['ada waits.', 'bo waits.', 'cy waits.', 'ada waits.', 'bo waits.', 'cy waits.'];
    const moments = waits.map((say, at): Moment => ({ ...told(at, say), heading: at === 3 ? 'Round 2' : '' }));
    expect(partsOf(moments, NAMES).map(({ lines }) => lines.map(({ first, last }) => [first, last]))).toEqual([[[0, 2]], [[3, 5]]]);
    expect(partsOf([], NAMES)).toEqual([]);
  });
});

describe('the first choice', () => {
  const frames = (...acting: number[][]): Moment[] =>
    acting.map((seats, at) => applyFrame(undefined, { at, kind: 'k', say: '', seats_to_act: seats }, true));

  it('is the picture behind the first at which somebody was to act', () => {
    expect(firstChoice(frames([], [], [0], [1], [0]))).toBe(3);
    expect(firstChoice(frames([0], [0], [1]))).toBe(1);
  });

  it('is the first picture while nobody has chosen', () => {
    expect([firstChoice(frames([], [])), firstChoice(frames([], [0])), firstChoice([])]).toEqual([0, 0, 0]);
  });
});
