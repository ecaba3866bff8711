/** What the inspector, the check of the log and the downloads say; they are fetched after the first picture. */

import { speaker } from '../speech.svelte';
import type { PlainOf, Speaker } from '../words';

export const ENGLISH = {
  'inspect': 'Inspect',
  'inspect.title': 'Look into this entry (I)',
  'entry': 'This moment',
  'entry.number': 'Frame {at}',
  'entry.page': 'Page {page} (entries {first} to {last}), hash',
  'entry.later': 'The log’s pages and their hashes can be read once the match has ended.',
  'entry.told': 'As told to these eyes',
  'entry.log': 'As it stands in the log',
  'entry.json': 'The entry as JSON',
  'copy': 'Copy',
  'copy.done': 'Copied',
  'copy.self': 'Select the text and copy it',
  'changes': 'What changed',
  'changes.first': 'This is the first picture.',
  'changes.none': 'Nothing that these eyes can see.',
  'changes.what': 'What',
  'changes.before': 'Before',
  'changes.after': 'After',
  'changes.nothing': 'nothing',
  'changes.act': 'To act',
  'changes.whose': '{name}: {what}',
  'changes.lies': '{face}, {where}',
  'changes.marks': '{where} ({marks})',

  'choice': 'The choice before it',
  'choice.question': 'Question {number}, to {bot}',
  'choice.cost': 'Frame {at}: {time} of computing',
  'choice.ms': '{time} ms',
  'choice.idle': ', {time} asleep',
  'choice.queued': ', {time} waiting for a processor',
  'choice.bank': '; {time} s left in the bank.',
  'choice.excuse': 'No valid answer ({excuse}): the first item was played for it.',
  'choice.menu': 'The menu',
  'choice.fault': 'What was wrong:',
  'choice.note': 'Your bot’s note:',
  'choice.stderr': 'What your bot wrote to stderr in this match',
  'choice.view': 'All that the seat knew',
  'choice.status': 'the server answered {status}',
  'choice.silent': 'the server did not answer',

  'badge.title':
    'The log’s pages are chained by their hashes; this browser has fetched them and worked the hashes out again.',
  'badge.asked': 'checking…',
  'badge.good': 'verified, {count} pages',
  'badge.good.one': 'verified, 1 page',
  'badge.failed': 'not checked: {why}',
  'badge.bad': 'does not verify: page {page} {why}',
  'badge.again': 'Try again',
  'failed.browser': 'this browser cannot check it here',
  'failed.log': 'the log did not come',
  'failed.status': 'the log did not come ({status})',
  'fault.hash': 'does not match its hash',
  'fault.cut': 'is cut off',
  'fault.missing': 'is missing',

  'keep': 'Download',
  'keep.moment': 'This moment',
  'keep.moment.how': 'PNG picture',
  'keep.story': 'The story',
  'keep.story.how': 'text, as told to these eyes',
  'keep.log': 'The log',
  'keep.log.how': 'JSON Lines',
  'keep.log.tells': 'JSON Lines; it tells the end',
  'keep.log.later': 'once the match has ended',
  'keep.source': 'match {match}, entry {at}, {host}',
  'keep.no-ink': 'this browser paints no pictures',
  'keep.too-large': 'the picture is too large',
} as const;

export type Plain = PlainOf<typeof ENGLISH>;
/** Return a text in the language that is spoken now. */
export const say: Speaker<typeof ENGLISH> = speaker('tools', ENGLISH);
