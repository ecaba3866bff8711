/** Time for which playback shows each frame: by the importance of the frame, or the same for all. */

import { STEP_MS } from './clock';
import { readItem, writeItem } from './local-storage';
import type { Duration } from './protocol';
import type { Moment } from './reel';

/** Milliseconds for which a frame is shown at speed 1. */
const DURATIONS_MS: Readonly<Record<Duration, number>> = { short: 300, normal: STEP_MS, long: 2000 };
/** Number of frames behind a live match beyond which long frames are shown only as long as normal ones. */
const HURRY_BEHIND = 10;
/** Maximum milliseconds for which a person who plays sees each of several new frames, and all of them together. */
const NEWS_MS = 600;
const ALL_NEWS_MS = 6000;
const KEY = 'ftk-even-steps';

/** State of playback that determines the time of a frame. */
interface PlaybackState {
  readonly moment: Moment | undefined;
  readonly moments: readonly Moment[];
  readonly index: number;
  /** True while the match is live. */
  readonly open: boolean;
  readonly speed: number;
  /** True while new frames are shown one by one to a person who plays. */
  readonly catchingUp: boolean;
}

export class Tempo {
  /** True if all frames are shown equally long. */
  even = $state(readItem(KEY) === 'yes');

  constructor(private readonly playback: PlaybackState) {}

  toggle(): void {
    this.even = !this.even;
    writeItem(KEY, this.even ? 'yes' : 'no');
  }

  /** Milliseconds for which the current frame is shown. */
  get frameMs(): number {
    const { moment, moments, index, open, speed, catchingUp } = this.playback;
    const ms = this.even ? STEP_MS : DURATIONS_MS[moment?.duration ?? 'normal'];
    if (catchingUp) return Math.min(NEWS_MS, ALL_NEWS_MS / (moments.length - index));
    const late = open && moments.length - 1 - index > HURRY_BEHIND;
    return (late ? Math.min(ms, STEP_MS) : ms) / speed;
  }
}
