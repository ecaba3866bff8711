/** Texts of the result card, loaded only at the end of a match. */

import { createTranslator } from '../translation.svelte';
import type { Translate } from '../words';

export const ENGLISH = {
  'result': 'Result',
  'close': 'Close the result',
  'winner': 'Winner',
  'place': 'Place {place}',
  'luck': 'Luck {luck}',
  'luck.about': 'Effect of the seat, the deal and later chance, as a share of opponents left behind',
  'turn': 'The match turned at step {step}: {say}',
  'key': 'The deciding moment, step {step}: {say}',
  'clip': 'Clip of this moment',
  'review': 'Review',
  'next': 'Next match of the league',
  'play': 'Play this game by hand',
  'again': 'Other seats or opponents',
  'rematch': 'Rematch',
} as const;

/** Return a text in the current language. */
export const t: Translate<typeof ENGLISH> = createTranslator('ending', ENGLISH);
