/** The clock of playing: one tick a picture, slower where it matters, faster or slower, and never two clocks at once. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** How long an ordinary picture stands at speed 1. */
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

  /** `tick` returns whether to go on, `standsMs` how long the picture stands that is shown. */
  constructor(
    private readonly tick: () => boolean,
    private readonly standsMs: () => number,
    private readonly wait: Later = later,
  ) {}

  get running(): boolean {
    return this.forget !== null;
  }

  /** Start, or go on at another pace. */
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
