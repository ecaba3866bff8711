/** Which addresses and answers the service worker may store, and which stored ones make room for others. */

/** How many replays are stored, and how many files that they need. */
export const MAX_REPLAYS = 30;
export const MAX_FILES = 200;

const MATCH_PAGE = /^\/matches\/[\w-]+\/$/;
const STORED_MATCH = /^(\/matches\/[\w-]+\/)/;
const FILE = /^\/(static\/.+|games\/\w+\/about\/)$/;
/** Parameters that only say where the viewer opens. */
const MOMENT = new Set(['at', 'eyes']);

/** Return the key of a stored page or file; null for an address that is never stored. */
export function keyOf(address: string, origin: string): string | null {
  const url = new URL(address, origin);
  if (url.origin !== origin) return null;
  if (FILE.test(url.pathname)) return url.pathname + url.search;
  const onlyMoment = [...url.searchParams.keys()].every((name) => MOMENT.has(name));
  return MATCH_PAGE.test(url.pathname) && onlyMoment ? url.pathname : null;
}

/** Whether an answer is public and whole, so that it may be stored. */
export function isStorable(answer: Pick<Response, 'status' | 'redirected' | 'headers'>): boolean {
  const control = (answer.headers.get('cache-control') ?? '').toLowerCase().split(/[\s,=]+/);
  const vary = answer.headers.get('vary') ?? '';
  return (
    answer.status === 200 &&
    !answer.redirected &&
    !control.includes('private') &&
    !control.includes('no-store') &&
    !answer.headers.has('set-cookie') &&
    !vary.includes('*')
  );
}

/** Return the keys that belong to other matches than the last `most` of a list, whose newest keys come last. */
export function listOldReplays(keys: readonly string[], most = MAX_REPLAYS): readonly string[] {
  const matchOf = (key: string): string => STORED_MATCH.exec(key)?.[1] ?? '';
  const newest = [...new Set(keys.map(matchOf).reverse())].slice(0, most);
  return keys.filter((key) => !newest.includes(matchOf(key)));
}
