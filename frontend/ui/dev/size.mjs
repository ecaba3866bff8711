/** Print the sizes of the built files; fail if the viewer is too large: `npm run build && npm run size`. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 48_000; // with the scripts and styles of every page (32 kB) a match stays below 90 kB
/** Limit of the review's own files, which are loaded only for finished matches. */
const REVIEW_LIMIT = 8_000;
const BUILT = new URL('../../static/ui/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', BUILT), 'utf8'));

/** Return the scripts and styles that an entry needs for the first moment, without fonts and lazily loaded parts. */
function filesOf(name, seen = new Set()) {
  const { file, css = [], imports = [] } = manifest[name];
  [file, ...css].forEach((path) => seen.add(path));
  imports.forEach((part) => filesOf(part, seen));
  return [...seen].filter((path) => /\.(js|css)$/.test(path));
}

const weigh = (path) => gzipSync(readFileSync(new URL(path, BUILT)), { level: 9 }).length;
const totals = {};
for (const [name, part] of Object.entries(manifest)) {
  if (!part.isEntry && !part.isDynamicEntry) continue;
  const files = filesOf(name).map((path) => [path, weigh(path)]);
  totals[name] = files.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`${name}: ${totals[name]} bytes gzip`);
  for (const [path, bytes] of files) console.log(`  ${String(bytes).padStart(7)}  ${path}`);
}
// a game's skin is loaded before the first moment of that game is shown
const heavy = Object.keys(totals).filter((name) => /^src.(replay|games.\w+.skin)\.ts$/.test(name) && totals[name] > LIMIT);
heavy.forEach((name) => console.error(`the island with ${name} weighs ${totals[name]} bytes, more than ${LIMIT}`));
const part = manifest['src/replay/review/Review.svelte'];
const own = [part.file, ...(part.css ?? [])].reduce((sum, path) => sum + weigh(path), 0);
console.log(`the review by itself: ${own} bytes gzip`);
if (own > REVIEW_LIMIT) heavy.push('the review');
if (own > REVIEW_LIMIT) console.error(`the review weighs ${own} bytes, more than ${REVIEW_LIMIT}`);
process.exit(heavy.length > 0 ? 1 : 0);
