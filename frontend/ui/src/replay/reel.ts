/** A match as a list of whole pictures that share what did not change. */

import type { Contest, Duration, Eyes, Frame, Frames, Mark, Meter, SeatResult, Sound, Zone } from './protocol';

/** One entry with the whole picture behind it; never changed once made. */
export interface Moment {
  readonly at: number;
  readonly kind: string;
  readonly say: string;
  readonly mark: Mark | null;
  readonly toAct: readonly number[];
  readonly zones: readonly Zone[];
  readonly meters: readonly Meter[];
  /** Comparisons of the seats, the first about the lead; empty for a game without contests. */
  readonly contests: readonly Contest[];
  /** Keys of the zones that this entry changed. */
  readonly changed: readonly string[];
  readonly heading?: string | undefined;
  readonly duration?: Duration | undefined;
  readonly sound?: Sound | null | undefined;
  readonly result?: readonly SeatResult[] | undefined;
}

/** Return old values with new ones in their places, unseen ones behind, and the gone ones out. */
function merge<T extends { readonly key: string }>(
  old: readonly T[],
  fresh: readonly T[],
  gone: readonly string[],
): readonly T[] {
  if (fresh.length === 0 && gone.length === 0) return old;
  const news = new Map(fresh.map((value) => [value.key, value]));
  const kept = old.filter((value) => !gone.includes(value.key)).map((value) => news.get(value.key) ?? value);
  const known = new Set(old.map((value) => value.key));
  return [...kept, ...fresh.filter((value) => !known.has(value.key))];
}

/** Return the picture after a frame; a whole frame forgets what was before. */
export function develop(before: Moment | undefined, frame: Frame, whole: boolean): Moment {
  const zones = frame.zones ?? [];
  const meters = frame.meters ?? [];
  const contests = frame.contests ?? [];
  const fresh = whole || before === undefined;
  return {
    at: frame.at,
    kind: frame.kind,
    say: frame.say,
    mark: frame.mark ?? null,
    toAct: frame.seats_to_act ?? [],
    zones: fresh ? zones : merge(before.zones, zones, frame.gone ?? []),
    meters: fresh ? meters : merge(before.meters, meters, []),
    contests: fresh ? contests : merge(before.contests, contests, frame.gone ?? []),
    changed: fresh ? [] : zones.map((zone) => zone.key),
    heading: frame.heading,
    duration: frame.duration,
    sound: frame.sound,
    result: frame.result,
  };
}

/** All that is known of a match through one pair of eyes; grows at its end only. */
export class Reel {
  readonly eyes: Eyes;
  /** The pictures so far; replaced, not changed, when it grows. */
  moments: readonly Moment[] = [];
  /** How many entries the log has. */
  length = 0;
  /** The newest picture, while those before it are still to come. */
  ahead: Moment | null = null;
  /** Whether it may still grow. */
  open = true;

  constructor(eyes: Eyes) {
    this.eyes = eyes;
  }

  /** The number of the last entry known, -1 while there is none: what to ask after. */
  get last(): number {
    return this.moments.at(-1)?.at ?? -1;
  }

  /** Add what a message has, and what it says of the log. */
  take(message: Frames, whole: boolean): void {
    this.add(message.frames, whole);
    if (message.glimpse) this.ahead = develop(undefined, message.glimpse, true);
    if (this.ahead && this.ahead.at <= this.last) this.ahead = null;
    this.length = message.length;
    this.open = message.open;
  }

  /** Add frames behind those known, leaving out what is known already; returns how many were new. */
  add(frames: readonly Frame[], whole: boolean): number {
    const grown = [...this.moments];
    frames.forEach((frame, index) => {
      const before = grown.at(-1);
      if (before === undefined || frame.at > before.at) grown.push(develop(before, frame, whole && index === 0));
    });
    const added = grown.length - this.moments.length;
    if (added > 0) this.moments = grown;
    return added;
  }

  /** The index of the entry `at`, or of the nearest picture before it; 0 when there is none. */
  indexOf(at: number): number {
    let low = 0;
    let high = this.moments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.moments[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Return the index of the nearest picture in a direction that carries one of the marks, else where one is. */
export function jump(moments: readonly Moment[], from: number, step: 1 | -1, marks: readonly Mark[]): number {
  for (let index = from + step; index >= 0 && index < moments.length; index += step) {
    const mark = moments[index]?.mark;
    if (mark && marks.includes(mark)) return index;
  }
  return step > 0 ? Math.max(0, moments.length - 1) : 0;
}

/** Return the place of the picture that the first choice came to, the first one while there is none. */
export function firstChoice(moments: readonly Moment[]): number {
  const asked = moments.findIndex((moment) => moment.toAct.length > 0);
  return asked >= 0 && asked + 1 < moments.length ? asked + 1 : 0;
}
