import { describe, expect, it } from 'vitest';
import golden from '../../../tests/golden/pig-3.jsonl?raw';
import type { Moment } from '../src/replay/reel';
import { badgeText, LogCheck } from '../src/replay/tools/log-check.svelte';
import { momentAsJson, narrate, pretty } from '../src/replay/tools/narration';

const SOURCE = { match: 'a/b', head: '' };
const answering = (body: string, status = 200, asked: string[] = []) => (address: string): Promise<Response> => {
  asked.push(address);
  return Promise.resolve(new Response(body, { status }));
};

describe('a badge', () => {
  it('says that a log verifies, and how many pages it has', async () => {
    const logCheck = new LogCheck(SOURCE, answering(golden));
    expect(badgeText(logCheck.state)).toBe('');
    await logCheck.load();
    expect(badgeText(logCheck.state)).toBe('verified, 1 page');
  });

  it('names the page that does not verify', async () => {
    const logCheck = new LogCheck(SOURCE, answering(golden.replace('"face":6', '"face":5')));
    await logCheck.load();
    expect(badgeText(logCheck.state)).toBe('does not verify: page 0 does not match its hash');
  });

  it('says when there was nothing to check, and tries again when asked again', async () => {
    const asked: string[] = [];
    const logCheck = new LogCheck(SOURCE, answering('', 404, asked));
    await logCheck.load();
    expect(badgeText(logCheck.state)).toBe('not checked: the log did not come (404)');
    await logCheck.load();
    expect(asked).toEqual(['/api/v1/matches/a%2Fb/log/', '/api/v1/matches/a%2Fb/log/']);
  });

  it('asks for a log once', async () => {
    const asked: string[] = [];
    const logCheck = new LogCheck(SOURCE, answering(golden, 200, asked));
    await Promise.all([logCheck.load(), logCheck.load()]);
    await logCheck.load();
    expect(asked).toHaveLength(1);
  });
});

describe('what was told', () => {
  const moment = (at: number, say: string): Moment => ({
    at, kind: 'bid_made', say, mark: null, toAct: [1], meters: [], contests: [], changed: ['lot'],
    zones: [{ key: 'lot', label: 'Lot', note: 'bid 4' }, { key: 'deck', label: 'Deck' }],
  });

  it('as JSON holds the sentence and only what changed', () => {
    const told = JSON.parse(momentAsJson(moment(7, 'Ada bids 4.'))) as { zones: { key: string }[] };
    expect(told).toMatchObject({ at: 7, kind: 'bid_made', say: 'Ada bids 4.', seats_to_act: [1] });
    expect(told.zones.map(({ key }) => key)).toEqual(['lot']);
  });

  it('in words stands line by line behind its number', () => {
    expect(narrate([moment(7, 'Ada bids 4.'), moment(12, 'Bo passes.')])).toBe(' 7  Ada bids 4.\n12  Bo passes.\n');
  });

  it('that is no JSON stays as it is', () => {
    expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(pretty('torn')).toBe('torn');
  });
});
