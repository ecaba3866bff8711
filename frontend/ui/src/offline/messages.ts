/** What a replay page and the service worker tell each other. */

import type { Frames } from '../replay/protocol';

/** A replay that was watched to be stored, with the files that its page has loaded. */
export interface StoreMessage {
  readonly match: string;
  /** The language of the page. */
  readonly language: string;
  readonly files: readonly string[];
  /** The frames, and the key under which the page finds them again. */
  readonly frames: Frames;
  readonly key: string;
}
