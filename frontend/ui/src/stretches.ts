/** Stretches of a reviewed match that the theatre shows: the frames around its turning points, and its end. */

export interface Stretch {
  readonly from: number;
  /** Frame of the turning point. */
  readonly at: number;
  readonly until: number;
  /** Captions before the turning point, and from it on. */
  readonly coming: string;
  readonly said: string;
}

const covers = (at: number) => ({ from, until }: Stretch): boolean => from <= at && at <= until;

/** Return the stretches in a JSON attribute, in their order; none without the attribute. */
export function stretchesIn(text: string | undefined): readonly Stretch[] {
  return text ? (JSON.parse(text) as readonly Stretch[]) : [];
}

/** Return the start of the next stretch; null within a stretch, and after the last one. */
export function cutFrom(stretches: readonly Stretch[], at: number): number | null {
  if (stretches.some(covers(at))) return null;
  return stretches.find(({ from }) => from > at)?.from ?? null;
}

/** Return the caption of a frame: of the last turning point reached, otherwise the announcement of the next one. */
export function captionAt(stretches: readonly Stretch[], at: number): string {
  const current = stretches.filter(covers(at));
  return (current.filter((stretch) => at >= stretch.at && stretch.said).at(-1)?.said ?? current[0]?.coming) || '';
}
