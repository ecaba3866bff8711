/** The connection to the server: one socket that redials, and at most one open question on it. */

import { FINAL_CODES, hear, LASTING_REFUSALS, type Eyes, type Frames, type Watch } from './protocol';
import type { Plain } from './words';

/** As much of a WebSocket as is used, so that a test can hold the other end. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Hooks {
  /** Return a new socket. */
  dial(): Socket;
  /** Call back later; returns how to forget it. */
  later(call: () => void, ms: number): () => void;
  /** A number from 0 to 1, another one each time. */
  luck(): number;
  /** The last entry known through these eyes. */
  last(eyes: Eyes): number;
  /** Frames came; `whole` says that the first of them holds everything. */
  frames(message: Frames, whole: boolean): void;
  refused(eyes: Eyes, code: string, detail: string): void;
  status(status: Status): void;
}

export type Status =
  | { readonly kind: 'dialling'; readonly attempt: number }
  | { readonly kind: 'connected' }
  | { readonly kind: 'closed'; readonly why: Plain };

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
/** What a web server hangs up with that is about to leave: it has thousands of watchers, who come back over this time. */
const LEAVING = 1012;
const SPREAD_MS = 5_000;

/**
 * How long to wait before an attempt (counted from 1): up to a bound that doubles each time, as luck (0 to 1) has it,
 * so that not all who were cut off together come back together. `code` is the close code of a connection that dropped.
 */
export function waitBefore(attempt: number, luck: number, code?: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return code === LEAVING && attempt === 1 ? luck * SPREAD_MS : most * (0.5 + luck / 2);
}

export class Connection {
  /** The eyes wanted, the ones asked for and not answered yet, and the ones the server now sends for. */
  private wanted: Eyes;
  private asked: Eyes | null = null;
  private given: Eyes | null = null;
  private socket: Socket | null = null;
  /** Whether the socket can be sent to. */
  private opened = false;
  private attempt = 0;
  private forget: () => void = () => undefined;

  constructor(
    private readonly hooks: Hooks,
    eyes: Eyes,
    private language: string,
  ) {
    this.wanted = eyes;
  }

  /** Dial, and keep redialling when the connection drops. */
  open(): void {
    this.forget();
    this.hooks.status({ kind: 'dialling', attempt: this.attempt });
    const socket = this.hooks.dial();
    this.socket = socket;
    this.asked = this.given = null;
    this.opened = false;
    socket.onopen = () => {
      this.opened = true;
      this.hooks.status({ kind: 'connected' });
      this.ask();
    };
    socket.onmessage = (event) => this.receive(String(event.data));
    socket.onclose = (event) => this.dropped(event.code);
  }

  /** Hang up for good. */
  close(): void {
    this.forget();
    if (!this.socket) return;
    this.socket.onclose = this.socket.onmessage = this.socket.onopen = null;
    this.socket.close();
    this.socket = null;
  }

  /** Look through other eyes; asked once the open question is answered. */
  look(eyes: Eyes): void {
    this.wanted = eyes;
    if (this.opened && this.asked === null && this.given !== eyes) this.ask();
  }

  /** Be told in another language from now on: what was sent in the one before is left behind with its socket. */
  speak(language: string): void {
    this.language = language;
    if (!this.socket) return;
    this.close();
    this.open();
  }

  private ask(): void {
    this.forget();
    const eyes = this.wanted;
    const watch: Watch = { type: 'watch', eyes, after: this.hooks.last(eyes), until: null, language: this.language };
    this.asked = eyes;
    this.socket?.send(JSON.stringify(watch));
  }

  private receive(text: string): void {
    const message = hear(text);
    if (message === null) return;
    if (message.type === 'refused') {
      this.refuse(message.code, message.detail);
      return;
    }
    // what still comes for the eyes before is no answer; two questions in a row never name the same eyes
    const whole = this.asked === message.eyes;
    if (whole) {
      this.given = this.asked;
      this.asked = null;
      this.attempt = 0;
    }
    this.hooks.frames(message, whole);
    if (whole && this.wanted !== this.given) this.ask();
  }

  private refuse(code: string, detail: string): void {
    const eyes = this.asked;
    this.asked = null;
    if (eyes === null) return;
    if (!LASTING_REFUSALS.includes(code)) {
      this.given = null; // the server no longer sends for the eyes before
      this.attempt += 1;
      this.forget = this.hooks.later(() => this.ask(), waitBefore(this.attempt, this.hooks.luck()));
      this.hooks.refused(eyes, code, detail);
      return;
    }
    if (this.wanted === eyes && this.given !== null) this.wanted = this.given;
    this.hooks.refused(eyes, code, detail);
    if (this.asked === null && this.wanted !== this.given && this.wanted !== eyes) this.ask();
  }

  private dropped(code: number): void {
    this.forget();
    this.socket = null;
    this.opened = false;
    const why = FINAL_CODES.get(code);
    if (why !== undefined) {
      this.hooks.status({ kind: 'closed', why });
      return;
    }
    this.attempt += 1;
    this.hooks.status({ kind: 'dialling', attempt: this.attempt });
    this.forget = this.hooks.later(() => this.open(), waitBefore(this.attempt, this.hooks.luck(), code));
  }
}
