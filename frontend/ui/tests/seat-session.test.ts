import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SeatSession } from '../src/replay/hand/seat-session.svelte';
import { Exchange } from './far-end';

/** Replies of the server that the test holds back, in the order of the requests. */
let replies: ((reply: object) => void)[] = [];

const item = { say: 'Pass', on: [], kind: 'pass' };

/** Answer a request: question `number` is asked. */
async function reply(request: number, number: number): Promise<void> {
  const offer = { number, asked: true, over: false, items: [item, item], guide: [], left_ms: null };
  replies[request]?.({ ok: true, json: () => Promise.resolve(offer) });
  await vi.advanceTimersByTimeAsync(0);
}

function sit(): SeatSession {
  return new SeatSession(new Exchange().watching(), 'm', 0, false, () => undefined);
}

beforeEach(() => {
  replies = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => new Promise((resolve) => replies.push(resolve)));
  vi.stubGlobal('document', { querySelector: () => null });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a late reply does not bring back an old question', async () => {
  const session = sit();
  session.pollNow();
  session.pollNow();
  await reply(1, 6);
  await reply(0, 5);
  expect(session.offer?.number).toBe(6);
});

test('a question is looked at again some time after the newest reply', async () => {
  const session = sit();
  session.pollNow();
  await reply(0, 5);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(replies).toHaveLength(2);
});

test('nothing is requested by a session that was disposed of while replies were on their way', async () => {
  const session = sit();
  session.pollNow();
  await reply(0, 5);
  session.pick(0);
  session.confirm();
  session.pollNow();
  session.dispose();
  await reply(1, 5);
  await reply(2, 6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([replies.length, session.offer?.number]).toEqual([3, 5]);
});

test('a second click on an answered question sends nothing until the question may be asked again', async () => {
  const session = sit();
  session.setDirect(true);
  session.pollNow();
  await reply(0, 5);
  session.pick(0);
  await reply(1, 5); // the answer is accepted; request 2 looks at the next question
  session.pick(0);
  expect([replies.length, session.errorCode]).toEqual([3, '']);
  await vi.advanceTimersByTimeAsync(60_000);
  session.pick(0);
  expect(replies.length).toBe(4);
});
