import { beforeEach, describe, expect, it } from 'vitest';
import { Exchange } from './far-end';

let far: Exchange;

beforeEach(() => {
  far = new Exchange();
});

describe('frames that arrive together', () => {
  it('shows somebody who plays one by one what has happened at once, and does so in six seconds', () => {
    far.paced = true;
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], true, 6);
    far.socket.frames('public', [3, 4, 5]);
    expect(replay.moment?.at, 'what was before is not shown again').toBe(5);
    far.socket.frames('public', [6, 7, 8]);
    expect([replay.moment?.at, replay.smooth, replay.catchingUp]).toEqual([6, true, true]);
    expect([far.pass(), replay.moment?.at, far.pass(), replay.moment?.at]).toEqual([600, 7, 600, 8]);
    expect([replay.catchingUp, replay.following, far.waiting.length]).toEqual([false, true, 0]);
    far.socket.frames('public', Array.from({ length: 31 }, (_, number) => 9 + number));
    expect(far.pass()).toBeLessThanOrEqual(200);
    replay.follow();
    expect([replay.moment?.at, far.waiting.length]).toEqual([39, 0]);
  });

  it('stops showing what has happened for whoever steps back', () => {
    far.paced = true;
    const replay = far.watching();
    far.socket.frames('public', [0]);
    far.socket.frames('public', [1, 2, 3]);
    replay.do('previous');
    expect([replay.moment?.at, replay.catchingUp, far.waiting.length]).toEqual([0, false, 0]);
  });
});
