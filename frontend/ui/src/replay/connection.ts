/** WebSocket connection of a viewer. It reconnects, and has at most one unanswered `watch` message. */

import { FINAL_CODES, LASTING_REFUSALS, parseMessage, type Eyes, type Frames, type Watch } from './protocol';
import type { PlainKey } from './words';

/** Used part of the interface of a WebSocket, so that tests can replace it. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Hooks {
  /** Open a new socket. */
  dial(): Socket;
  /** Schedule a call; return a function that cancels it. */
  later(call: () => void, ms: number): () => void;
  /** Return a random number from 0 to 1. */
  random(): number;
  /** Return the number of the last frame known for these eyes; -1 if there is none. */
  last(eyes: Eyes): number;
  /** Handle frames; `whole` is true if the first of them contains the complete scene. */
  frames(message: Frames, whole: boolean): void;
  refused(eyes: Eyes, code: string, detail: string): void;
  status(status: Status): void;
}

export type Status =
  | { readonly kind: 'dialling'; readonly attempt: number }
  | { readonly kind: 'connected' }
  | { readonly kind: 'closed'; readonly why: PlainKey };

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 15_000;
/** Close code of a web server that shuts down. Its thousands of viewers reconnect over `RESTART_SPREAD_MS`. */
const SERVICE_RESTART_CODE = 1012;
const RESTART_SPREAD_MS = 5_000;

/**
 * Return the delay before an attempt (counted from 1). Its upper limit doubles with each attempt. `random` (0 to 1)
 * spreads the attempts of viewers that lost their connections together. `code` is the close code of a lost connection.
 */
export function reconnectDelay(attempt: number, random: number, code?: number): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return code === SERVICE_RESTART_CODE && attempt === 1 ? random * RESTART_SPREAD_MS : most * (0.5 + random / 2);
}

export class Connection {
  /** Eyes to watch with, eyes of the unanswered `watch` message, and eyes for which the server sends frames. */
  private wanted: Eyes;
  private requested: Eyes | null = null;
  private confirmed: Eyes | null = null;
  private socket: Socket | null = null;
  /** True if the socket can send. */
  private opened = false;
  private attempt = 0;
  private cancelTimer: () => void = () => undefined;

  constructor(
    private readonly hooks: Hooks,
    eyes: Eyes,
    private language: string,
  ) {
    this.wanted = eyes;
  }

  /** Connect, and reconnect whenever the connection drops. */
  open(): void {
    this.cancelTimer();
    this.hooks.status({ kind: 'dialling', attempt: this.attempt });
    const socket = this.hooks.dial();
    this.socket = socket;
    this.requested = this.confirmed = null;
    this.opened = false;
    socket.onopen = () => {
      this.opened = true;
      this.hooks.status({ kind: 'connected' });
      this.sendWatch();
    };
    socket.onmessage = (event) => this.receive(String(event.data));
    socket.onclose = (event) => this.handleClose(event.code);
  }

  /** Close the connection for good. */
  close(): void {
    this.cancelTimer();
    if (!this.socket) return;
    this.socket.onclose = this.socket.onmessage = this.socket.onopen = null;
    this.socket.close();
    this.socket = null;
  }

  /** Watch with other eyes, as soon as no `watch` message is unanswered. */
  look(eyes: Eyes): void {
    this.wanted = eyes;
    if (this.opened && this.requested === null && this.confirmed !== eyes) this.sendWatch();
  }

  /** Reconnect in another language. Frames in the previous language are dropped with their socket. */
  changeLanguage(language: string): void {
    this.language = language;
    if (!this.socket) return;
    this.close();
    this.open();
  }

  private sendWatch(): void {
    this.cancelTimer();
    const eyes = this.wanted;
    const watch: Watch = { type: 'watch', eyes, after: this.hooks.last(eyes), until: null, language: this.language };
    this.requested = eyes;
    this.socket?.send(JSON.stringify(watch));
  }

  private receive(text: string): void {
    const message = parseMessage(text);
    if (message === null) return;
    if (message.type === 'refused') {
      this.refuse(message.code, message.detail);
      return;
    }
    // late frames for the previous eyes are no reply; consecutive `watch` messages never name the same eyes
    const whole = this.requested === message.eyes;
    if (whole) {
      this.confirmed = this.requested;
      this.requested = null;
      this.attempt = 0;
    }
    this.hooks.frames(message, whole);
    if (whole && this.wanted !== this.confirmed) this.sendWatch();
  }

  private refuse(code: string, detail: string): void {
    const eyes = this.requested;
    this.requested = null;
    if (eyes === null) return;
    if (!LASTING_REFUSALS.includes(code)) {
      this.confirmed = null; // the server no longer sends frames for the previous eyes
      this.attempt += 1;
      this.cancelTimer = this.hooks.later(() => this.sendWatch(), reconnectDelay(this.attempt, this.hooks.random()));
      this.hooks.refused(eyes, code, detail);
      return;
    }
    if (this.wanted === eyes && this.confirmed !== null) this.wanted = this.confirmed;
    this.hooks.refused(eyes, code, detail);
    if (this.requested === null && this.wanted !== this.confirmed && this.wanted !== eyes) this.sendWatch();
  }

  private handleClose(code: number): void {
    this.cancelTimer();
    this.socket = null;
    this.opened = false;
    const why = FINAL_CODES.get(code);
    if (why !== undefined) {
      this.hooks.status({ kind: 'closed', why });
      return;
    }
    this.attempt += 1;
    this.hooks.status({ kind: 'dialling', attempt: this.attempt });
    this.cancelTimer = this.hooks.later(() => this.open(), reconnectDelay(this.attempt, this.hooks.random(), code));
  }
}
