/** Messages from a replay page to its service worker. */

import type { Frames } from '../replay/protocol';

/** Request to store a watched replay, with the files that its page has loaded. */
export interface StoreMessage {
  readonly match: string;
  /** Language of the page. */
  readonly language: string;
  readonly files: readonly string[];
  /** Frames of the match, and their key in the cache. */
  readonly frames: Frames;
  readonly key: string;
}
