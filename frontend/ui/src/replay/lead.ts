/** Sentences about the lead, and its changes by the last step. */

import type { Contest } from './protocol';
import type { Moment } from './reel';

export interface News {
  readonly key: string;
  /** Title of the contest; empty for the first contest, which is about the whole match. */
  readonly title: string;
  readonly verdict: string;
}

/** Maximum number of changes that are shown for one step. */
const MAX_NEWS = 2;

/** Return the verdict of a contest without its reasons: the part before the first semicolon. */
export function claimOf({ verdict }: Contest): string {
  return verdict.split(/[;；]/)[0] ?? '';
}

/** Return the rest of the verdict: its reasons, beginning with the semicolon. */
export function reasonsOf(contest: Contest): string {
  return contest.verdict.slice(claimOf(contest).length);
}

/** Return the verdicts that a step changed, at most `MAX_NEWS`. A change of the reasons alone does not count. */
export function newsOf(before: Moment | undefined, now: Moment): readonly News[] {
  if (!before) return [];
  const known = new Map(before.contests.map((contest) => [contest.key, claimOf(contest)]));
  return now.contests
    .map((contest, place) => ({ contest, place }))
    .filter(({ contest }) => known.get(contest.key) !== claimOf(contest))
    .slice(0, MAX_NEWS)
    .map(({ contest, place }) => ({
      key: contest.key,
      title: place === 0 ? '' : contest.title,
      verdict: claimOf(contest),
    }));
}

/** Return the seat of the player whose name begins a sentence; null if there is none, or if two share the name. */
export function subjectSeatOf(say: string, names: readonly string[]): number | null {
  const begun = names.filter((name) => name !== '' && say.startsWith(name));
  const longest = begun.sort((one, other) => other.length - one.length)[0];
  if (longest === undefined || begun.filter((name) => name === longest).length > 1) return null;
  return names.indexOf(longest);
}
