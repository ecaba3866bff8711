/** The other end of the line, held in the hand of a test. */

import type { Socket } from '../src/replay/connection';
import { Replay } from '../src/replay/replay.svelte';
import type { Duration, Frame, Frames, Watch } from '../src/replay/protocol';

export class FarEnd implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly asked: Watch[] = [];
  closed = false;

  send(text: string): void {
    this.asked.push(JSON.parse(text) as Watch);
  }

  close(): void {
    this.closed = true;
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Send pictures; from entry `asked` on somebody is to act. */
  frames(eyes: string, ats: readonly number[], open = true, length = (ats.at(-1) ?? 0) + 1, asked = Infinity): void {
    const frames = ats.map((at): Frame => ({
      at,
      kind: 'k',
      say: `${eyes} ${at}`,
      seats_to_act: at >= asked ? [0] : [],
      zones: [{ key: 'z', label: eyes }],
    }));
    const message: Frames = { type: 'frames', eyes, frames, length, open };
    this.say(message);
  }

  /** Send one frame with each of these durations. */
  lasting(durations: readonly Duration[], open: boolean): void {
    const frames = durations.map((duration, at): Frame => ({ at, kind: 'k', say: `${at}`, duration }));
    const message: Frames = { type: 'frames', eyes: 'public', frames, length: frames.length, open };
    this.say(message);
  }

  /** Show a picture ahead of those before it. */
  glimpse(eyes: string, at: number): void {
    const glimpse: Frame = { at, kind: 'k', say: `${eyes} ${at}`, zones: [{ key: 'z', label: eyes }] };
    const message: Frames = { type: 'frames', eyes, frames: [], glimpse, length: at + 1, open: true };
    this.say(message);
  }

  refuse(detail = 'not now', code = 'eyes_closed'): void {
    this.say({ type: 'refused', code, detail });
  }
}

/** Sockets in the order of dialling, and calls that wait until the test lets them through. */
export class Exchange {
  readonly sockets: FarEnd[] = [];
  readonly waiting: { call: () => void; ms: number }[] = [];
  luck = 1;
  /** Whether a live match is shown frame by frame, as to somebody who plays. */
  paced = false;

  readonly dial = (): FarEnd => {
    const socket = new FarEnd();
    this.sockets.push(socket);
    return socket;
  };

  /** A viewer whose line is open. */
  watching(at: number | null = null, eyes = 'public'): Replay {
    const { dial, later } = this;
    const replay = new Replay({ names: ['Ada', 'Bo'], spot: { at, eyes }, dial, later, random: () => this.luck, paced: () => this.paced });
    replay.connect();
    this.socket.onopen?.();
    return replay;
  }

  readonly later = (call: () => void, ms: number): (() => void) => {
    const entry = { call, ms };
    this.waiting.push(entry);
    return () => {
      const index = this.waiting.indexOf(entry);
      if (index >= 0) this.waiting.splice(index, 1);
    };
  };

  get socket(): FarEnd {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody has dialled');
    return socket;
  }

  /** Let the oldest waiting call through; returns how long it had to wait. */
  pass(): number {
    const entry = this.waiting.shift();
    if (!entry) throw new Error('nothing waits');
    entry.call();
    return entry.ms;
  }
}
