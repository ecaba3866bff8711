import { beforeEach, describe, expect, it } from 'vitest';
import { Replay } from '../src/replay/replay.svelte';
import { Exchange } from './far-end';

let far: Exchange;

function watching(at: number | null = null, eyes = 'public'): Replay {
  const replay = new Replay({ names: ['Ada', 'Bo'], spot: { at, eyes }, dial: far.dial, later: far.later });
  replay.connect();
  far.socket.onopen?.();
  return replay;
}

beforeEach(() => {
  far = new Exchange();
});

describe('a finished match', () => {
  it('opens at its beginning while no choice is known', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    expect([replay.moment?.at, replay.open, replay.following]).toEqual([0, false, false]);
  });

  it('opens with its first choice, however late that comes', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1], false, 9);
    expect([replay.moment?.at, replay.opening]).toEqual([0, true]);
    far.socket.frames('public', [2, 4, 6], false, 9, 2);
    expect([replay.moment?.at, replay.stride, replay.opening]).toEqual([4, 0, false]);
    far.socket.frames('public', [8], false, 9, 2);
    expect(replay.moment?.at).toBe(4);
  });

  it('stays where somebody went before the first choice came', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1], false, 9);
    replay.do('next');
    far.socket.frames('public', [2, 4], false, 9, 2);
    expect(replay.moment?.at).toBe(1);
  });

  it('opens where the address says, however the frames are cut', () => {
    const replay = watching(5);
    far.socket.frames('public', [0, 1, 2], false);
    expect(replay.spot.at).toBe(5);
    far.socket.frames('public', [4, 6, 8], false);
    expect(replay.moment?.at).toBe(4);
    expect(replay.spot.at).toBe(4);
  });

  it('plays to its end and stops there', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    expect(far.pass()).toBe(900);
    far.pass();
    expect([replay.moment?.at, replay.playing, far.waiting.length]).toEqual([2, false, 0]);
  });

  it('plays anew from the beginning when it is played at the end', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.do('last');
    replay.play();
    expect([replay.moment?.at, replay.playing]).toEqual([0, true]);
  });

  it('plays on at another speed with one clock', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    replay.setSpeed(4);
    expect(far.waiting.map(({ ms }) => ms)).toEqual([225]);
  });

  it('pauses for whoever steps', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.play();
    replay.do('next');
    expect([replay.playing, replay.moment?.at, far.waiting.length]).toEqual([false, 1, 0]);
  });
});

describe('keys pressed before the pictures are there', () => {
  it('are obeyed in their order once these have come', () => {
    const replay = watching();
    replay.do('next');
    far.socket.frames('public', [0], false, 4);
    replay.do('next');
    expect(replay.moment?.at).toBe(0);
    far.socket.frames('public', [1, 2, 3], false);
    expect(replay.moment?.at).toBe(2);
  });

  it('start the match when its second picture comes', () => {
    const replay = watching();
    far.socket.frames('public', [0], false, 3);
    replay.do('toggle');
    expect(replay.playing).toBe(false);
    far.socket.frames('public', [1, 2], false);
    expect([replay.moment?.at, replay.playing]).toEqual([0, true]);
  });

  it('do not wait where nothing has to come for them', () => {
    const replay = watching();
    far.socket.frames('public', [0], false, 3);
    replay.do('inspect');
    expect(replay.inspecting).toBe(true);
  });
});

describe('a live match', () => {
  it('is followed from its newest entry', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    far.socket.frames('public', [3]);
    expect([replay.moment?.at, replay.following, replay.spot.at]).toEqual([3, true, null]);
  });

  it('waits for whoever looks back, and catches up in one step', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    replay.do('previous');
    far.socket.frames('public', [2]);
    expect([replay.moment?.at, replay.following]).toEqual([0, false]);
    replay.follow();
    expect([replay.moment?.at, replay.following]).toEqual([2, true]);
  });

  it('stands at the end when it closes', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    far.socket.frames('public', [2], false);
    expect([replay.moment?.at, replay.open]).toEqual([2, false]);
  });
});

describe('a line that drops', () => {
  it('goes on after the last entry, without a gap or a doubling', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    far.socket.onclose?.({ code: 1006 });
    expect(far.pass()).toBe(400);
    far.socket.onopen?.();
    expect(far.socket.asked).toEqual([{ type: 'watch', eyes: 'public', after: 1, until: null, language: 'en' }]);
    far.socket.frames('public', [2, 3]);
    expect(replay.moments.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  });

  it('waits twice as long each time, and not for ever', () => {
    watching();
    const waits = Array.from({ length: 8 }, () => {
      far.socket.onclose?.({ code: 1006 });
      return far.pass();
    });
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 12800, 15000, 15000]);
  });

  it('is not redialled when the server says why', () => {
    const replay = watching();
    far.socket.onclose?.({ code: 4404 });
    expect(far.waiting).toHaveLength(0);
    expect(replay.status).toEqual({ kind: 'closed', why: 'connection.4404' });
  });

  it('is hung up for good', () => {
    watching().dispose();
    expect(far.socket.closed).toBe(true);
    expect(far.socket.onclose).toBeNull();
  });
});

describe('another language', () => {
  it('is asked for on a line of its own, and the match goes on where it stood', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.go(1);
    const [before] = far.sockets;
    replay.speak('zh-Hant');
    expect([before?.closed, before?.onmessage, replay.moment?.say]).toEqual([true, null, 'public 1']);
    far.socket.onopen?.();
    expect(far.socket.asked).toEqual([{ type: 'watch', eyes: 'public', after: -1, until: null, language: 'zh-Hant' }]);
    far.socket.frames('public', [0], false);
    expect([replay.moments.length, replay.moment?.at]).toEqual([3, 1]);
    far.socket.frames('public', [1, 2], false);
    expect([replay.moments.length, replay.moment?.at]).toEqual([3, 1]);
  });

  it('is spoken when a line that dropped is dialled again', () => {
    const replay = watching();
    far.socket.onclose?.({ code: 1006 });
    replay.speak('zh-Hant');
    far.pass();
    far.socket.onopen?.();
    expect(far.socket.asked.map(({ language }) => language)).toEqual(['zh-Hant']);
  });
});

describe('other eyes', () => {
  it('see the same entry', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.go(1);
    replay.look('1');
    expect(replay.eyes).toBe('public');
    far.socket.frames('1', [0, 1, 2], false);
    expect([replay.eyes, replay.moment?.say, replay.seat]).toEqual(['1', '1 1', 1]);
  });

  it('are asked for one after the other', () => {
    const replay = watching();
    replay.look('0');
    replay.look('1');
    expect(far.socket.asked).toHaveLength(1);
    far.socket.frames('public', [0]);
    expect(far.socket.asked.map(({ eyes }) => eyes)).toEqual(['public', '1']);
  });

  it('are not confused by what still comes for the eyes before', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    replay.look('0');
    far.socket.frames('public', [2]);
    far.socket.frames('0', [0, 1, 2]);
    replay.look('public');
    far.socket.frames('0', [3]);
    far.socket.frames('public', [3]);
    expect(replay.moments.map(({ say }) => say)).toEqual(['public 0', 'public 1', 'public 2', 'public 3']);
  });

  it('that are closed leave the picture and say why', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1]);
    replay.look('all');
    far.socket.refuse('after the end');
    far.socket.frames('public', [2]);
    expect([replay.eyes, replay.wanted, replay.refusal?.detail, replay.moment?.at]).toEqual(['public', 'public', 'after the end', 2]);
  });

  it('that are closed from the first give way to the public ones', () => {
    const replay = watching(null, 'all');
    far.socket.refuse();
    expect(far.socket.asked.map(({ eyes }) => eyes)).toEqual(['all', 'public']);
    far.socket.frames('public', [0]);
    expect(replay.moment?.at).toBe(0);
  });

  it('go round with one key', () => {
    const replay = watching();
    far.socket.frames('public', [0]);
    const seen = [1, 2, 3].map(() => {
      replay.do('next-eyes');
      return replay.wanted;
    });
    expect(seen).toEqual(['0', '1', 'public']);
  });
});
