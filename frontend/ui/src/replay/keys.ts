/** Keyboard shortcuts of the viewer. */

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

/** Rows of the help. Each has two texts: `keys.<row>` and `help.<row>`. */
export const HELP = ['toggle', 'step', 'turn', 'phase', 'key', 'ends', 'speed', 'even', 'eyes', 'all', 'inspect', 'help'] as const;

/** Used properties of a keyboard event and its target. */
export interface Press {
  readonly key: string;
  readonly shiftKey?: boolean;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly metaKey?: boolean;
  /** Tag name and `type` attribute of the focused element, and whether it is content-editable. */
  readonly tag: string;
  readonly type?: string;
  readonly editable?: boolean;
  /** True if the focus is inside the viewer. */
  readonly inside: boolean;
  /** True if the focused element is a scroll container. */
  readonly scrolls?: boolean;
}

const OWN_ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];

/** Return true if the focused element handles the key itself. */
function isHandledByTarget(press: Press): boolean {
  const { tag, type, key } = press;
  if (press.editable || tag === 'TEXTAREA' || tag === 'SELECT') return true;
  if (tag === 'INPUT') return type === 'range' ? OWN_ARROWS.includes(key) && !press.shiftKey : true;
  if (press.scrolls) return OWN_ARROWS.includes(key);
  if (tag === 'BUTTON' || tag === 'A' || tag === 'SUMMARY') return key === ' ' || key === 'Enter';
  return false;
}

/** Return the command of a key press; null if the browser or the focused element handles the key. */
export function commandOf(press: Press): Command | null {
  if (press.ctrlKey || press.altKey || press.metaKey || isHandledByTarget(press)) return null;
  const upDown = press.key === 'ArrowUp' || press.key === 'ArrowDown';
  if (upDown && !press.inside) return null; // these keys scroll the page
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const shifted = press.shiftKey && press.key.length > 1 ? `Shift+${key}` : key;
  return KEYS[shifted] ?? null;
}
