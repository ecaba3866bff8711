/** Reactive state of a replay: the moments of a reel, the position among them, and values derived from both. */

import type { Moment } from './reel';
import { ALL, PUBLIC, type Eyes } from './protocol';
import type { SpoilerGuard } from './spoiler-guard.svelte';

/** Maximum number of moments in an animated step; larger steps are cuts. */
const MAX_ANIMATED_STEP = 8;

export abstract class ReplayState {
  abstract readonly spoilerGuard: SpoilerGuard;
  /** Requested eyes, and the eyes of the shown moments. */
  wanted = $state<Eyes>(PUBLIC);
  eyes = $state<Eyes>(PUBLIC);
  moments = $state.raw<readonly Moment[]>([]);
  length = $state(0);
  open = $state(true);
  /** Newest moment, while earlier ones have not arrived. */
  protected ahead = $state.raw<Moment | null>(null);
  index = $state(0);
  /** Number of moments of the last step; negative for a step back. */
  stride = $state(0);
  /** True if each new moment of a live match is shown as it arrives. */
  following = $state(false);

  // derived, so that effects that read it do not run again for each later frame that arrives
  moment: Moment | undefined = $derived((this.following && this.ahead) || this.moments[this.index]);

  /** Moments that may be shown: all, or in spoiler-free watching only those already watched. */
  get visibleMoments(): readonly Moment[] {
    return this.spoilerGuard.active ? this.moments.slice(0, this.spoilerGuard.furthest + 1) : this.moments;
  }

  /** True if the shown moment is the last one of a finished match. */
  get finished(): boolean {
    return !this.open && this.moment !== undefined && this.moment.at >= this.length - 1;
  }

  get atEnd(): boolean {
    return this.index >= this.moments.length - 1;
  }

  /** True while the frames that have just arrived are shown one by one. */
  get catchingUp(): boolean {
    return this.following && !this.atEnd;
  }

  /** True before the first moment has arrived, and if the next one of a finished match has not. */
  get awaitsFrames(): boolean {
    return !this.moment || (this.atEnd && !this.open && !this.finished);
  }

  /** True if the last step is small enough to be animated. */
  smooth: boolean = $derived(
    this.moment === this.moments[this.index] && this.stride !== 0 && Math.abs(this.stride) <= MAX_ANIMATED_STEP,
  );

  /** Seat of the eyes; null for `public` and `all`. */
  get seat(): number | null {
    return this.eyes === PUBLIC || this.eyes === ALL ? null : Number(this.eyes);
  }
}
