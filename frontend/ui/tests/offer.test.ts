import { expect, test } from 'vitest';
import { fetchOffer, sendAnswer, ClickTargets, type Item } from '../src/replay/hand/offer';
import type { Zone } from '../src/replay/protocol';

const die = (face: number, number: number) => ({ key: `active-${face}-${number}`, kind: 'die' as const, face: String(face) });
const DICE: Zone[] = [{ key: 'active', label: 'Active dice', pieces: [die(5, 1), die(5, 2), die(5, 3), die(6, 1)] }];
const SETS: Item[] = [
  { say: 'Set aside 5-5-5-6', on: ['active-5-1', 'active-5-2', 'active-5-3', 'active-6-1'], kind: 'set_aside' },
  { say: 'Set aside 5-5', on: ['active-5-1', 'active-5-2'], kind: 'set_aside' },
  { say: 'Set aside 5', on: ['active-5-1'], kind: 'set_aside' },
  { say: 'Set aside 6', on: ['active-6-1'], kind: 'set_aside' },
  { say: 'Roll', on: [], kind: 'roll' },
];
const said = (targets: ClickTargets, keys: string[], text = ''): string[] => targets.matchingItems(new Set(keys), text).map(({ item }) => item.say);

test('a selection leaves what is about all of it, and what is about nothing else comes first', () => {
  const targets = new ClickTargets(SETS, DICE);
  expect(said(targets, ['active-5-1', 'active-5-2'])).toEqual(['Set aside 5-5', 'Set aside 5-5-5-6']);
  expect(said(targets, ['active-6-1'])).toEqual(['Set aside 6', 'Set aside 5-5-5-6']);
  expect(said(targets, [])).toHaveLength(5);
});

test('equal dice are not told apart: which of them is clicked does not matter', () => {
  expect(said(new ClickTargets(SETS, DICE), ['active-5-3'])).toEqual(['Set aside 5', 'Set aside 5-5-5-6', 'Set aside 5-5']);
});

test('a click takes one more or less, Ctrl takes all that show something else, Shift all others', () => {
  const targets = new ClickTargets(SETS, DICE);
  const plain = { ctrl: false, shift: false };
  expect([...targets.selectionAfter('active-5-1', new Set(), plain)]).toEqual(['active-5-1']);
  expect([...targets.selectionAfter('active-5-1', new Set(['active-5-1']), plain)]).toEqual([]);
  expect([...targets.selectionAfter('active-5-1', new Set(), { ctrl: true, shift: false })]).toEqual(['active-6-1']);
  expect([...targets.selectionAfter('active-5-1', new Set(), { ctrl: false, shift: true })]).toEqual(['active-5-2', 'active-5-3', 'active-6-1']);
});

test('a card that looks like the one on the menu stands for it, and others cannot be clicked', () => {
  const gold = (key: string, face: string) => ({ key, kind: 'card' as const, face });
  const hand: Zone[] = [{ key: 'hand-0', label: 'Hand', pieces: [gold('GOLD-2-01', 'gold-2'), gold('GOLD-2-02', 'gold-2'), gold('GOLD-3-01', 'gold-3')] }];
  const targets = new ClickTargets([{ say: 'Pay with Gold 2', on: ['GOLD-2-01'], kind: 'pay' }], hand);
  expect(['GOLD-2-01', 'GOLD-2-02', 'GOLD-3-01', 'hand-0'].map((key) => targets.targetOf(key))).toEqual(['GOLD-2-01', 'GOLD-2-01', null, null]);
  expect(said(targets, ['GOLD-2-02'])).toEqual(['Pay with Gold 2']);
});

test('what is typed narrows as well', () => {
  expect(said(new ClickTargets(SETS, DICE), [], ' roLL ')).toEqual(['Roll']);
});

test('what the server refuses is known by its code, and what does not get through is no answer', async () => {
  const gives = (status: number, body: unknown) => () => Promise.resolve(new Response(JSON.stringify(body), { status }));
  expect(await sendAnswer('/', 1, 0, 't', gives(200, {}))).toBeNull();
  expect(await sendAnswer('/', 1, 0, 't', gives(409, { code: 'not_asked' }))).toBe('not_asked');
  expect(await sendAnswer('/', 1, 0, 't', gives(500, {}))).toBe('failed');
  expect(await sendAnswer('/', 1, 0, 't', () => Promise.reject(new Error('offline')))).toBe('failed');
  expect(await fetchOffer('/', gives(404, {}))).toBeNull();
});
