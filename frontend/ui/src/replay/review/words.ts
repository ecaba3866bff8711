/** Texts of the review, which is loaded only for finished matches. */

import { createTranslator } from '../translation.svelte';

export const ENGLISH = {
  review: 'Review',
  ask: 'Review this match',
  why: 'Why it was won, which choice lost it, and how much was luck.',
  sign_in: 'Sign in to ask for the review of this match',
  waiting: 'The review waits for its turn, behind all matches.',
  begins: 'A worker begins with the review.',
  running: 'The review is being computed: {done} of {total} steps.',
  given_up: 'The review was given up: {reason}',
  refused: 'There is no review: {reason}',
  silent: 'The server does not answer.',
  with_all: 'Look with all eyes: what each choice was worth',
  curve: 'Expected share of opponents left behind',
  point: 'Step {frame}: {shares}',
  turning: 'Turning points',
  costliest: 'Costliest decision: {name}, {cost} ± {margin}',
  costliest_unsure: 'Perhaps the costliest decision: {name}, {cost} ± {margin}, not sure',
  luckiest: 'Luckiest draw: {name}, {gift}',
  luckiest_unsure: 'Perhaps the luckiest draw: {name}, {gift}, not sure',
  by_deal: 'by the deal',
  by_chance: 'by chance',
  by_own: 'by an own choice',
  by_other: 'by a choice of {name}',
  swing: 'Step {frame}: {name} {swing} {by}',
  swing_unsure: 'Step {frame}: {name} {swing} {by}, not sure',
  alternatives: 'What {name} could choose here',
  tried: '{tried} of {menu} items were tried',
  item: 'Item',
  share: 'Share',
  chosen: 'chosen',
  none: 'Nobody chose at this step.',
  ledger: 'Where each share came from',
  table: 'As a table',
  bot: 'Bot',
  part_seat: 'Seat',
  part_deal: 'Deal',
  part_chance: 'Later chance',
  part_own: 'Own choices',
  part_others: 'Choices of others',
  part_unexplained: 'Not explained',
  how: '{playouts} playouts for each choice, all seats played on by {policy}.',
  tables: 'The review in tables',
  clip: 'Share a clip',
  clip_of: 'Share a clip of step {frame}',
} as const;

export type Key = keyof typeof ENGLISH;
/** Return a text in the current language. */
export const t = createTranslator('review', ENGLISH);
