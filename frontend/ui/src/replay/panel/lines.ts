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

/** Characters beside which a name is a part of another word. Chinese has no spaces, so its characters are none of them. */
const IN_WORDS = String.raw`\p{Script=Latin}\p{N}_-`;

/** Return a pattern of the players' names, where they are not parts of other words. */
function patternOf(names: readonly string[]): RegExp {
  const longest = names.filter(Boolean).sort((one, other) => other.length - one.length);
  const either = longest.map((name) => name.replace(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  return longest.length > 0 ? new RegExp(`(?<![${IN_WORDS}]|\\p{L}['’])(?:${either})(?![${IN_WORDS}])`, 'gu') : /(?!)/g;
}

/** Return what alike sentences have in common: a name where all have the same, otherwise … for it. */
function commonSentence(says: readonly string[], names: RegExp): string {
  const named = says.map((say) => say.match(names) ?? []);
  let place = -1;
  return (says[0] ?? '').replace(names, (name) => {
    place += 1;
    return named.every((others) => others[place] === name) ? name : '…';
  });
}

/** Return the lines of a text; `offset` is the index of its first frame in the match. */
export function linesOf(moments: readonly Moment[], names: readonly string[], offset = 0): readonly Line[] {
  const pattern = patternOf(names);
  const lines: Line[] = [];
  for (let first = 0, last = 0; first < moments.length; first = ++last) {
    const { at, kind, say, mark } = moments[first] as Moment;
    const alike = say.replace(pattern, '…');
    const joins = (next: Moment | undefined): boolean =>
      next?.kind === kind && next.mark === null && next.say.replace(pattern, '…') === alike;
    while (mark === null && alike !== say && joins(moments[last + 1])) last += 1;
    if (last - first + 1 < MANY) last = first;
    const says = moments.slice(first, last + 1).map((moment) => moment.say);
    lines.push({ first: offset + first, last: offset + last, at, say: commonSentence(says, pattern), mark });
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
