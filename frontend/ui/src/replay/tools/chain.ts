/** Verification of a downloaded log, whose pages are chained by their hashes, as in `ftk verify`. */

import type { PlainKey } from './words';

export interface LogPage {
  readonly number: number;
  readonly first: number;
  readonly last: number;
  /** Hash of everything up to and including this page, in hexadecimal. */
  readonly head: string;
  /** Log entries of the page, as written. */
  readonly lines: readonly string[];
}

export interface Fault {
  readonly page: number;
  readonly why: PlainKey;
}

export interface Checked {
  /** Valid pages, from the first page on. */
  readonly pages: readonly LogPage[];
  /** First invalid page; null if all pages are valid. */
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

/** Yield each line as [its start, the start of the next line, its text]. Text after the last newline is omitted. */
function* linesOf(file: Uint8Array): Generator<readonly [number, number, string]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // otherwise it hides a byte order mark before a seal
  let start = 0;
  for (let end = file.indexOf(NEWLINE); end >= 0; end = file.indexOf(NEWLINE, start)) {
    yield [start, end + 1, decoder.decode(file.subarray(start, end))];
    start = end + 1;
  }
}

/** Verify a log file. `head` is the published hash of the match, which reveals missing pages at the end. */
export async function verifyLog(file: Uint8Array, head = ''): Promise<Checked> {
  const pages: LogPage[] = [];
  let hash: Uint8Array = new Uint8Array(DIGEST_BYTES);
  let from = 0;
  let lines: string[] = [];
  const fault = (why: PlainKey): Checked => ({ pages, fault: { page: pages.length, why } });
  for (const [start, next, text] of linesOf(file)) {
    if (!text.startsWith(MARK)) {
      lines.push(text);
      continue;
    }
    hash = await headAfter(hash, file.subarray(from, start));
    const first = (pages.at(-1)?.last ?? -1) + 1;
    const seal = { page: pages.length, first, last: first + lines.length - 1, head: hexOf(hash) };
    // a seal must have exactly this form, so that a change of any byte is detected
    if (lines.length === 0 || JSON.stringify(seal) !== text) return fault('fault.hash');
    pages.push({ number: seal.page, first, last: seal.last, head: seal.head, lines });
    from = next;
    lines = [];
  }
  if (from < file.length) return fault('fault.cut');
  if (pages.length === 0 || (head !== '' && pages.at(-1)?.head !== head)) return fault('fault.missing');
  return { pages, fault: null };
}

/** Entry of the log, with its page. */
export interface LogEntry {
  readonly page: LogPage;
  readonly line: string;
}

/** Return the entry of a frame; undefined if there is none. Choices have no frame, so they are not counted. */
export function entryOf(pages: readonly LogPage[], frame: number): LogEntry | undefined {
  let left = frame;
  for (const page of pages)
    for (const line of page.lines) if (!line.startsWith(CHOICE) && left-- === 0) return { page, line };
  return undefined;
}
