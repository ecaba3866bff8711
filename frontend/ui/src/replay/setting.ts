/** What a viewer is opened with. */

import type { Later } from './clock';
import type { Socket } from './connection';
import type { Spot } from './link';

export interface Setting {
  readonly names: readonly string[];
  readonly spot: Spot;
  readonly dial: () => Socket;
  readonly later: Later;
  /** In which language the match is told. */
  readonly language?: string;
}
