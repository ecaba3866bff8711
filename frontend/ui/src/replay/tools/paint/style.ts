/** Reading computed styles as far as a picture of the table needs them. */

const COLOUR = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)|#[0-9a-f]{3,8}\b/gi;

/** Whether a computed colour is to be seen at all. */
export function seen(colour: string): boolean {
  return colour !== '' && colour !== 'transparent' && !/^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

/** Return the first and the last colour of a background image; null when it has none. */
export function endsOf(image: string): readonly [string, string] | null {
  const colours = (image.match(COLOUR) ?? []).filter(seen);
  const [first] = colours;
  const last = colours.at(-1);
  return first !== undefined && last !== undefined ? [first, last] : null;
}

export interface Ring {
  readonly colour: string;
  readonly width: number;
}

/** Return the shadows that are rings, without blur or offset, the widest first: they lie under the others. */
export function ringsOf(shadow: string): readonly Ring[] {
  const rings: Ring[] = [];
  for (const part of shadow.split(/,(?![^(]*\))/)) {
    const [x, y, blur, spread] = (part.match(/-?[\d.]+px/g) ?? []).map(Number.parseFloat);
    const [colour] = part.match(COLOUR) ?? [];
    if (colour && x === 0 && y === 0 && blur === 0 && spread) rings.push({ colour, width: spread });
  }
  return rings.toSorted((one, other) => other.width - one.width);
}

/** Return a corner's radius in pixels, no more than half of what it rounds. */
export function radiusOf(radius: string, width: number, height: number): number {
  const value = Number.parseFloat(radius) || 0;
  const pixels = radius.trim().split(' ')[0]?.endsWith('%') ? (value / 100) * width : value;
  return Math.min(pixels, width / 2, height / 2);
}

/** Return the words of a text as [from, to] places in it. */
export function wordsOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/\S+/g)].map((match) => [match.index, match.index + match[0].length]);
}

/** Break a sentence into lines no wider than `room`. */
export function wrap(text: string, room: number, measure: (line: string) => number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && measure(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
