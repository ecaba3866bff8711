/** Moments as text and as JSON, for reading, copying and downloading. */

import type { Moment } from '../reel';

/** Return a moment as JSON, with only those zones that it changed. */
export function momentAsJson(moment: Moment): string {
  const { at, kind, say, mark, toAct, zones, meters, changed } = moment;
  const changedZones = zones.filter(({ key }) => changed.includes(key));
  const content = { at, kind, say, mark, seats_to_act: toAct, zones: changedZones, meters };
  return JSON.stringify(content, null, 2);
}

/** Return a line of a log as indented JSON; unchanged if it is not JSON. */
export function pretty(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

/** Return the sentences of a match, one per line, each after the number of its frame. */
export function narrate(moments: readonly Moment[]): string {
  const width = String(moments.at(-1)?.at ?? 0).length;
  return moments.map(({ at, say }) => `${String(at).padStart(width)}  ${say}\n`).join('');
}
