/** Storage of one match's replay on this device; its code is loaded on first use. */

import type { ReplayStorage } from './socket';

/** Return the storage of a match's complete replay. It reads and writes the viewer's current language. */
export function storageOf(match: string, language: () => string): ReplayStorage {
  return {
    hasServerFrames: false,
    read: async () => (await import('./stored')).readStored(match, language()),
    store: (frames) => void import('./stored').then(({ storeReplay }) => storeReplay(match, language(), frames)),
  };
}
