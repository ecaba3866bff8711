/** Meters of a match as columns for a chart. */

import type { Moment } from '../reel';
import type { Meter } from '../protocol';

/** Key of the meter of places. It is known only at the end, so it has no chart. */
const PLACE = 'place';

/** Return all meters of a match, in the order of their first appearance. */
export function metersOf(moments: readonly Moment[]): readonly Meter[] {
  const found = new Map<string, Meter>();
  for (const moment of moments) {
    for (const meter of moment.meters) if (meter.key !== PLACE && !found.has(meter.key)) found.set(meter.key, meter);
  }
  return [...found.values()];
}

/** Return the columns of a meter: the indices of the moments, then one per seat; null where it has no value. */
export function columnsOf(moments: readonly Moment[], key: string, seats: number): (number | null)[][] {
  const values = moments.map((moment) => moment.meters.find((meter) => meter.key === key)?.values);
  const columns = Array.from({ length: seats }, (_, seat) => values.map((row) => row?.[seat] ?? null));
  return [moments.map((_, index) => index), ...columns];
}
