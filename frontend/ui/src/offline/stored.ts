/** Access of a page to the replays that are stored on this device. */

import type { Frames } from '../replay/protocol';
import type { StoreMessage } from './messages';

const keyFor = (match: string, language: string): string => `/matches/${match}/frames/?lang=${language}`;

/** Return the stored frames of a match; undefined if it is not stored, or if the browser has no cache. */
export async function readStored(match: string, language: string): Promise<Frames | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const stored = await caches.match(keyFor(match, language));
  return stored && ((await stored.json()) as Frames);
}

/** Ask the service worker to store a replay. Do nothing in a browser that lacks or forbids service workers. */
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
