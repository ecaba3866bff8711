/** What the viewer shows: the pictures of a reel, the place among them, and what follows from both. */

import type { Moment } from './reel';
import { ALL, PUBLIC, type Eyes } from './protocol';
import type { Veil } from './veil.svelte';

/** Steps as large as this are drawn as a cut, smaller ones as a movement. */
const CUT = 8;

export abstract class ShownPictures {
  abstract readonly veil: Veil;
  /** The eyes that are asked for, and the ones that the picture is drawn for. */
  wanted = $state<Eyes>(PUBLIC);
  eyes = $state<Eyes>(PUBLIC);
  moments = $state.raw<readonly Moment[]>([]);
  length = $state(0);
  open = $state(true);
  /** The newest picture, where those before it are still to come. */
  protected ahead = $state.raw<Moment | null>(null);
  index = $state(0);
  /** How far the last move went, in pictures. */
  stride = $state(0);
  /** Whether the newest picture is followed. */
  following = $state(false);

  // derived, so that what depends on the picture does not run again with each entry that arrives behind it
  moment: Moment | undefined = $derived((this.following && this.ahead) || this.moments[this.index]);

  /** The pictures that may be told of: all, or those watched. */
  get shown(): readonly Moment[] {
    return this.veil.drawn ? this.moments.slice(0, this.veil.furthest + 1) : this.moments;
  }

  /** Whether this is the last picture that there will ever be. */
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

  /** Whether no picture is there behind this one, though there are more. */
  get coming(): boolean {
    return !this.moment || (this.atEnd && !this.open && !this.finished);
  }

  /** Whether the step to the picture shown is small enough to be drawn as a movement. */
  smooth: boolean = $derived(
    this.moment === this.moments[this.index] && this.stride !== 0 && Math.abs(this.stride) <= CUT,
  );

  /** The seat that is looked through, or null. */
  get seat(): number | null {
    return this.eyes === PUBLIC || this.eyes === ALL ? null : Number(this.eyes);
  }
}
