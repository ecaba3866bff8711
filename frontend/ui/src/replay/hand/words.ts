/** Texts of the panel of a person who plays, which is loaded only for them. */

import { createTranslator } from '../translation.svelte';

export const ENGLISH = {
  hand: 'Your seat',
  turn: 'Your turn: {count} to choose from.',
  narrowed: '{count} left of {all}.',
  only: 'Your turn: {say}?',
  wait: 'Waiting for the others…',
  'wait.for': 'Waiting for {names}…',
  comma: ', ',
  news: 'You see what has happened since.',
  skip: 'Skip it',
  picked: 'You chose: {say}. Confirm it, or take it back.',
  confirm: 'Confirm',
  'take.back': 'Take back',
  direct: 'Send at once',
  'direct.about': 'A choice is sent without asking you to confirm it',
  'your.turn': 'Your turn · {title}',
  can: 'What can I do?',
  'can.many': '{count} choices, such as “{say}”.',
  'can.one': '“{say}”.',
  over: 'The match is over.',
  back: 'You are looking back.',
  table: 'Back to the table',
  find: 'Find a choice',
  clear: 'Clear the selection (Esc)',
  more: 'Show all {count}',
  guide: 'Guide',
  hints: 'Hints',
  hint: 'a strong player would choose this',
  how: 'Click pieces to narrow the choice; Ctrl+click selects those that show something else, Shift+click all others. Keys: 1 to 9, arrows, Enter, Esc.',
  left: 'Time left',
  not_asked: 'That question is answered, or was put anew: look again.',
  not_on_the_menu: 'That cannot be chosen any more.',
  too_late: 'That was too late; the first item was played for you.',
  failed: 'The answer did not get through. Try again.',
} as const;

export type Key = keyof typeof ENGLISH;
/** Return a text in the current language. */
export const t = createTranslator('hand', ENGLISH);
