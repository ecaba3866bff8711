/** A person's side of a match: what they are asked, what they answer, and the rules that they are told on the way. */

import type { Replay } from '../replay.svelte';
import { language } from '../speech.svelte';
import { keep, kept } from './keeping';
import { answer, ask, type Offer } from './offer';

const SOON_MS = 150;
const LATER_MS = 2000;
const RARELY_MS = 10_000;
const GUIDE = 'ftk-guide';
const DIRECT = 'ftk-send-at-once';

export class Sitting {
  offer = $state.raw<Offer | null>(null);
  busy = $state(false);
  /** Why an answer was refused: the server's code, or that it did not get through. */
  trouble = $state('');
  hints = $state(false);
  /** The item that is chosen but not sent yet, by its index in the menu. */
  picked = $state<number | null>(null);
  /** True if an item is sent as soon as it is chosen. */
  direct = $state(kept(DIRECT) === 'yes');
  guided = $state(false);
  /** Until when there is time, by this machine's clock; null is for ever. */
  until = $state<number | null>(null);
  /** By kind of item the question at which it was first met: its rule is told then. */
  private readonly met: Map<string, number>;
  private readonly address: string;
  private readonly notes: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wait = SOON_MS;
  /** Number of the newest request: replies to those before it are out of date. */
  private newest = 0;
  /** Number of the question that was answered last; null some time afterwards, when it may be asked again. */
  private answered: number | null = null;
  private disposed = false;

  constructor(
    private readonly replay: Replay,
    match: string,
    private readonly seat: number,
    first: boolean,
    /** Called with every new question, and when one is answered. */
    private readonly fresh: () => void,
  ) {
    this.address = `/matches/${match}/seat/${seat}/`;
    this.notes = `${GUIDE}-${match}`;
    this.guided = (kept(GUIDE) ?? (first ? 'yes' : 'no')) === 'yes';
    this.met = new Map(JSON.parse(kept(this.notes) ?? '[]') as [string, number][]);
  }

  get asked(): boolean {
    return this.offer?.asked ?? false;
  }

  /** What is told of this question: the rules of what was never on a menu before. */
  get rules(): Offer['guide'] {
    if (!this.guided || !this.asked) return [];
    return (this.offer?.guide ?? []).filter(({ kind }) => this.met.get(kind) === this.offer?.number);
  }

  guide(wanted: boolean): void {
    this.guided = wanted;
    keep(GUIDE, wanted ? 'yes' : 'no');
  }

  sendAtOnce(wanted: boolean): void {
    this.direct = wanted;
    keep(DIRECT, wanted ? 'yes' : 'no');
  }

  /** Choose an item: it is sent once it is confirmed, or at once if that is wanted or there is no other. */
  pick(index: number): void {
    if (this.direct || this.offer?.items.length === 1) void this.send(index);
    else this.picked = index;
  }

  confirm(): void {
    if (this.picked !== null) void this.send(this.picked);
  }

  /** Look at once, and soon again if what is to come is not there yet. */
  lookAnew(): void {
    this.wait = SOON_MS;
    void this.look();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    if (this.disposed) return;
    const request = ++this.newest;
    const told = await ask(`${this.address}?lang=${language()}${this.hints ? '&hint=1' : ''}`);
    if (this.disposed || request !== this.newest) return;
    if (told) this.take(told);
    if (told?.over) return;
    // a picture may come before the question that follows from it
    const due = this.replay.moments.at(-1)?.toAct.includes(this.seat) ?? true;
    this.wait = told?.asked || !due ? RARELY_MS : Math.min(this.wait * 2, LATER_MS);
    this.timer = setTimeout(() => void this.look(), this.wait);
  }

  private take(told: Offer): void {
    const fresh = told.number !== this.offer?.number || told.asked !== this.offer.asked;
    this.offer = told;
    this.until = told.left_ms === null ? null : Date.now() + told.left_ms;
    if (!fresh) return;
    this.busy = false;
    this.picked = null;
    if (told.asked) {
      this.trouble = '';
      for (const { kind } of told.guide) if (!this.met.has(kind)) this.met.set(kind, told.number);
      keep(this.notes, JSON.stringify([...this.met]));
    }
    this.fresh();
  }

  /** Answer with an item of the menu. Ignore a second answer while one is on its way, or just after it. */
  private async send(index: number): Promise<void> {
    if (!this.offer || this.busy || this.answered === this.offer.number) return;
    this.busy = true;
    const token = document.querySelector<HTMLInputElement>('[name=csrfmiddlewaretoken]')?.value ?? '';
    const { number } = this.offer;
    const why = await answer(this.address, number, index, token);
    this.busy = false;
    this.trouble = why ?? '';
    this.picked = null;
    if (why === null) {
      this.replay.follow();
      this.answered = number;
      setTimeout(() => (this.answered = null), LATER_MS);
    }
    this.lookAnew();
  }
}
