import { beforeEach, describe, expect, it } from 'vitest';
import type { Duration } from '../src/replay/protocol';
import { Exchange } from './far-end';

let far: Exchange;

beforeEach(() => {
  far = new Exchange();
});

describe('a finished match', () => {
  it('opens at its beginning while no choice is known', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    expect([replay.moment?.at, replay.open, replay.following]).toEqual([0, false, false]);
  });

  it('opens with its first choice, however late that comes', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1], false, 9);
    expect([replay.moment?.at, replay.opening]).toEqual([0, true]);
    far.socket.frames('public', [2, 4, 6], false, 9, 2);
    expect([replay.moment?.at, replay.stride, replay.opening]).toEqual([4, 0, false]);
    far.socket.frames('public', [8], false, 9, 2);
    expect(replay.moment?.at).toBe(4);
  });

  it('stays where somebody went before the first choice came', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1], false, 9);
    replay.do('next');
    far.socket.frames('public', [2, 4], false, 9, 2);
    expect(replay.moment?.at).toBe(1);
  });

  it('opens where the address says, however the frames are cut', () => {
    const replay = far.watching(5);
    far.socket.frames('public', [0, 1, 2], false);
    expect(replay.spot.at).toBe(5);
    far.socket.frames('public', [4, 6, 8], false);
    expect(replay.moment?.at).toBe(4);
    expect(replay.spot.at).toBe(4);
  });

  it('goes to an entry by its number, also while the frames of another language are on their way', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 2, 4, 6], false);
    replay.changeLanguage('zh-Hant');
    replay.goTo(4);
    expect(replay.moment?.at).toBe(4);
    replay.goTo(5);
    expect(replay.moment?.at).toBe(4);
  });

  it('plays to its end and stops there', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    expect(far.pass()).toBe(900);
    far.pass();
    expect([replay.moment?.at, replay.playing, far.waiting.length]).toEqual([2, false, 0]);
  });

  it('plays anew from the beginning when it is played at the end', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.do('last');
    replay.play();
    expect([replay.moment?.at, replay.playing]).toEqual([0, true]);
  });

  it('plays on at another speed with one clock', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    replay.setSpeed(4);
    expect(far.waiting.map(({ ms }) => ms)).toEqual([225]);
  });

  it('shows important steps longer, or all steps equally long', () => {
    const replay = far.watching();
    const durations: Duration[] = ['normal', 'short', 'long', 'short', 'long', 'normal'];
    far.socket.lasting(durations, false);
    replay.play();
    expect([far.pass(), far.pass(), far.pass()]).toEqual([900, 300, 2000]);
    replay.setSpeed(2);
    replay.do('even');
    expect([replay.playing, far.pass(), far.pass()]).toEqual([true, 150, 450]);
  });

  it('pauses for whoever steps', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    replay.do('next');
    expect([replay.playing, replay.moment?.at, far.waiting.length]).toEqual([false, 1, 0]);
  });
});

describe('keys pressed before the pictures are there', () => {
  it('are obeyed in their order once these have come', () => {
    const replay = far.watching();
    replay.do('next');
    far.socket.frames('public', [0], false, 4);
    replay.do('next');
    expect(replay.moment?.at).toBe(0);
    far.socket.frames('public', [1, 2, 3], false);
    expect(replay.moment?.at).toBe(2);
  });

  it('start the match when its second picture comes', () => {
    const replay = far.watching();
    far.socket.frames('public', [0], false, 3);
    replay.do('toggle');
    expect(replay.playing).toBe(false);
    far.socket.frames('public', [1, 2], false);
    expect([replay.moment?.at, replay.playing]).toEqual([0, true]);
  });

  it('do not wait where nothing has to come for them', () => {
    const replay = far.watching();
    far.socket.frames('public', [0], false, 3);
    replay.do('inspect');
    expect(replay.inspecting).toBe(true);
  });
});

describe('a live match', () => {
  it('is followed from its newest entry', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    far.socket.frames('public', [3]);
    expect([replay.moment?.at, replay.following, replay.spot.at]).toEqual([3, true, null]);
  });

  it('is followed on after a step forward from its newest entry', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    replay.do('next');
    replay.do('next-turn');
    replay.do('next-key');
    far.socket.frames('public', [2]);
    expect([replay.moment?.at, replay.following]).toEqual([2, true]);
  });

  it('is shown without long steps while playback is far behind', () => {
    const replay = far.watching();
    far.socket.lasting(Array.from({ length: 13 }, (): Duration => 'long'), true);
    replay.go(0);
    replay.play();
    expect([far.pass(), far.pass(), far.pass()]).toEqual([900, 900, 2000]);
    replay.follow();
    expect([replay.moment?.at, replay.following, far.waiting.length]).toEqual([12, true, 0]);
  });

  it('waits for whoever looks back, and catches up in one step', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    replay.do('previous');
    far.socket.frames('public', [2]);
    expect([replay.moment?.at, replay.following]).toEqual([0, false]);
    replay.follow();
    expect([replay.moment?.at, replay.following]).toEqual([2, true]);
  });

  it('shows who follows the newest picture at once, though those before it are still to come', () => {
    const replay = far.watching();
    far.socket.frames('public', [0], true, 900);
    far.socket.glimpse('public', 899);
    expect([replay.moment?.at, replay.smooth, replay.spot.at]).toEqual([899, false, null]);
    far.socket.frames('public', [1, 2], true, 900);
    expect([replay.moment?.at, replay.moments.length]).toEqual([899, 3]);
    far.socket.frames('public', [3, 899, 900], true, 901);
    expect([replay.moment?.at, replay.moments.length]).toEqual([900, 6]);
  });

  it('shows who looks back nothing ahead of where they are, and who looks through other eyes nothing of these', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1], true, 900);
    replay.do('previous');
    far.socket.glimpse('public', 899);
    expect(replay.moment?.at).toBe(0);
    replay.follow();
    expect(replay.moment?.at).toBe(899);
    replay.look('0');
    far.socket.frames('0', [0, 1, 2], true, 900);
    expect(replay.moment?.say).toBe('0 2');
    far.socket.glimpse('public', 900);
    expect(replay.moment?.say).toBe('0 2');
  });

  it('stands at the end when it closes', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    far.socket.frames('public', [2], false);
    expect([replay.moment?.at, replay.open]).toEqual([2, false]);
  });
});

describe('a line that drops', () => {
  it('goes on after the last entry, without a gap or a doubling', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    far.socket.onclose?.({ code: 1006 });
    expect(far.pass()).toBe(400);
    far.socket.onopen?.();
    expect(far.socket.asked).toEqual([{ type: 'watch', eyes: 'public', after: 1, until: null, language: 'en' }]);
    far.socket.frames('public', [2, 3]);
    expect(replay.moments.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  });

  it('waits twice as long each time, and not for ever', () => {
    far.watching();
    const waits = Array.from({ length: 8 }, () => {
      far.socket.onclose?.({ code: 1006 });
      return far.pass();
    });
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12800, 15000, 15000]);
  });

  it('is not redialled by all at the same moment', () => {
    far.watching();
    far.luck = 0;
    far.socket.onclose?.({ code: 1006 });
    expect(far.pass()).toBe(200);
  });

  it('is redialled over five seconds when a server is about to leave', () => {
    far.watching();
    far.luck = 0.5;
    far.socket.onclose?.({ code: 1012 });
    expect(far.pass()).toBe(2500);
    far.luck = 1;
    far.socket.onclose?.({ code: 1006 });
    expect(far.pass()).toBe(800);
  });

  it('is not redialled when the server says why', () => {
    const replay = far.watching();
    far.socket.onclose?.({ code: 4404 });
    expect(far.waiting).toHaveLength(0);
    expect(replay.status).toEqual({ kind: 'closed', why: 'connection.4404' });
  });

  it('is hung up for good', () => {
    far.watching().dispose();
    expect(far.socket.closed).toBe(true);
    expect(far.socket.onclose).toBeNull();
  });
});
