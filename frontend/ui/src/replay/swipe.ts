/** Swipe gestures on the board, which show the next or previous moment. */

import type { Command } from './keys';

/** Minimum length of a swipe in pixels, and minimum ratio of its horizontal to its vertical length. */
const MIN_LENGTH_PX = 48;
const MIN_RATIO = 1.6;

export interface Touch {
  readonly x: number;
  readonly y: number;
}

/** Return the command of a touch: `next` for a swipe to the left, `previous` to the right, null for other touches. */
export function swipeOf(from: Touch, to: Touch): Command | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) < MIN_LENGTH_PX || Math.abs(dx) < Math.abs(dy) * MIN_RATIO) return null;
  return dx < 0 ? 'next' : 'previous';
}
