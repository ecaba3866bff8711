/** What the stage shows of a match that is reviewed: the frames around its turning points, and its end. */

export interface Stretch {
  readonly from: number;
  /** The frame of the turning point. */
  readonly at: number;
  readonly until: number;
  /** What is said before it, and from there on. */
  readonly coming: string;
  readonly said: string;
}

const holds = (at: number) => ({ from, until }: Stretch): boolean => from <= at && at <= until;

/** Return the stretches in a text, in their order; none when it holds nothing. */
export function stretchesIn(text: string | undefined): readonly Stretch[] {
  return text ? (JSON.parse(text) as readonly Stretch[]) : [];
}

/** Return the frame to cut to from another: none within a stretch, nor behind the last. */
export function cutFrom(stretches: readonly Stretch[], at: number): number | null {
  if (stretches.some(holds(at))) return null;
  return stretches.find(({ from }) => from > at)?.from ?? null;
}

/** Return what is said at a frame. */
export function toldAt(stretches: readonly Stretch[], at: number): string {
  const here = stretches.filter(holds(at));
  return (here.filter((stretch) => at >= stretch.at && stretch.said).at(-1)?.said ?? here[0]?.coming) || '';
}
