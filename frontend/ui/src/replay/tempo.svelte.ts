/** How long each picture stands while a match is played: as long as it matters, or each as long as the others. */

import { STEP_MS } from './clock';
import { keep, kept } from './hand/keeping';
import type { Duration } from './protocol';
import type { Moment } from './reel';

/** At speed 1. */
const DURATIONS_MS: Readonly<Record<Duration, number>> = { short: 300, normal: STEP_MS, long: 2000 };
/** So many steps behind a live match no picture stands longer than in even steps. */
const HURRY_BEHIND = 10;
const KEY = 'ftk-even-steps';

/** As much of a match as its tempo depends on. */
interface Played {
  readonly moment: Moment | undefined;
  readonly moments: readonly Moment[];
  readonly index: number;
  /** Whether it is live. */
  readonly open: boolean;
  readonly speed: number;
}

export class Tempo {
  /** Whether all pictures stand equally long. */
  even = $state(kept(KEY) === 'yes');

  constructor(private readonly played: Played) {}

  toggle(): void {
    this.even = !this.even;
    keep(KEY, this.even ? 'yes' : 'no');
  }

  /** How long the picture shown stands. */
  get standsMs(): number {
    const { moment, moments, index, open, speed } = this.played;
    const ms = this.even ? STEP_MS : DURATIONS_MS[moment?.duration ?? 'normal'];
    const late = open && moments.length - 1 - index > HURRY_BEHIND;
    return (late ? Math.min(ms, STEP_MS) : ms) / speed;
  }
}
