/** Lines of the story. Equal actions of several seats in a row share one line. */

import type { Moment } from '../reel';
import type { Mark } from '../protocol';

export interface Line {
  /** Indices of the first and last moment that the line describes. */
  readonly first: number;
  readonly last: number;
  readonly at: number;
  /** Sentence, with … for a name in which the sentences of several seats differ. */
  readonly say: string;
  readonly mark: Mark | null;
}

/** Phase, round or turn, with the heading that the game gives it. */
export interface Part extends Pick<Line, 'first' | 'at' | 'mark'> {
  readonly heading: string;
  readonly lines: readonly Line[];
}

/** Minimum number of equal actions that share a line. */
const MIN_SHARED = 3;

/** Characters that make a name beside them part of a longer word. Chinese has no spaces, so it is not included. */
const IN_WORDS = String.raw`\p{Script=Latin}\p{N}_-`;

/** Return a pattern that matches the players' names as whole words. */
function patternOf(names: readonly string[]): RegExp {
  const longest = names.filter(Boolean).sort((one, other) => other.length - one.length);
  const either = longest.map((name) => name.replace(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  return longest.length > 0 ? new RegExp(`(?<![${IN_WORDS}]|\\p{L}['’])(?:${either})(?![${IN_WORDS}])`, 'gu') : /(?!)/g;
}

/** Merge sentences that differ only in names: keep a name that is the same in all, and replace others by …. */
function commonSentence(says: readonly string[], names: RegExp): string {
  const named = says.map((say) => say.match(names) ?? []);
  let place = -1;
  return (says[0] ?? '').replace(names, (name) => {
    place += 1;
    return named.every((others) => others[place] === name) ? name : '…';
  });
}

/** Return the lines of some moments; `offset` is the index of the first of them in the match. */
export function linesOf(moments: readonly Moment[], names: readonly string[], offset = 0): readonly Line[] {
  const pattern = patternOf(names);
  const lines: Line[] = [];
  for (let first = 0, last = 0; first < moments.length; first = ++last) {
    const { at, kind, say, mark } = moments[first] as Moment;
    const alike = say.replace(pattern, '…');
    const joins = (next: Moment | undefined): boolean =>
      next?.kind === kind && next.mark === null && next.say.replace(pattern, '…') === alike;
    while (mark === null && alike !== say && joins(moments[last + 1])) last += 1;
    if (last - first + 1 < MIN_SHARED) last = first;
    const says = moments.slice(first, last + 1).map((moment) => moment.say);
    lines.push({ first: offset + first, last: offset + last, at, say: commonSentence(says, pattern), mark });
  }
  return lines;
}

/** Divide the moments of a match into parts. A new part begins where the heading changes. */
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

/** Return the position of the line or part that contains the moment at an index. */
export function lineOf(lines: readonly { readonly first: number }[], index: number): number {
  return Math.max(0, lines.findLastIndex((line) => line.first <= index));
}
