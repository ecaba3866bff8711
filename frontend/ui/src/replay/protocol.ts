/** Messages between server and browser about one match. Each is a JSON object. */

import type { PlainKey } from './words';

export type Layout = 'row' | 'stack' | 'fan' | 'grid' | 'bubble' | 'lines' | 'list' | 'ring';
/** Time for which a replay shows a frame; `DURATIONS_MS` has the milliseconds. */
export type Duration = 'short' | 'normal' | 'long';
/** Tone that a replay with sound plays at a frame. */
export type Sound = 'card' | 'dice' | 'bid' | 'accusation' | 'end';
export type Mark = 'turn' | 'phase' | 'key';
/** Audience of a view: `public`, the number of a seat, or `all`. */
export type Eyes = string;
export const PUBLIC: Eyes = 'public';
export const ALL: Eyes = 'all';
/** Public eyes with spoiler-free watching. For the server they are `public`. */
export const FRESH: Eyes = 'fresh';

export interface Piece {
  readonly key: string;
  readonly kind: 'card' | 'tile' | 'die' | 'token' | 'text';
  /** Absent or empty if the piece lies face down. */
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

/** Row of a contest, with a bar: a seat, or a named goal. */
export interface ContestEntry {
  readonly seat?: number | null;
  readonly label?: string;
  readonly value: string;
  /** Length of the bar, from 0 to 100. */
  readonly share: number;
  readonly note?: string;
  readonly leads?: boolean;
}

/** Comparison of the seats. */
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
  /** Score as text. */
  readonly score: string;
}

/**
 * Change of the scene by one log entry. Choices have no frame and no number. The first frame after a `watch` message
 * contains the complete scene.
 */
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
  /** Newest frame with the complete scene. A viewer that is far behind gets it before the frames in between. */
  readonly glimpse?: Frame;
  /** Number of frames of the match so far. */
  readonly length: number;
  /** True while the match is live. */
  readonly open: boolean;
}

export interface Refused {
  readonly type: 'refused';
  readonly code: string;
  readonly detail: string;
}

/** Codes of refusals that a repeated request would receive again. All others are temporary. */
export const LASTING_REFUSALS: readonly string[] = ['eyes_closed', 'unknown_eyes', 'missing_plugin'];

/** Refused eyes, with the server's code and message. */
export interface Refusal extends Omit<Refused, 'type'> {
  readonly eyes: Eyes;
}

export type ServerMessage = Frames | Refused;

/** Close codes after which the viewer does not reconnect, with the keys of the texts that it shows. */
export const FINAL_CODES: ReadonlyMap<number, PlainKey> = new Map([
  [4400, 'connection.4400'],
  [4404, 'connection.4404'],
] as const);

/** Parse a message of the server; return null if it is not JSON, or of an unknown type. */
export function parseMessage(text: string): ServerMessage | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof message !== 'object' || message === null || !('type' in message)) return null;
  return message.type === 'frames' || message.type === 'refused' ? (message as ServerMessage) : null;
}
