import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSpot, writeSpot } from '../src/replay/link';
import { FRESH } from '../src/replay/protocol';
import { Replay } from '../src/replay/replay.svelte';
import { prefersSpoilerFree, storeSpoilerPreference } from '../src/replay/spoiler-guard.svelte';
import { Exchange } from './far-end';

let far: Exchange;

function watching(at: number | null = null): Replay {
  const replay = new Replay({ names: ['Ada', 'Bo'], spot: { at, eyes: FRESH }, dial: far.dial, later: far.later });
  replay.connect();
  far.socket.onopen?.();
  return replay;
}

beforeEach(() => {
  far = new Exchange();
});

describe('spoiler-free eyes', () => {
  it('are the public ones to the server, and have a link of their own', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    expect(far.socket.asked.map(({ eyes }) => eyes)).toEqual(['public']);
    expect(replay.spot).toEqual({ at: 0, eyes: FRESH });
    expect(readSpot(writeSpot('http://x/', replay.spot), 2)).toEqual(replay.spot);
  });

  it('are told only of what was watched', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2, 3], false);
    expect(replay.visibleMoments.map(({ at }) => at)).toEqual([0]);
    replay.do('next');
    replay.do('next');
    replay.do('previous');
    expect(replay.visibleMoments.map(({ at }) => at)).toEqual([0, 1, 2]);
  });

  it('cannot tell a long match by its slider', () => {
    const [short, long] = [3, 300].map((length) => {
      far = new Exchange();
      const replay = watching();
      far.socket.frames('public', Array.from({ length }, (_, at) => at), false);
      return replay.spoilerGuard.sliderEnd;
    });
    expect(short).toBe(long);
  });

  it('go to the furthest moment watched instead of the end', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2, 3], false);
    replay.do('next');
    replay.do('first');
    replay.do('last');
    expect(replay.moment?.at).toBe(1);
    replay.do('next-key');
    expect(replay.moment?.at).toBe(1);
  });

  it('see everything once they are there', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1], false);
    expect(replay.spoilerGuard.active).toBe(true);
    replay.do('next');
    expect([replay.spoilerGuard.active, replay.finished]).toEqual([false, true]);
    replay.do('first');
    expect(replay.visibleMoments).toHaveLength(2);
  });

  it('do not take the end of what has come so far for the end', () => {
    const replay = watching();
    far.socket.say({ type: 'frames', eyes: 'public', frames: [{ at: 0, kind: 'k', say: '' }], length: 9, open: false });
    expect(replay.spoilerGuard.active).toBe(true);
  });

  it('begin a live match at its beginning', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2]);
    expect([replay.moment?.at, replay.following, replay.visibleMoments.length]).toEqual([0, false, 1]);
  });

  it('that are chosen at the end begin anew', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.look('public');
    replay.do('last');
    replay.look(FRESH);
    expect([replay.moment?.at, replay.spoilerGuard.active, replay.visibleMoments.length]).toEqual([0, true, 1]);
  });

  it('are given up for any others', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.look('1');
    far.socket.frames('1', [0, 1, 2], false);
    expect([replay.spoilerGuard.enabled, replay.visibleMoments.length, replay.wanted]).toEqual([false, 3, '1']);
  });

  it('are kept while other eyes are only asked for, and if these are refused', () => {
    const replay = watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.do('next-eyes');
    expect([replay.spoilerGuard.active, replay.visibleMoments.length]).toEqual([true, 1]);
    far.socket.refuse();
    far.socket.frames('public', [3], false);
    expect([replay.spoilerGuard.active, replay.visibleMoments.length, replay.spot.eyes]).toEqual([true, 1, FRESH]);
  });
});

describe('the habit of spoiler-free watching', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is ended by the public eyes, and by no others', () => {
    const stored = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
      removeItem: (key: string) => stored.delete(key),
    };
    vi.stubGlobal('localStorage', localStorage);
    const habits = [FRESH, '0', 'all', 'public', '0'].map((selected) => {
      storeSpoilerPreference(selected);
      return prefersSpoilerFree();
    });
    expect(habits).toEqual([true, true, true, false, false]);
  });
});
