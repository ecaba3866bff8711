/** A downloaded log, checked by whoever downloads it: pages chained by their hashes, as `ftk verify` does. */

import type { Plain } from './words';

export interface LogPage {
  readonly number: number;
  readonly first: number;
  readonly last: number;
  /** The hash of everything up to and including this page, in hexadecimal. */
  readonly head: string;
  /** Its entries as they were written. */
  readonly lines: readonly string[];
}

export interface Fault {
  readonly page: number;
  readonly why: Plain;
}

export interface Checked {
  /** The pages that follow from those before. */
  readonly pages: readonly LogPage[];
  /** The first that does not; null when all do. */
  readonly fault: Fault | null;
}

const MARK = '{"page":';
const CHOICE = '{"kind":"chose"';
const NEWLINE = 10;
const DIGEST_BYTES = 32;

export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function headAfter(head: Uint8Array, body: Uint8Array): Promise<Uint8Array> {
  const both = new Uint8Array(head.length + body.length);
  both.set(head);
  both.set(body, head.length);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', both));
}

/** Yield each line as [where it starts, where the next one does, its text]; what has no newline is left out. */
function* linesOf(file: Uint8Array): Generator<readonly [number, number, string]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // or a byte order mark before a seal would pass unseen
  let start = 0;
  for (let end = file.indexOf(NEWLINE); end >= 0; end = file.indexOf(NEWLINE, start)) {
    yield [start, end + 1, decoder.decode(file.subarray(start, end))];
    start = end + 1;
  }
}

/** Check a whole file; `head` is the hash that the match is known by, to notice pages that are missing at the end. */
export async function check(file: Uint8Array, head = ''): Promise<Checked> {
  const pages: LogPage[] = [];
  let hash: Uint8Array = new Uint8Array(DIGEST_BYTES);
  let from = 0;
  let lines: string[] = [];
  const fault = (why: Plain): Checked => ({ pages, fault: { page: pages.length, why } });
  for (const [start, next, text] of linesOf(file)) {
    if (!text.startsWith(MARK)) {
      lines.push(text);
      continue;
    }
    hash = await headAfter(hash, file.subarray(from, start));
    const first = (pages.at(-1)?.last ?? -1) + 1;
    const seal = { page: pages.length, first, last: first + lines.length - 1, head: hexOf(hash) };
    // the seal must be written in one way only, so that no byte of the file could change unnoticed
    if (lines.length === 0 || JSON.stringify(seal) !== text) return fault('fault.hash');
    pages.push({ number: seal.page, first, last: seal.last, head: seal.head, lines });
    from = next;
    lines = [];
  }
  if (from < file.length) return fault('fault.cut');
  if (pages.length === 0 || (head !== '' && pages.at(-1)?.head !== head)) return fault('fault.missing');
  return { pages, fault: null };
}

/** An entry where it stands in the log. */
export interface Found {
  readonly page: LogPage;
  readonly line: string;
}

/** Return the entry of a frame, if any: choices have none, so they are not counted. */
export function entryOf(pages: readonly LogPage[], frame: number): Found | undefined {
  let left = frame;
  for (const page of pages)
    for (const line of page.lines) if (!line.startsWith(CHOICE) && left-- === 0) return { page, line };
  return undefined;
}
