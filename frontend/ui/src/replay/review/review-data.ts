/** Review of a match as the API returns it, and the values that its charts and tables show. */

import type { Eyes } from '../protocol';
import { language, type Language } from '../translation.svelte';

/** Fraction, `n/d` or `n`. */
export type Exact = string;

export interface Option {
  readonly item: number;
  /** Item as a sentence, by language. */
  readonly said: Readonly<Record<Language, string>>;
  readonly share: Exact;
}
export interface Weighing {
  readonly chosen: number;
  readonly menu: number;
  readonly options: readonly Option[];
  readonly cost: Exact;
}
export interface Choice {
  readonly frame: number;
  readonly until: number;
  readonly seat: number;
  readonly shares: readonly Exact[];
  readonly weighing: Weighing | null;
}
export interface Swing {
  readonly frame: number;
  readonly seat: number;
  readonly swing: Exact;
  /** True if 0 is outside the confidence interval. */
  readonly sure: boolean;
  readonly by: 'deal' | 'chance' | 'own' | 'other';
  readonly of: number | null;
}
export interface Mistake {
  readonly frame: number;
  readonly seat: number;
  readonly loss: Exact;
  readonly margin: Exact;
  /** True if the whole confidence interval is above 0. */
  readonly sure: boolean;
}
export interface Account {
  readonly share: Exact;
  readonly seat: Exact;
  readonly deal: Exact;
  readonly chance: Exact;
  readonly choices: readonly Exact[];
  readonly unexplained: Exact;
}
export interface MatchReview {
  readonly players: readonly string[];
  readonly eyes: string;
  readonly policy: string;
  readonly playouts: number;
  readonly curve: readonly { readonly frame: number; readonly shares: readonly Exact[] }[];
  readonly choices: readonly Choice[];
  readonly turning_points: readonly Swing[];
  /** Largest gain by luck; null if there is none. */
  readonly luckiest: Swing | null;
  /** Probable mistakes, the costliest first. */
  readonly costliest: readonly Mistake[];
  readonly ledger: readonly Account[];
}
export interface ReviewState {
  readonly status: 'not asked' | 'waiting' | 'running' | 'done' | 'given up';
  readonly done: number;
  readonly total: number;
  readonly reason: string;
  readonly review: MatchReview | null;
}
export type ReviewAnswer =
  | { readonly kind: 'received'; readonly state: ReviewState }
  /** `temporary`: True if the same request may succeed later, for example because the server is busy. */
  | { readonly kind: 'refused'; readonly why: string; readonly temporary: boolean };
type Get = (address: string, how?: RequestInit) => Promise<Response>;

/** Return the eyes of the review for a viewer. With `all` eyes, it values each choice by what its seat knew (`own`). */
export function reviewEyes(eyes: Eyes): 'own' | 'public' {
  return eyes === 'all' ? 'own' : 'public';
}

/** Fetch the state of a review; with a CSRF token, order the review. An empty reason means that no answer came. */
export async function fetchReview(
  match: string,
  eyes: 'own' | 'public',
  token = '',
  get: Get = fetch,
): Promise<ReviewAnswer> {
  const address = `/api/v1/matches/${encodeURIComponent(match)}/review/?eyes=${eyes}`;
  try {
    const headers = { 'Accept-Language': language() };
    const order = { method: 'POST', headers: { ...headers, 'X-CSRFToken': token } };
    const answer = await get(address, token ? order : { headers });
    if (answer.ok) return { kind: 'received', state: (await answer.json()) as ReviewState };
    const { detail } = (await answer.json()) as { detail?: string };
    return { kind: 'refused', why: detail ?? '', temporary: answer.status === 429 || answer.status >= 500 };
  } catch {
    return { kind: 'refused', why: '', temporary: true };
  }
}

/** Convert a fraction to a number. */
export function value(exact: Exact): number {
  const [over = '0', under = '1'] = exact.split('/');
  return Number(over) / Number(under);
}

/** Format a change with its sign and two decimals. */
export function signed(change: number): string {
  const text = Math.abs(change).toFixed(2);
  return text === '0.00' ? '0' : `${change < 0 ? '−' : '+'}${text}`;
}

/** Return the points of a seat's polyline, in a box 100 wide and high. */
export function lineOf(review: MatchReview, seat: number): string {
  const last = Math.max(1, review.curve.length - 1);
  const at = (shares: readonly Exact[]): number => 100 - 100 * value(shares[seat] ?? '0');
  const points = review.curve.map(({ shares }, index) => [(100 * index) / last, at(shares)]);
  return points.map((point) => point.map((coordinate) => coordinate.toFixed(2)).join(',')).join(' ');
}

/** Return the index of the last point of the curve that is not after a frame. */
export function placeOf(review: MatchReview, frame: number): number {
  return Math.max(0, review.curve.findLastIndex((point) => point.frame <= frame));
}

/** Return the choice that a frame shows or follows from; null if there is none, or in a public review. */
export function choiceAt(review: MatchReview, frame: number): Choice | null {
  return review.choices.find((choice) => choice.weighing && choice.frame <= frame && frame <= choice.until) ?? null;
}

/** Maximum number of frames in a clip, and the number of frames before its subject. */
const MAX_CLIP_FRAMES = 20;
const FRAMES_BEFORE = 9;

/** Return the address of a clip around a frame; `last` is the number of the match's last frame. */
export function clipAround(match: string, frame: number, last: number): string {
  const from = Math.max(0, Math.min(frame - FRAMES_BEFORE, last - MAX_CLIP_FRAMES + 1));
  const until = Math.min(last, from + MAX_CLIP_FRAMES - 1);
  return `/matches/${encodeURIComponent(match)}/clip/?from=${from}&until=${until}`;
}

export const PARTS = ['seat', 'deal', 'chance', 'own', 'others', 'unexplained'] as const;
export type Part = (typeof PARTS)[number];

/** Return the parts of a seat's share. Their sum plus one half is the share. */
export function partsOf(account: Account, seat: number): Readonly<Record<Part, number>> {
  const own = value(account.choices[seat] ?? '0');
  const all = account.choices.reduce((sum, one) => sum + value(one), 0);
  const { seat: advantage, deal, chance, unexplained } = account;
  return {
    seat: value(advantage),
    deal: value(deal),
    chance: value(chance),
    own,
    others: all - own,
    unexplained: value(unexplained),
  };
}

export interface Block {
  readonly part: Part;
  readonly from: number;
  readonly width: number;
}

/** Stack the parts of a seat's share: gains to the right of zero, losses to the left. */
export function blocksOf(account: Account, seat: number): readonly Block[] {
  let [left, right] = [0, 0];
  const parts = partsOf(account, seat);
  return PARTS.map((part) => {
    const width = Math.abs(parts[part]);
    if (parts[part] < 0) return { part, from: (left -= width), width };
    right += width;
    return { part, from: right - width, width };
  });
}
