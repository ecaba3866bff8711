/** The newest picture of a live match, where those before it are still on their way. */

import type { Eyes, Frames } from './protocol';
import { develop, type Moment } from './reel';

export class Ahead {
  private picture = $state.raw<Moment | null>(null);
  private eyes: Eyes = '';

  /** Keep what a message shows ahead, if it does. */
  glimpse({ eyes, glimpse }: Frames): void {
    if (!glimpse) return;
    this.eyes = eyes;
    this.picture = develop(undefined, glimpse, true);
  }

  forget(): void {
    this.picture = null;
  }

  /** The picture through these eyes, if it lies behind all of these. */
  of(eyes: Eyes, moments: readonly Moment[]): Moment | null {
    const last = moments.at(-1)?.at ?? -1;
    return this.picture && this.eyes === eyes && this.picture.at > last ? this.picture : null;
  }
}
