/** English texts of the viewer. The files in `locale/` contain the translations. */

export const ENGLISH = {
  'connection.4400': 'The server did not understand this page. Reload it.',
  'connection.4404': 'There is no such match.',
  'connection.lost': 'Connection lost. Reconnecting…',
  'connection.setting': 'Loading the match…',

  'live': 'LIVE',
  'live.behind': '{count} behind, catch up',
  'link.copy': 'Copy the link to this moment',
  'link.copied': 'Link copied',
  'link.above': 'Copy the address above',
  'veil.drawn': 'The result and all that is still to come are hidden until you are there.',

  'eyes': 'Seen by',
  'eyes.public': 'everybody',
  'eyes.fresh': 'spoiler-free',
  'eyes.all': 'all-seeing',
  'eyes.all.later': 'all-seeing (after the end)',
  'eyes.all.closed': 'Everything is shown once the match has ended.',
  'eyes.seat.closed': 'While the match is played, a seat’s view is open to the bot’s author only.',

  'playing': 'Playing',
  'press.first': 'First step (Home)',
  'press.previous-phase': 'Previous phase (↑)',
  'press.previous-key': 'Previous key moment ([)',
  'press.previous-turn': 'Previous turn (Shift ←)',
  'press.previous': 'One step back (←)',
  'press.play': 'Play (Space)',
  'press.pause': 'Pause (Space)',
  'press.next': 'One step on (→)',
  'press.next-turn': 'Next turn (Shift →)',
  'press.next-key': 'Next key moment (])',
  'press.next-phase': 'Next phase (↓)',
  'press.last': 'Last step (End)',
  'speed': 'Speed',
  'bar': 'Where in the match',

  'help': 'Keys',
  'help.open': 'Keys (?)',
  'help.close': 'Close',
  'keys.toggle': 'Space or K',
  'help.toggle': 'Play or pause',
  'keys.step': '← →',
  'help.step': 'One step',
  'keys.turn': 'Shift + ← →',
  'help.turn': 'One turn',
  'keys.phase': '↑ ↓',
  'help.phase': 'One phase (while the table has the focus)',
  'keys.key': '[ ]',
  'help.key': 'One key moment',
  'keys.ends': 'Home, End',
  'help.ends': 'First or last step',
  'keys.speed': '+ −',
  'help.speed': 'Faster or slower',
  'keys.even': 'E',
  'help.even': 'Show all steps for the same time, or important steps longer',
  'keys.eyes': 'F',
  'help.eyes': 'View of the next seat',
  'keys.all': 'O',
  'help.all': 'Everything (after the end)',
  'keys.inspect': 'I',
  'help.inspect': 'Look into this entry',
  'keys.help': '?',
  'help.help': 'This help',

  'table': 'The table',
  'table.act': 'to act',
  'table.yours': 'Your turn',
  'table.empty': 'empty',
  'table.earlier': 'Earlier claims: {count}',
  'piece.down': 'face down',
  'piece.left': ', {count} left',
  'piece.whose': ' ({name})',
  'piece.used': ', used',
  'piece.false': ', false',
  'piece.conflict': ', contradicted',
  'about.rule': 'Rule {rule} in full (R)',
  'about.rules': 'The rules (R)',
  'story': 'What happened',
  'story.many': '{count} times: {say}',
  'lead': 'Who leads',
  'lead.parts': 'Comparisons in detail',
  'lead.first': ' (leads)',
  'lead.news': '{title}: {verdict}',
  'chart': 'Timeline',
  'chart.figure': 'Figure',
  'words': 'The table in words',
  'words.whose': 'Whose',
  'words.place': 'Place',
  'words.what': 'What lies there',
  'words.common': 'Common',
  'words.note': '({note})',
} as const;

type Texts = Readonly<Record<string, string>>;
type Placeholders<Text extends string> = Text extends `${string}{${infer Placeholder}}${infer Rest}`
  ? Placeholder | Placeholders<Rest>
  : never;
/** Further arguments of a translation function: the values of the text's `{placeholders}`, if it has any. */
type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [Readonly<Record<Placeholders<Text>, string | number>>];
/** Translation function of a part: returns a text by its key. */
export type Translate<English extends Texts> = <Key extends keyof English>(
  key: Key,
  ...values: Values<English[Key]>
) => string;
/** Keys of the texts without placeholders. */
export type PlainKeyOf<English extends Texts> = {
  [Key in keyof English]: Values<English[Key]> extends [] ? Key : never;
}[keyof English];
export type PlainKey = PlainKeyOf<typeof ENGLISH>;

/** Return a text with values in its `{placeholders}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
