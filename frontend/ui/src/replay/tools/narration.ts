/** The narration of a match: what these eyes were told as text, for reading, copying and keeping. */

import type { Moment } from '../reel';

/** Return what an entry told as JSON: the sentence, and the places it changed; never more than these eyes saw. */
export function toldAsJson(moment: Moment): string {
  const { at, kind, say, mark, toAct, zones, meters, changed } = moment;
  const told = { at, kind, say, mark, seats_to_act: toAct, zones: zones.filter(({ key }) => changed.includes(key)), meters };
  return JSON.stringify(told, null, 2);
}

/** Return the line of a log in a form to be read; as it is when it is no JSON. */
export function pretty(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

/** Return the sentences of a match, one a line, each behind its number. */
export function narrate(moments: readonly Moment[]): string {
  const width = String(moments.at(-1)?.at ?? 0).length;
  return moments.map(({ at, say }) => `${String(at).padStart(width)}  ${say}\n`).join('');
}
