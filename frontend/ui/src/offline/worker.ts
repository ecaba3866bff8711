/**
 * The service worker of replay pages: it stores the replays that were seen, and answers from them without a network.
 *
 * It asks the network first, and stores only what it has fetched itself without cookies: what everybody may see.
 */

import type { StoreMessage } from './messages';
import { isStorable, keyOf, listOldReplays, MAX_FILES } from './storable';

/** As much of the worker's events as is used; the types of workers and of pages exclude each other. */
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

/** Fetch what a visitor without an account gets, and store it unless it is private. */
async function storeAnswer(cache: Cache, address: string, language: string): Promise<boolean> {
  const key = keyOf(address, origin);
  if (key === null) return false;
  const answer = await fetch(key, { credentials: 'omit', headers: { 'Accept-Language': language } });
  if (!isStorable(answer)) return false;
  await cache.put(key, answer);
  return true;
}

/** Store a replay with its page and files, and remove the oldest. */
async function store({ match, language, files, frames, key }: StoreMessage): Promise<void> {
  const [replays, kept] = await Promise.all([caches.open(REPLAYS), caches.open(FILES)]);
  if (!(await storeAnswer(replays, `/matches/${match}/`, language))) return;
  await replays.put(key, Response.json(frames));
  await Promise.all(files.map((file) => storeAnswer(kept, file, language)));
  const keys = (await replays.keys()).map((request) => request.url.slice(origin.length));
  await Promise.all(listOldReplays(keys).map((old) => replays.delete(old)));
  const spare = (await kept.keys()).slice(0, -MAX_FILES);
  await Promise.all(spare.map((request) => kept.delete(request)));
}

/** Answer from the network; without one, with what is stored. */
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
