/** Session of a person at a seat: polls for questions, sends answers, and selects the rules that the guide explains. */

import type { Replay } from '../replay.svelte';
import { language } from '../translation.svelte';
import { readItem, writeItem } from '../local-storage';
import { fetchOffer, sendAnswer, type Offer } from './offer';

const FIRST_POLL_MS = 150;
const MAX_POLL_MS = 2000;
const IDLE_POLL_MS = 10_000;
const GUIDE = 'ftk-guide';
const DIRECT = 'ftk-send-at-once';

export class SeatSession {
  offer = $state.raw<Offer | null>(null);
  busy = $state(false);
  /** Code of the last refusal by the server, or `failed` if the answer did not reach it. */
  errorCode = $state('');
  hints = $state(false);
  /** Index of the item that is chosen but not sent yet. */
  picked = $state<number | null>(null);
  /** True if an item is sent as soon as it is chosen. */
  direct = $state(readItem(DIRECT) === 'yes');
  guided = $state(false);
  /** Deadline for the answer, by this device's clock; null if there is none. */
  until = $state<number | null>(null);
  /** Number of the question in which each kind of item first appeared. Its rule is explained at that question. */
  private readonly questionByKind: Map<string, number>;
  private readonly address: string;
  private readonly storageKey: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wait = FIRST_POLL_MS;
  /** Number of the newest request. Replies to earlier ones are ignored. */
  private lastRequest = 0;
  /** Number of the last answered question. Reset to null later, because the server may ask it again. */
  private answeredQuestion: number | null = null;
  private disposed = false;

  constructor(
    private readonly replay: Replay,
    match: string,
    private readonly seat: number,
    first: boolean,
    /** Callback for each new question, and for the end of one. */
    private readonly onQuestion: () => void,
  ) {
    this.address = `/matches/${match}/seat/${seat}/`;
    this.storageKey = `${GUIDE}-${match}`;
    this.guided = (readItem(GUIDE) ?? (first ? 'yes' : 'no')) === 'yes';
    this.questionByKind = new Map(JSON.parse(readItem(this.storageKey) ?? '[]') as [string, number][]);
  }

  get asked(): boolean {
    return this.offer?.asked ?? false;
  }

  /** Rules of the kinds of items that appear for the first time in this question. */
  get rules(): Offer['guide'] {
    if (!this.guided || !this.asked) return [];
    return (this.offer?.guide ?? []).filter(({ kind }) => this.questionByKind.get(kind) === this.offer?.number);
  }

  setGuided(wanted: boolean): void {
    this.guided = wanted;
    writeItem(GUIDE, wanted ? 'yes' : 'no');
  }

  setDirect(wanted: boolean): void {
    this.direct = wanted;
    writeItem(DIRECT, wanted ? 'yes' : 'no');
  }

  /** Choose an item. It is sent when it is confirmed, or at once if it is the only one or `direct` is set. */
  pick(index: number): void {
    if (this.direct || this.offer?.items.length === 1) void this.send(index);
    else this.picked = index;
  }

  confirm(): void {
    if (this.picked !== null) void this.send(this.picked);
  }

  /** Poll at once, and again at short intervals while a question is due. */
  pollNow(): void {
    this.wait = FIRST_POLL_MS;
    void this.poll();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async poll(): Promise<void> {
    clearTimeout(this.timer);
    if (this.disposed) return;
    const request = ++this.lastRequest;
    const offer = await fetchOffer(`${this.address}?lang=${language()}${this.hints ? '&hint=1' : ''}`);
    if (this.disposed || request !== this.lastRequest) return;
    if (offer) this.apply(offer);
    if (offer?.over) return;
    // a frame may arrive before the question that follows from it
    const due = this.replay.moments.at(-1)?.toAct.includes(this.seat) ?? true;
    this.wait = offer?.asked || !due ? IDLE_POLL_MS : Math.min(this.wait * 2, MAX_POLL_MS);
    this.timer = setTimeout(() => void this.poll(), this.wait);
  }

  private apply(offer: Offer): void {
    const isNew = offer.number !== this.offer?.number || offer.asked !== this.offer.asked;
    this.offer = offer;
    this.until = offer.left_ms === null ? null : Date.now() + offer.left_ms;
    if (!isNew) return;
    this.busy = false;
    this.picked = null;
    if (offer.asked) {
      this.errorCode = '';
      for (const { kind } of offer.guide) {
        if (!this.questionByKind.has(kind)) this.questionByKind.set(kind, offer.number);
      }
      writeItem(this.storageKey, JSON.stringify([...this.questionByKind]));
    }
    this.onQuestion();
  }

  /** Send an item as the answer. Ignore a second answer while one is on its way, and shortly after it. */
  private async send(index: number): Promise<void> {
    if (!this.offer || this.busy || this.answeredQuestion === this.offer.number) return;
    this.busy = true;
    const token = document.querySelector<HTMLInputElement>('[name=csrfmiddlewaretoken]')?.value ?? '';
    const { number } = this.offer;
    const refusal = await sendAnswer(this.address, number, index, token);
    this.busy = false;
    this.errorCode = refusal ?? '';
    this.picked = null;
    if (refusal === null) {
      this.replay.follow();
      this.answeredQuestion = number;
      setTimeout(() => (this.answeredQuestion = null), MAX_POLL_MS);
    }
    this.pollNow();
  }
}
