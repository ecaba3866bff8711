/** Frame and eyes in the viewer's address, such as `?at=137&eyes=2`. Published links must keep their meaning. */

import { ALL, FRESH, PUBLIC, type Eyes } from './protocol';

export interface Spot {
  /** Number of the frame; null if the address names none. */
  readonly at: number | null;
  readonly eyes: Eyes;
}

/** Return the eyes in a text; `public` if the text names no eyes of this match. */
export function readEyes(text: string | null, seats: number): Eyes {
  if (text === ALL || text === FRESH) return text;
  if (text !== null && /^\d{1,2}$/.test(text) && Number(text) < seats) return String(Number(text));
  return PUBLIC;
}

/** Return the frame and eyes of an address. */
export function readSpot(address: string, seats: number): Spot {
  const query = new URL(address).searchParams;
  const at = query.get('at');
  return { at: at !== null && /^\d{1,9}$/.test(at) ? Number(at) : null, eyes: readEyes(query.get('eyes'), seats) };
}

/** Return the address with this frame and these eyes; its other parameters stay. */
export function writeSpot(address: string, spot: Spot): string {
  const url = new URL(address);
  if (spot.at === null) url.searchParams.delete('at');
  else url.searchParams.set('at', String(spot.at));
  if (spot.eyes === PUBLIC) url.searchParams.delete('eyes');
  else url.searchParams.set('eyes', spot.eyes);
  return url.toString();
}
