/** What a page by itself holds of a match, and what it answers for a server. */

import type { Eyes, Frames, Watch } from './replay/protocol';

/** Start of the addresses from which the viewer asks for the words of a plug-in's language. */
export const WORDS = '/words/';

/** What the page holds, as `ftk review --html` wrote it. */
export interface Kept {
  readonly game: string;
  readonly names: readonly string[];
  /** The seal of the match. */
  readonly head: string;
  /** All frames, by eyes and language. */
  readonly frames: Readonly<Record<Eyes, Readonly<Record<string, Frames>>>>;
  /** What the pieces are, by language. */
  readonly about: Readonly<Record<string, unknown>>;
  /** What is told of the review: of everything, whichever eyes one looks through. */
  readonly review: unknown;
  /** Languages of plug-ins, with the words of the viewer. */
  readonly languages?: readonly Readonly<Record<'tag' | 'name' | 'short' | 'locales', string> & { words: unknown }>[];
}

/** Return what a server would answer to a viewer that watches. */
export function framesFor(kept: Pick<Kept, 'frames'>, { eyes, after, language }: Pick<Watch, 'eyes' | 'after' | 'language'>): object {
  const whole = kept.frames[eyes]?.[language];
  if (!whole) return { type: 'refused', code: 'unknown_eyes', detail: eyes };
  // whoever has some frames has them all
  return after < 0 ? whole : { ...whole, frames: [] };
}

/** Return what a server would answer to a request; undefined where the page holds nothing of it. */
export function answerFor(kept: Kept, address: string): unknown {
  const { pathname, searchParams } = new URL(address, 'http://page');
  if (pathname.endsWith('/review/')) return kept.review;
  if (pathname.startsWith(WORDS)) return kept.languages?.find(({ tag }) => WORDS + tag === pathname)?.words;
  if (pathname.endsWith('/about/')) return kept.about[searchParams.get('lang') ?? ''];
  return undefined;
}
