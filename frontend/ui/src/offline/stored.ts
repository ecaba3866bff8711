/** The replays stored on this device, as a page reads them and asks for another one to be stored. */

import type { Frames } from '../replay/protocol';
import type { StoreMessage } from './messages';

const keyFor = (match: string, language: string): string => `/matches/${match}/frames/?lang=${language}`;

/** Return the stored frames of a match; undefined where it was not seen, or nothing can be stored. */
export async function readStored(match: string, language: string): Promise<Frames | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const stored = await caches.match(keyFor(match, language));
  return stored && ((await stored.json()) as Frames);
}

/** Have the service worker store a replay; a browser without service workers, or one that forbids them, stores none. */
export async function storeReplay(match: string, language: string, frames: Frames): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const files = performance.getEntriesByType('resource').map((entry) => entry.name);
  const message: StoreMessage = { match, language: document.documentElement.lang, files, frames, key: keyFor(match, language) };
  try {
    await navigator.serviceWorker.register('/service-worker.js', { scope: '/matches/' });
    (await navigator.serviceWorker.ready).active?.postMessage(message);
  } catch (error) {
    console.info('This replay is not stored for later:', error);
  }
}
