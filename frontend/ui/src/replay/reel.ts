/** Reel of a match: a list of complete snapshots that share their unchanged parts. */

import type { Contest, Duration, Eyes, Frame, Frames, Mark, Meter, SeatResult, Sound, Zone } from './protocol';

/** Immutable snapshot of the match after one frame. */
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
  /** Keys of the zones that this frame changed. */
  readonly changed: readonly string[];
  readonly heading?: string | undefined;
  readonly duration?: Duration | undefined;
  readonly sound?: Sound | null | undefined;
  readonly result?: readonly SeatResult[] | undefined;
}

/** Replace old values by new ones with the same key, append the other new ones, and remove those that are gone. */
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

/** Return the moment after a frame. A whole frame contains the complete scene and replaces the old one. */
export function applyFrame(before: Moment | undefined, frame: Frame, whole: boolean): Moment {
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

/** Known moments of a match for one audience. New ones are only appended. */
export class Reel {
  readonly eyes: Eyes;
  /** Known moments. New ones replace the array and do not mutate it, because `$state.raw` sees only replacements. */
  moments: readonly Moment[] = [];
  /** Number of frames of the match so far, as stated by the server. */
  length = 0;
  /** Newest moment, while earlier ones have not arrived. */
  ahead: Moment | null = null;
  /** True while the match is live. */
  open = true;

  constructor(eyes: Eyes) {
    this.eyes = eyes;
  }

  /** Number of the last known frame; -1 if there is none. */
  get last(): number {
    return this.moments.at(-1)?.at ?? -1;
  }

  /** Add the frames of a message, and take over its length and its state of the match. */
  take(message: Frames, whole: boolean): void {
    this.add(message.frames, whole);
    if (message.glimpse) this.ahead = applyFrame(undefined, message.glimpse, true);
    if (this.ahead && this.ahead.at <= this.last) this.ahead = null;
    this.length = message.length;
    this.open = message.open;
  }

  /** Append the frames that are not known yet; return their number. */
  add(frames: readonly Frame[], whole: boolean): number {
    const grown = [...this.moments];
    frames.forEach((frame, index) => {
      const before = grown.at(-1);
      if (before === undefined || frame.at > before.at) grown.push(applyFrame(before, frame, whole && index === 0));
    });
    const added = grown.length - this.moments.length;
    if (added > 0) this.moments = grown;
    return added;
  }

  /** Return the index of frame `at`, or of the nearest one before it; 0 if there is none. */
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

/** Return the index of the nearest moment in a direction with one of the marks; without one, that of the end. */
export function jump(moments: readonly Moment[], from: number, step: 1 | -1, marks: readonly Mark[]): number {
  for (let index = from + step; index >= 0 && index < moments.length; index += step) {
    const mark = moments[index]?.mark;
    if (mark && marks.includes(mark)) return index;
  }
  return step > 0 ? Math.max(0, moments.length - 1) : 0;
}

/** Return the index of the moment after the first choice; 0 if it is not known yet. */
export function firstChoice(moments: readonly Moment[]): number {
  const asked = moments.findIndex((moment) => moment.toAct.length > 0);
  return asked >= 0 && asked + 1 < moments.length ? asked + 1 : 0;
}
