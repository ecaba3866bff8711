/** Appearance of the character cards of To Court the King: row, frame, and layout of the name. */

import type { Piece } from '../../replay/protocol';
import { traitOf } from '../../replay/board/traits';

export interface Character {
  readonly name: string;
  /** Row in the display, `I` to `V`; empty for a character that dice cannot buy. */
  readonly row: string;
  /** Path around the emblem. */
  readonly frame: string;
  /** Number of cards left in the display; null for a card that a player holds. */
  readonly left: number | null;
  readonly used: boolean;
  /** Name, in one or two lines. */
  readonly lines: readonly string[];
  /** Font size in a card 64 units wide. */
  readonly size: number;
}

const MAX_FONT_SIZE = 12.5;
/** Width of a letter relative to the font size, measured on the longest names. */
const LETTER_WIDTH = 0.55;
const LINE_WIDTH = 61;

/** Return the appearance of a character card. */
export function characterOf(piece: Piece): Character {
  const [name, row, left] = [traitOf(piece, 'character') ?? '', traitOf(piece, 'row') ?? '', traitOf(piece, 'left')];
  const title = piece.label || piece.face || name;
  const lines = title.split(' ');
  const longest = Math.max(...lines.map((line) => line.length));
  return {
    name,
    row,
    frame: FRAMES[row] ?? DISC,
    left: left === undefined ? null : Number(left),
    used: piece.tags?.includes('used') ?? false,
    lines,
    size: Math.min(lines.length > 1 ? 11.5 : MAX_FONT_SIZE, LINE_WIDTH / (longest * LETTER_WIDTH)),
  };
}

/** Return the path of a regular polygon around (0, 0), with a corner at the top; with `inner`, of a star. */
function sides(number: number, radius: number, inner = radius): string {
  const points = Array.from({ length: number }, (_, corner) => {
    const reach = corner % 2 ? inner : radius;
    const turn = (corner / number) * 2 * Math.PI - Math.PI / 2;
    return `${(Math.cos(turn) * reach).toFixed(1)} ${(Math.sin(turn) * reach).toFixed(1)}`;
  });
  return `M${points.join('L')}z`;
}

const DISC = 'M-19 0a19 19 0 1 0 38 0a19 19 0 1 0-38 0z';
/** Frame of each row, so that rows do not differ by colour alone. */
export const FRAMES: Readonly<Record<string, string>> = {
  I: DISC,
  II: 'M-17.500-17.500h35v35h-35z',
  III: sides(5, 22),
  IV: sides(6, 21.500),
  V: sides(16, 23, 18.500),
};
