/** A choice laid open: what a seat was asked, what it answered and at what cost. */

import { ALL, PUBLIC, type Eyes } from '../protocol';
import { language, word } from '../speech.svelte';
import { say } from './words';

export interface Own {
  readonly fault: string;
  readonly notes: readonly string[];
  readonly stderr: string;
}

export interface Decision {
  /** The first frame of what it came to. */
  readonly at: number;
  readonly seat: number;
  readonly bot: string;
  readonly question: number;
  readonly view: unknown;
  readonly menu: readonly unknown[];
  readonly chosen: number;
  readonly excuse: string | null;
  readonly charged_us: number;
  readonly idle_us: number | null;
  readonly queued_us: number | null;
  readonly bank_ms: number;
  readonly own: Own | null;
}

export type Asked =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'told'; readonly decision: Decision };

/** Ask the server for the last choice no later than a frame, of whom these eyes belong to. */
export async function ask(
  match: string,
  eyes: Eyes,
  at: number,
  get: (address: string, how: RequestInit) => Promise<Response> = fetch,
): Promise<Asked> {
  if (eyes === PUBLIC) return { kind: 'none' };
  try {
    const answer = await get(`/api/v1/matches/${encodeURIComponent(match)}/decision/?eyes=${eyes}&at=${at}`, {
      headers: { 'Accept-Language': language() },
    });
    if (answer.ok) return { kind: 'told', decision: (await answer.json()) as Decision };
    if (answer.status === 404) return { kind: 'none' }; // it has chosen nothing yet
    if (answer.status === 403) return { kind: 'refused', why: word(eyes === ALL ? 'eyes.all.closed' : 'eyes.seat.closed') };
    const { detail } = (await answer.json()) as { detail?: string };
    return { kind: 'refused', why: detail ?? say('choice.status', { status: answer.status }) };
  } catch {
    return { kind: 'refused', why: say('choice.silent') };
  }
}

/** Return microseconds as milliseconds to be read. */
export function milliseconds(us: number): string {
  return say('choice.ms', { time: (us / 1000).toFixed(us < 10_000 ? 1 : 0) });
}
