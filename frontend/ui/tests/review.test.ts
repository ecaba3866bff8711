import { describe, expect, it } from 'vitest';
import {
  blocksOf, choiceAt, clipAround, fetchReview, lineOf, partsOf, placeOf, signed, type MatchReview,
} from '../src/replay/review/review-data';
import { loadLanguage } from '../src/replay/translation.svelte';
import { fetchDecision as choice } from '../src/replay/tools/decision';

const option = (item: number, share: string) => ({ item, share, said: { en: `bid ${item}`, 'zh-Hant': `出價 ${item}` } });
const found: MatchReview = {
  players: ['Ada', 'Bob'],
  eyes: 'all',
  policy: 'anything',
  playouts: 4,
  curve: [
    { frame: 0, shares: ['1/2', '1/2'] },
    { frame: 2, shares: ['3/4', '1/4'] },
    { frame: 4, shares: ['1/4', '3/4'] },
    { frame: 7, shares: ['1', '0'] },
  ],
  choices: [
    { frame: 3, until: 4, seat: 0, shares: ['1/4', '3/4'], weighing: { chosen: 0, menu: 2, options: [option(0, '1/4'), option(1, '3/4')], cost: '1/2' } },
    { frame: 5, until: 7, seat: 1, shares: ['1/2', '1/2'], weighing: null },
  ],
  turning_points: [],
  luckiest: null,
  costliest: [],
  ledger: [
    { share: '1', seat: '0', deal: '1/4', chance: '1/2', choices: ['-1/2', '1/8'], unexplained: '1/8' },
    { share: '0', seat: '0', deal: '-1/4', chance: '-1/2', choices: ['1/2', '-1/4'], unexplained: '0' },
  ],
};

describe('the review of a match', () => {
  it('is a line for each seat, from its first point to its last', () => {
    expect(lineOf(found, 0)).toBe('0.00,50.00 33.33,25.00 66.67,75.00 100.00,0.00');
  });
  it('shows where on the curve a frame is', () => {
    expect([0, 1, 2, 6, 7, 99].map((frame) => placeOf(found, frame))).toEqual([0, 0, 1, 2, 3, 3]);
  });
  it('knows the choice that a frame follows from, and none where nobody was asked', () => {
    expect(choiceAt(found, 4)?.frame).toBe(3);
    expect(choiceAt(found, 2)).toBeNull();
    expect(choiceAt(found, 6)).toBeNull();
  });
  it('adds up: one half and the parts are the share', () => {
    found.ledger.forEach((account, seat) => {
      const sum = Object.values(partsOf(account, seat)).reduce((all, one) => all + one, 0.5);
      expect(sum).toBeCloseTo(Number(account.share));
    });
  });
  it('stacks what was given to the right and what was taken to the left, without a gap', () => {
    const blocks = blocksOf(found.ledger[0]!, 0);
    expect(blocks.filter(({ width }) => width > 0).map(({ part, from }) => [part, from])).toEqual([
      ['deal', 0],
      ['chance', 0.25],
      ['own', -0.5],
      ['others', 0.75],
      ['unexplained', 0.875],
    ]);
  });
  it('says a change with its sign', () => {
    expect([signed(0.25), signed(-0.25), signed(0.001)]).toEqual(['+0.25', '−0.25', '0']);
  });
  it('is asked for with the token alone, and a refusal tells its reason', async () => {
    const calls: string[] = [];
    const get = (address: string, how?: RequestInit): Promise<Response> => {
      calls.push(`${how?.method ?? 'GET'} ${address}`);
      return Promise.resolve(new Response(JSON.stringify({ detail: 'later' }), { status: 429 }));
    };
    expect(await fetchReview('m1', 'public', '', get)).toEqual({ kind: 'refused', why: 'later', temporary: true });
    await fetchReview('m1', 'own', 'token', get);
    expect(calls).toEqual(['GET /api/v1/matches/m1/review/?eyes=public', 'POST /api/v1/matches/m1/review/?eyes=own']);
  });
  it('is asked for again only if the refusal can pass', async () => {
    const refusal = (status: number) => (): Promise<Response> =>
      Promise.resolve(new Response(JSON.stringify({ detail: 'no' }), { status }));
    expect(await fetchReview('m1', 'own', '', refusal(404))).toEqual({ kind: 'refused', why: 'no', temporary: false });
    expect(await fetchReview('m1', 'own', '', refusal(503))).toEqual({ kind: 'refused', why: 'no', temporary: true });
    const lost = (): Promise<Response> => Promise.reject(new Error('no network'));
    expect(await fetchReview('m1', 'own', '', lost)).toEqual({ kind: 'refused', why: '', temporary: true });
  });
  it('is asked for in the language of the viewer, not in that of the browser', async () => {
    const heads: unknown[] = [];
    const get = (_: string, how?: RequestInit): Promise<Response> => {
      heads.push(new Headers(how?.headers).get('Accept-Language'));
      return Promise.resolve(new Response('{}'));
    };
    await fetchReview('m1', 'own', '', get);
    await loadLanguage('zh-Hant');
    await fetchReview('m1', 'own', 'token', get);
    await choice('m1', '0', 1, get);
    await loadLanguage('en');
    expect(heads).toEqual(['en', 'zh-Hant', 'zh-Hant']);
  });
});

describe('a clip of a turning point', () => {
  it('shows twenty frames around it, and fewer of a short match', () => {
    expect(clipAround('abc', 50, 200)).toBe('/matches/abc/clip/?from=41&until=60');
    expect(clipAround('abc', 2, 200)).toBe('/matches/abc/clip/?from=0&until=19');
    expect(clipAround('abc', 200, 200)).toBe('/matches/abc/clip/?from=181&until=200');
    expect(clipAround('abc', 3, 6)).toBe('/matches/abc/clip/?from=0&until=6');
  });
});
