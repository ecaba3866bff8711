import { beforeEach, describe, expect, it } from 'vitest';
import { Exchange } from './far-end';

let far: Exchange;

/** Eyes asked for on the present socket. */
const asked = (): string[] => far.socket.asked.map(({ eyes }) => eyes);

/** Drop the connection and dial again. */
function redial(): void {
  far.socket.onclose?.({ code: 1006 });
  far.pass();
  far.socket.onopen?.();
}

beforeEach(() => {
  far = new Exchange();
});

describe('a refusal that passes', () => {
  it('is shown, and the same is asked again after pauses that grow to 15 seconds', () => {
    const replay = far.watching();
    const waits = Array.from({ length: 8 }, () => {
      far.socket.refuse('store away', 'store_unreachable');
      expect(replay.refusal?.detail).toBe('store away');
      return far.pass();
    });
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12800, 15000, 15000]);
    far.socket.frames('public', [0, 1], false);
    expect([replay.moment?.at, replay.refusal, far.waiting.length]).toEqual([0, null, 0]);
  });

  it('does not delay other eyes that are chosen meanwhile', () => {
    const replay = far.watching();
    far.socket.refuse('store away', 'store_unreachable');
    replay.look('1');
    expect([asked(), far.waiting.length]).toEqual([['public', '1'], 0]);
  });

  it('leaves the picture, and asks for all that was missed', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    replay.look('0');
    far.socket.refuse('store away', 'store_unreachable');
    replay.look('public');
    expect([asked(), far.socket.asked.at(-1)?.after, replay.moment?.say]).toEqual([['public', '0', 'public'], 1, 'public 1']);
  });

  it('is forgotten if the connection drops', () => {
    far.watching();
    far.socket.refuse('store away', 'store_unreachable');
    far.socket.onclose?.({ code: 1006 });
    expect(far.waiting).toHaveLength(1);
  });
});

describe('a refusal that lasts', () => {
  it('of the eyes on show gives way to the public ones at the same entry', () => {
    const replay = far.watching(null, '0');
    far.socket.frames('0', [0, 1, 2], false);
    replay.go(1);
    redial();
    far.socket.refuse();
    expect([asked(), replay.wanted, replay.moment?.say]).toEqual([['0', 'public'], 'public', '0 1']);
    far.socket.frames('public', [0, 1, 2], false);
    expect([replay.eyes, replay.moment?.say]).toEqual(['public', 'public 1']);
  });

  it('of the public eyes is not asked again by itself, but other eyes can be chosen', () => {
    const replay = far.watching();
    far.socket.refuse();
    expect([asked(), far.waiting.length]).toEqual([['public'], 0]);
    replay.look('1');
    expect(asked()).toEqual(['public', '1']);
  });

  it('for lack of the plug-in of the game is shown, and nothing is asked again by itself', () => {
    const replay = far.watching();
    far.socket.refuse('there is no game', 'missing_plugin');
    expect([replay.refusal?.detail, asked(), far.waiting.length]).toEqual(['there is no game', ['public'], 0]);
  });

  it('is not shown if other eyes were chosen meanwhile', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    replay.look('0');
    replay.look('1');
    far.socket.refuse('seat 0 is closed');
    far.socket.frames('1', [0, 1]);
    expect([replay.eyes, replay.refusal]).toEqual(['1', null]);
  });
});
