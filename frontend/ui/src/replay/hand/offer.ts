/** A question to a person: what the server says of it, and which of its items a selection of pieces leaves. */

import type { Piece, Zone } from '../protocol';

export interface Item {
  /** What a person does who chooses it. */
  readonly say: string;
  /** The pieces and zones that it is about. */
  readonly on: readonly string[];
  /** The kind of action, by which `guide` explains it. */
  readonly kind: string;
}

export interface Offer {
  readonly number: number;
  /** Whether an answer is waited for. */
  readonly asked: boolean;
  readonly over: boolean;
  readonly items: readonly Item[];
  readonly guide: readonly { readonly kind: string; readonly say: string }[];
  readonly left_ms: number | null;
  /** Whether the arena allows hints. */
  readonly hints?: boolean;
  /** What a strong player would choose, if that was asked for. */
  readonly hint?: number | null;
}

export interface Left {
  readonly index: number;
  readonly item: Item;
}

type Get = (address: string, request?: RequestInit) => Promise<Response>;
const FETCH: Get = (address, request) => fetch(address, request);

/** Ask what is asked at a seat; null when the server cannot say now. */
export async function ask(address: string, get: Get = FETCH): Promise<Offer | null> {
  try {
    const answer = await get(address);
    return answer.ok ? ((await answer.json()) as Offer) : null;
  } catch {
    return null;
  }
}

/** Answer a question; returns why that was refused, or null. */
export async function answer(address: string, number: number, index: number, token: string, get: Get = FETCH): Promise<string | null> {
  const body = new URLSearchParams({ number: String(number), index: String(index) });
  try {
    const said = await get(address, { method: 'POST', body, headers: { 'X-CSRFToken': token } });
    if (said.ok) return null;
    return said.status === 409 ? ((await said.json()) as { code: string }).code : 'failed';
  } catch {
    return 'failed';
  }
}

interface Spot {
  readonly piece: Piece | null;
  readonly zone: string;
}

/** The pieces of a picture that can be clicked for an offer, and what a click on them means. */
export class Reach {
  private readonly spots = new Map<string, Spot>();
  private readonly touched: ReadonlySet<string>;

  constructor(
    private readonly items: readonly Item[],
    zones: readonly Zone[],
  ) {
    this.touched = new Set(items.flatMap((item) => item.on));
    for (const zone of zones) {
      this.spots.set(zone.key, { piece: null, zone: zone.key });
      for (const piece of zone.pieces ?? []) this.spots.set(piece.key, { piece, zone: zone.key });
    }
  }

  /** Return what a piece or zone counts as; null when nothing on the menu is about it or its like. */
  as(key: string): string | null {
    const spot = this.spots.get(key);
    if (!spot) return null;
    // equal dice are not told apart, nor are cards that look alike where one of them stands for all
    if (spot.piece?.kind === 'die' || !this.touched.has(key)) return this.like(spot);
    return key;
  }

  private like({ piece, zone }: Spot): string | null {
    if (!piece?.face) return null;
    for (const key of this.touched) {
      const other = this.spots.get(key);
      if (other?.zone === zone && other.piece?.face === piece.face) return piece.kind === 'die' ? `${zone} ${piece.face}` : key;
    }
    return null;
  }

  private count(keys: Iterable<string>): Map<string, number> {
    const counted = new Map<string, number>();
    for (const key of keys) {
      const as = this.as(key) ?? key;
      counted.set(as, (counted.get(as) ?? 0) + 1);
    }
    return counted;
  }

  /** Return the items that are about all that is selected and whose sentence holds the text; those about nothing else first. */
  left(selected: ReadonlySet<string>, text: string): Left[] {
    const wanted = this.count(selected);
    const found = this.items
      .map((item, index) => ({ index, item, counted: this.count(item.on) }))
      .filter(({ counted }) => [...wanted].every(([key, number]) => (counted.get(key) ?? 0) >= number))
      .filter(({ item }) => item.say.toLowerCase().includes(text.trim().toLowerCase()));
    const exact = (row: (typeof found)[number]): number => (selected.size > 0 && row.item.on.length === selected.size ? 0 : 1);
    return found.sort((one, other) => exact(one) - exact(other) || one.index - other.index);
  }

  /** Return what is selected after a click: one more or less; with Ctrl all that show something else, with Shift all others. */
  clicked(key: string, selected: ReadonlySet<string>, held: { ctrl: boolean; shift: boolean }): Set<string> {
    const spot = this.spots.get(key);
    if (spot?.piece && (held.ctrl || held.shift)) {
      const beside = [...this.spots].filter(([other, { piece, zone }]) => piece && zone === spot.zone && this.as(other) !== null);
      const kept = beside.filter(([other, { piece }]) => (held.ctrl ? piece?.face !== spot.piece?.face : other !== key));
      return new Set(kept.map(([other]) => other));
    }
    const after = new Set(selected);
    if (!after.delete(key)) after.add(key);
    return after;
  }
}
