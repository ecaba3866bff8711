import { beforeEach, describe, expect, it } from 'vitest';
import { Exchange } from './far-end';

let far: Exchange;

beforeEach(() => {
  far = new Exchange();
});

describe('another language', () => {
  it('is asked for on a line of its own, and the match goes on where it stood', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.go(1);
    const [before] = far.sockets;
    replay.changeLanguage('zh-Hant');
    expect([before?.closed, before?.onmessage, replay.moment?.say]).toEqual([true, null, 'public 1']);
    far.socket.onopen?.();
    expect(far.socket.asked).toEqual([{ type: 'watch', eyes: 'public', after: -1, until: null, language: 'zh-Hant' }]);
    far.socket.frames('public', [0], false);
    expect([replay.moments.length, replay.moment?.at]).toEqual([3, 1]);
    far.socket.frames('public', [1, 2], false);
    expect([replay.moments.length, replay.moment?.at]).toEqual([3, 1]);
  });

  it('is spoken when a line that dropped is dialled again', () => {
    const replay = far.watching();
    far.socket.onclose?.({ code: 1006 });
    replay.changeLanguage('zh-Hant');
    far.pass();
    far.socket.onopen?.();
    expect(far.socket.asked.map(({ language }) => language)).toEqual(['zh-Hant']);
  });
});

describe('other eyes', () => {
  it('see the same entry', () => {
    const replay = far.watching();
    far.socket.frames('public', [0, 1, 2], false);
    replay.go(1);
    replay.look('1');
    expect(replay.eyes).toBe('public');
    far.socket.frames('1', [0, 1, 2], false);
    expect([replay.eyes, replay.moment?.say, replay.seat]).toEqual(['1', '1 1', 1]);
  });

  it('are asked for one after the other', () => {
    const replay = far.watching();
    replay.look('0');
    replay.look('1');
    expect(far.socket.asked).toHaveLength(1);
    far.socket.frames('public', [0]);
    expect(far.socket.asked.map(({ eyes }) => eyes)).toEqual(['public', '1']);
  });

  it('are not confused by what still comes for the eyes before', () => {
    const replay = far.watching();
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
    const replay = far.watching();
    far.socket.frames('public', [0, 1]);
    replay.look('all');
    far.socket.refuse('after the end');
    far.socket.frames('public', [2]);
    expect([replay.eyes, replay.wanted, replay.refusal?.detail, replay.moment?.at]).toEqual(['public', 'public', 'after the end', 2]);
  });

  it('that are closed from the first give way to the public ones', () => {
    const replay = far.watching(null, 'all');
    far.socket.refuse();
    expect(far.socket.asked.map(({ eyes }) => eyes)).toEqual(['all', 'public']);
    far.socket.frames('public', [0]);
    expect(replay.moment?.at).toBe(0);
  });

  it('go round with one key', () => {
    const replay = far.watching();
    far.socket.frames('public', [0]);
    const seen = [1, 2, 3].map(() => {
      replay.do('next-eyes');
      return replay.wanted;
    });
    expect(seen).toEqual(['0', '1', 'public']);
  });

  it('go round past eyes that are refused', () => {
    const replay = far.watching();
    far.socket.frames('public', [0]);
    replay.do('next-eyes');
    far.socket.refuse();
    expect([replay.wanted, replay.refusal?.eyes]).toEqual(['public', '0']);
    replay.do('next-eyes');
    expect(replay.wanted).toBe('1');
  });
});
