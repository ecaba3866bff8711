/** The story as lines: who does the same as many others just did shares one line with them. */

import type { Moment } from '../reel';
import type { Mark } from '../protocol';

export interface Line {
  /** The pictures it tells of, by their places in the list. */
  readonly first: number;
  readonly last: number;
  readonly at: number;
  /** The sentence; of many that differ in the name alone, with … for it. */
  readonly say: string;
  readonly mark: Mark | null;
}

/** So many that do the same one after the other are told in one line. */
const MANY = 3;

/** Return a sentence without the players' names. */
function withoutNames(say: string, names: readonly string[]): string {
  return names.reduce((text, name) => (name ? text.replaceAll(name, '…') : text), say);
}

/** Return the lines of a story. */
export function linesOf(moments: readonly Moment[], names: readonly string[]): readonly Line[] {
  const longest = [...names].sort((one, other) => other.length - one.length);
  const lines: Line[] = [];
  for (let first = 0, last = 0; first < moments.length; first = ++last) {
    const { at, kind, say, mark } = moments[first] as Moment;
    const alike = withoutNames(say, longest);
    const joins = (next: Moment | undefined): boolean =>
      next?.kind === kind && next.mark === null && withoutNames(next.say, longest) === alike;
    while (mark === null && alike !== say && joins(moments[last + 1])) last += 1;
    if (last - first + 1 < MANY) last = first;
    lines.push({ first, last, at, say: last > first ? alike : say, mark });
  }
  return lines;
}

/** Return the number of the line that tells of a picture. */
export function lineOf(lines: readonly Line[], index: number): number {
  return Math.max(0, lines.findLastIndex((line) => line.first <= index));
}
