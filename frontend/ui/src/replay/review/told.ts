/** The review of a match as the server tells it, and what is drawn of it. */

import type { Eyes } from '../protocol';
import { language, type Language } from '../speech.svelte';

/** A fraction, `n/d` or `n`. */
export type Exact = string;

export interface Option {
  readonly item: number;
  /** The item as a sentence, by language. */
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
  /** Whether 0 is outside its interval. */
  readonly sure: boolean;
  readonly by: 'deal' | 'chance' | 'own' | 'other';
  readonly of: number | null;
}
export interface Mistake {
  readonly frame: number;
  readonly seat: number;
  readonly loss: Exact;
  readonly margin: Exact;
  /** Whether the whole interval is above 0. */
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
export interface Reviewed {
  readonly players: readonly string[];
  readonly eyes: string;
  readonly policy: string;
  readonly playouts: number;
  readonly curve: readonly { readonly frame: number; readonly shares: readonly Exact[] }[];
  readonly choices: readonly Choice[];
  readonly turning_points: readonly Swing[];
  /** What luck gave most, to whom and where; null where it gave nothing. */
  readonly luckiest: Swing | null;
  /** Choices that seem to be mistakes, the costliest first. */
  readonly costliest: readonly Mistake[];
  readonly ledger: readonly Account[];
}
export interface State {
  readonly status: 'not asked' | 'waiting' | 'running' | 'done' | 'given up';
  readonly done: number;
  readonly total: number;
  readonly reason: string;
  readonly review: Reviewed | null;
}
export type Answer =
  | { readonly kind: 'told'; readonly state: State }
  /** `passing`: whether the same question may be answered later, as of a server that is busy or restarts. */
  | { readonly kind: 'refused'; readonly why: string; readonly passing: boolean };
type Get = (address: string, how?: RequestInit) => Promise<Response>;

/** Return the eyes of the review for a viewer: who sees everything reads what each choice was worth by what its seat knew. */
export function reviewEyes(eyes: Eyes): 'own' | 'public' {
  return eyes === 'all' ? 'own' : 'public';
}

/** Ask how far a review is; with a token ask for it to be made. A refusal is in our language; an empty one is a server that says nothing. */
export async function ask(match: string, eyes: 'own' | 'public', token = '', get: Get = fetch): Promise<Answer> {
  const address = `/api/v1/matches/${encodeURIComponent(match)}/review/?eyes=${eyes}`;
  try {
    const headers = { 'Accept-Language': language() };
    const order = { method: 'POST', headers: { ...headers, 'X-CSRFToken': token } };
    const answer = await get(address, token ? order : { headers });
    if (answer.ok) return { kind: 'told', state: (await answer.json()) as State };
    const { detail } = (await answer.json()) as { detail?: string };
    return { kind: 'refused', why: detail ?? '', passing: answer.status === 429 || answer.status >= 500 };
  } catch {
    return { kind: 'refused', why: '', passing: true };
  }
}

/** Return a fraction as a number. */
export function value(exact: Exact): number {
  const [over = '0', under = '1'] = exact.split('/');
  return Number(over) / Number(under);
}

/** Return a change in hundredths, with its sign. */
export function signed(change: number): string {
  const text = Math.abs(change).toFixed(2);
  return text === '0.00' ? '0' : `${change < 0 ? '−' : '+'}${text}`;
}

/** Return a seat's line as the points of a polyline on a field 100 wide and high. */
export function lineOf(found: Reviewed, seat: number): string {
  const last = Math.max(1, found.curve.length - 1);
  const at = (shares: readonly Exact[]): number => 100 - 100 * value(shares[seat] ?? '0');
  return found.curve.map(({ shares }, index) => `${((100 * index) / last).toFixed(2)},${at(shares).toFixed(2)}`).join(' ');
}

/** Return the place on the curve where a frame is: the last point that is not behind it. */
export function placeOf(found: Reviewed, frame: number): number {
  return Math.max(0, found.curve.findLastIndex((point) => point.frame <= frame));
}

/** Return the choice that a frame shows or follows from; null where nobody was asked, and for the public. */
export function choiceAt(found: Reviewed, frame: number): Choice | null {
  return found.choices.find((choice) => choice.weighing && choice.frame <= frame && frame <= choice.until) ?? null;
}

/** How many frames a clip shows at most, and how many of them stand before what it is about. */
const CLIP = 20;
const BEFORE = 9;

/** Return the address of the page with a clip of the frames around one of them; `last` is the last that there is. */
export function clipAround(match: string, frame: number, last: number): string {
  const from = Math.max(0, Math.min(frame - BEFORE, last - CLIP + 1));
  return `/matches/${encodeURIComponent(match)}/clip/?from=${from}&until=${Math.min(last, from + CLIP - 1)}`;
}

export const PARTS = ['seat', 'deal', 'chance', 'own', 'others', 'unexplained'] as const;
export type Part = (typeof PARTS)[number];

/** Return what each thing gave to a seat: together with one half it is its share. */
export function partsOf(account: Account, seat: number): Readonly<Record<Part, number>> {
  const own = value(account.choices[seat] ?? '0');
  const all = account.choices.reduce((sum, one) => sum + value(one), 0);
  const { seat: sitting, deal, chance, unexplained } = account;
  return {
    seat: value(sitting),
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

/** Stack the parts of a seat: what it was given to the right of zero, what was taken to the left. */
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
