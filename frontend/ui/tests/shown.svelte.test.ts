import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { Exchange } from './far-end';

it('an effect of the picture shown does not run again for entries that arrive behind it', () => {
  const far = new Exchange();
  const replay = far.watching();
  far.socket.frames('public', [0, 1, 2]);
  replay.do('first');
  replay.do('next');
  let runs = 0;
  const close = $effect.root(() => {
    $effect(() => {
      if (replay.moment && replay.smooth && replay.stride > 0) runs += 1;
    });
  });
  flushSync();
  far.socket.frames('public', [3]);
  flushSync();
  expect([replay.moment?.at, runs]).toEqual([1, 1]);
  replay.do('next');
  flushSync();
  expect([replay.moment?.at, runs]).toEqual([2, 2]);
  close();
});
