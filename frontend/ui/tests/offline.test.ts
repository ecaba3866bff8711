import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoringSocket, type ReplayStorage } from '../src/offline/socket';
import { storageOf } from '../src/offline/storage';
import { isStorable, keyOf, listOldReplays } from '../src/offline/storable';
import type { Frames } from '../src/replay/protocol';
import { FarEnd } from './far-end';

const HERE = 'https://arena.example';
const answer = (headers: Record<string, string>, status = 200, redirected = false): Pick<Response, 'status' | 'redirected' | 'headers'> => ({
  status,
  redirected,
  headers: new Headers(headers),
});

describe('the service worker stores', () => {
  it.each([
    ['/matches/abc123/', '/matches/abc123/'],
    ['/matches/abc123/?at=7&eyes=all', '/matches/abc123/'],
    ['/matches/abc123/?lang=zh-Hant', '/matches/abc123/'],
    ['/static/ui/assets/site-x.js', '/static/ui/assets/site-x.js'],
    ['/games/pig/about/?lang=en', '/games/pig/about/?lang=en'],
  ])('%s as %s', (address, key) => expect(keyOf(address, HERE)).toBe(key));

  it.each([
    '/', '/account/', '/matches/abc123/?x=en', '/matches/abc123/review/', '/matches/abc123/seat/0/', '/api/v1/matches/abc123/',
    '/leagues/night/desk/', 'https://elsewhere.example/static/x.js', '/matches/friendly', '/games/pig/',
  ])('nothing of %s', (address) => expect(keyOf(address, HERE)).toBeNull());

  it('a public response', () => {
    expect(isStorable(answer({}))).toBe(true);
    expect(isStorable(answer({ 'Cache-Control': 'no-cache', Vary: 'Cookie, Accept-Language' }))).toBe(true);
    expect(isStorable(answer({ 'Cache-Control': 'public, max-age=31536000, immutable' }))).toBe(true);
  });

  it.each([
    [{ 'Cache-Control': 'private' }], [{ 'Cache-Control': 'max-age=0, Private' }], [{ 'Cache-Control': 'no-store' }],
    [{ 'Cache-Control': 'private="set-cookie"' }], [{ 'Set-Cookie': 'a=b' }], [{ Vary: '*' }],
  ])('no answer with %j', (headers) => expect(isStorable(answer(headers as Record<string, string>))).toBe(false));

  it.each([301, 403, 404, 500, 503])('no answer with status %i', (status) => expect(isStorable(answer({}, status))).toBe(false));

  it('no redirected response', () => expect(isStorable(answer({}, 200, true))).toBe(false));

  it('the replays that were watched last, each with its frames', () => {
    const keys = ['a', 'b', 'a', 'c'].flatMap((match) => [`/matches/${match}/`, `/matches/${match}/frames/?lang=en`]);
    expect(listOldReplays(keys, 2)).toEqual(['/matches/b/', '/matches/b/frames/?lang=en']);
    expect(listOldReplays(keys, 3)).toEqual([]);
  });
});

/** Create a StoringSocket on a fake connection, with lists of its stored frames, messages and close codes. */
function set(stored?: Frames | Error, received = false): { far: FarEnd; socket: StoringSocket; storage: ReplayStorage; kept: Frames[]; told: unknown[]; codes: number[] } {
  const far = new FarEnd();
  const kept: Frames[] = [];
  const store = (frames: Frames): unknown => kept.push(frames);
  const storage = { hasServerFrames: received, read: () => (stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored)), store };
  const socket = new StoringSocket(far, storage);
  const [told, codes]: [unknown[], number[]] = [[], []];
  socket.onmessage = ({ data }) => told.push(JSON.parse(String(data)));
  socket.onclose = ({ code }) => codes.push(code);
  return { far, socket, storage, kept, told, codes };
}

const STORED: Frames = { type: 'frames', eyes: 'public', frames: [{ at: 0, kind: 'k', say: 'x' }], length: 1, open: false };
const watch = (eyes: string, after = -1): string => JSON.stringify({ type: 'watch', eyes, after, until: null, language: 'en' });

describe('a replay', () => {
  it('is stored once all of its public frames have arrived', () => {
    const { far, storage, kept, told } = set();
    far.onopen?.();
    expect(storage.hasServerFrames).toBe(false);
    far.frames('public', [0, 1], false, 3);
    expect(kept).toEqual([]);
    far.frames('public', [2], false, 3);
    expect(kept.map(({ frames }) => frames.map(({ at }) => at))).toEqual([[0, 1, 2]]);
    expect(told).toHaveLength(2);
    expect(storage.hasServerFrames).toBe(true);
  });

  it('is not stored while the match is live, nor from the view of a seat', () => {
    const { far, kept } = set();
    far.frames('public', [0, 1], true, 2);
    far.frames('1', [0, 1], false, 2);
    expect(kept).toEqual([]);
  });

  it('opens from the device if the server cannot be reached', async () => {
    const { far, socket, told, codes } = set(STORED);
    const opened = new Promise<void>((resolve) => (socket.onopen = resolve));
    far.onclose?.({ code: 1006 });
    await opened;
    socket.send(watch('public'));
    socket.send(watch('2'));
    await Promise.resolve();
    expect(told).toEqual([STORED, { type: 'refused', code: 'unknown_eyes', detail: '2' }]);
    expect([far.asked, codes]).toEqual([[], []]);
  });

  it.each([
    ['that is not stored', undefined, false],
    ['whose stored frames cannot be read', new Error('storage is blocked'), false],
    ['of which the page has frames from the server', STORED, true],
  ])('%s reports that the server cannot be reached', async (_, stored, received) => {
    const { far, socket } = set(stored, received);
    const code = new Promise((resolve) => (socket.onclose = (event) => resolve(event.code)));
    far.onclose?.({ code: 1006 });
    expect(await code).toBe(1006);
  });
});

describe('a replay whose viewer changes its language', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('is stored and read in the language that the viewer speaks by then', async () => {
    const keys: unknown[] = [];
    const active = { postMessage: ({ key }: { key: string }): unknown => keys.push(key) };
    const serviceWorker = { register: () => Promise.resolve(), ready: Promise.resolve({ active }) };
    vi.stubGlobal('caches', { match: (key: string) => Promise.resolve(void keys.push(key)) });
    vi.stubGlobal('navigator', { serviceWorker });
    vi.stubGlobal('document', { documentElement: { lang: 'en' } });
    let language = 'en';
    const storage = storageOf('abc', () => language);
    language = 'zh-Hant';
    await storage.read();
    storage.store(STORED);
    await vi.waitFor(() => expect(keys).toHaveLength(2));
    expect(keys).toEqual(Array(2).fill('/matches/abc/frames/?lang=zh-Hant'));
  });
});
