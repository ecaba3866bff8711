/** Spoiler-free watching: what lies beyond the furthest moment watched is kept back until the end is reached. */

import { FRESH, PUBLIC, type Eyes } from './protocol';

/** How much empty road the slider shows ahead; it depends on what was watched alone, so it tells nothing. */
const AHEAD = 1.25;
const LEAST_AHEAD = 20;

export class Veil {
  /** Whether spoiler-free watching is chosen. */
  on = $state(false);
  /** The furthest picture watched, by its place in the list. */
  furthest = $state(0);
  private ended = $state(false);

  constructor(on: boolean) {
    this.on = on;
  }

  /** Whether anything is kept back now. */
  get drawn(): boolean {
    return this.on && !this.ended;
  }

  /** The place in the list where the slider ends. */
  get road(): number {
    return Math.ceil(this.furthest * AHEAD) + LEAST_AHEAD;
  }

  /** Keep back all that is behind a picture. */
  draw(index: number): void {
    this.on = true;
    this.furthest = index;
    this.ended = false;
  }

  /** Keep nothing back. */
  drop(): void {
    this.on = false;
  }

  /** A picture is looked at; the last one of a match lifts the veil. */
  watched(index: number, end: boolean): void {
    if (index > this.furthest) this.furthest = index;
    if (end) this.ended = true;
  }
}

const KEY = 'ftk-spoiler-free';

/**
 * Remember by the eyes that were selected whether matches are to be opened spoiler-free: seats and all-seeing eyes,
 * which may be refused, change nothing. A browser that keeps nothing forgets it.
 */
export function keepHabit(selected: Eyes): void {
  if (selected !== FRESH && selected !== PUBLIC) return;
  try {
    if (selected === FRESH) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    return;
  }
}

/** Whether matches are to be opened spoiler-free. */
export function habit(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
