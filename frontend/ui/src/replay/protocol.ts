/** What the server and the browser say to each other about one match (one JSON object a message). */

import type { Plain } from './words';

export type Layout = 'row' | 'stack' | 'fan' | 'grid' | 'bubble' | 'lines' | 'list' | 'ring';
/** Time for which a replay shows a frame; `DURATIONS_MS` has the milliseconds. */
export type Duration = 'short' | 'normal' | 'long';
/** Tone that a replay with sound plays at a frame. */
export type Sound = 'card' | 'dice' | 'bid' | 'accusation' | 'end';
export type Mark = 'turn' | 'phase' | 'key';
/** Through whose eyes: everybody's, one seat's (its number), or all-seeing. */
export type Eyes = string;
export const PUBLIC: Eyes = 'public';
export const ALL: Eyes = 'all';
/** The public eyes, to which the viewer tells nothing of what is still to come; the server knows them as public. */
export const FRESH: Eyes = 'fresh';

export interface Piece {
  readonly key: string;
  readonly kind: 'card' | 'tile' | 'die' | 'token' | 'text';
  /** Absent or empty when it lies face down. */
  readonly face?: string;
  readonly label?: string;
  readonly tags?: readonly string[];
}

export interface Zone {
  readonly key: string;
  readonly label: string;
  readonly seat?: number | null;
  readonly layout?: Layout;
  readonly pieces?: readonly Piece[];
  readonly note?: string;
}

export interface Meter {
  readonly key: string;
  readonly label: string;
  readonly values: readonly number[];
}

/** One line of a contest: a seat, or a goal with a name, and a bar. */
export interface ContestEntry {
  readonly seat?: number | null;
  readonly label?: string;
  readonly value: string;
  /** The length of the bar, 0 to 100. */
  readonly share: number;
  readonly note?: string;
  readonly leads?: boolean;
}

/** A comparison of the seats. */
export interface Contest {
  readonly key: string;
  readonly title: string;
  readonly about?: string;
  readonly verdict: string;
  readonly entries?: readonly ContestEntry[];
}

/** Result of one seat. */
export interface SeatResult {
  readonly place: number;
  /** The score in words. */
  readonly score: string;
}

/** What changed with one entry of the log (choices have no frame, and are not counted); the first after a `watch` holds everything. */
export interface Frame {
  readonly at: number;
  readonly kind: string;
  readonly say: string;
  /** Heading of this frame and those after it; absent if the heading does not change. */
  readonly heading?: string;
  readonly mark?: Mark | null;
  readonly seats_to_act?: readonly number[];
  readonly zones?: readonly Zone[];
  readonly gone?: readonly string[];
  readonly meters?: readonly Meter[];
  readonly contests?: readonly Contest[];
  readonly duration?: Duration;
  readonly sound?: Sound | null;
  /** Result of each seat, in the last frame of a finished match. */
  readonly result?: readonly SeatResult[];
}

export interface Watch {
  readonly type: 'watch';
  readonly eyes: Eyes;
  readonly after: number;
  readonly until: number | null;
  readonly language: string;
}

export interface Frames {
  readonly type: 'frames';
  readonly eyes: Eyes;
  readonly frames: readonly Frame[];
  /** The newest frame, whole, ahead of others that are still to come: for somebody who is far behind. */
  readonly glimpse?: Frame;
  /** How many frames there are. */
  readonly length: number;
  /** Whether it may still grow. */
  readonly open: boolean;
}

export interface Refused {
  readonly type: 'refused';
  readonly code: string;
  readonly detail: string;
}

/** Codes of refusals that stay the same if the same is asked again; all others pass, such as that of a store that is away. */
export const LASTING_REFUSALS: readonly string[] = ['eyes_closed', 'unknown_eyes', 'missing_plugin'];

/** Which eyes were refused, and the server's words about it. */
export interface Refusal extends Omit<Refused, 'type'> {
  readonly eyes: Eyes;
}

export type Heard = Frames | Refused;

/** Close codes after which asking again is of no use, and what is said then. */
export const FINAL_CODES: ReadonlyMap<number, Plain> = new Map([
  [4400, 'connection.4400'],
  [4404, 'connection.4404'],
] as const);

/** Return the message in a text, or null when it is none of ours. */
export function hear(text: string): Heard | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null || !('type' in message)) return null;
  return message.type === 'frames' || message.type === 'refused' ? (message as Heard) : null;
}
