/** Timer of playback: one tick per frame, with a duration for each frame, and only one timer at a time. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** Milliseconds for which a normal frame is shown at speed 1. */
export const STEP_MS = 900;

/** Timer function: schedules a call, and returns a function that cancels it. */
export type Later = (call: () => void, ms: number) => () => void;

/** Schedule a call with `setTimeout`. */
export const later: Later = (call, ms) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Return the next faster (+1) or slower (-1) speed of the list. */
export function shift(speed: Speed, by: 1 | -1): Speed {
  const index = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by));
  return SPEEDS[index] ?? 1;
}

export class Clock {
  private cancel: (() => void) | null = null;

  /** `tick` returns false to stop. `frameMs` returns the milliseconds for which the current frame is shown. */
  constructor(
    private readonly tick: () => boolean,
    private readonly frameMs: () => number,
    private readonly wait: Later = later,
  ) {}

  get running(): boolean {
    return this.cancel !== null;
  }

  /** Start the timer, or restart it after a change of speed. */
  start(): void {
    this.stop();
    this.cancel = this.wait(() => {
      this.cancel = null;
      if (this.tick() && this.cancel === null) this.start();
    }, this.frameMs());
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
