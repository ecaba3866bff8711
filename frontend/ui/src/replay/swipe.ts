/** A finger drawn across the table turns the page. */

import type { Command } from './keys';

/** A touch must go as far, and that much more sideways than up or down, to be a swipe. */
const REACH = 48;
const SLANT = 1.6;

export interface Touch {
  readonly x: number;
  readonly y: number;
}

/** Return what a touch from one point to another asks for: left goes on, right goes back. */
export function swipeOf(from: Touch, to: Touch): Command | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) < REACH || Math.abs(dx) < Math.abs(dy) * SLANT) return null;
  return dx < 0 ? 'next' : 'previous';
}
