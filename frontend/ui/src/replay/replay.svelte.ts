/** Playback of a match: reels, position, commands, and the connection that feeds them. */

import { Clock, type Speed } from './clock';
import { CommandQueue } from './commands';
import { Reel, firstChoice } from './reel';
import type { Command } from './keys';
import { Connection, type Status } from './connection';
import type { Spot } from './link';
import { FRESH, LASTING_REFUSALS, PUBLIC, type Eyes, type Frames, type Refusal } from './protocol';
import type { ReplayOptions } from './replay-options';
import { ReplayState } from './replay-state.svelte';
import { Tempo } from './tempo.svelte';
import { SpoilerGuard } from './spoiler-guard.svelte';

/** Number of new frames beyond which the newest is shown at once, even to a person who plays. */
const MAX_SHOWN_ONE_BY_ONE = 40;

export class Replay extends ReplayState {
  readonly names: readonly string[];
  playing = $state(false);
  speed = $state<Speed>(1);
  help = $state(false);
  /** True if the inspector is open. */
  inspecting = $state(false);
  /** True while the viewer waits for the first choice, at which it opens. The board is not shown before. */
  opening = $state(false);
  override readonly spoilerGuard: SpoilerGuard;
  readonly tempo = new Tempo(this);
  /** Refusal of other eyes; null if they were not refused. */
  refusal = $state.raw<Refusal | null>(null);
  status = $state.raw<Status>({ kind: 'dialling', attempt: 0 });

  /** Number of the frame to go to once it has arrived. */
  private target: number | null;
  private readonly commandQueue = new CommandQueue(this);
  private readonly paced: () => boolean;
  /** True if other eyes were requested: spoiler-free watching ends when their frames are shown. */
  private endsSpoilerFree = false;
  /** True once the newest frame has been shown, so that later frames are new to the reader. */
  private upToDate = false;
  private language: string;
  private readonly reels = new Map<Eyes, Reel>();
  private readonly connection: Connection;
  private readonly clock: Clock;

  constructor(options: ReplayOptions) {
    super();
    this.names = options.names;
    this.target = options.spot.at;
    this.language = options.language ?? 'en';
    this.paced = options.paced ?? (() => false);
    this.spoilerGuard = new SpoilerGuard(options.spot.eyes === FRESH);
    this.wanted = this.eyes = this.spoilerGuard.enabled ? PUBLIC : options.spot.eyes;
    this.clock = new Clock(() => this.tick(), () => this.tempo.frameMs, options.later);
    this.connection = new Connection(
      {
        dial: options.dial,
        later: options.later,
        random: options.random ?? Math.random,
        last: (eyes) => this.reels.get(eyes)?.last ?? -1,
        frames: (message, whole) => this.receive(message, whole),
        refused: (eyes, code, detail) => this.refuse({ eyes, code, detail }),
        status: (status) => (this.status = status),
      },
      this.wanted,
      this.language,
    );
  }

  /** Frame and eyes for the address bar. */
  get spot(): Spot {
    const eyes = this.spoilerGuard.enabled ? FRESH : this.target === null ? this.eyes : this.wanted;
    return { at: this.target ?? (this.following ? null : (this.moment?.at ?? null)), eyes };
  }

  connect(): void {
    this.connection.open();
  }

  dispose(): void {
    this.clock.stop();
    this.connection.close();
  }

  /** Load the frames in another language. The old moments stay until the new ones have arrived. */
  changeLanguage(language: string): void {
    if (this.language === language) return;
    this.language = language;
    this.reels.clear();
    this.stride = 0;
    this.connection.changeLanguage(language);
  }

  /** Watch with other eyes, at the same frame. */
  look(eyes: Eyes): void {
    this.refusal = null;
    this.endsSpoilerFree = eyes !== FRESH;
    if (eyes === FRESH) this.hide();
    this.wanted = eyes === FRESH ? PUBLIC : eyes;
    const reel = this.reels.get(eyes);
    if (reel && reel.last >= (this.moment?.at ?? 0)) this.show(reel);
    this.connection.look(this.wanted);
  }

  /** Start spoiler-free watching at the shown moment, or at the first one if the match is at its end. */
  private hide(): void {
    if (this.finished) this.go(0);
    this.following = false;
    this.spoilerGuard.hideAfter(this.index);
  }

  /** Go to the moment at an index; stop following a live match. */
  go(index: number): void {
    this.target = null;
    this.opening = false;
    this.following = false;
    if (!this.playing) this.clock.stop(); // the clock may be showing new frames one by one
    this.move(index);
  }

  goTo(at: number): void {
    // `moments` may belong to a reel that was just replaced, so that `Reel.indexOf` does not apply
    this.go(Math.max(0, this.moments.findLastIndex((moment) => moment.at <= at)));
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

  /** Execute the command of a key or a button. */
  do(command: Command): void {
    this.commandQueue.submit(command);
  }

  private move(index: number): void {
    const target = Math.max(0, Math.min(index, this.moments.length - 1));
    this.stride = target - this.index;
    this.index = target;
    this.spoilerGuard.recordWatched(target, this.finished);
  }

  private tick(): boolean {
    this.move(this.index + 1);
    if (!this.atEnd || this.awaitsFrames) return true;
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
    this.commandQueue.flush();
  }

  /** Show this reel from now on, at the frame that the previous reel showed. */
  private show(reel: Reel): void {
    if (this.endsSpoilerFree) this.spoilerGuard.disable();
    this.endsSpoilerFree = false;
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
    } else if (first && reel.open && !this.spoilerGuard.enabled) this.following = true;
    else if (first || this.opening) this.openAtFirstChoice(reel);
    else if (!this.following) this.index = reel.indexOf(at);
    if (this.following) this.keepUp(paced);
    this.upToDate = reel.last >= reel.length - 1;
    this.spoilerGuard.recordWatched(this.index, this.finished);
  }

  /** Show the newest frame: at once, or if `paced` after showing the frames before it. */
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

  /** Open a match at its first choice, because the table is empty before it. Wait until it has arrived. */
  private openAtFirstChoice(reel: Reel): void {
    this.move(firstChoice(reel.moments));
    this.stride = 0;
    this.opening = this.index === 0 && reel.last < reel.length - 1;
  }

  private refuse(refusal: Refusal): void {
    const { eyes, code } = refusal;
    if (this.wanted === eyes) this.refusal = refusal;
    if (!LASTING_REFUSALS.includes(code)) return; // the connection repeats the request
    this.reels.delete(eyes);
    const fallback = this.moments.length > 0 && this.eyes !== eyes ? this.eyes : PUBLIC;
    if (this.wanted !== eyes || fallback === eyes) return;
    this.endsSpoilerFree = false;
    this.wanted = fallback;
    if (this.moments.length === 0) this.eyes = this.wanted;
    this.connection.look(this.wanted);
  }
}
