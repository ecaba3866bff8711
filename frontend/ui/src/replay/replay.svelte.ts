/** The state of the viewer: which reel runs, where it stands, and what moves it. */

import { Clock, type Speed } from './clock';
import { Orders } from './commands';
import { Reel, firstChoice } from './reel';
import type { Command } from './keys';
import { Connection, type Status } from './connection';
import type { Spot } from './link';
import { FRESH, LASTING_REFUSALS, PUBLIC, type Eyes, type Frames, type Refusal } from './protocol';
import type { Setting } from './setting';
import { ShownPictures } from './shown.svelte';
import { Tempo } from './tempo.svelte';
import { Veil } from './veil.svelte';

/** Number of new frames beyond which the newest is shown at once, even where somebody plays. */
const MAX_SHOWN_ONE_BY_ONE = 40;

export class Replay extends ShownPictures {
  readonly names: readonly string[];
  playing = $state(false);
  speed = $state<Speed>(1);
  help = $state(false);
  /** Whether the entry is laid open beside the table. */
  inspecting = $state(false);
  /** Whether it is still to be opened at its first choice: nothing is shown before that has come. */
  opening = $state(false);
  override readonly veil: Veil;
  readonly tempo = new Tempo(this);
  /** Why other eyes were refused; null when they were not. */
  refusal = $state.raw<Refusal | null>(null);
  status = $state.raw<Status>({ kind: 'dialling', attempt: 0 });

  /** The entry to go to once it is there. */
  private target: number | null;
  private readonly orders = new Orders(this);
  private readonly paced: () => boolean;
  /** True if other eyes are asked for that end spoiler-free watching once their frames are drawn. */
  private unveils = false;
  /** True once the newest frame has been shown: what comes later happens before the reader's eyes. */
  private upToDate = false;
  private language: string;
  private readonly reels = new Map<Eyes, Reel>();
  private readonly connection: Connection;
  private readonly clock: Clock;

  constructor(setting: Setting) {
    super();
    this.names = setting.names;
    this.target = setting.spot.at;
    this.language = setting.language ?? 'en';
    this.paced = setting.paced ?? (() => false);
    this.veil = new Veil(setting.spot.eyes === FRESH);
    this.wanted = this.eyes = this.veil.on ? PUBLIC : setting.spot.eyes;
    this.clock = new Clock(() => this.tick(), () => this.tempo.standsMs, setting.later);
    this.connection = new Connection(
      {
        dial: setting.dial,
        later: setting.later,
        luck: setting.luck ?? Math.random,
        last: (eyes) => this.reels.get(eyes)?.last ?? -1,
        frames: (message, whole) => this.receive(message, whole),
        refused: (eyes, code, detail) => this.refuse({ eyes, code, detail }),
        status: (status) => (this.status = status),
      },
      this.wanted,
      this.language,
    );
  }

  /** What the address should name. */
  get spot(): Spot {
    const eyes = this.veil.on ? FRESH : this.target === null ? this.eyes : this.wanted;
    return { at: this.target ?? (this.following ? null : (this.moment?.at ?? null)), eyes };
  }

  connect(): void {
    this.connection.open();
  }

  dispose(): void {
    this.clock.stop();
    this.connection.close();
  }

  /** Be told in another language, at the same entry; the pictures stay until the new ones come. */
  speak(language: string): void {
    if (this.language === language) return;
    this.language = language;
    this.reels.clear();
    this.stride = 0;
    this.connection.speak(language);
  }

  /** Look through other eyes, at the same entry. */
  look(eyes: Eyes): void {
    this.refusal = null;
    this.unveils = eyes !== FRESH;
    if (eyes === FRESH) this.hide();
    this.wanted = eyes === FRESH ? PUBLIC : eyes;
    const reel = this.reels.get(eyes);
    if (reel && reel.last >= (this.moment?.at ?? 0)) this.show(reel);
    this.connection.look(this.wanted);
  }

  /** Keep back what is to come; from the beginning, if nothing is. */
  private hide(): void {
    if (this.finished) this.go(0);
    this.following = false;
    this.veil.draw(this.index);
  }

  /** Go to a picture by its place in the list; stops following. */
  go(index: number): void {
    this.target = null;
    this.opening = false;
    this.following = false;
    if (!this.playing) this.clock.stop(); // it may be showing new frames one by one
    this.move(index);
  }

  goTo(at: number): void {
    this.go(Math.max(0, this.moments.findLastIndex((moment) => moment.at <= at))); // the reel may just be replaced
  }

  follow(): void {
    this.target = null;
    this.pause();
    this.following = this.open;
    this.move(this.moments.length - 1);
  }

  play(): void {
    if (this.atEnd && this.open) return this.follow();
    if (this.atEnd) this.go(0);
    this.target = null;
    this.following = this.opening = false;
    this.playing = true;
    this.clock.start();
  }

  pause(): void {
    this.playing = false;
    this.clock.stop();
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    if (this.playing) this.clock.start();
  }

  /** Do what a key or a button asks for. */
  do(command: Command): void {
    this.orders.give(command);
  }

  private move(index: number): void {
    const there = Math.max(0, Math.min(index, this.moments.length - 1));
    this.stride = there - this.index;
    this.index = there;
    this.veil.watched(there, this.finished);
  }

  private tick(): boolean {
    this.move(this.index + 1);
    if (!this.atEnd || this.coming) return true; // pictures may be on their way
    this.playing = false;
    this.following = this.open;
    return false;
  }

  private receive(message: Frames, whole: boolean): void {
    const reel = this.reels.get(message.eyes) ?? new Reel(message.eyes);
    this.reels.set(message.eyes, reel);
    reel.take(message, whole);
    if (this.refusal?.eyes === message.eyes) this.refusal = null;
    const at = this.moments[this.index]?.at ?? -1;
    if (message.eyes === this.wanted && reel.last >= at) this.show(reel);
    this.orders.catchUp();
  }

  /** Draw this reel from now on, at the entry where the one before stood. */
  private show(reel: Reel): void {
    if (this.unveils) this.veil.drop();
    this.unveils = false;
    const first = this.moments.length === 0;
    const at = this.moments[this.index]?.at ?? -1;
    const paced = this.upToDate && this.eyes === reel.eyes && this.paced();
    if (this.eyes !== reel.eyes) this.stride = 0;
    this.eyes = reel.eyes;
    ({ moments: this.moments, length: this.length, open: this.open, ahead: this.ahead } = reel);
    if (this.target !== null) {
      this.move(reel.indexOf(this.target));
      this.stride = 0;
      if (reel.last >= this.target) this.target = null;
    } else if (first && reel.open && !this.veil.on) this.following = true;
    else if (first || this.opening) this.begin(reel);
    else if (!this.following) this.index = reel.indexOf(at);
    if (this.following) this.keepUp(paced);
    this.upToDate = reel.last >= reel.length - 1;
    this.veil.watched(this.index, this.finished);
  }

  /** Show the newest frame: at once, or after those before it. */
  private keepUp(paced: boolean): void {
    const newest = this.moments.length - 1;
    const behind = newest - this.index;
    if (!paced || behind > MAX_SHOWN_ONE_BY_ONE) {
      this.pause();
      this.move(newest);
    } else if (!this.clock.running && behind > 0) {
      this.move(this.index + 1);
      if (!this.atEnd) this.clock.start();
    }
  }

  /** Open a match with its first choice rather than on an empty table, once that has come. */
  private begin(reel: Reel): void {
    this.move(firstChoice(reel.moments));
    this.stride = 0;
    this.opening = this.index === 0 && reel.last < reel.length - 1;
  }

  private refuse(refusal: Refusal): void {
    const { eyes, code } = refusal;
    if (this.wanted === eyes) this.refusal = refusal;
    if (!LASTING_REFUSALS.includes(code)) return; // the connection asks again
    this.reels.delete(eyes);
    const fallback = this.moments.length > 0 && this.eyes !== eyes ? this.eyes : PUBLIC;
    if (this.wanted !== eyes || fallback === eyes) return;
    this.unveils = false;
    this.wanted = fallback;
    if (this.moments.length === 0) this.eyes = this.wanted;
    this.connection.look(this.wanted);
  }
}
