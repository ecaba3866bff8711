/** Which key does what. */

export type Command =
  | 'toggle'
  | 'next'
  | 'previous'
  | 'next-turn'
  | 'previous-turn'
  | 'next-phase'
  | 'previous-phase'
  | 'next-key'
  | 'previous-key'
  | 'first'
  | 'last'
  | 'next-eyes'
  | 'all-eyes'
  | 'faster'
  | 'slower'
  | 'even'
  | 'inspect'
  | 'help';

const KEYS: Readonly<Record<string, Command>> = {
  ' ': 'toggle',
  k: 'toggle',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  'Shift+ArrowRight': 'next-turn',
  'Shift+ArrowLeft': 'previous-turn',
  ArrowDown: 'next-phase',
  ArrowUp: 'previous-phase',
  ']': 'next-key',
  '[': 'previous-key',
  Home: 'first',
  End: 'last',
  f: 'next-eyes',
  o: 'all-eyes',
  '+': 'faster',
  '-': 'slower',
  e: 'even',
  i: 'inspect',
  '?': 'help',
};

/** The rows of the help: `keys.…` and `help.…` are the words of each. */
export const HELP = ['toggle', 'step', 'turn', 'phase', 'key', 'ends', 'speed', 'even', 'eyes', 'all', 'inspect', 'help'] as const;

/** As much of a keyboard event and its target as is looked at. */
export interface Press {
  readonly key: string;
  readonly shiftKey?: boolean;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
  /** The focused element's tag, type and whether it is typed into. */
  readonly tag: string;
  readonly type?: string;
  readonly editable?: boolean;
  /** Whether the focus is inside the viewer. */
  readonly inside: boolean;
  /** Whether the focused element is a box that scrolls. */
  readonly scrolls?: boolean;
}

const OWN_ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];

/** Whether the focused element has its own use for the key. */
function taken(press: Press): boolean {
  const { tag, type, key } = press;
  if (press.editable || tag === 'TEXTAREA' || tag === 'SELECT') return true;
  if (tag === 'INPUT') return type === 'range' ? OWN_ARROWS.includes(key) && !press.shiftKey : true;
  if (press.scrolls) return OWN_ARROWS.includes(key);
  if (tag === 'BUTTON' || tag === 'A' || tag === 'SUMMARY') return key === ' ' || key === 'Enter';
  return false;
}

/** Return what a key press asks for, or null when it is somebody else's. */
export function commandOf(press: Press): Command | null {
  if (press.ctrlKey || press.altKey || press.metaKey || taken(press)) return null;
  const upDown = press.key === 'ArrowUp' || press.key === 'ArrowDown';
  if (upDown && !press.inside) return null; // the page scrolls
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const shifted = press.shiftKey && press.key.length > 1 ? `Shift+${key}` : key;
  return KEYS[shifted] ?? null;
}
