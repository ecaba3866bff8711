/** Question to a person who plays, and the items of its menu that match a selection of pieces. */

import type { Piece, Zone } from '../protocol';

export interface Item {
  /** Action as a sentence. */
  readonly say: string;
  /** Keys of the pieces and zones that the action concerns. */
  readonly on: readonly string[];
  /** Kind of the action, which is the key of its rule in `guide`. */
  readonly kind: string;
}

export interface Offer {
  readonly number: number;
  /** True if the server waits for an answer. */
  readonly asked: boolean;
  readonly over: boolean;
  readonly items: readonly Item[];
  readonly guide: readonly { readonly kind: string; readonly say: string }[];
  readonly left_ms: number | null;
  /** True if the arena allows hints. */
  readonly hints?: boolean;
  /** Index of the item that a strong player would choose, if a hint was requested. */
  readonly hint?: number | null;
}

export interface IndexedItem {
  readonly index: number;
  readonly item: Item;
}

type Get = (address: string, request?: RequestInit) => Promise<Response>;
const FETCH: Get = (address, request) => fetch(address, request);

/** Fetch the question of a seat; null if the server does not return it. */
export async function fetchOffer(address: string, get: Get = FETCH): Promise<Offer | null> {
  try {
    const response = await get(address);
    return response.ok ? ((await response.json()) as Offer) : null;
  } catch {
    return null;
  }
}

/** Send the answer to a question; return null, or the code of a refusal or failure. */
export async function sendAnswer(
  address: string,
  number: number,
  index: number,
  token: string,
  get: Get = FETCH,
): Promise<string | null> {
  const body = new URLSearchParams({ number: String(number), index: String(index) });
  try {
    const response = await get(address, { method: 'POST', body, headers: { 'X-CSRFToken': token } });
    if (response.ok) return null;
    return response.status === 409 ? ((await response.json()) as { code: string }).code : 'failed';
  } catch {
    return 'failed';
  }
}

interface SceneObject {
  readonly piece: Piece | null;
  readonly zone: string;
}

/** Clickable pieces and zones of a moment for the items of a menu. Interchangeable pieces have the same target. */
export class ClickTargets {
  private readonly objects = new Map<string, SceneObject>();
  private readonly mentioned: ReadonlySet<string>;

  constructor(
    private readonly items: readonly Item[],
    zones: readonly Zone[],
  ) {
    this.mentioned = new Set(items.flatMap((item) => item.on));
    for (const zone of zones) {
      this.objects.set(zone.key, { piece: null, zone: zone.key });
      for (const piece of zone.pieces ?? []) this.objects.set(piece.key, { piece, zone: zone.key });
    }
  }

  /** Return the target of a piece or zone; null if no item concerns it or an equal piece. */
  targetOf(key: string): string | null {
    const object = this.objects.get(key);
    if (!object) return null;
    // equal dice are interchangeable, and a card that no item mentions stands for an equal one that is mentioned
    if (object.piece?.kind === 'die' || !this.mentioned.has(key)) return this.targetOfEqual(object);
    return key;
  }

  private targetOfEqual({ piece, zone }: SceneObject): string | null {
    if (!piece?.face) return null;
    for (const key of this.mentioned) {
      const other = this.objects.get(key);
      const isEqual = other?.zone === zone && other.piece?.face === piece.face;
      if (isEqual) return piece.kind === 'die' ? `${zone} ${piece.face}` : key;
    }
    return null;
  }

  private count(keys: Iterable<string>): Map<string, number> {
    const counted = new Map<string, number>();
    for (const key of keys) {
      const target = this.targetOf(key) ?? key;
      counted.set(target, (counted.get(target) ?? 0) + 1);
    }
    return counted;
  }

  /** Return the items that concern the whole selection and contain the text, those that concern nothing else first. */
  matchingItems(selected: ReadonlySet<string>, text: string): IndexedItem[] {
    const wanted = this.count(selected);
    const matching = this.items
      .map((item, index) => ({ index, item, counted: this.count(item.on) }))
      .filter(({ counted }) => [...wanted].every(([key, number]) => (counted.get(key) ?? 0) >= number))
      .filter(({ item }) => item.say.toLowerCase().includes(text.trim().toLowerCase()));
    const rank = ({ item }: IndexedItem): number => (selected.size > 0 && item.on.length === selected.size ? 0 : 1);
    return matching.sort((one, other) => rank(one) - rank(other) || one.index - other.index);
  }

  /**
   * Return the selection after a click, which adds or removes a piece. With Ctrl, select the zone's pieces with other
   * faces; with Shift, all its other pieces.
   */
  selectionAfter(key: string, selected: ReadonlySet<string>, held: { ctrl: boolean; shift: boolean }): Set<string> {
    const object = this.objects.get(key);
    if (object?.piece && (held.ctrl || held.shift)) {
      const clickable = [...this.objects].filter(
        ([other, { piece, zone }]) => piece && zone === object.zone && this.targetOf(other) !== null,
      );
      const others = clickable.filter(([other, { piece }]) =>
        held.ctrl ? piece?.face !== object.piece?.face : other !== key,
      );
      return new Set(others.map(([other]) => other));
    }
    const after = new Set(selected);
    if (!after.delete(key)) after.add(key);
    return after;
  }
}
