import { afterEach, describe, expect, it, vi } from 'vitest';
import { Sounds } from '../src/replay/tools/sounds.svelte';
import { TONES, close, play } from '../src/replay/tools/tones';
import type { Sound } from '../src/replay/protocol';

/** Fake of the browser's AudioContext that records the start and end of each tone. */
class Audio {
  static readonly made: Audio[] = [];
  readonly heard: [number, number][] = [];
  readonly currentTime = 5;
  readonly destination = {};
  state = 'suspended';

  constructor() {
    Audio.made.push(this);
  }

  resume(): void {
    this.state = 'running';
  }

  close(): void {
    this.state = 'closed';
  }

  createGain(): object {
    return { gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined }, connect: () => undefined };
  }

  createOscillator(): object {
    let from = 0;
    return {
      frequency: {},
      connect: (next: object) => next,
      start: (at: number) => (from = at),
      stop: (at: number) => this.heard.push([from, at]),
    };
  }
}

afterEach(() => {
  close();
  Audio.made.length = 0;
  vi.unstubAllGlobals();
});

describe('the sound of a replay', () => {
  it('is off at first, and then loads nothing', async () => {
    const heard: (Sound | 'closed')[] = [];
    let fetched = 0;
    const sounds = new Sounds(async () => {
      fetched += 1;
      return { play: (sound) => heard.push(sound), close: () => heard.push('closed') };
    });
    sounds.hear('dice');
    expect([sounds.on, fetched]).toEqual([false, 0]);
    sounds.toggle();
    sounds.hear('bid');
    sounds.hear(null);
    await vi.waitFor(() => expect(heard).toEqual(['card', 'bid']));
    sounds.toggle();
    sounds.hear('end');
    await vi.waitFor(() => expect(heard).toEqual(['card', 'bid', 'closed']));
    expect(fetched).toBe(3);
  });

  it('consists of tones of less than a second, from one audio context that is closed', () => {
    vi.stubGlobal('AudioContext', Audio);
    for (const sound of Object.keys(TONES) as Sound[]) play(sound);
    const [audio, ...others] = Audio.made;
    expect([audio?.state, others]).toEqual(['running', []]);
    expect(audio?.heard).toHaveLength(Object.values(TONES).flat().length);
    expect(audio?.heard.every(([from, until]) => from >= 5 && from < until && until <= 6)).toBe(true);
    close();
    expect(audio?.state).toBe('closed');
  });
});
