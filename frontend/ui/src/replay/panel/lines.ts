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

/** A phase, a round or a turn, as the game names it. */
export interface Part extends Pick<Line, 'first' | 'at' | 'mark'> {
  readonly heading: string;
  readonly lines: readonly Line[];
}

/** So many that do the same one after the other are told in one line. */
const MANY = 3;

/** Return a sentence without the players' names. */
function withoutNames(say: string, names: readonly string[]): string {
  return names.reduce((text, name) => (name ? text.replaceAll(name, '…') : text), say);
}

/** Return the lines of a text; `offset` is the index of its first frame in the match. */
export function linesOf(moments: readonly Moment[], names: readonly string[], offset = 0): readonly Line[] {
  const longest = [...names].sort((one, other) => other.length - one.length);
  const lines: Line[] = [];
  for (let first = 0, last = 0; first < moments.length; first = ++last) {
    const { at, kind, say, mark } = moments[first] as Moment;
    const alike = withoutNames(say, longest);
    const joins = (next: Moment | undefined): boolean =>
      next?.kind === kind && next.mark === null && withoutNames(next.say, longest) === alike;
    while (mark === null && alike !== say && joins(moments[last + 1])) last += 1;
    if (last - first + 1 < MANY) last = first;
    lines.push({ first: offset + first, last: offset + last, at, say: last > first ? alike : say, mark });
  }
  return lines;
}

/** Divide the text of a match into parts: a new part begins where the heading changes. */
export function partsOf(moments: readonly Moment[], names: readonly string[]): readonly Part[] {
  const starts: number[] = [];
  let heading = '';
  moments.forEach((moment, index) => {
    if (index > 0 && (!moment.heading || moment.heading === heading)) return;
    heading = moment.heading ?? '';
    starts.push(index);
  });
  return starts.map((first, number) => {
    const part = moments.slice(first, starts[number + 1]);
    const { at = 0, heading = '', mark = null } = part[0] ?? {};
    return { first, at, heading, mark, lines: linesOf(part, names, first) };
  });
}

/** Return the index of the line or part that describes a frame. */
export function lineOf(lines: readonly { readonly first: number }[], index: number): number {
  return Math.max(0, lines.findLastIndex((line) => line.first <= index));
}
