/** Decision of a seat: the question, the answer, and the computing time. */

import { ALL, PUBLIC, type Eyes } from '../protocol';
import { language, t as viewerText } from '../translation.svelte';
import { t } from './words';

export interface Own {
  readonly fault: string;
  readonly notes: readonly string[];
  readonly stderr: string;
}

export interface Decision {
  /** Number of the first frame after the choice. */
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

export type DecisionAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'received'; readonly decision: Decision };

/** Fetch the last decision that these eyes may see, up to a frame. */
export async function fetchDecision(
  match: string,
  eyes: Eyes,
  at: number,
  get: (address: string, how: RequestInit) => Promise<Response> = fetch,
): Promise<DecisionAnswer> {
  if (eyes === PUBLIC) return { kind: 'none' };
  try {
    const answer = await get(`/api/v1/matches/${encodeURIComponent(match)}/decision/?eyes=${eyes}&at=${at}`, {
      headers: { 'Accept-Language': language() },
    });
    if (answer.ok) return { kind: 'received', decision: (await answer.json()) as Decision };
    if (answer.status === 404) return { kind: 'none' }; // no choice so far
    if (answer.status === 403) {
      return { kind: 'refused', why: viewerText(eyes === ALL ? 'eyes.all.closed' : 'eyes.seat.closed') };
    }
    const { detail } = (await answer.json()) as { detail?: string };
    return { kind: 'refused', why: detail ?? t('choice.status', { status: answer.status }) };
  } catch {
    return { kind: 'refused', why: t('choice.silent') };
  }
}

/** Format microseconds as milliseconds. */
export function milliseconds(us: number): string {
  return t('choice.ms', { time: (us / 1000).toFixed(us < 10_000 ? 1 : 0) });
}
