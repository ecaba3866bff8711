/** Match embedded in a page, and the answers that replace those of a server. */

import type { Eyes, Frames, Watch } from './replay/protocol';

/** Prefix of the addresses of translations from language plug-ins. */
export const WORDS_PATH = '/words/';

/** Data that `ftk review --html` writes into the page. */
export interface EmbeddedMatch {
  readonly game: string;
  readonly names: readonly string[];
  /** Hash of the log's last page, which covers the whole log. */
  readonly head: string;
  /** All frames, by eyes and language. */
  readonly frames: Readonly<Record<Eyes, Readonly<Record<string, Frames>>>>;
  /** Explanations of the pieces, by language. */
  readonly about: Readonly<Record<string, unknown>>;
  /** State of the review, as from the API. It is the complete review, whichever eyes the viewer has. */
  readonly review: unknown;
  /** Languages of plug-ins, with their translations of the viewer's texts. */
  readonly languages?: readonly Readonly<Record<'tag' | 'name' | 'short' | 'locales', string> & { words: unknown }>[];
}

/** Return the message with which a server would reply to a `watch` message. */
export function framesFor(
  match: Pick<EmbeddedMatch, 'frames'>,
  { eyes, after, language }: Pick<Watch, 'eyes' | 'after' | 'language'>,
): object {
  const complete = match.frames[eyes]?.[language];
  if (!complete) return { type: 'refused', code: 'unknown_eyes', detail: eyes };
  // one message contains all frames, so a viewer that knows some of them knows all
  return after < 0 ? complete : { ...complete, frames: [] };
}

/** Return the JSON that a server would send for an address; undefined if the page does not contain it. */
export function answerFor(match: EmbeddedMatch, address: string): unknown {
  const { pathname, searchParams } = new URL(address, 'http://page');
  if (pathname.endsWith('/review/')) return match.review;
  if (pathname.startsWith(WORDS_PATH)) return match.languages?.find(({ tag }) => WORDS_PATH + tag === pathname)?.words;
  if (pathname.endsWith('/about/')) return match.about[searchParams.get('lang') ?? ''];
  return undefined;
}
