/** Rules of the service worker's cache: storable addresses and responses, limits, and eviction. */

/** Maximum numbers of stored replays, and of stored files that replay pages load. */
export const MAX_REPLAYS = 30;
export const MAX_FILES = 200;

const MATCH_PAGE = /^\/matches\/[\w-]+\/$/;
const STORED_MATCH = /^(\/matches\/[\w-]+\/)/;
const FILE = /^\/(static\/.+|games\/\w+\/about\/)$/;
/** Query parameters with which the viewer opens: step, seat and language. The stored page is the same without them. */
const VIEWER_PARAMETERS = new Set(['at', 'eyes', 'lang']);

/** Return the cache key of a page or file; null for an address that is never stored. */
export function keyOf(address: string, origin: string): string | null {
  const url = new URL(address, origin);
  if (url.origin !== origin) return null;
  if (FILE.test(url.pathname)) return url.pathname + url.search;
  const onlyViewerParameters = [...url.searchParams.keys()].every((name) => VIEWER_PARAMETERS.has(name));
  return MATCH_PAGE.test(url.pathname) && onlyViewerParameters ? url.pathname : null;
}

/** Return true if a response may be stored: status 200, not redirected, not private, without cookies. */
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

/** Return the keys to evict: those of all matches except the newest `most`. The newest keys come last in `keys`. */
export function listOldReplays(keys: readonly string[], most = MAX_REPLAYS): readonly string[] {
  const matchOf = (key: string): string => STORED_MATCH.exec(key)?.[1] ?? '';
  const newest = [...new Set(keys.map(matchOf).reverse())].slice(0, most);
  return keys.filter((key) => !newest.includes(matchOf(key)));
}
