/** What a viewer is opened with. */

import type { Later } from './clock';
import type { Socket } from './connection';
import type { Spot } from './link';

export interface Setting {
  readonly names: readonly string[];
  readonly spot: Spot;
  readonly dial: () => Socket;
  readonly later: Later;
  /** A number from 0 to 1, another one each time. */
  readonly luck?: () => number;
  /** In which language the match is told. */
  readonly language?: string;
  /** True while frames that arrive together are to be shown one by one: somebody plays and watches. */
  readonly paced?: () => boolean;
}
