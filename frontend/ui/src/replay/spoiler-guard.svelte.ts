/** Spoiler-free watching: moments after the furthest watched one are hidden until the end is reached. */

import { FRESH, PUBLIC, type Eyes } from './protocol';

/** Factor and offset that extend the slider beyond the watched moments, so that it hides the length of the match. */
const SLIDER_FACTOR = 1.25;
const SLIDER_OFFSET = 20;

export class SpoilerGuard {
  /** True if the reader has chosen spoiler-free watching. */
  enabled = $state(false);
  /** Index of the furthest watched moment. */
  furthest = $state(0);
  private ended = $state(false);

  constructor(enabled: boolean) {
    this.enabled = enabled;
  }

  /** True while later moments are hidden. */
  get active(): boolean {
    return this.enabled && !this.ended;
  }

  /** Index at the end of the slider. */
  get sliderEnd(): number {
    return Math.ceil(this.furthest * SLIDER_FACTOR) + SLIDER_OFFSET;
  }

  /** Enable spoiler-free watching, and hide the moments after an index. */
  hideAfter(index: number): void {
    this.enabled = true;
    this.furthest = index;
    this.ended = false;
  }

  disable(): void {
    this.enabled = false;
  }

  /** Record that a moment was shown. After the last moment of a match nothing is hidden any more. */
  recordWatched(index: number, end: boolean): void {
    if (index > this.furthest) this.furthest = index;
    if (end) this.ended = true;
  }
}

const KEY = 'ftk-spoiler-free';

/**
 * Remember from the selected eyes whether matches open spoiler-free. Seats and `all` change nothing, because they may
 * be refused. Without local storage nothing is remembered.
 */
export function storeSpoilerPreference(selected: Eyes): void {
  if (selected !== FRESH && selected !== PUBLIC) return;
  try {
    if (selected === FRESH) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    return;
  }
}

/** Return true if matches are to open spoiler-free. */
export function prefersSpoilerFree(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
