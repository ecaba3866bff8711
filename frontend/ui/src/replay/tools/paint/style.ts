/** Parsing of computed styles for painting on a canvas. */

const COLOUR = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)|#[0-9a-f]{3,8}\b/gi;

/** Return true if a computed colour is not fully transparent. */
export function isVisible(colour: string): boolean {
  return colour !== '' && colour !== 'transparent' && !/^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

/** Return the first and last visible colours of a background image; null if it has none. */
export function endsOf(image: string): readonly [string, string] | null {
  const colours = (image.match(COLOUR) ?? []).filter(isVisible);
  const [first] = colours;
  const last = colours.at(-1);
  return first !== undefined && last !== undefined ? [first, last] : null;
}

export interface Ring {
  readonly colour: string;
  readonly width: number;
}

/** Return the shadows without blur and offset, widest first, because the narrower ones are painted over them. */
export function ringsOf(shadow: string): readonly Ring[] {
  const rings: Ring[] = [];
  for (const part of shadow.split(/,(?![^(]*\))/)) {
    const [x, y, blur, spread] = (part.match(/-?[\d.]+px/g) ?? []).map(Number.parseFloat);
    const [colour] = part.match(COLOUR) ?? [];
    if (colour && x === 0 && y === 0 && blur === 0 && spread) rings.push({ colour, width: spread });
  }
  return rings.toSorted((one, other) => other.width - one.width);
}

/** Return a corner's radius in pixels, at most half of the box. */
export function radiusOf(radius: string, width: number, height: number): number {
  const value = Number.parseFloat(radius) || 0;
  const pixels = radius.trim().split(' ')[0]?.endsWith('%') ? (value / 100) * width : value;
  return Math.min(pixels, width / 2, height / 2);
}

/** Word, or single character of a script without spaces, with punctuation that must not begin a line. */
const WORDS = /(?:[\u2e80-\ufaff\uff00-\uffef]|[^\s\u2e80-\ufaff\uff00-\uffef]+)[、。，；：？！」）]*/g;

/** Return the words of a text as [start, end] offsets. */
export function wordsOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(WORDS)].map((match) => [match.index, match.index + match[0].length]);
}

/** Break a sentence into lines no wider than `room`. */
export function wrap(text: string, room: number, measure: (line: string) => number): readonly string[] {
  const lines: string[] = [];
  let begin = 0;
  for (const [from, to] of wordsOf(text)) {
    const longer = text.slice(begin, to);
    if (lines.length > 0 && measure(longer) <= room) lines[lines.length - 1] = longer;
    else {
      begin = from;
      lines.push(text.slice(from, to));
    }
  }
  return lines;
}
