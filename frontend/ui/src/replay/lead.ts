/** Who leads, in sentences: with the players' names, and what the last step changed. */

import type { Contest } from './protocol';
import type { Moment } from './reel';
import { fill } from './words';

export interface News {
  readonly key: string;
  /** The contest; empty for the first one, which is about the whole match. */
  readonly title: string;
  readonly verdict: string;
}

/** So many changes are told with one step. */
const MOST_NEWS = 2;

/** Return a text of a contest with the names of the seats, and the numbers of those that share a name. */
export function withNames(text: string, names: readonly string[]): string {
  const shared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return fill(text, Object.fromEntries(names.map((name, seat) => [seat, shared(name) ? `${name} (${seat + 1})` : name])));
}

/** Return a verdict without its reasons. */
export function claimOf({ verdict }: Contest): string {
  return verdict.split(/[;；]/)[0] ?? '';
}

/** Return the reasons of a verdict, as they are punctuated. */
export function reasonsOf(contest: Contest): string {
  return contest.verdict.slice(claimOf(contest).length);
}

/** Return what a step changed for the lead: the claims that were not true of the picture before it. */
export function newsOf(before: Moment | undefined, now: Moment, names: readonly string[]): readonly News[] {
  if (!before) return [];
  const known = new Map(before.contests.map((contest) => [contest.key, claimOf(contest)]));
  return now.contests
    .map((contest, place) => ({ contest, place }))
    .filter(({ contest }) => known.get(contest.key) !== claimOf(contest))
    .slice(0, MOST_NEWS)
    .map(({ contest, place }) => ({
      key: contest.key,
      title: place === 0 ? '' : withNames(contest.title, names),
      verdict: withNames(claimOf(contest), names),
    }));
}

/** Return the seat whose player a sentence begins with; null if there is none, or if two players share the name. */
export function speakerOf(say: string, names: readonly string[]): number | null {
  const begun = names.filter((name) => name !== '' && say.startsWith(name));
  const longest = begun.sort((one, other) => other.length - one.length)[0];
  if (longest === undefined || begun.filter((name) => name === longest).length > 1) return null;
  return names.indexOf(longest);
}
