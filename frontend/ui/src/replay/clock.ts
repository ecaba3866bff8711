/** Timer of playback: one tick per frame, with a duration for each frame, and only one timer at a time. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** Milliseconds for which a normal frame is shown at speed 1. */
export const STEP_MS = 900;

export type Later = (call: () => void, ms: number) => () => void;

/** Wait by the browser's clock. */
export const later: Later = (call, ms) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Return the speed next to one, faster (+1) or slower (-1), within the list. */
export function shift(speed: Speed, by: 1 | -1): Speed {
  const index = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by));
  return SPEEDS[index] ?? 1;
}

export class Clock {
  private forget: (() => void) | null = null;

  /** `tick` returns false to stop. `standsMs` returns the milliseconds for which the present frame is shown. */
  constructor(
    private readonly tick: () => boolean,
    private readonly standsMs: () => number,
    private readonly wait: Later = later,
  ) {}

  get running(): boolean {
    return this.forget !== null;
  }

  /** Start the timer, or restart it after a change of speed. */
  start(): void {
    this.stop();
    this.forget = this.wait(() => {
      this.forget = null;
      if (this.tick() && this.forget === null) this.start();
    }, this.standsMs());
  }

  stop(): void {
    this.forget?.();
    this.forget = null;
  }
}
