import { describe, expect, it } from 'vitest';
import { ruleOf, textsOf, topicsOf } from '../src/replay/board/about';
import { largestFit, LARGEST } from '../src/replay/board/fit';
import { ringOf, stepsOf } from '../src/replay/board/seating';
import { remarkOf } from '../src/replay/board/traits';

describe('a table', () => {
  it('is drawn as large as it may where it has room', () => {
    expect(largestFit(() => true)).toBe(LARGEST);
    expect(largestFit(() => true, 0.8)).toBe(0.8);
  });

  it('is drawn nearly as large as its room allows', () => {
    const scale = largestFit((tried) => 700 * tried <= 490);
    expect(scale).toBeLessThanOrEqual(0.7);
    expect(scale).toBeGreaterThan(0.68);
  });

  it('stays readable where it has far too little room', () => {
    expect(largestFit(() => false)).toBe(0.5);
  });
});

describe('a ring of seats', () => {
  it('has every seat once, in playing order from the seat of the viewer, for every number of seats', () => {
    for (let seats = 3; seats <= 12; seats += 1) {
      for (const first of [0, seats - 1]) {
        const { near, left, far, right } = ringOf(seats, first);
        expect([...near, ...left, ...far, ...right]).toEqual(Array.from({ length: seats }, (_, step) => (first + step) % seats));
        expect(left.length).toBe(right.length);
        expect(Math.abs(near.length - far.length)).toBeLessThanOrEqual(1);
        expect(near.length).toBeGreaterThan(0);
      }
    }
  });

  it('has the past steps and the next step of the object, by its pieces', () => {
    const step = (from: number, face: string) => ({ key: `way-${from}`, kind: 'text' as const, face, label: `${face} ${from}`, tags: [`from:${from}`, `to:${from + 1}`] });
    const steps = stepsOf({ key: 'way', label: 'Way', layout: 'ring', pieces: [step(0, 'passed'), step(1, 'next')] });
    expect([steps.get(0), steps.get(1), steps.get(2)]).toEqual([{ state: 'passed', label: 'passed 0' }, { state: 'next', label: 'next 1' }, undefined]);
    expect(stepsOf(undefined).size).toBe(0);
  });
});

describe('a piece', () => {
  const TEXTS = { gold: 'It pays.', die: 'Roll it.', hidden: 'Nobody knows.' };

  it('is explained by its tags before its kind', () => {
    expect(textsOf(topicsOf({ key: 'g', kind: 'card', face: 'gold-1', tags: ['gold', 'value:1'] }), TEXTS)).toEqual(['It pays.']);
    expect(textsOf(topicsOf({ key: 'd', kind: 'die', face: '6' }), TEXTS)).toEqual(['Roll it.']);
  });

  it('that is a doubted claim says so in words', () => {
    const claim = (...tags: string[]) => remarkOf({ key: 'c', kind: 'token', face: 'took', tags });
    expect([claim('claim:took'), claim('doubt:false'), claim('doubt:conflict')]).toEqual(['', ', false', ', contradicted']);
  });

  it('that lies face down is explained as such', () => {
    expect(textsOf(topicsOf({ key: 'h', kind: 'card' }), TEXTS)).toEqual(['Nobody knows.']);
  });

  it('of which nothing is known is left alone', () => {
    expect(textsOf(topicsOf({ key: 'x', kind: 'tile', face: 'x' }), TEXTS)).toEqual([]);
  });
});

describe('the rules behind an explanation', () => {
  it('are linked at the first rule that it names, or at their beginning', () => {
    expect(ruleOf('kings_court', ['Guard: may cry HAULT (K14-K17).'])).toEqual({ rule: 'K14', address: '/games/kings_court/#rule-K14' });
    expect(ruleOf('pig', ['The die.'])).toEqual({ rule: null, address: '/games/pig/#rules' });
  });
});
