/** The moment in the address: `?at=137&eyes=2`, stable for ever. */

import { ALL, FRESH, PUBLIC, type Eyes } from './protocol';

export interface Spot {
  /** The entry's number, or null for wherever the match stands. */
  readonly at: number | null;
  readonly eyes: Eyes;
}

/** Return the eyes in a text, public when it names none of this table. */
export function readEyes(text: string | null, seats: number): Eyes {
  if (text === ALL || text === FRESH) return text;
  if (text !== null && /^\d{1,2}$/.test(text) && Number(text) < seats) return String(Number(text));
  return PUBLIC;
}

/** Return the spot that an address names. */
export function readSpot(address: string, seats: number): Spot {
  const query = new URL(address).searchParams;
  const at = query.get('at');
  return { at: at !== null && /^\d{1,9}$/.test(at) ? Number(at) : null, eyes: readEyes(query.get('eyes'), seats) };
}

/** Return the address with the spot in it, all else kept. */
export function writeSpot(address: string, spot: Spot): string {
  const url = new URL(address);
  if (spot.at === null) url.searchParams.delete('at');
  else url.searchParams.set('at', String(spot.at));
  if (spot.eyes === PUBLIC) url.searchParams.delete('eyes');
  else url.searchParams.set('eyes', spot.eyes);
  return url.toString();
}
