/** Constructor options of `Replay`. */

import type { Later } from './clock';
import type { Socket } from './connection';
import type { Spot } from './link';

export interface ReplayOptions {
  readonly names: readonly string[];
  readonly spot: Spot;
  readonly dial: () => Socket;
  readonly later: Later;
  /** Source of random numbers from 0 to 1. */
  readonly random?: () => number;
  /** Language of the frames. */
  readonly language?: string;
  /** Returns true if frames that arrive together are to be shown one by one, to a person who plays and watches. */
  readonly paced?: () => boolean;
}
