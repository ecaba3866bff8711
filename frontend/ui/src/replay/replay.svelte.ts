/** The state of the viewer: which film runs, where it stands, and what moves it. */

import { Clock, shift, type Later, type Speed } from './clock';
import { Film, jump, type Moment } from './film';
import type { Command } from './keys';
import { Line, type Socket, type Status } from './line';
import type { Spot } from './link';
import { ALL, PUBLIC, type Eyes, type Frames, type Mark } from './protocol';

export interface Setting {
  readonly names: readonly string[];
  readonly spot: Spot;
  readonly dial: () => Socket;
  readonly later: Later;
}

/** Steps as large as this are drawn as a cut, smaller ones as a movement. */
const CUT = 8;

export class Replay {
  readonly names: readonly string[];
  /** The eyes that are asked for, and the ones that the picture is drawn for. */
  wanted = $state<Eyes>(PUBLIC);
  eyes = $state<Eyes>(PUBLIC);
  moments = $state.raw<readonly Moment[]>([]);
  length = $state(0);
  open = $state(true);
  index = $state(0);
  /** How far the last move went, in pictures. */
  stride = $state(0);
  /** Whether the newest picture is followed. */
  following = $state(false);
  playing = $state(false);
  speed = $state<Speed>(1);
  help = $state(false);
  /** Whether the entry is laid open beside the table. */
  inspecting = $state(false);
  notice = $state('');
  status = $state.raw<Status>({ kind: 'dialling', attempt: 0 });

  /** The entry to go to once it is there. */
  private target: number | null;
  private readonly films = new Map<Eyes, Film>();
  private readonly line: Line;
  private readonly clock: Clock;

  constructor(setting: Setting) {
    this.names = setting.names;
    this.target = setting.spot.at;
    this.wanted = this.eyes = setting.spot.eyes;
    this.clock = new Clock(() => this.tick(), setting.later);
    this.line = new Line(
      {
        dial: setting.dial,
        later: setting.later,
        last: (eyes) => this.films.get(eyes)?.last ?? -1,
        frames: (message, whole) => this.receive(message, whole),
        refused: (eyes, _code, detail) => this.refuse(eyes, detail),
        status: (status) => (this.status = status),
      },
      this.wanted,
    );
  }

  get moment(): Moment | undefined {
    return this.moments[this.index];
  }

  get atEnd(): boolean {
    return this.index >= this.moments.length - 1;
  }

  /** Whether the step to the picture shown is small enough to be drawn as a movement. */
  get smooth(): boolean {
    return this.stride !== 0 && Math.abs(this.stride) <= CUT;
  }

  /** The seat that is looked through, or null. */
  get seat(): number | null {
    return this.eyes === PUBLIC || this.eyes === ALL ? null : Number(this.eyes);
  }

  /** What the address should name. */
  get spot(): Spot {
    if (this.target !== null) return { at: this.target, eyes: this.wanted };
    return { at: this.following ? null : (this.moment?.at ?? null), eyes: this.eyes };
  }

  connect(): void {
    this.line.open();
  }

  dispose(): void {
    this.clock.stop();
    this.line.close();
  }

  /** Look through other eyes, at the same entry. */
  look(eyes: Eyes): void {
    this.notice = '';
    this.wanted = eyes;
    const film = this.films.get(eyes);
    if (film && film.last >= (this.moment?.at ?? 0)) this.show(film);
    this.line.look(eyes);
  }

  /** Go to a picture by its place in the list; stops following. */
  go(index: number): void {
    this.target = null;
    this.following = false;
    this.move(index);
  }

  goTo(at: number): void {
    this.go(this.films.get(this.eyes)?.indexOf(at) ?? 0);
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
    this.following = false;
    this.playing = true;
    this.clock.start(this.speed);
  }

  pause(): void {
    this.playing = false;
    this.clock.stop();
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    if (this.playing) this.clock.start(speed);
  }

  /** Do what a key or a button asks for. */
  do(command: Command): void {
    const leap = (step: 1 | -1, ...marks: Mark[]): void => this.go(jump(this.moments, this.index, step, marks));
    const commands: Record<Command, () => void> = {
      toggle: () => (this.playing ? this.pause() : this.play()),
      next: () => this.go(this.index + 1),
      previous: () => this.go(this.index - 1),
      'next-turn': () => leap(1, 'turn', 'phase'),
      'previous-turn': () => leap(-1, 'turn', 'phase'),
      'next-phase': () => leap(1, 'phase'),
      'previous-phase': () => leap(-1, 'phase'),
      'next-key': () => leap(1, 'key'),
      'previous-key': () => leap(-1, 'key'),
      first: () => this.go(0),
      last: () => (this.open ? this.follow() : this.go(this.moments.length - 1)),
      'next-eyes': () => this.nextEyes(),
      'all-eyes': () => this.look(this.wanted === ALL ? PUBLIC : ALL),
      faster: () => this.setSpeed(shift(this.speed, 1)),
      slower: () => this.setSpeed(shift(this.speed, -1)),
      inspect: () => (this.inspecting = !this.inspecting),
      help: () => (this.help = !this.help),
    };
    if (command !== 'toggle' && command !== 'faster' && command !== 'slower' && this.playing) this.pause();
    commands[command]();
  }

  private nextEyes(): void {
    const round: Eyes[] = [PUBLIC, ...this.names.map((_, seat) => String(seat))];
    this.look(round[(round.indexOf(this.wanted) + 1) % round.length] ?? PUBLIC);
  }

  private move(index: number): void {
    const there = Math.max(0, Math.min(index, this.moments.length - 1));
    this.stride = there - this.index;
    this.index = there;
  }

  private tick(): boolean {
    this.move(this.index + 1);
    if (!this.atEnd) return true;
    this.playing = false;
    this.following = this.open;
    return false;
  }

  private receive(message: Frames, whole: boolean): void {
    const film = this.films.get(message.eyes) ?? new Film(message.eyes);
    this.films.set(message.eyes, film);
    film.add(message.frames, whole);
    film.length = message.length;
    film.open = message.open;
    const at = this.moment?.at ?? -1;
    if (message.eyes === this.wanted && film.last >= at) this.show(film);
  }

  /** Draw this film from now on, at the entry where the one before stood. */
  private show(film: Film): void {
    const first = this.moments.length === 0;
    const at = this.moment?.at ?? -1;
    if (this.eyes !== film.eyes) this.stride = 0;
    this.eyes = film.eyes;
    this.moments = film.moments;
    this.length = film.length;
    this.open = film.open;
    if (this.target !== null) {
      this.move(film.indexOf(this.target));
      this.stride = 0;
      if (film.last >= this.target) this.target = null;
    } else if (first && film.open) this.following = true;
    else if (!this.following) this.index = film.indexOf(at);
    if (this.following) this.move(film.moments.length - 1);
  }

  private refuse(eyes: Eyes, detail: string): void {
    this.films.delete(eyes);
    this.notice = detail;
    if (this.wanted !== eyes) return;
    this.wanted = this.moments.length > 0 ? this.eyes : PUBLIC;
    this.eyes = this.wanted;
    this.line.look(this.wanted);
  }
}
