/** The characters of To Court the King as their cards show them: row, frame, and how a name is set. */

import type { Piece } from '../../replay/protocol';
import { traitOf } from '../../replay/board/traits';

export interface Character {
  readonly name: string;
  /** Where it stands in the display, `I` to `V`; empty for one that no dice buy. */
  readonly row: string;
  /** The path round its emblem. */
  readonly frame: string;
  /** How many are left in the display; null for one that somebody holds. */
  readonly left: number | null;
  readonly used: boolean;
  /** The name as it is printed, one or two lines. */
  readonly lines: readonly string[];
  /** The size of its letters in a card 64 units wide. */
  readonly size: number;
}

const WIDEST = 12.5;
/** How wide a letter is, in sizes; measured on the longest names. */
const LETTER = 0.55;
const ROOM = 61;

/** Return the character on a card. */
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
    size: Math.min(lines.length > 1 ? 11.5 : WIDEST, ROOM / (longest * LETTER)),
  };
}

/** Return a figure of so many equal sides round (0, 0), a corner on top. */
function sides(number: number, radius: number, inner = radius): string {
  const points = Array.from({ length: number }, (_, corner) => {
    const reach = corner % 2 ? inner : radius;
    const turn = (corner / number) * 2 * Math.PI - Math.PI / 2;
    return `${(Math.cos(turn) * reach).toFixed(1)} ${(Math.sin(turn) * reach).toFixed(1)}`;
  });
  return `M${points.join('L')}z`;
}

const DISC = 'M-19 0a19 19 0 1 0 38 0a19 19 0 1 0-38 0z';
/** The frame of each row, so that its colour is not the only thing that tells it. */
export const FRAMES: Readonly<Record<string, string>> = {
  I: DISC,
  II: 'M-17.500-17.500h35v35h-35z',
  III: sides(5, 22),
  IV: sides(6, 21.500),
  V: sides(16, 23, 18.500),
};
