/**
 * Service worker of replay pages. It stores watched replays and serves them when the network is unavailable.
 *
 * It tries the network first. It fetches pages and files again without cookies, to store their public versions. The
 * frames come from the page, which sends only frames that everybody may see.
 */

import type { StoreMessage } from './messages';
import { isStorable, keyOf, listOldReplays, MAX_FILES } from './storable';

/** Used fields of worker events. TypeScript cannot load the types of workers and of pages together. */
interface WorkerEvent extends Event {
  readonly request: Request;
  readonly data: StoreMessage;
  waitUntil(done: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: string, listener: (event: WorkerEvent) => void): void;
}

const REPLAYS = 'court-replays-1';
const FILES = 'court-files-1';
const worker = globalThis as unknown as WorkerScope;
const { origin } = location;

/** Fetch an address without cookies and store the response if `isStorable`; return true if it was stored. */
async function storeAnswer(cache: Cache, address: string, language: string): Promise<boolean> {
  const key = keyOf(address, origin);
  if (key === null) return false;
  const answer = await fetch(key, { credentials: 'omit', headers: { 'Accept-Language': language } });
  if (!isStorable(answer)) return false;
  await cache.put(key, answer);
  return true;
}

/** Store a replay with its page and files, and remove the oldest replays and files beyond the limits. */
async function store({ match, language, files, frames, key }: StoreMessage): Promise<void> {
  const [replays, fileCache] = await Promise.all([caches.open(REPLAYS), caches.open(FILES)]);
  if (!(await storeAnswer(replays, `/matches/${match}/`, language))) return;
  await replays.put(key, Response.json(frames));
  await Promise.all(files.map((file) => storeAnswer(fileCache, file, language)));
  const keys = (await replays.keys()).map((request) => request.url.slice(origin.length));
  await Promise.all(listOldReplays(keys).map((old) => replays.delete(old)));
  const spare = (await fileCache.keys()).slice(0, -MAX_FILES);
  await Promise.all(spare.map((request) => fileCache.delete(request)));
}

/** Return the response of the network; if the network fails, the stored response. Throw if nothing is stored. */
async function answer(request: Request, key: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await caches.match(key, { ignoreVary: true });
    if (stored) return stored;
    throw error;
  }
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('message', (event) => event.waitUntil(store(event.data)));
worker.addEventListener('fetch', (event) => {
  const key = event.request.method === 'GET' ? keyOf(event.request.url, origin) : null;
  if (key !== null) event.respondWith(answer(event.request, key));
});
